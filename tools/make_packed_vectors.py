#!/usr/bin/env python3
"""Writes testdata/packed/cshogi.jsonl: positions and records as cshogi packs them.

    pip install cshogi==1.1.0
    python tools/make_packed_vectors.py > testdata/packed/cshogi.jsonl

One JSON object per line: sfen; psfen, hcp (32 bytes, hex); and, where there is a legal move to record,
move (USI), score, ply, result (-1, 0, 1 for the side to move) with psv and hcpe, the records that say so.
The positions come from random games (seeded), which prefer captures and promotions so that hands fill up,
from the ordinary start and from handicaps; the last lines are without one king.
"""
import json
import random

import cshogi
import numpy

EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
HANDICAPS = [
    "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
]
ONE_KING = [
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    "7nl/7k1/9/6P2/9/9/9/9/9 b RBGS 1",
    "9/9/9/9/9/9/9/9/4K4 w 2g 1",
    "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
    "4k4/9/9/9/9/9/9/9/9 b R2BSP 1",
    "3gk4/9/3+R5/9/9/9/9/9/9 w - 1",
]
DRAW, BLACK_WIN, WHITE_WIN = cshogi.DRAW, cshogi.BLACK_WIN, cshogi.WHITE_WIN


def packed(write):
    """cshogi writes a bit beyond the 32 bytes when a king is missing: gives it room and cuts it off."""
    room = numpy.zeros(40, numpy.uint8)
    write(room)
    return room[:32]


def choose(board, rng):
    """A legal move, more often than not a capture or promotion."""
    moves = list(board.legal_moves)
    lively = [m for m in moves if cshogi.move_is_promotion(m) or cshogi.move_cap(m)]
    return rng.choice(lively if lively and rng.random() < 0.6 else moves) if moves else None


def line(board, rng):
    psfen, hcp = packed(board.to_psfen), packed(board.to_hcp)
    out = {"sfen": board.sfen(), "psfen": psfen.tobytes().hex(), "hcp": hcp.tobytes().hex()}
    move = choose(board, rng)
    if move:
        score, winner = rng.randint(-32000, 32000), rng.choice([DRAW, BLACK_WIN, WHITE_WIN])
        mine = BLACK_WIN if board.turn == cshogi.BLACK else WHITE_WIN
        result = 0 if winner == DRAW else 1 if winner == mine else -1
        psv, hcpe = numpy.zeros(1, cshogi.PackedSfenValue), numpy.zeros(1, cshogi.HuffmanCodedPosAndEval)
        move16 = cshogi.move16(move)
        psv[0] = (psfen, score, cshogi.move16_to_psv(move16), board.move_number, result, 0)
        hcpe[0] = (hcp, score, move16, winner, 0)
        out |= {"move": cshogi.move_to_usi(move), "score": score, "ply": board.move_number, "result": result,
                "psv": psv.tobytes().hex(), "hcpe": hcpe.tobytes().hex()}
    print(json.dumps(out))


def play(start, seed, count):
    """One game: about `count` of its positions, spread over up to 300 plies."""
    rng = random.Random(seed)
    board = cshogi.Board(start)
    step = 300 // count
    for ply in range(300):
        if ply % step == 0:
            line(board, rng)
        move = choose(board, rng)
        if not move:
            return
        board.push(move)


for seed in range(20):
    play(EVEN, seed, 12)
for seed, start in enumerate(HANDICAPS):
    play(start, 100 + seed, 20)
for sfen in ONE_KING:
    line(cshogi.Board(sfen), random.Random(0))
