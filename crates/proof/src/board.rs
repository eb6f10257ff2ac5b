//! The rules of shogi, written to be read: no attack tables, no keys, every move is tried on a copy.

use std::fmt;

/// A place on the board: 1a is 0, 1b is 1, 2a is 9.
pub(crate) type Square = usize;

pub(crate) const SQUARES: usize = 81;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Black,
    White,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

/// A piece as in the keys of certificates: kind 1 to 14, 16 more if White's; 0 is no piece.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Piece(u8);

const PAWN: u8 = 1;
const KNIGHT: u8 = 3;
const GOLD: u8 = 7;
const KING: u8 = 8;
const PROMOTED: u8 = 8;
const WHITE: u8 = 16;

impl Piece {
    const NONE: Self = Self(0);

    fn new(side: Side, kind: u8) -> Self {
        Self(kind + if side == Side::White { WHITE } else { 0 })
    }

    fn kind(self) -> u8 {
        self.0 % WHITE
    }

    fn side(self) -> Option<Side> {
        match self.0 {
            0 => None,
            n if n < WHITE => Some(Side::Black),
            _ => Some(Side::White),
        }
    }
}

/// Steps as files and ranks, from Black's point of view: up is −1.
type Steps = &'static [(i8, i8)];

const LIKE_GOLD: Steps = &[(0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: Steps = &[(-1, -1), (1, -1), (-1, 1), (1, 1)];
const STRAIGHT: Steps = &[(0, -1), (-1, 0), (1, 0), (0, 1)];
const AROUND: Steps = &[(0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// By kind: where it steps, and where it slides.
const MOVES: [(Steps, Steps); 15] = [
    (&[], &[]),
    (&[(0, -1)], &[]),
    (&[], &[(0, -1)]),
    (&[(-1, -2), (1, -2)], &[]),
    (&[(0, -1), (-1, -1), (1, -1), (-1, 1), (1, 1)], &[]),
    (&[], DIAGONAL),
    (&[], STRAIGHT),
    (LIKE_GOLD, &[]),
    (AROUND, &[]),
    (LIKE_GOLD, &[]),
    (LIKE_GOLD, &[]),
    (LIKE_GOLD, &[]),
    (LIKE_GOLD, &[]),
    (STRAIGHT, DIAGONAL),
    (DIAGONAL, STRAIGHT),
];

/// In the order of kinds.
const LETTERS: &str = "PLNSBRGK";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    from: Origin,
    to: Square,
    promotes: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    Board(Square),
    Hand(u8),
}

impl Move {
    /// The move that an entry of a certificate holds.
    pub(crate) fn from_bits(bits: u16) -> Option<Self> {
        let (to, from) = (usize::from(bits & 0x7f), usize::from(bits >> 7 & 0x7f));
        let promotes = match bits >> 14 {
            0 => false,
            1 => true,
            _ => return None,
        };
        let from = match from {
            0..SQUARES => Origin::Board(from),
            _ => Origin::Hand(u8::try_from(from - SQUARES).ok().filter(|kind| (PAWN..=GOLD).contains(kind))?),
        };
        (to < SQUARES).then_some(Self { from, to, promotes })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |square: Square| {
            let rank = char::from(b'a' + (square % 9) as u8);
            format!("{}{rank}", square / 9 + 1)
        };
        match self.from {
            Origin::Board(from) => write!(f, "{}{}", name(from), name(self.to))?,
            Origin::Hand(kind) => {
                let letter = LETTERS.chars().nth(usize::from(kind) - 1).unwrap_or('?');
                write!(f, "{letter}*{}", name(self.to))?;
            }
        }
        if self.promotes { f.write_str("+") } else { Ok(()) }
    }
}

/// A position as the 96 bytes that certificates hash.
pub(crate) type Bytes = [u8; 96];

#[derive(Clone)]
pub(crate) struct Board {
    squares: [Piece; SQUARES],
    /// Black's and White's, by kind.
    hands: [[u8; 8]; 2],
    side: Side,
}

impl Board {
    /// Reads an SFEN; the error is a short description.
    pub(crate) fn from_sfen(sfen: &str) -> Result<Self, &'static str> {
        let mut words = sfen.split_whitespace();
        let mut board = Self { squares: [Piece::NONE; SQUARES], hands: [[0; 8]; 2], side: Side::Black };
        board.read_rows(words.next().ok_or("the board is missing")?)?;
        board.side = match words.next() {
            Some("b") => Side::Black,
            Some("w") => Side::White,
            _ => return Err("the side to move is neither b nor w"),
        };
        match words.next() {
            Some("-") => {}
            Some(hands) => board.read_hands(hands)?,
            None => return Err("the hands are missing"),
        }
        let kings = |side| board.squares.iter().filter(|piece| **piece == Piece::new(side, KING)).count();
        if kings(Side::Black) > 1 || kings(Side::White) > 1 {
            return Err("a player has two kings");
        }
        Ok(board)
    }

    fn read_rows(&mut self, text: &str) -> Result<(), &'static str> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 9 {
            return Err("the board has not nine rows");
        }
        for (rank, row) in rows.into_iter().enumerate() {
            let mut column = 0;
            let mut promoted = 0;
            for letter in row.chars() {
                match letter {
                    '1'..='9' if promoted == 0 => column += letter as usize - '0' as usize,
                    '+' if promoted == 0 => promoted = PROMOTED,
                    _ => {
                        let (side, kind) = piece_of(letter).ok_or("an unknown piece stands on the board")?;
                        if promoted > 0 && kind >= GOLD {
                            return Err("a gold or a king is promoted");
                        }
                        let file = 8usize.checked_sub(column).ok_or("a row is too long")?;
                        self.squares[file * 9 + rank] = Piece::new(side, kind + promoted);
                        column += 1;
                        promoted = 0;
                    }
                }
            }
            if column != 9 || promoted > 0 {
                return Err("a row has not nine squares");
            }
        }
        Ok(())
    }

    fn read_hands(&mut self, text: &str) -> Result<(), &'static str> {
        let mut count = 0u8;
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                count = count
                    .checked_mul(10)
                    .and_then(|n| n.checked_add(digit as u8))
                    .ok_or("a hand is too large")?;
                continue;
            }
            let (side, kind) =
                piece_of(letter).filter(|(_, kind)| *kind <= GOLD).ok_or("an unknown piece is in hand")?;
            let held = &mut self.hands[side as usize][usize::from(kind)];
            *held = held.checked_add(count.max(1)).filter(|n| *n <= 40).ok_or("a hand is too large")?;
            count = 0;
        }
        if count == 0 { Ok(()) } else { Err("a number in hand has no piece") }
    }

    pub(crate) fn side(&self) -> Side {
        self.side
    }

    pub(crate) fn bytes(&self) -> Bytes {
        let mut bytes = [0; 96];
        let (squares, rest) = bytes.split_at_mut(SQUARES);
        squares.iter_mut().zip(&self.squares).for_each(|(byte, piece)| *byte = piece.0);
        rest[..7].copy_from_slice(&self.hands[0][1..]);
        rest[7..14].copy_from_slice(&self.hands[1][1..]);
        rest[14] = self.side as u8;
        bytes
    }

    pub(crate) fn sfen(&self) -> String {
        let letter = |piece: Piece| {
            let plain = if piece.kind() > KING { piece.kind() - PROMOTED } else { piece.kind() };
            let letter = LETTERS.chars().nth(usize::from(plain) - 1).unwrap_or('?');
            let letter = if piece.side() == Some(Side::White) { letter.to_ascii_lowercase() } else { letter };
            if plain == piece.kind() { letter.to_string() } else { format!("+{letter}") }
        };
        let mut rows = Vec::new();
        for rank in 0..9 {
            let mut row = String::new();
            let mut empty = 0;
            for file in (0..9).rev() {
                let piece = self.squares[file * 9 + rank];
                if piece == Piece::NONE {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    row += &empty.to_string();
                    empty = 0;
                }
                row += &letter(piece);
            }
            if empty > 0 {
                row += &empty.to_string();
            }
            rows.push(row);
        }
        let mut hands = String::new();
        for side in [Side::Black, Side::White] {
            for kind in (PAWN..=GOLD).rev() {
                let held = self.hands[side as usize][usize::from(kind)];
                if held > 1 {
                    hands += &held.to_string();
                }
                if held > 0 {
                    hands += &letter(Piece::new(side, kind));
                }
            }
        }
        let hands = if hands.is_empty() { "-" } else { &hands };
        let side = if self.side == Side::Black { 'b' } else { 'w' };
        format!("{} {side} {hands} 1", rows.join("/"))
    }

    /// Whether the piece on `from` could move to `to`, ignoring checks.
    fn reaches(&self, from: Square, to: Square) -> bool {
        let piece = self.squares[from];
        let sign = if piece.side() == Some(Side::White) { -1 } else { 1 };
        let files = sign * ((to / 9) as i8 - (from / 9) as i8);
        let ranks = sign * ((to % 9) as i8 - (from % 9) as i8);
        let (steps, slides) = MOVES[usize::from(piece.kind())];
        if steps.contains(&(files, ranks)) {
            return true;
        }
        let direction = (files.signum(), ranks.signum());
        slides.contains(&direction)
            && between(from, to)
                .is_some_and(|mut squares| squares.all(|square| self.squares[square] == Piece::NONE))
    }

    /// The squares to which the piece on `from` could move, ignoring checks.
    fn destinations(&self, from: Square) -> Vec<Square> {
        let piece = self.squares[from];
        let sign = if piece.side() == Some(Side::White) { -1 } else { 1 };
        let (steps, slides) = MOVES[usize::from(piece.kind())];
        let own = |square: Square| self.squares[square].side() == piece.side();
        let next = |square, (files, ranks): (i8, i8)| neighbour(square, sign * files, sign * ranks);
        let mut found: Vec<Square> = steps.iter().filter_map(|step| next(from, *step)).collect();
        for direction in slides {
            let mut square = from;
            while let Some(to) = next(square, *direction) {
                found.push(to);
                if self.squares[to] != Piece::NONE {
                    break;
                }
                square = to;
            }
        }
        found.retain(|to| !own(*to));
        found
    }

    /// The pieces of one side that could take on a square.
    fn attackers(&self, square: Square, by: Side) -> impl Iterator<Item = Square> {
        (0..SQUARES).filter(move |from| self.squares[*from].side() == Some(by) && self.reaches(*from, square))
    }

    fn king(&self, side: Side) -> Option<Square> {
        let king = Piece::new(side, KING);
        self.squares.iter().position(|piece| *piece == king)
    }

    fn is_in_check(&self, side: Side) -> bool {
        self.king(side).is_some_and(|king| self.attackers(king, side.other()).next().is_some())
    }

    /// Whether the side to move is in check.
    pub(crate) fn in_check(&self) -> bool {
        self.is_in_check(self.side)
    }

    /// The position after a move.
    pub(crate) fn after(&self, m: Move) -> Self {
        let mut next = self.clone();
        let side = self.side;
        match m.from {
            Origin::Board(from) => {
                let taken = self.squares[m.to].kind();
                if taken > 0 && taken != KING {
                    let plain = if taken > KING { taken - PROMOTED } else { taken };
                    next.hands[side as usize][usize::from(plain)] += 1;
                }
                let kind = self.squares[from].kind() + if m.promotes { PROMOTED } else { 0 };
                next.squares[m.to] = Piece::new(side, kind);
                next.squares[from] = Piece::NONE;
            }
            Origin::Hand(kind) => {
                next.squares[m.to] = Piece::new(side, kind);
                next.hands[side as usize][usize::from(kind)] -= 1;
            }
        }
        next.side = side.other();
        next
    }

    /// The position after a move, if it is legal.
    pub(crate) fn after_legal(&self, m: Move) -> Option<Self> {
        let mut moves = Vec::new();
        match m.from {
            Origin::Board(from) if self.squares[from].side() == Some(self.side) => {
                self.moves_from(from, &mut moves);
            }
            Origin::Hand(_) if self.drop_squares().contains(&m.to) => self.drops_to(m.to, &mut moves),
            Origin::Board(_) | Origin::Hand(_) => {}
        }
        moves.contains(&m).then(|| self.after(m))
    }

    fn is_safe_after(&self, m: Move) -> bool {
        !self.after(m).is_in_check(self.side)
    }

    /// Ranks from the far edge, 0 to 8.
    fn depth(&self, square: Square) -> usize {
        match self.side {
            Side::Black => square % 9,
            Side::White => 8 - square % 9,
        }
    }

    /// Whether a piece of the side to move could move on from there.
    fn can_stay(&self, kind: u8, to: Square) -> bool {
        match kind {
            PAWN | 2 => self.depth(to) >= 1,
            KNIGHT => self.depth(to) >= 2,
            _ => true,
        }
    }

    /// All legal moves of the side to move.
    pub(crate) fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in (0..SQUARES).filter(|from| self.squares[*from].side() == Some(self.side)) {
            self.moves_from(from, &mut moves);
        }
        if self.hands[self.side as usize].iter().any(|held| *held > 0) {
            self.drop_squares().into_iter().for_each(|to| self.drops_to(to, &mut moves));
        }
        moves
    }

    /// The legal moves of the piece on `from`, which belongs to the side to move.
    fn moves_from(&self, from: Square, moves: &mut Vec<Move>) {
        let kind = self.squares[from].kind();
        for to in self.destinations(from) {
            let plain = Move { from: Origin::Board(from), to, promotes: false };
            // Whether it promotes makes no difference to the own king.
            if self.squares[to].kind() == KING || !self.is_safe_after(plain) {
                continue;
            }
            if self.can_stay(kind, to) {
                moves.push(plain);
            }
            if kind < GOLD && (self.depth(from) < 3 || self.depth(to) < 3) {
                moves.push(Move { promotes: true, ..plain });
            }
        }
    }

    /// The squares where a drop leaves the own king safe: all, or those between the king and the checking piece.
    fn drop_squares(&self) -> Vec<Square> {
        let is_empty = |square: &Square| self.squares[*square] == Piece::NONE;
        let Some(king) = self.king(self.side) else { return (0..SQUARES).filter(is_empty).collect() };
        let checkers: Vec<Square> = self.attackers(king, self.side.other()).collect();
        match checkers[..] {
            [] => (0..SQUARES).filter(is_empty).collect(),
            [checker] => between(checker, king).into_iter().flatten().filter(is_empty).collect(),
            _ => Vec::new(),
        }
    }

    fn drops_to(&self, to: Square, moves: &mut Vec<Move>) {
        let held = (PAWN..=GOLD).filter(|kind| self.hands[self.side as usize][usize::from(*kind)] > 0);
        let drops = held.map(|kind| Move { from: Origin::Hand(kind), to, promotes: false });
        moves.extend(drops.filter(|m| self.may_drop(*m)));
    }

    /// Whether a drop is legal as to dead ends, two pawns on a file, and the pawn-drop mate.
    fn may_drop(&self, m: Move) -> bool {
        let Origin::Hand(kind) = m.from else { return false };
        if !self.can_stay(kind, m.to) {
            return false;
        }
        if kind != PAWN {
            return true;
        }
        let file = m.to / 9 * 9;
        if self.squares[file..file + 9].contains(&Piece::new(self.side, PAWN)) {
            return false;
        }
        let next = self.after(m);
        !(next.in_check() && next.legal_moves().is_empty())
    }
}

/// The square that many files and ranks away, if it is on the board.
fn neighbour(square: Square, files: i8, ranks: i8) -> Option<Square> {
    let (file, rank) = ((square / 9) as i8 + files, (square % 9) as i8 + ranks);
    ((0..9).contains(&file) && (0..9).contains(&rank)).then(|| file as usize * 9 + rank as usize)
}

/// The squares between two others on one line; `None` if they are on no line.
fn between(from: Square, to: Square) -> Option<impl Iterator<Item = Square>> {
    let files = (to / 9) as i32 - (from / 9) as i32;
    let ranks = (to % 9) as i32 - (from % 9) as i32;
    let is_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
    let one = files.signum() * 9 + ranks.signum();
    let squares = move |n| (from as i32 + n * one) as usize;
    (is_line && from != to).then(|| (1..files.abs().max(ranks.abs())).map(squares))
}

/// Owner and kind of a letter.
fn piece_of(letter: char) -> Option<(Side, u8)> {
    let kind = LETTERS.find(letter.to_ascii_uppercase())? as u8 + 1;
    Some((if letter.is_ascii_uppercase() { Side::Black } else { Side::White }, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(sfen: &str, depth: u32) -> usize {
        fn below(board: &Board, depth: u32) -> usize {
            let moves = board.legal_moves();
            if depth == 1 {
                moves.len()
            } else {
                moves.into_iter().map(|m| below(&board.after(m), depth - 1)).sum()
            }
        }
        below(&Board::from_sfen(sfen).unwrap(), depth)
    }

    /// Well-known perft numbers.
    #[test]
    fn moves_are_counted_as_by_others() {
        assert_eq!(count("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 3), 25470);
        let most = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
        assert_eq!(count(most, 1), 593);
        assert_eq!(count("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1", 2), 28684);
    }

    #[test]
    fn a_pawn_must_not_be_dropped_for_mate() {
        let drops = |board: &Board| {
            board.legal_moves().iter().map(ToString::to_string).filter(|m| m == "P*1b").count()
        };
        // With a flight square the drop is legal.
        let board = Board::from_sfen("8k/9/8G/9/9/9/9/9/9 b P 1").unwrap();
        assert_eq!(drops(&board), 1);
        let board = Board::from_sfen("7nk/7p1/8G/9/9/9/9/9/9 b P 1").unwrap();
        assert_eq!(drops(&board), 0);
    }

    #[test]
    fn sfens_are_read_back() {
        for sfen in [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GRgsn5p 1",
            "4k4/9/4P4/9/9/9/9/9/9 b 2G 1",
        ] {
            let board = Board::from_sfen(sfen).unwrap();
            assert_eq!(Board::from_sfen(&board.sfen()).unwrap().bytes(), board.bytes());
        }
        for bad in [
            "",
            "9/9 b - 1",
            "9/9/9/9/9/9/9/9/9 x - 1",
            "+G8/9/9/9/9/9/9/9/9 b - 1",
            "9/9/9/9/9/9/9/9/kk7 b - 1",
        ] {
            assert!(Board::from_sfen(bad).is_err(), "{bad}");
        }
    }

    /// Random games on both boards: the same moves and the same checks at every step.
    #[test]
    fn the_rules_are_those_of_the_other_board() {
        let mut dice = 7u64;
        for start in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "4k4/9/4P4/9/9/9/9/9/9 b 2G2rbl15p 1",
        ] {
            let mut other = shogi::Position::from_sfen(start).unwrap();
            let mut board = Board::from_sfen(start).unwrap();
            for _ in 0..60 {
                let moves = board.legal_moves();
                let mut names: Vec<String> = moves.iter().map(ToString::to_string).collect();
                let mut expected: Vec<String> = other.legal_moves().iter().map(ToString::to_string).collect();
                names.sort();
                expected.sort();
                assert_eq!(names, expected, "{}", other.sfen());
                assert_eq!(board.in_check(), other.in_check(), "{}", other.sfen());
                assert_eq!(board.sfen().split(' ').next(), other.sfen().split(' ').next());
                if moves.is_empty() {
                    break;
                }
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let m = moves[(dice >> 33) as usize % moves.len()];
                other.do_move(m.to_string().parse().unwrap());
                board = board.after(m);
            }
        }
    }
}
