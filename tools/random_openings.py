#!/usr/bin/env python3
"""Random openings of a variant, one `startpos moves …` to a line, for `tsumugi match --openings`.

    tools/random_openings.py target/release/tsumugi minishogi --count 100 --plies 4 > openings.txt
"""

import argparse
import random
import subprocess
import sys


class Console:
    """The program's console, asked for legal moves."""

    def __init__(self, program, variant, path):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if path:
            self.say(f"setoption name VariantPath value {path}")
        self.say(f"setoption name USI_Variant value {variant}")

    def say(self, line):
        print(line, file=self.process.stdin, flush=True)

    def moves(self, played):
        self.say("position startpos" + (" moves " + " ".join(played) if played else ""))
        self.say("moves")
        while (line := self.process.stdout.readline()).startswith("info string"):
            pass
        return line.split()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("variant")
    parser.add_argument("--variant-path")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--plies", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    dice = random.Random(args.seed)
    console = Console(args.program, args.variant, args.variant_path)
    found = set()
    for _ in range(args.count * 50):
        if len(found) == args.count:
            break
        played = []
        while len(played) < args.plies and (moves := console.moves(played)):
            played.append(dice.choice(moves))
        # Openings that end the game, or that leave nothing to play, are none.
        if len(played) == args.plies and console.moves(played) and tuple(played) not in found:
            found.add(tuple(played))
            print("startpos moves " + " ".join(played))
    console.say("quit")
    if len(found) < args.count:
        sys.exit(f"only {len(found)} different openings found")


if __name__ == "__main__":
    main()
