#!/usr/bin/env python3
"""Counts the same trees with Tsumugi and with other programs, in turns, and prints the ratios as Markdown.

    tools/compare_peers.py --peer yaneuraou=/path/to/engine --peer-make yaneuraou=/path/to/engine-making-leaves

A peer is any USI engine with `go perft`. `--peer` engines count the last ply by the length of its move list, as
`tsumugi perft` does; `--peer-make` engines play and take back the last moves as well, as `tsumugi perft --make`
does. User CPU time of the whole process is measured, less that of starting it; each program's best run counts, and
programs take turns so that a busy minute hits all of them. Every count is checked.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SFEN = {
    "startpos": "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "matsuri": "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "maxmoves": "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
}


@dataclasses.dataclass(frozen=True)
class Case:
    """A tree, and how often to count it so that the time is worth measuring."""

    position: str
    depth: int
    nodes: int
    repeats: int


LIST_CASES = [
    Case("startpos", 6, 547581517, 1),
    Case("matsuri", 4, 516925165, 1),
    Case("maxmoves", 3, 53393368, 5),
]
MAKE_CASES = [
    Case("startpos", 5, 19861490, 1),
    Case("matsuri", 3, 4809015, 4),
]


def user_seconds(command, text, core):
    """Runs a command and returns its user CPU time and its output."""
    pin = (lambda: os.sched_setaffinity(0, {core})) if core is not None else None
    with tempfile.TemporaryFile("w+") as source, tempfile.TemporaryFile("w+") as output:
        source.write(text)
        source.seek(0)
        process = subprocess.Popen(command, stdin=source, stdout=output, stderr=subprocess.DEVNULL, preexec_fn=pin)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        if process.returncode != 0:
            sys.exit(f"{command[0]} failed with status {process.returncode}")
        return usage.ru_utime, output.read()


class Program:
    """A program to measure; `run` counts a case `repeats` times, or only starts and ends."""

    def __init__(self, name, path, core):
        self.name, self.path, self.core = name, path, core
        if not os.access(path, os.X_OK):
            sys.exit(f"{name}: {path} is not a program")
        self.start_up = None

    def seconds(self, case):
        """Of one count, start-up subtracted."""
        if self.start_up is None:
            self.start_up = min(self.run(case, 0) for _ in range(5))
        return max(self.run(case, case.repeats) - self.start_up, 1e-9) / case.repeats

    def check(self, case, output, times):
        counts = [int(count) for count in re.findall(r"^Nodes searched: (\d+)", output, re.MULTILINE)]
        if counts != [case.nodes] * times:
            sys.exit(f"{self.name}: {case.position} depth {case.depth} should be {case.nodes}, found {counts}")


class Peer(Program):
    def run(self, case, repeats):
        lines = [
            "setoption name Threads value 1",
            "setoption name USI_Hash value 16",
            "isready",
            f"position sfen {SFEN[case.position]}",
            *[f"go perft {case.depth}"] * repeats,
            "quit",
        ]
        seconds, output = user_seconds([self.path], "\n".join(lines) + "\n", self.core)
        self.check(case, output, repeats)
        return seconds


class Ours(Program):
    def __init__(self, path, core, *flags):
        super().__init__("tsumugi", path, core)
        self.flags = flags

    def run(self, case, repeats):
        depth = case.depth if repeats else 0
        command = [self.path, "perft", *self.flags, "--sfen", SFEN[case.position], str(depth)]
        total = 0.0
        for _ in range(max(repeats, 1)):
            seconds, output = user_seconds(command, "", self.core)
            if repeats:
                self.check(case, output, 1)
            total += seconds
        return total

    def seconds(self, case):
        if self.start_up is None:
            self.start_up = min(self.run(case, 0) for _ in range(5))
        # Each repeat is a process of its own.
        return max(self.run(case, case.repeats) / case.repeats - self.start_up, 1e-9)


def compare(title, cases, programs, runs):
    ours, peers = programs[0], programs[1:]
    print(f"\n### {title}\n")
    speeds = "".join(f" {program.name} Mn/s |" for program in programs)
    ratios = "".join(f" tsumugi / {peer.name} |" for peer in peers)
    print(f"| position | depth | nodes |{speeds}{ratios}")
    print("|---|---|---|" + "---|" * (len(programs) + len(peers)))
    for case in cases:
        best = {}
        for _ in range(runs):
            for program in programs:
                best[program] = min(program.seconds(case), best.get(program, float("inf")))
        row = "".join(f" {case.nodes / best[program] / 1e6:.1f} |" for program in programs)
        row += "".join(f" {best[peer] / best[ours]:.2f} |" for peer in peers)
        print(f"| {case.position} | {case.depth} | {case.nodes} |{row}", flush=True)


def named_path(text):
    name, separator, path = text.partition("=")
    if not (name and separator and path):
        raise argparse.ArgumentTypeError(f"expected NAME=PATH, found {text!r}")
    return name, path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", default=str(ROOT / "target/release/tsumugi"), help="the binary (default: %(default)s)")
    parser.add_argument("--peer", type=named_path, action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--peer-make", type=named_path, action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--runs", type=int, default=5, help="runs of each program (default: %(default)s)")
    parser.add_argument("--core", type=int, help="pin every program to this CPU core")
    args = parser.parse_args()
    if args.runs < 1:
        parser.error("--runs must be at least 1")

    def programs(peers, *flags):
        return [Ours(args.ours, args.core, *flags), *(Peer(name, path, args.core) for name, path in peers)]

    print(f"Best of {args.runs}, user CPU time, load {' '.join(f'{load:.1f}' for load in os.getloadavg())}")
    compare("Move list at the last ply", LIST_CASES, programs(args.peer), args.runs)
    compare("Last moves played and taken back", MAKE_CASES, programs(args.peer_make, "--make"), args.runs)


if __name__ == "__main__":
    main()
