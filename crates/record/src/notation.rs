//! Japanese words for squares, pieces and numbers.

use crate::glyphs::{Coding, Glyphs};
use shogi::{HandPiece, PieceKind, Rank, Square};

const KANJI_DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const WIDE_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// 1 to 9, however each is written.
static DIGITS: Glyphs<u8> = {
    let mut list = [('1', 1); 27];
    let mut i = 0;
    while i < 9 {
        let digit = i as u8 + 1;
        list[3 * i] = ((b'0' + digit) as char, digit);
        list[3 * i + 1] = (WIDE_DIGITS[i], digit);
        list[3 * i + 2] = (KANJI_DIGITS[i], digit);
        i += 1;
    }
    Glyphs::new(&list, Coding::Utf8)
};

/// Where a move goes: the number of a square, or 同.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target(u8);

impl Target {
    const SAME: Self = Self(Square::COUNT as u8);

    /// ７六, or 同 and a wide blank: two characters of three bytes of UTF-8, as a number.
    #[inline(always)]
    pub fn in_utf8(pair: u64) -> Option<Self> {
        static TARGETS: Targets = Targets::new(&pairs(
            &numbers(&WIDE_DIGITS, Coding::Utf8),
            &numbers(&KANJI_DIGITS, Coding::Utf8),
            numbers(&SAME_AND_BLANK, Coding::Utf8),
            24,
        ));
        TARGETS.find(pair).or_else(|| Self::in_other_digits(pair))
    }

    /// The same in Shift_JIS, of two bytes each.
    #[inline(always)]
    pub fn in_shift_jis(pair: u64) -> Option<Self> {
        static TARGETS: Targets = Targets::new(&pairs(
            &numbers(&WIDE_DIGITS, Coding::ShiftJis),
            &numbers(&KANJI_DIGITS, Coding::ShiftJis),
            numbers(&SAME_AND_BLANK, Coding::ShiftJis),
            16,
        ));
        TARGETS.find(pair)
    }

    /// ７６, 七六
    #[cold]
    fn in_other_digits(pair: u64) -> Option<Self> {
        let digit = |glyph: u64| DIGITS.find(glyph as u32 & 0x00ff_ffff);
        square(digit(pair)?, digit(pair >> 24)?).map(|square| Self(square as u8))
    }

    /// The square, if there is one; `last` is where the last move went.
    #[inline(always)]
    pub fn resolve(self, last: Option<Square>) -> Option<Square> {
        // No branch: when a piece will be taken back nobody can predict.
        let last = last.map_or(Square::COUNT as u8, |last| last as u8);
        Square::from_index(std::hint::select_unpredictable(self == Self::SAME, last, self.0))
    }
}

const SAME_AND_BLANK: [char; 2] = ['同', '\u{3000}'];

const fn numbers<const N: usize>(chars: &[char; N], coding: Coding) -> [u32; N] {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = coding.number(chars[i]);
        i += 1;
    }
    numbers
}

/// Numbers of all usual targets, the squares and then 同; the second character stands so many bits above the first.
const fn pairs(files: &[u32; 9], ranks: &[u32; 9], same: [u32; 2], bits: u32) -> [u64; Square::COUNT + 1] {
    let mut pairs = [same[0] as u64 | (same[1] as u64) << bits; Square::COUNT + 1];
    let mut target = 0;
    while target < Square::COUNT {
        pairs[target] = files[target / 9] as u64 | (ranks[target % 9] as u64) << bits;
        target += 1;
    }
    pairs
}

/// All usual targets, each in a slot of its own, as [`Glyphs`] has characters: one look-up for both.
struct Targets {
    /// The characters below, their meaning above.
    slots: [u64; Targets::SLOTS],
    multiplier: u64,
}

impl Targets {
    const SLOTS: usize = 256;
    /// The bytes of two wide characters.
    const PAIR: u64 = (1 << 48) - 1;

    const fn new(pairs: &[u64; Square::COUNT + 1]) -> Self {
        let mut multiplier = 0x9e37_79b9_7f4a_7c15;
        loop {
            let mut targets = Self { slots: [u64::MAX; Self::SLOTS], multiplier };
            let mut target = 0;
            while target < pairs.len() {
                let place = &mut targets.slots[Self::slot(pairs[target], multiplier)];
                if *place != u64::MAX {
                    break;
                }
                *place = pairs[target] | (target as u64) << Self::PAIR.count_ones();
                target += 1;
            }
            if target == pairs.len() {
                return targets;
            }
            multiplier = multiplier.wrapping_mul(0x5851_f42d_4c95_7f2d) | 1;
        }
    }

    #[inline(always)]
    const fn slot(pair: u64, multiplier: u64) -> usize {
        (pair.wrapping_mul(multiplier) >> (u64::BITS - Self::SLOTS.ilog2())) as usize
    }

    #[inline(always)]
    fn find(&self, pair: u64) -> Option<Target> {
        let known = self.slots[Self::slot(pair, self.multiplier)];
        (known & Self::PAIR == pair).then_some(Target((known >> Self::PAIR.count_ones()) as u8))
    }
}

const PIECE_LIST: [(char, PieceKind); 19] = [
    ('歩', PieceKind::Pawn),
    ('步', PieceKind::Pawn),
    ('香', PieceKind::Lance),
    ('桂', PieceKind::Knight),
    ('銀', PieceKind::Silver),
    ('金', PieceKind::Gold),
    ('角', PieceKind::Bishop),
    ('飛', PieceKind::Rook),
    ('玉', PieceKind::King),
    ('王', PieceKind::King),
    ('と', PieceKind::ProPawn),
    ('个', PieceKind::ProPawn),
    ('杏', PieceKind::ProLance),
    ('圭', PieceKind::ProKnight),
    ('全', PieceKind::ProSilver),
    ('仝', PieceKind::ProSilver),
    ('馬', PieceKind::Horse),
    ('龍', PieceKind::Dragon),
    ('竜', PieceKind::Dragon),
];

static PIECES: Glyphs<PieceKind> = Glyphs::new(&PIECE_LIST, Coding::Utf8);

/// 1 to 9, however it is written.
#[inline]
pub(crate) fn digit(c: char) -> Option<u8> {
    DIGITS.get(c)
}

/// The piece with these bytes of UTF-8, as a number.
#[inline(always)]
pub(crate) fn piece_in_utf8(glyph: u32) -> Option<PieceKind> {
    PIECES.find(glyph)
}

/// The piece with these bytes of Shift_JIS, as a number.
#[inline(always)]
pub(crate) fn piece_in_shift_jis(glyph: u32) -> Option<PieceKind> {
    static PIECES: Glyphs<PieceKind> = Glyphs::new(&PIECE_LIST, Coding::ShiftJis);
    PIECES.find(glyph)
}

/// The square with these two numbers, 1 to 9 each.
#[inline]
pub(crate) fn square(file: u8, rank: u8) -> Option<Square> {
    let on_board = (1..=9).contains(&file) && (1..=9).contains(&rank);
    if on_board { Square::from_index((file - 1) * 9 + rank - 1) } else { None }
}

/// The kind with this one character, as diagrams and moves write it.
#[inline]
pub(crate) fn piece(c: char) -> Option<PieceKind> {
    PIECES.get(c)
}

/// The name that moves use: as in diagrams, but 成銀 for 全 and so on.
pub(crate) fn piece_in_move(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "歩",
        PieceKind::Lance => "香",
        PieceKind::Knight => "桂",
        PieceKind::Silver => "銀",
        PieceKind::Gold => "金",
        PieceKind::Bishop => "角",
        PieceKind::Rook => "飛",
        PieceKind::King => "玉",
        PieceKind::ProPawn => "と",
        PieceKind::ProLance => "成香",
        PieceKind::ProKnight => "成桂",
        PieceKind::ProSilver => "成銀",
        PieceKind::Horse => "馬",
        PieceKind::Dragon => "龍",
    }
}

/// `76`
pub(crate) fn square_digits(square: Square) -> [char; 2] {
    [square.file() as u8, square.rank() as u8].map(|number| char::from(b'1' + number))
}

/// ７六
pub(crate) fn square_name(square: Square) -> [char; 2] {
    [WIDE_DIGITS[square.file() as usize], KANJI_DIGITS[square.rank() as usize]]
}

/// The number of a rank as diagrams write it.
pub(crate) fn rank_name(rank: Rank) -> char {
    KANJI_DIGITS[rank as usize]
}

/// A whole number at the start of a text, in kanji (十八) or digits; what follows it.
pub(crate) fn number(text: &str) -> Option<(u32, &str)> {
    let mut value: u32 = 0;
    let mut ones: u32 = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        match c {
            '十' => {
                value = value.saturating_add(ones.max(1) * 10);
                ones = 0;
            }
            '0' | '０' | '〇' => ones = ones.saturating_mul(10).min(9999),
            c => match digit(c) {
                Some(d) => ones = (ones * 10 + u32::from(d)).min(9999),
                None => break,
            },
        }
        rest = &rest[c.len_utf8()..];
    }
    (rest.len() < text.len()).then_some((value.saturating_add(ones), rest))
}

/// 2 as 二, 18 as 十八.
pub(crate) fn kanji_number(n: u32) -> String {
    let digit = |n: u32| n.checked_sub(1).and_then(|i| KANJI_DIGITS.get(i as usize)).copied();
    let (tens, ones) = (n / 10, n % 10);
    let mut text = String::new();
    if tens > 1 {
        text.extend(digit(tens));
    }
    if tens > 0 {
        text.push('十');
    }
    text.extend(digit(ones));
    text
}

/// Pieces in hand as diagrams list them: `飛　歩二`, with or without blanks, `なし` for none.
///
/// A king beside the board, as some boards list it with the pieces that are not in play, is left out.
pub(crate) fn hand(text: &str) -> Option<Vec<(HandPiece, u32)>> {
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    if rest.starts_with("なし") || rest.starts_with("無し") {
        return Some(pieces);
    }
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if c.is_whitespace() || "、,，・".contains(c) {
            continue;
        }
        let kind = piece(c).filter(|kind| !kind.is_promoted())?;
        let (count, after) = number(rest).unwrap_or((1, rest));
        rest = after;
        pieces.extend(kind.to_hand().map(|piece| (piece, count)));
    }
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        for (text, value) in
            [("十八", 18), ("二", 2), ("十", 10), ("二十一", 21), ("18", 18), ("１８", 18), ("3", 3)]
        {
            assert_eq!(number(text), Some((value, "")), "{text}");
        }
        for n in 1..=99 {
            assert_eq!(number(&kanji_number(n)), Some((n, "")), "{n}");
        }
        assert_eq!(number("歩"), None);
        assert_eq!(number("二　歩"), Some((2, "　歩")));
    }

    #[test]
    fn hands_with_and_without_blanks() {
        let expected = vec![(HandPiece::Rook, 2), (HandPiece::Bishop, 1), (HandPiece::Pawn, 18)];
        for text in ["飛二　角　歩十八　", "飛二角歩十八", " 飛2 角1 歩18", "飛二、角、歩十八"]
        {
            assert_eq!(hand(text).as_ref(), Some(&expected), "{text}");
        }
        assert_eq!(hand("なし"), Some(vec![]));
        assert_eq!(hand(""), Some(vec![]));
        assert_eq!(hand("玉 飛二角歩十八"), Some(expected));
        assert_eq!(hand("と"), None);
        assert_eq!(hand("銀x"), None);
    }

    #[test]
    fn squares_and_pieces() {
        assert_eq!(square(7, 6), Some(Square::Sq76));
        assert_eq!(square(0, 6), None);
        assert_eq!(square_name(Square::Sq76), ['７', '六']);
        for kind in PieceKind::ALL {
            assert_eq!(piece(kind.kanji()), Some(kind));
        }
    }
}
