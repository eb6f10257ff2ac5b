#!/usr/bin/env python3
"""Makes testdata/rules/*.jsonl: what cshogi says of repetitions and of the entering-king declaration.

    pip install cshogi
    tools/make_rule_vectors.py testdata/rules

repetition.jsonl: games of few pieces, which repeat often; for each ply cshogi's verdict at the first return to a
position (cshogi looks back 16 plies; games are short enough for that not to matter).
declaration.jsonl: positions with a king in the enemy camp and whether the side to move may declare (CSA, 27 points).
"""
import json
import random
import sys

import cshogi

WORDS = {
    cshogi.REPETITION_DRAW: "rep_draw",
    cshogi.REPETITION_WIN: "rep_win",
    cshogi.REPETITION_LOSE: "rep_lose",
    cshogi.REPETITION_SUPERIOR: "rep_sup",
    cshogi.REPETITION_INFERIOR: "rep_inf",
}
SPARSE = [
    "k8/9/9/9/9/9/9/9/8K b - 1",
    "k1r6/9/9/9/9/9/9/6R2/8K b - 1",
    "k8/9/1R7/9/9/9/9/9/8K b P 1",
    "kp7/9/1G7/9/9/9/9/7g1/7PK b - 1",
    "k8/p8/G8/9/9/9/9/9/8K b Pp 1",
]


def repetitions(rng, games):
    for _ in range(games):
        start = rng.choice(SPARSE)
        board = cshogi.Board(start)
        moves, words = [], []
        for _ in range(16):
            legal = list(board.legal_moves)
            if not legal:
                break
            # Going back where one came from makes returns likely, giving check makes them perpetual.
            back = [m for m in legal if len(moves) > 1 and cshogi.move_to_usi(m)[:4] == moves[-2][2:] + moves[-2][:2]]
            checks = [m for m in legal if gives_check(board, m)]
            pick = rng.random()
            move = rng.choice(checks if checks and pick < 0.4 else back if back and pick < 0.8 else legal)
            board.push(move)
            moves.append(cshogi.move_to_usi(move))
            words.append(WORDS.get(board.is_draw(), "-"))
        if any(word != "-" for word in words):
            yield {"sfen": start, "moves": " ".join(moves), "words": " ".join(words)}


def gives_check(board, move):
    board.push(move)
    check = board.is_check()
    board.pop()
    return check


def declarations(rng, count):
    board = cshogi.Board()
    written = {True: 0, False: 0}
    while min(written.values()) < count:
        sfen = random_entered_king(rng)
        try:
            board.set_sfen(sfen)
        except Exception:  # an impossible draw; try the next
            continue
        if not board.is_ok():
            continue
        declared = bool(board.is_nyugyoku())
        if written[declared] < count:
            written[declared] += 1
            yield {"sfen": board.sfen(), "declares": declared}


def random_entered_king(rng):
    """A board with both kings far advanced and most of a set scattered near them or in hand."""
    cells = [[None] * 9 for _ in range(9)]
    side = rng.choice("bw")

    def put(piece, ranks):
        free = [(r, f) for r in ranks for f in range(9) if cells[r][f] is None]
        r, f = rng.choice(free)
        cells[r][f] = piece

    put("K", range(0, 4))
    put("k", range(5, 9))
    hands = {"b": {}, "w": {}}
    for letter, number in [("P", 18), ("L", 4), ("N", 4), ("S", 4), ("G", 4), ("B", 2), ("R", 2)]:
        for _ in range(number):
            owner = rng.choice("bbw" if side == "b" else "bww")
            if rng.random() < 0.45:
                hands[owner][letter] = hands[owner].get(letter, 0) + 1
                continue
            promoted = "+" if letter != "G" and (letter in "PLN" or rng.random() < 0.7) else ""
            text = promoted + (letter if owner == "b" else letter.lower())
            put(text, range(0, 4) if owner == "b" else range(5, 9))
    rows = []
    for row in cells:
        text, empty = "", 0
        for cell in row:
            if cell is None:
                empty += 1
                continue
            text += (str(empty) if empty else "") + cell
            empty = 0
        rows.append(text + (str(empty) if empty else ""))
    hand = "".join(
        (str(n) if n > 1 else "") + (letter if owner == "b" else letter.lower())
        for owner in "bw"
        for letter in "RBGSNLP"
        if (n := hands[owner].get(letter, 0))
    )
    return f"{'/'.join(rows)} {side} {hand or '-'} 1"


def main():
    folder = sys.argv[1]
    rng = random.Random(20261115)
    for name, vectors in [("repetition", repetitions(rng, 600)), ("declaration", declarations(rng, 200))]:
        with open(f"{folder}/{name}.jsonl", "w", encoding="ascii") as out:
            for vector in vectors:
                out.write(json.dumps(vector) + "\n")


if __name__ == "__main__":
    main()
