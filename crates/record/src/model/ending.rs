//! Endings of games.

use shogi::Color;
use std::fmt;

/// The end of a game or of a line, from the point of view of the side to move.
///
/// ```
/// use record::{Ending, GameResult};
/// use shogi::Color;
/// assert_eq!(Ending::from_kif("投了"), Ending::Resign);
/// assert_eq!(Ending::Resign.result(Color::White), GameResult::Win(Color::Black));
/// assert_eq!(Ending::from_kif("49手詰"), Ending::Other("49手詰".into()));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// 投了
    Resign,
    /// 中断
    Interrupt,
    /// 千日手
    Repetition,
    /// 持将棋
    Impasse,
    /// 引き分け by agreement or unknown cause
    Draw,
    /// The agreed number of moves was reached.
    MaxMoves,
    /// 詰み
    Mate,
    /// 不詰
    NoMate,
    /// 切れ負け
    Timeout,
    /// 反則勝ち: the move before was illegal.
    IllegalBefore,
    /// 反則負け: the side to move made an illegal move.
    IllegalHere,
    /// 入玉勝ち: the side to move declared.
    Declaration,
    /// 不戦勝
    WinByDefault,
    /// 不戦敗
    LossByDefault,
    /// 勝ち: the side to move has won by a goal or the points of its game.
    Won,
    /// 負け: the side to move has lost by a goal or the points of its game.
    Lost,
    /// Any other word in the place of an ending.
    Other(Box<str>),
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// This side won.
    Win(Color),
    /// Neither side.
    Draw,
    /// Unknown.
    Unknown,
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(color) => color.fmt(f),
            Self::Draw => f.write_str("draw"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

/// Names in KIF, in CSA and in USI lines; the first entry of an ending is the one written.
#[rustfmt::skip]
const NAMES: [(Ending, &str, &str, &str); 20] = [
    (Ending::Resign,        "投了",     "TORYO",        "resign"),
    (Ending::Interrupt,     "中断",     "CHUDAN",       "break"),
    (Ending::Repetition,    "千日手",   "SENNICHITE",   "rep_draw"),
    (Ending::Impasse,       "持将棋",   "JISHOGI",      ""),
    (Ending::Draw,          "引き分け", "HIKIWAKE",     "draw"),
    (Ending::MaxMoves,      "最大手数", "MAX_MOVES",    ""),
    (Ending::Mate,          "詰み",     "TSUMI",        ""),
    (Ending::NoMate,        "不詰",     "FUZUMI",       ""),
    (Ending::Timeout,       "切れ負け", "TIME_UP",      "timeout"),
    (Ending::IllegalHere,   "反則負け", "ILLEGAL_MOVE", ""),
    (Ending::IllegalBefore, "反則勝ち", "",             ""),
    (Ending::Declaration,   "入玉勝ち", "KACHI",        "win"),
    (Ending::WinByDefault,  "不戦勝",   "",             ""),
    (Ending::LossByDefault, "不戦敗",   "",             ""),
    (Ending::Won,           "勝ち",     "",             ""),
    (Ending::Lost,          "負け",     "",             ""),
    // Other spellings.
    (Ending::Mate,          "詰",       "",             ""),
    (Ending::Draw,          "引分",     "",             ""),
    (Ending::Draw,          "引分け",   "",             ""),
    (Ending::NoMate,        "不詰み",   "",             ""),
];

impl Ending {
    fn names(&self) -> Option<(&'static str, &'static str, &'static str)> {
        NAMES.iter().find(|(ending, ..)| ending == self).map(|&(_, kif, csa, usi)| (kif, csa, usi))
    }

    fn named(is: impl Fn(&(Self, &str, &str, &str)) -> bool) -> Option<Self> {
        NAMES.iter().find(|row| is(row)).map(|(ending, ..)| ending.clone())
    }

    /// The ending with this Japanese name.
    #[must_use]
    pub fn from_kif(word: &str) -> Self {
        Self::named(|(_, kif, ..)| *kif == word).unwrap_or_else(|| Self::Other(word.into()))
    }

    /// Its Japanese name.
    #[must_use]
    pub fn kif(&self) -> &str {
        match self {
            Self::Other(word) => word,
            known => known.names().map_or("", |(kif, ..)| kif),
        }
    }

    /// The ending with this CSA name (without `%`) when `side` is to move.
    #[must_use]
    pub fn from_csa(word: &str, side: Color) -> Self {
        let broke = match word {
            "+ILLEGAL_ACTION" => Color::Black,
            "-ILLEGAL_ACTION" => Color::White,
            _ => {
                return Self::named(|(_, _, csa, _)| !csa.is_empty() && *csa == word)
                    .unwrap_or_else(|| Self::Other(word.into()));
            }
        };
        if broke == side { Self::IllegalHere } else { Self::IllegalBefore }
    }

    /// Its CSA name without `%` when `side` is to move; `None` if CSA has none.
    #[must_use]
    pub fn csa(&self, side: Color) -> Option<&str> {
        match self {
            Self::IllegalBefore if side == Color::Black => Some("-ILLEGAL_ACTION"),
            Self::IllegalBefore => Some("+ILLEGAL_ACTION"),
            Self::Other(word) if word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_') => Some(word),
            known => known.names().map(|(_, csa, _)| csa).filter(|csa| !csa.is_empty()),
        }
    }

    /// The ending for a word among the moves of a USI line.
    #[must_use]
    pub fn from_usi(word: &str) -> Option<Self> {
        Self::named(|(.., usi)| !usi.is_empty() && *usi == word)
    }

    /// Its word in USI lines, if there is one.
    #[must_use]
    pub fn usi(&self) -> Option<&'static str> {
        self.names().map(|(.., usi)| usi).filter(|usi| !usi.is_empty())
    }

    /// The result, when `side` is to move.
    #[must_use]
    pub fn result(&self, side: Color) -> GameResult {
        match self {
            Self::Resign
            | Self::Mate
            | Self::Timeout
            | Self::IllegalHere
            | Self::LossByDefault
            | Self::Lost => GameResult::Win(!side),
            Self::IllegalBefore | Self::Declaration | Self::WinByDefault | Self::Won => GameResult::Win(side),
            Self::Repetition | Self::Impasse | Self::Draw | Self::MaxMoves => GameResult::Draw,
            Self::Interrupt | Self::NoMate | Self::Other(_) => GameResult::Unknown,
        }
    }
}

/// The Japanese name.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kif())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for (ending, kif, csa, usi) in NAMES {
            assert_eq!(Ending::from_kif(kif), ending);
            for side in Color::ALL {
                if !csa.is_empty() {
                    assert_eq!(Ending::from_csa(csa, side), ending);
                }
                if let Some(word) = ending.csa(side) {
                    assert_eq!(Ending::from_csa(word, side), ending, "{word}");
                }
            }
            if !usi.is_empty() {
                assert_eq!(Ending::from_usi(usi), Some(ending));
            }
        }
        assert_eq!(Ending::from_usi(""), None);
        assert_eq!(Ending::from_csa("MATTA", Color::Black), Ending::Other("MATTA".into()));
        assert_eq!(Ending::Other("MATTA".into()).csa(Color::White), Some("MATTA"));
        assert_eq!(Ending::Other("49手詰".into()).csa(Color::White), None);
    }
}
