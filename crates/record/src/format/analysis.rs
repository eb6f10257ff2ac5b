//! Engine analysis in comments: scores and lines.
//!
//! | program | where | form |
//! |---|---|---|
//! | ShogiHome | comment | `#評価値=58`, `#読み筋=▲７六歩…`, `#深さ=20`, `#ノード数=…`, `#エンジン=…`, `#詰み=先手勝ち:5手` |
//! | ShogiHome (before), electron-shogi | comment | `*評価値=58`, `*読み筋=…` |
//! | ShogiGUI | comment | `*対局 時間 00:01.0 深さ 20/30 ノード数 123 評価値 58 読み筋 ▲７六歩…`, `*解析 …` |
//! | floodgate | CSA comment | `** 58 +7776FU -3334FU` |
//! | CSA V3 | CSA comment | the same with nodes behind: `** 58 +7776FU #12345` |
//! | 棋神アナリティクス | comment | `* Engine … 候補1 深さ 13/19 ノード数 123 評価値 -47 読み筋 △７四金(63) …` |
//! | K-Shogi, ぴよ将棋 | comment or remark | `#指し手[62]△７五歩 ▲３三桂成 …`, `#形勢[62]…` |
//! | 将棋所 | two comment lines | `58`, then the line |

use crate::format::spoken;
use crate::{Board, NoteRef};
use shogi::{Color, Move};

/// A score, always from Black's point of view, as most programs write it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Centipawns, or whatever unit the engine uses.
    Value(i32),
    /// This side mates, in this many plies if known.
    Mate(Color, Option<u32>),
}

/// The program that wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Program {
    /// ShogiHome and its former name electron-shogi.
    ShogiHome,
    /// ShogiGUI.
    ShogiGui,
    /// floodgate and other CSA servers.
    Floodgate,
    /// 棋神アナリティクス.
    Kishin,
    /// K-Shogi and ぴよ将棋.
    KShogi,
    /// 将棋所.
    Shogidokoro,
}

/// The analysis at one node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The program whose notation it is.
    pub program: Program,
    /// The score.
    pub score: Option<Score>,
    /// Depth of the search.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// The principal variation, as far as its moves are understood.
    pub line: Vec<Move>,
}

impl Analysis {
    fn new(program: Program) -> Self {
        Self { program, score: None, depth: None, nodes: None, line: Vec::new() }
    }

    fn is_empty(&self) -> bool {
        self.score.is_none() && self.line.is_empty()
    }

    /// Comments in ShogiHome's notation; `board` is where the line begins.
    ///
    /// ```
    /// use record::analysis::{Analysis, Program, Score};
    /// let score = Some(Score::Value(58));
    /// let line = vec!["7g7f".parse()?, "3c3d".parse()?];
    /// let analysis = Analysis { program: Program::ShogiHome, score, depth: Some(20), nodes: None, line };
    /// let board = record::Board::from(&shogi::Handicap::Even.setup());
    /// assert_eq!(
    ///     analysis.shogihome(&board),
    ///     ["#評価値=58", "#読み筋=▲７六歩(77)△３四歩(33)", "#深さ=20"]
    /// );
    /// assert_eq!(analysis.floodgate(&board).as_deref(), Some("* 58 +7776FU -3334FU"));
    /// # Ok::<(), shogi::ParseMoveError>(())
    /// ```
    #[must_use]
    pub fn shogihome(&self, board: &Board) -> Vec<String> {
        let score = self.score.map(|score| match score {
            Score::Value(value) => format!("#評価値={value}"),
            Score::Mate(color, plies) => {
                let side = if color == Color::Black { "先手" } else { "後手" };
                let plies = plies.map_or_else(String::new, |plies| format!(":{plies}手"));
                format!("#詰み={side}勝ち{plies}")
            }
        });
        let line = || format!("#読み筋={}", written(board, &self.line, crate::format::kif::marked_move));
        let line = (!self.line.is_empty()).then(line);
        let depth = self.depth.map(|depth| format!("#深さ={depth}"));
        let nodes = self.nodes.map(|nodes| format!("#ノード数={nodes}"));
        [score, line, depth, nodes].into_iter().flatten().collect()
    }

    /// The comment in floodgate's files, which requires a score; `board` is where the line begins.
    #[must_use]
    pub fn floodgate(&self, board: &Board) -> Option<String> {
        let value = match self.score? {
            Score::Value(value) => value,
            Score::Mate(Color::Black, _) => FLOODGATE_MATE,
            Score::Mate(Color::White, _) => -FLOODGATE_MATE,
        };
        let line =
            written(board, &self.line, |board, m, _| format!(" {}", crate::format::csa::move_text(board, m)));
        Some(format!("* {value}{line}"))
    }
}

/// The absolute value of a mate score on floodgate.
const FLOODGATE_MATE: i32 = 30_000;

/// The moves of a line, each formatted by the board and the move before it.
fn written(board: &Board, line: &[Move], text: fn(&Board, Move, Option<Move>) -> String) -> String {
    let mut board = board.clone();
    let mut last = None;
    let mut all = String::new();
    for &m in line {
        all += &text(&board, m, last);
        if board.play(m).is_none() {
            break;
        }
        last = Some(m);
    }
    all
}

/// Finds engine analysis in a note. `before` is the board before the move of the node, `after` the one after it:
/// programs differ in where their lines begin, so the board on which more moves are legal is used.
///
/// ```
/// use record::{Board, Note, analysis};
/// let before = Board::from(&shogi::Handicap::Even.setup());
/// let mut after = before.clone();
/// after.play("7g7f".parse()?);
/// let note = Note { comments: ["* 58 -3334FU"].into_iter().collect(), ..Note::EMPTY };
/// let found = analysis::find(note.view(), &before, &after);
/// assert_eq!(found[0].score, Some(analysis::Score::Value(58)));
/// assert_eq!(found[0].line, ["3c3d".parse()?]);
/// # Ok::<(), shogi::ParseMoveError>(())
/// ```
#[must_use]
pub fn find(note: NoteRef<'_>, before: &Board, after: &Board) -> Vec<Analysis> {
    let mut found: Vec<Analysis> = Vec::new();
    let remarks = note.remarks.iter().map(|line| ('#', line));
    let lines = note.comments.iter().map(|line| ('*', line)).chain(remarks);
    for (mark, line) in lines {
        let boards = Boards { before, after };
        if let Some((name, value)) = assignment(line) {
            // ShogiHome spreads an analysis over several lines.
            if found.last().is_none_or(|last| last.program != Program::ShogiHome || repeats(last, name)) {
                found.push(Analysis::new(Program::ShogiHome));
            }
            if let Some(last) = found.last_mut() {
                assign(last, name, value, &boards);
            }
            continue;
        }
        let whole = floodgate(line, &boards)
            .or_else(|| bracketed(line, &boards))
            .or_else(|| worded(line, &boards))
            .or_else(|| (mark == '*').then(|| bare(line)).flatten());
        match whole {
            Some(analysis) => found.push(analysis),
            None => {
                // 将棋所 writes the line below its bare number.
                if let Some(last) =
                    found.last_mut().filter(|a| a.program == Program::Shogidokoro && a.line.is_empty())
                {
                    last.line = boards.line(line);
                }
            }
        }
    }
    // A number alone is a score only if a line follows.
    found.retain(|a| !a.is_empty() && (a.program != Program::Shogidokoro || !a.line.is_empty()));
    found
}

struct Boards<'a> {
    before: &'a Board,
    after: &'a Board,
}

impl Boards<'_> {
    /// The moves of a line in any notation, on whichever board more of them are possible.
    fn line(&self, text: &str) -> Vec<Move> {
        let from = |board: &Board| read_line(board.clone(), text);
        let (after, before) = (from(self.after), from(self.before));
        if before.len() > after.len() { before } else { after }
    }
}

/// Reads CSA moves, Japanese moves, USI moves or 将棋所's western ones; stops at the first other word.
fn read_line(mut board: Board, text: &str) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() && moves.len() < 512 {
        let last = moves.last().map(|m| m.to());
        let word = rest.split_whitespace().next().unwrap_or_default();
        let (m, after) = match spoken::parse(rest) {
            Some((spoken, after)) => (spoken.resolve(&board, last).ok(), after),
            None => (word_move(&board, word), &rest[word.len()..]),
        };
        let Some(m) = m else { break };
        if board.moving(m).is_none_or(|piece| piece.color() != board.side()) || board.play(m).is_none() {
            break;
        }
        moves.push(m);
        rest = after.trim_start();
    }
    moves
}

fn word_move(board: &Board, word: &str) -> Option<Move> {
    if let Ok(m) = word.parse() {
        return Some(m);
    }
    let side = match word.as_bytes().first()? {
        b'+' => Color::Black,
        b'-' => Color::White,
        _ => return western(board, word),
    };
    let body = word.get(1..7).filter(|_| side == board.side())?.as_bytes().first_chunk()?;
    crate::format::csa::parse_move(board, *body).ok()
}

/// `P7g-7f`, `B8hx2b+`, `G*5h`: the letter of the piece, origin, target.
fn western(board: &Board, word: &str) -> Option<Move> {
    let word = word.strip_prefix('+').unwrap_or(word);
    let rest = word.get(1..)?;
    if let Some(target) = rest.strip_prefix('*') {
        return format!("{}*{target}", &word[..1]).parse().ok();
    }
    let m: Move = rest.replacen(['-', 'x'], "", 1).trim_end_matches('=').parse().ok()?;
    board.moving(m).map(|_| m)
}

/// `評価値=58`, `#読み筋=…`, `*深さ=20`
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim_start_matches(['#', '*']).split_once('=')?;
    ["評価値", "読み筋", "深さ", "ノード数", "詰み", "エンジン"]
        .contains(&name)
        .then_some((name, value.trim()))
}

fn repeats(analysis: &Analysis, name: &str) -> bool {
    match name {
        "評価値" | "詰み" => analysis.score.is_some(),
        "読み筋" => !analysis.line.is_empty(),
        "深さ" => analysis.depth.is_some(),
        _ => false,
    }
}

fn assign(analysis: &mut Analysis, name: &str, value: &str, boards: &Boards<'_>) {
    match name {
        "評価値" => analysis.score = score(value),
        "詰み" => analysis.score = mate_words(value),
        "読み筋" => analysis.line = boards.line(value),
        "深さ" => analysis.depth = leading(value),
        "ノード数" => analysis.nodes = leading(value),
        _ => {}
    }
}

/// The number at the start of a text; ignores what follows (`20/30`, `123 nodes`).
fn leading<N: std::str::FromStr>(text: &str) -> Option<N> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// `58`, `+58`, `-32000`, `+詰 5`, `-Mate:7`, `+2000↑`
fn score(text: &str) -> Option<Score> {
    let text = text.trim();
    let (black, rest) = match text.chars().next()? {
        '-' | '－' | '−' => (false, &text[text.chars().next()?.len_utf8()..]),
        '+' | '＋' => (true, &text[text.chars().next()?.len_utf8()..]),
        _ => (true, text),
    };
    let winner = if black { Color::Black } else { Color::White };
    for word in ["詰み", "詰", "mate", "Mate", "MATE"] {
        if let Some(after) = rest.strip_prefix(word) {
            return Some(Score::Mate(winner, leading(after.trim_start_matches([':', ' ', '　', '=']))));
        }
    }
    let value: i32 = leading::<i32>(rest)?;
    Some(Score::Value(if black { value } else { -value }))
}

/// ShogiHome's `先手勝ち:5手`.
fn mate_words(text: &str) -> Option<Score> {
    let winner = match text {
        text if text.starts_with("先手") => Color::Black,
        text if text.starts_with("後手") => Color::White,
        _ => return None,
    };
    Some(Score::Mate(winner, text.split(':').nth(1).and_then(leading)))
}

/// `* 58 +7776FU …`: what is left of a `'**` line. ±30000 and beyond is mate.
fn floodgate(line: &str, boards: &Boards<'_>) -> Option<Analysis> {
    let words = line.strip_prefix('*')?.trim_start();
    let number = words.split_whitespace().next()?;
    let value: i32 = number.strip_prefix('+').unwrap_or(number).parse().ok()?;
    let mut analysis = Analysis::new(Program::Floodgate);
    analysis.score = Some(match value {
        FLOODGATE_MATE.. => Score::Mate(Color::Black, None),
        value if value <= -FLOODGATE_MATE => Score::Mate(Color::White, None),
        value => Score::Value(value),
    });
    analysis.line = boards.line(&words[number.len()..]);
    analysis.nodes = words.rsplit_once(" #").and_then(|(_, nodes)| leading(nodes));
    Some(analysis)
}

/// `指し手[62]△７五歩 …`. Ignores `推奨手[…]`, which is about another move than the one played.
fn bracketed(line: &str, boards: &Boards<'_>) -> Option<Analysis> {
    let line = line.trim_start_matches('#');
    let inner = ["指し手[", "形勢["].iter().find_map(|start| line.strip_prefix(start))?;
    let (value, moves) = inner.split_once(']')?;
    let mut analysis = Analysis::new(Program::KShogi);
    analysis.score = score(value);
    analysis.line = boards.line(moves);
    Some(analysis)
}

/// Keywords followed by values, as ShogiGUI and 棋神アナリティクス write them.
fn worded(line: &str, boards: &Boards<'_>) -> Option<Analysis> {
    let words = line.trim_start_matches(['*', ' ', '　']);
    let program = if ["対局", "解析", "検討"].iter().any(|word| words.starts_with(word)) {
        Program::ShogiGui
    } else if line.starts_with("* ") && line.contains(" 評価値 ") {
        Program::Kishin
    } else {
        return None;
    };
    let behind = |name: &str| {
        let rest = words.split_once(name)?.1;
        Some(rest.trim_start_matches([' ', '　', '：', ':', '=']))
    };
    let mut analysis = Analysis::new(program);
    analysis.score = behind("評価値").and_then(score);
    analysis.depth = behind("深さ").and_then(leading);
    analysis.nodes = behind("ノード数").and_then(leading);
    analysis.line = behind("読み筋").map(|text| boards.line(text)).unwrap_or_default();
    Some(analysis)
}

/// A line that is nothing but a number.
fn bare(line: &str) -> Option<Analysis> {
    let value = line.trim().parse().ok()?;
    Some(Analysis { score: Some(Score::Value(value)), ..Analysis::new(Program::Shogidokoro) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Note;

    fn found(comments: &[&str], remarks: &[&str]) -> Vec<Analysis> {
        let before = Board::from(&shogi::Handicap::Even.setup());
        let mut after = before.clone();
        after.play("7g7f".parse().unwrap()).unwrap();
        let lines = |list: &[&str]| list.iter().collect();
        let note = Note { comments: lines(comments), remarks: lines(remarks), bookmark: None };
        find(note.view(), &before, &after)
    }

    fn one(
        comments: &[&str],
        remarks: &[&str],
    ) -> (Program, Option<Score>, Option<u32>, Option<u64>, String) {
        let found = found(comments, remarks);
        assert_eq!(found.len(), 1, "{comments:?} {found:?}");
        let line: Vec<String> = found[0].line.iter().map(ToString::to_string).collect();
        (found[0].program, found[0].score, found[0].depth, found[0].nodes, line.join(" "))
    }

    #[test]
    fn every_dialect() {
        let line = "3c3d 2g2f";
        let value = |n| Some(Score::Value(n));
        let home = ["互角", "#評価値=58", "#読み筋=△３四歩▲２六歩", "#深さ=20", "#ノード数=12345"];
        assert_eq!(one(&home, &[]), (Program::ShogiHome, value(58), Some(20), Some(12345), line.into()));
        let old = ["*評価値=-58", "*読み筋=△３四歩(33)▲２六歩(27)"];
        assert_eq!(one(&old, &[]), (Program::ShogiHome, value(-58), None, None, line.into()));
        let gui = ["*対局 時間 00:01.0 深さ 20/30 ノード数 12345 評価値 -58 読み筋 △３四歩(33) ▲２六歩(27) "];
        assert_eq!(one(&gui, &[]), (Program::ShogiGui, value(-58), Some(20), Some(12345), line.into()));
        let mate = ["解析 候補1 評価値 +詰 5 読み筋 △３四歩(33)"];
        assert_eq!(
            one(&mate, &[]),
            (Program::ShogiGui, Some(Score::Mate(Color::Black, Some(5))), None, None, "3c3d".into())
        );
        let server = ["* 58 -3334FU +2726FU"];
        assert_eq!(one(&server, &[]), (Program::Floodgate, value(58), None, None, line.into()));
        let won = ["* -30000"];
        assert_eq!(
            one(&won, &[]),
            (Program::Floodgate, Some(Score::Mate(Color::White, None)), None, None, String::new())
        );
        let counted = ["* 58 -3334FU +2726FU #12345"];
        assert_eq!(one(&counted, &[]), (Program::Floodgate, value(58), None, Some(12345), line.into()));
        let kishin = [
            "* Engine x Version y 候補1 深さ 13/19 ノード数 12345 評価値 -47 読み筋 △３四歩(33) ▲２六歩(27)",
        ];
        assert_eq!(one(&kishin, &[]), (Program::Kishin, value(-47), Some(13), Some(12345), line.into()));
        let k = "指し手[62]△３四歩  ▲２六歩  ";
        assert_eq!(one(&[], &[k]), (Program::KShogi, value(62), None, None, line.into()));
        assert_eq!(one(&[&format!("#{k}")], &[]), (Program::KShogi, value(62), None, None, line.into()));
        let dokoro = ["104", "P3c-3d P2g-2f"];
        assert_eq!(one(&dokoro, &[]), (Program::Shogidokoro, value(104), None, None, line.into()));
    }

    #[test]
    fn lines_may_begin_with_the_move_itself() {
        let (.., line) = one(&["* 58 +7776FU -3334FU"], &[]);
        assert_eq!(line, "7g7f 3c3d");
    }

    #[test]
    fn ordinary_words_are_no_scores() {
        for comment in ["104", "いい手だ", "評価値", "* ここで", "対局開始", "", "*", "=", "推奨手[5]△３四歩"]
        {
            let found = found(&[comment], &[]);
            assert!(found.is_empty(), "{comment}: {found:?}");
        }
    }
}
