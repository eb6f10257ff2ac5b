//! `go`, `stop`, `ponderhit`.

use super::control::Control;
use super::info::Style;
use super::perft::Perft;
use super::skill::Skill;
use super::worker::{Job, Thought};
use super::{Session, info};
use crate::go::{Go, Limits, MateLimits, parse_ponderhit};
use crate::time::{Budget, Clock, TimeManager};
use game::{Color, Game, MoveTextError, Position};
use search::Task;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The latest `go`.
pub(super) struct Current {
    pub(super) control: Arc<Control>,
    limits: Limits,
    /// Whose clock it is, and when: another position may be set before `ponderhit`.
    side: Color,
    ply: u32,
    /// The search looks at the position before the opponent's move and will be repeated after it.
    is_guess: bool,
}

impl<G: Game> Session<G> {
    pub(super) fn go(&mut self, arguments: &str) {
        let (go, warnings) = Go::parse(arguments);
        for warning in &warnings {
            self.output.info(warning);
        }
        match go {
            Go::Perft(depth) => self.perft(depth),
            Go::Mate(limits) => self.solve_mate(limits),
            Go::Search(limits) => self.search(limits),
        }
    }

    fn search(&mut self, limits: Limits) {
        self.end_search();
        self.apply_pending();
        if !self.ready {
            self.prepare(false);
        }
        let stochastic = self.options.table.get(self.options.play.host.stochastic_ponder);
        let before_reply = if limits.ponder && stochastic { self.position_before_last_move() } else { None };
        let is_guess = before_reply.is_some();
        let position = before_reply.unwrap_or_else(|| self.position.clone());
        let random = self.next_random();
        let (side, ply) = (position.side(), position.ply());
        let budget = limits.budget(side, ply, &self.options.time_options(), random);
        let now = Instant::now();
        let time =
            if limits.ponder { TimeManager::pondering(now, budget) } else { TimeManager::new(now, budget) };
        let control = Arc::new(Control::new(time, limits.infinite));
        let thought = self.thought(position, &limits, control.clone());
        self.current = Some(Current { control, limits, side, ply, is_guess });
        self.send(Job::Think(Box::new(thought)));
    }

    fn position_before_last_move(&self) -> Option<G::Position> {
        let mut position = self.position.clone();
        position.can_undo().then(|| {
            position.undo_move();
            position
        })
    }

    fn thought(&mut self, position: G::Position, limits: &Limits, control: Arc<Control>) -> Thought<G> {
        let play = self.options.play;
        let considering = self.options.table.get(play.output.consideration_mode);
        let depth = limits.depth.map(|depth| depth as usize);
        let nodes_limit = self.options.limit::<u64>(play.search.nodes_limit);
        let interval = Duration::from_millis(self.options.number(play.output.pv_interval));
        Thought {
            task: Task {
                only: self.named_moves(&position, &limits.searchmoves),
                depth: depth.or_else(|| self.options.limit(play.search.depth_limit)),
                nodes: limits.nodes.or(nodes_limit),
                position,
            },
            settings: self.options.search_settings(self.hundred_centipawns),
            control,
            style: Style { hundred_centipawns: self.hundred_centipawns, with_ends: considering },
            interval: if considering || limits.infinite { Duration::ZERO } else { interval },
            resign_at: self.options.number(play.verdict.resign_value),
            skill: Skill { level: self.options.number(play.search.skill_level), random: self.next_random() },
        }
    }

    /// The moves of `searchmoves` that are moves.
    fn named_moves(&self, position: &G::Position, words: &[String]) -> Vec<<G::Position as Position>::Move> {
        let parse = |word: &String| match position.parse_move(word) {
            Ok(m) => Some(m),
            Err(error @ (MoveTextError::Illegal(_) | MoveTextError::Syntax(_))) => {
                self.output.info(format_args!("searchmoves: {error}"));
                None
            }
        };
        words.iter().filter_map(parse).collect()
    }

    fn solve_mate(&mut self, limits: MateLimits) {
        self.end_search();
        self.apply_pending();
        if !self.ready {
            self.prepare(false);
        }
        let time = TimeManager::new(Instant::now(), limits.time.map(Budget::exactly));
        let control = Arc::new(Control::new(time, false));
        let position = Box::new(self.position.clone());
        let (side, ply) = (position.side(), position.ply());
        let limits_of_move = Limits::default();
        self.current =
            Some(Current { control: control.clone(), limits: limits_of_move, side, ply, is_guess: false });
        self.send(Job::SolveMate { position, limits, control });
    }

    fn perft(&mut self, depth: u32) {
        let max = self.max_perft_depth;
        if depth > max {
            return self.output.error(format_args!("go perft counts to depth {max} at most, found {depth}"));
        }
        let output = self.output.clone();
        let counted = Perft::count(&mut self.position, depth, |m, count| {
            output.line(format_args!("{m}: {count}"));
            if output.is_closed() { Err(std::io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
        });
        if let Ok(perft) = counted {
            let speed = info::nodes_per_second(perft.nodes, perft.elapsed);
            self.output.info(format_args!("Elapsed Time = {} [ms]", perft.elapsed.as_millis()));
            self.output.info(format_args!("{speed} NPS"));
            self.output.line(format_args!("\nNodes searched: {}", perft.nodes));
        }
    }

    /// Whether a search runs whose answer is still to come.
    pub(super) fn is_searching(&self) -> bool {
        self.current.as_ref().is_some_and(|current| !current.control.is_finished())
    }

    pub(super) fn stop(&self) {
        if let Some(current) = &self.current {
            current.control.stop();
        }
    }

    /// Stops a running search and waits for its answer: each `go` gets its own.
    pub(super) fn end_search(&mut self) {
        if let Some(current) = self.current.take() {
            current.control.stop();
            current.control.wait_until_finished(None);
        }
    }

    pub(super) fn ponderhit(&mut self, arguments: &str) {
        let (clock, warnings) = parse_ponderhit(arguments);
        for warning in &warnings {
            self.output.info(warning);
        }
        let Some(current) = &self.current else { return };
        if current.control.is_stopped() {
            // The answer is out or on its way; a guess must not be followed by another one.
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

    /// The guess is over: search the position that came about, with what was learned.
    fn search_what_came(&mut self, clock: Option<Clock>) {
        let Some(current) = self.current.take() else { return };
        current.control.abandon();
        current.control.wait_until_finished(None);
        let limits = Limits { ponder: false, clock: clock.or(current.limits.clock), ..current.limits };
        self.search(limits);
    }

    /// `wait`: until the search has answered; `wait MS`: so long.
    pub(super) fn wait(&self, arguments: &str) {
        const LONGEST: u64 = 600_000;
        if arguments.is_empty() {
            if let Some(current) = &self.current {
                current.control.wait_until_finished(Some(Duration::from_millis(LONGEST)));
            }
            return;
        }
        match arguments.parse::<u64>() {
            Ok(milliseconds) if milliseconds <= LONGEST => {
                std::thread::sleep(Duration::from_millis(milliseconds));
            }
            _ => self.output.error(format_args!("wait takes milliseconds, 0 to {LONGEST}")),
        }
    }
}
