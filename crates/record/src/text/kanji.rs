//! Japanese squares, pieces and numbers.

use shogi::{HandPiece, PieceKind, Rank, Square};

const KANJI_DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
const WIDE_DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

/// 1 to 9 in any notation.
pub(crate) fn digit(c: char) -> Option<u8> {
    match c {
        '1'..='9' => Some(c as u8 - b'0'),
        '１'..='９' => Some((c as u32 - '０' as u32) as u8),
        _ => KANJI_DIGITS.iter().position(|digit| *digit == c).map(|index| index as u8 + 1),
    }
}

/// The square with these two numbers, 1 to 9 each.
#[inline]
pub(crate) fn square(file: u8, rank: u8) -> Option<Square> {
    let on_board = (1..=9).contains(&file) && (1..=9).contains(&rank);
    if on_board { Square::from_index((file - 1) * 9 + rank - 1) } else { None }
}

/// The kind for a character in diagrams and moves.
pub(crate) fn piece(c: char) -> Option<PieceKind> {
    Some(match c {
        '歩' | '步' => PieceKind::Pawn,
        '香' => PieceKind::Lance,
        '桂' => PieceKind::Knight,
        '銀' => PieceKind::Silver,
        '金' => PieceKind::Gold,
        '角' => PieceKind::Bishop,
        '飛' => PieceKind::Rook,
        '玉' | '王' => PieceKind::King,
        'と' | '个' => PieceKind::ProPawn,
        '杏' => PieceKind::ProLance,
        '圭' => PieceKind::ProKnight,
        '全' | '仝' => PieceKind::ProSilver,
        '馬' => PieceKind::Horse,
        '龍' | '竜' => PieceKind::Dragon,
        _ => return None,
    })
}

/// The name in moves: as in diagrams, but 成銀 for 全 and so on.
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

/// Parses a whole number in kanji (十八) or digits at the start of a text; returns the rest as well.
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

/// Parses pieces in hand as in diagrams: `飛　歩二`, with or without blanks, `なし` for none.
///
/// Ignores a king, which some diagrams list with the pieces that are not in play.
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
