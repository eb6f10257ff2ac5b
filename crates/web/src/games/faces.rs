//! How pieces of shogi look and move; variants with the same pieces use the same faces.

use crate::protocol::{PieceFace, StepFace, Words};

/// Kind, one kanji, two kanji, Japanese name, English name, steps, slides.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

/// Steps: digits as on a keypad (8 forward), `N` the knight's leaps; after a blank the slides.
const ROWS: [Row; 14] = [
    ("K", "玉", "玉将", "玉", "king", "12346789 "),
    ("R", "飛", "飛車", "飛", "rook", " 2468"),
    ("B", "角", "角行", "角", "bishop", " 1379"),
    ("G", "金", "金将", "金", "gold", "246789 "),
    ("S", "銀", "銀将", "銀", "silver", "13789 "),
    ("N", "桂", "桂馬", "桂", "knight", "N "),
    ("L", "香", "香車", "香", "lance", " 8"),
    ("P", "歩", "歩兵", "歩", "pawn", "8 "),
    ("+R", "龍", "龍王", "龍", "dragon", "1379 2468"),
    ("+B", "馬", "龍馬", "馬", "horse", "2468 1379"),
    ("+S", "全", "成銀", "成銀", "promoted silver", "246789 "),
    ("+N", "圭", "成桂", "成桂", "promoted knight", "246789 "),
    ("+L", "杏", "成香", "成香", "promoted lance", "246789 "),
    ("+P", "と", "と金", "と", "tokin", "246789 "),
];

/// All pieces of shogi.
pub(super) fn shogi() -> Vec<PieceFace> {
    ROWS.iter()
        .map(|&(kind, glyph, glyph2, ja, en, moves)| {
            let promoted = kind.starts_with('+');
            let plain = kind.trim_start_matches('+');
            let can_promote = !promoted && !matches!(kind, "K" | "G");
            PieceFace {
                kind: kind.to_owned(),
                glyph: Some(glyph.to_owned()),
                glyph2: Some(glyph2.to_owned()),
                letter: kind.to_owned(),
                name: Words::new(ja, en),
                promoted,
                promotes_to: can_promote.then(|| format!("+{kind}")),
                in_hand: (plain != "K").then(|| plain.to_owned()),
                royal: plain == "K",
                moves: steps(moves),
            }
        })
        .collect()
}

/// The two kanji and the names of the piece with this kanji.
pub(super) fn of_kanji(kanji: &str) -> Option<(&'static str, Words)> {
    let row = ROWS.iter().find(|row| row.1 == kanji)?;
    Some((row.2, Words::new(row.3, row.4)))
}

/// The kanji of a kind of shogi.
pub(super) fn kanji_of(kind: &str) -> Option<&'static str> {
    ROWS.iter().find(|row| row.0 == kind).map(|row| row.3)
}

fn steps(text: &str) -> Vec<StepFace> {
    let (leaps, slides) = text.split_once(' ').unwrap_or((text, ""));
    let direction = |digit: char| {
        let key = digit.to_digit(10).unwrap_or(5) as i32 - 1;
        (key % 3 - 1, key / 3 - 1)
    };
    let step = |(right, forward): (i32, i32), range: u32| StepFace {
        right,
        forward,
        range,
        purpose: "both".to_owned(),
    };
    let mut steps = Vec::new();
    for c in leaps.chars() {
        match c {
            'N' => steps.extend([step((-1, 2), 1), step((1, 2), 1)]),
            digit => steps.push(step(direction(digit), 1)),
        }
    }
    steps.extend(slides.chars().map(|digit| step(direction(digit), 0)));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shogi_pieces_move_as_the_rules_say() {
        use shogi::{Color, File, Piece, PieceKind, Rank, Square, attacks};
        let centre = Square::new(File::ALL[4], Rank::ALL[4]);
        for face in shogi() {
            let plain =
                PieceKind::from_letter(face.kind.trim_start_matches('+').chars().next().unwrap()).unwrap();
            let kind = if face.promoted { plain.promoted().unwrap() } else { plain };
            let reach = attacks::on_empty_board(Piece::new(Color::Black, kind), centre);
            let mut found = 0;
            for step in &face.moves {
                let most = if step.range == 0 { 4 } else { step.range as i32 };
                for n in 1..=most {
                    let (file, rank) = (4 - step.right * n, 4 - step.forward * n);
                    if !(0..9).contains(&file) || !(0..9).contains(&rank) {
                        break;
                    }
                    let square = Square::new(File::ALL[file as usize], Rank::ALL[rank as usize]);
                    assert!(reach.contains(square), "{} {square}", face.kind);
                    found += 1;
                }
            }
            assert_eq!(found, reach.into_iter().count(), "{}", face.kind);
        }
    }
}
