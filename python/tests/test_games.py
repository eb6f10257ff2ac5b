"""`Game`: every game of the house."""

import copy
import json
import pickle
import random
import xml.etree.ElementTree

import pytest

import tsumugi
from tsumugi import Game


@pytest.mark.parametrize("name", tsumugi.game_names())
def test_every_game_plays(name):
    game, rng = Game(name), random.Random(name)
    start = game.sfen()
    for _ in range(40):
        moves = game.legal_moves
        if game.is_game_over() or not moves:
            break
        move = rng.choice(moves)
        assert game.is_legal(move)
        game.push(move)
        assert game.peek() == game.history[-1]
        again = Game(name, game.sfen())
        assert again.sfen() == game.sfen() and sorted(again.legal_moves) == sorted(game.legal_moves)
    again = Game(name)
    again.set_position(game.position())
    assert again.history == game.history and again.zobrist_hash() == game.zobrist_hash()
    for other in [game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]:
        assert other.position() == game.position()
    xml.etree.ElementTree.fromstring(game._repr_svg_())
    assert str(game) and game.picture(kanji=False).isascii() is not None
    while game.history:
        game.pop()
    assert game.sfen() == start
    with pytest.raises(IndexError):
        game.pop()


def test_wrong_words_leave_the_game_alone():
    with pytest.raises(ValueError, match="game_names"):
        Game("chess")
    game = Game("minishogi")
    game.push("3e3d")
    before = game.position()
    for call in [lambda: game.push("9z9z"), lambda: game.set_sfen("x"), lambda: game.set_position("startpos moves 1a1a"), lambda: game.push("")]:
        with pytest.raises(ValueError):
            call()
        assert game.position() == before


def test_counts_of_other_programs(testdata):
    tables = json.loads((testdata / "fairy" / "perft.json").read_text())
    assert Game("minishogi").perft(3) == 2512
    assert tables["sections"]


def test_a_variant_of_ones_own():
    game = Game("small", variants="[small:minishogi]\nstartFen = rbsgk/4p/5/P4/KGSB1 w - 1\n")
    assert game.sfen() == "rbsgk/4p/5/P4/KGSB1 b - 1"
    assert pickle.loads(pickle.dumps(game)).sfen() == game.sfen()
    with pytest.raises(ValueError):
        Game("small", variants="[small\nnonsense")


def test_mates_and_ends():
    game = Game("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1")
    found = game.mate()
    assert found and found.plies == 1 and found.verdict == "mate"
    game.push(found.line[0])
    assert game.is_game_over() and game.outcome() == (0, "no legal move")
    assert Game("minishogi").mate(nodes=1000).verdict in ("nomate", "unknown")
    board = tsumugi.Board("4k4/9/9/9/9/9/9/9/4K4 b 2R 1")
    found = tsumugi.mate(board)
    assert found.exact and found.plies == len(found.line) and found.nodes > 0
