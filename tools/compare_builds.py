#!/usr/bin/env python3
"""Compares builds of the program for several processors: processor time of perft, of perft that makes its leaves, and of a search.

    make build && cp target/release/tsumugi portable
    make build CPU=x86-64-v3 && cp target/release/tsumugi v3
    tools/compare_builds.py portable v3 target/release/tsumugi

The builds take turns, so that a busy machine is busy for all of them; a ratio above 1 is faster than the first one.
"""
import argparse
import os
import statistics
import subprocess

WORKS = {
    "perft 6": ["perft", "6"],
    "perft --make 5": ["perft", "--make", "5"],
    "search, 4 x 250,000 nodes": ["setoption", "name", "Threads", "value", "1", ",", "USI_Hash", "64", ",", "isready", ",", "bench", "64", "1", "250000", "default", "nodes",
                                  ",", "quit"],
}


def seconds(program, words):
    """Processor time of a run in user mode."""
    process = subprocess.Popen([program, *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"error: {program} {' '.join(words)}: ended with status {status}")
    return used.ru_utime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    parser.add_argument("--rounds", type=int, default=9, help="(%(default)s)")
    args = parser.parse_args()
    print("| work | program | least | median | ratio of medians |\n|---|---|---|---|---|")
    for work, words in WORKS.items():
        found = {program: [] for program in args.programs}
        for _ in range(args.rounds):
            for program, times in found.items():
                times.append(seconds(os.path.abspath(program), words))
        first = statistics.median(found[args.programs[0]])
        for program, times in found.items():
            median = statistics.median(times)
            print(f"| {work} | {program} | {min(times):.3f} s | {median:.3f} s | {first / median:.3f} |", flush=True)


if __name__ == "__main__":
    main()
