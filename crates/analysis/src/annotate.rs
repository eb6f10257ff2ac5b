//! Records with what was found as comments, in the dialect that readers of each format know.

use crate::assess::{Assessed, Assessment, Line};
use crate::judgement::Class;
use arena::Score;
use record::analysis::{Analysis, Program, Score as NotedScore};
use record::notation::LoadedGame;
use record::{Board, Format};
use shogi::{Color, Setup};

/// So many moves of a line are written into a comment.
const MOST_MOVES: usize = 24;

/// Notes what was found at every position of a game; lines that are there already are not written twice.
pub fn annotate(record: &mut dyn LoadedGame, game: &Assessed, engine: &str, format: Format) {
    for (index, position) in game.positions.iter().enumerate() {
        let mut lines = Vec::new();
        lines.extend(index.checked_sub(1).and_then(|before| verdict(&game.positions[before])));
        if let Some(best) = position.candidates.first() {
            lines.extend(values(game, position, best, engine, format));
        }
        let others = position.candidates.iter().enumerate().skip(1);
        lines.extend(others.map(|(index, line)| candidate(position, index + 1, line)));
        let Some(note) = record.note_mut(index) else { return };
        let old: Vec<String> = note.comments.iter().map(str::to_owned).collect();
        note.comments.clear();
        note.comments.extend(lines.iter().filter(|line| !old.contains(line)));
        note.comments.extend(old);
    }
}

/// A score as records have it: from Black's view.
fn noted(position: &Assessment, score: Score) -> NotedScore {
    let is_black = position.side == "black";
    match score {
        Score::Centipawns(value) => NotedScore::Value(if is_black { value } else { -value }),
        Score::Mate(plies) => {
            let winner = if (plies > 0) == is_black { Color::Black } else { Color::White };
            NotedScore::Mate(winner, Some(plies.unsigned_abs()))
        }
    }
}

/// The best line in the words of the format: those of `ShogiHome`, in CSA those of floodgate.
fn values(game: &Assessed, position: &Assessment, best: &Line, engine: &str, format: Format) -> Vec<String> {
    let setup: Setup =
        if game.variant == "shogi" { position.sfen.parse().ok() } else { None }.unwrap_or(Setup::EMPTY);
    let is_csa = matches!(format, Format::Csa | Format::Csa3);
    let line = best.pv.iter().take(MOST_MOVES).map_while(|word| word.parse().ok());
    let analysis = Analysis {
        program: if is_csa { Program::Floodgate } else { Program::ShogiHome },
        score: Some(noted(position, best.score)),
        depth: best.depth,
        nodes: best.nodes,
        line: if is_csa { line.collect() } else { Vec::new() },
    };
    let board = Board::from(&setup);
    if is_csa {
        let nodes = best.nodes.map_or(String::new(), |nodes| format!(" #{nodes}"));
        let nodes = if format == Format::Csa3 { nodes } else { String::new() };
        return analysis.floodgate(&board).map(|line| line + &nodes).into_iter().collect();
    }
    let mut lines = analysis.shogihome(&board);
    if !best.text.is_empty() {
        lines.insert(1, format!("#読み筋={}", moves(best)));
    }
    lines.push(format!("#エンジン={engine}"));
    lines
}

fn moves(line: &Line) -> String {
    line.text.iter().take(MOST_MOVES).map(String::as_str).collect()
}

/// `+350`, `後手の7手詰`, from Black's view.
fn worth(position: &Assessment, score: Score) -> String {
    match noted(position, score) {
        NotedScore::Value(value) => format!("{value:+}"),
        NotedScore::Mate(winner, plies) => {
            let side = if winner == Color::Black { "先手" } else { "後手" };
            format!("{side}の{}手詰", plies.unwrap_or_default())
        }
    }
}

/// `候補2 深さ 12 ノード数 3000 評価値 -20 読み筋 ▲…`
fn candidate(position: &Assessment, number: usize, line: &Line) -> String {
    let depth = line.depth.map_or(String::new(), |depth| format!(" 深さ {depth}"));
    let nodes = line.nodes.map_or(String::new(), |nodes| format!(" ノード数 {nodes}"));
    let score = match noted(position, line.score) {
        NotedScore::Value(value) => value.to_string(),
        NotedScore::Mate(winner, plies) => {
            let sign = if winner == Color::Black { '+' } else { '-' };
            format!("{sign}詰 {}", plies.unwrap_or_default())
        }
    };
    format!("候補{number}{depth}{nodes} 評価値 {score} 読み筋 {}", moves(line))
}

/// What is to be said about the move that was played in a position.
fn verdict(position: &Assessment) -> Option<String> {
    let played = position.played.as_ref()?;
    let best = position.candidates.first()?;
    let better = format!("{} なら {}", moves(best), worth(position, best.score));
    if played.missed_mate {
        return Some(format!("詰み逃し：{better}"));
    }
    let judgement = played.judgement?;
    let word = judgement.class.japanese().filter(|_| judgement.class >= Class::Inaccuracy)?;
    Some(format!("{word}（勝率 -{:.1}%）：{better}", 100.0 * judgement.loss))
}
