//! `Board`: a position of shogi with the methods that cshogi's users know.

use crate::mates;
use crate::move_list::LegalMoveList;
use crate::moves::{HAND_ORDER, csa_name, csa_text, move_of, number_of};
use crate::{buffers, value_error};
use game::{Game, Repetition, Script};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use record::Format;
use shogi::{
    Color, Declaration, Hand, HuffmanCodedPos, Move, PackedSfen, Piece, PieceKind, Position, Rank, Setup,
    Shogi, Square,
};
use std::fmt::Write;

/// Boards begin with room for so many moves.
const ROOM: usize = 16;
/// SFEN has no larger number.
const LAST_MOVE_NUMBER: u32 = 999_999;
/// What a pass is in the history.
const PASS: u32 = 0;

/// A position of shogi with the moves that led to it.
#[pyclass(module = "tsumugi")]
pub struct Board {
    position: Position,
    start: Setup,
    history: Vec<u32>,
}

/// Black or White as numbers.
pub fn color_of(number: u8) -> PyResult<Color> {
    match number {
        0 => Ok(Color::Black),
        1 => Ok(Color::White),
        _ => Err(value_error(format!("{number} is not a colour: use BLACK (0) or WHITE (1)"))),
    }
}

fn square_of(number: u8) -> PyResult<Square> {
    Square::from_index(number).ok_or_else(|| value_error(format!("{number} is not a square: 0 to 80")))
}

/// What a repetition is called in `REPETITION_TYPES`.
pub fn repetition_number(repetition: Option<Repetition>) -> u8 {
    match repetition {
        None => 0,
        Some(Repetition::Draw) => 1,
        Some(Repetition::Win) => 2,
        Some(Repetition::Lose) => 3,
        Some(Repetition::Superior) => 4,
        Some(Repetition::Inferior) => 5,
    }
}

impl Board {
    fn at(setup: Setup) -> PyResult<Self> {
        let position = Position::with_room(&setup, ROOM).map_err(value_error)?;
        Ok(Self { position, start: setup, history: Vec::new() })
    }

    fn replace(&mut self, setup: Setup) -> PyResult<()> {
        *self = Self::at(setup)?;
        Ok(())
    }

    fn even() -> Setup {
        shogi::Handicap::Even.setup()
    }

    /// The position itself.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The legal moves as numbers.
    pub fn legal_numbers(&self) -> Vec<u32> {
        self.position.legal_moves().iter().map(|m| self.number(*m)).collect()
    }

    /// A move as a number.
    pub fn number(&self, m: Move) -> u32 {
        number_of(m, |square| self.position.piece_at(square))
    }

    fn number_or_none(&self, m: Option<Move>) -> u32 {
        m.map_or(0, |m| self.number(m))
    }

    fn play(&mut self, m: Move) -> u32 {
        let number = self.number(m);
        self.position.do_move(m);
        self.history.push(number);
        number
    }

    /// The legal move of a number.
    fn legal(&self, number: u32) -> Option<Move> {
        move_of(number).filter(|m| self.position.is_legal(*m))
    }

    fn play_legal(&mut self, number: u32) -> PyResult<u32> {
        let Some(m) = self.legal(number) else {
            let shown = move_of(number).map_or_else(|| number.to_string(), |m| m.to_string());
            return Err(value_error(format!("{shown} is illegal in {}", self.position.sfen())));
        };
        Ok(self.play(m))
    }

    fn usi(&self, text: &str) -> Option<Move> {
        text.parse().ok().filter(|m| self.position.is_legal(*m))
    }

    /// The legal move that CSA writes so, with or without the sign of the player.
    fn csa(&self, text: &str) -> Option<Move> {
        let text = text.strip_prefix(['+', '-']).unwrap_or(text);
        self.position
            .legal_moves()
            .iter()
            .copied()
            .find(|m| self.position.piece_after(*m).is_some_and(|piece| csa_text(*m, piece.kind()) == text))
    }

    /// Whether the position stood within so many plies.
    fn recurs_within(&self, plies: u32) -> bool {
        let mut earlier = self.position.clone();
        let back = earlier.moves_since_start().min(plies as usize);
        (0..back).any(|_| {
            earlier.undo_move();
            earlier.key128() == self.position.key128()
        })
    }

    fn mate_in(&self, py: Python<'_>, plies: u32) -> PyResult<Option<Move>> {
        mates::mate_within(py, &self.position, plies)
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (sfen=None, board=None))]
    fn new(sfen: Option<&str>, board: Option<&Self>) -> PyResult<Self> {
        match (sfen.filter(|sfen| !sfen.is_empty()), board) {
            (Some(sfen), _) => Self::at(sfen.parse().map_err(value_error)?),
            (None, Some(board)) => Ok(board.copy()),
            (None, None) => Self::at(Self::even()),
        }
    }

    /// A board of its own with the same position and history.
    fn copy(&self) -> Self {
        Self { position: self.position.clone(), start: self.start.clone(), history: self.history.clone() }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (), String)> {
        let class = slf.get_type().into_any();
        Ok((class, (), slf.borrow().position_text()?))
    }

    fn __setstate__(&mut self, state: &str) -> PyResult<()> {
        self.set_position(state)
    }

    /// Equal boards have the same pieces, hands, side to move and move number, whatever led there.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.borrow().position.setup() == self.position.setup())
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.position.sfen())
    }

    fn __str__(&self) -> String {
        Shogi::default().picture(&self.position, Script::Kanji)
    }

    /// Sets the position of an SFEN; the history is empty then.
    fn set_sfen(&mut self, sfen: &str) -> PyResult<()> {
        self.replace(sfen.parse().map_err(value_error)?)
    }

    /// Sets what follows the word `position` in USI: `startpos` or `sfen …`, then optionally `moves …`.
    fn set_position(&mut self, position: &str) -> PyResult<()> {
        let (start, moves) = game::split_moves(position)
            .ok_or_else(|| value_error("expected `startpos` or `sfen …`, then optionally `moves …`"))?;
        let setup = if start == "startpos" { Self::even() } else { start.parse().map_err(value_error)? };
        let mut board = Self::at(setup)?;
        for word in moves.split_ascii_whitespace() {
            let Some(m) = board.usi(word) else {
                return Err(value_error(format!("`{word}` is no legal move in {}", board.position.sfen())));
            };
            board.play(m);
        }
        *self = board;
        Ok(())
    }

    /// Start position and moves in the words of USI, as `set_position` reads them.
    #[pyo3(name = "position")]
    fn position_text(&self) -> PyResult<String> {
        if self.history.contains(&PASS) {
            return Err(value_error("USI has no word for a pass"));
        }
        let start =
            if self.start == Self::even() { "startpos".to_owned() } else { format!("sfen {}", self.start) };
        let moves: Vec<String> =
            self.history.iter().filter_map(|n| move_of(*n)).map(|m| m.to_string()).collect();
        Ok(if moves.is_empty() { start } else { format!("{start} moves {}", moves.join(" ")) })
    }

    /// Sets pieces (81 numbers) and hands (two lists of seven); side to move and move number stay.
    fn set_pieces(&mut self, pieces: Vec<u8>, pieces_in_hand: (Vec<u32>, Vec<u32>)) -> PyResult<()> {
        let mut setup = Setup { side: self.position.side(), ply: self.position.ply(), ..Setup::EMPTY };
        if pieces.len() != Square::COUNT {
            return Err(value_error(format!("expected 81 pieces, found {}", pieces.len())));
        }
        for (on, number) in setup.board.iter_mut().zip(pieces) {
            if number != 0 {
                let piece = Piece::from_index(number.into())
                    .ok_or_else(|| value_error(format!("{number} is not a piece")))?;
                *on = Some(piece);
            }
        }
        for (color, counts) in Color::ALL.into_iter().zip([pieces_in_hand.0, pieces_in_hand.1]) {
            if counts.len() != HAND_ORDER.len() {
                return Err(value_error(format!(
                    "expected 7 counts of pieces in hand, found {}",
                    counts.len()
                )));
            }
            for (piece, count) in HAND_ORDER.into_iter().zip(counts) {
                if count > Hand::max_count(piece) {
                    return Err(value_error(format!(
                        "{count} of the piece {} in hand",
                        piece.kind().letter()
                    )));
                }
                (0..count).for_each(|_| setup.hands[color.index()].add(piece));
            }
        }
        self.replace(setup)
    }

    /// Sets the position with which a buffer in the format `HuffmanCodedPos` begins.
    fn set_hcp(&mut self, hcp: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace(HuffmanCodedPos::from(buffers::read(hcp)?).unpack().map_err(value_error)?)
    }

    /// Sets the position with which a buffer in the format `PackedSfen` begins.
    fn set_psfen(&mut self, psfen: &Bound<'_, PyAny>) -> PyResult<()> {
        self.replace(PackedSfen::from(buffers::read(psfen)?).unpack().map_err(value_error)?)
    }

    /// Writes the position in the format `HuffmanCodedPos` to a buffer; without one, returns 32 bytes.
    #[pyo3(signature = (hcp=None))]
    fn to_hcp<'py>(
        &self,
        py: Python<'py>,
        hcp: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let packed = HuffmanCodedPos::try_from(&self.position).map_err(value_error)?;
        deliver(py, packed.bytes(), hcp)
    }

    /// Writes the position in the format `PackedSfen` to a buffer; without one, returns 32 bytes.
    #[pyo3(signature = (psfen=None))]
    fn to_psfen<'py>(
        &self,
        py: Python<'py>,
        psfen: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let packed = PackedSfen::try_from(&self.position).map_err(value_error)?;
        deliver(py, packed.bytes(), psfen)
    }

    /// Sets the start position.
    fn reset(&mut self) -> PyResult<()> {
        self.replace(Self::even())
    }

    /// The side to move: 0 for Black, 1 for White.
    #[getter]
    fn turn(&self) -> usize {
        self.position.side().index()
    }

    #[setter]
    fn set_turn(&mut self, turn: u8) -> PyResult<()> {
        let side = color_of(turn)?;
        self.replace(Setup { side, ..self.position.setup() })
    }

    /// Number of the next move.
    #[getter]
    fn move_number(&self) -> u32 {
        self.position.ply()
    }

    #[setter]
    fn set_move_number(&mut self, number: u32) -> PyResult<()> {
        let played = self.history.len() as u32;
        let first = number.checked_sub(played).filter(|first| *first > 0 && number <= LAST_MOVE_NUMBER);
        let first = first.ok_or_else(|| value_error(format!("move {number} with {played} moves played")))?;
        let mut board = Self::at(Setup { ply: first, ..self.start.clone() })?;
        for number in &self.history {
            match move_of(*number) {
                Some(m) => _ = board.play(m),
                None => board.push_pass()?,
            }
        }
        *self = board;
        Ok(())
    }

    /// The legal moves.
    #[getter]
    fn legal_moves(&self) -> LegalMoveList {
        LegalMoveList::of(self)
    }

    /// Plays a move; `ValueError` if it is illegal.
    fn push(&mut self, r#move: u32) -> PyResult<()> {
        self.play_legal(r#move).map(drop)
    }

    /// Plays a move in USI and returns it; 0 if there is no such legal move.
    fn push_usi(&mut self, usi: &str) -> u32 {
        self.usi(usi).map_or(0, |m| self.play(m))
    }

    /// Plays a move in CSA and returns it; 0 if there is no such legal move.
    fn push_csa(&mut self, csa: &str) -> u32 {
        self.csa(csa).map_or(0, |m| self.play(m))
    }

    /// Plays a move of 16 bits and returns it.
    fn push_move16(&mut self, move16: u16) -> PyResult<u32> {
        self.play_legal(move16.into())
    }

    /// Plays a move of a `PackedSfenValue` and returns it.
    fn push_psv(&mut self, move16: u16) -> PyResult<u32> {
        self.play_legal(crate::moves::move16_from_psv(move16).into())
    }

    /// Passes the turn, which a player in check cannot.
    fn push_pass(&mut self) -> PyResult<()> {
        if self.position.in_check() {
            return Err(value_error("a player in check cannot pass"));
        }
        self.position.do_null_move();
        self.history.push(PASS);
        Ok(())
    }

    /// Takes a pass back.
    fn pop_pass(&mut self) -> PyResult<()> {
        match self.history.last() {
            Some(&PASS) => self.pop().map(drop),
            _ => Err(value_error("the last move is not a pass")),
        }
    }

    /// Takes the last move back and returns it.
    fn pop(&mut self) -> PyResult<u32> {
        let last = self.history.pop().ok_or_else(|| PyIndexError::new_err("no move to take back"))?;
        self.position.undo_move();
        Ok(last)
    }

    /// The last move; 0 if there is none.
    fn peek(&self) -> u32 {
        self.history.last().copied().unwrap_or(0)
    }

    /// The moves played.
    #[getter]
    fn history(&self) -> Vec<u32> {
        self.history.clone()
    }

    /// Whether the side to move has no legal move.
    fn is_game_over(&self) -> bool {
        !self.position.has_legal_move()
    }

    /// python-shogi: whether the side to move is mated.
    fn is_checkmate(&self) -> bool {
        self.position.in_check() && !self.position.has_legal_move()
    }

    /// python-shogi: whether the position occurs for the fourth time.
    fn is_fourfold_repetition(&self) -> bool {
        self.position.fourfold().is_some()
    }

    /// What recurrence of the position within so many plies means: one of `REPETITION_TYPES`.
    #[pyo3(signature = (ply=None))]
    fn is_draw(&self, ply: Option<u32>) -> u8 {
        let Some(plies) = ply.filter(|plies| *plies > 0) else {
            return repetition_number(self.position.repetition(usize::MAX));
        };
        let found = self.position.repetition(plies as usize + 1);
        let recurs = matches!(found, Some(Repetition::Draw | Repetition::Win | Repetition::Lose));
        // The fourth occurrence counts from anywhere in the game; cshogi looks back only as far as its argument says.
        repetition_number(found.filter(|_| !recurs || self.recurs_within(plies)))
    }

    /// What `is_draw` says after a move.
    #[pyo3(signature = (r#move, ply=None))]
    fn move_is_draw(&mut self, r#move: u32, ply: Option<u32>) -> PyResult<u8> {
        self.push(r#move)?;
        let found = self.is_draw(ply);
        self.pop()?;
        Ok(found)
    }

    /// The move from one square to another, legal or not.
    #[pyo3(name = "move")]
    fn move_between(&self, from_square: u8, to_square: u8, promotion: bool) -> PyResult<u32> {
        let (from, to) = (square_of(from_square)?, square_of(to_square)?);
        if from == to {
            return Err(value_error("a move must go somewhere"));
        }
        Ok(self.number(Move::board(from, to, promotion)))
    }

    /// The drop of a kind of piece on a square, legal or not.
    #[allow(clippy::unused_self, reason = "a method of boards in cshogi")]
    fn drop_move(&self, to_square: u8, drop_piece_type: u8) -> PyResult<u32> {
        let to = square_of(to_square)?;
        let kind = usize::from(drop_piece_type).checked_sub(1).and_then(|index| PieceKind::ALL.get(index));
        let piece = kind.filter(|kind| !kind.is_promoted()).and_then(|kind| kind.to_hand());
        let piece = piece.ok_or_else(|| value_error(format!("{drop_piece_type} cannot be dropped")))?;
        Ok(Move::drop(piece, to).apery_bits().into())
    }

    /// The legal move that USI writes so; 0 if there is none.
    fn move_from_usi(&self, usi: &str) -> u32 {
        self.number_or_none(self.usi(usi))
    }

    /// The legal move that CSA writes so; 0 if there is none.
    fn move_from_csa(&self, csa: &str) -> u32 {
        self.number_or_none(self.csa(csa))
    }

    /// A move of 16 bits with its pieces, legal or not.
    fn move_from_move16(&self, move16: u16) -> u32 {
        self.number_or_none(move_of(move16.into()))
    }

    /// A move of a `PackedSfenValue` with its pieces, legal or not.
    fn move_from_psv(&self, move16: u16) -> u32 {
        self.move_from_move16(crate::moves::move16_from_psv(move16))
    }

    /// The position as SFEN.
    fn sfen(&self) -> String {
        self.position.sfen()
    }

    /// The position as the lines of a CSA file.
    fn csa_pos(&self) -> String {
        let written = record::csa_position(&self.position.setup());
        let mut text: String = written.split_inclusive('\n').take(Rank::ALL.len()).collect();
        // As cshogi has it: a line for each kind in hand.
        for (color, sign) in Color::ALL.into_iter().zip(['+', '-']) {
            for piece in HAND_ORDER {
                let count = self.position.hand(color).count(piece) as usize;
                if count > 0 {
                    let one = format!("00{}", csa_name(piece.kind()));
                    let _ = writeln!(text, "P{sign}{}", one.repeat(count));
                }
            }
        }
        text + if self.position.side() == Color::Black { "+\n" } else { "-\n" }
    }

    /// The piece on a square, 0 if it is empty.
    fn piece(&self, sq: u8) -> PyResult<usize> {
        Ok(self.position.piece_at(square_of(sq)?).map_or(0, Piece::index))
    }

    /// The kind of the piece on a square, 0 if it is empty.
    fn piece_type(&self, sq: u8) -> PyResult<usize> {
        Ok(self.position.piece_at(square_of(sq)?).map_or(0, |piece| piece.kind().index()))
    }

    /// Where a king is; 81 if the player has none.
    fn king_square(&self, c: u8) -> PyResult<usize> {
        Ok(self.position.king(color_of(c)?).map_or(Square::COUNT, Square::index))
    }

    /// The pieces on all squares, 0 for an empty one.
    #[getter]
    fn pieces(&self) -> Vec<u32> {
        self.position.board().iter().map(|piece| piece.map_or(0, |piece| piece.index() as u32)).collect()
    }

    /// What Black and White hold, counted in the order of `HAND_PIECES`.
    #[getter]
    fn pieces_in_hand(&self) -> (Vec<u32>, Vec<u32>) {
        let counts = |color| HAND_ORDER.iter().map(|piece| self.position.hand(color).count(*piece)).collect();
        (counts(Color::Black), counts(Color::White))
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.position.in_check()
    }

    /// Whether a move is legal.
    fn is_legal(&self, r#move: u32) -> bool {
        self.legal(r#move).is_some_and(|m| crate::moves::same(self.number(m), r#move))
    }

    /// Whether the side to move can win by declaring (27 points).
    fn is_nyugyoku(&self) -> bool {
        matches!(self.position.declaration(), Some(Declaration::Win))
    }

    /// A move that mates at once; 0 if there is none.
    fn mate_move_in_1ply(&mut self) -> u32 {
        let found = self.position.mate_in_one();
        self.number_or_none(found)
    }

    /// The first move of a mate within so many plies; 0 if there is none.
    fn mate_move(&self, py: Python<'_>, ply: u32) -> PyResult<u32> {
        if ply.is_multiple_of(2) {
            return Err(value_error(format!("{ply} plies: the attacker's mates take an odd number")));
        }
        Ok(self.number_or_none(self.mate_in(py, ply)?))
    }

    /// Whether the side to move, in check, is mated within so many plies whatever it does.
    fn is_mate(&self, py: Python<'_>, ply: u32) -> PyResult<bool> {
        if ply % 2 == 1 {
            return Err(value_error(format!("{ply} plies: the defender is mated in an even number")));
        }
        if !self.position.in_check() {
            return Ok(false);
        }
        mates::mated_within(py, &self.position, ply)
    }

    /// A number of 64 bits for pieces, hands and side to move.
    fn zobrist_hash(&self) -> u64 {
        self.position.key()
    }

    /// The key of the position in books of Apery.
    fn book_key(&self) -> u64 {
        book::apery_key(&self.position)
    }

    /// Whether pieces, sets and keys agree, worked out anew.
    fn is_ok(&self) -> bool {
        Position::try_from(self.position.setup()).is_ok_and(|again| again.key() == self.position.key())
    }

    /// A move as people say it, with the mark of the player: `▲７六歩`.
    fn spoken(&self, r#move: u32) -> PyResult<String> {
        let known = crate::moves::known_move(r#move)?;
        let board = record::Board::from(&self.position.setup());
        Ok(crate::spoken::briefly(&board, known, self.position.last_move()))
    }

    /// The diagram of the position, the last line for the last move.
    fn to_bod(&self) -> PyResult<String> {
        let diagram = self.diagram();
        let Some(last) = self.position.last_move() else { return Ok(diagram) };
        let mut before = self.copy();
        before.pop()?;
        let said = before.spoken(last.apery_bits().into())?;
        let said = match said.split_once('同') {
            Some((mark, rest)) => {
                format!("{mark}{}同{}", kanji_square(last.to()), rest.trim_start_matches('\u{3000}'))
            }
            None => said,
        };
        Ok(format!("{diagram}\n手数＝{}　{said}　まで", before.move_number()))
    }

    /// The diagram of the position without the last move.
    fn diagram(&self) -> String {
        let record = record::Record::new(Setup { ply: 1, ..self.position.setup() });
        let options = record::WriteOptions {
            encoding: Some(record::encoding::Encoding::Utf8),
            line_end: Some(record::encoding::LineEnd::Lf),
            ..record::WriteOptions::new(Format::Bod)
        };
        let text = String::from_utf8_lossy(&record::write(&record, &options).bytes).into_owned();
        let lines = text.lines().filter(|line| !line.starts_with("手数＝") && *line != "先手番");
        let lines: Vec<&str> = lines.map(|line| line.trim_end_matches('\u{3000}')).collect();
        lines.join("\n")
    }

    /// python-shogi: the diagram of the position.
    fn kif_str(&self) -> String {
        self.diagram()
    }

    /// A picture of the board.
    #[pyo3(signature = (lastmove=None, scale=1.0))]
    fn to_svg<'py>(slf: &Bound<'py, Self>, lastmove: Option<u32>, scale: f64) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tsumugi.svg")?.call_method1("board_svg", (slf, lastmove, scale))
    }

    /// What notebooks show.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let last = Some(slf.borrow().peek()).filter(|last| *last != 0);
        Self::to_svg(slf, last, 1.0)
    }

    /// Counts the leaves of the tree of legal moves, a test of move generators.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        crate::variant::counted(py, &self.position, depth)
    }

    /// The name of the game.
    #[getter]
    #[allow(clippy::unused_self, reason = "a property of boards, as of games")]
    fn name(&self) -> &'static str {
        "shogi"
    }
}

/// ７六
fn kanji_square(square: Square) -> String {
    const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    format!("{}{}", FILES[square.file() as usize], RANKS[square.rank() as usize])
}

/// Into the buffer, or as bytes.
fn deliver<'py>(
    py: Python<'py>,
    packed: &[u8; buffers::BYTES],
    buffer: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    match buffer {
        Some(buffer) => buffers::write(buffer, packed).map(|()| None),
        None => Ok(Some(PyBytes::new(py, packed))),
    }
}
