//! `bench`: searching fixed positions.

use super::console_tests::{CommandLimits, InterruptibleTimer};
use super::interrupt::Interrupt;
use super::perft::perft_until;
use super::{Session, info};
use crate::engine::{Engine, MoveOf};
use crate::fixed_time::FixedTime;
use crate::replaced::command_hint;
use game::Game;
use platform::clock::Instant;
use search::{BestMove, Report, Settings, Task};
use std::time::Duration;

/// The arguments of `bench`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Bench {
    hash: usize,
    threads: usize,
    limit: u64,
    positions: String,
    kind: String,
}

impl Default for Bench {
    /// Deterministic defaults: the node count is the signature of the search.
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
        let number = || {
            value.parse::<u64>().map_err(|_| format!("bench: expected a number for {key}, found `{value}`"))
        };
        match key {
            "hash" => self.hash = number()?.clamp(1, 1 << 20) as usize,
            "threads" => self.threads = number()?.max(1) as usize,
            "limit" => self.limit = number()?,
            "file" | "positions" => value.clone_into(&mut self.positions),
            "type" if ["depth", "nodes", "movetime", "time", "perft", "eval"].contains(&value) => {
                value.clone_into(&mut self.kind);
            }
            "type" if let Some(hint) = command_hint(&format!("bench {value}")) => {
                return Err(format!("bench: no type `{value}` in this program: {hint}"));
            }
            "type" => {
                return Err(format!("bench: `{value}` is none of depth, nodes, movetime, time, perft, eval"));
            }
            other => return Err(format!("bench: unknown word `{other}`")),
        }
        Ok(())
    }

    /// Time for each position, if that is the limit; `time` is in seconds, `movetime` in milliseconds.
    fn time(&self) -> Option<Duration> {
        match self.kind.as_str() {
            "movetime" => Some(Duration::from_millis(self.limit)),
            "time" => Some(Duration::from_secs(self.limit)),
            _ => None,
        }
    }
}

impl<G: Game> Session<G> {
    pub(super) fn bench(&mut self, arguments: &str) {
        let bench = match Bench::parse(arguments) {
            Ok(bench) => bench,
            Err(message) => return self.context.output.wrong_usage(format_args!("Error! {message}")),
        };
        let threads = self.options.play.search.threads;
        if let Err(error) = self.options.table.clone().set(threads, &bench.threads.to_string()) {
            return self.context.output.wrong_usage(format_args!("{error}, and bench did not run"));
        }
        let positions = match self.bench_positions(&bench.positions) {
            Ok(positions) => positions,
            Err(message) => return self.context.output.error(message),
        };
        let settings =
            Settings { threads: bench.threads, ..self.options.search_settings(self.hundred_centipawns) };
        let (style, output) = (
            info::Style { hundred_centipawns: self.hundred_centipawns, with_ends: false },
            self.context.output.clone(),
        );
        let (hash, limits, interrupt) =
            (bench.hash, self.context.command_limits, self.context.interrupt.clone());
        let of = positions.len();
        let searched = self.with_engine("bench", move |engine| {
            engine.set_tables(hash, settings.threads);
            engine.new_game();
            // The time for clearing memory does not count.
            let start = Instant::now();
            let mut nodes = 0;
            for (number, position) in positions.iter().enumerate() {
                output.line(format_args!("Position: {}/{of}", number + 1));
                nodes += bench_one(engine, &bench, position, &settings, &limits, &interrupt, |report| {
                    output.line(info::lines(position, report, style));
                });
                if interrupt.is_raised() || output.is_closed() {
                    return Err((number + 1, nodes));
                }
            }
            Ok((nodes, start.elapsed()))
        });
        let Some(searched) = searched else { return };
        // Restores the size of the table at the next `isready`.
        self.ready = false;
        match searched {
            Ok((nodes, elapsed)) => self.context.output.line(format_args!(
                "===========================\nTotal time (ms) : {}\nNodes searched  : {nodes}\nNodes/second    : {}",
                elapsed.as_millis(),
                info::nodes_per_second(nodes, elapsed),
            )),
            // An incomplete count must not look like a signature.
            Err((number, nodes)) => self.context.output.info(format_args!(
                "bench stopped at position {number} of {of}: {nodes} nodes so far"
            )),
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
                let file = self.context.folders.read(path, MOST_BYTES).map_err(|error| error.to_string())?;
                file.text.lines().filter(|line| !line.trim().is_empty()).map(parse).collect()
            }
        }
    }
}

fn bench_one<G: Game>(
    engine: &mut dyn Engine<G>,
    bench: &Bench,
    position: &G::Position,
    settings: &Settings,
    limits: &CommandLimits,
    interrupt: &Interrupt,
    mut report: impl FnMut(&Report<MoveOf<G>>),
) -> u64 {
    match bench.kind.as_str() {
        "perft" => {
            let depth = bench.limit.min(limits.perft_depth.into()) as u32;
            return perft_until(&mut position.clone(), depth, &|| interrupt.is_raised()).unwrap_or(0);
        }
        "eval" => {
            let times = 0..bench.limit.min(limits.repetitions);
            let Some(eval) = engine.static_eval() else { return 0 };
            let evaluated = times.take_while(|_| !interrupt.is_raised()).map(|_| eval.evaluate(position));
            return evaluated.count() as u64;
        }
        _ => {}
    }
    let mut task = Task::new(position.clone());
    match bench.kind.as_str() {
        "depth" => task.depth = Some(bench.limit.clamp(1, 200) as usize),
        "nodes" => task.nodes = Some(bench.limit.max(1)),
        _ => {}
    }
    let time = bench.time().map(|time| FixedTime { start: Instant::now(), time });
    let timer = InterruptibleTimer { time, interrupt };
    match engine.think(&task, settings, &timer, &mut |found| report(found)) {
        BestMove::Play { report, .. } => report.nodes,
        _ => 0,
    }
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
}
