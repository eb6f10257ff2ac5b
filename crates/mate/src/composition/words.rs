//! Moves, hands and verdicts in words, in two languages.

use super::examine::{Examination, Soundness};
use super::inquiry::after;
use crate::MateLength;
use platform::Language;
use record::Board;
use shogi::{Hand, Move, Position};

/// Moves in words, played after others from a start: `５二金`, or `G*5b`.
#[must_use]
pub fn spoken_line(start: &Position, before: &[Move], moves: &[Move], language: Language) -> Vec<String> {
    let mut position = after(start, before);
    let mut words = Vec::new();
    for &m in moves {
        words.push(match language {
            Language::Japanese => {
                record::speak(&Board::from(&position.setup()), m, position.last_move().map(Move::to))
            }
            Language::English => record::western(&position, m, position.legal_moves().iter().copied()),
        });
        position.do_move(m);
    }
    words
}

/// A whole solution: the moves and its length.
#[must_use]
pub fn spoken_solution(start: &Position, line: &[Move], language: Language) -> String {
    let words = spoken_line(start, &[], line, language).join(" ");
    match language {
        Language::Japanese => format!("{words} まで{}手詰", line.len()),
        Language::English => words,
    }
}

/// Pieces in hand: `金二歩`, or `2G P`.
pub(super) fn hand(hand: Hand, language: Language) -> String {
    let pieces = hand.iter().map(|(piece, count)| match (language, count) {
        (Language::Japanese, 1) => piece.kind().kanji().to_string(),
        (Language::Japanese, count) => format!("{}{count}", piece.kind().kanji()),
        (Language::English, 1) => piece.kind().letter().to_string(),
        (Language::English, count) => format!("{count}{}", piece.kind().letter()),
    });
    pieces.collect::<Vec<_>>().join(language.say(" ", ""))
}

/// `7 plies`, `at most 7 plies`.
pub(super) fn length(length: MateLength, language: Language) -> String {
    let plies = length.plies();
    match (language, length.is_exact()) {
        (Language::Japanese, true) => format!("{plies}手"),
        (Language::Japanese, false) => format!("{plies}手以下"),
        (Language::English, true) => plies_in_english(plies),
        (Language::English, false) => format!("at most {}", plies_in_english(plies)),
    }
}

fn plies_in_english(plies: u32) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

/// The verdict of the custom in words.
#[must_use]
pub fn verdict(found: &Examination, language: Language) -> String {
    let names = |kinds: &[super::FlawKind]| match language {
        Language::Japanese => kinds.iter().map(|kind| kind.japanese()).collect::<Vec<_>>().join("、"),
        Language::English => kinds.iter().map(|kind| kind.english()).collect::<Vec<_>>().join(", "),
    };
    match (found.soundness(), language) {
        (Soundness::Sound, Language::Japanese) => "完全作".to_owned(),
        (Soundness::Sound, Language::English) => "sound: the solution is unique".to_owned(),
        (Soundness::Blemished(kinds), Language::Japanese) => {
            format!("完全作（キズあり: {}）", names(&kinds))
        }
        (Soundness::Blemished(kinds), Language::English) => {
            format!("sound, with blemishes: {}", names(&kinds))
        }
        (Soundness::Unsound(kinds), Language::Japanese) => format!("不完全作: {}", names(&kinds)),
        (Soundness::Unsound(kinds), Language::English) => format!("unsound: {}", names(&kinds)),
        (Soundness::Undecided, Language::Japanese) => "未確定".to_owned(),
        (Soundness::Undecided, Language::English) => "not decided".to_owned(),
    }
}
