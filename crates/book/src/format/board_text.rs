//! Between canonical SFEN and boards.

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
    let mut setup = Setup::EMPTY;
    let length = scan_board(place, |square, piece| {
        // Squares of a setup lie file by file.
        let (rank, file) = (square / 9, 8usize.wrapping_sub(square % 9));
        if let Some(place) = setup.board.get_mut(file * 9 + rank) {
            *place = piece;
        }
    })?;
    let (side, hands) = place[length..].split_at_checked(3)?;
    setup.side = match side {
        b" b " => Color::Black,
        b" w " => Color::White,
        _ => return None,
    };
    (hands == b"-" || read_hands(hands, &mut setup.hands)? == hands.len()).then_some(setup)
}

/// Reads hands up to something that does not belong to them and tells their length.
fn read_hands(text: &[u8], hands: &mut [Hand; 2]) -> Option<usize> {
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
