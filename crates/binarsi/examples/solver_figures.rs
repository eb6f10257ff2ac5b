//! Speed and results of rules and solver (BENCHMARKS.md): `cargo run --release -p tsumugi-binarsi --example solver_figures -- WHAT`.
//!
//! | WHAT | prints |
//! |---|---|
//! | `perft DEPTH` | lines of play from the start, counted and made, and their speed |
//! | `exact PLIES_LEFT POSITIONS SECONDS` | how long random positions take to decide on one core |
//! | `greedy GAMES NODES` | games of the solver, so many nodes a move, against the player of the original |
//! | `greedy-timed GAMES MILLISECONDS` | the same, so long a move |

use binarsi::{Binarsi, Board, Greedy, MAX_PLIES, Move, Solver, State};
use game::{Color, Game};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| words.get(i).and_then(|word| word.parse::<u64>().ok());
    match (words.first().map(String::as_str), number(1), number(2), number(3)) {
        (Some("perft"), Some(depth), ..) => perft(depth as u32),
        (Some("exact"), Some(left), Some(count), Some(seconds)) => exact(left as usize, count, seconds),
        (Some("greedy"), Some(games), Some(nodes), _) => greedy(games, nodes, Duration::MAX),
        (Some("greedy-timed"), Some(games), Some(milliseconds), _) => {
            greedy(games, u64::MAX, Duration::from_millis(milliseconds));
        }
        _ => eprintln!(
            "usage: measure perft DEPTH | exact LEFT COUNT SECONDS | greedy GAMES NODES | greedy-timed GAMES MS"
        ),
    }
}

fn perft(depth: u32) {
    for (name, count) in [
        ("counted", game::perft::<binarsi::Position> as fn(&mut binarsi::Position, u32) -> u64),
        ("made", game::perft_making_leaves),
    ] {
        let (start, cpu) = (Instant::now(), cpu_time());
        let nodes = count(&mut Binarsi.startpos(), depth);
        let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_time().saturating_sub(cpu).as_secs_f64());
        let speed = |seconds: f64| nodes as f64 / seconds / 1e6;
        println!(
            "perft {depth} {name}: {nodes}, {cpu:.3} s on the processor, {:.1} million per second; wall {wall:.3} s, {:.1}",
            speed(cpu),
            speed(wall)
        );
    }
}

/// How long this thread has been on a processor; other jobs take their share of the wall-clock time.
fn cpu_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = told.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// The same for all threads, in hundredths of a second, with what the system did for them.
fn cpu_time_of_all_threads() -> Duration {
    let told = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name in brackets may hold blanks; user and system time are fields 14 and 15.
    let fields = told.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    Duration::from_millis(10 * fields.filter_map(|word| word.parse::<u64>().ok()).sum::<u64>())
}

/// Numbers that follow from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 32) as usize) % count
    }
}

/// A position after so many random distinct moves, the game not over.
fn random_position(random: &mut Random, plies: usize) -> Board {
    loop {
        let mut board = Board::START;
        while board.state().ending().is_none() {
            if usize::from(board.number()) == plies {
                return board;
            }
            let moves = board.state().distinct_moves();
            board = board.after(moves[random.below(moves.len())]);
        }
    }
}

fn exact(left: usize, count: u64, seconds: u64) {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut times: Vec<Duration> = Vec::new();
    let mut cpu_times: Vec<Duration> = Vec::new();
    let mut nodes = Vec::new();
    let mut open = 0;
    for _ in 0..count {
        let board = random_position(&mut random, MAX_PLIES as usize - left);
        // A table of its own for each, so that none profits from another.
        let megabytes = if left <= 12 { 32 } else { 512 };
        let solver = Solver::new(megabytes, NonZeroUsize::MIN).expect("there is memory");
        let (start, cpu) = (Instant::now(), cpu_time_of_all_threads());
        let limit = Duration::from_secs(seconds);
        let watch = |progress: &binarsi::Progress| {
            if progress.elapsed >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        open += u64::from(solver.search(board.state(), u64::MAX, watch).is_err());
        times.push(start.elapsed());
        cpu_times.push(cpu_time_of_all_threads().saturating_sub(cpu));
        nodes.push(solver.nodes());
    }
    times.sort();
    cpu_times.sort();
    nodes.sort_unstable();
    let all: u64 = nodes.iter().sum();
    let place = |share: f64| ((times.len() - 1) as f64 * share) as usize;
    let at = |share: f64| times[place(share)];
    let cpu_at = |share: f64| cpu_times[place(share)];
    let total: Duration = cpu_times.iter().sum();
    println!(
        "{count} positions with {left} plies left, {open} not decided in {seconds} s\n\
         on the processor: median {:?}, 95 % {:?}, 99 % {:?}, most {:?}, all {total:?}\n\
         wall: median {:?}, 95 % {:?}, 99 % {:?}, most {:?}\n\
         nodes: median {}, all {all}, {:.2} million per second on the processor",
        cpu_at(0.5),
        cpu_at(0.95),
        cpu_at(0.99),
        cpu_at(1.0),
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0),
        nodes[(nodes.len() - 1) / 2],
        all as f64 / total.as_secs_f64() / 1e6,
    );
}

/// Nodes for the best try in a lost position.
const TRY_NODES: u64 = 500_000;

/// A proven win if there is one, in lost positions the best try, else what seems cheapest to prove.
fn choose(solver: &Solver, state: &State, nodes: u64, time: Duration) -> Move {
    // Without a proof the numbers so far decide.
    let _ = solver.search(state, nodes, |progress| {
        if progress.elapsed >= time { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let lost = solver.decided(state) == Some(!state.side());
    let best_try = if lost { solver.best_try(state, TRY_NODES, || false) } else { None };
    best_try.unwrap_or_else(|| solver.ranked(state).first().expect("the game goes on").0)
}

fn greedy(games: u64, nodes: u64, time: Duration) {
    let mut wins = [0_u64; 2];
    let start = Instant::now();
    let solver = Solver::new(1024, NonZeroUsize::MIN).expect("there is memory");
    for game in 0..games {
        let us = Color::ALL[(game % 2) as usize];
        let mut opponent = Greedy::new(game + 1);
        let mut state = State::START;
        let mut moves = Vec::new();
        while state.ending().is_none() {
            let chosen = if state.side() == us {
                choose(&solver, &state, nodes, time)
            } else {
                opponent.choose(&state).expect("it goes on")
            };
            moves.push(chosen.to_string());
            state = state.after(chosen);
        }
        let won = state.ending().is_some_and(|ending| ending.winner() == us);
        wins[us.index()] += u64::from(won);
        if !won {
            println!("lost game {game}: {}", moves.join(" "));
        }
    }
    let each = games.div_ceil(2);
    println!(
        "{games} games against the original's player: won {} of {each} as black, {} of {} as white, {:.0} s",
        wins[0],
        wins[1],
        games / 2,
        start.elapsed().as_secs_f64()
    );
}
