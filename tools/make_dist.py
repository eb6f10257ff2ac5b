#!/usr/bin/env python3
"""Builds the archives of a release under dist/: one for each system, the same bytes for the same commit.

    tools/make_dist.py                      # all three
    tools/make_dist.py linux-x64            # one
    tools/make_dist.py --list
    CPU=x86-64-v3 tools/make_dist.py linux-x64 windows-x64    # for these processors only; the names say so

The program for Linux (x64) is built in any case: it writes the completions and the manual pages that all archives have.
Installs what is missing: the targets by rustup, the linkers by apt-get (as root, on Debian and its kin).
"""

import argparse
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).absolute()

# name: (Rust target, linker, Debian packages, archive's ending)
SYSTEMS = {
    "linux-x64": ("x86_64-unknown-linux-gnu", "cc", [], ".tar.gz"),
    "linux-arm64": (
        "aarch64-unknown-linux-gnu",
        "aarch64-linux-gnu-gcc",
        ["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"],
        ".tar.gz",
    ),
    "windows-x64": ("x86_64-pc-windows-gnu", "x86_64-w64-mingw32-gcc", ["gcc-mingw-w64-x86-64"], ".zip"),
}
# The processors that the programs for x64 are built for; none: all of them.
CPU = os.environ.get("CPU", "")
# The system on which archives are made.
OWN = "linux-x64"


def output(*words):
    return subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def build(target, linker, packages):
    """The program for one target: static, so that it runs on any distribution, and without paths of this machine."""
    if not shutil.which(linker):
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *packages], check=True)
    if target not in output("rustup", "target", "list", "--installed").split():
        subprocess.run(["rustup", "target", "add", target], cwd=ROOT, check=True)
    cargo_home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    # Of several prefixes that fit, rustc takes the last.
    prefixes = {str(ROOT): ".", str(TARGET): "target", cargo_home: "cargo"}
    flags = ["-Ctarget-feature=+crt-static", *(f"--remap-path-prefix={path}={name}" for path, name in prefixes.items())]
    if CPU and target.startswith("x86_64"):
        flags.append(f"-Ctarget-cpu={CPU}")
    environment = dict(os.environ, CARGO_ENCODED_RUSTFLAGS="\x1f".join(flags), SOURCE_DATE_EPOCH="0")
    environment[f"CARGO_TARGET_{target.upper().replace('-', '_')}_LINKER"] = linker
    environment["CARGO_PROFILE_RELEASE_STRIP"] = "symbols"
    command = ["cargo", "build", "--release", "--locked", "-p", "tsumugi", "--target", target]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return TARGET / target / "release" / ("tsumugi.exe" if "windows" in target else "tsumugi")


def licences(target):
    """The licences of all crates in the program, each text once."""
    tree = output("cargo", "tree", "--locked", "-p", "tsumugi", "-e", "normal", "--target", target, "--prefix", "none",
                  "-f", "{p}")
    used = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    metadata = json.loads(output("cargo", "metadata", "--locked", "--format-version", "1"))
    texts = {}
    parts = ["Crates of others in this program. Tsumugi itself: see LICENSE.\n"]
    for package in sorted(metadata["packages"], key=lambda package: (package["name"], package["version"])):
        if package["source"] is None or (package["name"], "v" + package["version"]) not in used:
            continue
        parts.append(f"{package['name']} {package['version']}: {package['license']}; {package['repository'] or ''}\n")
        for file in sorted(Path(package["manifest_path"]).parent.iterdir()):
            if file.is_file() and file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")):
                texts.setdefault(file.read_text(encoding="utf-8", errors="replace").strip(), []).append(
                    f"{package['name']}/{file.name}")
    for text, names in texts.items():
        parts.append(f"\n{'=' * 100}\n{', '.join(names)}\n\n{text}\n")
    return "".join(parts)


def shell_files(program, windows):
    """Completions and manual pages, written by a program that runs here; they are the same for all systems."""
    files = {}
    shells = {"powershell": "tsumugi.ps1"} if windows else {"bash": "tsumugi.bash", "zsh": "_tsumugi", "fish": "tsumugi.fish"}
    for shell, name in shells.items():
        files[f"completions/{name}"] = subprocess.run([program, "completions", shell], check=True, stdout=subprocess.PIPE).stdout
    if not windows:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program, "man", folder], check=True, stdout=subprocess.DEVNULL)
            for page in Path(folder).iterdir():
                files[f"man/man1/{page.name}"] = page.read_bytes()
    return files


def windows_text(text):
    """As Notepad and older editors read it: a byte order mark and CRLF."""
    return b"\xef\xbb\xbf" + text.replace("\r\n", "\n").replace("\n", "\r\n").encode()


def contents(program, own, target, version):
    """Names and bytes of the archive, in order; `own` is the same program for this machine."""
    windows = "windows" in target
    text = windows_text if windows else str.encode
    read = lambda name: (ROOT / name).read_text(encoding="utf-8")
    files = {
        program.name: program.read_bytes(),
        "README.md": text(read("README.md")),
        "README.ja.md": text(read("README.ja.md")),
        "使い方.txt": windows_text(read("packaging/usage.ja.txt").replace("VERSION", version)),
        "LICENSE.txt": text(read("LICENSE")),
        "NOTICE.md": text(read("NOTICE.md")),
        "NET.md": text(read("nets/CARD.md")),
        "CRATES.txt": text(licences(target)),
    }
    files |= shell_files(own, windows)
    for manual in sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "docs/ja").glob("*.md")]):
        files[manual.relative_to(ROOT).as_posix()] = text(manual.read_text(encoding="utf-8"))
    for picture in (ROOT / "docs/pictures").iterdir():
        files[picture.relative_to(ROOT).as_posix()] = picture.read_bytes()
    return dict(sorted(files.items()))


def pack(path, folder, files, date):
    """Writes the archive; every entry has the date of the commit, and nobody's name."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, data in files.items():
                entry = zipfile.ZipInfo(f"{folder}/{name}", time.gmtime(date)[:6])
                entry.external_attr = (0o755 if name.startswith("tsumugi") else 0o644) << 16
                archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
        return
    with open(path, "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=date) as compressed:
        with tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for name, data in files.items():
                entry = tarfile.TarInfo(f"{folder}/{name}")
                entry.size, entry.mtime = len(data), date
                entry.mode = 0o755 if name == "tsumugi" else 0o644
                archive.addfile(entry, io.BytesIO(data))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=", ".join(SYSTEMS))
    parser.add_argument("--list", action="store_true", help="name the systems and end")
    args = parser.parse_args()
    if args.list:
        print("\n".join(SYSTEMS))
        return
    if unknown := [name for name in args.systems if name not in SYSTEMS]:
        sys.exit(f"make_dist: {unknown[0]}: unknown system; there are {', '.join(SYSTEMS)}")
    metadata = json.loads(output("cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"))
    version = next(package["version"] for package in metadata["packages"] if package["name"] == "tsumugi")
    date = int(output("git", "log", "-1", "--format=%ct"))
    DIST.mkdir(exist_ok=True)
    own = build(*SYSTEMS[OWN][:3])
    for name in args.systems or SYSTEMS:
        target, linker, packages, ending = SYSTEMS[name]
        program = own if name == OWN else build(target, linker, packages)
        folder = f"tsumugi-{version}-{name}" + (CPU.removeprefix("x86-64") if target.startswith("x86_64") else "")
        path = DIST / (folder + ending)
        pack(path, folder, contents(program, own, target, version), date)
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes", flush=True)
    archives = sorted(path for path in DIST.iterdir() if path.name.startswith("tsumugi-"))
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in archives]
    (DIST / "SHA256SUMS").write_text("".join(sums))


if __name__ == "__main__":
    main()
