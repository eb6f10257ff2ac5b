//! Moves and numbers as bytes of a text book, without formatting: books have millions of them.

use shogi::{HandPiece, Move, Origin, Square};

/// Appends a move, or `none`.
pub(crate) fn push_move(out: &mut Vec<u8>, m: Option<Move>) {
    let Some(m) = m else { return out.extend_from_slice(b"none") };
    let square = |square: Square| [b'1' + square.index() as u8 / 9, b'a' + square.index() as u8 % 9];
    let from = match m.origin() {
        Origin::Board(from) => square(from),
        Origin::Hand(piece) => [piece.kind().letter() as u8, b'*'],
    };
    out.extend_from_slice(&from);
    out.extend_from_slice(&square(m.to()));
    if m.is_promotion() {
        out.push(b'+');
    }
}

/// Appends a whole number.
pub(crate) fn push_number(out: &mut Vec<u8>, number: i64) {
    let mut digits = [0; 20];
    let (mut begin, mut rest) = (digits.len(), number.unsigned_abs());
    loop {
        begin -= 1;
        digits[begin] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[begin..]);
}

/// A word that is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoMove;

/// Parses a move: `None` for `none` and similar words.
pub(crate) fn parse_move(word: &[u8]) -> Result<Option<Move>, NoMove> {
    match word {
        b"none" | b"None" | b"resign" | b"win" => return Ok(None),
        [a, b, c, d] => parse_parts([*a, *b], [*c, *d], false),
        [a, b, c, d, b'+'] => parse_parts([*a, *b], [*c, *d], true),
        _ => None,
    }
    .map(Some)
    .ok_or(NoMove)
}

/// The piece of each letter of a drop.
const DROPS: [Option<HandPiece>; 256] = {
    let mut table = [None; 256];
    let mut i = 0;
    while i < HandPiece::ALL.len() {
        let piece = HandPiece::ALL[i];
        table[piece.kind().letter() as usize] = Some(piece);
        i += 1;
    }
    table
};

fn parse_parts(from: [u8; 2], to: [u8; 2], promote: bool) -> Option<Move> {
    let to = parse_square(to)?;
    if from[1] == b'*' {
        let piece = DROPS[usize::from(from[0])]?;
        return (!promote).then(|| Move::drop(piece, to));
    }
    let from = parse_square(from)?;
    (from != to).then(|| Move::board(from, to, promote))
}

fn parse_square([file, rank]: [u8; 2]) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'1'), rank.wrapping_sub(b'a'));
    (file < 9 && rank < 9).then(|| Square::from_index(file * 9 + rank)).flatten()
}

/// The number at the beginning of a word, as C's `atoll` reads it; saturates. `None` without a digit.
pub(crate) fn parse_number(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, word),
    };
    if !digits.first()?.is_ascii_digit() {
        return None;
    }
    let mut number: i64 = 0;
    for digit in digits.iter().take_while(|byte| byte.is_ascii_digit()) {
        number = number.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    }
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_those_of_usi() {
        for m in (0..=u16::MAX).filter_map(Move::from_bits) {
            let mut bytes = Vec::new();
            push_move(&mut bytes, Some(m));
            assert_eq!(bytes, m.to_string().into_bytes());
            assert_eq!(parse_move(&bytes), Ok(Some(m)));
        }
        for bad in ["", "7g", "7g7", "7g7g", "7g7f++", "K*5e", "p*5e", "P*5e+", "77776", "rotate", "7g7f-"] {
            assert_eq!(parse_move(bad.as_bytes()), Err(NoMove), "{bad}");
        }
        assert_eq!(parse_move(b"none"), Ok(None));
    }

    #[test]
    fn numbers_are_those_of_atoll() {
        for number in [0, 7, -7, 10, i64::from(i32::MIN), i64::MAX] {
            let mut bytes = Vec::new();
            push_number(&mut bytes, number);
            assert_eq!(bytes, number.to_string().into_bytes());
            assert_eq!(parse_number(&bytes), Some(number));
        }
        assert_eq!(parse_number(b"12.5"), Some(12));
        assert_eq!(parse_number(b"+3x"), Some(3));
        assert_eq!(parse_number(b"99999999999999999999"), Some(i64::MAX));
        assert_eq!([parse_number(b""), parse_number(b"-"), parse_number(b"none")], [None; 3]);
    }
}
