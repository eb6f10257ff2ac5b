"""Records in KIF: `Parser` reads, `Exporter` writes; boards and moves in Japanese."""

from __future__ import annotations

import math
import os
from datetime import datetime
from typing import IO, Sequence

from . import _native
from .constants import (
    BLACK,
    DRAW,
    HAND_PIECE_JAPANESE_SYMBOLS,
    NUMBER_JAPANESE_KANJI_SYMBOLS,
    NUMBER_JAPANESE_NUMBER_SYMBOLS,
    PIECE_JAPANESE_SYMBOLS,
    SQUARES,
)

KIFU_TO_SQUARE_NAMES = [
    f"{NUMBER_JAPANESE_NUMBER_SYMBOLS[square // 9 + 1]}{NUMBER_JAPANESE_KANJI_SYMBOLS[square % 9 + 1]}"
    for square in SQUARES
]
KIFU_FROM_SQUARE_NAMES = [f"{square // 9 + 1}{square % 9 + 1}" for square in SQUARES]

#: The header of a game has its time in one of these forms.
_TIMES = ["%Y/%m/%d %H:%M:%S", "%Y/%m/%d %H:%M", "%Y/%m/%d"]


class ParserException(ValueError):
    """A text that is no record."""


class Parser:
    """A game of a KIF file."""

    FORMAT = "kif"

    def __init__(self, record: _native.Record | None = None):
        self.record = record
        self.starttime: datetime | None = None
        self.names: list[str | None] = [None, None]
        self.sfen = ""
        self.var_info: dict[str, str] = {}
        self.comment = ""
        self.moves: list[int] = []
        self.times: list[int] = []
        self.scores: list[int] = []
        self.comments: list[str | None] = []
        self.win: int | None = None
        self.endgame: str | None = None
        if record is not None:
            self._take(record)

    def _take(self, record: _native.Record) -> None:
        players = ("先手", "後手", "下手", "上手", "手合割")
        self.starttime = start_time(record.date)
        self.names = list(record.names)
        self.sfen = record.sfen
        self.var_info = {name: value for name, value in record.var_info.items() if name not in players}
        self.comment = record.comment
        self.moves = record.moves
        self.times = record.times
        self.scores = record.scores
        self.comments = record.comments
        self.win = record.win
        self.endgame = record.endgame

    @classmethod
    def parse_file(cls, path: str | os.PathLike[str]) -> Parser:
        """Reads the first game of a file; its encoding is found out."""
        with open(path, "rb") as file:
            return cls.parse_str(file.read())

    @classmethod
    def parse_str(cls, kif_str: str | bytes) -> Parser:
        """Reads the first game of a text."""
        try:
            records = _native.read_records(kif_str, cls.FORMAT)
        except ValueError as error:
            raise ParserException(str(error)) from error
        if not records:
            raise ParserException("no game record found")
        return cls(records[0])


def start_time(text: str | None) -> datetime | None:
    """The time of a header, if it is written as such."""
    for form in _TIMES if text else []:
        try:
            return datetime.strptime(str(text).strip(), form)
        except ValueError:
            continue
    return None


def sec_to_time(sec: float) -> tuple[int, int, int]:
    """Hours, minutes and seconds, begun seconds counted whole."""
    minutes, seconds = divmod(math.ceil(sec), 60)
    return minutes // 60, minutes % 60, seconds


def move_to_kif(move: int, prev_move: int | None = None) -> str:
    """A move as KIF writes it: `７六歩(77)`."""
    to = _native.move_to(move)
    target = "同　" if prev_move and _native.move_to(prev_move) == to else KIFU_TO_SQUARE_NAMES[to]
    if _native.move_is_drop(move):
        return f"{target}{HAND_PIECE_JAPANESE_SYMBOLS[_native.move_drop_hand_piece(move)]}打"
    piece = PIECE_JAPANESE_SYMBOLS[_native.move_from_piece_type(move)]
    promotion = "成" if _native.move_is_promotion(move) else ""
    return f"{target}{piece}{promotion}({KIFU_FROM_SQUARE_NAMES[_native.move_from(move)]})"


def board_to_bod(board: _native.Board) -> str:
    """The diagram of a position."""
    return board.diagram()


def move_to_bod(move: int, board: _native.Board) -> str:
    """A move below a diagram: 同 is written with its square."""
    said = board.spoken(move)
    if said[1] != "同":
        return said
    return said[0] + KIFU_TO_SQUARE_NAMES[_native.move_to(move)] + "同" + said[2:].lstrip("　")


#: What `Exporter.end` takes, with the word of its line and the summary below it.
_ENDINGS = {
    "resign": ("投了", "{winner}の勝ち"),
    "win": ("入玉宣言", "入玉宣言"),
    "draw": ("持将棋", "持将棋"),
    "sennichite": ("千日手", "千日手"),
    "illegal_win": ("反則勝ち", "{mover}の反則勝ち"),
    "illegal_lose": ("反則負け", "{mover}の反則負け"),
}


class Exporter:
    """Writes a game to a KIF file move by move; `.kifu` files in UTF-8, others in Shift_JIS."""

    def __init__(self, path: str | None = None):
        self.kifu: IO[str] | None = None
        self.prev_move: int | None = None
        self.move_number = 1
        self.first_turn = BLACK
        if path:
            self.open(path)

    def open(self, path: str) -> None:
        """Opens the file."""
        encoding = "utf-8" if os.path.splitext(path)[1] == ".kifu" else "cp932"
        self.kifu = open(path, "w", encoding=encoding)
        self.prev_move = None
        self.move_number = 1
        self.first_turn = BLACK

    def close(self) -> None:
        """Closes the file."""
        self._file().close()

    def _file(self) -> IO[str]:
        if self.kifu is None:
            raise ValueError("no file is open: call open")
        return self.kifu

    def header(
        self,
        names: Sequence[str],
        starttime: datetime | None = None,
        handicap: str | _native.Board | None = None,
    ) -> None:
        """Begins the game: time, handicap (a name, `sfen …` or a board) and players."""
        file = self._file()
        file.write((starttime or datetime.now()).strftime("開始日時：%Y/%m/%d %H:%M:%S\n"))
        if isinstance(handicap, str) and handicap.startswith("sfen "):
            handicap = _native.Board(handicap.removeprefix("sfen "))
        if isinstance(handicap, _native.Board):
            self.first_turn = handicap.turn
            file.write(board_to_bod(handicap) + "\n")
        else:
            # Every other handicap begins with the player who gives it.
            self.first_turn = BLACK if handicap in (None, "平手") else 1
            file.write(f"手合割：{handicap or '平手'}\n")
        file.write(f"先手：{names[0]}\n後手：{names[1]}\n手数----指手---------消費時間--\n")

    def _line(self, text: str, sec: float, sec_sum: float) -> None:
        minutes, seconds = divmod(math.ceil(sec), 60)
        hours_sum, minutes_sum, seconds_sum = sec_to_time(sec_sum)
        self._file().write(
            f"{self.move_number:>4} {text}      ({minutes:>2}:{seconds:02}/{hours_sum:02}:{minutes_sum:02}:{seconds_sum:02})\n"
        )

    def move(self, move: int, sec: float = 0, sec_sum: float = 0) -> None:
        """Writes a move with the seconds it took, and all that its player has used."""
        padding = "    " if _native.move_is_drop(move) else "" if _native.move_is_promotion(move) else "  "
        self._line(move_to_kif(move, self.prev_move) + padding, sec, sec_sum)
        self.move_number += 1
        self.prev_move = move

    def end(self, reason: str, sec: float = 0, sec_sum: float = 0) -> None:
        """Writes how the game ended: `resign`, `win`, `draw`, `sennichite`, `illegal_win` or `illegal_lose`."""
        if reason not in _ENDINGS:
            raise ValueError(f"`{reason}` is not an ending: use one of {', '.join(_ENDINGS)}")
        name, summary = _ENDINGS[reason]
        self._line(name + "　" * (6 - len(name)), sec, sec_sum)
        sides = ["先手", "後手"]
        mover = sides[(self.first_turn + self.move_number - 1) % 2]
        winner = sides[(self.first_turn + self.move_number) % 2]
        self._file().write(f"まで{self.move_number - 1}手で{summary.format(winner=winner, mover=mover)}\n")

    def info(self, info: str) -> None:
        """Writes what an engine said (a USI `info` line) as a comment."""
        words = info.split()
        sign = 1 if self.move_number % 2 != self.first_turn else -1
        said = {name: words[at + 1] for at, name in enumerate(words[:-1]) if name in ("time", "depth", "nodes", "cp", "mate")}
        comment = "**対局"
        if (time := said.get("time", "")).isdigit():
            minutes, seconds = divmod(int(time) / 1000, 60)
            comment += f" 時間 {int(minutes):02}:{seconds:04.1f}"
        for name, japanese in (("depth", "深さ"), ("nodes", "ノード数")):
            if name in said:
                comment += f" {japanese} {said[name]}"
        if "cp" in said:
            comment += f" 評価値 {int(said['cp']) * -sign}"
        elif "mate" in said:
            mates = (-1 if said["mate"].startswith("-") else 1) * -sign
            comment += f" {'+' if mates > 0 else '-'}詰{said['mate'].lstrip('+-')}"
        self._file().write(comment + "\n")


__all__ = [
    "DRAW", "Exporter", "KIFU_FROM_SQUARE_NAMES", "KIFU_TO_SQUARE_NAMES", "Parser", "ParserException",
    "board_to_bod", "move_to_bod", "move_to_kif", "sec_to_time", "start_time",
]
