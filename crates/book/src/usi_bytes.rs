//! Moves and numbers as the bytes of a text book, without detours: books have millions of them.

use crate::short::Short;
use shogi::{HandPiece, Move, Origin, Square};

/// A line with moves and numbers: two moves, three numbers, blanks and a line end are shorter.
pub(crate) type Line = Short<128>;

impl Line {
    /// Appends a move, or `none`.
    #[inline]
    pub(crate) fn push_move(&mut self, m: Option<Move>) {
        let Some(m) = m else { return self.push_all(b"none") };
        match m.origin() {
            Origin::Board(from) => self.push_square(from),
            Origin::Hand(piece) => self.push_all(&[piece.kind().letter() as u8, b'*']),
        }
        self.push_square(m.to());
        self.push_if(b'+', m.is_promotion());
    }

    #[inline]
    fn push_square(&mut self, square: Square) {
        let index = square.index() as u8;
        self.push_all(&[b'1' + index / 9, b'a' + index % 9]);
    }

    /// Appends a whole number.
    #[inline]
    pub(crate) fn push_number(&mut self, number: i64) {
        self.push_if(b'-', number < 0);
        let rest = number.unsigned_abs();
        if let Some([letters @ .., length]) = SMALL_NUMBERS.get(rest as usize) {
            self.push_padded(*letters, (*length).into());
        } else {
            self.push_large(rest);
        }
    }

    fn push_large(&mut self, number: u64) {
        let mut digits = [0; 20];
        let mut begin = digits.len();
        let mut rest = number;
        while rest > 0 {
            begin -= 1;
            digits[begin] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        self.push_all(&digits[begin..]);
    }
}

/// Numbers that books are full of: letters, and how many of them count.
pub(crate) static SMALL_NUMBERS: [[u8; 4]; 1000] = {
    let mut table = [[b'0'; 4]; 1000];
    let mut number = 0;
    while number < table.len() {
        let digits = [number / 100, number / 10 % 10, number % 10];
        let length = if number > 99 {
            3
        } else if number > 9 {
            2
        } else {
            1
        };
        let mut i = 0;
        while i < length {
            table[number][i] = b'0' + digits[3 - length + i] as u8;
            i += 1;
        }
        table[number][3] = length as u8;
        number += 1;
    }
    table
};

/// Appends a move, or `none`.
pub(crate) fn push_move(out: &mut Vec<u8>, m: Option<Move>) {
    let mut line = Line::new();
    line.push_move(m);
    line.append_to(out);
}

/// Appends a whole number.
pub(crate) fn push_number(out: &mut Vec<u8>, number: i64) {
    let mut line = Line::new();
    line.push_number(number);
    line.append_to(out);
}

/// A word that is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoMove;

/// A word in the place of a move: `None` for `none` and its kin.
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

/// The piece that a letter drops.
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

/// The number that a word begins with, as C's `atoll` reads it; too large ones are cut. `None` if there is no digit.
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

/// Takes a move off a text, if it is written as [`push_move`] writes it and a blank follows.
#[inline]
#[allow(clippy::option_option, reason = "no move at all is something else than `none`")]
pub(crate) fn exact_move(rest: &mut &[u8]) -> Option<Option<Move>> {
    let (word, promote) = match *rest {
        [a, b, c, d, b' ', ..] => ([*a, *b, *c, *d], false),
        [a, b, c, d, b'+', b' ', ..] => ([*a, *b, *c, *d], true),
        _ => return None,
    };
    let [a, b, c, d] = word;
    let play = if word == *b"none" && !promote { None } else { Some(parse_parts([a, b], [c, d], promote)?) };
    *rest = &rest[4 + usize::from(promote)..];
    Some(play)
}

/// Takes a number of up to nine digits off a text, if it is written as [`push_number`] writes it.
#[inline]
pub(crate) fn exact_number(rest: &mut &[u8]) -> Option<i32> {
    let negative = rest.first() == Some(&b'-');
    let digits = &rest[usize::from(negative)..];
    let (number, length) =
        digits.first_chunk().and_then(|letters| few_digits(*letters)).or_else(|| many_digits(digits))?;
    let leading_zero = digits.first() == Some(&b'0') && (length > 1 || negative);
    (!leading_zero).then(|| {
        *rest = &digits[length..];
        if negative { -number } else { number }
    })
}

/// The number that eight letters begin with, and how many digits it has: one to seven.
#[inline]
pub(crate) fn few_digits(letters: [u8; 8]) -> Option<(i32, usize)> {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let values = u64::from_le_bytes(letters) ^ u64::from_le_bytes([b'0'; 8]);
    // The highest bit of each byte up to the first that is no digit tells whether it is one.
    let others = (values.wrapping_add((0x7f - 9) * EACH) | values) & (0x80 * EACH);
    let length = others.trailing_zeros() as usize / 8;
    if length == 0 || length == 8 {
        return None;
    }
    // As if zeros came before; then neighbours are put together, three times.
    let digits = values << (8 * (8 - length));
    let twos = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = twos.wrapping_mul(100).wrapping_add(twos >> 16) & 0x0000_ffff_0000_ffff;
    let eight = fours.wrapping_mul(10_000).wrapping_add(fours >> 32) as u32;
    Some((eight as i32, length))
}

/// The same letter by letter, up to nine digits.
#[cold]
fn many_digits(letters: &[u8]) -> Option<(i32, usize)> {
    let length = letters.iter().take_while(|letter| letter.is_ascii_digit()).count();
    let value = |number: i32, digit: &u8| number * 10 + i32::from(digit - b'0');
    (1..=9).contains(&length).then(|| (letters[..length].iter().fold(0, value), length))
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

    #[test]
    fn exactly_as_written() {
        for (text, move_, rest) in
            [("7g7f x", Some("7g7f"), " x"), ("8h2b+ ", Some("8h2b+"), " "), ("P*5e ", Some("P*5e"), " ")]
        {
            let mut left = text.as_bytes();
            assert_eq!(exact_move(&mut left).unwrap(), move_.map(|text| text.parse().unwrap()));
            assert_eq!(left, rest.as_bytes());
        }
        assert_eq!(exact_move(&mut b"none ".as_slice()), Some(None));
        for bad in ["", "7g7f", "None ", "win ", "resign ", "7g7f\t", "7g7g ", "7g7f++ "] {
            assert_eq!(exact_move(&mut bad.as_bytes()), None, "{bad}");
        }
        for number in [0, 5, -5, 999_999_999, -999_999_999] {
            let text = format!("{number} ");
            let mut left = text.as_bytes();
            assert_eq!((exact_number(&mut left), left), (Some(number), b" ".as_slice()));
        }
        for bad in ["", "-", "-0", "00", "01", "+1", "x", "1000000000"] {
            assert_eq!(exact_number(&mut bad.as_bytes()), None, "{bad}");
        }
    }
}
