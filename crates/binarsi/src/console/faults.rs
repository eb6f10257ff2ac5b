//! Errors in lines of input, in both languages.

use crate::edit::{CodeError, EditError, Refusal};
use crate::sfen::SfenError;
use crate::way::Way;
use game::PositionCommandError;
use platform::Language;

/// Why a line was refused.
#[derive(Debug)]
pub(super) enum Fault {
    UnknownCommand(String),
    UnknownOption(String),
    /// An option and its possible values.
    OptionValue(&'static str, Vec<&'static str>),
    LongLine(u64),
    NoPosition,
    NothingToUndo,
    /// A command that needs a move, with examples.
    NeedsMove(&'static str, [&'static str; 2]),
    Games(String),
    Position(PositionCommandError<SfenError>),
    /// A move of the list of `position`.
    Listed(usize, String, Box<Self>),
    Code(CodeError),
    Edit(EditError),
    Refused(Refusal),
    /// The inverse of a shift that is longer than the way.
    Shift(Way, u32, u32),
    NoInverse,
    SayStones(String),
    Stones(String),
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<EditError> for Fault {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Refused(refusal) => Self::Refused(refusal),
            other => Self::Edit(other),
        }
    }
}

impl Fault {
    /// The text in a language.
    pub(super) fn text(&self, language: Language) -> String {
        match language {
            Language::English => self.english(),
            Language::Japanese => self.japanese(),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::UnknownCommand(word) => format!("unknown command: {word} (try help)"),
            Self::UnknownOption(name) => format!("No such option: {name} (usi lists them)"),
            Self::OptionValue(name, words) => format!("{name} is {}", words.join(" or ")),
            Self::LongLine(most) => format!("a line has at most {most} bytes; this one was ignored"),
            Self::NoPosition => "there is no position yet: send `position startpos`".to_owned(),
            Self::NothingToUndo => "there is nothing to undo".to_owned(),
            Self::NeedsMove(command, [first, second]) => {
                format!("{command} needs a move, as in `{first}` or `{second}`")
            }
            Self::Games(found) => format!("selfmatch takes a number of games from 1, found `{found}`"),
            Self::Position(error) => error.to_string(),
            Self::Listed(number, word, why) => {
                format!("move {number} `{word}` of the list is illegal: {}", why.english())
            }
            Self::Code(error) => error.to_string(),
            Self::Edit(error) => error.to_string(),
            Self::Refused(refusal) => refusal.to_string(),
            Self::Shift(way, length, places) => {
                format!("way {way} has {length} stones: a shift by {places} cannot have been played")
            }
            Self::NoInverse => "c and e have no inverse".to_owned(),
            Self::SayStones(code) => {
                format!("give the stones that were overwritten, as in `inverse {code} 01`")
            }
            Self::Stones(found) => format!("stones are `0`, `1` and `.`, found `{found}`"),
        }
    }

    fn japanese(&self) -> String {
        match self {
            Self::UnknownCommand(word) => format!("知らないコマンドです：{word}（help で一覧）"),
            Self::UnknownOption(name) => format!("そのオプションはありません：{name}（usi で一覧）"),
            Self::OptionValue(name, words) => {
                format!("{name} は {} のどちらかです", words.join(" か "))
            }
            Self::LongLine(most) => format!("一行は {most} バイトまでです。この行は無視しました"),
            Self::NoPosition => "まだ局面がありません。`position startpos` と入力してください".to_owned(),
            Self::NothingToUndo => "戻せる手がありません".to_owned(),
            Self::NeedsMove(command, [first, second]) => {
                format!("{command} には指し手が必要です。例：`{first}`、`{second}`")
            }
            Self::Games(found) => format!("selfmatch の対局数は 1 以上の数です：`{found}`"),
            Self::Position(PositionCommandError::Text(error)) => sfen(error),
            Self::Position(_) => "position の後には `startpos` か `sfen SFEN` が必要です".to_owned(),
            Self::Listed(number, word, why) => {
                format!("{number} 手目の `{word}` は指せません：{}", why.japanese())
            }
            Self::Code(CodeError(word)) => format!(
                "`{word}` は指し手ではありません。路（1-7、a-f）と演算子を続けます。例：4n、cs1、3nH、5xo"
            ),
            Self::Edit(error) => edit(error),
            Self::Refused(refusal) => refused(*refusal),
            Self::Shift(way, length, places) => {
                format!("{way} の石は {length} 個なので、{places} だけずらした手はあり得ません")
            }
            Self::NoInverse => "c と e には逆操作がありません".to_owned(),
            Self::SayStones(code) => format!("上書きされた石を書いてください。例：`inverse {code} 01`"),
            Self::Stones(found) => format!("石は `0`、`1`、`.` で書きます：`{found}`"),
        }
    }
}

fn refused(refusal: Refusal) -> String {
    match refusal {
        Refusal::GameOver => "対局は終わっています".to_owned(),
        Refusal::EditOnly => "`#`、`$`、ze、on、c、e は盤面編集（先頭に `&`）でだけ使えます".to_owned(),
        Refusal::Locked(way) => format!("{way} はロックされています"),
        Refusal::NothingToShift(way) => format!("{way} にはずらす石がありません"),
        Refusal::ShiftTooFar { way, length } => {
            format!("{way} をずらせるのは、石の数 {length} より少ない分だけです")
        }
        Refusal::NotNew(way) => format!("{way} には石があります。{way}nL か {way}nH を使ってください"),
        Refusal::NotInPlace(way) => format!("{way} には石がありません。{way}n を使ってください"),
        Refusal::NoInput(way) => format!("{way} の隣の、入力になる路に石がありません"),
        Refusal::NoTwoInputs(way) => format!("{way} には、入力になる二つの隣の路がそろっていません"),
    }
}

fn edit(error: &EditError) -> String {
    match error {
        EditError::NoStones(way) => format!("{way} には石がありません"),
        EditError::StonesMissing(way) => format!("石の並びを書いてください。例：`&{way}e#$..10..`"),
        EditError::Length { way, whole, present, found } => format!(
            "{way} の `$` の後には {whole} 個、今ある石だけなら {present} 個の石を書きます（書かれたのは {found} 個）"
        ),
        EditError::Refused(refusal) => refused(*refusal),
    }
}

fn sfen(error: &SfenError) -> String {
    match error {
        SfenError::Fields(found) => format!(
            "ビナーシの SFEN は 5 つの欄（盤、手番、ロック、ターゲット、手数）です。例：`7/7/2o4/7/7/7 b - - 0`（今は {found}）"
        ),
        SfenError::Rows(found) => format!("盤は `/` で区切った 6 段です（今は {found}）"),
        SfenError::Letter { rank, found } => {
            format!("{rank} 段は `x`、`o`、数字 1～7 で書きます：`{found}`")
        }
        SfenError::Width(rank) => format!("{rank} 段が 7 マスではありません"),
        SfenError::Side(found) => format!("手番は `b` か `w` です：`{found}`"),
        SfenError::Locks(found) => {
            format!("ロックは `-` か、1234567abcdef のうち異なる路です：`{found}`")
        }
        SfenError::Targets(found) => {
            format!("ターゲットは `-` か、`4/////` のような六つの手数です：`{found}`")
        }
        SfenError::Number(found) => format!("手数は 0～65534 です：`{found}`"),
    }
}
