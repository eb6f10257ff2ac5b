#!/usr/bin/env python3
"""Games per second of `tsumugi match` and of cshogi.cli with the same engine, in turns, on one core.

    cargo build --release -p tsumugi -p tsumugi-arena
    tools/arena_overhead.py target/release/tsumugi target/release/faulty_engine

The engine answers at once and always the same, so the games are the same and what is left is the cost of the
referee. cshogi.cli has no `go nodes`; the engine does not look at limits. It starts the engines anew for each game
unless told to keep them; both ways are measured. Besides the wall clock, the CPU time of all processes together is
counted, which a busy machine disturbs less. Needs `pip install cshogi`.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

PEER = """
import sys
from cshogi import cli
engine, games, keep = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "keep"
cli.main(engine, engine, names=["A", "B"], games=games, byoyomi=1000, draw=256, keep_process=keep, print_summary=False)
"""


def measure(command, games):
    """Games per second by the wall clock and by CPU time, children of children included."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return games / wall, games / cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("tsumugi")
    parser.add_argument("engine")
    args = parser.parse_args()
    program, engine = map(os.path.abspath, (args.tsumugi, args.engine))
    os.sched_setaffinity(0, {args.core})  # children inherit it
    kinds = {"tsumugi match": [], "cshogi.cli, engines kept": [], "cshogi.cli as it comes": []}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.rounds):
            ours = [program, "match", "--each", f"cmd={engine}", "nodes=1", "--engine", "name=A", "--engine", "name=B"]
            ours += ["--games", str(args.games), "--max-moves", "256", "--records", "none"]
            peer = [sys.executable, "-c", PEER, engine, str(args.games)]
            commands = [ours + ["--out", f"{folder}/{number}"], peer + ["keep"], peer + ["fresh"]]
            for results, command in zip(kinds.values(), commands):
                results.append(measure(command, args.games))
    ours = [statistics.median(column) for column in zip(*kinds["tsumugi match"])]
    print("| | games/s | games per CPU second | tsumugi is so much quicker |\n|---|--:|--:|--:|")
    for name, results in kinds.items():
        wall, cpu = (statistics.median(column) for column in zip(*results))
        print(f"| {name} | {wall:.1f} | {cpu:.1f} | {ours[0] / wall:.2f}, by CPU time {ours[1] / cpu:.2f} |")


if __name__ == "__main__":
    main()
