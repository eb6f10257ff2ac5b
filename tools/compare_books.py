#!/usr/bin/env python3
"""Measures tsumugi's book commands beside the ScriptCollection's Python tools and YaneuraOu, in one run.

    tools/compare_books.py TSUMUGI SCRIPTS YANEURAOU FOLDER [--positions N] [--scripts N] [--games GAMES]…

TSUMUGI is the release binary, SCRIPTS the root of a checkout of yaneurao/YaneuraOu-ScriptCollection (its tools run
under the Python that runs this), YANEURAOU a build with makebook. Books are made by `tsumugi book synth`; --scripts is
the size for the Python tools, which take minutes for millions, and --random-games makes a list of games for from_sfen
beside those that are given. Every figure is wall time, processor time of all threads and the peak of resident memory
as the kernel counts them (wait4), from the start of a process to its end; beside the Python tools, ours is the median
of five runs. Both sides read the same files, which the system has in its memory, and write where no file is; ours waits
until the disk has the result, the scripts do not. Prints a Markdown table.
"""

import argparse
import filecmp
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple, Optional


# Names of what our program writes.
RESULTS = {"o.db", "o.ybb", "bigsorted.db", "big.ybb"}
# And theirs.
PEER_RESULTS = {"p.db", "p.ybb"}


class Took(NamedTuple):
    """What a command took: seconds by the clock and of processors, the peak of memory in MB."""

    wall: float
    cpu: Optional[float]
    peak: float
    output: str = ""

    def __str__(self):
        cpu = "" if self.cpu is None else f" ({self.cpu:.2f} s)"
        return f"{self.wall:.2f} s{cpu}, {self.peak:.0f} MB"


def measure(command, folder, text=None):
    """Runs a command."""
    begin = time.monotonic()
    process = subprocess.Popen(
        [str(word) for word in command], cwd=folder, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    if text:
        process.stdin.write(text)
    process.stdin.close()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command}: {output[-2000:]}")
    return Took(time.monotonic() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output)


def equal(one, other):
    """Compares two books in a process of its own: what this one holds would count as memory of those it starts."""
    if filecmp.cmp(one, other, False):
        return "same bytes"
    text = subprocess.run(
        ["bash", "-c", 'cmp -s <(tr -d "\\r" < "$0") <(tr -d "\\r" < "$1")', one, other], check=False)
    return "same but for line ends" if text.returncode == 0 else "DIFFERENT"


def write_random_games(path, count):
    """Games of 25 random moves, the same for the same count."""
    import cshogi
    lots = random.Random(1)
    with open(path, "w", encoding="ascii") as out:
        for _ in range(count):
            board, words = cshogi.Board(), []
            for _ in range(25):
                moves = list(board.legal_moves)
                if not moves:
                    break
                move = lots.choice(moves)
                words.append(cshogi.move_to_usi(move))
                board.push(move)
            out.write(f"startpos moves {' '.join(words)}\n")


def main():
    parser = argparse.ArgumentParser()
    for name in ["tsumugi", "scripts_root", "yaneuraou", "folder"]:
        parser.add_argument(name, type=lambda text: Path(text).resolve())
    parser.add_argument("--positions", type=int, default=3_000_000)
    parser.add_argument("--scripts", type=int, default=300_000)
    parser.add_argument("--games", type=Path, action="append", default=[])
    parser.add_argument("--random-games", type=int, default=0)
    parser.add_argument("--skip-scripts", action="store_true")
    parser.add_argument("--fast", action="store_true", help="compare with peta_shock's `fast`, too")
    args = parser.parse_args()
    folder = args.folder
    folder.mkdir(parents=True, exist_ok=True)
    book = [args.tsumugi, "book"]
    rows = []

    def ours(*words, times=1):
        """Runs our program; of several times the median by the clock, as one takes only a second."""
        took = []
        for _ in range(times):
            # Taking an old result away takes time that has nothing to do with the work.
            for name in RESULTS.intersection(str(word) for word in words[2:]):
                (folder / name).unlink(missing_ok=True)
            took.append(measure([*book, *words], folder))
        return sorted(took, key=lambda one: one.wall)[times // 2]

    def row(work, size, mine, theirs, result, sizes=""):
        ratio = f"{theirs.wall / mine.wall:.1f}x"
        if mine.cpu and theirs.cpu:
            ratio += f" ({theirs.cpu / mine.cpu:.1f}x)"
        rows.append((work, size, sizes, mine, theirs, ratio, result))
        print(f"{work}: {sizes}, ours {mine}, peer {theirs}, {ratio}, {result}", flush=True)

    for name, seed, size in [("s1.db", 1, args.scripts), ("s2.db", 2, args.scripts), ("big.db", 1, args.positions)]:
        if not (folder / name).exists():
            print(ours("synth", name, "--seed", seed, "--positions", size).output.strip(), flush=True)

    def script(name, *words):
        for old in PEER_RESULTS:
            (folder / old).unlink(missing_ok=True)
        return measure([sys.executable, args.scripts_root / "makebook" / name, *words], folder)

    def beside(work, size, inputs, mine, name, *words):
        """A row: our command, the script of a name and its words, of which the last file named is its result."""
        took = ours(*mine, times=5)
        theirs = script(name, *words)
        written = next(word for word in words if word in PEER_RESULTS)
        result = folder / written.replace("p.", "o.")
        megabytes = lambda paths: sum((folder / path).stat().st_size for path in paths) / 1e6
        sizes = f"{megabytes(inputs):.0f} to {megabytes([result]):.0f} MB"
        row(work, size, took, theirs, equal(result, folder / written), sizes)

    if not args.skip_scripts:
        count = args.scripts
        beside("sort", count, ["s1.db"], ("sort", "s1.db", "o.db"), "sort.py", "s1.db", "p.db")
        beside("merge", count, ["s1.db", "s2.db"], ("merge", "s1.db", "s2.db", "o.db"),
               "merge.py", "s1.db", "s2.db", "p.db")
        ours("sort", "s1.db", "sorted.db")
        beside(".db to .ybb", count, ["sorted.db"], ("convert", "sorted.db", "o.ybb"),
               "convert_db_to_ybb.py", "sorted.db", "p.ybb")
        os.replace(folder / "o.ybb", folder / "converted.ybb")
        beside(".ybb to .db", count, ["converted.ybb"], ("convert", "converted.ybb", "o.db", "--eol", "lf"),
               "convert_ybb_to_db.py", "converted.ybb", "p.db")
        games = [path.resolve() for path in args.games]
        if args.random_games:
            games.append(folder / f"random{args.random_games}.sfen")
            if not games[-1].exists():
                write_random_games(games[-1], args.random_games)
        for path in games:
            lines = sum(1 for _ in open(path, encoding="ascii"))
            beside(f"from_sfen, {path.name}", lines, [path], ("import", path, "-o", "o.db", "--moves", "24"),
                   "from_sfen.py", path, "p.db", "--moves", "24")

    # Our own on the large book.
    for words in [("sort", "big.db", "bigsorted.db"), ("sort", "big.db", "o.db", "--memory", "256M"),
                  ("merge", "big.db", "s2.db", "o.db"), ("convert", "bigsorted.db", "big.ybb"),
                  ("convert", "big.ybb", "o.db")]:
        took = ours(*words)
        print(f"ours, {args.positions} positions: {' '.join(words)}: {took}, "
              f"{took.peak * 1048576 / args.positions:.0f} bytes/position", flush=True)

    yaneuraou = lambda text: measure([args.yaneuraou], folder, text)
    setup = f"setoption name BookDir value {folder}\nsetoption name USI_Hash value 16\nsetoption name Threads value 2\n"
    mine = ours("minmax", "big.db", "o.db")
    theirs = yaneuraou(f"{setup}makebook peta_shock big.db p.db\nquit\n")
    row("min-max (peta_shock)", args.positions, mine, theirs, equal(folder / "o.db", folder / "p.db"))
    if args.fast:
        theirs = yaneuraou(f"{setup}makebook peta_shock big.db p.db fast\nquit\n")
        row("min-max (peta_shock fast)", args.positions, mine, theirs, equal(folder / "o.db", folder / "p.db"))

    (folder / "user_book1.db").unlink(missing_ok=True)
    os.link(folder / "bigsorted.db", folder / "user_book1.db")
    load = setup + "setoption name BookFile value user_book1.db\n"
    for name, extra, flag in [("load into memory", "", []),
                              ("on the fly", "setoption name BookOnTheFly value true\n", ["--on-the-fly"])]:
        # The peer does one command after the other, so its process with a book less that without is the loading. Ours
        # loads beside the input and tells its time itself.
        probe = "isready\nposition startpos\ngo depth 1\nquit\n"
        without = min(yaneuraou(setup + "setoption name BookFile value no_book\n" + probe).wall for _ in range(3))
        theirs = yaneuraou(load + extra + probe)
        mine = ours("probe", "bigsorted.db", *flag, "--bench", "1")
        seconds = float(mine.output.split("first probe: ")[1].split()[0]) / 1000
        peer = Took(max(theirs.wall - without, 1e-4), None, theirs.peak)
        row(f"{name}, first probe", args.positions, Took(seconds, None, mine.peak), peer, "-")
    print(ours("probe", "bigsorted.db", "--on-the-fly", "--bench", "1000000").output, flush=True)

    print("\nTimes by the clock, in brackets of processors.\n")
    print("| work | positions | files | ours | peer | faster | result |\n|---|---|---|---|---|---|---|")
    for work, size, sizes, mine, theirs, ratio, result in rows:
        print(f"| {work} | {size:,} | {sizes} | {mine} | {theirs} | {ratio} | {result} |")


if __name__ == "__main__":
    main()
