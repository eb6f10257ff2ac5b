#!/usr/bin/env python3
"""Compares the cost of a node between engines, in one run.

    tools/kernel_speed.py --option EvalDir=DIR --option FV_SCALE=24 target/release/tsumugi /path/to/YaneuraOu

Each engine in turn searches four positions, several times; what counts is nodes per second of processor time by the
process's own account, which a busy machine disturbs less than the clock on the wall. The last engine is the measure
of the others. With --instructions, valgrind counts instructions per node instead: a short run is subtracted from a
long one, so that starting up does not count.
"""
import argparse
import re
import statistics
import subprocess

from usi_engine import UsiEngine

POSITIONS = [
    "startpos",
    "sfen 8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "sfen 1+P3g1ns/4g1k2/l1pp1p1pp/4p1p2/5P3/4S2+B1/P3PGPPP/2+s3SK1/L+r5NL b G2NLPrb3p 71",
    "sfen l4+R2l/5bk2/2np2s+P1/pppNpG2p/3n1p1P1/PP4PpP/2PP1P1S1/1K3+p3/L+r4SNL w BG2SP2gp 1",
]


class Engine(UsiEngine):
    def search(self, nodes):
        """Nodes searched in all positions."""
        total = 0
        for position in POSITIONS:
            self.send("position " + position)
            answers = self.ask(f"go nodes {nodes}", "bestmove")
            words = [answer for answer in answers if answer.startswith("info") and " nodes " in answer][-1].split()
            total += int(words[words.index("nodes") + 1])
        return total

    def seconds(self):
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            return int(file.read().rsplit(")", 1)[1].split()[11]) / 100

    def speed(self, nodes):
        self.send("usinewgame")
        self.ask("isready", "readyok")
        before = self.seconds()
        searched = self.search(nodes)
        return searched / max(self.seconds() - before, 0.01)



def instructions(path, options, nodes):
    """Nodes searched and instructions executed."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", path]
    engine = Engine(command, options, subprocess.PIPE)
    searched = engine.search(nodes)
    counted = re.search(r"Collected : (\d+)", engine.quit())
    if not counted:
        raise SystemExit("error: valgrind counted nothing")
    return searched, int(counted.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engines", nargs="+", metavar="ENGINE")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="sent to all engines")
    parser.add_argument("--nodes", type=int, default=250_000, help="for each position (%(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="(%(default)s)")
    parser.add_argument("--instructions", action="store_true", help="count instructions with valgrind")
    args = parser.parse_args()
    options = ["Threads=1", "USI_Hash=64", "BookFile=no_book", *args.option]
    if args.instructions:
        costs = []
        for path in args.engines:
            few, many = (instructions(path, options, nodes) for nodes in (2_000, 40_000))
            costs.append((many[1] - few[1]) / (many[0] - few[0]))
        for path, cost in zip(args.engines, costs):
            print(f"{path}: {cost:,.0f} instructions per node, {cost / costs[-1]:.3f} of the last")
        return
    engines = [Engine([path], options) for path in args.engines]
    speeds = [[] for _ in engines]
    for _ in range(args.rounds):
        for engine, found in zip(engines, speeds):
            found.append(engine.speed(args.nodes))
    for engine in engines:
        engine.quit()
    medians = [statistics.median(found) for found in speeds]
    for path, found, median in zip(args.engines, speeds, medians):
        spread = f"{min(found):,.0f} to {max(found):,.0f}"
        print(f"{path}: {median:,.0f} nodes per processor second ({spread}), {median / medians[-1]:.3f} of the last")


if __name__ == "__main__":
    main()
