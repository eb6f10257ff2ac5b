"""Records in CSA: `Parser` reads, `Exporter` writes."""

from __future__ import annotations

import os
from typing import IO, Mapping, Sequence

from . import _native
from .constants import BLACK, COLORS, DRAW, opponent

COLOR_SYMBOLS = ["+", "-"]
JAPANESE_END_GAMES = {
    "%TORYO": "投了",
    "%CHUDAN": "中断",
    "%SENNICHITE": "千日手",
    "%TIME_UP": "切れ負け",
    "%ILLEGAL_MOVE": "反則負け",
    "%JISHOGI": "持将棋",
    "%KACHI": "入玉宣言",
}


class Parser:
    """A game of a CSA file."""

    __slots__ = ("record",)
    FORMAT = "csa"

    def __init__(self, record: _native.Record | None = None):
        self.record = record

    @staticmethod
    def parse_file(file: str | os.PathLike[str] | IO[str] | IO[bytes], encoding: str | None = None) -> list[Parser]:
        """Reads the games of a file; the encoding is found out unless it is given."""
        if isinstance(file, (str, os.PathLike)):
            with open(file, "rb") as opened:
                data: bytes | str = opened.read()
        else:
            data = file.read()
        if encoding is not None and isinstance(data, bytes):
            data = data.decode(encoding)
        return Parser.parse_str(data)

    @staticmethod
    def parse_str(csa_str: str | bytes) -> list[Parser]:
        """Reads the games of a text."""
        return [Parser(record) for record in _native.read_records(csa_str, "csa")]

    def parse_csa_file(self, path: str | os.PathLike[str]) -> None:
        """Reads the first game of a file."""
        with open(path, "rb") as file:
            self.parse_csa_str(file.read())

    def parse_csa_str(self, csa_str: str | bytes) -> None:
        """Reads the first game of a text."""
        records = _native.read_records(csa_str, "csa")
        if not records:
            raise ValueError("no game record found")
        self.record = records[0]

    def _read(self) -> _native.Record:
        if self.record is None:
            raise ValueError("nothing was read yet: call parse_csa_file or parse_csa_str")
        return self.record

    @property
    def version(self) -> str:
        """The version line."""
        return self._read().version

    @property
    def var_info(self) -> dict[str, str]:
        """The fields that begin with `$`."""
        return self._read().var_info

    @property
    def sfen(self) -> str:
        """The start position."""
        return self._read().sfen

    @property
    def endgame(self) -> str:
        """How the game ended, with the `%` of the file; empty if it does not say."""
        return self._read().endgame or ""

    @property
    def names(self) -> list[str]:
        """The players."""
        return [name or "" for name in self._read().names]

    @property
    def ratings(self) -> list[float]:
        """The players' ratings, 0 where the file has none."""
        return self._read().ratings

    @property
    def moves(self) -> list[int]:
        """The moves."""
        return self._read().moves

    @property
    def times(self) -> list[int]:
        """Seconds for each move, and for the ending where the file has them."""
        record = self._read()
        return record.times or [0] * len(record)

    @property
    def scores(self) -> list[int]:
        """What engines noted for each move, 0 where they did not."""
        return self._read().scores

    @property
    def comments(self) -> list[str]:
        """The comment to each move, empty where there is none."""
        return [comment or "" for comment in self._read().comments]

    @property
    def comment(self) -> str:
        """The comments that belong to no move."""
        return self._read().comment

    @property
    def win(self) -> int:
        """Who won: `BLACK_WIN`, `WHITE_WIN`, or `DRAW` for everything else."""
        return self._read().win or DRAW


class Exporter:
    """Writes games to a CSA file move by move."""

    def __init__(self, path: str | None = None, append: bool = False, encoding: str | None = None):
        self.f: IO[str] | None = None
        self.turn = BLACK
        if path:
            self.open(path, append, encoding)

    def open(self, path: str, append: bool = False, encoding: str | None = None) -> None:
        """Opens the file."""
        self.f = open(path, "a" if append else "w", newline="\n", encoding=encoding or "utf-8")

    def close(self) -> None:
        """Closes the file."""
        self._file().close()

    def _file(self) -> IO[str]:
        if self.f is None:
            raise ValueError("no file is open: call open")
        return self.f

    def info(
        self,
        init_board: str | _native.Board | None = None,
        names: Sequence[str] | None = None,
        var_info: Mapping[str, str] | None = None,
        comment: str | None = None,
        version: str | None = None,
    ) -> None:
        """Begins a game: players, fields and start position."""
        file = self._file()
        board = _native.Board(init_board) if isinstance(init_board, str) else init_board or _native.Board()
        lines = ["/"] if file.tell() != 0 else []
        if version:
            lines.append(version)
        lines.extend(f"N{COLOR_SYMBOLS[color]}{name}" for color, name in zip(COLORS, names or []))
        if comment:
            text = comment if comment.startswith("'") else "'" + comment
            lines.append(text.removesuffix("\n"))
        lines.extend(f"${name}:{value}" for name, value in (var_info or {}).items())
        even = board.csa_pos() == _native.Board().csa_pos()
        lines.append("PI\n+" if even else board.csa_pos().removesuffix("\n"))
        file.write("\n".join(lines) + "\n")
        self.turn = board.turn

    def move(self, move: int, time: int | None = None, comment: str | None = None, sep: str = "\n") -> None:
        """Writes a move with its time in seconds."""
        parts = [COLOR_SYMBOLS[self.turn] + _native.move_to_csa(move)]
        if time is not None:
            parts.append(f"T{time}")
        if comment:
            parts.append("'" + comment)
        self._file().write(sep.join(parts) + "\n")
        self.turn = opponent(self.turn)

    def endgame(self, endgame: str, time: int | None = None) -> None:
        """Writes how the game ended: `%TORYO` and so on."""
        file = self._file()
        file.write(endgame + "\n")
        if time is not None:
            file.write(f"T{time}\n")
        file.flush()
