"""Records: parsers, exporters, conversion."""

from datetime import datetime

import pytest

import tsumugi
from tsumugi import CSA, KI2, KIF

CSA_TEXT = """V2.2
N+先
N-後
$EVENT:試合
$START_TIME:2026/11/18 09:00:00
'black_rate:someone+abc:2500.5
PI
+
'はじめに
+7776FU
T5
'** 30 -3334FU +2726FU
-3334FU
T7
%TORYO
T2
"""


def test_csa():
    text = CSA_TEXT + "/\nPI\n+\n+2726FU\n%CHUDAN\n"
    first, second = CSA.Parser.parse_str(text)
    assert (first.version, first.names, first.sfen) == ("V2.2", ["先", "後"], tsumugi.STARTING_SFEN)
    assert first.var_info == {"EVENT": "試合", "START_TIME": "2026/11/18 09:00:00"}
    assert [tsumugi.move_to_csa(move) for move in first.moves] == ["7776FU", "3334FU"]
    assert (first.times, first.scores) == ([5, 7, 2], [30, 0])
    assert first.comments == ["30 -3334FU +2726FU", ""]
    assert (first.endgame, first.win, first.comment) == ("%TORYO", tsumugi.WHITE_WIN, "'はじめに\n")
    assert first.ratings == [2500.5, 0]
    assert (second.endgame, second.win, len(second.moves)) == ("%CHUDAN", tsumugi.DRAW, 1)
    parser = CSA.Parser()
    with pytest.raises(ValueError):
        _ = parser.moves
    parser.parse_csa_str(CSA_TEXT)
    assert parser.moves == first.moves and tsumugi.Parser is CSA.Parser


def test_csa_files_and_encodings(tmp_path):
    path = tmp_path / "a.csa"
    path.write_text(CSA_TEXT, encoding="cp932")
    assert CSA.Parser.parse_file(str(path))[0].names == ["先", "後"]
    assert CSA.Parser.parse_file(path, encoding="cp932")[0].names == ["先", "後"]
    with open(path, encoding="cp932") as file:
        assert CSA.Parser.parse_file(file)[0].names == ["先", "後"]
    with pytest.raises(FileNotFoundError):
        CSA.Parser.parse_file(tmp_path / "none")


def test_csa_written_and_read(tmp_path):
    path = str(tmp_path / "out.csa")
    for append in (False, True):
        exporter = CSA.Exporter(path, append)
        exporter.info(names=["a", "b"], var_info={"EVENT": "e"}, comment="c", version="V2.2")
        board = tsumugi.Board()
        for usi in ["7g7f", "3c3d", "8h2b+"]:
            exporter.move(board.push_usi(usi), 4, "** 12")
        exporter.endgame("%TORYO", 9)
        exporter.close()
    games = CSA.Parser.parse_file(path)
    assert len(games) == 2
    for game in games:
        assert (game.moves, game.times, game.scores) == (board.history, [4, 4, 4, 9], [12] * 3)
        assert (game.win, game.var_info, game.names) == (tsumugi.BLACK_WIN, {"EVENT": "e"}, ["a", "b"])
    exporter = CSA.Exporter(path)
    exporter.info(tsumugi.Board("4k4/9/9/9/9/9/9/9/4K4 w R2g 1"))
    exporter.close()
    assert CSA.Parser.parse_file(path)[0].sfen == "4k4/9/9/9/9/9/9/9/4K4 w R2g 1"


def test_kif(testdata, tmp_path):
    text = (
        "開始日時：2026/11/18 09:00\n手合割：香落ち\n下手：した\n上手：うえ\n場所：ここ\n*序\n"
        "   1 ３四歩(33)   ( 0:03/00:00:03)\n*一\n*二\n   2 ７六歩(77)   ( 0:04/00:00:04)\n   3 投了\nまで2手で下手の勝ち\n"
    )
    game = KIF.Parser.parse_str(text)
    assert game.starttime == datetime(2026, 11, 18, 9) and game.names == ["した", "うえ"]
    assert game.sfen == "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    assert (game.comment, game.comments, game.times) == ("序", ["一\n二", None], [3, 4])
    assert (game.win, game.endgame, game.var_info["場所"]) == (tsumugi.BLACK_WIN, "%TORYO", "ここ")
    assert KIF.Parser.parse_file(testdata / "records" / "branches.kif").moves
    with pytest.raises(KIF.ParserException):
        KIF.Parser.parse_str("nothing at all")
    path = tmp_path / "sjis.kif"
    path.write_text(text, encoding="cp932")
    assert KIF.Parser.parse_file(str(path)).moves == game.moves


@pytest.mark.parametrize("name", ["a.kif", "a.kifu"])
def test_kif_written_and_read(tmp_path, name):
    path = str(tmp_path / name)
    exporter = KIF.Exporter(path)
    exporter.header(["先", "後"], datetime(2026, 1, 2, 3, 4, 5))
    board = tsumugi.Board()
    for usi in ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]:
        exporter.move(board.push_usi(usi), 61, 61)
        exporter.info("info depth 12 nodes 345 time 1000 score cp 52 pv 3c3d")
    exporter.end("resign", 1, 62)
    exporter.close()
    game = KIF.Parser.parse_file(path)
    assert (game.moves, game.times, game.names) == (board.history, [61] * 5 + [1], ["先", "後"])
    assert (game.win, game.endgame, game.starttime) == (tsumugi.BLACK_WIN, "%TORYO", datetime(2026, 1, 2, 3, 4, 5))
    assert game.scores[0] == 52 and "深さ 12 ノード数 345 評価値 52" in game.comments[0]
    assert KIF.move_to_kif(game.moves[2], game.moves[1]) == "２二角成(88)"
    with pytest.raises(ValueError):
        KIF.Exporter(path).end("nonsense")


def test_ki2(tmp_path):
    path = str(tmp_path / "a.ki2")
    exporter = KI2.Exporter(path)
    exporter.header(["先", "後"], datetime(2026, 1, 2))
    board = tsumugi.Board()
    said = []
    for usi in ["7g7f", "3c3d", "8h2b+", "3a2b", "4i5h"]:
        said.append(KI2.move_to_ki2(board.move_from_usi(usi), board))
        exporter.move(board.push_usi(usi), "note" if usi == "3c3d" else None)
    exporter.end("%TORYO")
    exporter.close()
    assert said == ["▲７六歩", "△３四歩", "▲２二角成", "△同　銀", "▲５八金右"]
    game = KI2.Parser.parse_file(path)
    assert (game.moves, game.comments[1], game.endgame, game.win) == (board.history, "note", "%TORYO", tsumugi.BLACK_WIN)
    assert "開始日時" not in game.var_info


def test_every_file_of_the_repository(testdata):
    for path in sorted((testdata / "records").iterdir()):
        for record in tsumugi.read_records(path.read_bytes()):
            assert len(record.moves) == len(record) == len(record.scores) == len(record.comments)
            board = tsumugi.Board(record.sfen) if path.suffix != ".bod" else None
            if board and not record.faults:
                for move in record.moves:
                    board.push(move)


def test_records_of_all_formats():
    record = tsumugi.read_records(CSA_TEXT)[0]
    for form in ["kif", "ki2", "csa", "csa3", "jkf", "usi", "usen"]:
        again = tsumugi.read_records(record.write(form))[0]
        assert again.moves == record.moves, form
        assert tsumugi.convert(CSA_TEXT, form) == [record.write(form)]
    board = tsumugi.Board()
    board.set_position(record.position())
    assert board.history == record.moves
    for wrong in [lambda: record.write("doc"), lambda: tsumugi.convert("x", "csa"), lambda: tsumugi.convert(CSA_TEXT, "csa", encoding="x")]:
        with pytest.raises(ValueError):
            wrong()


def test_other_games_are_converted():
    (kif,) = tsumugi.convert("startpos moves 3e3d 3a3b", "kif", variant="minishogi", encoding="utf-8")
    assert "棋種：minishogi" in kif.decode() and "３二銀(31)" in kif.decode()
    assert tsumugi.convert(kif, "usi")[0].split() == b"startpos moves 3e3d 3a3b".split()
    with pytest.raises(ValueError):
        tsumugi.convert("startpos", "csa", variant="nonsense")


def test_illegal_moves_stay_unless_told_otherwise():
    text = "PI\n+\n+7776FU\n-3334FU\n+8978KE\n%+ILLEGAL_ACTION\n"
    assert len(tsumugi.read_records(text)[0]) == 3
    assert len(tsumugi.read_records(text, keep_illegal=False)[0]) == 2
    assert tsumugi.read_records(text)[0].faults
