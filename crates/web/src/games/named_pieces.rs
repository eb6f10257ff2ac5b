//! Pieces of variants that players know by names of their own, where the file says only how they move.

use crate::protocol::Words;

/// Game, kind, sign, Japanese name, English name.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str);

const ROWS: [Row; 24] = [
    ("torishogi", "K", "鵬", "鵬", "phoenix"),
    ("torishogi", "F", "鷹", "鷹", "falcon"),
    ("torishogi", "+F", "鵰", "鵰", "eagle"),
    ("torishogi", "C", "鶴", "鶴", "crane"),
    ("torishogi", "L", "鶉", "左鶉", "left quail"),
    ("torishogi", "R", "鶉", "右鶉", "right quail"),
    ("torishogi", "P", "雉", "雉", "pheasant"),
    ("torishogi", "S", "燕", "燕", "swallow"),
    ("torishogi", "+S", "鴈", "鴈", "goose"),
    ("dobutsu", "L", "ラ", "ライオン", "lion"),
    ("dobutsu", "E", "ぞ", "ぞう", "elephant"),
    ("dobutsu", "G", "き", "きりん", "giraffe"),
    ("dobutsu", "C", "ひ", "ひよこ", "chick"),
    ("dobutsu", "+C", "に", "にわとり", "hen"),
    ("shoshogi", "E", "醉", "醉象", "drunk elephant"),
    ("shoshogi", "+E", "太", "太子", "crown prince"),
    ("okisakishogi", "Q", "妃", "妃", "queen"),
    ("okisakishogi", "L", "香", "香", "lance"),
    ("okisakishogi", "+L", "杏", "成香", "promoted lance"),
    ("okisakishogi", "N", "桂", "桂", "knight"),
    ("okisakishogi", "+N", "圭", "成桂", "promoted knight"),
    ("euroshogi", "N", "桂", "桂", "knight"),
    ("euroshogi", "+N", "圭", "成桂", "promoted knight"),
    ("cannonshogi", "P", "兵", "兵", "soldier"),
];

/// The sign and the names of a kind.
pub(super) fn of(game: &str, kind: &str) -> Option<(&'static str, Words)> {
    let row = ROWS.iter().find(|row| (row.0, row.1) == (game, kind))?;
    Some((row.2, Words::new(row.3, row.4)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Games;
    use engines::Catalogue;

    #[test]
    fn every_named_piece_is_in_its_game() {
        let games = Games::new(&Catalogue::default());
        for (game, kind, sign, ..) in ROWS {
            let game = games.get(game).unwrap();
            let face = game.rules().palette.pieces.iter().find(|face| face.kind == kind);
            assert_eq!(face.and_then(|face| face.glyph.as_deref()), Some(sign), "{kind}");
        }
    }

    #[test]
    fn moves_use_the_names() {
        let games = Games::new(&Catalogue::default());
        let tori = games.get("torishogi").unwrap();
        let mut line = tori.line(&tori.start()).unwrap();
        assert_eq!(line.play("3d3c").unwrap().ja, "３三燕");
    }
}
