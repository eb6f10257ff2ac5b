//! One game.

use super::thinker::{Abandoned, Effort, Thinker};
use super::{Chance, Openings, RandomMoves, Recipe};
use crate::{Ending, ScoredMove, TrainingGame};
use eval::Evaluator;
use game::EndReason;
use platform::Random;
use search::{BestMove, Line, Value};
use shogi::{Color, Move, Origin, Outcome, Position, Rules};
use std::io;
use std::num::NonZeroU32;
use std::sync::atomic::AtomicBool;

/// Plays games against itself.
pub struct Player<'a> {
    recipe: &'a Recipe,
    openings: &'a Openings,
    thinker: Thinker<'a>,
}

/// Maximum number of attempts to find a start position: the settings may not allow any.
const MOST_FAILED_STARTS: u32 = 100;

/// A game without moves.
fn no_game(index: u64) -> TrainingGame {
    TrainingGame {
        index,
        start: Position::startpos(),
        moves: Vec::new(),
        winner: None,
        ending: Ending::Adjudicated,
    }
}

/// The next move or end of the game.
enum Choice {
    Play(ScoredMove, Value),
    Declare,
    Resign,
}

impl Choice {
    fn played(self) -> Option<Move> {
        match self {
            Self::Play(scored, _) => Some(scored.played),
            Self::Declare | Self::Resign => None,
        }
    }
}

impl<'a> Player<'a> {
    /// A player; setting `abandon` makes it abandon its game.
    pub fn new(
        recipe: &'a Recipe,
        openings: &'a Openings,
        evaluation: Evaluator,
        abandon: &'a AtomicBool,
    ) -> io::Result<Self> {
        Ok(Self { recipe, openings, thinker: Thinker::new(evaluation, recipe.hash, abandon)? })
    }

    /// Nodes of all searches so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.thinker.nodes()
    }

    /// Plays the game with this number; `None` if it was abandoned. It has no moves if no start position was found.
    pub fn play(&mut self, index: u64) -> Option<TrainingGame> {
        self.try_to_play(index).ok()
    }

    fn try_to_play(&mut self, index: u64) -> Result<TrainingGame, Abandoned> {
        let mut random = Random::new(self.recipe.seed ^ Random::new(index).next());
        let mut failed = 0;
        loop {
            self.thinker.begin_game();
            let start = match self.recipe.random_moves {
                Some(random_moves) => match self.random_start(random_moves, &mut random)? {
                    Some(start) => start,
                    None if failed == MOST_FAILED_STARTS => return Ok(no_game(index)),
                    None => {
                        failed += 1;
                        continue;
                    }
                },
                None => self.openings.draw(self.recipe, &mut random),
            };
            let game = self.play_from(index, start, &mut random)?;
            let fair =
                |scored: &ScoredMove| scored.score.unsigned_abs() <= self.recipe.start_limit.unsigned_abs();
            // Discards starts that are lost or lead nowhere.
            if game.moves.first().is_some_and(fair) {
                return Ok(game);
            }
        }
    }

    /// Plays from the start position with random moves; `None` if that ends the game or leads to check.
    fn random_start(
        &mut self,
        settings: RandomMoves,
        random: &mut Random,
    ) -> Result<Option<Position>, Abandoned> {
        let mut plies: Vec<u32> = (settings.from.max(1)..=settings.to).collect();
        random.shuffle(&mut plies);
        plies.truncate(settings.count);
        let mut position = Position::startpos();
        while plies.iter().any(|ply| *ply >= position.ply()) {
            if position.outcome().is_some() {
                return Ok(None);
            }
            let played = if plies.contains(&position.ply()) {
                self.chance_move(settings.by, &position, &mut plies, random)?
            } else {
                self.choose(&position, random)?.played()
            };
            let Some(played) = played else { return Ok(None) };
            position.do_move(played);
        }
        let quiet = !position.in_check() && position.outcome().is_none();
        Ok(quiet.then(|| Position::try_from(position.setup()).ok()).flatten())
    }

    /// A random move; the next ply may then be random, too.
    fn chance_move(
        &mut self,
        by: Chance,
        position: &Position,
        plies: &mut Vec<u32>,
        random: &mut Random,
    ) -> Result<Option<Move>, Abandoned> {
        let moves = position.legal_moves();
        let any = |moves: &[Move], random: &mut Random| {
            (!moves.is_empty()).then(|| moves[random.below(moves.len())])
        };
        Ok(match by {
            Chance::Legal => any(&moves, random),
            Chance::Kings { one_in } => {
                let king = position.king(position.side()).map(Origin::Board);
                let kings: Vec<Move> = moves.iter().copied().filter(|m| Some(m.origin()) == king).collect();
                if kings.is_empty() || random.below(one_in.max(1)) > 0 {
                    any(&moves, random)
                } else {
                    if random.below(2) == 0 {
                        plies.push(position.ply() + 1);
                    }
                    any(&kings, random)
                }
            }
            Chance::Lines { count, window, depth } => {
                let depth = depth.or(self.recipe.depth);
                self.search(position, depth, count, window, random)?.played()
            }
        })
    }

    fn play_from(
        &mut self,
        index: u64,
        start: Position,
        random: &mut Random,
    ) -> Result<TrainingGame, Abandoned> {
        let rules = Rules { max_moves: NonZeroU32::new(self.recipe.max_moves), ..Rules::default() };
        let mut position = start.clone().with_rules(rules);
        let mut moves: Vec<ScoredMove> = Vec::new();
        // Number of successive plies for which each side has been winning.
        let mut winning = [0; 2];
        let (winner, ending) = loop {
            if let Some(outcome) = position.outcome() {
                break (outcome.winner(), ending_of(outcome));
            }
            let side = position.side();
            let (scored, value) = match self.choose(&position, random)? {
                Choice::Play(scored, value) => (scored, value),
                Choice::Declare => break (Some(side), Ending::Declaration),
                Choice::Resign => break (Some(!side), Ending::Mate),
            };
            moves.push(scored);
            if moves.len() == 1 && scored.score.unsigned_abs() > self.recipe.start_limit.unsigned_abs() {
                break (None, Ending::Adjudicated);
            }
            if let Some(plies) = value.plies_to_mate() {
                break (Some(if plies > 0 { side } else { !side }), Ending::Adjudicated);
            }
            for color in Color::ALL {
                let score = if color == side { scored.score } else { -scored.score };
                let count = &mut winning[color.index()];
                *count = if score >= self.recipe.score_limit { *count + 1 } else { 0 };
            }
            if let Some(winner) =
                Color::ALL.into_iter().find(|color| winning[color.index()] >= self.recipe.decided_plies)
            {
                break (Some(winner), Ending::Adjudicated);
            }
            position.do_move(scored.played);
        };
        Ok(TrainingGame { index, start, moves, winner, ending })
    }

    fn choose(&mut self, position: &Position, random: &mut Random) -> Result<Choice, Abandoned> {
        let recipe = self.recipe;
        let varied = recipe.varied_window > 0 && position.ply() <= recipe.varied_plies;
        let depth = match (recipe.depth, recipe.deepest) {
            (Some(least), Some(most)) if most > least => Some(least + random.below(most - least + 1)),
            (depth, _) => depth,
        };
        let multi_pv = if varied { recipe.varied_lines } else { 1 };
        self.search(position, depth, multi_pv, recipe.varied_window, random)
    }

    /// Searches with `multi_pv` lines and plays one of those within `window` of the best.
    fn search(
        &mut self,
        position: &Position,
        depth: Option<usize>,
        multi_pv: usize,
        window: i16,
        random: &mut Random,
    ) -> Result<Choice, Abandoned> {
        let found = self.thinker.think(position, Effort { nodes: self.recipe.nodes, depth, multi_pv })?;
        Ok(match found {
            BestMove::Declare => Choice::Declare,
            BestMove::Play { best, report, .. } => match pick(&report.lines, window, random) {
                Some((played, value)) => {
                    Choice::Play(ScoredMove { played, score: value.get() as i16 }, value)
                }
                None => Choice::Play(ScoredMove { played: best, score: 0 }, Value::ZERO),
            },
            BestMove::Resign => Choice::Resign,
        })
    }
}

/// A random line among those within `window` of the best.
fn pick(lines: &[Line<Move>], window: i16, random: &mut Random) -> Option<(Move, Value)> {
    let best = lines.first()?.value;
    let good = lines
        .iter()
        .take_while(|line| line.value.get() >= best.get() - i32::from(window) && !best.is_decisive())
        .count();
    let line = &lines[if good > 1 { random.below(good) } else { 0 }];
    Some((*line.moves.first()?, line.value))
}

fn ending_of(outcome: Outcome) -> Ending {
    match outcome.reason() {
        EndReason::Repetition => Ending::Repetition,
        EndReason::PerpetualCheck => Ending::PerpetualCheck,
        EndReason::Declaration => Ending::Declaration,
        EndReason::MoveLimit => Ending::MoveLimit,
        _ => Ending::Mate,
    }
}
