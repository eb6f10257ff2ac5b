#!/usr/bin/env python3
"""Writes counts of moves by Fairy-Stockfish for the sections of an ini file (`testdata/fairy/odd.txt`).

    tools/make_variant_counts.py path/to/fairy-stockfish testdata/fairy/odd.ini > testdata/fairy/odd.txt

A line is `SECTION | MOVES | COUNTS`: a random game from the start, and perft 1, 2, … behind it. Sections must not rely on
the rule against pawn-drop mates, which Fairy-Stockfish's perft does not know.
"""

import argparse
import random
import re
import subprocess


class Peer:
    def __init__(self, program, ini):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask(f"usi\nsetoption name Use_NNUE value false\nsetoption name VariantPath value {ini}\nisready", "readyok")

    def ask(self, lines, until):
        print(lines, file=self.process.stdin, flush=True)
        said = []
        for line in self.process.stdout:
            said.append(line.rstrip())
            if line.startswith(until):
                return said
        raise SystemExit("Fairy-Stockfish has ended")

    def divide(self, moves, depth):
        said = self.ask(f"position startpos moves {' '.join(moves)}\ngo perft {depth}", "Nodes searched")
        found = (re.fullmatch(r"(\S+): (\d+)", line) for line in said)
        return {m[1]: int(m[2]) for m in found if m}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("ini")
    arguments.add_argument("--games", type=int, default=4)
    arguments.add_argument("--plies", type=int, default=24)
    arguments.add_argument("--most", type=int, default=20_000, help="no larger counts")
    options = arguments.parse_args()
    chance = random.Random(1)
    peer = Peer(options.program, options.ini)
    with open(options.ini, encoding="utf-8") as file:
        names = re.findall(r"^\[([^:\]]+)", file.read(), re.M)
    for name in names:
        peer.ask(f"setoption name USI_Variant value {name}\nisready", "readyok")
        for game in range(options.games):
            moves = []
            while game > 0 and len(moves) < options.plies:
                legal = sorted(peer.divide(moves, 1))
                if not legal:
                    break
                moves.append(chance.choice(legal))
            counts = []
            while len(counts) < 5 and (not counts or 0 < counts[-1] * counts[0] <= options.most):
                counts.append(sum(peer.divide(moves, len(counts) + 1).values()))
            print(f"{name} | {' '.join(moves)} | {' '.join(map(str, counts))}")


main()
