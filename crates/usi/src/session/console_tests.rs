//! Commands for people and scripts: `eval`, `test`, `unittest`, `user`.

use super::interrupt::Interrupt;
use super::seat::receive;
use super::worker::Job;
use super::{Session, info, perft};
use crate::engine::Engine;
use crate::fixed_time::FixedTime;
use crate::long_command::{CommandContext, CommandFailure, LongCommand};
use crate::replaced::command_hint;
use game::{Declaration, Game, Outcome, Position};
use platform::Random;
use platform::clock::Instant;
use search::{BestMove, Next, Progress, Settings, Task, Timer};
use std::sync::mpsc;
use std::time::Duration;

/// Limits of the commands that may take long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CommandLimits {
    /// Maximum depth of `perft`.
    pub perft_depth: u32,
    /// Maximum number of repetitions in `test`, `unittest` and `bench`.
    pub repetitions: u64,
    /// Maximum time of `wait`.
    pub wait: Duration,
}

impl Default for CommandLimits {
    /// Larger than any practical use.
    fn default() -> Self {
        Self { perft_depth: perft::MAX_DEPTH, repetitions: 100_000_000, wait: Duration::from_mins(10) }
    }
}

/// Stops a search when its time is over, if it has a limit, and when the command is interrupted.
pub(super) struct InterruptibleTimer<'a> {
    pub(super) time: Option<FixedTime>,
    pub(super) interrupt: &'a Interrupt,
}

impl Timer for InterruptibleTimer<'_> {
    fn must_stop(&self) -> bool {
        self.interrupt.is_raised() || self.time.is_some_and(|time| time.must_stop())
    }

    fn after_iteration(&self, progress: &Progress) -> Next {
        if self.interrupt.is_raised() {
            return Next::Stop;
        }
        self.time.map_or(Next::Deeper, |time| time.after_iteration(progress))
    }
}

impl<G: Game> Session<G> {
    /// Runs a function on the engine's thread and waits for it. Refused during a search, which may last.
    pub(super) fn with_engine<T: Send + 'static>(
        &mut self,
        what: &str,
        call: impl FnOnce(&mut dyn Engine<G>) -> T + Send + 'static,
    ) -> Option<T> {
        if !self.engage(what) {
            return None;
        }
        let (answer, answered) = mpsc::channel();
        self.send(Job::Call(Box::new(move |engine| {
            // Fails only if the session has ended.
            let _ = answer.send(call(engine));
        })));
        receive(&answered, || self.context.interrupt.must_leave())
    }

    /// Prepares the engine unless a search is running; returns whether it can be used.
    fn engage(&mut self, what: &str) -> bool {
        if self.is_searching() {
            self.context.output.error(format_args!("{what}: a search is running; stop it first"));
            return false;
        }
        self.apply_postponed();
        self.ready || self.prepare(false)
    }

    pub(super) fn evaluate(&mut self) {
        let position = self.position.clone();
        let evaluate = move |engine: &mut dyn Engine<G>| Some(engine.static_eval()?.evaluate(&position));
        match self.with_engine("eval", evaluate) {
            Some(Some(value)) => self.context.output.line(format_args!("eval = {value}")),
            Some(None) => self.context.output.error("this engine has no static evaluation"),
            None => {}
        }
    }

    pub(super) fn user(&mut self, arguments: &str) {
        let (position, words) = (self.position.clone(), arguments.to_owned());
        let run = move |engine: &mut dyn Engine<G>| Some(engine.user_command()?.user(&position, &words));
        match self.with_engine("user", run) {
            Some(Some(lines)) => lines.iter().for_each(|line| self.context.output.info(line)),
            Some(None) => {
                self.context
                    .output
                    .error("user: this engine has no such command; it is for engines of your own");
            }
            None => {}
        }
    }

    pub(super) fn test(&mut self, arguments: &str) {
        let mut words = arguments.split_whitespace();
        let first = words.next();
        if let Some(hint) = first.and_then(|word| command_hint(&format!("test {word}"))) {
            let word = first.unwrap_or_default();
            return self
                .context
                .output
                .wrong_usage(format_args!("Error! test {word}: not in this program: {hint}"));
        }
        match first {
            Some("genmoves") => self.test_generation(number_after(arguments, "loop").unwrap_or(1_000_000)),
            Some("autoplay") => self.autoplay(arguments),
            _ => self.test_engine(arguments),
        }
    }

    /// Tests of the engine.
    fn test_engine(&mut self, arguments: &str) {
        const OWN: [&str; 2] = ["genmoves [loop N]", "autoplay [loop N] [movetime MS] [nodes N]"];
        if !self.engage("test") {
            return;
        }
        let (words, options, output) =
            (arguments.to_owned(), self.options.table.clone(), self.context.output.clone());
        let done = self.with_engine("test", move |engine| {
            let Some(tests) = engine.tests() else { return Err(&[][..]) };
            let done = tests.test(&words, &options, &mut |line| output.info(line));
            done.ok_or_else(|| tests.usage())
        });
        match done {
            Some(Ok(Ok(()))) | None => {}
            Some(Ok(Err(message))) => self.context.output.error(format_args!("test {message}")),
            Some(Err(tests)) => {
                let all: Vec<String> = OWN.iter().chain(tests).map(|test| format!("`{test}`")).collect();
                self.context.output.wrong_usage(format_args!("Error! test takes one of {}", all.join(", ")));
            }
        }
    }

    /// `makebook`, `learn`, `gensfen`: runs until the command is done or stopped.
    pub(super) fn run_long_command(&mut self, command: LongCommand, words: &str) {
        let name = command.word();
        if !self.engage(name) {
            return;
        }
        let (words, settings, options) =
            (words.to_owned(), self.options.play_settings(), self.options.table.clone());
        let (output, interrupt) = (self.context.output.clone(), self.context.interrupt.clone());
        let done = self.with_engine(name, move |engine| {
            let context = CommandContext {
                words: &words,
                settings: &settings,
                options: &options,
                stopped: &|| interrupt.is_raised(),
                say: &mut |line| output.line(line),
            };
            match engine.console_commands() {
                Some(commands) => commands.run(command, context),
                None => Err(CommandFailure::Failed(format!("this engine has no {command}"))),
            }
        });
        match done {
            Some(Err(CommandFailure::Usage(message))) => {
                self.context.output.wrong_usage(format_args!("Error! {name}: {message}"));
            }
            Some(Err(CommandFailure::Failed(message))) => {
                self.context.output.error(format_args!("{name}: {message}"));
            }
            Some(Ok(())) | None => {}
        }
    }

    fn test_generation(&self, times: u64) {
        let wanted = times.clamp(1, self.context.command_limits.repetitions);
        let start = Instant::now();
        let (mut times, mut moves) = (0, 0);
        loop {
            moves += std::hint::black_box(&self.position).legal_moves().len() as u64;
            times += 1;
            if times >= wanted || self.context.interrupt.is_raised() {
                break;
            }
        }
        let speed = info::nodes_per_second(times, start.elapsed());
        if times < wanted {
            self.context.output.info(format_args!("test genmoves stopped after {times} of {wanted} times"));
        }
        self.context.output.line(format_args!("{} moves, {speed} times per second.", moves / times));
    }

    /// Self-play: for each game `B`/`W` for wins by mate, `b`/`w` for other wins, `.` for draws, `M` at the move limit.
    fn autoplay(&mut self, arguments: &str) {
        let games = number_after(arguments, "loop").unwrap_or(1).min(self.context.command_limits.repetitions);
        let time = Duration::from_millis(number_after(arguments, "movetime").unwrap_or(100));
        let nodes = number_after(arguments, "nodes");
        let verbose = arguments.split_whitespace().any(|word| word == "verbose");
        let settings = self.options.search_settings(self.hundred_centipawns);
        for played in 0..games {
            let position = self.game.startpos();
            let (settings, random) = (settings.clone(), Random::new(self.next_random()));
            let interrupt = self.context.interrupt.clone();
            let game = self.with_engine("test autoplay", move |engine| {
                self_play::<G>(engine, position, &settings, nodes, time, random, &interrupt)
            });
            match game {
                Some(Some((mark, text))) => {
                    self.context.output.line(if verbose {
                        format!("{mark} {text}")
                    } else {
                        mark.to_string()
                    });
                    if self.context.output.is_closed() {
                        return;
                    }
                }
                Some(None) => {
                    let stopped = format_args!("test autoplay stopped after {played} of {games} games");
                    return self.context.output.info(stopped);
                }
                None => return,
            }
        }
    }

    /// Random games that check the invariants of the rules.
    pub(super) fn unit_test(&mut self, arguments: &str) {
        let games = number_after(arguments, "random_player_loop").unwrap_or(100);
        let games = games.min(self.context.command_limits.repetitions);
        let mut checked = 0;
        for played in 0..games {
            let mut position = self.game.startpos();
            let start = position.to_text();
            let mut plies = 0;
            while plies < 512 {
                if self.context.interrupt.is_raised() {
                    return self.context.output.info(format_args!(
                        "unittest stopped after {played} of {games} games, {} moves, all good so far",
                        checked + plies
                    ));
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[self.random.below(moves.len())];
                let text = position.to_text();
                let faithful = position.is_legal(m)
                    && position.parse_move(&m.to_string()) == Ok(m)
                    && self.game.position(&text).is_ok_and(|again| again.key() == position.key());
                if !faithful {
                    return self.context.output.error(format_args!("unittest: {m} in {text} failed"));
                }
                position.do_move(m);
                plies += 1;
            }
            (0..plies).for_each(|_| position.undo_move());
            if position.to_text() != start {
                return self.context.output.error("unittest: undoing a game failed");
            }
            checked += plies;
        }
        self.context.output.line(format_args!("unittest: {games} games, {checked} moves, all good"));
    }

    pub(super) fn describe_build(&self) {
        let mode = if cfg!(debug_assertions) { "debug" } else { "release" };
        self.context.output.line(format_args!(
            "{}, {mode} build for {} {}, {} threads available",
            self.name.name,
            std::env::consts::ARCH,
            std::env::consts::OS,
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        ));
    }
}

/// A game of the engine against itself after a few random moves; `None` if interrupted.
fn self_play<G: Game>(
    engine: &mut dyn Engine<G>,
    mut position: G::Position,
    settings: &Settings,
    nodes: Option<u64>,
    time: Duration,
    mut random: Random,
    interrupt: &Interrupt,
) -> Option<(char, String)> {
    const RANDOM_PLIES: usize = 4;
    const LIMIT: usize = 512;
    engine.new_game();
    let mut played = Vec::new();
    for ply in 0..LIMIT {
        if interrupt.is_raised() {
            return None;
        }
        if let Some(outcome) = position.outcome() {
            return Some((mark_of(outcome), played.join(" ")));
        }
        let moves = position.legal_moves();
        let m = if ply < RANDOM_PLIES {
            moves[random.below(moves.len())]
        } else {
            let task = Task { nodes, ..Task::new(position.clone()) };
            let time = nodes.is_none().then(|| FixedTime { start: Instant::now(), time });
            match engine.think(&task, settings, &InterruptibleTimer { time, interrupt }, &mut |_| ()) {
                BestMove::Play { best, .. } => best,
                BestMove::Resign => moves[0],
                BestMove::Declare => return Some((lower(position.side()), played.join(" "))),
            }
        };
        if position.declaration() == Some(Declaration::Win) {
            return Some((lower(position.side()), played.join(" ")));
        }
        played.push(m.to_string());
        position.do_move(m);
    }
    Some(('M', played.join(" ")))
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

/// The number after a word.
fn number_after(arguments: &str, word: &str) -> Option<u64> {
    let mut words = arguments.split_whitespace().skip_while(|w| *w != word);
    words.nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_their_words() {
        assert_eq!(number_after("autoplay loop 5 nodes x", "loop"), Some(5));
        assert_eq!(number_after("autoplay loop 5 nodes x", "nodes"), None);
        assert_eq!(number_after("autoplay", "loop"), None);
    }
}
