"""`Board`: positions, moves, packed positions."""

import copy
import json
import pickle

import numpy as np
import pytest

import tsumugi
from tsumugi import Board, Move


def test_moves_are_the_integers_of_cshogi():
    board = Board()
    assert board.push_usi("7g7f") == 73275
    assert board.push_usi("3c3d") == 68117
    assert board.push_usi("8h2b+") == tsumugi.move16(board.peek()) | tsumugi.BISHOP << 16 | tsumugi.BISHOP << 20
    assert board.push_csa("3122GI") and board.push_csa("+0045KA")
    drop = board.peek()
    assert tsumugi.move_is_drop(drop) and tsumugi.move_drop_hand_piece(drop) == tsumugi.HBISHOP
    assert (tsumugi.move_to_usi(drop), tsumugi.move_to_csa(drop), tsumugi.to_csa(drop)) == ("B*4e", "0045KA", b"0045KA")
    assert tsumugi.SQUARE_NAMES[tsumugi.move_to(drop)] == "4e"
    assert board.history[-1] == board.pop() == drop
    assert board.push_usi("9i9a") == 0 and board.push_usi("") == 0 and board.push_csa("x") == 0
    assert len(board.history) == 4


def test_positions_as_text():
    board = Board()
    board.set_position("startpos moves 7g7f 3c3d")
    assert board.position() == "startpos moves 7g7f 3c3d"
    assert board.sfen() == "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3"
    assert tsumugi.rotate_sfen(tsumugi.rotate_sfen(board.sfen())) == board.sfen()
    for wrong in ["", "startpos moves 1a1b", "sfen x", "x"]:
        with pytest.raises(ValueError):
            board.set_position(wrong)
    assert board.position() == "startpos moves 7g7f 3c3d"
    with pytest.raises(ValueError):
        Board("9/9/9/9/9/9/9/9/9 b - 1")
    board.reset()
    assert board == Board() and board.sfen() == tsumugi.STARTING_SFEN


def test_illegal_moves_are_refused():
    board = Board()
    for wrong in [0, 1, 2**31, board.move_from_usi("7g7f") ^ 1]:
        with pytest.raises(ValueError):
            board.push(wrong)
        assert not board.is_legal(wrong)
    with pytest.raises(IndexError):
        board.pop()
    with pytest.raises(OverflowError):
        board.push(-1)
    assert board == Board()


def test_legal_moves_iterate_and_contain():
    board = Board()
    moves = board.legal_moves
    assert len(moves) == 30 == len(list(moves)) == len(set(moves))
    assert next(moves) in moves
    assert Move.from_usi("7g7f") in board.legal_moves and Move.from_usi("7g7e") not in board.legal_moves
    assert sorted(tsumugi.LegalMoveList(board)) == sorted(board.legal_moves)


def test_the_names_of_python_shogi():
    board = Board("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    move = Move.from_usi("G*5b")
    assert (move.usi(), move.from_square, move.to_square, move.drop_piece_type) == ("G*5b", None, 37, tsumugi.GOLD)
    assert not board.is_checkmate()
    board.push(move)
    assert board.is_checkmate() and board.is_game_over()
    assert "v玉" in board.kif_str() and Move.from_usi("8h2b+").promotion


def test_repetition():
    board = Board()
    for _ in range(3):
        assert not board.is_fourfold_repetition()
        for usi in ["2h3h", "8b7b", "3h2h", "7b8b"]:
            assert board.push_usi(usi)
    assert board.is_fourfold_repetition() and board.is_draw() == tsumugi.REPETITION_DRAW
    assert board.is_draw(3) == tsumugi.NOT_REPETITION
    assert board.move_is_draw(board.move_from_usi("2h3h")) == tsumugi.REPETITION_DRAW


def test_packed_positions_in_every_kind_of_buffer():
    board = Board()
    for usi in ["7g7f", "3c3d", "8h2b+", "3a2b"]:
        board.push_usi(usi)
    rows = np.zeros(3, tsumugi.HuffmanCodedPosAndEval)
    board.to_hcp(rows[1]["hcp"])
    board.to_psfen(psfen := np.zeros(1, tsumugi.PackedSfen))
    other = Board()
    other.set_hcp(rows[1]["hcp"])
    assert other.sfen().split()[:3] == board.sfen().split()[:3]
    other.reset()
    other.set_hcp(np.asarray(rows[1]))
    assert other.zobrist_hash() == board.zobrist_hash()
    other.set_psfen(psfen)
    assert other.zobrist_hash() == board.zobrist_hash()
    packed = bytearray(32)
    board.to_hcp(packed)
    assert bytes(packed) == board.to_hcp() == rows[1]["hcp"].tobytes()
    assert board.to_psfen() == psfen.tobytes()
    for wrong in [b"", bytes(31), np.zeros(31, np.uint8), np.zeros(64, np.uint8)[::2], b"\xff" * 32]:
        with pytest.raises((ValueError, BufferError)):
            other.set_hcp(wrong)
    for wrong in [bytes(32), np.zeros(31, np.uint8), np.zeros(4, object), np.zeros(2, [("x", "u1"), ("o", object, (2,))])]:
        with pytest.raises((ValueError, BufferError)):
            board.to_hcp(wrong)
    with pytest.raises(TypeError):
        other.set_hcp(1)


def test_packed_positions_of_cshogi(testdata):
    board = Board()
    lines = [json.loads(line) for line in (testdata / "packed" / "cshogi.jsonl").read_text().splitlines()]
    assert len(lines) > 10
    for line in lines:
        board.set_sfen(line["sfen"])
        assert board.to_hcp().hex() == line["hcp"]
        assert board.to_psfen().hex() == line["psfen"]


def test_pieces_and_hands():
    board = Board()
    assert board.piece(tsumugi.I5) == tsumugi.BKING and board.piece_type(tsumugi.A5) == tsumugi.KING
    assert board.pieces[tsumugi.B8] == tsumugi.WROOK and sum(board.pieces_in_hand[0]) == 0
    assert (board.king_square(tsumugi.BLACK), board.king_square(tsumugi.WHITE)) == (44, 36)
    pieces = board.pieces
    pieces[tsumugi.G1] = tsumugi.NONE
    hands = ([1, 0, 0, 0, 0, 0, 0], [0] * 7)
    board.set_pieces(pieces, hands)
    assert board.pieces_in_hand == hands and board.is_ok()
    for wrong in [(pieces[1:], hands), ([15] * 81, hands), (pieces, ([19] + [0] * 6, [0] * 7)), (pieces, ([], []))]:
        with pytest.raises(ValueError):
            board.set_pieces(*wrong)
    for wrong in [81, 200]:
        with pytest.raises(ValueError):
            board.piece(wrong)


def test_copies_do_not_share():
    board = Board()
    board.push_usi("7g7f")
    for other in [board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board)), Board(board=board)]:
        assert other == board and other.history == board.history
        other.pop()
        assert other == Board() and len(board.history) == 1


def test_turn_number_and_passes():
    board = Board()
    board.push_usi("7g7f")
    board.push_pass()
    assert board.turn == tsumugi.BLACK and board.peek() == tsumugi.MOVE_NONE
    board.pop_pass()
    with pytest.raises(ValueError):
        board.pop_pass()
    board.move_number = 10
    assert board.sfen().endswith(" 10") and board.history == [73275]
    for wrong in [0, 1, 2**32 - 1]:
        with pytest.raises(ValueError):
            board.move_number = wrong
    board.turn = tsumugi.BLACK
    assert board.turn == tsumugi.BLACK
    with pytest.raises(ValueError):
        board.turn = 2


def test_declaration():
    assert not Board().is_nyugyoku()
    assert Board("2+P+PK+P+P2/2+P+P1+P+P2/3+P+P+P3/9/9/9/9/9/4k4 b 2R2B4g4s4n4l 1").is_nyugyoku()


def test_mates():
    board = Board("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1")
    assert tsumugi.move_to_usi(board.mate_move_in_1ply()) in ("G*5b", "G*4b", "G*6b")
    assert tsumugi.move_to_usi(board.mate_move(3))[:2] == "G*"
    assert not board.is_mate(2) and board.mate_move(1) != 0
    assert Board().mate_move_in_1ply() == 0 and Board().mate_move(3) == 0
    for call in [lambda: board.mate_move(2), lambda: board.is_mate(3)]:
        with pytest.raises(ValueError):
            call()


def test_pictures():
    board = Board()
    board.push_usi("7g7f")
    board.push_usi("3c3d")
    assert board.to_bod().splitlines()[-1] == "手数＝2　△３四歩　まで"
    assert board.to_bod().splitlines()[:3] == ["後手の持駒：なし", "  ９ ８ ７ ６ ５ ４ ３ ２ １", "+---------------------------+"]
    svg = board.to_svg(board.peek(), scale=2)
    assert svg.startswith("<svg") and svg.count("歩") == 18 and svg._repr_svg_() == svg
    import xml.etree.ElementTree

    xml.etree.ElementTree.fromstring(board._repr_svg_())
    assert "歩" in str(board) and repr(board) == f"Board('{board.sfen()}')"


def test_perft(testdata):
    positions = json.loads((testdata / "perft" / "shogi.json").read_text())["positions"]
    for name, position in positions.items():
        board = Board(position["sfen"])
        for depth, count in position["perft"].items():
            if count <= 200_000:
                assert board.perft(int(depth)) == count, name
