#!/usr/bin/env python3
"""Random calls with random arguments: nothing may crash, panic or hang the interpreter.

    python python/tests/fuzz.py --seconds 600

Each round begins with a seed of its own, which is printed when something goes wrong; `--seed N --rounds 1` repeats it. Only errors
that a caller expects are allowed: ValueError, IndexError, OverflowError, TypeError, BufferError, MemoryError, OSError, EOFError.
"""

import argparse
import copy
import faulthandler
import pickle
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import tsumugi
from tsumugi import CSA, KI2, KIF, Board, Book, DfPn, Game, Move

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = (ValueError, IndexError, OverflowError, TypeError, BufferError, MemoryError, OSError, EOFError)
#: A call that takes longer hangs.
SECONDS = 60

SFENS = [
    tsumugi.STARTING_SFEN,
    "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1",
    "9/9/9/9/9/9/9/9/4K4 w 2R2B4g4s4n4l18p 1",
    "4k4/9/9/9/9/9/9/9/9 b R 4294967295",
    "k8/9/9/9/9/9/9/9/8K w 2r2b4g4s4n4l18p 999",
    "8k/8P/7+R1/9/9/9/9/9/9 w - 1",
]
GAMES = tsumugi.game_names()
FILES = [path.read_bytes() for path in sorted((ROOT / "testdata" / "records").iterdir())]
METHODS = [name for name in dir(Board) if not name.startswith("__")]
GAME_METHODS = [name for name in dir(Game) if not name.startswith("__")]
FUNCTIONS = [name for name in dir(tsumugi._native) if name.startswith("move") or name in ("game_names",)]
NUMBERS = [0, 1, 2, 3, 5, 7, 44, 80, 81, 127, 255, 256, 32767, 65535, 65536, 73275, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**64, -1, -(2**63)]


class Round:
    """One seed: a board, a game, and random things done to them."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.board = Board()
        self.game = Game(self.rng.choice(GAMES))
        self.folder = None

    def number(self):
        kind = self.rng.random()
        if kind < 0.4:
            return self.rng.choice(NUMBERS)
        if kind < 0.7:
            moves = list(self.board.legal_moves)
            return self.rng.choice(moves) if moves else 0
        return self.rng.getrandbits(self.rng.choice([4, 7, 8, 16, 24, 32, 40]))

    def data(self):
        kind = self.rng.random()
        if kind < 0.3:
            return self.rng.randbytes(self.rng.choice([0, 1, 31, 32, 33, 200]))
        data = bytearray(self.rng.choice(FILES))
        for _ in range(self.rng.randrange(0, 12)):
            if not data:
                break
            at = self.rng.randrange(len(data))
            what = self.rng.randrange(4)
            if what == 0:
                data[at] = self.rng.randrange(256)
            elif what == 1:
                del data[at : at + self.rng.randrange(1, 30)]
            elif what == 2:
                data[at:at] = data[self.rng.randrange(len(data)) :][: self.rng.randrange(40)]
            else:
                data[at:at] = self.rng.randbytes(self.rng.randrange(5))
        return bytes(data)

    def text(self):
        kind = self.rng.random()
        if kind < 0.2:
            return self.rng.choice(SFENS)
        if kind < 0.35:
            words = list(self.rng.choice(SFENS))
            for _ in range(self.rng.randrange(1, 5)):
                words[self.rng.randrange(len(words))] = self.rng.choice("+-0123456789/ plnsgbrkPLNSGBRKwb王\0\ud800"[:-1])
            return "".join(words)
        if kind < 0.6:
            word = self.rng.choice(["7g7f", "P*5e", "8h2b+", "7776FU", "0055KA", "win", "3e3d", "5a5a", "9z9z"])
            legal = self.game.legal_moves
            return self.rng.choice([word, *legal[:5]])
        if kind < 0.75:
            moves = " ".join(self.game.history)
            return self.rng.choice(["startpos", "startpos moves 7g7f 3c3d 8h2b+", f"startpos moves {moves}", "sfen", "moves"])
        return self.data().decode(self.rng.choice(["utf-8", "cp932", "latin-1"]), "replace")

    def buffer(self):
        kind = self.rng.randrange(9)
        if kind == 0:
            return np.zeros(self.rng.randrange(0, 5), self.rng.choice([tsumugi.HuffmanCodedPos, tsumugi.PackedSfenValue]))
        if kind == 1:
            return np.asarray(np.zeros(1, tsumugi.HuffmanCodedPosAndEval)[0])
        if kind == 2:
            return np.zeros((4, 80), self.rng.choice(["u1", "i8", "f4", "O", "?", "U3", "M8[s]"]))[:: self.rng.choice([1, 2, -1])]
        if kind == 3:
            return bytearray(self.rng.randbytes(self.rng.choice([0, 31, 32, 64])))
        if kind == 4:
            return memoryview(bytearray(64))[:: self.rng.choice([1, 2])]
        if kind == 5:
            return np.zeros(2, [("a", "u1"), ("o", "O", (4,))])
        if kind == 6:
            return self.board.to_hcp() if self.board.sfen().upper().count("K") == 2 else b""
        if kind == 7:
            return np.frombuffer(self.rng.randbytes(32), np.uint8)
        return self.rng.randbytes(32)

    def anything(self):
        choice = self.rng.randrange(9)
        if choice < 3:
            return self.number()
        if choice < 5:
            return self.text()
        if choice == 5:
            return self.buffer()
        return self.rng.choice([None, True, 1.5, float("nan"), [], [0] * 81, ([0] * 7, [0] * 7), {}, self.board, self.game, Move(5), object()])

    def call(self, target, name):
        """Calls a method, reads or sets an attribute."""
        if name in ("perft", "mate_move", "is_mate"):
            return getattr(target, name)(self.rng.choice([0, 1, 2, 3]))
        if name == "mate":
            return target.mate(nodes=500, hash=1)
        if name == "to_svg" and self.rng.random() < 0.9:
            return None
        member = getattr(target, name)
        if not callable(member):
            if self.rng.random() < 0.3:
                try:
                    setattr(target, name, self.anything())
                except AttributeError:
                    pass
            return member
        count = self.rng.choice([0, 1, 1, 1, 2, 3])
        arguments = [self.number() if self.rng.random() < 0.5 else self.anything() for _ in range(count)]
        if name.startswith(("set_", "push_usi", "push_csa", "move_from_")) and self.rng.random() < 0.8:
            arguments = [self.text()]
        if name.endswith(("hcp", "psfen")) and self.rng.random() < 0.8:
            arguments = [self.buffer()]
        return member(*arguments)

    def records(self):
        data = self.data()
        for record in tsumugi.read_records(data, keep_illegal=self.rng.random() < 0.5)[:3]:
            _ = (record.times, record.scores, record.comments, record.names, record.win, record.endgame, record.var_info, record.comment, repr(record))
            record.write(self.rng.choice(["kif", "ki2", "csa", "csa3", "jkf", "usi", "usen", "bod"]))
            board = Board(record.sfen)
            for move in record.moves:
                if board.is_legal(move):
                    KI2.move_to_ki2(move, board)
                    KIF.move_to_kif(move, board.peek())
                    board.push(move)
        for parser in (CSA.Parser, KIF.Parser, KI2.Parser):
            try:
                parser.parse_str(data)
            except ALLOWED:
                pass
        tsumugi.convert(data, self.rng.choice(["kif", "csa", "usi", "x"]), variant=self.rng.choice([None, None, *GAMES]))

    def books(self):
        for suffix in (".db", ".ybb", ".bin", ".sbk"):
            with tempfile.NamedTemporaryFile(suffix=suffix) as file:
                data = bytearray((ROOT / "testdata" / "books" / "expected_sort.db").read_bytes()[: self.rng.randrange(2000)])
                for _ in range(self.rng.randrange(8)):
                    if data:
                        data[self.rng.randrange(len(data))] = self.rng.randrange(256)
                file.write(self.rng.randbytes(self.rng.randrange(300)) if self.rng.random() < 0.4 else bytes(data))
                file.flush()
                try:
                    book = Book(file.name, memory=self.rng.random() < 0.5)
                    _ = (book.find(self.board), book.find(Board()), len(book), self.board in book)
                except ALLOWED:
                    pass

    def mates(self):
        solver = DfPn(depth=self.rng.choice([0, 1, 9, 1600]), nodes=self.rng.choice([0, 1, 500]), hash=1)
        position = self.board.copy()
        solver.set_draw_ply(self.rng.choice([0, 1, 2**31]))
        (solver.search if self.rng.random() < 0.7 else solver.search_andnode)(position)
        _ = (solver.get_pv(position), solver.get_move(self.board), solver.searched_node)
        tsumugi.mate(position, nodes=300, hash=1, plies=self.rng.choice([None, 0, 1, 7]), customary=self.rng.random() < 0.5)

    def step(self):
        kind = self.rng.random()
        if kind < 0.5:
            self.call(self.board, self.rng.choice(METHODS))
        elif kind < 0.62:
            moves = list(self.board.legal_moves)
            if moves:
                self.board.push(self.rng.choice(moves))
        elif kind < 0.72:
            self.call(self.game, self.rng.choice(GAME_METHODS))
        elif kind < 0.82:
            moves = self.game.legal_moves
            if moves:
                self.game.push(self.rng.choice(moves))
        elif kind < 0.88:
            getattr(tsumugi, self.rng.choice(FUNCTIONS))(self.anything() if self.rng.random() < 0.3 else self.number())
        elif kind < 0.92:
            self.records()
        elif kind < 0.94:
            self.mates()
        elif kind < 0.95:
            self.books()
        elif kind < 0.97:
            self.board = self.rng.choice([copy.copy(self.board), pickle.loads(pickle.dumps(self.board)), Board(self.text())])
        elif kind < 0.99:
            self.game = self.rng.choice([copy.deepcopy(self.game), Game(self.rng.choice(GAMES))])
        else:
            self.game = Game(self.rng.choice(GAMES), variants=self.text())

    def run(self, steps):
        """Does so many steps; the number of calls that were refused."""
        refused = 0
        for _ in range(steps):
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            try:
                self.step()
            except ALLOWED:
                refused += 1
            faulthandler.cancel_dump_traceback_later()
            # Whatever happened, the board is one that can be played on.
            if not self.board.is_ok():
                raise AssertionError(f"inconsistent: {self.board!r}")
        return refused


def work(arguments):
    """The process that may crash: it tells each seed before its round."""
    faulthandler.enable()
    end = time.monotonic() + arguments.seconds
    rounds = steps = refused = 0
    while (not arguments.rounds or rounds < arguments.rounds) and time.monotonic() < end:
        print(arguments.seed + rounds, flush=True)
        refused += Round(arguments.seed + rounds).run(arguments.steps)
        rounds += 1
        steps += arguments.steps
    print(f"done: {rounds} rounds, {steps} calls, {refused} refused with an error", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=0, help="stop after so many")
    parser.add_argument("--steps", type=int, default=200, help="calls of a round")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        work(arguments)
        return
    words = [sys.executable, __file__, "--inside", *sys.argv[1:]]
    child = subprocess.run(words, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    last = child.stdout.strip().splitlines()[-1:] or ["nothing"]
    if child.returncode != 0:
        sys.exit(f"failed with status {child.returncode} in the round of seed {last[0]}")
    print(last[0])


if __name__ == "__main__":
    main()
