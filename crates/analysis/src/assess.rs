//! What an analysis says about a game: values, judged moves, summaries.

use crate::games::Game;
use crate::judgement::{Judgement, Summary, win_rate};
use crate::known::{Candidate, Found};
use crate::stages::{Rulebook, Stage};
use arena::Score;
use game::Color;
use record::{Ending, Field, GameResult};
use serde::Serialize;

/// A game with all that was found out about it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Assessed {
    /// The file.
    pub file: String,
    /// Its number in the file, from 1.
    pub number: usize,
    /// The game's name.
    pub variant: String,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// When it was played.
    pub date: String,
    /// What it was played for.
    pub event: String,
    /// `black`, `white`, `draw` or `unknown`.
    pub result: String,
    /// How it ended, in the words of KIF.
    pub ending: String,
    /// As USI has it.
    pub usi: String,
    /// What Black plays, and what White plays: 戦型, then 囲い. Shogi only.
    pub openings: [Vec<&'static str>; 2],
    /// Black's moves and White's.
    pub players: [Summary; 2],
    /// Where the middle game and the endgame begin, as numbers of positions.
    pub phases: Phases,
    /// Its positions.
    pub positions: Vec<Assessment>,
}

/// The first positions of the phases of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Phases {
    /// A tenth of the pieces are in hand or promoted.
    pub middle_game: Option<usize>,
    /// A quarter of them.
    pub endgame: Option<usize>,
}

/// A position with all that was found out about it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Assessment {
    /// How many moves were played.
    pub ply: usize,
    /// Its text.
    pub sfen: String,
    /// `black` or `white`, who is to move.
    pub side: &'static str,
    /// For the side to move; none where the game has ended, or nothing was found.
    pub score: Option<Score>,
    /// Black's, from 0 to 1.
    pub black_win_rate: Option<f64>,
    /// Plies of the mate by the side to move that the mate engine has proved.
    pub mate: Option<usize>,
    /// The lines of play, the best first.
    pub candidates: Vec<Line>,
    /// The move that was played here.
    pub played: Option<Played>,
}

/// A line of play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// For the side to move.
    pub score: Score,
    /// Depth of the search; none for a proved mate.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// The moves as USI has them.
    pub pv: Vec<String>,
    /// The moves in Japanese.
    pub text: Vec<String>,
}

/// A move that was played.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Played {
    /// As USI has it.
    #[serde(rename = "move")]
    pub word: String,
    /// In Japanese, with the mark of the player.
    pub text: String,
    /// What it was worth; none where the values on either side are not known.
    #[serde(flatten)]
    pub judgement: Option<Judgement>,
    /// There was a mate, and it is gone.
    pub missed_mate: bool,
}

/// Four digits are enough of a share.
fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

const fn name(side: Color) -> &'static str {
    match side {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Puts together what was found in the positions of a game.
#[must_use]
pub fn assess(game: &Game, found: &[Found], rules: &Rulebook<'_>) -> Assessed {
    let header = game.record.header();
    let own = |field| header.get(field).unwrap_or_default().trim().to_owned();
    let player = |color| header.player(color).unwrap_or_default().trim().to_owned();
    let last = game.stages.last();
    let result = match (game.record.result(), last.and_then(|stage| stage.outcome)) {
        (GameResult::Unknown, Some(outcome)) => outcome.winner().map_or(GameResult::Draw, GameResult::Win),
        (known, _) => known,
    };
    let mut positions: Vec<Assessment> = game
        .stages
        .iter()
        .zip(found)
        .enumerate()
        .map(|(ply, (stage, found))| position(game.variant(), ply, stage, found, rules))
        .collect();
    for index in 0..positions.len().saturating_sub(1) {
        let (judgement, missed) = judged(&game.stages, &positions, found, index);
        if let Some(played) = &mut positions[index].played {
            (played.judgement, played.missed_mate) = (judgement, missed);
        }
    }
    let summary = |side: Color| {
        let own = positions.iter().filter(|position| position.side == name(side));
        let played = own.filter_map(|position| position.played.as_ref());
        Summary::of(played.filter_map(|played| Some((played.judgement?, played.missed_mate))))
    };
    Assessed {
        file: game.place.relative.display().to_string(),
        number: game.place.number,
        variant: game.variant().to_owned(),
        black: player(Color::Black),
        white: player(Color::White),
        date: header.date().unwrap_or_default().to_owned(),
        event: own(Field::Event),
        result: result.to_string(),
        ending: game.record.ending().map(Ending::kif).unwrap_or_default().to_owned(),
        usi: game.line.clone(),
        openings: openings(game),
        players: Color::ALL.map(summary).map(|summary| Summary {
            accuracy: (summary.accuracy * 100.0).round() / 100.0,
            mean_loss: rounded(summary.mean_loss),
            ..summary
        }),
        phases: phases(&game.stages),
        positions,
    }
}

/// The names of openings and castles.
fn openings(game: &Game) -> [Vec<&'static str>; 2] {
    if game.variant() != "shogi" {
        return Default::default();
    }
    let (start, moves) = game.line.split_once(" moves").unwrap_or((&game.line, ""));
    let start = (start.trim() != "startpos").then(|| start.trim().trim_start_matches("sfen "));
    library::recognise(start, moves.trim()).map(|named| [named.openings, named.castles].concat())
}

fn position(variant: &str, ply: usize, stage: &Stage, found: &Found, rules: &Rulebook<'_>) -> Assessment {
    let mut candidates = found.candidates.clone();
    if let Some(mate) = &found.mate {
        // What is proved leads, unless the engine has found a shorter mate.
        let plies = i32::try_from(mate.len()).unwrap_or(i32::MAX);
        let shorter = |first: &Candidate| {
            matches!(first.score, Score::Mate(1..))
                && first.score.centipawns() >= Score::Mate(plies).centipawns()
        };
        if !candidates.first().is_some_and(shorter) {
            candidates.retain(|other| other.pv.first() != mate.first());
            let proved = Candidate { score: Score::Mate(plies), depth: None, nodes: None, pv: mate.clone() };
            candidates.insert(0, proved);
        }
    }
    let lines: Vec<Vec<String>> = candidates.iter().map(|candidate| candidate.pv.clone()).collect();
    let spoken = rules.spoken(variant, &stage.text, &lines).unwrap_or_default();
    let candidates: Vec<Line> = candidates
        .iter()
        .zip(spoken)
        .filter(|(candidate, spoken)| {
            // A declaration has no moves; any other line without a legal move is worth nothing.
            !spoken.is_empty() || matches!(candidate.pv.first().map(String::as_str), Some("win" | "resign"))
        })
        .map(|(Candidate { score, depth, nodes, .. }, spoken)| {
            let (pv, text) = spoken.into_iter().unzip();
            Line { score: *score, depth: *depth, nodes: *nodes, pv, text }
        })
        .collect();
    let score = candidates.first().map(|line| line.score).filter(|_| stage.outcome.is_none());
    let own = match stage.outcome {
        Some(outcome) => {
            Some(outcome.winner().map_or(0.5, |winner| f64::from(u8::from(winner == stage.side))))
        }
        None => score.map(win_rate),
    };
    let played = stage.played.as_ref().map(|(word, text)| Played {
        word: word.clone(),
        text: format!("{}{text}", crate::stages::mark(stage.side)),
        judgement: None,
        missed_mate: false,
    });
    Assessment {
        ply,
        sfen: stage.text.clone(),
        side: name(stage.side),
        score,
        black_win_rate: own.map(|own| rounded(if stage.side == Color::Black { own } else { 1.0 - own })),
        mate: found.mate.as_ref().map(Vec::len),
        candidates: if stage.outcome.is_none() { candidates } else { Vec::new() },
        played,
    }
}

/// Judges the move that was played in a position, and says whether a mate was missed.
fn judged(
    stages: &[Stage],
    positions: &[Assessment],
    found: &[Found],
    index: usize,
) -> (Option<Judgement>, bool) {
    let (here, next) = (&positions[index], &positions[index + 1]);
    let side = stages[index].side;
    let own = |position: &Assessment| {
        position.black_win_rate.map(|rate| if side == Color::Black { rate } else { 1.0 - rate })
    };
    let Some(played) = &here.played else { return (None, false) };
    let is_best = here.candidates.first().is_some_and(|best| best.pv.first() == Some(&played.word));
    let judgement = own(here).zip(own(next)).map(|(before, after)| {
        let Judgement { loss, accuracy, class } = Judgement::new(before, after, is_best);
        Judgement { loss: rounded(loss), accuracy: (accuracy * 100.0).round() / 100.0, class }
    });
    // The mate is still there if the opponent is being mated, or the player has it again on the next turn.
    let is_kept = stages[index + 1].outcome.is_some_and(|outcome| outcome.winner() == Some(side))
        || matches!(next.score, Some(Score::Mate(..=0)))
        || found.get(index + 2).is_some_and(|later| later.mate.is_some());
    let missed =
        found[index].mate.as_ref().is_some_and(|mate| mate.first() != Some(&played.word)) && !is_kept;
    (judgement, missed)
}

/// A game without hands and promotions has no phases.
fn phases(stages: &[Stage]) -> Phases {
    let first = |part: u32| {
        stages.iter().position(|stage| {
            let (changed, pieces) = stage.changed;
            changed > 0 && changed * part >= pieces
        })
    };
    Phases { middle_game: first(10), endgame: first(4) }
}
