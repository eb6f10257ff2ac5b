//! Between canonical SFEN and boards, without detours.

use crate::short::Short;
use shogi::{Color, Hand, HandPiece, Piece, PieceKind, Setup};

/// The piece of a letter.
const PIECES: [Option<Piece>; 256] = {
    let mut table = [None; 256];
    let mut byte = 0;
    while byte < 256 {
        let letter = byte as u8;
        if let Some(kind) = PieceKind::from_letter(letter.to_ascii_uppercase() as char) {
            let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
            table[byte] = Some(Piece::new(color, kind));
        }
        byte += 1;
    }
    table
};

/// What a byte of a board is. [`scan_board`] adds and masks and asks nothing: what comes next cannot be foreseen.
#[derive(Clone, Copy)]
struct Glyph {
    /// Squares, and in the upper half kings: a byte for each side.
    adds: u32,
    /// Squares of the row; a slash takes a whole row away.
    row: i8,
    is: u8,
    /// What must not come next.
    forbids: u8,
    /// What it puts on the board, and what behind a `+`.
    pieces: [Option<Piece>; 2],
}

const STRANGE: u8 = 1;
const DIGIT: u8 = 2;
/// Anything but a piece that promotes.
const FIRM: u8 = 4;
/// The end of the board.
const END: u8 = 8;

const KINGS: u32 = 16;

const GLYPHS: [Glyph; 256] = {
    let strange = Glyph { adds: 0, row: 0, is: STRANGE | FIRM, forbids: STRANGE, pieces: [None; 2] };
    let mut table = [strange; 256];
    let mut byte = 0;
    while byte < 256 {
        let glyph = &mut table[byte];
        match (byte as u8, PIECES[byte]) {
            (digit @ b'1'..=b'9', _) => {
                let count = digit - b'0';
                (glyph.adds, glyph.row) = (count as u32, count as i8);
                (glyph.is, glyph.forbids) = (DIGIT | FIRM, DIGIT | STRANGE);
            }
            (b'/', _) => (glyph.row, glyph.is) = (-9, FIRM),
            (b'+', _) => (glyph.is, glyph.forbids) = (FIRM, FIRM | STRANGE | END),
            (_, Some(piece)) => {
                let kind = piece.kind();
                (glyph.adds, glyph.row, glyph.is) = (1, 1, FIRM);
                glyph.pieces[0] = Some(piece);
                if let Some(promoted) = kind.promoted() {
                    glyph.is = 0;
                    glyph.pieces[1] = Some(Piece::new(piece.color(), promoted));
                } else if matches!(kind, PieceKind::King) {
                    glyph.adds |= 1 << (KINGS + if matches!(piece.color(), Color::Black) { 0 } else { 8 });
                }
            }
            _ => {}
        }
        byte += 1;
    }
    table
};

/// Squares row by row from 9a, as SFEN lists them, and some to spare for rows that are too long.
const SQUARES: usize = 128;

/// Longer than any board: two letters for each square, and slashes.
const LONGEST_BOARD: usize = 81 * 2 + 8;

/// Reads a canonical board up to the blank behind it and gives `put` what stands where; tells its length. Each side has
/// one king at most, and one side has one.
#[inline]
pub(crate) fn scan_board(text: &[u8], mut put: impl FnMut(usize, Option<Piece>)) -> Option<usize> {
    let (mut sum, mut row) = (0u32, 0i32);
    // Below zero if ever a row was too short or too long.
    let mut rows = 0i32;
    let (mut forbidden, mut wrong) = (STRANGE, 0u8);
    let text = &text[..text.len().min(LONGEST_BOARD + 1)];
    let length = memchr::memchr(b' ', text).unwrap_or(text.len());
    for byte in &text[..length] {
        let glyph = &GLYPHS[usize::from(*byte)];
        wrong |= forbidden & glyph.is;
        put(sum as usize % SQUARES, glyph.pieces[usize::from(forbidden & FIRM != 0)]);
        forbidden = glyph.forbids;
        sum += glyph.adds;
        row += i32::from(glyph.row);
        rows |= row | (9 - row);
    }
    let kings = sum >> KINGS;
    let complete = sum & 0xffff == 81 && row == 9 && rows >= 0;
    let kings_fit = kings & !0x101 == 0 && kings != 0;
    (wrong == 0 && forbidden & END == 0 && complete && kings_fit).then_some(length)
}

/// The board of a place; `None` if it is not canonical.
pub(crate) fn setup_of(place: &[u8]) -> Option<Setup> {
    take_place(place).and_then(|(setup, length)| (length == place.len()).then_some(setup))
}

/// The board of the place that a text begins with, and how long that is; `None` if it is not canonical.
#[inline]
pub(crate) fn take_place(text: &[u8]) -> Option<(Setup, usize)> {
    /// Where the squares of a row lie in a [`Setup`], file by file.
    const ORDER: [u8; SQUARES] = {
        let mut order = [0; SQUARES];
        let mut i = 0;
        while i < SQUARES {
            order[i] = if i < 81 { ((8 - i % 9) * 9 + i / 9) as u8 } else { 81 };
            i += 1;
        }
        order
    };
    let mut board = [None; SQUARES];
    let length = scan_board(text, |square, piece| board[usize::from(ORDER[square]) % SQUARES] = piece)?;
    let mut setup = Setup { board: *board.first_chunk()?, ..Setup::EMPTY };
    let (side, hands) = text[length..].split_at_checked(3)?;
    setup.side = match side {
        b" b " => Color::Black,
        b" w " => Color::White,
        _ => return None,
    };
    let hands_length = if hands.first() == Some(&b'-') { 1 } else { read_hands(hands, &mut setup)? };
    Some((setup, length + side.len() + hands_length))
}

/// Reads hands up to something that does not belong to them and tells their length.
fn read_hands(text: &[u8], setup: &mut Setup) -> Option<usize> {
    let mut count = 0u32;
    for (at, byte) in text.iter().enumerate() {
        if byte.is_ascii_digit() {
            count = count * 10 + u32::from(byte - b'0');
            if count > 18 {
                return None;
            }
            continue;
        }
        let Some(piece) = PIECES[usize::from(*byte)] else {
            return (at > 0 && count == 0).then_some(at);
        };
        let kind = piece.kind().to_hand()?;
        let hand = &mut setup.hands[piece.color().index()];
        let sum = hand.count(kind) + std::mem::take(&mut count).max(1);
        if sum > Hand::max_count(kind) {
            return None;
        }
        *hand = hand.with_count(kind, sum);
    }
    (!text.is_empty() && count == 0).then_some(text.len())
}

/// The letters of a piece: `+R` for a dragon, two bytes of which the first is 0 where it is not promoted.
const LETTERS: [[u8; 2]; Piece::INDEX_COUNT] = {
    let mut table = [[0; 2]; Piece::INDEX_COUNT];
    let mut i = 0;
    while i < PieceKind::ALL.len() {
        let kind = PieceKind::ALL[i];
        let letter = kind.unpromoted().letter() as u8;
        let plus = if kind.is_promoted() { b'+' } else { 0 };
        table[Piece::new(Color::Black, kind).index()] = [plus, letter];
        table[Piece::new(Color::White, kind).index()] = [plus, letter.to_ascii_lowercase()];
        i += 1;
    }
    table
};

/// A row as it is spelled.
#[derive(Clone, Copy)]
struct Row {
    /// What stands on its squares; nothing is spelled yet if this is no row.
    squares: u64,
    text: [u8; 23],
    length: u8,
}

/// Bits of a square in [`Row::squares`].
const SQUARE_BITS: usize = 5;
/// As many bits of a number as rows are remembered.
const REMEMBERED: u32 = 12;

/// Spells positions. Rows come again and again, so that most of them need only be looked up.
pub(crate) struct Speller {
    rows: Vec<Row>,
}

impl Speller {
    pub(crate) fn new() -> Self {
        Self { rows: vec![Row { squares: u64::MAX, text: [0; 23], length: 0 }; 1 << REMEMBERED] }
    }

    /// Appends board, side to move and hands.
    pub(crate) fn push_place(&mut self, out: &mut Vec<u8>, setup: &Setup) {
        let mut rows = [0u64; 9];
        for (file, squares) in setup.board.as_chunks::<9>().0.iter().enumerate() {
            for (row, piece) in rows.iter_mut().zip(squares) {
                *row |= (piece.map_or(0, Piece::index) as u64) << (SQUARE_BITS * file);
            }
        }
        for squares in rows {
            let slot = (squares.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - REMEMBERED)) as usize;
            let row = &mut self.rows[slot];
            if row.squares != squares {
                *row = spell_row(squares);
            }
            let end = out.len() + usize::from(row.length);
            out.extend_from_slice(&row.text);
            out.truncate(end);
        }
        // The slash of the last row is one too many.
        out.pop();
        push_side_and_hands(out, setup);
    }
}

/// A row with the slash behind it.
fn spell_row(squares: u64) -> Row {
    let mut text = Short::<32>::new();
    let mut empty = 0;
    for file in (0..9).rev() {
        let [plus, letter] = LETTERS[(squares >> (SQUARE_BITS * file)) as usize % 32 % Piece::INDEX_COUNT];
        if letter == 0 {
            empty += 1;
            continue;
        }
        text.push_if(b'0' + empty, empty > 0);
        empty = 0;
        text.push_if(plus, plus != 0);
        text.push(letter);
    }
    text.push_if(b'0' + empty, empty > 0);
    text.push(b'/');
    let mut row = Row { squares, text: [0; 23], length: text.as_bytes().len() as u8 };
    row.text[..text.as_bytes().len()].copy_from_slice(text.as_bytes());
    row
}

/// Appends board, side to move and hands of one position.
pub(crate) fn push_place(out: &mut Vec<u8>, setup: &Setup) {
    for rank in 0..9 {
        let file = |squares: u64, file: usize| {
            let piece = setup.board[file * 9 + rank].map_or(0, Piece::index) as u64;
            squares | piece << (SQUARE_BITS * file)
        };
        let row = spell_row((0..9).fold(0, file));
        out.extend_from_slice(&row.text[..row.length.into()]);
    }
    out.pop();
    push_side_and_hands(out, setup);
}

fn push_side_and_hands(out: &mut Vec<u8>, setup: &Setup) {
    out.extend_from_slice(if setup.side == Color::Black { b" b " } else { b" w " });
    if setup.hands.iter().all(|hand| hand.is_empty()) {
        return out.push(b'-');
    }
    for color in Color::ALL {
        let hand = setup.hands[color.index()];
        if hand.is_empty() {
            continue;
        }
        for kind in HandPiece::SFEN_ORDER {
            let count = hand.count(kind) as u8;
            if count > 9 {
                out.push(b'0' + count / 10);
            }
            if count > 1 {
                out.push(b'0' + count % 10);
            }
            if count > 0 {
                out.push(LETTERS[Piece::new(color, kind.kind()).index()][1]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shogi::Position;

    #[test]
    fn what_is_no_place() {
        for bad in [
            "",
            "9/9",
            "4k4/9/9/9/9/9/9/9/4K4",
            "4k4/9/9/9/9/9/9/9/4K4 x -",
            "4k4/9/9/9/9/9/9/9/4K41 b -",
            "4k4/9/9/9/9/9/9/9/4K3+G b -",
            "4k4/9/9/9/9/9/9/9/4K4 b 2",
            "4k4/9/9/9/9/9/9/9/4K4 b - 1",
            "4k4/9/9/9/9/9/9/9/4K4/9 b -",
        ] {
            assert_eq!(setup_of(bad.as_bytes()), None, "{bad}");
        }
    }

    proptest! {
        /// The same as the kernel's way, for whatever play leads to.
        #[test]
        fn like_the_kernel(choices in prop::collection::vec(any::<usize>(), 0..150)) {
            let mut position = Position::startpos();
            let mut speller = Speller::new();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.do_move(moves[choice % moves.len()]);
                let setup = Setup { ply: 1, ..position.setup() };
                let text = setup.to_string();
                let place = text.strip_suffix(" 1").expect("the first move").as_bytes();
                prop_assert_eq!(setup_of(place), Some(setup.clone()));
                let mut written = Vec::new();
                push_place(&mut written, &setup);
                prop_assert_eq!(&written, place);
                written.clear();
                speller.push_place(&mut written, &setup);
                prop_assert_eq!(written, place);
            }
        }

        #[test]
        fn nothing_panics(bytes in "[1-9pPkK+/lnsgbr bw-]{0,60}") {
            let _ = setup_of(bytes.as_bytes());
        }
    }
}
