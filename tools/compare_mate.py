#!/usr/bin/env python3
"""Solve the same mates with two USI engines, one after the other on each problem, and compare.

    tools/compare_mate.py problems.jsonl --ours target/release/tsumugi --peer KomoringHeights-by-gcc

Each problem gets a fresh table (`isready`, `usinewgame`), the same memory, one thread, and stops at the first proof
(`PostSearchLevel None`). Times, and the limit --seconds, are CPU seconds of the engine between `go` and its answer, since
the clock on the wall is shared with others. Every line is replayed with cshogi (pip install cshogi): legal, every other move a check, mate at the
end; a verdict that contradicts the file is an error. The result is the geometric mean of ours / peer over the problems
that both solve; times below --floor count as --floor.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import threading
import time

import cshogi


class Engine:
    def __init__(self, command, options):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send("usi")
        self.wait("usiok")
        for option in options:
            self.send(f"setoption {option}")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, word):
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the engine has died")
            if line.startswith(word):
                return line.strip()

    def cpu(self):
        """CPU seconds of all threads, to the nanosecond."""
        total = 0
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{task}/schedstat") as file:
                total += int(file.read().split()[0])
        return total / 1e9

    def solve(self, sfen, seconds):
        # The new game first: clearing tables must not count, and KomoringHeights forgets the position at `isready`.
        self.send("usinewgame")
        self.send("isready")
        self.wait("readyok")
        self.send(f"position sfen {sfen}")
        before, start = self.cpu(), time.time()
        self.send("go mate infinite")
        answered = threading.Event()
        guard = threading.Thread(target=self.stop_after, args=(before + seconds, answered))
        guard.start()
        words = self.wait("checkmate").split()[1:]
        cpu, wall = self.cpu() - before, time.time() - start
        answered.set()
        guard.join()
        return words, cpu, wall

    def stop_after(self, cpu, answered):
        """Stops the search when the engine has used so much."""
        while not answered.wait(0.05):
            if self.cpu() > cpu:
                self.send("stop")
                return


def fault(problem, words):
    """What is wrong with an answer, if anything."""
    if words == ["timeout"]:
        return None
    if words == ["nomate"]:
        return None if problem["result"] == "nomate" else "says nomate, but there is a mate"
    if problem["result"] != "mate":
        return "claims a mate where there is none"
    board = cshogi.Board(sfen=problem["sfen"])
    for ply, word in enumerate(words):
        move = board.move_from_usi(word)
        if not board.is_legal(move):
            return f"{word} is not legal"
        board.push(move)
        # Looked at afresh: cshogi works checks out from the last move, which goes wrong if the side not to move was in
        # check in the diagram.
        seen = cshogi.Board(sfen=board.sfen())
        if ply % 2 == 0 and not seen.is_check():
            return f"{word} is no check"
    return None if seen.is_game_over() and seen.is_check() else "the line does not end in mate"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems")
    parser.add_argument("--ours", default="target/release/tsumugi")
    parser.add_argument("--peer", help="KomoringHeights; without it only our answers are checked")
    parser.add_argument("--seconds", type=float, default=10, help="of CPU time")
    parser.add_argument("--hash", type=int, default=1024)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--level", default="None", help="PostSearchLevel of both")
    parser.add_argument("--floor", type=float, default=0.001)
    parser.add_argument("--only", default="", help="part of the problems' names")
    parser.add_argument("--budget", type=float, default=1e9, help="stop after so many seconds")
    parser.add_argument("--json", help="where to write the rows")
    args = parser.parse_args()

    options = [f"name USI_Hash value {args.hash}", f"name Threads value {args.threads}", f"name PostSearchLevel value {args.level}"]
    ours = Engine([args.ours], options)
    peer = None
    if args.peer:
        peer = Engine([args.peer], options + ["name PvInterval value 0", "name RootIsAndNodeIfChecked value false"])
    rows, errors, start = [], [], time.time()
    for line in open(args.problems):
        problem = json.loads(line)
        if problem["rule"] != "tsume" or args.only not in problem["id"] or time.time() - start > args.budget:
            continue
        row = {"id": problem["id"]}
        for name, engine in (("ours", ours), ("peer", peer)):
            if engine is None:
                continue
            words, cpu, wall = engine.solve(problem["sfen"], args.seconds)
            row[name] = {"cpu": round(cpu, 4), "wall": round(wall, 4), "answer": " ".join(words)}
            row[name]["solved"] = words != ["timeout"]
            error = fault(problem, words)
            strict = problem.get("strict_len")
            if name == "ours" and args.level == "MinLength" and error is None and row[name]["solved"]:
                row[name]["length_matches"] = strict is None or problem["result"] == "nomate" or len(words) == strict
            if error:
                errors.append(f"{name}: {problem['id']}: {error}")
        rows.append(row)
        if args.json:
            json.dump(rows, open(args.json, "w"), indent=1)
    print(f"{len(rows)} problems, {args.seconds:g} CPU s each, {args.hash} MB, {args.threads} thread(s), level {args.level}")
    print(f"ours solved {sum(row['ours']['solved'] for row in rows)}")
    if args.level == "MinLength":
        wrong = [row["id"] for row in rows if row["ours"].get("length_matches") is False]
        print(f"lengths other than the file's exact ones: {len(wrong)} {wrong}")
    if peer:
        both = [row for row in rows if row["ours"]["solved"] and row["peer"]["solved"]]
        print(f"peer solved {sum(row['peer']['solved'] for row in rows)}, both {len(both)}")
        for least in (0, 0.05, 0.5):
            some = [row for row in both if row["peer"]["cpu"] >= least]
            if some:
                logs = [math.log(max(row["ours"]["cpu"], args.floor) / max(row["peer"]["cpu"], args.floor)) for row in some]
                mean = math.exp(sum(logs) / len(logs))
                print(f"geometric mean of CPU time ours / peer: {mean:.3f} ({len(some)} problems of {least} s or more by the peer)")
        print("solved by the peer only:", [row["id"] for row in rows if row["peer"]["solved"] and not row["ours"]["solved"]])
        print("solved by us only:", [row["id"] for row in rows if row["ours"]["solved"] and not row["peer"]["solved"]])
    print("errors:", errors or "none")
    return 1 if any(error.startswith("ours") for error in errors) else 0


if __name__ == "__main__":
    sys.exit(main())
