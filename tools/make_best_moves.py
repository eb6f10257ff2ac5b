#!/usr/bin/env python3
"""Finds best-move problems whose answers are certain (needs cshogi).

    tools/make_best_moves.py positions.sfen --solver target/release/tsumugi --second KomoringHeights > best_moves.jsonl

The positions are lines `sfen …`, for instance from `tsumugi train convert GAMES -o positions.sfen`. Kinds:

mate         every mating first move, and no shorter way: found by the solver, the line confirmed by the second one
defence      all moves but the answers (at most three) allow a mate that the solver finds
repetition   the same, and the only answer makes a position appear for the fourth time, a draw
perpetual    moves that would end a perpetual check, and lose, are no answers
declaration  27 points: the answer is `win`
"""
import argparse
import json
import random
import sys

import cshogi
from usi_engine import UsiEngine


class Solver(UsiEngine):
    def __init__(self, command):
        super().__init__([command], ["USI_Hash=64"])

    def mate(self, sfen, milliseconds):
        """The mating line, or None."""
        self.send("position sfen " + sfen)
        words = self.ask(f"go mate {milliseconds}", "checkmate")[-1].split()[1:]
        return None if words[0] in ("nomate", "timeout", "notimplemented") else words


def after(sfen, move):
    board = cshogi.Board(sfen)
    board.push_usi(move)
    return board.sfen()


def legal(sfen):
    return [cshogi.move_to_usi(move) for move in cshogi.Board(sfen).legal_moves]


def allows_mate(solver, sfen, milliseconds):
    """Whether the side that has just moved can be mated."""
    return solver.mate(sfen, milliseconds) is not None


def mate_problem(solver, second, sfen):
    line = solver.mate(sfen, 60)
    if line is None or not 5 <= len(line) <= 15:
        return None
    if second.mate(sfen, 2000) is None:
        return None
    answers = []
    for move in legal(sfen):
        board = cshogi.Board(after(sfen, move))
        if not board.is_check():
            continue
        replies = [cshogi.move_to_usi(reply) for reply in board.legal_moves]
        if all(solver.mate(after(board.sfen(), reply), 100) for reply in replies):
            answers.append(move)
    return {"kind": "mate", "sfen": sfen, "bestmove": answers, "plies": len(line)} if line[0] in answers else None


def defence_problem(solver, sfen):
    board = cshogi.Board(sfen)
    if board.is_check():
        return None
    moves = legal(sfen)
    if len(moves) < 20:
        return None
    # Without a threat there is nothing to defend.
    quiet = random.sample(moves, 4)
    if not all(allows_mate(solver, after(sfen, move), 20) for move in quiet):
        return None
    answers = []
    for move in moves:
        if not allows_mate(solver, after(sfen, move), 100):
            answers.append(move)
            if len(answers) > 3:
                return None
    return {"kind": "defence", "sfen": sfen, "bestmove": answers} if answers else None


def back(move):
    return move[2:4] + move[0:2]


def reversible(sfen, move):
    return move[1] != "*" and not move.endswith("+") and cshogi.Board(sfen).piece(square(move[2:4])) == 0


def square(name):
    return (int(name[0]) - 1) * 9 + ord(name[1]) - ord("a")


def repetition_problem(sfen, answer):
    """The position again, its only defence being the fourth appearance of what it leads to."""
    if not reversible(sfen, answer):
        return None
    start = after(sfen, answer)
    for away in legal(start):
        if not reversible(start, away):
            continue
        there = after(start, away)
        if back(answer) not in legal(there) or cshogi.Board(there).is_check():
            continue
        home = after(there, back(answer))
        if back(away) not in legal(home):
            continue
        cycle = [away, back(answer), back(away)]
        moves = cycle + [answer] + cycle + [answer] + cycle
        board = cshogi.Board(start)
        for move in moves:
            board.push_usi(move)
        if board.sfen().split()[:3] != sfen.split()[:3]:
            continue
        board.push_usi(answer)
        if board.is_draw() == cshogi.REPETITION_DRAW:
            return {"kind": "repetition", "position": f"sfen {start} moves {' '.join(moves)}", "bestmove": [answer]}
    return None


def perpetual_problem(sfen):
    """Checks that have come thrice: the fourth wins for the side that was checked, which is to move then."""
    for check in legal(sfen):
        if not reversible(sfen, check):
            continue
        start = after(sfen, check)
        if not cshogi.Board(start).is_check():
            continue
        for flight in legal(start):
            if not reversible(start, flight):
                continue
            there = after(start, flight)
            if back(check) not in legal(there) or not cshogi.Board(after(there, back(check))).is_check():
                continue
            if back(flight) not in legal(after(there, back(check))):
                continue
            cycle = [flight, back(check), back(flight)]
            moves = cycle + [check] + cycle + [check] + cycle
            board = cshogi.Board(start)
            for move in moves:
                board.push_usi(move)
            answers = [move for move in legal(board.sfen()) if move != check]
            board.push_usi(check)
            if answers and board.is_draw() == cshogi.REPETITION_WIN:
                position = f"sfen {start} moves {' '.join(moves)}"
                return {"kind": "perpetual", "position": position, "bestmove": answers}
    return None


def open_king(chance):
    """A random position in which Black may check for long: a rook and a king on open files beside each other."""
    board = [[""] * 9 for _ in range(9)]
    file = chance.randrange(8)
    board[chance.randrange(2)][file] = "k"
    board[chance.randrange(5, 9)][file + 1] = chance.choice(["R", "+R"])
    squares = [(rank, other) for rank in range(9) for other in range(9) if other not in (file, file + 1)]
    chance.shuffle(squares)
    for piece, (rank, other) in zip(["K", "G", "S", "b", "s", "r", "p", "g"], squares):
        board[rank][other] = piece
    pieces = "/".join(compressed(row) for row in board)
    if any(cshogi.Board(f"{pieces} {side} - 60").is_check() for side in "bw"):
        return None
    return f"{pieces} b G4Pb2s3n4l9p 60"


def declaration_problem(chance):
    """A random position in which Black or White may declare."""
    board = [[""] * 9 for _ in range(9)]
    rows = [(rank, file) for rank in range(3) for file in range(9)]
    chance.shuffle(rows)
    king, *places = rows
    board[king[0]][king[1]] = "K"
    inside = ["+R", "+B"] + ["+P"] * 5 + chance.choices(["+S", "+N", "+L", "G"], k=4)
    for piece, (rank, file) in zip(inside, places):
        board[rank][file] = piece
    below = [(rank, file) for rank in range(5, 9) for file in range(9)]
    chance.shuffle(below)
    board[below[0][0]][below[0][1]] = "k"
    for piece, (rank, file) in zip(["g", "s", "s", "p", "p"], below[1:]):
        board[rank][file] = piece
    text = "/".join(compressed(row) for row in board)
    pawns = chance.randint(2, 6)
    if chance.random() < 0.5:
        sfen = f"{text} b RB{pawns}P2g 1"
    else:
        turned = "/".join(compressed([piece.swapcase() for piece in row[::-1]]) for row in board[::-1])
        sfen = f"{turned} w 2Grb{pawns}p 1"
    position = cshogi.Board(sfen)
    if position.is_check() or not position.is_nyugyoku():
        return None
    return {"kind": "declaration", "sfen": position.sfen(), "bestmove": ["win"]}


def compressed(row):
    text, empty = "", 0
    for piece in row:
        if piece:
            text += (str(empty) if empty else "") + piece
            empty = 0
        else:
            empty += 1
    return text + (str(empty) if empty else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions")
    parser.add_argument("--solver", required=True)
    parser.add_argument("--second", required=True)
    parser.add_argument("--each", type=int, default=25, help="problems of each kind")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    solver, second = Solver(arguments.solver), Solver(arguments.second)
    with open(arguments.positions, encoding="ascii") as lines:
        positions = [line.removeprefix("sfen ").strip() for line in lines]
    random.shuffle(positions)
    left = dict.fromkeys(["mate", "defence", "repetition", "perpetual", "declaration"], arguments.each)

    def keep(problem):
        if problem and left[problem["kind"]] > 0:
            left[problem["kind"]] -= 1
            print(json.dumps(problem), flush=True)
            print(left, file=sys.stderr, end="\r")

    while left["declaration"]:
        keep(declaration_problem(random))
    while left["perpetual"]:
        sfen = open_king(random)
        keep(perpetual_problem(sfen) if sfen else None)
    for sfen in positions:
        if not any(left.values()):
            break
        if int(sfen.split()[3]) < 50:
            continue
        if left["mate"]:
            keep(mate_problem(solver, second, sfen))
        if left["defence"] or left["repetition"]:
            problem = defence_problem(solver, sfen)
            if problem and len(problem["bestmove"]) == 1:
                keep(repetition_problem(sfen, problem["bestmove"][0]))
            keep(problem)


main()
