"""Moves with the methods of python-shogi."""

from __future__ import annotations

from . import _native
from .constants import hand_piece_to_piece_type


class Move(int):
    """A move as an integer that every method of a `Board` takes.

    >>> Move.from_usi("7g7f").usi()
    '7g7f'
    """

    __slots__ = ()

    @classmethod
    def from_usi(cls, usi: str) -> Move:
        """The move of a USI text."""
        return cls(_native.move_from_usi(usi))

    def usi(self) -> str:
        """The move in USI."""
        return _native.move_to_usi(self)

    @property
    def from_square(self) -> int | None:
        """Where the piece comes from; `None` for a drop."""
        return None if _native.move_is_drop(self) else _native.move_from(self)

    @property
    def to_square(self) -> int:
        """Where the piece goes."""
        return _native.move_to(self)

    @property
    def promotion(self) -> bool:
        """Whether the piece promotes."""
        return _native.move_is_promotion(self)

    @property
    def drop_piece_type(self) -> int | None:
        """The kind of a dropped piece."""
        if not _native.move_is_drop(self):
            return None
        return hand_piece_to_piece_type(_native.move_drop_hand_piece(self))

    def __str__(self) -> str:
        return self.usi()

    def __repr__(self) -> str:
        return f"Move.from_usi({self.usi()!r})"
