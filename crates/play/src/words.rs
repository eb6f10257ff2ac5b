//! What the program says, in two languages.

use arena::{GameResult, Reason, Verdict};
use game::Color;
use platform::Language;
use record::notation::Fact;

/// What a game says, in a language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words(pub Language);

impl Words {
    /// One of two texts.
    #[must_use]
    pub const fn say<'a>(self, english: &'a str, japanese: &'a str) -> &'a str {
        self.0.say(english, japanese)
    }

    /// A player.
    #[must_use]
    pub const fn side(self, color: Color) -> &'static str {
        match (self.0, color) {
            (Language::English, Color::Black) => "Black",
            (Language::English, Color::White) => "White",
            (Language::Japanese, Color::Black) => "先手",
            (Language::Japanese, Color::White) => "後手",
        }
    }

    /// The commands, one to a line.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self.0 {
            Language::English => {
                "moves: 76歩, ７六歩, 7g7f, 同歩, 22角成, 55角打 (on a full screen also: arrows, Enter; Tab for the hand; Esc)\n\
                 undo [N]    take back (with the answer of the engine)\n\
                 hint        a good move\n\
                 analyze     the value of the position and the best lines\n\
                 moves       all legal moves\n\
                 save [FILE] write a record (.kifu, .kif, .csa, .usi)\n\
                 flip        turn the board\n\
                 declare     win by declaration (entering king)\n\
                 resign      give up\n\
                 quit        leave"
            }
            Language::Japanese => {
                "指し手: 76歩、７六歩、7g7f、同歩、22角成、55角打（全画面では矢印と Enter、持駒は Tab、取消は Esc）\n\
                 undo [N]    待った（エンジンの手も戻す）\n\
                 hint        ヒント\n\
                 analyze     検討（評価値と読み筋）\n\
                 moves       合法手の一覧\n\
                 save [FILE] 棋譜を保存（.kifu、.kif、.csa、.usi）\n\
                 flip        盤を回す\n\
                 declare     宣言勝ち\n\
                 resign      投了\n\
                 quit        終了"
            }
        }
    }

    /// What stands beside the board, explained; `example` is a move that can be played now.
    #[must_use]
    pub fn fact(self, fact: Fact, text: &str, example: &str) -> String {
        match (fact, self.0) {
            (Fact::Frozen, Language::English) => format!("frozen for this move: {text}"),
            (Fact::Frozen, Language::Japanese) => format!("凍結：この手では{text}を動かせません"),
            (Fact::FreezesLeft, Language::English) => {
                format!("freezes left: {text} (to freeze, end a move with z and a piece: {example}z歩)")
            }
            (Fact::FreezesLeft, Language::Japanese) => {
                format!("凍結の残り {text}（指し手の後に z と駒で凍結：{example}z歩）")
            }
            (Fact::Setup, Language::English) => {
                format!("setup: {} still place pieces from the hand, for example {example}", self.sides(text))
            }
            (Fact::Setup, Language::Japanese) => {
                format!("配置：{}は持駒を盤に置きます（例 {example}）", self.sides(text))
            }
            (Fact::Locked, Language::English) => format!("locked, may not be played: {text}"),
            (Fact::Locked, Language::Japanese) => format!("固定：使えない駒 {text}"),
            (Fact::Targets, Language::English) => format!("targets cleared: {text}"),
            (Fact::Targets, Language::Japanese) => format!("達成した目標：{text}"),
            (Fact::Checks, Language::English) => format!("checks left to win: {text}"),
            (Fact::Checks, Language::Japanese) => format!("勝ちまでの王手：{text}"),
        }
    }

    /// `bw` are both players.
    fn sides(self, letters: &str) -> String {
        let both = Color::ALL.into_iter().filter(|color| letters.contains(color.letter()));
        both.map(|color| self.side(color)).collect::<Vec<_>>().join(self.say(" and ", "と"))
    }

    /// How a game has ended.
    #[must_use]
    pub fn verdict(self, verdict: &Verdict) -> String {
        let reason = match (verdict.reason, self.0) {
            (reason, Language::English) => reason.to_string(),
            (Reason::NoLegalMove, _) => "指す手なし".to_owned(),
            (Reason::Resignation, _) => "投了".to_owned(),
            (Reason::Declaration, _) => "宣言".to_owned(),
            (Reason::Repetition, _) => "千日手".to_owned(),
            (Reason::PerpetualCheck, _) => "連続王手の千日手".to_owned(),
            (Reason::MoveLimit, _) => "手数制限".to_owned(),
            (Reason::Goal, _) => "目標達成".to_owned(),
            (Reason::Points, _) => "点数".to_owned(),
            (Reason::Time, _) => "時間切れ".to_owned(),
            (Reason::Interrupted, _) => "中断".to_owned(),
            (reason, _) => reason.to_string(),
        };
        match (verdict.result, self.0) {
            (GameResult::Draw, Language::English) => format!("Draw: {reason}"),
            (GameResult::Draw, Language::Japanese) => format!("引き分け（{reason}）"),
            (result, _) => {
                let winner = result.winner().map_or("", |winner| self.side(winner));
                match self.0 {
                    Language::English => format!("{winner} wins: {reason}"),
                    Language::Japanese => format!("{winner}の勝ち（{reason}）"),
                }
            }
        }
    }
}
