//! The list of commands that `help` shows, in the user's language.

use super::command::{Entry, TABLE};
use platform::Language;

/// Japanese descriptions of the commands, in the order of the table of commands.
const JAPANESE: [(&str, &str); 36] = [
    ("usi", "プログラムの名前とオプションを示す"),
    ("uci", "UCI ではなく USI を話すことを知らせる"),
    ("isready", "必要なものを読み込み、readyok と答える"),
    ("usinewgame", "新しい対局の開始"),
    ("setoption", "オプションを変える（NAME VALUE とも書ける）"),
    ("getoption", "オプションを示す"),
    ("position", "局面を設定する"),
    ("go", "指し手を考える、詰みを探す、手順を数える"),
    ("stop", "思考を止めて答える"),
    ("ponderhit", "予想した手が指された"),
    ("gameover", "対局の終了"),
    ("d", "盤面を示す"),
    ("sfen", "局面を SFEN で示す、または設定する"),
    ("moves", "合法手の一覧"),
    ("key", "局面のハッシュキーを示す"),
    ("side", "手番を示す"),
    ("mated", "合法手がなければ 1、あれば 0"),
    ("flip", "盤を180度回す"),
    ("matsuri", "指し手生成祭りの局面を設定する"),
    ("eval", "局面の静的評価値を示す"),
    ("e", "同上"),
    ("bench", "決まった局面を探索し、局面数を数える"),
    ("test", "試験と道具（単独で一覧）"),
    ("makebook", "定跡を作る（単独で一覧）"),
    ("learn", "評価関数を学習させる（単独で一覧）"),
    ("gensfen", "教師データの対局をする（`gensfen help` に説明）"),
    ("unittest", "ランダムな対局でルールを検査する"),
    ("user", "エンジンごとの機能"),
    ("config", "ビルドの設定を示す"),
    ("compiler", "コンパイラを示す"),
    ("wait", "思考の終わり、または指定の時間を待つ"),
    ("sleep", "同上"),
    ("log", "入出力をすべて io_log.txt に写す"),
    ("f", "NAME.txt の行を実行する"),
    ("help", "この一覧"),
    ("quit", "終了する"),
];

/// One line for each command: its syntax and description.
pub(super) fn help(language: Language) -> impl Iterator<Item = String> {
    let usage = |entry: &Entry| format!("{} {}", entry.word, entry.arguments);
    let width = TABLE.iter().map(|entry| usage(entry).len()).max().unwrap_or(0);
    TABLE.iter().zip(JAPANESE).map(move |(entry, (_, japanese))| {
        format!("{:width$}  {}", usage(entry), language.say(entry.help, japanese))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_one_line_in_both_languages() {
        let words: Vec<&str> = TABLE.iter().map(|entry| entry.word).collect();
        assert_eq!(words, JAPANESE.map(|(word, _)| word));
        for (entry, line) in TABLE.iter().zip(help(Language::English)) {
            let complete = line.starts_with(entry.word) && line.ends_with(entry.help);
            assert!(complete && line.len() <= 100, "{line}");
        }
        for ((word, japanese), line) in JAPANESE.iter().zip(help(Language::Japanese)) {
            assert!(line.starts_with(word) && line.ends_with(japanese) && !japanese.is_ascii(), "{line}");
        }
    }
}
