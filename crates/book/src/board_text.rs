//! Between canonical SFEN and boards, without detours.

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

/// The board of a place; `None` if it is not canonical.
pub(crate) fn setup_of(place: &[u8]) -> Option<Setup> {
    let mut setup = Setup::EMPTY;
    let mut words = place.split(|byte| *byte == b' ');
    let (mut file, mut rank) = (8usize, 0usize);
    let mut promoted = false;
    let mut row_full = false;
    for byte in words.next()? {
        match byte {
            b'1'..=b'9' if !promoted && !row_full => {
                let skip = usize::from(byte - b'0');
                row_full = skip == file + 1;
                file = file.checked_sub(skip).or(row_full.then_some(0))?;
            }
            b'/' if row_full && !promoted => {
                (file, rank, row_full) = (8, rank + 1, false);
            }
            b'+' if !promoted => promoted = true,
            letter => {
                let piece = PIECES[usize::from(*letter)]?;
                let kind = piece.kind();
                let kind = if std::mem::take(&mut promoted) { kind.promoted()? } else { kind };
                if row_full || rank > 8 {
                    return None;
                }
                setup.board[file * 9 + rank] = Some(Piece::new(piece.color(), kind));
                row_full = file == 0;
                file = file.saturating_sub(1);
            }
        }
    }
    if rank != 8 || !row_full {
        return None;
    }
    setup.side = match words.next()? {
        b"b" => Color::Black,
        b"w" => Color::White,
        _ => return None,
    };
    let hands = words.next()?;
    if hands != b"-" {
        read_hands(hands, &mut setup)?;
    }
    words.next().is_none().then_some(setup)
}

fn read_hands(text: &[u8], setup: &mut Setup) -> Option<()> {
    let mut count = 0u32;
    for byte in text {
        if byte.is_ascii_digit() {
            count = count * 10 + u32::from(byte - b'0');
            if count > 18 {
                return None;
            }
            continue;
        }
        let piece = PIECES[usize::from(*byte)]?;
        let kind = piece.kind().to_hand()?;
        let hand = &mut setup.hands[piece.color().index()];
        for _ in 0..std::mem::take(&mut count).max(1) {
            if hand.count(kind) == Hand::max_count(kind) {
                return None;
            }
            hand.add(kind);
        }
    }
    (count == 0).then_some(())
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

/// Longer than any place: two letters for each square, slashes, the side, and fourteen kinds in hand.
const MOST: usize = 256;

/// A text of limited length, without looking for room at every letter.
struct Short {
    bytes: [u8; MOST],
    length: usize,
}

impl Short {
    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[self.length % MOST] = byte;
        self.length += 1;
    }

    #[inline]
    fn push_piece(&mut self, piece: Piece) {
        let [plus, letter] = LETTERS[piece.index()];
        self.bytes[self.length % MOST] = plus;
        self.length += usize::from(plus != 0);
        self.push(letter);
    }
}

/// Appends board, side to move and hands.
pub(crate) fn push_place(out: &mut Vec<u8>, setup: &Setup) {
    let mut text = Short { bytes: [0; MOST], length: 0 };
    for rank in 0..9 {
        if rank != 0 {
            text.push(b'/');
        }
        let mut empty = 0;
        for file in (0..9).rev() {
            let Some(piece) = setup.board[file * 9 + rank] else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text.push(b'0' + std::mem::take(&mut empty));
            }
            text.push_piece(piece);
        }
        if empty > 0 {
            text.push(b'0' + empty);
        }
    }
    for byte in [b' ', if setup.side == Color::Black { b'b' } else { b'w' }, b' '] {
        text.push(byte);
    }
    if setup.hands.iter().all(|hand| hand.is_empty()) {
        text.push(b'-');
    }
    for color in Color::ALL {
        let hand = setup.hands[color.index()];
        if hand.is_empty() {
            continue;
        }
        for kind in HandPiece::SFEN_ORDER {
            let count = hand.count(kind) as u8;
            if count > 9 {
                text.push(b'0' + count / 10);
            }
            if count > 1 {
                text.push(b'0' + count % 10);
            }
            if count > 0 {
                text.push_piece(Piece::new(color, kind.kind()));
            }
        }
    }
    out.extend_from_slice(&text.bytes[..text.length]);
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
                prop_assert_eq!(written, place);
            }
        }

        #[test]
        fn nothing_panics(bytes in "[1-9pPkK+/lnsgbr bw-]{0,60}") {
            let _ = setup_of(bytes.as_bytes());
        }
    }
}
