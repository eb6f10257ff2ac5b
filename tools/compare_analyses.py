#!/usr/bin/env python3
"""How far two analyses of the same games agree about bad moves: run by hand.

    tsumugi analyze games/ --nodes 50000 --lines 2 -o ours
    tsumugi analyze games/ --nodes 100000 --lines 1 --mate-nodes 0 --engine cmd=./YaneuraOu option.EvalDir=eval -o peer
    tools/compare_analyses.py ours/analysis.json peer/analysis.json

A move is judged by the values before and after it, as `analyze` does, so both engines judge the move that was played, not each other's
lines. A centipawn is not the same to every engine, so the comparison is made twice: with the values as they are, and with those of
the other multiplied by the ratio of the spreads of values within ±1,500.
With each count comes how many of those moves the other engine calls as bad, bad at all (a loss of 5 % or more), and not bad.
"""

import json
import math
import statistics
import sys

LIMITS = [("blunders", 0.20), ("mistakes and blunders", 0.10), ("all bad moves", 0.05)]
BAD = 0.05


def read(path):
    """The positions of each game, by its file and number, and what searched them."""
    with open(path, encoding="utf-8") as file:
        analysis = json.load(file)
    games = {(game["file"].rsplit("/", 1)[-1], game["number"]): game["positions"] for game in analysis["games"]}
    return games, f"{analysis['engine']}, {analysis['limit']}", analysis["win_rate_scale"]


def win_rate(score, scale):
    if isinstance(score, int):
        return 1 / (1 + math.exp(-score / scale))
    return 1.0 if score["mate"] > 0 else 0.0


def losses(games, scale):
    """The loss of each move, by game and ply, with centipawns on some scale."""
    found = {}
    for game, positions in games.items():
        for before, after in zip(positions, positions[1:]):
            if before["played"] is None or before["score"] is None or after["score"] is None:
                continue
            candidates = before["candidates"]
            is_best = candidates and candidates[0]["pv"][:1] == [before["played"]["move"]]
            change = win_rate(before["score"], scale) - 1 + win_rate(after["score"], scale)
            found[game, before["ply"]] = 0 if is_best else max(0, change)
    return found


def spread_ratio(ours, theirs):
    pairs = []
    for game in ours.keys() & theirs.keys():
        for one, other in zip(ours[game], theirs[game]):
            values = one["score"], other["score"]
            if all(isinstance(value, int) and abs(value) <= 1500 for value in values):
                pairs.append(values)
    one, other = (statistics.pstdev(values) for values in zip(*pairs))
    return one / other


def compare(ours, theirs):
    both = sorted(ours.keys() & theirs.keys())
    print(f"{len(both)} moves; mean loss: ours {mean(ours, both):.2f} %, other {mean(theirs, both):.2f} %")
    for title, one, other in [("ours", ours, theirs), ("other", theirs, ours)]:
        for name, least in LIMITS:
            found = [other[place] for place in both if one[place] >= least]
            if found:
                share = lambda count: f"{count} ({100 * count / len(found):.0f} %)"
                same, bad = sum(loss >= least for loss in found), sum(loss >= BAD for loss in found)
                print(f"  {title}: {len(found)} {name}: as bad {share(same)}, bad {share(bad)}, not bad {share(len(found) - bad)}")


def mean(losses, places):
    return 100 * sum(losses[place] for place in places) / len(places)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    (ours, our_name, scale), (theirs, their_name, _) = map(read, sys.argv[1:])
    print(f"ours: {our_name}\nother: {their_name}\nvalues as they are:")
    compare(losses(ours, scale), losses(theirs, scale))
    ratio = spread_ratio(ours, theirs)
    print(f"values of the other times {ratio:.2f}:")
    compare(losses(ours, scale), losses(theirs, scale / ratio))


main()
