//! Words for ends of games and turns.

use crate::protocol::{SceneOutcome, Side, Words, side_words};
use game::{EndReason, Outcome};
use record::Ending;

/// Whose turn it is.
pub(super) fn to_move(side: Side) -> Words {
    let side = side_words(side);
    Words::new(format!("{}番。", side.ja), format!("{} to move.", side.en))
}

/// The end of a game by its rules.
#[must_use]
pub fn outcome_words(outcome: Outcome) -> SceneOutcome {
    let (reason, why) = match outcome.reason() {
        EndReason::NoLegalMove => ("mate", Words::new("詰み", "no legal move")),
        EndReason::Repetition => ("repetition", Words::new("千日手", "repetition")),
        EndReason::PerpetualCheck => ("perpetual_check", Words::new("連続王手の千日手", "perpetual check")),
        EndReason::Declaration => ("declaration", Words::new("入玉宣言", "declaration")),
        EndReason::MoveLimit => ("move_limit", Words::new("最大手数", "move limit")),
        EndReason::Points => ("points", Words::new("点数", "points")),
        _ => ("goal", Words::new("勝利条件達成", "goal reached")),
    };
    said(outcome.winner().map(Side::from), reason, &why)
}

fn said(winner: Option<Side>, reason: &str, why: &Words) -> SceneOutcome {
    let say = match winner {
        Some(side) => {
            let side = side_words(side);
            Words::new(format!("{}の勝ち（{}）。", side.ja, why.ja), format!("{} wins: {}.", side.en, why.en))
        }
        None => Words::new(format!("引き分け（{}）。", why.ja), format!("Draw: {}.", why.en)),
    };
    SceneOutcome { winner, reason: reason.to_owned(), say }
}

/// The end that a record notes, with `side` to move there.
#[must_use]
pub fn ending_words(ending: &Ending, side: Side) -> SceneOutcome {
    let (reason, en, wins): (&str, &str, Option<bool>) = match ending {
        Ending::Resign => ("resign", "resigns", Some(false)),
        Ending::Interrupt => ("interrupt", "broken off", None),
        Ending::Repetition => ("repetition", "repetition", None),
        Ending::Impasse => ("impasse", "impasse", None),
        Ending::Draw => ("draw", "draw", None),
        Ending::MaxMoves => ("move_limit", "move limit", None),
        Ending::Mate => ("mate", "mate", Some(false)),
        Ending::NoMate => ("no_mate", "no mate", None),
        Ending::Timeout => ("time", "time is up", Some(false)),
        Ending::IllegalBefore => ("illegal_before", "illegal move before", Some(true)),
        Ending::IllegalHere => ("illegal", "illegal move", Some(false)),
        Ending::Declaration => ("declaration", "declares", Some(true)),
        Ending::WinByDefault => ("default_win", "win by default", Some(true)),
        Ending::LossByDefault => ("default_loss", "loss by default", Some(false)),
        Ending::Won => ("won", "has won", Some(true)),
        Ending::Lost => ("lost", "has lost", Some(false)),
        Ending::Other(_) => ("other", "ended", None),
    };
    let why = Words::new(ending.kif(), en);
    let winner = wins.map(|wins| if wins { side } else { side.other() });
    if winner.is_none() && matches!(ending, Ending::Interrupt | Ending::NoMate | Ending::Other(_)) {
        let say = Words::new(format!("{}。", why.ja), format!("{en}."));
        return SceneOutcome { winner, reason: reason.to_owned(), say };
    }
    said(winner, reason, &why)
}
