#!/usr/bin/env python3
"""Runs the commands of the manuals as they stand, each manual in a fresh folder.

    tools/try_manuals.py target/debug/tsumugi                 # README.md, README.ja.md, docs/**/*.md
    tools/try_manuals.py target/debug/tsumugi docs/book.md --long

A command is a line of a fenced block that begins with `tsumugi` or `target/release/tsumugi`, or with `$ ` (then the other
lines are what it prints). It passes if it ends with status 0 in time. The folder holds the files that the manuals speak
of (`games/`, `game.kif`, `openings.sfen`, `./engine` …), made from testdata/.

Comments before a fence, which readers do not see, say what is special about it:

    <!-- try: skip needs YaneuraOu -->              nothing of the block is run
    <!-- try: skip "bench eval" needs a network --> nor the lines with this text
    <!-- try: long -->                              only with --long; also: long "mine"
    <!-- try: setup cp "$TESTDATA"/a.kif . -->      run before the block
    <!-- try: console -->                           the lines are for the console of the program; none may be an error
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = re.compile(r"(\$ )?((target/release/)?tsumugi)( |$)")
DIRECTIVE = re.compile(r"<!-- try: (\w+) *(?:\"([^\"]*)\")? *(.*?) *-->")
# A shape of commands, not a command: optional parts, and parts left out.
PLACEHOLDER = re.compile(r"…|\[[A-Z-]")
SECONDS = 60
LONG_SECONDS = 3600

START = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h"
OTHER = "startpos moves 7g7f 8c8d 2g2f 3c3d 2f2e 2b8h+ 7i8h 3a2b 8h7g 7a7b"
TSUME = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1"


class Block:
    """The commands of one fence, with what the comments before it say."""

    def __init__(self, place, directives, lines):
        self.place, self.directives, self.lines = place, directives, lines

    def said(self, word, line=None):
        """What follows `word` in a directive about the block, or about a line of it; None if there is none."""
        for name, text, rest in self.directives:
            if name == word and (not text or (line is not None and text in line)):
                return rest or name
        return None

    def commands(self):
        """The lines to run, each with its number."""
        if self.said("console"):
            return [(self.place[1] + 1, "\n".join(self.lines))]
        with_prompt = any(line.startswith("$ ") for line in self.lines)
        found, number = [], 0
        while number < len(self.lines):
            line, begin = self.lines[number], number
            while line.endswith("\\") and number + 1 < len(self.lines):
                number += 1
                line = line[:-1] + self.lines[number].strip()
            number += 1
            if COMMAND.match(line) and line.startswith("$ ") == with_prompt:
                found.append((self.place[1] + 1 + begin, line.removeprefix("$ ")))
        return found


def blocks(path):
    """The fenced blocks of a manual."""
    directives, fence, begin, lines = [], None, 0, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        stripped = line.strip()
        if fence is not None:
            if stripped == "```":
                yield Block((path, begin), directives, lines)
                directives, fence, lines = [], None, []
            else:
                lines.append(line)
        elif stripped.startswith("```"):
            fence, begin = stripped[3:], number
        elif match := DIRECTIVE.fullmatch(stripped):
            directives.append(match.groups())
        elif stripped:
            directives = []


def furnish(folder, binary):
    """Puts the files there that the manuals speak of."""
    records = ROOT / "testdata" / "records"
    (folder / "target" / "release").mkdir(parents=True)
    for name in ["target/release/tsumugi", "engine", "new", "old"]:
        (folder / name).symlink_to(binary)
    games = folder / "games"
    games.mkdir()
    for name in ["branches.kif", "v22.csa", "v3.csa", "games.usi"]:
        shutil.copy(records / name, games)
    for name, copies in {"branches.kif": ["game.kif"], "v22.csa": ["game.csa"], "branches.ki2": ["game.ki2"]}.items():
        for copy in copies:
            shutil.copy(records / name, folder / copy)
    shutil.copy(records / "many.csa", folder / "games.csa")
    (folder / "more" / "deep").mkdir(parents=True)
    shutil.copy(records / "v3.csa", folder / "more" / "deep")
    shutil.make_archive(str(folder / "archive"), "zip", records, "handicap.kif")
    (folder / "problems").mkdir()
    shutil.copy(records / "tsume.kif", folder / "problems")
    shutil.copy(records / "tsume.kif", folder / "problem.kif")
    (folder / "problem.sfen").write_text(TSUME + "\n")
    for name in ["openings.sfen", "openings.txt", "games.sfen"]:
        (folder / name).write_text(f"{START}\n{OTHER}\n")
    (folder / "roots.sfen").write_text("startpos\n")


def run(command, folder, environment, seconds, text=None):
    """Runs a line in a shell; what went wrong, or None."""
    program = ["tsumugi"] if text is not None else ["bash", "-c", command]
    try:
        done = subprocess.run(program, cwd=folder, env=environment, timeout=seconds, encoding="utf-8", errors="replace",
                              input=text or "", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except subprocess.TimeoutExpired:
        return f"not done after {seconds} s"
    tail = "\n".join(done.stdout.strip().splitlines()[-5:])
    if done.returncode != 0:
        return f"exit status {done.returncode}\n{tail}"
    # Lines of the console that went wrong, whatever the status.
    return next((line for line in done.stdout.splitlines() if line.startswith("info string Error!")), None)


def try_manual(path, arguments, counts):
    """Runs the commands of one manual."""
    with tempfile.TemporaryDirectory(prefix="try_manuals.") as scratch:
        folder, bin_folder = Path(scratch) / "here", Path(scratch) / "bin"
        folder.mkdir()
        bin_folder.mkdir()
        # A copy, so that what is beside the program of the developer (books, option files) does not matter.
        shutil.copy(arguments.binary, bin_folder / "tsumugi")
        furnish(folder, bin_folder / "tsumugi")
        environment = dict(os.environ, PATH=f"{bin_folder}:{os.environ['PATH']}", TESTDATA=str(ROOT / "testdata"),
                           DOCS=str(ROOT / "docs"), LC_ALL="C.UTF-8")
        for block in blocks(path):
            for name, _, command in block.directives:
                if name == "setup" and (why := run(command, folder, environment, SECONDS)):
                    report(counts, "failed", path, block.place[1], f"setup: {command}", why)
            for number, command in block.commands():
                shown = " / ".join(command.split("\n"))
                why = block.said("skip", command) or (PLACEHOLDER.search(command) and "a shape, not a command")
                if not why and block.said("long", command) and not arguments.long:
                    why = "long"
                if why:
                    report(counts, "skipped", path, number, shown, why)
                    continue
                begin = time.monotonic()
                text = command + "\nquit\n" if block.said("console") else None
                why = run(command, folder, environment, LONG_SECONDS if arguments.long else SECONDS, text)
                took = f"{time.monotonic() - begin:.1f} s"
                report(counts, "failed" if why else "passed", path, number, shown, why or took)


def report(counts, verdict, path, number, command, why):
    """A line for each command; what a failing one said below it."""
    counts[verdict] += 1
    print(f"{verdict:7} {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{number}: {command} ({why})", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=Path, help="the program to try")
    parser.add_argument("manuals", type=Path, nargs="*", help="by default README.md, README.ja.md and docs/**/*.md")
    parser.add_argument("--long", action="store_true", help="run what is marked as long, too")
    arguments = parser.parse_args()
    arguments.binary = arguments.binary.resolve(strict=True)
    manuals = arguments.manuals or [ROOT / "README.md", ROOT / "README.ja.md", *sorted((ROOT / "docs").rglob("*.md"))]
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for manual in manuals:
        try_manual(manual.resolve(strict=True), arguments, counts)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    if counts["passed"] == 0:
        sys.exit("error: no command was run")
    sys.exit(1 if counts["failed"] else 0)


if __name__ == "__main__":
    main()
