"""The solver under cshogi's name, and books."""

import json
import threading
import time

import pytest

import tsumugi
from tsumugi import Board, Book, DfPn


def test_dfpn_finds_the_lines_of_known_problems(testdata):
    problems = [json.loads(line) for line in (testdata / "mate" / "problems.jsonl").read_text().splitlines()]
    problems = [problem for problem in problems if problem["result"] == "mate" and problem["strict_len"] <= 9]
    assert len(problems) > 3
    dfpn = DfPn(hash=16)
    for problem in problems:
        board = Board(problem["sfen"])
        assert dfpn.search(board), problem["id"]
        pv = dfpn.get_pv(board)
        assert dfpn.get_move(board) == pv[0] and dfpn.searched_node > 0
        for ply, move in enumerate(pv):
            assert dfpn.get_pv(board) == pv[ply:]
            board.push(move)
        assert board.is_game_over() and board.is_check()
        assert tsumugi.mate(Board(problem["sfen"])).plies == problem["strict_len"]


def test_dfpn_says_no():
    dfpn = DfPn(hash=16)
    assert not dfpn.search(Board("4k4/9/9/9/9/9/9/9/4K4 b P 1"))
    assert dfpn.get_move(Board()) == 0 and dfpn.get_pv(Board()) == []
    dfpn.stop(True)
    assert not dfpn.search(Board("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1"))
    dfpn.stop(False)
    dfpn.set_max_depth(3)
    dfpn.set_draw_ply(300)
    dfpn.set_max_search_node(100_000)
    assert dfpn.search(Board("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1"))
    # Nobody to mate, and a defender who is mated already.
    assert not dfpn.search(Board("9/9/9/9/9/9/9/9/4K4 b 2G 1"))
    assert dfpn.search_andnode(Board("4k4/4G4/4P4/9/9/9/9/9/4K4 w G 1"))


def test_long_searches_let_other_threads_run():
    dfpn = DfPn(hash=16)
    done = []
    thread = threading.Thread(target=lambda: done.append(dfpn.search(Board())))
    thread.start()
    time.sleep(0.05)
    dfpn.stop(True)
    thread.join(60)
    assert not thread.is_alive() and done == [False]


def test_longer_mates_of_boards(testdata):
    problems = [json.loads(line) for line in (testdata / "mate" / "problems.jsonl").read_text().splitlines()]
    for problem in problems:
        if problem["result"] == "mate" and problem["strict_len"] == 5:
            board = Board(problem["sfen"])
            assert board.mate_move(7) != 0 and board.mate_move(5) != 0 and board.mate_move(3) == 0
            board.push(board.mate_move(5))
            assert board.is_mate(4) and board.is_mate(8) and not board.is_mate(2)
            break
    else:
        pytest.fail("no problem of 5 plies")


@pytest.mark.parametrize("memory", [True, False])
def test_books(testdata, memory):
    book = Book(testdata / "books" / "expected_sort.db", memory=memory)
    board = Board()
    found = book.find(board)
    assert len(book) > 1 and board in book and found
    assert {tsumugi.move_to_usi(row[0]) for row in found} == {"7g7f", "2g2f"}
    row = next(row for row in found if tsumugi.move_to_usi(row[0]) == "7g7f")
    assert (tsumugi.move_to_usi(row[1]), *row[2:]) == ("3c3d", 10, 20, 3)
    board.set_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1")
    assert book.find(board) == [] and board not in book
    with pytest.raises(ValueError):
        Book(testdata / "books" / "none.db")
