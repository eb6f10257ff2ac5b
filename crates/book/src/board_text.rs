//! Between canonical SFEN and boards, without detours.

use shogi::{Color, File, Hand, HandPiece, Piece, PieceKind, Rank, Setup, Square};

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

/// Appends board, side to move and hands.
pub(crate) fn push_place(out: &mut Vec<u8>, setup: &Setup) {
    for rank in Rank::ALL {
        if rank != Rank::R1 {
            out.push(b'/');
        }
        let mut empty = 0;
        for file in File::ALL.into_iter().rev() {
            let Some(piece) = setup.piece_at(Square::new(file, rank)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                out.push(b'0' + std::mem::take(&mut empty));
            }
            if piece.kind().is_promoted() {
                out.push(b'+');
            }
            out.push(letter(piece));
        }
        if empty > 0 {
            out.push(b'0' + empty);
        }
    }
    out.extend_from_slice(if setup.side == Color::Black { b" b " } else { b" w " });
    let begin = out.len();
    for color in Color::ALL {
        for kind in HandPiece::SFEN_ORDER {
            let count = setup.hands[color.index()].count(kind);
            if count > 1 {
                crate::usi_bytes::push_number(out, count.into());
            }
            if count > 0 {
                out.push(letter(Piece::new(color, kind.kind())));
            }
        }
    }
    if out.len() == begin {
        out.push(b'-');
    }
}

fn letter(piece: Piece) -> u8 {
    let letter = piece.kind().unpromoted().letter() as u8;
    if piece.color() == Color::Black { letter } else { letter.to_ascii_lowercase() }
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
