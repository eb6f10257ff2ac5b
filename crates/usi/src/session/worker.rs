//! What an engine is to do, one job after the other: on a thread of its own, or where the host lets it ([`super::runner`]).

use super::control::Control;
use super::info::{self, Style};
use crate::engine::{Engine, Mate, MateReport, MoveOf};
use crate::go::MateLimits;
use crate::level::Level;
use crate::options::{Options, PlaySettings};
use crate::output::Output;
use game::{Game, Position};
use platform::clock::Instant;
use search::{BestMove, Bound, Line, Report, Settings, Task, Value};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// A job for the engine's thread.
pub(super) enum Job<G: Game> {
    /// `isready`; answers `readyok` if `aloud`. Sends to `done` whether the engine can play.
    Prepare { settings: PlaySettings, options: Box<Options>, aloud: bool, done: Sender<bool> },
    /// `usinewgame`.
    NewGame,
    /// `go`.
    Search(Box<SearchJob<G>>),
    /// `go mate`.
    SolveMate { position: Box<G::Position>, limits: MateLimits, control: Arc<Control> },
    /// Another call of the engine, for which the sender waits.
    Call(Call<G>),
}

/// A call of the engine.
pub(super) type Call<G> = Box<dyn FnOnce(&mut dyn Engine<G>) + Send>;

/// A `go` with all its settings.
pub(super) struct SearchJob<G: Game> {
    pub(super) task: Task<G::Position, MoveOf<G>>,
    pub(super) guess: Option<Guess<G>>,
    pub(super) settings: Settings,
    pub(super) control: Arc<Control>,
    pub(super) style: Style,
    /// Minimum time between reports.
    pub(super) interval: Duration,
    /// Resign at this value or below, in centipawns.
    pub(super) resign_at: i32,
    /// Play at this level, with this seed.
    pub(super) level: Option<(Level, u64)>,
}

/// Stochastic pondering: the host has set the position after an expected reply. The search is for the position before
/// it, in which any reply is possible.
pub(super) struct Guess<G: Game> {
    pub(super) before: G::Position,
    pub(super) reply: MoveOf<G>,
}

/// Hosts give up on an engine that is silent for half a minute while loading.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

pub(super) fn run<G: Game>(mut engine: Box<dyn Engine<G>>, jobs: &Receiver<Job<G>>, output: &Output) {
    while let Ok(job) = jobs.recv() {
        if let Some(answer) = obey(engine.as_mut(), job, output) {
            answer.give(output);
        }
    }
}

/// Does a job to its end; returns the answer to a `go`.
pub(super) fn obey<G: Game>(engine: &mut dyn Engine<G>, job: Job<G>, output: &Output) -> Option<Answer> {
    match job {
        Job::Prepare { settings, options, aloud, done } => {
            let prepared = guarded(output, || prepare(engine, &settings, &options, aloud, output));
            let playable = prepared.unwrap_or(true);
            if aloud && playable {
                output.line("readyok");
            }
            // Without a receiver the session is gone.
            let _ = done.send(playable);
        }
        Job::NewGame => drop(guarded(output, || engine.new_game())),
        Job::Search(job) => {
            let control = job.control.clone();
            let chosen = guarded(output, || choose(engine, *job, output));
            let words = chosen.unwrap_or_else(|| "resign".to_owned());
            return Some(Answer { control, line: format!("bestmove {words}") });
        }
        Job::SolveMate { position, limits, control } => {
            let solved = guarded(output, || solve_mate(engine, &position, &limits, &control, output));
            let words = mate_words(&*position, solved.unwrap_or(Some(Mate::Timeout)).as_ref());
            return Some(Answer { control, line: format!("checkmate {words}").trim_end().to_owned() });
        }
        Job::Call(call) => drop(guarded(output, || call(engine))),
    }
    None
}

/// `None` where there is no solver.
///
/// Not inlined, as the build for WebAssembly knows it by its name: see [`choose`].
#[inline(never)]
fn solve_mate<G: Game>(
    engine: &mut dyn Engine<G>,
    position: &G::Position,
    limits: &MateLimits,
    control: &Control,
    output: &Output,
) -> Option<Mate<MoveOf<G>>> {
    let mut report = |report| match report {
        MateReport::Note(note) => output.info(note),
        progress @ MateReport::Progress { .. } => output.line(info::mate_line(&progress)),
    };
    Some(engine.mate_solver()?.solve_mate(position, limits, control, &mut report))
}

/// The one answer to a `go`.
pub(super) struct Answer {
    pub(super) control: Arc<Control>,
    line: String,
}

impl Answer {
    /// Gives it, when it may be given.
    pub(super) fn give(self, output: &Output) {
        if self.control.wait_for_leave() {
            output.line(self.line);
        }
        self.control.finish();
    }
}

/// Calls the engine. If it panics, the session reports that and continues: the host still gets its answer, and the user
/// can save the game.
fn guarded<T>(output: &Output, act: impl FnOnce() -> T) -> Option<T> {
    let done = catch_unwind(AssertUnwindSafe(act));
    done.map_err(|panic| output.error(format_args!("the engine has failed: {}", panic_message(&*panic)))).ok()
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given")
}

/// The text after `checkmate`; `None` is the answer of an engine without a solver.
fn mate_words<P: Position>(position: &P, mate: Option<&Mate<P::Move>>) -> String {
    match mate {
        Some(Mate::Found(moves)) => position.line_text(moves).join(" "),
        Some(Mate::NoMate) => "nomate".to_owned(),
        Some(Mate::Timeout) => "timeout".to_owned(),
        None => "notimplemented".to_owned(),
    }
}

/// Prepares the engine, printing an empty line at intervals for a host that waits; returns whether it can play.
fn prepare<G: Game>(
    engine: &mut dyn Engine<G>,
    settings: &PlaySettings,
    options: &Options,
    aloud: bool,
    output: &Output,
) -> bool {
    std::thread::scope(|scope| {
        let (done, waiting) = mpsc::channel::<()>();
        let tick = move || {
            while waiting.recv_timeout(KEEP_ALIVE) == Err(RecvTimeoutError::Timeout) {
                if aloud {
                    output.line("");
                }
            }
        };
        // Without this thread, loading is merely silent.
        let ticker = std::thread::Builder::new().name("keep-alive".to_owned()).spawn_scoped(scope, tick);
        let prepared = engine.prepare(settings, options, &mut |note| output.info(note));
        // Hosts send `isready` before each game, and clocks stand still until `readyok`; after `usinewgame` they may
        // run.
        if aloud && prepared.is_ok() {
            engine.new_game();
        }
        // Closing the channel ends the ticker.
        drop(done);
        let _ = ticker.map(std::thread::ScopedJoinHandle::join);
        prepared.map_err(|message| output.error(message)).is_ok()
    })
}

/// Thinks; returns what follows `bestmove`.
///
/// Not inlined, as the build for WebAssembly knows it by its name: what calls a search through a trait object must be made
/// suspendable there (`wasm/build.mjs`).
#[inline(never)]
fn choose<G: Game>(engine: &mut dyn Engine<G>, job: SearchJob<G>, output: &Output) -> String {
    let SearchJob { task, guess, settings, control, style, interval, resign_at, level } = job;
    let shown_lines = settings.multi_pv;
    let mut last_shown: Option<Instant> = None;
    let mut last_text = String::new();
    let mut show = |report: &Report<MoveOf<G>>, always: bool| {
        let due = last_shown.is_none_or(|at| at.elapsed() >= interval);
        if !(due || always) {
            return;
        }
        let text = info::lines::<G::Position>(&task.position, &shortened(report, shown_lines), style);
        if text != last_text && !text.is_empty() {
            output.line(&text);
            last_text = text;
            last_shown = Some(Instant::now());
        }
    };
    if let Some(Guess { before, reply }) = guess {
        let every_reply = Task { position: before, only: Vec::new(), ..task.clone() };
        let mut show = |report: &Report<MoveOf<G>>| show(&after_reply(report, reply), false);
        if level.is_none() {
            engine.think(&every_reply, &settings, control.as_ref(), &mut show);
        }
        if !control.wait_for_end_of_guess() {
            return String::new();
        }
        // `stop` instead of `ponderhit`: the host expects a move for the position that it has set. The search below is
        // stopped from the start.
    }
    let end = BestMove::at_end(&task.position);
    if end.is_none()
        && let Some(book) = engine.book()
        && let Some((best, ponder)) = book.book_move(&task, &mut |line| output.line(line))
    {
        return play_words(&task.position, best, ponder);
    }
    let mut think = || match (level, engine.levels()) {
        (Some((level, seed)), Some(player)) => {
            player.think_at(level, seed, &task, &settings, control.as_ref())
        }
        _ => engine.think(&task, &settings, control.as_ref(), &mut |report| show(report, false)),
    };
    match end.unwrap_or_else(&mut think) {
        BestMove::Resign => {
            output.line(info::RESIGN);
            "resign".to_owned()
        }
        BestMove::Declare => {
            output.line(info::WIN);
            "win".to_owned()
        }
        BestMove::Play { best, ponder, report } => {
            show(&report, true);
            let resigns = report
                .lines
                .first()
                .is_some_and(|line| info::centipawns(line.value, style.hundred_centipawns) <= -resign_at);
            if resigns { "resign".to_owned() } else { play_words(&task.position, best, ponder) }
        }
    }
}

/// The part of a report on the position before `reply` that concerns the position after it, which the host shows.
fn after_reply<M: Copy + PartialEq>(report: &Report<M>, reply: M) -> Report<M> {
    let after = |line: &Line<M>| match line.moves[..] {
        [first, ref rest @ ..] if first == reply && !rest.is_empty() => Some(Line {
            value: match line.value.plies_to_mate() {
                Some(plies @ 1..) => -Value::mate_in(plies as usize - 1),
                Some(plies) => Value::mate_in((-plies).max(1) as usize - 1),
                None => -line.value,
            },
            bound: match line.bound {
                Bound::Exact => Bound::Exact,
                Bound::Lower => Bound::Upper,
                Bound::Upper => Bound::Lower,
            },
            moves: rest.to_vec(),
            selective_depth: line.selective_depth,
        }),
        _ => None,
    };
    Report { lines: report.lines.iter().filter_map(after).collect(), ..report.clone() }
}

fn shortened<M: Clone>(report: &Report<M>, lines: usize) -> Report<M> {
    let mut shown = report.clone();
    shown.lines.truncate(lines.max(1));
    shown
}

/// The move and, if legal, the reply to ponder on.
fn play_words<P: Position>(position: &P, best: P::Move, ponder: Option<P::Move>) -> String {
    let mut after = position.clone();
    after.do_move(best);
    let moves: Vec<P::Move> = [best].into_iter().chain(ponder.filter(|m| after.is_legal(*m))).collect();
    position.line_text(&moves).join(" ponder ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(lines: &[(Value, Bound, &[u8])]) -> Report<u8> {
        let line = |&(value, bound, moves): &(Value, Bound, &[u8])| Line {
            value,
            bound,
            moves: moves.to_vec(),
            selective_depth: 4,
        };
        let lines = lines.iter().map(line).collect();
        Report { depth: 4, lines, nodes: 1, elapsed: Duration::ZERO, table_fullness: 0 }
    }

    #[test]
    fn a_guess_shows_what_it_knows_of_the_expected_reply() {
        let searched = report(&[
            (Value::new(50), Bound::Lower, &[1, 2, 3]),
            (Value::new(40), Bound::Lower, &[7, 8, 9]),
            (Value::new(30), Bound::Exact, &[3]),
        ]);
        let expected = report(&[(Value::new(-40), Bound::Upper, &[8, 9])]);
        assert_eq!(after_reply(&searched, 7), expected);
        // Lines that end with the reply, or begin with another move, have nothing to show.
        assert!(after_reply(&searched, 3).lines.is_empty() && after_reply(&searched, 4).lines.is_empty());
    }

    #[test]
    fn mates_are_one_ply_nearer_after_the_reply() {
        for (before, after) in [(3, -2), (5, -4), (-2, 1), (-4, 3)] {
            let mate = |plies: i32| {
                let value = Value::mate_in(plies.unsigned_abs() as usize);
                if plies > 0 { value } else { -value }
            };
            let searched = report(&[(mate(before), Bound::Exact, &[1, 2])]);
            assert_eq!(after_reply(&searched, 1), report(&[(mate(after), Bound::Exact, &[2])]), "{before}");
        }
    }
}
