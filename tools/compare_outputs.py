#!/usr/bin/env python3
"""Runs the book commands of two programs on the same inputs and compares every byte they write.

    tools/compare_outputs.py BEFORE AFTER PUBLIC FOLDER [--positions N]

BEFORE and AFTER are builds of tsumugi, PUBLIC a folder with `book_reference`, `book_fixtures` and `games`, FOLDER an
empty one to work in. Compared are the files, the output (without times) and the exit status of each command.
Prints what differs and `N passed, N failed`; the exit status is 1 if anything differs.
"""

import argparse
import filecmp
import re
import shutil
import subprocess
import sys
from pathlib import Path


def commands(public):
    """Each command as words; files that it writes begin with `out`."""
    reference, fixtures, games = (public / name for name in ["book_reference", "book_fixtures", "games"])
    books = sorted(reference.glob("*.db")) + sorted(fixtures.glob("*.*")) + [reference / "apery.bin", games / "gps_joseki_book.db"]
    lists = sorted(games.glob("*.sfen")) + [reference / "games.sfen"]
    for book in [*books, Path("synth.db"), Path("synth.ybb"), Path("broken.db")]:
        for lenient in [[], ["--lenient"]]:
            yield ["book", "sort", book, "out.db", *lenient]
            yield ["book", "sort", book, "out.db", "--eol", "lf", "--memory", "1M", *lenient]
            for name in ["out.db", "out.ybb", "out.bin", "out.sbk"]:
                yield ["book", "convert", book, name, *lenient]
            yield ["book", "convert", book, "out.ybb", "--memory", "1M", *lenient]
        for command in ["stats", "check", "show"]:
            yield ["book", command, book]
        yield ["book", "probe", book]
        yield ["book", "probe", book, "--on-the-fly", "--position", "startpos moves 7g7f"]
        yield ["book", "repair", book, "out.db"]
        yield ["book", "export", book, "out.sfen", "--max-ply", "9"]
        yield ["book", "minmax", book, f"out{book.suffix}"]
        yield ["book", "diff", book, reference / "a.db", "--count"]
        for policy in ["both", "depth", "max-count", "sum-count", "first", "bw", "wb"]:
            yield ["book", "merge", book, reference / "b.db", "out.db", "--policy", policy]
        yield ["book", "merge", "synth.db", book, "out.ybb"]
        yield ["book", "merge", "synth2.db", book, "out.db", "--memory", "4M"]
    for games_list in lists:
        for words in [[], ["--moves", "24", "--side", "white"], ["--min-count", "2", "--depth", "32", "--memory", "8M"]]:
            yield ["book", "import", games_list, "-o", "out.db", *words]
        yield ["book", "import", games_list, "-o", "out.ybb"]
        yield ["makebook", "from_sfen", games_list, "out.db", "moves", "24"]
    a, b, roots = reference / "a.db", reference / "b.db", reference / "root.txt"
    yield ["book", "import", "broken.sfen", "-o", "out.db"]
    yield ["book", "import", *lists[:3], "-o", "out.db"]
    yield ["makebook", "from_sfen", "bw", reference / "games.sfen", reference / "games_w.sfen", "out.db"]
    yield ["makebook", "from_sfen", "broken.sfen", "out.db"]
    for way in [
        ["merge", a, b, "out.db"], ["sort", a, "out.db"], ["convert_to_apery", reference / "from_sfen.db", "out.bin"],
        ["convert_from_apery", reference / "apery.bin", "out.db"], ["build_tree", a, "out.db"],
        ["build_tree", a, "out.db", "black_contempt", "30"], ["extend_tree", a, roots, "out.txt"],
        ["extract_sfen_from_db", a, "out.sfen"], ["extract_sfen_from_sfen", reference / "games.sfen", "out.sfen"],
        ["stera_convert", a, "out.db", roots], ["peta_shock", a, "out.db"], ["peta_shock", a, "out.db", "shrink", "fast"],
        ["peta_shock", "synth.db", "out.db"], ["peta_shock_next", a, "out.sfen", "50"],
        ["peta_shock_next", a, "out.sfen", "50", "eval_noise", "10", "from_startpos"],
        ["think", "few.sfen", "out.db", "moves", "3", "depth", "3"],
        ["think", "few.sfen", "out.db", "startmoves", "9", "moves", "3"], ["think", "nothing", "out.db"],
        ["endless_extend_tree", "growing.db", roots, "out.txt", "loop", "1", "depth", "2", "nodes", "200"],
        ["stera", "read_book", a, "write_book", "out.db", "nodes_limit", "200", "think_limit", "2", "depth", "2"],
        [], ["nonsense"], ["sort"], ["merge", a, b, "x.db", "y"], ["from_sfen", "few.sfen", "out.db", "moves", "x"],
    ]:
        yield ["makebook", *way]
    thinker = ["--depth", "3", "--threads", "1", "--hash", "16"]
    yield ["book", "think", "few.sfen", "out.db", "--moves", "3", *thinker]
    yield ["book", "think", "few.sfen", "growing.db", "--moves", "3", "--cluster", "1/2", *thinker]
    yield ["book", "extend", a, roots, "out.txt"]
    yield ["book", "extend", "growing.db", roots, "out.txt", "--rounds", "1", *thinker]
    for policy in [["next"], ["refutation"], ["rejoin"], ["unsolved", "--games", "few.sfen"], ["opponent", "--opponent", a]]:
        yield ["book", "mine", "growing.db", "--rounds", "2", "--leaves", "4", "--out", "out.db", "--policy", *policy, *thinker]
    yield ["book", "mine", "out.db", "--rounds", "2", "--leaves", "3", "--roots", roots, *thinker]
    yield ["book", "edit", "growing.db", "startpos", "--set", "7g7f 3c3d 10 20 5", "--comment", "x"]
    yield ["book", "edit", "growing.db", "startpos moves 7g7f", "--delete"]
    yield ["book", "sort", "few.sfen", "out.db"]
    yield ["book", "sort", a, "few.sfen"]


def run(program, words, folder, inputs):
    """Runs a command in a fresh folder; its output without times, and the folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(inputs, folder)
    done = subprocess.run([program, *map(str, words)], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
    output = (done.stdout + done.stderr).decode(errors="replace")
    # Threads report positions in any order.
    output = re.sub(r"^\[\d+/\d+:\d+\] .*\n", "", output.replace(str(folder), "FOLDER"), flags=re.M)
    return done.returncode, re.sub(r"[0-9.]+ m?s\b", "TIME", output)


def main():
    parser = argparse.ArgumentParser()
    for name in ["before", "after", "public", "folder"]:
        parser.add_argument(name, type=lambda text: Path(text).resolve())
    parser.add_argument("--positions", type=int, default=20_000)
    args = parser.parse_args()
    inputs = args.folder / "inputs"
    inputs.mkdir(parents=True)
    make = lambda *words: subprocess.run([args.before, "book", *words], cwd=inputs, check=True, capture_output=True)
    for seed, name in [(1, "synth.db"), (2, "synth2.db")]:
        make("synth", name, "--seed", str(seed), "--positions", str(args.positions))
    make("convert", "synth.db", "synth.ybb")
    shutil.copy(args.public / "book_reference" / "a.db", inputs / "growing.db")
    lines = (args.public / "book_reference" / "games.sfen").read_text().splitlines()
    (inputs / "few.sfen").write_text("\n".join(lines[:4]) + "\n")
    (inputs / "broken.sfen").write_text("\n".join([*lines[:9], "startpos moves 7g7f 1a1b 3c3d", "sfen nonsense"]) + "\n")
    text = (inputs / "synth.db").read_text().replace(" none -1", " none x").replace("sfen lnsg", "sfen lnxg", 40)
    (inputs / "broken.db").write_text(text)
    passed = failed = 0
    for words in commands(args.public):
        before = run(args.before, words, args.folder / "run", inputs)
        shutil.rmtree(args.folder / "kept", ignore_errors=True)
        (args.folder / "run").rename(args.folder / "kept")
        after = run(args.after, words, args.folder / "run", inputs)
        names = sorted({path.name for side in ["kept", "run"] for path in (args.folder / side).iterdir()})
        _, different, missing = filecmp.cmpfiles(args.folder / "kept", args.folder / "run", names, shallow=False)
        if before == after and not different and not missing:
            passed += 1
            continue
        failed += 1
        print("DIFFERENT:", *words, "files:", *different, *missing)
        if before != after:
            print(f"  before {before[0]}: {before[1][-300:]}\n  after  {after[0]}: {after[1][-300:]}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
