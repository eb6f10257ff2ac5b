#!/usr/bin/env python3
"""Times the Python package beside cshogi, in turns, and prints a table for python/BENCHMARKS.md.

    pip install cshogi ./python
    tools/bench_python.py

Each work is done by both in turns, several times; the fastest counts, in processor time of the process: other programs that run
meanwhile do not count.
"""
import argparse
import platform
import random
import time

import cshogi
import cshogi.CSA
import cshogi.KIF
import numpy as np

import tsumugi
import tsumugi.CSA
import tsumugi.KIF


def random_games(count, plies, rng):
    """Moves of random games."""
    games = []
    board = cshogi.Board()
    for _ in range(count):
        board.reset()
        moves = []
        for _ in range(plies):
            legal = list(board.legal_moves)
            if not legal:
                break
            moves.append(rng.choice(legal))
            board.push(moves[-1])
        games.append(moves)
    return games


def csa_text(moves):
    """A game as CSA with times."""
    lines = ["V2.2", "N+Black", "N-White", "$EVENT:bench", "PI", "+"]
    for ply, move in enumerate(moves):
        lines.append("+-"[ply % 2] + cshogi.move_to_csa(move))
        lines.append(f"T{ply % 60}")
    return "\n".join([*lines, "%TORYO", ""])


def kif_text(moves):
    """A game as KIF with times."""
    lines = ["手合割：平手", "先手：Black", "後手：White", "手数----指手---------消費時間--"]
    for ply, move in enumerate(moves):
        said = cshogi.KIF.move_to_kif(move, moves[ply - 1] if ply else None)
        lines.append(f"{ply + 1:>4} {said}   ( 0:{ply % 60:02}/00:00:00)")
    return "\n".join([*lines, f"まで{len(moves)}手で先手の勝ち", ""])


class Works:
    """What is timed: each method does the same with either package, and returns how often."""

    def __init__(self, games, sfens):
        self.games, self.sfens = games, sfens
        self.csa = [csa_text(moves) for moves in games]
        self.kif = [kif_text(moves) for moves in games[: len(games) // 10]]

    def legal_moves(self, package):
        """list(board.legal_moves)"""
        boards = [package.Board(sfen) for sfen in self.sfens]
        begin = time.process_time()
        for board in boards:
            list(board.legal_moves)
        return time.process_time() - begin, len(boards)

    def push_pop(self, package):
        """push and pop of a move"""
        board = package.Board()
        begin, count = time.process_time(), 0
        for moves in self.games[:1000]:
            for move in moves:
                board.push(move)
            for _ in moves:
                board.pop()
            count += len(moves)
        return time.process_time() - begin, count

    def set_sfen(self, package):
        """set_sfen and sfen"""
        board = package.Board()
        begin = time.process_time()
        for sfen in self.sfens:
            board.set_sfen(sfen)
            board.sfen()
        return time.process_time() - begin, len(self.sfens)

    def to_hcp(self, package):
        """to_hcp"""
        boards = [package.Board(sfen) for sfen in self.sfens]
        packed = np.zeros(len(boards), package.HuffmanCodedPos)["hcp"]
        begin = time.process_time()
        for board, row in zip(boards, packed):
            board.to_hcp(row)
        return time.process_time() - begin, len(boards)

    def set_hcp(self, package):
        """set_hcp"""
        board = package.Board()
        packed = np.zeros(len(self.sfens), package.HuffmanCodedPos)["hcp"]
        for sfen, row in zip(self.sfens, packed):
            board.set_sfen(sfen)
            board.to_hcp(row)
        begin = time.process_time()
        for row in packed:
            board.set_hcp(row)
        return time.process_time() - begin, len(packed)

    def to_psfen(self, package):
        """to_psfen"""
        boards = [package.Board(sfen) for sfen in self.sfens]
        packed = np.zeros(len(boards), package.PackedSfen)["sfen"]
        begin = time.process_time()
        for board, row in zip(boards, packed):
            board.to_psfen(row)
        return time.process_time() - begin, len(boards)

    def copies(self, package):
        """board.copy() after 100 moves"""
        board = package.Board()
        for move in self.games[0]:
            board.push(move)
        begin = time.process_time()
        for _ in range(2000):
            board.copy()
        return time.process_time() - begin, 2000

    def read_csa(self, package):
        """a game read from CSA"""
        begin = time.process_time()
        for text in self.csa:
            parser = package.CSA.Parser.parse_str(text)[0]
            _ = (parser.moves, parser.times, parser.scores, parser.win)
        return time.process_time() - begin, len(self.csa)

    def read_kif(self, package):
        """a game read from KIF"""
        begin = time.process_time()
        for text in self.kif:
            parser = package.KIF.Parser.parse_str(text)
            _ = (parser.moves, parser.times, parser.win)
        return time.process_time() - begin, len(self.kif)

    def records_of_games(self, package):
        """a game's positions packed (hcpe)"""
        board, begin = package.Board(), time.process_time()
        games = self.games[:1000]
        for moves in games:
            board.reset()
            rows = np.zeros(len(moves), package.HuffmanCodedPosAndEval)
            for hcp, move in zip(rows["hcp"], moves):
                board.to_hcp(hcp)
                board.push(move)
        return time.process_time() - begin, len(games)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--plies", type=int, default=100)
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    rng = random.Random(1)
    games = random_games(arguments.games, arguments.plies, rng)
    board, sfens = cshogi.Board(), []
    for moves in games[:200]:
        board.reset()
        for move in moves:
            board.push(move)
            sfens.append(board.sfen())
    works = Works(games, sfens)
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, {arguments.games} games of {arguments.plies} moves\n")
    print("| work | times | tsumugi | cshogi | cshogi ÷ tsumugi |\n|---|---|---|---|---|")
    for work in [works.legal_moves, works.push_pop, works.set_sfen, works.to_hcp, works.set_hcp, works.to_psfen, works.copies,
                 works.records_of_games, works.read_csa, works.read_kif]:
        best = {}
        for _ in range(arguments.turns):
            for package in (tsumugi, cshogi):
                seconds, count = work(package)
                best[package] = min(seconds / count, best.get(package, seconds))
        ours, theirs = best[tsumugi] * 1e6, best[cshogi] * 1e6
        print(f"| {work.__doc__} | {count:,} | {ours:.2f} µs | {theirs:.2f} µs | {theirs / ours:.1f} |", flush=True)


if __name__ == "__main__":
    main()
