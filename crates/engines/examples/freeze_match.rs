//! Plays two ways of handling freezes against each other from random openings, at equal time or equal nodes.
//!
//! `cargo run --release -p tsumugi-engines --example freeze_match -- PLAYER PLAYER [GAMES] [LIMIT] [SEED]`
//!
//! A player is `staged`, `naive`, `barred` (it never freezes, as with `ALLOW_FREEZE`) or `alone` (it knows that its opponent
//! never freezes, as with `CAN_FREEZE`); a limit is `50ms` or `3000` (nodes). With `FREEZE_MATCH_MOVES` in the environment
//! the games are shown, with the value of each move.

use eval::Material;
use freeze::{Counts, FreezeEvaluation, Handling, Position};
use game::{Color, Position as _};
use search::{BestMove, Next, Progress, Searcher, Settings, Task, Timer};
use std::error::Error;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// Moves after which a game is given up as a draw.
const LONGEST: usize = 320;
/// Random moves at the start of a game; each opening is played twice, with colours reversed.
const OPENING: usize = 6;

/// How a player treats freezes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Staged,
    Naive,
    Barred,
    Alone,
}

impl FromStr for Manner {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Ok(match word {
            "staged" => Self::Staged,
            "naive" => Self::Naive,
            "barred" => Self::Barred,
            "alone" => Self::Alone,
            _ => return Err(format!("expected staged, naive, barred or alone, found `{word}`")),
        })
    }
}

/// When a player must move.
#[derive(Clone, Copy)]
enum Limit {
    Time(Duration),
    Nodes(u64),
}

impl FromStr for Limit {
    type Err = std::num::ParseIntError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Ok(match word.strip_suffix("ms") {
            Some(number) => Self::Time(Duration::from_millis(number.parse()?)),
            None => Self::Nodes(word.parse()?),
        })
    }
}

/// Stops at a moment.
struct Until(Option<Instant>);

impl Timer for Until {
    fn must_stop(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    fn after_iteration(&self, _: &Progress) -> Next {
        if self.must_stop() { Next::Stop } else { Next::Deeper }
    }
}

struct Player {
    manner: Manner,
    searcher: Searcher<Position, FreezeEvaluation<Material>>,
    /// Depths reached and searches made.
    depths: [usize; 2],
}

impl Player {
    fn new(word: &str) -> Result<Self, Box<dyn Error>> {
        let searcher = Searcher::new(FreezeEvaluation(Material::default()), 16)?;
        Ok(Self { manner: word.parse()?, searcher, depths: [0; 2] })
    }

    fn choose(&mut self, position: &Position, limit: Limit) -> BestMove<freeze::Move> {
        let mut position = position.clone();
        match self.manner {
            Manner::Staged => {}
            Manner::Naive => position.set_handling(Handling::Naive),
            Manner::Barred => position.bar(Some(position.side())),
            Manner::Alone => position.bar(Some(!position.side())),
        }
        let mut task = Task::new(position);
        let timer = match limit {
            Limit::Time(time) => Until(Some(Instant::now() + time)),
            Limit::Nodes(nodes) => {
                task.nodes = Some(nodes);
                Until(None)
            }
        };
        let searcher = &mut self.searcher;
        let think = |task: &Task<_, _>, _, timer: &dyn Timer| {
            searcher.think(task, &Settings::default(), timer, |_| ())
        };
        let answer = engines::swindle(&task, &timer, think);
        if let BestMove::Play { report, .. } = &answer {
            self.depths[0] += report.depth;
            self.depths[1] += 1;
        }
        answer
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, rest @ ..] = arguments.as_slice() else {
        return Err("two players are needed, such as: freeze_match staged naive".into());
    };
    let word = |index: usize, default: &'static str| rest.get(index).map_or(default, String::as_str);
    let games: u64 = word(0, "100").parse()?;
    let limit: Limit = word(1, "50ms").parse()?;
    let mut seed: u64 = word(2, "1").parse()?;
    let mut players = [Player::new(first)?, Player::new(second)?];
    let mut score = [0_u32; 3];
    for _ in 0..games.div_ceil(2) {
        let opening = random_opening(&mut seed);
        for black in 0..2 {
            let result = match play(&mut players, black, opening.clone(), limit) {
                Some(color) => (color.index() + black) % 2,
                None => 2,
            };
            score[result] += 1;
        }
        let [wins, losses, draws] = score;
        eprint!("\r+{wins} -{losses} ={draws}   ");
    }
    let [wins, losses, draws] = score.map(f64::from);
    let played = wins + losses + draws;
    let mean = (wins + draws / 2.0) / played;
    let variance =
        (wins * (1.0 - mean).powi(2) + losses * mean.powi(2) + draws * (0.5 - mean).powi(2)) / played;
    let error = 1.96 * (variance / played).sqrt();
    println!(
        "\n{first} against {second}: +{wins} -{losses} ={draws}, {:.1} % ± {:.1} (95 %)",
        100.0 * mean,
        100.0 * error
    );
    for player in &players {
        print!("mean depth {:.1}; ", player.depths[0] as f64 / player.depths[1].max(1) as f64);
    }
    println!();
    Ok(())
}

/// Who wins the game in which `players[black]` has Black.
fn play(players: &mut [Player; 2], black: usize, mut position: Position, limit: Limit) -> Option<Color> {
    for player in players.iter_mut() {
        player.searcher.clear(1);
    }
    let show = std::env::var_os("FREEZE_MATCH_MOVES").is_some();
    for _ in 0..LONGEST {
        if let Some(outcome) = position.outcome() {
            if show {
                println!("{outcome}");
            }
            return outcome.winner();
        }
        let side = position.side();
        match players[(side.index() + black) % 2].choose(&position, limit) {
            BestMove::Play { best, report, .. } => {
                if show {
                    print!("{best} ");
                    if let Some(line) = report.lines.first() {
                        print!("[{}] ", line.value.get());
                    }
                }
                position.do_move(best);
            }
            BestMove::Declare => return Some(side),
            BestMove::Resign => return Some(!side),
        }
    }
    None
}

fn random_opening(seed: &mut u64) -> Position {
    let mut position = Position::startpos(Counts::USUAL);
    for _ in 0..OPENING {
        // Xorshift: any spread of openings will do, as long as it can be repeated.
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        let moves = position.shogi().legal_moves();
        position.do_move(freeze::Move::bare(moves[(*seed % moves.len() as u64) as usize]));
    }
    position
}
