//! Finds lines of KIF and KI2 that separate games, as bytes in either encoding.

use encoding_rs::SHIFT_JIS;
use std::sync::LazyLock;

/// Fields that begin headers, except those that also occur after the moves (終了日時, 消費時間).
const FIELDS: [&str; 13] = [
    "棋種",
    "手合割",
    "開始日時",
    "対局日",
    "先手",
    "後手",
    "下手",
    "上手",
    "棋戦",
    "表題",
    "場所",
    "持ち時間",
    "後手の持駒",
];

/// Words in UTF-8, and in Shift_JIS if it can encode them.
fn both(words: impl Iterator<Item = String>) -> Vec<Vec<u8>> {
    let shift_jis = |word: &str| match SHIFT_JIS.encode(word) {
        (bytes, _, false) => Some(bytes.into_owned()),
        _ => None,
    };
    words.flat_map(|word| shift_jis(&word).into_iter().chain([word.into_bytes()])).collect()
}

static BEGINNINGS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let colons = FIELDS.iter().flat_map(|field| ["：", ":"].map(|colon| format!("{field}{colon}")));
    both(colons.chain(["#KIF", "# KIF", "# ----", "手数----"].map(str::to_owned)))
});

static MARKS: LazyLock<Vec<Vec<u8>>> =
    LazyLock::new(|| both(["▲", "△", "▼", "▽", "☗", "☖", "まで"].into_iter().map(str::to_owned)));

/// Whether a line begins the header of a game.
pub(crate) fn begins_game(line: &[u8]) -> bool {
    // Quick test: moves and comments begin with other bytes.
    let may = line.first().is_some_and(|first| *first == b'#' || !first.is_ascii());
    may && BEGINNINGS.iter().any(|beginning| line.starts_with(beginning))
}

/// Whether a line belongs to the moves; a header after it then starts the next game.
pub(crate) fn is_move(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
    (digits > 0 && line.get(digits) == Some(&b' ')) || MARKS.iter().any(|mark| line.starts_with(mark))
}
