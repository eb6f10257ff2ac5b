//! The thread that thinks. It owns the engine and does one job after the other.

use super::control::Control;
use super::info::{self, Style};
use super::skill::Skill;
use crate::engine::{Engine, Mate, MoveOf};
use crate::go::MateLimits;
use crate::options::Options;
use crate::output::Output;
use game::{Game, Position};
use search::{BestMove, Report, Settings, Task};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// What the input side asks for.
pub(super) enum Job<G: Game> {
    /// `isready`; answers `readyok` if asked aloud.
    Prepare { options: Box<Options>, aloud: bool },
    /// `usinewgame`.
    NewGame,
    /// `go`.
    Think(Box<Thought<G>>),
    /// `go mate`.
    SolveMate { position: Box<G::Position>, limits: MateLimits, control: Arc<Control> },
    /// Anything else that needs the engine; the sender waits for it.
    Call(Call<G>),
}

/// Something to do with the engine.
pub(super) type Call<G> = Box<dyn FnOnce(&mut dyn Engine<G>) + Send>;

/// A `go` with everything that was decided about it.
pub(super) struct Thought<G: Game> {
    pub(super) task: Task<G::Position, MoveOf<G>>,
    pub(super) settings: Settings,
    pub(super) control: Arc<Control>,
    pub(super) style: Style,
    /// Reports come no faster than this.
    pub(super) interval: Duration,
    /// Resign at this value or below, in centipawns.
    pub(super) resign_at: i32,
    pub(super) skill: Skill,
}

/// Hosts give up on an engine that is silent for half a minute while it loads.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

pub(super) fn run<G: Game>(mut engine: Box<dyn Engine<G>>, jobs: &Receiver<Job<G>>, output: &Output) {
    while let Ok(job) = jobs.recv() {
        match job {
            Job::Prepare { options, aloud } => prepare(engine.as_mut(), &options, aloud, output),
            Job::NewGame => engine.new_game(),
            Job::Think(thought) => think(engine.as_mut(), *thought, output),
            Job::SolveMate { position, limits, control } => {
                let answer = engine.solve_mate(&position, &limits, control.as_ref());
                if control.wait_for_leave() {
                    output.line(format_args!("checkmate {}", mate_words(&answer)));
                }
                control.finish();
            }
            Job::Call(call) => call(engine.as_mut()),
        }
    }
}

fn mate_words<M: ToString>(mate: &Mate<M>) -> String {
    match mate {
        Mate::Found(moves) => moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        Mate::NoMate => "nomate".to_owned(),
        Mate::Timeout => "timeout".to_owned(),
        Mate::NotImplemented => "notimplemented".to_owned(),
    }
}

fn prepare<G: Game>(engine: &mut dyn Engine<G>, options: &Options, aloud: bool, output: &Output) {
    std::thread::scope(|scope| {
        let (done, waiting) = mpsc::channel::<()>();
        let ticker = scope.spawn(move || {
            while waiting.recv_timeout(KEEP_ALIVE) == Err(RecvTimeoutError::Timeout) {
                if aloud {
                    output.line("");
                }
            }
        });
        let prepared = engine.prepare(options, &mut |note| output.info(note));
        // The ticker ends when it hears that the channel is gone. Joined, it leaves nothing behind.
        drop(done);
        let _ = ticker.join();
        if let Err(message) = prepared {
            output.error(message);
        }
    });
    if aloud {
        output.line("readyok");
    }
}

fn think<G: Game>(engine: &mut dyn Engine<G>, thought: Thought<G>, output: &Output) {
    let Thought { task, mut settings, control, style, interval, resign_at, skill } = thought;
    let shown_lines = settings.lines;
    settings.lines = skill.lines(shown_lines);
    let mut last_shown: Option<Instant> = None;
    let mut last_text = String::new();
    let mut show = |report: &Report<MoveOf<G>>, always: bool| {
        let due = last_shown.is_none_or(|at| at.elapsed() >= interval);
        if !(due || always) {
            return;
        }
        let text = info::lines::<G::Position>(&task.position, &shortened(report, shown_lines), style);
        if text != last_text {
            output.line(&text);
            last_text = text;
            last_shown = Some(Instant::now());
        }
    };
    let answer = engine.think(&task, &settings, control.as_ref(), &mut |report| show(report, false));
    let words = match answer {
        BestMove::Resign => {
            output.line(info::RESIGN);
            "resign".to_owned()
        }
        BestMove::Declare => {
            output.line(info::WIN);
            "win".to_owned()
        }
        BestMove::Play { best, ponder, report } => {
            let (best, ponder, report) = skill.choose(best, ponder, report);
            show(&report, true);
            let hopeless = report
                .lines
                .first()
                .is_some_and(|line| info::centipawns(line.value, style.hundred_centipawns) <= -resign_at);
            if hopeless { "resign".to_owned() } else { play_words(&task.position, best, ponder) }
        }
    };
    if control.wait_for_leave() {
        output.line(format_args!("bestmove {words}"));
    }
    control.finish();
}

fn shortened<M: Clone>(report: &Report<M>, lines: usize) -> Report<M> {
    let mut shown = report.clone();
    shown.lines.truncate(lines.max(1));
    shown
}

/// The move, and the reply to ponder on if it is one.
fn play_words<P: Position>(position: &P, best: P::Move, ponder: Option<P::Move>) -> String {
    let mut after = position.clone();
    after.do_move(best);
    match ponder.filter(|m| after.is_legal(*m)) {
        Some(ponder) => format!("{best} ponder {ponder}"),
        None => best.to_string(),
    }
}
