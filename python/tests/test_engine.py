"""`usi.Engine`, its listeners and `cli.main`, with an engine written for the test."""

import sys

import pytest

import tsumugi
from tsumugi import CSA, cli
from tsumugi.usi import Engine, InfoListener, MultiPVListener

ENGINE = '''
import sys
import tsumugi
board, mode = tsumugi.Board(), sys.argv[1]
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["usi"]:
        print("id name test " + mode); print("option name X type spin default 1"); print("usiok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        board.set_position(line.removeprefix("position").strip())
    elif words[:2] == ["go", "mate"]:
        print("checkmate nomate", flush=True)
    elif words[:1] == ["go"]:
        if mode == "dies" and board.move_number > 4:
            sys.exit(1)
        moves = sorted(tsumugi.move_to_usi(m) for m in board.legal_moves)
        for number, move in enumerate(moves[:2], 1):
            print(f"info multipv {number} depth 3 nodes 10 time 1 score cp {30 - number} pv {move} 1a1b")
        print("bestmove " + ("9a9a" if mode == "cheats" else "resign" if not moves else moves[0]) + " ponder 1a1b", flush=True)
    elif words[:1] == ["quit"]:
        break
'''


@pytest.fixture
def engine(tmp_path):
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)
    return lambda mode: [sys.executable, str(path), mode]


def test_engine_and_listeners(engine):
    with Engine(engine("plays")) as player:
        assert player.name == "test plays" and "option name X type spin default 1" in player.usi()
        player.setoption("X", 2)
        player.isready()
        player.usinewgame()
        player.position(["7g7f"])
        listener, several, heard = InfoListener(), MultiPVListener(), []
        move, ponder = player.go(byoyomi=10, listener=lambda line: (listener(line), several(line), heard.append(line)))
        assert (move, ponder) == (listener.bestmove, "1a1b") and heard[0] == "go byoyomi 10"
        assert (listener.score, listener.pv[0], listener.info["depth"]) == (29, move, 3)
        assert [info["multipv"] for info in several.info] == [1, 2]
        assert player.go_mate(10) == "nomate"
        player.gameover("win")
        with pytest.raises(ValueError):
            player.setoption("a\nquit", 1)
    assert player.proc is None
    with pytest.raises(EOFError):
        player.isready()


def test_mate_scores():
    listener = InfoListener(mate_score=1000)
    for said, score in [("mate 5", 1000), ("mate -3", -1000), ("mate +", 1000), ("mate -", -1000), ("cp 7", 7)]:
        listener.listen()
        listener(f"info depth 1 score {said} pv 7g7f")
        assert listener.score is None
        listener("bestmove 7g7f")
        assert listener.score == score


def test_an_engine_that_ends_raises(engine):
    with pytest.raises(EOFError):
        Engine([sys.executable, "-c", "pass"])
    with pytest.raises(FileNotFoundError):
        Engine("/nowhere/engine")


def test_games_between_engines(engine, tmp_path, capsys):
    games = []
    result = cli.main(engine("plays"), engine("plays"), games=2, draw=10, byoyomi=100, csa=str(tmp_path / "csa"), names=["a", "b"], callback=games.append)
    assert (result["draw"], result["total"], result["engine1_name"]) == (2, 2, "a")
    assert "2 of 2 games finished" in capsys.readouterr().out and len(games[1]["moves"]) == 10
    files = sorted((tmp_path / "csa").iterdir())
    parsed = [CSA.Parser.parse_file(path)[0] for path in files]
    assert sorted(game.names for game in parsed) == [["a", "b"], ["b", "a"]]
    assert all(game.scores[0] == 29 and game.scores[1] == -29 for game in parsed)


@pytest.mark.parametrize(("mode", "endgame"), [("cheats", "%ILLEGAL_MOVE"), ("dies", "%ERROR")])
def test_an_engine_at_fault_loses(engine, mode, endgame):
    games = []
    result = cli.main(engine("plays"), engine(mode), games=2, time=1000, inc=10, draw=20, print_summary=False, callback=games.append)
    assert (result["engine1_won"], result["engine2_won"]) == (2, 0)
    assert {game["endgame"] for game in games} == {endgame}


def test_openings(engine, tmp_path):
    path = tmp_path / "openings.sfen"
    path.write_text("startpos moves 7g7f 3c3d\n")
    games = []
    cli.main(engine("plays"), engine("plays"), games=1, draw=4, opening=str(path), byoyomi=10, print_summary=False, callback=games.append)
    assert [tsumugi.move_to_usi(move) for move in games[0]["moves"]][:2] == ["7g7f", "3c3d"]
