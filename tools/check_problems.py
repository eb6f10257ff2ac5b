#!/usr/bin/env python3
"""Check with cshogi's search for mates that generated problems are unique.

    target/release/tsumugi mate generate --count 20 --min 5 --max 9 --json > problems.jsonl
    tools/check_problems.py problems.jsonl                    # needs pip install cshogi

A line has `sfen` and `line`. The line must be legal, every move of the attacker a check, and end in mate; at every place of it, cshogi must not find
a mate after another check; and no piece may be left in hand. cshogi may overlook a mate (its search has limits of depth and positions), so it
can miss a cook, but every cook that it reports is one.
"""

import argparse
import json
import sys

import cshogi


class Solver:
    """cshogi's df-pn, for positions with either side to move."""

    def __init__(self, depth, nodes):
        self.search = cshogi.DfPn(depth, nodes, 10000)

    def attacker_mates(self, board):
        return self.search.search(board)

    def defender_is_mated(self, board):
        """Whether every legal move of the side to move, which is in check, loses to a mate."""
        for move in list(board.legal_moves):
            board.push(move)
            mated = self.attacker_mates(board)
            board.pop()
            if not mated:
                return False
        return True


def checks(board):
    for move in list(board.legal_moves):
        board.push(move)
        is_check = board.is_check()
        board.pop()
        if is_check:
            yield move


def faults(problem, solver):
    """What is wrong with a problem, in words."""
    board = cshogi.Board(problem["sfen"])
    attacker = board.turn
    for ply, word in enumerate(problem["line"]):
        played = board.move_from_usi(word)
        if played not in list(board.legal_moves):
            return [f"{word} is not legal"]
        if board.turn == attacker:
            found = []
            for move in checks(board):
                board.push(move)
                if move != played and solver.defender_is_mated(board):
                    found.append(f"ply {ply + 1}: {cshogi.move_to_usi(move)} mates as well")
                board.pop()
            if found:
                return found
        board.push(played)
        if board.turn != attacker and not board.is_check():
            return [f"{word} is no check"]
    if list(board.legal_moves) or not board.is_check():
        return ["no mate at the end"]
    if any(board.pieces_in_hand[attacker]):
        return ["pieces are left in hand"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--depth", type=int, default=31)
    parser.add_argument("--nodes", type=int, default=200_000)
    args = parser.parse_args()
    solver = Solver(args.depth, args.nodes)
    wrong = all_problems = 0
    with open(args.file, encoding="utf-8") as lines:
        for text in lines:
            problem = json.loads(text)
            all_problems += 1
            found = faults(problem, solver)
            wrong += bool(found)
            print(problem["sfen"], "ok" if not found else "; ".join(found))
    print(f"{all_problems - wrong} of {all_problems} unique")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
