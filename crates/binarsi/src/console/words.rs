//! Messages of the console in English and Japanese; the Japanese ones are those of the original where it has them.

use crate::state::Ending;
use game::Color;
use platform::Language;

/// The commands with their arguments and descriptions, in English and Japanese.
const COMMANDS: [(&str, [&str; 2]); 23] = [
    ("usi", ["name and options", "名前とオプション"]),
    ("isready", ["answers readyok", "readyok と答える"]),
    ("usinewgame", ["a new game: clears the board", "新しい対局：盤を空にする"]),
    ("position startpos|sfen SFEN [moves MOVE...]", ["sets a position", "局面を設定する"]),
    ("board", ["draws it", "盤を表示する"]),
    ("sfen", ["writes it down", "局面を SFEN で表示する"]),
    ("clear_targets", ["the six targets and which are cleared", "六つのターゲットとその達成状況"]),
    ("legal_moves", ["all moves; duplicates are marked", "合法手の一覧（同じ結果の手には印）"]),
    ("play MOVE", ["moves, and the computer answers", "指すと、コンピューターが応じる"]),
    ("do MOVE|&EDIT", ["moves or edits without an answer", "指す、または盤面を編集する（応手なし）"]),
    ("undo", ["takes the last `do` or `play` back", "直前の do または play（応手も）を取り消す"]),
    ("go", ["the computer's choice, which is not played", "コンピューターの選ぶ手（指さない）"]),
    ("stop", ["answers bestmove resign: nothing is running", "bestmove resign と答える（思考中ではない）"]),
    ("mate1", ["a move that wins at once", "一手で勝つ手"]),
    ("inverse CODE [STONES]", ["the edit that undoes a code", "符号を元に戻す編集"]),
    ("moves_for_edit", ["edits that cut or fill a way", "路を切る・埋める編集の一覧"]),
    ("history", ["what was done since `position`", "position からの操作の一覧"]),
    ("selfmatch [GAMES]", ["the computer against itself", "コンピューター同士の対局"]),
    ("gameover win|lose|draw", ["the end of a game", "対局の終わり"]),
    ("setoption name Language value English|Japanese", ["the language of texts", "表示する言語"]),
    (
        "setoption name Player value Tsumugi|Original",
        [
            "who answers: this program or the original's player",
            "応じるのは Tsumugi か、元のプログラムの指し手か",
        ],
    ),
    ("help", ["this list", "この一覧"]),
    ("quit", ["leaves", "終了する"]),
];

/// What the console says, in a language.
#[derive(Clone, Copy)]
pub(super) struct Words(pub(super) Language);

impl Words {
    const fn pick(self, english: &'static str, japanese: &'static str) -> &'static str {
        self.0.say(english, japanese)
    }

    pub(super) fn help(self) -> Vec<String> {
        let width = COMMANDS.iter().map(|(command, _)| command.len()).max().unwrap_or_default();
        let line = |(command, [english, japanese]): &(&str, [&'static str; 2])| {
            format!("{command:width$}  {}", self.pick(english, japanese))
        };
        COMMANDS.iter().map(line).collect()
    }

    /// Why a game is over, and the points with White's half.
    pub(super) fn result(self, ending: Ending, [black, white]: [u32; 2]) -> [String; 2] {
        let side = match ending.winner() {
            Color::Black => self.pick("Black", "黒"),
            Color::White => self.pick("White", "白"),
        };
        let reason = match ending {
            Ending::Targets { .. } => self.pick("three targets", "三つのターゲットを達成"),
            Ending::Simultaneous { .. } => {
                self.pick("both got three targets at once, points decide", "同時に三つ達成したので点数勝負")
            }
            Ending::Full { .. } => {
                self.pick("nothing is left to play, points decide", "指せる手がないので点数勝負")
            }
        };
        match self.0 {
            Language::English => [
                format!("RESULT {side} wins: {reason}"),
                format!("POINTS Black {black}.0 / White {white}.5 (komi 0.5 for White)"),
            ],
            Language::Japanese => [
                format!("結果：{side}の勝ち（{reason}）"),
                format!("点数：黒 {black}.0 ／ 白 {white}.5（白のコミ 0.5 点を含む）"),
            ],
        }
    }

    pub(super) const fn history_legend(self) -> [&'static str; 3] {
        [
            self.pick("numbers: (move of the game|all changes)", "番号： (対局棋譜番号|盤面編集番号）"),
            self.pick(
                "legend:  `&` - a change of the board outside the game",
                "凡例： `&` - 対局棋譜ではなく盤面編集の操作を示す",
            ),
            self.pick(
                "         `$` - the stones that were overwritten",
                "　　： `$` - 上書された石の並びを示す",
            ),
        ]
    }

    pub(super) const fn edit_moves(self) -> [&'static str; 2] {
        [
            self.pick(
                "moves for editing (legal moves left out), from here:",
                "編集用の手一覧表示（合法手除く）　ここから：",
            ),
            self.pick(
                "moves for editing (legal moves left out), to here:",
                "編集用の手一覧表示（合法手除く）　ここまで：",
            ),
        ]
    }

    pub(super) fn game_over(self, result: &str) -> String {
        match result {
            "win" => self.pick("won!", "（＾▽＾）勝ったぜ！").to_owned(),
            "lose" => self.pick("lost", "（＞＿＜）負けた").to_owned(),
            "draw" => self.pick("a draw?", "（ー＿ー）持将棋か～").to_owned(),
            other => format!("{}'{other}'", self.pick("what is this? ", "（・＿・）何だろな？：")),
        }
    }

    pub(super) const fn self_match(self) -> [&'static str; 2] {
        [
            self.pick("games against itself, from here:", "自己対局　ここから："),
            self.pick("games against itself, to here:", "自己対局　ここまで："),
        ]
    }

    pub(super) fn game_begins(self, number: usize) -> String {
        match self.0 {
            Language::English => format!("game {number}, from here:"),
            Language::Japanese => format!("{number} 局目ここから："),
        }
    }

    pub(super) fn game_ends(self, number: usize) -> String {
        match self.0 {
            Language::English => format!("game {number}, to here"),
            Language::Japanese => format!("{number} 局目ここまで"),
        }
    }

    pub(super) const fn rule(self) -> &'static str {
        self.pick("----------", "ーーーーー")
    }

    pub(super) const fn points_follow(self) -> &'static str {
        self.pick("by points", "以下点数勝負")
    }

    pub(super) const fn sides_follow(self) -> &'static str {
        self.pick("by side", "先後比較")
    }

    /// Labels of a count and of its share.
    pub(super) const fn tally(self, line: TallyLine) -> [&'static str; 2] {
        use TallyLine as T;
        match (self.0, line) {
            (Language::English, T::Black) => ["black won       :", "share:"],
            (Language::English, T::White) => ["white won       :", "share:"],
            (Language::English, T::Targets) => ["by targets      :", "share:"],
            (Language::English, T::SimultaneousBlack) => ["both three, black:", "share:"],
            (Language::English, T::SimultaneousWhite) => ["both three, white:", "share:"],
            (Language::English, T::Simultaneous) => ["both three      :", "share:"],
            (Language::English, T::FullBlack) => ["full, black     :", "share:"],
            (Language::English, T::FullWhite) => ["full, white     :", "share:"],
            (Language::English, T::Full) => ["full            :", "share:"],
            (Language::Japanese, T::Black) => ["黒勝ち　　：", "黒勝率　　："],
            (Language::Japanese, T::White) => ["白勝ち　　：", "白勝率　　："],
            (Language::Japanese, T::Targets) => ["並べ勝ち　：", "並べ勝率　："],
            (Language::Japanese, T::SimultaneousBlack) => ["同着黒勝ち：", "同着黒勝率："],
            (Language::Japanese, T::SimultaneousWhite) => ["同着白勝ち：", "同着白勝率："],
            (Language::Japanese, T::Simultaneous) => ["同着勝ち　：", "並べ勝率　："],
            (Language::Japanese, T::FullBlack) => ["満局黒勝ち：", "満局黒勝率："],
            (Language::Japanese, T::FullWhite) => ["満局白勝ち：", "満局白勝率："],
            (Language::Japanese, T::Full) => ["満局勝ち　：", "満局勝率　："],
        }
    }
}

/// A line of the tally of `selfmatch`.
#[derive(Clone, Copy)]
pub(super) enum TallyLine {
    Black,
    White,
    Targets,
    SimultaneousBlack,
    SimultaneousWhite,
    Simultaneous,
    FullBlack,
    FullWhite,
    Full,
}
