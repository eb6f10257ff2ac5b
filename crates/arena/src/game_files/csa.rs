//! CSA, version 2.2.

use super::{Heading, Opening};
use crate::play::{Played, PlayedMove};
use crate::verdict::{Reason, Verdict};
use game::Color;
use shogi::{File, Move, Origin, Piece, PieceKind, Position, Rank, Square};
use std::fmt::Write;

/// Writing to a string cannot fail, so results of `write!` are dropped here.
pub(super) fn write(heading: &Heading<'_>, opening: &Opening, played: &Played) -> String {
    let [black, white] = heading.names;
    let mut out = format!("V2.2\nN+{black}\nN-{white}\n$EVENT:{}\n", heading.event);
    board(&mut out, &opening.start);
    let mut position = opening.start.clone();
    for &m in &opening.moves {
        let _ = writeln!(out, "{}\nT0", move_text(&position, m));
        position.do_move(m);
    }
    for PlayedMove { text, elapsed, thought } in &played.moves {
        let Ok(m) = text.parse() else { break };
        let side = position.side();
        let _ = writeln!(out, "{}\nT{}", move_text(&position, m), elapsed.as_secs());
        position.do_move(m);
        if let Some(score) = thought.score {
            // As on floodgate: in Black's eyes, with the line that follows the move.
            let value = if side == Color::Black { score.centipawns() } else { -score.centipawns() };
            let rest = thought.pv.strip_prefix(std::slice::from_ref(text)).unwrap_or_default();
            let _ = writeln!(out, "'** {value}{}", variation(&position, rest));
        }
    }
    let _ = writeln!(out, "'{}", played.verdict);
    let _ = writeln!(out, "{}", end(&played.verdict));
    out
}

fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

const fn name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "FU",
        PieceKind::Lance => "KY",
        PieceKind::Knight => "KE",
        PieceKind::Silver => "GI",
        PieceKind::Gold => "KI",
        PieceKind::Bishop => "KA",
        PieceKind::Rook => "HI",
        PieceKind::King => "OU",
        PieceKind::ProPawn => "TO",
        PieceKind::ProLance => "NY",
        PieceKind::ProKnight => "NK",
        PieceKind::ProSilver => "NG",
        PieceKind::Horse => "UM",
        PieceKind::Dragon => "RY",
    }
}

fn square(square: Square) -> String {
    format!("{}{}", square.file() as u8 + 1, square.rank() as u8 + 1)
}

/// The board row by row, the hands, and who is to move.
fn board(out: &mut String, position: &Position) {
    for rank in Rank::ALL {
        let _ = write!(out, "P{}", rank as u8 + 1);
        for file in File::ALL.into_iter().rev() {
            match position.piece_at(Square::new(file, rank)) {
                Some(piece) => {
                    let _ = write!(out, "{}{}", sign(piece.color()), name(piece.kind()));
                }
                None => out.push_str(" * "),
            }
        }
        out.push('\n');
    }
    for color in Color::ALL {
        let hand = position.hand(color);
        if !hand.is_empty() {
            let _ = write!(out, "P{}", sign(color));
            for (piece, count) in hand.iter() {
                *out += &format!("00{}", name(piece.kind())).repeat(count as usize);
            }
            out.push('\n');
        }
    }
    let _ = writeln!(out, "{}", sign(position.side()));
}

fn move_text(position: &Position, m: Move) -> String {
    let kind = position.piece_after(m).map_or(PieceKind::Pawn, Piece::kind);
    let from = match m.origin() {
        Origin::Board(from) => square(from),
        Origin::Hand(_) => "00".to_owned(),
    };
    format!("{}{from}{}{}", sign(position.side()), square(m.to()), name(kind))
}

/// The moves as far as they can be played, each with a blank before it.
fn variation(position: &Position, pv: &[String]) -> String {
    let mut position = position.clone();
    let mut text = String::new();
    for word in pv {
        let Some(m) = word.parse().ok().filter(|m| position.is_legal(*m)) else { break };
        text.push(' ');
        text += &move_text(&position, m);
        position.do_move(m);
    }
    text
}

fn end(verdict: &Verdict) -> String {
    let loser = verdict.result.winner().map_or(Color::Black, |winner| !winner);
    match verdict.reason {
        Reason::NoLegalMove => "%TSUMI".into(),
        Reason::Resignation => "%TORYO".into(),
        Reason::Declaration => "%KACHI".into(),
        Reason::Repetition => "%SENNICHITE".into(),
        Reason::MoveLimit => "%JISHOGI".into(),
        Reason::Time | Reason::Hang => "%TIME_UP".into(),
        Reason::IllegalMove | Reason::Garbage => "%ILLEGAL_MOVE".into(),
        Reason::Goal | Reason::Points | Reason::ScoreWin | Reason::ScoreDraw => "%CHUDAN".into(),
        Reason::PerpetualCheck
        | Reason::FalseDeclaration
        | Reason::Crash
        | Reason::ClosedOutput
        | Reason::ExtraBestmove
        | Reason::Flood
        | Reason::NoStart => format!("%{}ILLEGAL_ACTION", sign(loser)),
    }
}
