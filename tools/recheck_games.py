#!/usr/bin/env python3
"""Referees the games of a `tsumugi match` folder again, with cshogi, and counts the results again.

    tools/recheck_games.py FOLDER

Shares no code with Tsumugi: every move must be legal, no game may have gone on after its end, the end must be what
the position says, the CSA file (if any) must hold the same game, and points and pairs are counted from scratch.
Needs `pip install cshogi`. Exits with 1 if anything differs.
"""

import collections
import json
import math
import pathlib
import sys

import cshogi
from cshogi import CSA

BY_RULE = {"no-legal-move", "repetition", "perpetual-check", "declaration", "move-limit"}
CSA_END = {
    "resignation": "%TORYO",
    "no-legal-move": "%TSUMI",
    "declaration": "%KACHI",
    "repetition": "%SENNICHITE",
    "move-limit": "%JISHOGI",
}


def start(opening):
    """A board at the start of the opening, and the opening's moves."""
    words = opening.split()
    at = words.index("moves") if "moves" in words else len(words)
    board = cshogi.Board() if words[0] == "startpos" else cshogi.Board(" ".join(words[1:at]))
    return board, words[at + 1 :]


def verdict(board, seen, limit):
    """How the game has ended by the rules: (winner, reason) or None. A winner is "black", "white" or "draw"."""
    side, other = ("black", "white") if board.turn == cshogi.BLACK else ("white", "black")
    if board.is_game_over():
        return other, "no-legal-move"
    if seen[board.zobrist_hash()] >= 4:
        kind = board.is_draw()
        if kind == cshogi.REPETITION_WIN:
            return side, "perpetual-check"
        if kind == cshogi.REPETITION_LOSE:
            return other, "perpetual-check"
        return "draw", "repetition"
    if limit and board.move_number > limit:
        return "draw", "move-limit"
    return None


def recheck(game, limit):
    """What is wrong with a game; nothing if all is well."""
    board, opening = start(game["opening"])
    seen = collections.Counter([board.zobrist_hash()])
    moves = game["moves"].split()
    for number, text in enumerate(opening + moves):
        if number >= len(opening) and verdict(board, seen, limit):
            return f"went on after {verdict(board, seen, limit)}"
        move = board.move_from_usi(text)
        if not board.is_legal(move):
            return f"move {number + 1} {text} is illegal"
        board.push(move)
        seen[board.zobrist_hash()] += 1
    said, found = (game["result"], game["reason"]), verdict(board, seen, limit)
    side = "black" if board.turn == cshogi.BLACK else "white"
    if found or game["reason"] in BY_RULE - {"declaration"}:
        return None if said == found else f"said {said}, cshogi finds {found}"
    if game["reason"] == "declaration":
        return None if board.is_nyugyoku() and game["result"] == side else "a false declaration counted as a win"
    if game["reason"] == "resignation" and game["result"] == side:
        return "who resigned has won"
    if game["reason"] == "false-declaration" and board.is_nyugyoku():
        return "a right declaration counted as false"
    return None


def recheck_csa(path, game):
    parser = CSA.Parser()
    parser.parse_csa_file(str(path))
    _, opening = start(game["opening"])
    expected = opening + game["moves"].split()
    moves = [cshogi.move_to_usi(move) for move in parser.moves]
    if moves != expected:
        return f"{path.name} holds other moves"
    end = CSA_END.get(game["reason"])
    return None if end in (None, parser.endgame) else f"{path.name} ends with {parser.endgame} instead of {end}"


def main():
    folder = pathlib.Path(sys.argv[1])
    config = json.loads((folder / "config.json").read_text())
    games = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()]
    names = [engine["name"] for engine in config["engines"]]
    faults = 0
    points, pairs = collections.Counter(), collections.defaultdict(list)
    tally = collections.defaultdict(lambda: [0, 0, 0])
    for game in games:
        what = recheck(game, config.get("max_moves"))
        for path in folder.glob(f"games/{game['game'] + 1:06}-*.csa"):
            what = what or recheck_csa(path, game)
        if what:
            faults += 1
            print(f"game {game['game'] + 1}: {what}")
        for color in ("black", "white"):
            won = {color: 0, "draw": 1}.get(game["result"], 2)
            tally[game[color]][won] += 1
            points[game[color]] += 2 - won
        if len(names) == 2:
            first = "black" if game["black"] == names[0] else "white"
            pairs[game["round"]].append({first: 2, "draw": 1}.get(game["result"], 0))
    for name in names:
        print(f"{name}: {' - '.join(map(str, tally[name]))} (wins, draws, losses)")
    if len(names) == 2 and any(len(pair) == 2 for pair in pairs.values()):
        penta = collections.Counter(sum(pair) for pair in pairs.values() if len(pair) == 2)
        counts = [penta[i] for i in range(5)]
        total = sum(counts)
        score = sum(i * count for i, count in enumerate(counts)) / (4 * total)
        elo = 400 * math.log10(score / (1 - score)) if 0 < score < 1 else math.copysign(math.inf, score - 0.5)
        print(f"pairs {counts}, score {score:.4f}, Elo {elo:+.1f}")
    print(collections.Counter(game["reason"] for game in games))
    print(f"{len(games)} games refereed again, {faults} differ")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
