#!/usr/bin/env python3
"""Plays the ladder of levels, each step against the next, and says how far they are apart: run by hand.

    cargo build --release -p tsumugi
    cargo build --release -p tsumugi-usi --example random_capture --example level_chart
    tools/level_ladder.py target/release/tsumugi --games 200 --random target/release/examples/random_capture -o ladder
    tools/level_ladder.py target/release/tsumugi --games 200 -o ladder --steps 4d 5d 6d
    target/release/examples/level_chart docs/pictures/levels.svg < ladder/ladder.tsv

The games of a pair are a run of `tsumugi match` in a folder of its own (ladder/15k-14k): what was played is not played again.
ladder.tsv has a line for each pair: levels, games, wins of the stronger one, draws, losses, Elo, half the interval of 95 %
(as `match` prints them). Games that reach --max-moves are drawn.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

STEPS = [f"{kyu}k" for kyu in range(15, 0, -1)] + [f"{dan}d" for dan in range(1, 10)]
ROW = r"^%s\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+[\d.]+%%\s+([+-][\d.]+)\s*±\s*([\d.]+)"


def engine(args, step):
    if step == "random":
        return ["name=random", f"cmd={args.random}"]
    options = [f"option.USI_Level={step}", "option.USI_Hash=1", "option.BookFile=no_book", "threads=1"]
    return [f"name={step}", f"cmd={args.program}", *options]


def play(args, weaker, stronger):
    """The games of the stronger, its wins, draws, losses, Elo and half the interval."""
    out = args.output / f"{weaker}-{stronger}"
    command = [args.program, "match", "--engine", *engine(args, weaker), "--engine", *engine(args, stronger)]
    command += ["--each", "nodes=10000000", "--games", str(args.games), "--max-moves", str(args.max_moves)]
    command += ["--concurrency", str(args.concurrency), "--seed", "5", "--out", str(out)]
    if args.openings:
        command += ["--openings", str(args.openings), "--opening-ply", "12", "--shuffle"]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{weaker}-{stronger}: {run.stderr.strip()}")
    found = re.findall(ROW % re.escape(stronger), run.stdout + run.stderr, re.M)
    if not found:
        sys.exit(f"{weaker}-{stronger}: no result in the output of match:\n{run.stdout}")
    return found[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--random", help="the engine that captures at random, below the first step")
    parser.add_argument("--openings", type=Path)
    parser.add_argument("--max-moves", type=int, default=400)
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--steps", nargs="+", default=STEPS, choices=STEPS, metavar="STEP")
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)
    steps = (["random"] if args.random else []) + args.steps
    file = args.output / "ladder.tsv"
    lines = dict(line.split("\t", 1) for line in file.read_text().splitlines()) if file.exists() else {}
    for weaker, stronger in zip(steps, steps[1:]):
        result = play(args, weaker, stronger)
        print(weaker, stronger, *result, sep="\t", flush=True)
        lines[weaker] = "\t".join([stronger, *result])
        order = [step for step in ["random", *STEPS] if step in lines]
        file.write_text("".join(f"{step}\t{lines[step]}\n" for step in order))


main()
