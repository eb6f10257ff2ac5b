#!/usr/bin/env python3
"""How often engines find the known best move, in one run.

    tools/best_moves.py positions.jsonl --nodes 10000 'target/release/tsumugi' '/path/to/YaneuraOu EvalDir=DIR FV_SCALE=24'

An engine is its command and options, in one argument. Each line of the file has a `position` (as the USI command takes
it) or an `sfen`, and `bestmove`, one or a list; a `kind`, if there is one, gets a row of its own. Where lines have a
`gameResult` (0 draw, 1 Black won, 2 White won) scores are compared with it, too: how often their signs agree, and the
loss of the best logistic fit.
"""
import argparse
import collections
import json
import math
import shlex

from usi_engine import UsiEngine


class Engine(UsiEngine):
    def __init__(self, words):
        command, *options = shlex.split(words)
        super().__init__([command], ["Threads=1", "USI_Hash=64", "BookFile=no_book", *options])

    def solve(self, position, nodes):
        self.send("usinewgame")
        self.send("position " + position)
        *reports, answer = self.ask(f"go nodes {nodes}", "bestmove")
        scores = [score for score in map(score_of, reports) if score is not None]
        return answer.split()[1], scores[-1] if scores else None


def score_of(report):
    words = report.split()
    if "score" not in words or "upperbound" in words or "lowerbound" in words:
        return None
    kind, value = words[words.index("score") + 1:][:2]
    if kind == "cp":
        return int(value)
    return math.copysign(30000, -1 if value.startswith("-") else 1)


def loss(scored, scale):
    total = 0.0
    for score, won in scored:
        chance = 1 / (1 + math.exp(-max(-30, min(30, score / scale))))
        total -= won * math.log(max(chance, 1e-9)) + (1 - won) * math.log(max(1 - chance, 1e-9))
    return total / len(scored)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--nodes", type=int, default=10000)
    parser.add_argument("--show-missed", action="store_true", help="name every position that was not solved")
    parser.add_argument("engines", nargs="+")
    arguments = parser.parse_args()
    with open(arguments.file, encoding="utf-8") as lines:
        problems = [json.loads(line) for line in lines if line.strip()]
    for words in arguments.engines:
        engine = Engine(words)
        found, asked, scored = collections.Counter(), collections.Counter(), []
        for problem in problems:
            position = problem.get("position") or "sfen " + problem["sfen"]
            answers = problem["bestmove"]
            best, score = engine.solve(position, arguments.nodes)
            kind = problem.get("kind", "all")
            asked[kind] += 1
            right = best in ([answers] if isinstance(answers, str) else answers)
            found[kind] += right
            if arguments.show_missed and not right:
                print(f"  missed {kind}: {position}: {best}, not {answers}")
            if score is not None and problem.get("gameResult"):
                white = problem["sfen"].split()[1] == "w"
                scored.append((score, float((problem["gameResult"] == 2) == white)))
        engine.quit()
        total, all_found = sum(asked.values()), sum(found.values())
        error = 196 * math.sqrt(all_found * (total - all_found) / total ** 3)
        print(f"{words}\n  best moves {all_found} of {total}, {100 * all_found / total:.1f} % +- {error:.1f}")
        if len(asked) > 1:
            for kind, count in sorted(asked.items()):
                print(f"    {kind}: {found[kind]} of {count}")
        if scored:
            agree = sum((score > 0) == (won == 1.0) for score, won in scored) / len(scored)
            scale = min(range(100, 4000, 50), key=lambda scale: loss(scored, scale))
            print(f"  results: sign {100 * agree:.1f} %, loss {loss(scored, scale):.3f} at scale {scale}")


main()
