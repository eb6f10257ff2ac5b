#!/usr/bin/env python3
"""How long `stop` takes during `go mate`.

    tools/mate_stop.py ENGINE --hash 1024 --times 20 --sfen SFEN

Starts `go mate infinite`, says `stop` after random times up to --longest seconds, and measures until `checkmate`. With a hard
problem, a small and a large table, these moments fall into searching, growing, collecting and clearing. Prints the largest
and the median latency, as the clock on the wall shows them.
"""

import argparse
import random
import statistics
import subprocess
import time


class Engine:
    def __init__(self, path, options):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.say("usi")
        self.wait_for("usiok")
        for option in options:
            self.say(f"setoption {option}")
        self.say("isready")
        self.wait_for("readyok")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait_for(self, word):
        for line in self.process.stdout:
            if line.startswith(word):
                return line.strip()
        raise SystemExit("the engine has ended")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--hash", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--longest", type=float, default=6.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sfen", required=True)
    args = parser.parse_args()
    dice = random.Random(args.seed)
    engine = Engine(args.engine, [f"name USI_Hash value {args.hash}", f"name Threads value {args.threads}"])
    latencies = []
    for _ in range(args.times):
        engine.say(f"position sfen {args.sfen}")
        engine.say("go mate infinite")
        time.sleep(dice.uniform(0, args.longest))
        start = time.monotonic()
        engine.say("stop")
        engine.wait_for("checkmate")
        latencies.append(1000 * (time.monotonic() - start))
    engine.say("quit")
    engine.process.wait(timeout=30)
    shown = ", ".join(f"{latency:.0f}" for latency in sorted(latencies)[-5:])
    print(f"{len(latencies)} stops: median {statistics.median(latencies):.1f} ms, longest {shown} ms")


if __name__ == "__main__":
    main()
