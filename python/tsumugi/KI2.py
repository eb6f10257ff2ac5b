"""Records in KI2: `Parser` reads, `Exporter` writes, `move_to_ki2` says a move."""

from __future__ import annotations

from datetime import datetime
from typing import IO, Sequence

from . import KIF, _native
from .constants import BLACK, WHITE

PIECE_JAPANESE_SYMBOLS2 = [
    "", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "成香", "成桂", "成銀", "馬", "龍",
]


class Parser(KIF.Parser):
    """A game of a KI2 file. It has no times."""

    FORMAT = "ki2"

    def _take(self, record: _native.Record) -> None:
        super()._take(record)
        self.var_info.pop("開始日時", None)
        self.endgame = record.endgame or ""


def move_to_ki2(move: int, board: _native.Board) -> str:
    """A move of a board as people say it: `▲５八金右`."""
    return board.spoken(move)


class Exporter:
    """Writes a game to a KI2 file in Shift_JIS move by move."""

    def __init__(self, path: str | None = None):
        self.kifu: IO[str] | None = None
        self.board = _native.Board()
        if path:
            self.open(path)

    def open(self, path: str) -> None:
        """Opens the file."""
        self.kifu = open(path, "w", encoding="cp932")
        self.board = _native.Board()

    def close(self) -> None:
        """Closes the file."""
        self._file().close()

    def _file(self) -> IO[str]:
        if self.kifu is None:
            raise ValueError("no file is open: call open")
        return self.kifu

    def header(self, names: Sequence[str], starttime: datetime | None = None) -> None:
        """Begins the game."""
        time = (starttime or datetime.now()).strftime("%Y/%m/%d %H:%M:%S")
        self._file().write(f"開始日時：{time}\n手合割：平手\n先手：{names[0]}\n後手：{names[1]}\n\n")

    def move(self, move: int, comment: str | None = None) -> None:
        """Writes a legal move."""
        said = move_to_ki2(move, self.board)
        self.board.push(move)
        self._file().write(said + "\n")
        if comment:
            self._file().write(f"**{comment}\n")

    def end(self, reason: str) -> None:
        """Writes how the game ended: `%TORYO` and so on."""
        sides = {BLACK: "先手", WHITE: "後手"}
        mover, other = sides[self.board.turn], sides[1 - self.board.turn]
        summaries = {
            "%TORYO": f"{other}の勝ち",
            "%JISHOGI": "持将棋",
            "%KACHI": f"{mover}の入玉勝ち",
            "%SENNICHITE": "千日手",
            "%CHUDAN": "中断",
            "%+ILLEGAL_ACTION": f"{sides[WHITE]}の反則勝ち",
            "%-ILLEGAL_ACTION": f"{sides[BLACK]}の反則勝ち",
            "%ILLEGAL_MOVE": f"{mover}の反則負け",
        }
        if reason in summaries:
            self._file().write(f"まで{self.board.move_number - 1}手で{summaries[reason]}\n")
