//! Recognises and writes canonical SFEN quickly: books have millions of positions.

use shogi::{Color, HandPiece, Piece, PieceKind, Setup};

/// Bit fields of the counts: sixteen bits for squares, a byte for the others. A board has fewer letters.
mod count {
    pub const SQUARE: u64 = 1;
    pub const SLASH: u64 = 1 << 16;
    pub const KINGS: [u64; 2] = [1 << 24, 1 << 32];
    pub const STRANGE: u64 = 1 << 40;
}

const AFTER_PLUS: usize = 1 << 8;
const AFTER_DIGIT: usize = 2 << 8;

/// What a byte adds to the counts, by the byte and the class of the byte before: [`board_length`] adds up without
/// branches, which would be unpredictable.
static ADDS: [u64; 1 << 10] = {
    let mut table = [count::STRANGE; 1 << 10];
    let mut byte = 0;
    while byte < 256 {
        let letter = byte as u8;
        match letter {
            b'1'..=b'9' => table[byte] = (letter - b'0') as u64 * count::SQUARE,
            b'/' => table[byte] = count::SLASH,
            b'+' => table[byte] = 0,
            _ => {
                if let Some(kind) = PieceKind::from_letter(letter.to_ascii_uppercase() as char) {
                    table[byte] = count::SQUARE;
                    if kind.promoted().is_some() {
                        table[AFTER_PLUS + byte] = count::SQUARE;
                    } else if matches!(kind, PieceKind::King) {
                        table[byte] += count::KINGS[letter.is_ascii_lowercase() as usize];
                    }
                }
            }
        }
        // Two adjacent digits are not canonical.
        if !letter.is_ascii_digit() {
            table[AFTER_DIGIT + byte] = table[byte];
        }
        byte += 1;
    }
    table
};

/// The class of a byte for the next one.
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

/// Longer than any board: two letters for each square, and slashes.
const LONGEST_BOARD: usize = 81 * 2 + 8;

/// The length of a canonical board, up to the blank after it; `None` for any other text. Each side may have at most one
/// king, and one side must have one.
#[inline]
pub(crate) fn board_length(text: &[u8]) -> Option<usize> {
    let text = &text[..text.len().min(LONGEST_BOARD + 1)];
    let length = memchr::memchr(b' ', text).unwrap_or(text.len());
    let (mut sum, mut before) = (0, 0);
    // The sum at the end of each row.
    let mut rows = [0; 16];
    for byte in &text[..length] {
        sum += ADDS[(usize::from(*byte) + before) % ADDS.len()];
        rows[(sum / count::SLASH) as usize % rows.len()] = sum;
        before = usize::from(BEFORE[usize::from(*byte)]);
    }
    let rows_fit = (1..).zip(&rows[..9]).all(|(row, sum)| sum % count::SLASH == 9 * row);
    let [black, white] = count::KINGS.map(|king| sum / king % 256);
    let kings_fit = black <= 1 && white <= 1 && black + white > 0;
    let complete = sum / count::SLASH % 256 == 8 && before != AFTER_PLUS;
    (sum < count::STRANGE && rows_fit && kings_fit && complete).then_some(length)
}

/// The letters of a piece: `+R` for a dragon; two bytes, of which the first is 0 for unpromoted pieces.
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

/// Appends board, side to move and hands of one position.
pub(crate) fn push_place(out: &mut Vec<u8>, setup: &Setup) {
    for rank in 0..9 {
        let mut empty = b'0';
        for file in (0..9).rev() {
            let Some(piece) = setup.board[file * 9 + rank] else {
                empty += 1;
                continue;
            };
            if empty > b'0' {
                out.push(std::mem::replace(&mut empty, b'0'));
            }
            let [plus, letter] = LETTERS[piece.index()];
            if plus != 0 {
                out.push(plus);
            }
            out.push(letter);
        }
        if empty > b'0' {
            out.push(empty);
        }
        if rank < 8 {
            out.push(b'/');
        }
    }
    let (side, hands) = (setup.side, setup.hands);
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
