//! KIF in UTF-8 (`.kifu`).

use super::{Heading, Opening};
use crate::play::{Played, PlayedMove};
use crate::verdict::{Reason, Verdict};
use game::Color;
use shogi::{File, Handicap, Move, Origin, Piece, PieceKind, Position, Square};
use std::fmt::Write;
use std::time::Duration;

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Writing to a string cannot fail, so results of `write!` are dropped here.
pub(super) fn write(heading: &Heading<'_>, opening: &Opening, played: &Played) -> String {
    let mut out = String::from("#KIF version=2.0 encoding=UTF-8\n");
    let _ = writeln!(out, "棋戦：{}", heading.event);
    start(&mut out, &opening.start);
    let [black, white] = heading.names;
    let _ = writeln!(out, "先手：{black}\n後手：{white}");
    out += "手数----指手---------消費時間--\n";
    let mut position = opening.start.clone();
    let mut number = 1;
    let mut spent = [Duration::ZERO; 2];
    for &m in &opening.moves {
        line(&mut out, number, &move_text(&position, m), Duration::ZERO, Duration::ZERO);
        position.do_move(m);
        number += 1;
    }
    for PlayedMove { text, elapsed, thought } in &played.moves {
        let Ok(m) = text.parse() else { break };
        let side = position.side();
        spent[side.index()] += *elapsed;
        line(&mut out, number, &move_text(&position, m), *elapsed, spent[side.index()]);
        if let Some(score) = thought.score {
            let value = if side == Color::Black { score.centipawns() } else { -score.centipawns() };
            let _ = writeln!(out, "*#評価値={value}");
        }
        if !thought.pv.is_empty() {
            let _ = writeln!(out, "*#読み筋={}", variation(&position, &thought.pv));
        }
        if let Some(depth) = thought.depth {
            let _ = writeln!(out, "*#深さ={depth}");
        }
        if let Some(nodes) = thought.nodes {
            let _ = writeln!(out, "*#ノード数={nodes}");
        }
        position.do_move(m);
        number += 1;
    }
    let _ = writeln!(out, "*{}", played.verdict);
    line(&mut out, number, end(&played.verdict, position.side()), Duration::ZERO, Duration::ZERO);
    out
}

/// A handicap by its name, anything else as a diagram.
fn start(out: &mut String, start: &Position) {
    let sfen = start.sfen();
    let known = Handicap::ALL.into_iter().find(|handicap| Position::handicap(*handicap).sfen() == sfen);
    if let Some(handicap) = known {
        let _ = writeln!(out, "手合割：{}", handicap.name());
        return;
    }
    let picture = start.kanji().to_string();
    for row in picture.lines().filter(|row| !row.ends_with("手目")) {
        let _ = writeln!(out, "{row}");
    }
    if start.side() == Color::White {
        out.push_str("後手番\n");
    }
}

fn line(out: &mut String, number: usize, text: &str, elapsed: Duration, spent: Duration) {
    let (now, all) = (elapsed.as_secs(), spent.as_secs());
    let _ = writeln!(
        out,
        "{number:>4} {text} ({:>2}:{:02}/{:02}:{:02}:{:02})",
        now / 60,
        now % 60,
        all / 3600,
        all / 60 % 60,
        all % 60
    );
}

/// ７六歩(77), 同　歩(34), ５五角打, ２二角成(88).
fn move_text(position: &Position, m: Move) -> String {
    let again = position.last_move().is_some_and(|last| last.to() == m.to());
    let target = if again { "同　".to_owned() } else { square(m.to()) };
    match m.origin() {
        Origin::Hand(piece) => format!("{}{}打", square(m.to()), name(piece.kind())),
        Origin::Board(from) => {
            let kind = position.piece_at(from).map_or(PieceKind::Pawn, Piece::kind);
            let promotion = if m.is_promotion() { "成" } else { "" };
            let (file, rank) = (from.file() as u8 + 1, from.rank() as u8 + 1);
            format!("{target}{}{promotion}({file}{rank})", name(kind))
        }
    }
}

fn square(square: Square) -> String {
    format!("{}{}", FILES[square.file() as usize], RANKS[square.rank() as usize])
}

/// As KIF writes it: promoted minor pieces in two characters.
fn name(kind: PieceKind) -> String {
    match kind {
        PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => {
            format!("成{}", kind.unpromoted().kanji())
        }
        _ => kind.kanji().to_string(),
    }
}

/// ▲７六歩(77)△３四歩(33), as far as the moves can be played.
fn variation(position: &Position, pv: &[String]) -> String {
    let mut position = position.clone();
    let mut text = String::new();
    for word in pv {
        let Some(m) = word.parse().ok().filter(|m| position.is_legal(*m)) else { break };
        text.push(if position.side() == Color::Black { '▲' } else { '△' });
        text += &move_text(&position, m);
        position.do_move(m);
    }
    text
}

/// The word for the end, with `side` to move.
fn end(verdict: &Verdict, side: Color) -> &'static str {
    let won = verdict.result.winner() == Some(side);
    match verdict.reason {
        Reason::NoLegalMove => "詰み",
        Reason::Resignation => "投了",
        Reason::Declaration if won => "入玉勝ち",
        Reason::Declaration => "トライ",
        Reason::Repetition => "千日手",
        Reason::MoveLimit => "持将棋",
        Reason::Time | Reason::Hang => "切れ負け",
        Reason::Goal | Reason::Points | Reason::ScoreWin | Reason::ScoreDraw => "中断",
        Reason::PerpetualCheck
        | Reason::IllegalMove
        | Reason::Garbage
        | Reason::FalseDeclaration
        | Reason::Crash
        | Reason::ClosedOutput
        | Reason::ExtraBestmove
        | Reason::Flood
        | Reason::NoStart => {
            if won {
                "反則勝ち"
            } else {
                "反則負け"
            }
        }
    }
}

/// Keeps the tables in step with the types.
const _: () = assert!(FILES.len() == File::ALL.len() && RANKS.len() == shogi::Rank::ALL.len());
