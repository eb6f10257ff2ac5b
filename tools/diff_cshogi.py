#!/usr/bin/env python3
"""Compares Tsumugi's legal moves with cshogi's over random games.

    pip install cshogi
    tools/diff_cshogi.py --positions 200000 -- target/release/tsumugi

Random games are played by cshogi; for each position the console is asked for `moves`, and the two sets must be
equal. Games start from the even and the handicap positions, so that hands, promotions and bare kings all occur.
With --sample FILE the first positions are also written as JSON lines for the tests (see testdata/movegen).
"""
import argparse
import json
import random
import subprocess
import sys

import cshogi

STARTS = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RBGSNLPrbgsnlp 1",
]


def games(seed, plies):
    """Endless random positions with cshogi's legal moves."""
    rng = random.Random(seed)
    board = cshogi.Board()
    while True:
        board.set_sfen(rng.choice(STARTS))
        for _ in range(plies):
            moves = list(board.legal_moves)
            yield board.sfen(), sorted(cshogi.move_to_usi(m) for m in moves)
            if not moves:
                break
            board.push(rng.choice(moves))


def ask(engine, sfens):
    """The console's answer for each position."""
    script = "".join(f"position sfen {sfen}\nmoves\n" for sfen in sfens) + "quit\n"
    answer = subprocess.run(engine, input=script, capture_output=True, text=True, check=True).stdout.split("\n")
    return [sorted(line.split()) for line in answer[: len(sfens)]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=300, help="longest game")
    parser.add_argument("--sample", metavar="FILE", help="write every N-th position for the tests")
    parser.add_argument("--every", type=int, default=1000, metavar="N")
    parser.add_argument("engine", nargs="+", help="command of the console")
    args = parser.parse_args()

    source = games(args.seed, args.plies)
    sample = open(args.sample, "w", encoding="ascii") if args.sample else None
    done = wrong = moves = 0
    while done < args.positions:
        batch = [next(source) for _ in range(min(5000, args.positions - done))]
        for (sfen, expected), found in zip(batch, ask(args.engine, [sfen for sfen, _ in batch]), strict=True):
            if found != expected:
                wrong += 1
                print(f"DIFFERENT {sfen}\n  only cshogi: {sorted(set(expected) - set(found))}"
                      f"\n  only ours:   {sorted(set(found) - set(expected))}")
            if sample and done % args.every == 0:
                sample.write(json.dumps({"sfen": sfen, "moves": " ".join(expected)}) + "\n")
            done += 1
            moves += len(expected)
        print(f"\r{done} positions, {moves} moves, {wrong} different", end="", file=sys.stderr)
    print(f"\n{done} positions, {moves} moves, {wrong} different")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
