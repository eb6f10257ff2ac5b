"""Pictures of boards as SVG."""

from __future__ import annotations

import re
from typing import Iterable
from xml.sax.saxutils import escape

from . import _native
from .constants import (
    HAND_PIECE_JAPANESE_SYMBOLS,
    NUMBER_JAPANESE_KANJI_SYMBOLS,
    PIECE_JAPANESE_SYMBOLS,
    SQUARES,
    piece_to_piece_type,
)

CELL = 20
#: Room for a hand on either side.
MARGIN = 22
LAST_TO = "#f6c667"
LAST_FROM = "#fbe9c6"
BOARD = "#fff8e8"


class SvgWrapper(str):
    """SVG that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


class _Picture:
    """A board of so many files and ranks; squares are counted from the upper left corner."""

    def __init__(self, files: int, ranks: int, scale: float):
        self.files, self.ranks = files, ranks
        self.width, self.height = files * CELL + 2 * MARGIN + 10, ranks * CELL + 20
        self.scale = scale
        self.parts: list[str] = [
            f'<rect x="{MARGIN}" y="12" width="{files * CELL}" height="{ranks * CELL}" fill="{BOARD}" stroke="black" stroke-width="1.5"/>'
        ]

    def corner(self, column: int, row: int) -> tuple[int, int]:
        return MARGIN + column * CELL, 12 + row * CELL

    def mark(self, column: int, row: int, color: str) -> None:
        x, y = self.corner(column, row)
        self.parts.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{color}"/>')

    def text(self, x: float, y: float, text: str, size: float, turned: bool = False, color: str = "black") -> None:
        turn = f' transform="rotate(180 {x} {y})"' if turned else ""
        self.parts.append(
            f'<text x="{x}" y="{y}" font-family="serif" font-size="{size}" text-anchor="middle" '
            f'dominant-baseline="central" fill="{color}"{turn}>{escape(text)}</text>'
        )

    def piece(self, column: int, row: int, text: str, turned: bool, promoted: bool) -> None:
        x, y = self.corner(column, row)
        size = 16 if len(text) < 2 else 11
        self.text(x + CELL / 2, y + CELL / 2, text, size, turned, "#b00000" if promoted else "black")

    def hand(self, pieces: Iterable[tuple[str, int]], turned: bool) -> None:
        words = ["☖" if turned else "☗"]
        for symbol, count in pieces:
            if count > 0:
                number = NUMBER_JAPANESE_KANJI_SYMBOLS[count] if 1 < count < len(NUMBER_JAPANESE_KANJI_SYMBOLS) else None
                words.extend(symbol + (number or (str(count) if count > 1 else "")))
        step = min(14.0, (self.height - 20) / len(words))
        x = MARGIN / 2 if turned else self.width - MARGIN / 2
        for index, word in enumerate(words):
            y = 12 + step * (index + 0.5)
            self.text(x, self.height - y if turned else y, word, step * 0.9, turned)

    def finish(self) -> SvgWrapper:
        for file in range(1, self.files):
            x = MARGIN + file * CELL
            self.parts.append(f'<line x1="{x}" y1="12" x2="{x}" y2="{12 + self.ranks * CELL}" stroke="black"/>')
        for rank in range(1, self.ranks):
            y = 12 + rank * CELL
            self.parts.append(f'<line x1="{MARGIN}" y1="{y}" x2="{MARGIN + self.files * CELL}" y2="{y}" stroke="black"/>')
        for file in range(self.files):
            self.text(MARGIN + (file + 0.5) * CELL, 6, str(self.files - file), 9)
        for rank in range(self.ranks):
            name = NUMBER_JAPANESE_KANJI_SYMBOLS[rank + 1] or ""
            self.text(MARGIN + self.files * CELL + 6, 12 + (rank + 0.5) * CELL, name, 9)
        size = f'width="{self.width * self.scale:g}" height="{self.height * self.scale:g}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {self.width} {self.height}">'
        return SvgWrapper(head + "".join(self.parts) + "</svg>")


def board_svg(board: _native.Board, lastmove: int | None, scale: float) -> SvgWrapper:
    """A board of shogi."""
    picture = _Picture(9, 9, scale)
    if lastmove:
        to = _native.move_to(lastmove)
        if to in SQUARES:
            picture.mark(8 - to // 9, to % 9, LAST_TO)
        if not _native.move_is_drop(lastmove):
            origin = _native.move_from(lastmove)
            picture.mark(8 - origin // 9, origin % 9, LAST_FROM)
    for square, piece in enumerate(board.pieces):
        if piece:
            kind = piece_to_piece_type(piece)
            picture.piece(8 - square // 9, square % 9, PIECE_JAPANESE_SYMBOLS[kind], piece > 16, kind > 8)
    for turned, counts in enumerate(board.pieces_in_hand):
        in_hand = list(zip(HAND_PIECE_JAPANESE_SYMBOLS, counts))
        picture.hand(reversed(in_hand), bool(turned))
    return picture.finish()


_ON_BOARD = re.compile(r"\d+|\+?[A-Za-z]'?|[^\d]")


def game_svg(game: _native.Game, lastmove: str | None, scale: float) -> SvgWrapper:
    """A board of any game by the letters of its SFEN."""
    fields = game.sfen().split()
    rows = [list(_ON_BOARD.findall(row)) for row in fields[0].split("/")]
    files = max(sum(int(word) if word.isdigit() else 1 for word in row) for row in rows)
    picture = _Picture(files, len(rows), scale)
    for word in re.findall(r"(\d+)([a-l])", lastmove or "")[-1:]:
        column, row = files - int(word[0]), ord(word[1]) - ord("a")
        if 0 <= column < files and row < len(rows):
            picture.mark(column, row, LAST_TO)
    for number, pieces in enumerate(rows):
        column = 0
        for word in pieces:
            if word.isdigit():
                column += int(word)
                continue
            picture.piece(column, number, word.upper(), word[-1].islower(), word.startswith("+"))
            column += 1
    if len(fields) > 2 and re.fullmatch(r"-|(\d*\+?[A-Za-z])+", fields[2]):
        for turned in (False, True):
            counted = [
                (letter.upper(), int(count or 1))
                for count, letter in re.findall(r"(\d*)(\+?[A-Za-z])", fields[2])
                if letter[-1].islower() == turned
            ]
            picture.hand(counted, turned)
    return picture.finish()
