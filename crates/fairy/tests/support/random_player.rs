//! Games of the search against a mover of random moves.

use fairy::{FairyGame, Handcraft};
use game::{Color, Game, Position};
use platform::Random;
use search::{BestMove, Searcher, Settings, Task, Unlimited};

/// Moves after which a game is given up as a draw.
const LONGEST: u32 = 400;

/// Results from the view of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

/// Plays games with so many nodes a move, with either colour in turn.
pub fn play_random(game: &FairyGame, games: u64, nodes: u64, seed: u64) -> Score {
    let evaluation = Handcraft::new(game.variant().clone());
    let mut searcher = Searcher::new(evaluation, 4).expect("there is a little memory");
    let mut random = Random::new(seed);
    let mut score = Score::default();
    for number in 0..games {
        let ours = Color::ALL[(number % 2) as usize];
        searcher.clear(1);
        match play(game, &mut searcher, ours, nodes, &mut random) {
            Some(winner) if winner == ours => score.won += 1,
            Some(_) => score.lost += 1,
            None => score.drawn += 1,
        }
    }
    score
}

/// Plays one game; returns who won.
fn play(
    game: &FairyGame,
    searcher: &mut Searcher<fairy::Position, Handcraft>,
    ours: Color,
    nodes: u64,
    random: &mut Random,
) -> Option<Color> {
    let mut position = game.startpos();
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome.winner();
        }
        if position.ply() > LONGEST {
            return None;
        }
        let m = if position.side() == ours {
            let task = Task { nodes: Some(nodes), ..Task::new(position.clone()) };
            match searcher.think(&task, &Settings::default(), &Unlimited, |_| ()) {
                BestMove::Play { best, .. } => best,
                BestMove::Resign => return Some(!ours),
                BestMove::Declare => return Some(ours),
            }
        } else {
            let legal = position.legal_moves();
            legal[(random.next() % legal.len() as u64) as usize]
        };
        position.do_move(m);
    }
}
