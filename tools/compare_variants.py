#!/usr/bin/env python3
"""Perft and search speed of variants against Fairy-Stockfish, in one run.

    tools/compare_variants.py target/release/tsumugi path/to/fairy-stockfish --nodes 600000

Speeds are by user CPU time, less that of the same session without the work, the best of some rounds in turn:
machines are noisy. Both use one thread, 64 MB and no net. Fairy-Stockfish must be a largeboards build.
"""

import argparse
import os
import re
import subprocess
import tempfile

# Our variant, theirs, depth of perft, a position of the play phase if not the start.
CASES = [
    ("minishogi", "minishogi", 7, None),
    ("torishogi", "torishogi", 6, None),
    ("okisakishogi", "okisakishogi", 5, None),
    ("66shogi", "play66", 8, "rkgsnl/pppppp/6/6/PPPPPP/LNSGKB b - 13"),
]

# The play phase of 66shogi, which Fairy-Stockfish knows no setup for.
PLAY66 = """[play66:shogi]
maxRank = 6
maxFile = 6
startFen = rkgsnl/pppppp/6/6/PPPPPP/LNSGKB[-] w 0 1
promotionRegionWhite = *5 *6
promotionRegionBlack = *2 *1
"""


def ask(program, lines, until):
    """User time and output of a session up to a line that begins so."""
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    print("\n".join(lines), file=process.stdin, flush=True)
    said = []
    for line in process.stdout:
        said.append(line.rstrip())
        if line.startswith(until):
            break
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as stat:
        ticks = int(stat.read().rsplit(")", 1)[1].split()[11])
    print("quit", file=process.stdin, flush=True)
    process.communicate()
    return ticks / os.sysconf("SC_CLK_TCK"), said


def head(variant, ini, theirs, position):
    lines = ["usi", "setoption name Threads value 1", "setoption name USI_Hash value 64"]
    if theirs:
        lines += ["setoption name Use_NNUE value false", f"setoption name VariantPath value {ini}"]
    lines += [f"setoption name USI_Variant value {variant}", "isready", "usinewgame"]
    return lines + ["position " + (f"sfen {position}" if position else "startpos")]


def speed(program, start, little, much, until, pattern):
    base, _ = ask(program, start + [little], until)
    time, said = ask(program, start + [much], until)
    nodes = [int(n) for line in said for n in re.findall(pattern, line)][-1]
    return nodes / max(time - base, 0.01), nodes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tsumugi")
    parser.add_argument("fairy_stockfish")
    parser.add_argument("--nodes", type=int, default=600_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--work", choices=["perft", "search", "both"], default="both")
    args = parser.parse_args()
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as ini:
        ini.write(PLAY66)
        ini.flush()
        for ours, theirs, depth, position in CASES:
            for what, little, much, until, pattern in [
                (f"perft {depth}", "go perft 1", f"go perft {depth}", "Nodes searched", r"searched: (\d+)"),
                ("search", "go nodes 1000", f"go nodes {args.nodes}", "bestmove", r" nodes (\d+)"),
            ]:
                if args.work != "both" and not what.startswith(args.work):
                    continue
                best = [0, 0]
                counts = [0, 0]
                for _ in range(args.rounds):
                    for i, program in enumerate([args.tsumugi, args.fairy_stockfish]):
                        start = head([ours, theirs][i], ini.name, i == 1, position)
                        found, counts[i] = speed(program, start, little, much, until, pattern)
                        best[i] = max(best[i], found)
                same = "" if what == "search" or counts[0] == counts[1] else f" counts differ (pawn-drop mates): {counts}"
                ratio = best[0] / best[1]
                print(f"| {ours} | {what} | {best[0] / 1e6:.2f} | {best[1] / 1e6:.2f} | {ratio:.2f} |{same}", flush=True)


if __name__ == "__main__":
    main()
