//! `go`, `stop`, `ponderhit`.

use super::control::{Control, POLL_INTERVAL};
use super::info::Style;
use super::perft::{Partial, Perft};
use super::worker::{Guess, Job, SearchJob};
use super::{Session, info};
use crate::engine::MoveOf;
use crate::go::{Go, Limits, MateLimits, parse_ponderhit};
use crate::level::Level;
use crate::time::{Budget, Clock, TimeManager};
use game::{Color, Game, MoveTextError, Position};
use platform::clock::Instant;
use search::Task;
use std::sync::Arc;
use std::time::Duration;

/// The latest `go`.
pub(super) struct Current {
    pub(super) control: Arc<Control>,
    limits: Limits,
    /// The side whose clock runs, and its ply: another position may be set before `ponderhit`.
    side: Color,
    ply: u32,
    /// Whether the search is for the position before the opponent's move and will be repeated after it.
    is_guess: bool,
}

impl<G: Game> Session<G> {
    pub(super) fn go(&mut self, arguments: &str) {
        let (go, warnings) = Go::parse(arguments);
        for warning in &warnings {
            self.context.output.info(warning);
        }
        match go {
            Go::Perft(depth) => self.perft(depth),
            Go::Mate(limits) => self.solve_mate(limits),
            Go::Search(limits) => self.search(limits),
        }
    }

    fn search(&mut self, limits: Limits) {
        self.end_search();
        self.apply_postponed();
        if !self.ready && !self.prepare(false) {
            return;
        }
        let stochastic = self.options.table.get(self.options.play.host.stochastic_ponder);
        let guess = if limits.ponder && stochastic && self.seat.has_thread() { self.guess() } else { None };
        let is_guess = guess.is_some();
        let random = self.next_random();
        let (side, ply) = (self.position.side(), self.position.ply());
        let budget = limits.budget(side, ply, &self.options.time_options(), random);
        let now = Instant::now();
        let time =
            if limits.ponder { TimeManager::pondering(now, budget) } else { TimeManager::new(now, budget) };
        let control = Arc::new(Control::new(time, limits.infinite));
        let job = self.search_job(guess, &limits, control.clone());
        self.current = Some(Current { control, limits, side, ply, is_guess });
        if !self.send(Job::Search(Box::new(job))) {
            self.current = None;
            self.context.output.line("bestmove resign");
        }
    }

    /// The position to search instead, if the opponent may still reply with another move than the last (stochastic
    /// pondering).
    fn guess(&self) -> Option<Guess<G>> {
        let mut before = self.position.clone();
        if !before.can_undo() {
            return None;
        }
        before.undo_move();
        let leads_here = |m: &MoveOf<G>| {
            let mut after = before.clone();
            after.do_move(*m);
            after.key() == self.position.key()
        };
        let reply = before.legal_moves().iter().copied().find(leads_here)?;
        Some(Guess { before, reply })
    }

    fn search_job(
        &mut self,
        guess: Option<Guess<G>>,
        limits: &Limits,
        control: Arc<Control>,
    ) -> SearchJob<G> {
        let play = self.options.play;
        let considering = self.options.table.get(play.output.consideration_mode);
        let depth = limits.depth.map(|depth| depth as usize);
        let nodes_limit = self.options.limit::<u64>(play.search.nodes_limit);
        let interval = Duration::from_millis(self.options.number(play.output.pv_interval));
        SearchJob {
            task: Task {
                only: self.named_moves(&limits.searchmoves),
                depth: depth.or_else(|| self.options.limit(play.search.depth_limit)),
                nodes: limits.nodes.or(nodes_limit),
                position: self.position.clone(),
            },
            guess,
            settings: self.options.search_settings(self.hundred_centipawns),
            control,
            style: Style { hundred_centipawns: self.hundred_centipawns, with_ends: considering },
            interval: if considering || limits.infinite { Duration::ZERO } else { interval },
            resign_at: self.options.number(play.verdict.resign_value),
            level: self.level(limits),
        }
    }

    /// The level to play at, and the seed of its choices. Analysis (`go infinite`) is always at full strength.
    fn level(&mut self, limits: &Limits) -> Option<(Level, u64)> {
        let level = self.options.level().filter(|_| !limits.infinite)?;
        let seed = self.options.number(self.options.play.level.seed);
        Some((level, if seed == 0 { self.next_random() } else { seed }))
    }

    /// The legal moves among `searchmoves`.
    fn named_moves(&self, words: &[String]) -> Vec<MoveOf<G>> {
        let parse = |word: &String| match self.position.parse_move(word) {
            Ok(m) => Some(m),
            Err(error @ (MoveTextError::Illegal(_) | MoveTextError::Syntax(_))) => {
                let reason = self.position.why_illegal(word).map_or(String::new(), |why| format!(": {why}"));
                self.context.output.info(format_args!("searchmoves: {error}{reason}"));
                None
            }
        };
        words.iter().filter_map(parse).collect()
    }

    fn solve_mate(&mut self, limits: MateLimits) {
        self.end_search();
        self.apply_postponed();
        if !self.ready && !self.prepare(false) {
            return;
        }
        let time = TimeManager::new(Instant::now(), limits.time.map(Budget::exactly));
        let control = Arc::new(Control::new(time, false));
        let position = Box::new(self.position.clone());
        let (side, ply) = (position.side(), position.ply());
        let limits_of_move = Limits::default();
        self.current =
            Some(Current { control: control.clone(), limits: limits_of_move, side, ply, is_guess: false });
        if !self.send(Job::SolveMate { position, limits, control }) {
            self.current = None;
            self.context.output.line("checkmate timeout");
        }
    }

    fn perft(&mut self, depth: u32) {
        let max = self.context.command_limits.perft_depth;
        if depth > max {
            return self
                .context
                .output
                .error(format_args!("go perft counts to depth {max} at most, found {depth}"));
        }
        let (output, interrupt) = (self.context.output.clone(), self.context.interrupt.clone());
        let interrupted = || interrupt.is_raised() || output.is_closed();
        let counted = Perft::count_until(&mut self.position, depth, &interrupted, |m, count| {
            output.line(format_args!("{m}: {count}"));
            Ok(())
        });
        match counted {
            Ok(Ok(perft)) => {
                let speed = info::nodes_per_second(perft.nodes, perft.elapsed);
                self.context.output.info(format_args!("Elapsed Time = {} [ms]", perft.elapsed.as_millis()));
                self.context.output.info(format_args!("{speed} NPS"));
                self.context.output.line(format_args!("\nNodes searched: {}", perft.nodes));
            }
            Ok(Err(Partial { counted, moves, nodes })) => self.context.output.info(format_args!(
                "go perft stopped: {counted} of {moves} moves counted, {nodes} nodes so far"
            )),
            Err(error) => self.context.output.error(format_args!("go perft: {error}")),
        }
    }

    /// Whether a search is running that has not been answered.
    pub(super) fn is_searching(&self) -> bool {
        self.current.as_ref().is_some_and(|current| !current.control.is_finished())
    }

    pub(super) fn stop(&self) {
        if let Some(current) = &self.current {
            current.control.stop();
        }
    }

    /// Stops a running search and reports the result of the game to the engine.
    pub(super) fn game_over(&self, result: &str) {
        self.stop();
        let (result, output) = (result.trim().to_owned(), self.context.output.clone());
        self.send(Job::Call(Box::new(move |engine| {
            engine.game_over(&result, &mut |line| output.info(line));
        })));
    }

    /// Stops a running search and waits for its answer: each `go` gets its own.
    pub(super) fn end_search(&mut self) {
        if let Some(current) = self.current.take() {
            current.control.stop();
            self.wait_for(&current.control);
        }
    }

    pub(super) fn ponderhit(&mut self, arguments: &str) {
        let (clock, warnings) = parse_ponderhit(arguments);
        for warning in &warnings {
            self.context.output.info(warning);
        }
        let Some(current) = &self.current else { return };
        if current.control.is_stopped() {
            // The answer is written or being written; a guess must not be followed by another one.
            return;
        }
        if current.is_guess {
            return self.search_what_came(clock);
        }
        let (side, ply) = (current.side, current.ply);
        let limits = current.limits.clone();
        let control = current.control.clone();
        let random = self.next_random();
        let options = self.options.time_options();
        control.ponderhit(limits.budget_at_ponderhit(clock, side, ply, &options, random));
    }

    /// Ends stochastic pondering: searches the actual position, keeping table and histories.
    fn search_what_came(&mut self, clock: Option<Clock>) {
        let Some(current) = self.current.take() else { return };
        current.control.abandon();
        self.wait_for(&current.control);
        let limits = Limits { ponder: false, clock: clock.or(current.limits.clock), ..current.limits };
        self.search(limits);
    }

    /// Waits for a search that has been stopped. It may not have started yet, if the engine is still loading.
    fn wait_for(&self, control: &Control) {
        self.seat.wait_for(control, || self.context.interrupt.must_leave());
    }

    /// `wait`: until the search has been answered; `wait MS`: this long.
    pub(super) fn wait(&self, arguments: &str) {
        if !self.seat.has_thread() {
            return self.context.output.error("wait: not available where the engine runs without threads");
        }
        let longest = self.context.command_limits.wait;
        let begin = Instant::now();
        let most = match arguments.parse().map(Duration::from_millis) {
            _ if arguments.is_empty() => longest,
            Ok(time) if time <= longest => time,
            _ => {
                let longest = longest.as_millis();
                return self.context.output.error(format_args!("wait takes milliseconds, 0 to {longest}"));
            }
        };
        let is_over = || begin.elapsed() >= most || self.context.interrupt.is_raised();
        if !arguments.is_empty() {
            while !is_over() {
                std::thread::sleep(POLL_INTERVAL.min(most.saturating_sub(begin.elapsed())));
            }
        } else if let Some(current) = &self.current {
            current.control.wait_until_finished(is_over);
        }
        if self.context.interrupt.is_raised() {
            self.context.output.info("wait stopped");
        }
    }
}
