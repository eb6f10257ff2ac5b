//! What the console says, in English and in Japanese; the Japanese lines are those of the original where it has them.

/// The language of the console.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Japanese.
    Japanese,
}

impl Language {
    const fn pick(self, english: &'static str, japanese: &'static str) -> &'static str {
        match self {
            Self::English => english,
            Self::Japanese => japanese,
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
        match self {
            Self::English => format!("game {number}, from here:"),
            Self::Japanese => format!("{number} 局目ここから："),
        }
    }

    pub(super) fn game_ends(self, number: usize) -> String {
        match self {
            Self::English => format!("game {number}, to here"),
            Self::Japanese => format!("{number} 局目ここまで"),
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
        match (self, line) {
            (Self::English, T::Black) => ["black won       :", "share:"],
            (Self::English, T::White) => ["white won       :", "share:"],
            (Self::English, T::Targets) => ["by targets      :", "share:"],
            (Self::English, T::SimultaneousBlack) => ["both three, black:", "share:"],
            (Self::English, T::SimultaneousWhite) => ["both three, white:", "share:"],
            (Self::English, T::Simultaneous) => ["both three      :", "share:"],
            (Self::English, T::FullBlack) => ["full, black     :", "share:"],
            (Self::English, T::FullWhite) => ["full, white     :", "share:"],
            (Self::English, T::Full) => ["full            :", "share:"],
            (Self::Japanese, T::Black) => ["黒勝ち　　：", "黒勝率　　："],
            (Self::Japanese, T::White) => ["白勝ち　　：", "白勝率　　："],
            (Self::Japanese, T::Targets) => ["並べ勝ち　：", "並べ勝率　："],
            (Self::Japanese, T::SimultaneousBlack) => ["同着黒勝ち：", "同着黒勝率："],
            (Self::Japanese, T::SimultaneousWhite) => ["同着白勝ち：", "同着白勝率："],
            (Self::Japanese, T::Simultaneous) => ["同着勝ち　：", "並べ勝率　："],
            (Self::Japanese, T::FullBlack) => ["満局黒勝ち：", "満局黒勝率："],
            (Self::Japanese, T::FullWhite) => ["満局白勝ち：", "満局白勝率："],
            (Self::Japanese, T::Full) => ["満局勝ち　：", "満局勝率　："],
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
