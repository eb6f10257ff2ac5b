#!/usr/bin/env python3
"""Compares the Python package with cshogi over random games.

    pip install cshogi ./python
    tools/compare_cshogi.py --positions 100000

Games are played at random from even, handicap and constructed positions. For each position both are asked for everything that
must be equal: SFEN, legal moves as integers with their USI and CSA texts, packed positions, pieces, hands, checks, declaration,
what recurrence means, moves from text. Mates are compared where cshogi finds one. Stops at the first difference.
"""
import argparse
import random
import sys
import time

import cshogi
import cshogi.KI2
import cshogi.KIF
import numpy as np

import tsumugi
from tsumugi import KI2

STARTS = [
    cshogi.STARTING_SFEN,
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RBGSNLPrbgsnlp 1",
    # Kings in the other camp: declarations.
    "2+P+PK+P+P2/2+P+P1+P+P2/4+P4/9/9/9/4+p4/2+p+p1+p+p2/2+p+pk+p+p2 b RBrb4g4s4n4l 200",
    # Few pieces: many repetitions.
    "4k4/4r4/9/9/9/9/9/4R4/4K4 b 2b4g4s4n4l18p 1",
]


class Difference(Exception):
    """Two answers that should be equal."""


def equal(what, ours, theirs, sfen):
    """Raises if two answers differ."""
    if ours != theirs:
        raise Difference(f"{what} of {sfen}:\n  tsumugi {ours}\n  cshogi  {theirs}")


def compare_position(ours, theirs):
    """Everything about one position."""
    sfen = theirs.sfen()
    equal("sfen", ours.sfen(), sfen, sfen)
    moves = sorted(theirs.legal_moves)
    equal("legal_moves", sorted(ours.legal_moves), moves, sfen)
    equal("len(legal_moves)", len(ours.legal_moves), len(moves), sfen)
    for name in ["turn", "move_number", "pieces"]:
        equal(name, getattr(ours, name), getattr(theirs, name), sfen)
    equal("pieces_in_hand", [list(hand) for hand in ours.pieces_in_hand], [list(hand) for hand in theirs.pieces_in_hand], sfen)
    for name in ["is_check", "is_game_over", "is_nyugyoku", "is_draw", "peek", "csa_pos", "book_key"]:
        equal(name, getattr(ours, name)(), getattr(theirs, name)(), sfen)
    # The last line says the last move: see `compare_words`.
    equal("to_bod", ours.to_bod().split("手数")[0], theirs.to_bod().split("手数")[0], sfen)
    equal("king_square", [ours.king_square(c) for c in (0, 1)], [theirs.king_square(c) for c in (0, 1)], sfen)
    for ply in (4, 8):
        equal(f"is_draw({ply})", ours.is_draw(ply), theirs.is_draw(ply), sfen)
    for kind, name in [(cshogi.HuffmanCodedPos, "hcp"), (cshogi.PackedSfen, "psfen")]:
        packed = [np.zeros(1, kind), np.zeros(1, kind)]
        getattr(ours, "to_" + name)(packed[0][0][0])
        getattr(theirs, "to_" + name)(packed[1])
        equal(name, packed[0].tobytes(), packed[1].tobytes(), sfen)
        again = tsumugi.Board()
        getattr(again, "set_" + name)(packed[1])
        equal("set_" + name, again.sfen().rsplit(" ", 1)[0], sfen.rsplit(" ", 1)[0], sfen)
    return moves


def compare_moves(ours, theirs, moves):
    """Everything about the moves of a position."""
    sfen = theirs.sfen()
    for move in moves:
        usi, csa = cshogi.move_to_usi(move), cshogi.move_to_csa(move)
        equal("move_to_usi", tsumugi.move_to_usi(move), usi, sfen)
        equal("move_to_csa", tsumugi.move_to_csa(move), csa, sfen)
        equal("move_from_usi", ours.move_from_usi(usi), move, sfen)
        equal("move_from_csa", ours.move_from_csa(csa), move, sfen)
        for name in ["move_to", "move_from", "move_cap", "move_is_promotion", "move_is_drop", "move16", "move_rotate"]:
            equal(name, getattr(tsumugi, name)(move), getattr(cshogi, name)(move), f"{usi} in {sfen}")
        if cshogi.move_is_drop(move):
            equal("hand piece", tsumugi.move_drop_hand_piece(move), cshogi.move_drop_hand_piece(move), sfen)
        else:
            equal("piece type", tsumugi.move_from_piece_type(move), cshogi.move_from_piece_type(move), sfen)
        psv = cshogi.move16_to_psv(cshogi.move16(move))
        equal("move16_to_psv", tsumugi.move16_to_psv(tsumugi.move16(move)), psv, sfen)
        equal("move_from_psv", ours.move_from_psv(psv), theirs.move_from_psv(psv), sfen)
        equal("move_from_move16", ours.move_from_move16(move & 0xffff), theirs.move_from_move16(move & 0xffff), sfen)
        equal("move_is_draw", ours.move_is_draw(move), theirs.move_is_draw(move), f"{usi} in {sfen}")


def compare_words(ours, theirs, moves, counts):
    """How often both say a move in the same words; more than one way to say it is right where pieces are pinned."""
    for move in moves:
        ki2 = KI2.move_to_ki2(move, ours), cshogi.KI2.move_to_ki2(move, theirs)
        verdict = "same words" if ki2[0] == ki2[1] else "other words"
        counts[verdict] = counts.get(verdict, 0) + 1


def is_mated(board, plies):
    """Whether the side to move is mated within so many plies, by trying everything."""
    if not board.is_check():
        return False
    for move in list(board.legal_moves):
        if plies < 2:
            return False
        board.push(move)
        mates = False
        for answer in list(board.legal_moves):
            board.push(answer)
            mates = is_mated(board, plies - 2)
            board.pop()
            if mates:
                break
        board.pop()
        if not mates:
            return False
    return True


def compare_mates(ours, theirs, counts):
    """cshogi's mates are mates; it may overlook some, so ours are played out."""
    sfen = theirs.sfen()
    for plies in (1, 3):
        found = ours.mate_move_in_1ply() if plies == 1 else ours.mate_move(plies)
        known = theirs.mate_move_in_1ply() if plies == 1 else theirs.mate_move(plies)
        if known and not found:
            raise Difference(f"mate in {plies} of {sfen}: cshogi {cshogi.move_to_usi(known)}, tsumugi none")
        if found:
            counts[f"mates in {plies}"] = counts.get(f"mates in {plies}", 0) + 1
            counts["overlooked by cshogi"] = counts.get("overlooked by cshogi", 0) + (not known)
            theirs.push(found)
            if not is_mated(theirs, plies - 1):
                raise Difference(f"{cshogi.move_to_usi(found)} does not mate in {plies} in {sfen}")
            theirs.pop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=300, help="longest game")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    begin, positions, moves_seen, counts = time.monotonic(), 0, 0, {}
    ours, theirs = tsumugi.Board(), cshogi.Board()
    try:
        while positions < arguments.positions:
            start = rng.choice(STARTS)
            ours.set_sfen(start)
            theirs.set_sfen(start)
            # Some games shuffle a few pieces, so that positions recur.
            shuffle = rng.random() < 0.3
            for _ in range(rng.randrange(1, arguments.plies)):
                moves = compare_position(ours, theirs)
                positions += 1
                moves_seen += len(moves)
                if positions % 8 == 0:
                    compare_moves(ours, theirs, moves)
                    compare_mates(ours, theirs, counts)
                if positions % 64 == 0:
                    compare_words(ours, theirs, moves, counts)
                if not moves:
                    break
                quiet = [m for m in moves if not cshogi.move_cap(m) and not cshogi.move_is_drop(m)]
                back = [m for m in quiet if ours.history and len(ours.history) > 1
                        and cshogi.move_to(m) == cshogi.move_from(ours.history[-2])
                        and cshogi.move_from(m) == cshogi.move_to(ours.history[-2])]
                move = rng.choice(back if shuffle and back and rng.random() < 0.9 else moves)
                ours.push(move)
                theirs.push(move)
            equal("history", ours.history, list(theirs.history), start)
            while ours.history:
                equal("pop", ours.pop(), theirs.pop(), start)
            equal("sfen after pop", ours.sfen(), theirs.sfen(), start)
    except Difference as difference:
        sys.exit(f"different after {positions} positions: {difference}")
    seconds = time.monotonic() - begin
    print(f"equal: {positions} positions, {moves_seen} moves, {counts}, {seconds:.0f} s")


if __name__ == "__main__":
    main()
