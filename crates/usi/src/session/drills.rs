//! Commands for people and scripts that need the engine: `eval`, `bench`, `test`, `unittest`, `user`.

use super::worker::Job;
use super::{Session, info};
use crate::engine::{Engine, FixedTime};
use game::{Declaration, Game, Outcome, Position};
use search::{BestMove, Settings, Task, Timer, Unlimited};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// What `bench` was asked to do.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Bench {
    hash: usize,
    threads: usize,
    limit: u64,
    positions: String,
    kind: String,
}

impl Default for Bench {
    /// Deterministic, so that its node count is a signature of the search.
    fn default() -> Self {
        Self { hash: 16, threads: 1, limit: 8, positions: "default".into(), kind: "depth".into() }
    }
}

impl Bench {
    /// Both forms: `64 1 8 default depth` and `hash 64 threads 1 limit 8 file F type depth`.
    fn parse(arguments: &str) -> Result<Self, String> {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let mut bench = Self::default();
        if words == ["d"] {
            bench.limit = 6;
            return Ok(bench);
        }
        let keys = ["hash", "threads", "limit", "file", "positions", "type"];
        if words.first().is_some_and(|word| keys.contains(word)) {
            for pair in words.chunks(2) {
                let [key, value] = pair else { return Err(format!("bench: `{}` needs a value", pair[0])) };
                bench.set(key, value)?;
            }
        } else {
            for (key, value) in ["hash", "threads", "limit", "positions", "type"].into_iter().zip(&words) {
                bench.set(key, value)?;
            }
        }
        Ok(bench)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<u64>().map_err(|_| format!("bench: `{value}` is no number for {key}"));
        match key {
            "hash" => self.hash = number()?.clamp(1, 1 << 20) as usize,
            "threads" => self.threads = number()?.clamp(1, 1024) as usize,
            "limit" => self.limit = number()?,
            "file" | "positions" => value.clone_into(&mut self.positions),
            "type" if ["depth", "nodes", "movetime", "time", "perft", "eval"].contains(&value) => {
                value.clone_into(&mut self.kind);
            }
            "type" => {
                return Err(format!("bench: `{value}` is none of depth, nodes, movetime, time, perft, eval"));
            }
            other => return Err(format!("bench: unknown word `{other}`")),
        }
        Ok(())
    }

    /// Time for each position, if that is the limit; `time` counts seconds, `movetime` milliseconds.
    fn time(&self) -> Option<Duration> {
        match self.kind.as_str() {
            "movetime" => Some(Duration::from_millis(self.limit)),
            "time" => Some(Duration::from_secs(self.limit)),
            _ => None,
        }
    }
}

impl<G: Game> Session<G> {
    /// Runs something on the engine's thread and waits for it. Refused while a search runs, as that may last.
    fn with_engine<T: Send + 'static>(
        &mut self,
        what: &str,
        call: impl FnOnce(&mut dyn Engine<G>) -> T + Send + 'static,
    ) -> Option<T> {
        if self.is_searching() {
            self.output.error(format_args!("{what}: a search is running; stop it first"));
            return None;
        }
        self.apply_pending();
        if !self.ready {
            self.prepare(false);
        }
        let (answer, answered) = mpsc::channel();
        self.send(Job::Call(Box::new(move |engine| {
            // Nobody waiting means that the session is gone.
            let _ = answer.send(call(engine));
        })));
        answered.recv().ok()
    }

    pub(super) fn evaluate(&mut self) {
        let position = self.position.clone();
        match self.with_engine("eval", move |engine| engine.evaluate(&position)) {
            Some(Some(value)) => self.output.line(format_args!("eval = {value}")),
            Some(None) => self.output.error("this engine has no static evaluation"),
            None => {}
        }
    }

    pub(super) fn user(&mut self, arguments: &str) {
        let (position, words) = (self.position.clone(), arguments.to_owned());
        let said = self.with_engine("user", move |engine| engine.user(&position, &words));
        for line in said.into_iter().flatten() {
            self.output.info(line);
        }
    }

    pub(super) fn bench(&mut self, arguments: &str) {
        let bench = match Bench::parse(arguments) {
            Ok(bench) => bench,
            Err(message) => return self.output.error(message),
        };
        let positions = match self.bench_positions(&bench.positions) {
            Ok(positions) => positions,
            Err(message) => return self.output.error(message),
        };
        let settings =
            Settings { threads: bench.threads, ..self.options.search_settings(self.hundred_centipawns) };
        let (style, output) = (
            info::Style { hundred_centipawns: self.hundred_centipawns, with_ends: false },
            self.output.clone(),
        );
        let hash = bench.hash;
        let start = Instant::now();
        let nodes = self.with_engine("bench", move |engine| {
            engine.set_table_size(hash);
            engine.new_game();
            let mut nodes = 0;
            for (number, position) in positions.iter().enumerate() {
                output.line(format_args!("Position: {}/{}", number + 1, positions.len()));
                nodes += bench_one(engine, &bench, position, &settings, |report| {
                    output.line(info::lines(position, report, style));
                });
            }
            nodes
        });
        if let Some(nodes) = nodes {
            // The table goes back to the size that the options say.
            self.ready = false;
            let elapsed = start.elapsed();
            self.output.line(format_args!(
                "===========================\nTotal time (ms) : {}\nNodes searched  : {nodes}\nNodes/second    : {}",
                elapsed.as_millis(),
                info::nodes_per_second(nodes, elapsed),
            ));
        }
    }

    fn bench_positions(&self, which: &str) -> Result<Vec<G::Position>, String> {
        let parse = |line: &str| {
            self.game.position_command(line).map_err(|error| format!("bench: `{}`: {error}", line.trim()))
        };
        match which {
            "current" => Ok(vec![self.position.clone()]),
            "default" => self.game.bench_positions().iter().map(|line| parse(line)).collect(),
            path => {
                const MOST_BYTES: u64 = 64 << 20;
                let file = self.folders.read(path, MOST_BYTES).map_err(|error| error.to_string())?;
                file.text.lines().filter(|line| !line.trim().is_empty()).map(parse).collect()
            }
        }
    }

    pub(super) fn test(&mut self, arguments: &str) {
        let mut words = arguments.split_whitespace();
        match words.next() {
            Some("genmoves") => self.test_generation(number_after(arguments, "loop").unwrap_or(1_000_000)),
            Some("autoplay") => self.autoplay(arguments),
            _ => self
                .output
                .error("test takes `genmoves [loop N]` or `autoplay [loop N] [movetime MS] [nodes N]`"),
        }
    }

    fn test_generation(&self, times: u64) {
        let times = times.clamp(1, 100_000_000);
        let start = Instant::now();
        let moves: u64 =
            (0..times).map(|_| std::hint::black_box(&self.position).legal_moves().len() as u64).sum();
        let elapsed = start.elapsed();
        self.output.line(format_args!(
            "{} moves, {} times per second.",
            moves / times,
            info::nodes_per_second(times, elapsed)
        ));
    }

    /// Plays against itself: for each game `B`/`W` wins by mate, `b`/`w` otherwise, `.` draws, `M` at the limit.
    fn autoplay(&mut self, arguments: &str) {
        let games = number_after(arguments, "loop").unwrap_or(1).min(100_000);
        let time = Duration::from_millis(number_after(arguments, "movetime").unwrap_or(100));
        let nodes = number_after(arguments, "nodes");
        let verbose = arguments.split_whitespace().any(|word| word == "verbose");
        let settings = self.options.search_settings(self.hundred_centipawns);
        for _ in 0..games {
            let position = self.game.startpos();
            let (settings, random) = (settings.clone(), self.next_random());
            let game = self.with_engine("test autoplay", move |engine| {
                self_play::<G>(engine, position, &settings, nodes, time, random)
            });
            let Some((mark, text)) = game else { return };
            self.output.line(if verbose { format!("{mark} {text}") } else { mark.to_string() });
        }
    }

    /// Random games in which everything the rules promise is checked.
    pub(super) fn unit_test(&mut self, arguments: &str) {
        let games = number_after(arguments, "random_player_loop").unwrap_or(100).min(1_000_000);
        let mut checked = 0;
        for _ in 0..games {
            let mut position = self.game.startpos();
            let start = position.to_text();
            let mut plies = 0;
            while plies < 512 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[(self.next_random() % moves.len() as u64) as usize];
                let text = position.to_text();
                let faithful = position.is_legal(m)
                    && P::<G>::unpack(&position, m)
                    && self.game.position(&text).is_ok_and(|again| again.key() == position.key());
                if !faithful {
                    return self.output.error(format_args!("unittest: {m} in {text} failed"));
                }
                position.do_move(m);
                plies += 1;
            }
            (0..plies).for_each(|_| position.undo_move());
            if position.to_text() != start {
                return self.output.error("unittest: taking a game back failed");
            }
            checked += plies;
        }
        self.output.line(format_args!("unittest: {games} games, {checked} moves, all good"));
    }

    pub(super) fn describe_build(&self) {
        let mode = if cfg!(debug_assertions) { "debug" } else { "release" };
        self.output.line(format_args!(
            "{} {}, {mode} build for {} {}, {} threads available",
            self.name.name,
            env!("CARGO_PKG_VERSION"),
            std::env::consts::ARCH,
            std::env::consts::OS,
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        ));
    }
}

/// Shorthand for checks of a game's moves.
struct P<G>(std::marker::PhantomData<G>);

impl<G: Game> P<G> {
    /// Whether a move survives packing.
    fn unpack(position: &G::Position, m: <G::Position as Position>::Move) -> bool {
        position.unpack_move(G::Position::pack_move(m)) == Some(m)
    }
}

fn bench_one<G: Game>(
    engine: &mut dyn Engine<G>,
    bench: &Bench,
    position: &G::Position,
    settings: &Settings,
    mut report: impl FnMut(&search::Report<crate::MoveOf<G>>),
) -> u64 {
    match bench.kind.as_str() {
        "perft" => return game::perft(&mut position.clone(), bench.limit.min(20) as u32),
        "eval" => {
            return (0..bench.limit).filter(|_| engine.evaluate(position).is_some()).count() as u64;
        }
        _ => {}
    }
    let mut task = Task::new(position.clone());
    match bench.kind.as_str() {
        "depth" => task.depth = Some(bench.limit.clamp(1, 200) as usize),
        "nodes" => task.nodes = Some(bench.limit.max(1)),
        _ => {}
    }
    let fixed = bench.time().map(|time| FixedTime { start: Instant::now(), time });
    let timer: &dyn Timer = match &fixed {
        Some(fixed) => fixed,
        None => &Unlimited,
    };
    match engine.think(&task, settings, timer, &mut |found| report(found)) {
        BestMove::Play { report, .. } => report.nodes,
        _ => 0,
    }
}

/// One game of the engine against itself after a few random moves.
fn self_play<G: Game>(
    engine: &mut dyn Engine<G>,
    mut position: G::Position,
    settings: &Settings,
    nodes: Option<u64>,
    time: Duration,
    mut random: u64,
) -> (char, String) {
    const RANDOM_PLIES: usize = 4;
    const LIMIT: usize = 512;
    engine.new_game();
    let mut played = Vec::new();
    for ply in 0..LIMIT {
        if let Some(outcome) = position.outcome() {
            return (mark_of(outcome), played.join(" "));
        }
        let moves = position.legal_moves();
        let m = if ply < RANDOM_PLIES {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            moves[(random >> 33) as usize % moves.len()]
        } else {
            let task = Task { nodes, ..Task::new(position.clone()) };
            let fixed = FixedTime { start: Instant::now(), time };
            let timer: &dyn Timer = if nodes.is_some() { &Unlimited } else { &fixed };
            match engine.think(&task, settings, timer, &mut |_| ()) {
                BestMove::Play { best, .. } => best,
                BestMove::Resign => moves[0],
                BestMove::Declare => return (lower(position.side()), played.join(" ")),
            }
        };
        if position.declaration() == Some(Declaration::Win) {
            return (lower(position.side()), played.join(" "));
        }
        played.push(m.to_string());
        position.do_move(m);
    }
    ('M', played.join(" "))
}

fn mark_of(outcome: Outcome) -> char {
    match outcome {
        Outcome::Win { winner, reason: game::EndReason::NoLegalMove } => lower(winner).to_ascii_uppercase(),
        Outcome::Win { winner, .. } => lower(winner),
        Outcome::Draw { .. } => '.',
    }
}

fn lower(color: game::Color) -> char {
    color.letter()
}

/// The number behind a word.
fn number_after(arguments: &str, word: &str) -> Option<u64> {
    let mut words = arguments.split_whitespace().skip_while(|w| *w != word);
    words.nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bench_takes_both_forms() {
        let bench = |hash, threads, limit, positions: &str, kind: &str| {
            Ok(Bench { hash, threads, limit, positions: positions.into(), kind: kind.into() })
        };
        assert_eq!(Bench::parse(""), Ok(Bench::default()));
        assert_eq!(Bench::parse("d").map(|b| b.limit), Ok(6));
        assert_eq!(Bench::parse("64 2 100000 current nodes"), bench(64, 2, 100_000, "current", "nodes"));
        assert_eq!(Bench::parse("limit 5 type time file a.txt"), bench(16, 1, 5, "a.txt", "time"));
        for bad in ["x", "hash", "hash x", "64 1 8 default furlongs", "limit 5 color red"] {
            assert!(Bench::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_follow_their_words() {
        assert_eq!(number_after("autoplay loop 5 nodes x", "loop"), Some(5));
        assert_eq!(number_after("autoplay loop 5 nodes x", "nodes"), None);
        assert_eq!(number_after("autoplay", "loop"), None);
    }
}
