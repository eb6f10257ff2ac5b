"""Shogi and its family: rules, records, packed positions, mates and books.

The names are those that users of cshogi and python-shogi know:

>>> import tsumugi as cshogi
>>> board = cshogi.Board()
>>> board.push_usi("7g7f")
73275
>>> len(board.legal_moves)
30
>>> cshogi.move_to_csa(board.peek())
'7776FU'

Every other game has the same methods; its moves are their USI texts:

>>> game = cshogi.Game("minishogi")
>>> game.push("3e3d")
>>> game.sfen()
'rbsgk/4p/5/P1S2/KG1BR w - 2'
"""

from typing import TYPE_CHECKING

from ._native import (
    Board,
    Book,
    DfPn,
    Game,
    LegalMoveList,
    MateResult,
    Record,
    convert,
    game_names,
    mate,
    move16,
    move16_from_psv,
    move16_to_psv,
    move_cap,
    move_drop_hand_piece,
    move_from,
    move_from_piece_type,
    move_from_usi,
    move_is_drop,
    move_is_promotion,
    move_rotate,
    move_to,
    move_to_csa,
    move_to_usi,
    read_records,
)
from .constants import *  # noqa: F403
from .move import Move
from .svg import SvgWrapper

if TYPE_CHECKING:
    from . import CSA, KI2, KIF, cli, usi
    from .CSA import Parser
    from .dtypes import (
        BookEntry,
        HuffmanCodedPos,
        HuffmanCodedPosAndEval,
        PackedSfen,
        PackedSfenValue,
        dtypeEval,
        dtypeGameResult,
        dtypeHcp,
        dtypeKey,
        dtypeMove16,
    )

_DTYPES = frozenset([
    "BookEntry", "HuffmanCodedPos", "HuffmanCodedPosAndEval", "PackedSfen", "PackedSfenValue",
    "dtypeEval", "dtypeGameResult", "dtypeHcp", "dtypeKey", "dtypeMove16",
])
_MODULES = frozenset(["CSA", "KI2", "KIF", "cli", "dtypes", "usi"])


def to_usi(move: int) -> bytes:
    """The move in USI as bytes."""
    return move_to_usi(move).encode("ascii")


def to_csa(move: int) -> bytes:
    """The move in CSA as bytes."""
    return move_to_csa(move).encode("ascii")


def rotate_sfen(sfen: str) -> str:
    """The position seen from the other side."""
    squares, side, hands, *number = Board(sfen).sfen().split()
    ranks = []
    for rank in reversed(squares.split("/")):
        pieces: list[str] = []
        for letter in rank:
            if pieces and pieces[-1] == "+":
                pieces[-1] += letter
            else:
                pieces.append(letter)
        ranks.append("".join(reversed(pieces)).swapcase())
    turned = Board(" ".join(["/".join(ranks), "w" if side == "b" else "b", hands.swapcase(), *number]))
    return turned.sfen()


def __getattr__(name: str) -> object:
    """numpy is only needed by its types, and modules are loaded when they are used."""
    import importlib

    if name in _DTYPES:
        return getattr(importlib.import_module(".dtypes", __name__), name)
    if name in _MODULES:
        return importlib.import_module("." + name, __name__)
    if name == "Parser":
        return importlib.import_module(".CSA", __name__).Parser
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
