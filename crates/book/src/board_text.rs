//! Between canonical SFEN and boards, without detours.

use crate::short::Short;
use shogi::{Color, Hand, HandPiece, Piece, PieceKind, Setup, SetupWords};

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

/// What a byte of a board is, behind another. [`scan_board`] adds up and asks nothing: what comes next cannot be
/// foreseen.
#[derive(Clone, Copy)]
struct Glyph {
    /// How many there are of several things; see [`count`].
    adds: u64,
    /// What it puts on the board.
    piece: Option<Piece>,
}

/// What is counted, sixteen bits for squares, a byte for the others; a board has fewer letters.
mod count {
    pub const SQUARE: u64 = 1;
    pub const SLASH: u64 = 1 << 16;
    pub const KINGS: [u64; 2] = [1 << 24, 1 << 32];
    pub const STRANGE: u64 = 1 << 40;
}

const AFTER_PLUS: usize = 1 << 8;
const AFTER_DIGIT: usize = 2 << 8;

/// By byte, and by what was before it.
static GLYPHS: [Glyph; 1 << 10] = {
    let mut table = [Glyph { adds: count::STRANGE, piece: None }; 1 << 10];
    let mut byte = 0;
    while byte < 256 {
        let plain = &mut table[byte];
        match (byte as u8, PIECES[byte]) {
            (digit @ b'1'..=b'9', _) => plain.adds = (digit - b'0') as u64 * count::SQUARE,
            (b'/', _) => plain.adds = count::SLASH,
            (b'+', _) => plain.adds = 0,
            (_, Some(piece)) => {
                *plain = Glyph { adds: count::SQUARE, piece: Some(piece) };
                if let Some(promoted) = piece.kind().promoted() {
                    let promoted = Some(Piece::new(piece.color(), promoted));
                    table[AFTER_PLUS + byte] = Glyph { adds: count::SQUARE, piece: promoted };
                } else if matches!(piece.kind(), PieceKind::King) {
                    plain.adds += count::KINGS[piece.color() as usize];
                }
            }
            _ => {}
        }
        // Two digits side by side are another spelling.
        if !(byte as u8).is_ascii_digit() {
            table[AFTER_DIGIT + byte] = table[byte];
        }
        byte += 1;
    }
    table
};

/// What a byte means for the next.
static BEFORE: [u16; 256] = {
    let mut table = [0; 256];
    table[b'+' as usize] = AFTER_PLUS as u16;
    let mut digit = b'0';
    while digit <= b'9' {
        table[digit as usize] = AFTER_DIGIT as u16;
        digit += 1;
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
    let text = &text[..text.len().min(LONGEST_BOARD + 1)];
    let length = memchr::memchr(b' ', text).unwrap_or(text.len());
    let (mut sum, mut before) = (0, 0);
    // By row: the sum at its end.
    let mut rows = [0; 16];
    for byte in &text[..length] {
        let glyph = &GLYPHS[(usize::from(*byte) + before) % GLYPHS.len()];
        put(sum as usize % SQUARES, glyph.piece);
        sum += glyph.adds;
        rows[(sum / count::SLASH) as usize % rows.len()] = sum;
        before = usize::from(BEFORE[usize::from(*byte)]);
    }
    let rows_fit = (1..).zip(&rows[..9]).all(|(row, sum)| sum % count::SLASH == 9 * row);
    let [black, white] = count::KINGS.map(|king| sum / king % 256);
    let kings_fit = black <= 1 && white <= 1 && black + white > 0;
    let complete = sum / count::SLASH % 256 == 8 && before != AFTER_PLUS;
    (sum < count::STRANGE && rows_fit && kings_fit && complete).then_some(length)
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
    let hands_length = if hands.first() == Some(&b'-') { 1 } else { read_hands(hands, &mut setup.hands)? };
    Some((setup, length + side.len() + hands_length))
}

/// What stands on a canonical row, as [`SetupWords::ranks`] says it.
pub(crate) fn read_row(text: &[u8]) -> Option<u64> {
    let (mut squares, mut count, mut before) = (0, 0, 0);
    for byte in text {
        let glyph = &GLYPHS[usize::from(*byte) + before];
        let wide = (glyph.adds % count::SLASH) as usize;
        if glyph.adds >= count::STRANGE || *byte == b'/' || count + wide > 9 {
            return None;
        }
        squares = squares << (SQUARE_BITS * wide) | glyph.piece.map_or(0, Piece::index) as u64;
        count += wide;
        before = usize::from(BEFORE[usize::from(*byte)]);
    }
    (count == 9 && before != AFTER_PLUS).then_some(squares)
}

/// Reads hands up to something that does not belong to them and tells their length.
pub(crate) fn read_hands(text: &[u8], hands: &mut [Hand; 2]) -> Option<usize> {
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
        let hand = &mut hands[piece.color().index()];
        let sum = hand.count(kind) + std::mem::take(&mut count).max(1);
        if sum > Hand::max_count(kind) {
            return None;
        }
        *hand = hand.with_count(kind, sum);
    }
    (!text.is_empty() && count == 0).then_some(text.len())
}

/// The letters of a piece: `+R` for a dragon, two bytes of which the first is 0 where it is not promoted.
static LETTERS: [[u8; 2]; 32] = {
    let mut table = [[0; 2]; 32];
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

/// Bits of a square.
const SQUARE_BITS: usize = SetupWords::SQUARE_BITS;

/// Where a row is looked for first in a table of two to the power of `bits` rows.
#[inline(always)]
pub(crate) fn row_slot(squares: u64, bits: u32) -> usize {
    (squares.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits)) as usize
}

/// A row with the slash behind it.
pub(crate) fn spell_row(squares: u64) -> Short<32> {
    let mut text = [0; 32];
    let length = write_row(squares, &mut text);
    text[length..].fill(0);
    let mut spelled = Short::new();
    spelled.push_padded(text, length);
    spelled
}

/// Two squares side by side.
#[derive(Clone, Copy)]
struct Pair {
    /// Empty squares before the first piece, or all.
    before: u8,
    /// Those behind it.
    behind: u8,
    /// The letters of its pieces, and how many they are.
    length: u8,
    text: [u8; 4],
}

/// By ten bits of a row; the square on the left has the higher five.
static PAIRS: [Pair; 1 << 10] = {
    let mut table = [Pair { before: 2, behind: 0, length: 0, text: [0; 4] }; 1 << 10];
    let mut i = 0;
    while i < table.len() {
        let squares = [LETTERS[i / 32], LETTERS[i % 32]];
        let pair = &mut table[i];
        let mut square = 0;
        while square < 2 {
            let [plus, letter] = squares[square];
            if letter != 0 {
                if pair.length == 0 {
                    pair.before = square as u8;
                }
                if plus != 0 {
                    pair.text[pair.length as usize] = plus;
                    pair.length += 1;
                }
                pair.text[pair.length as usize] = letter;
                pair.length += 1;
            } else if pair.length > 0 {
                pair.behind += 1;
            }
            square += 1;
        }
        i += 1;
    }
    table
};

/// Writes a row with the slash behind it and tells its length. What stands there cannot be foreseen, so nothing is asked:
/// what does not count is written over.
#[inline]
pub(crate) fn write_row(squares: u64, text: &mut [u8; 32]) -> usize {
    let (mut length, mut empty) = (0, 0);
    // Before the ninth file there is one that nothing stands on, and that does not count.
    for file in [8, 6, 4, 2, 0] {
        let pair = &PAIRS[(squares >> (SQUARE_BITS * file)) as usize % PAIRS.len()];
        empty += pair.before - u8::from(file == 8);
        let is_piece = pair.length != 0;
        text[length % 32] = b'0' + empty;
        length += usize::from(is_piece) & usize::from(empty != 0);
        if let Some(room) = text.get_mut(length..).and_then(<[u8]>::first_chunk_mut) {
            *room = pair.text;
        }
        length += usize::from(pair.length);
        empty = if is_piece { pair.behind } else { empty };
    }
    text[length % 32] = b'0' + empty;
    length += usize::from(empty != 0);
    text[length % 32] = b'/';
    length + 1
}

/// Appends board, side to move and hands of one position.
pub(crate) fn push_place(out: &mut Vec<u8>, setup: &Setup) {
    for rank in SetupWords::from(setup).ranks() {
        out.extend_from_slice(spell_row(rank).as_bytes());
    }
    out.pop();
    push_side_and_hands(out, setup.side, setup.hands);
}

pub(crate) fn push_side_and_hands(out: &mut Vec<u8>, side: Color, hands: [Hand; 2]) {
    out.extend_from_slice(if side == Color::Black { b" b " } else { b" w " });
    if hands.iter().all(|hand| hand.is_empty()) {
        return out.push(b'-');
    }
    for color in Color::ALL {
        let hand = hands[color.index()];
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
            }
        }

        #[test]
        fn nothing_panics(bytes in "[1-9pPkK+/lnsgbr bw-]{0,60}") {
            let _ = setup_of(bytes.as_bytes());
        }
    }
}
