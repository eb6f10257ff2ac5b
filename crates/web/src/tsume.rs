//! Mates: solving, examining, browsing, judging what people try.

use crate::board::{Board, Document, SharedBoard, lock};
use crate::protocol::{
    Event, Flaw, Held, NamedMove, Refusal, RefusalCode, TsumeJudged, TsumeMove, TsumeMoves, TsumeReport,
    TsumeResult, Words,
};
use mate::composition::{self, Examination, ExamineSettings, FlawKind, Ruling, Soundness, report_text};
use mate::{Goal, Limits, MateLength, Progress, Solver, Verdict};
use platform::Language;
use shogi::{Color, Hand, Move, Position};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

/// The table of a search that people wait for, in megabytes.
const LARGE: usize = 256;
/// The table of a look at one move.
const SMALL: usize = 64;
/// Positions for each question of a report.
const REPORT_NODES: u64 = 300_000;
/// Positions for a look at one move.
const LOOK_NODES: u64 = 200_000;
/// How often a search tells how far it is.
const TELL_EVERY: Duration = Duration::from_millis(500);

/// Searches that run, by board.
#[derive(Default)]
pub struct Tsume {
    running: Arc<Mutex<HashMap<String, Arc<AtomicBool>>>>,
}

/// A problem on a board.
struct Problem {
    document: Document,
    node: u32,
    board: String,
    position: Position,
    attacker: Color,
}

impl Problem {
    fn new(board: &SharedBoard, node: u32) -> Result<Self, Refusal> {
        let (document, board) = {
            let board = lock(board);
            (board.document().clone(), board.id.clone())
        };
        if document.game.rules().game.game != "shogi" {
            return Err(Refusal::new(RefusalCode::Unsupported, "mates are solved in shogi only")
                .ja("詰みを解けるのは本将棋だけです。"));
        }
        let text = document.line(node)?.text();
        let position = Position::from_sfen(&text)
            .map_err(|error| Refusal::new(RefusalCode::Position, error.to_string()))?;
        let attacker = Solver::attacker(&position);
        Ok(Self { document, node, board, position, attacker })
    }

    /// Names of moves from the node on, after some others.
    fn named(&self, before: &[String], moves: &[Move]) -> Vec<NamedMove> {
        let Ok(mut line) = self.document.line(self.node) else { return Vec::new() };
        if before.iter().any(|text| line.play(text).is_err()) {
            return Vec::new();
        }
        moves.iter().map_while(|m| line.play(&m.to_string()).ok()).collect()
    }

    fn result(&self, state: &str, progress: &Progress) -> TsumeResult {
        TsumeResult {
            board: self.board.clone(),
            node: self.node,
            state: state.to_owned(),
            length: progress.found.map(MateLength::plies),
            line: self.named(&[], &progress.line),
            nodes: progress.nodes,
            time: progress.time.as_millis() as u64,
            text: String::new(),
        }
    }
}

fn solver(megabytes: usize) -> Result<Solver, Refusal> {
    Solver::with_megabytes(megabytes).map_err(|error| Refusal::new(RefusalCode::Engine, error.to_string()))
}

fn send(board: &Weak<Mutex<Board>>, event: &Event) {
    if let Some(board) = board.upgrade() {
        lock(&board).send(event);
    }
}

impl Tsume {
    /// Runs a search on a thread of its own, at most one for each board.
    fn run(
        &self,
        board: &SharedBoard,
        node: u32,
        work: impl FnOnce(&Problem, &AtomicBool, &Weak<Mutex<Board>>) + Send + 'static,
    ) -> Result<(), Refusal> {
        let problem = Problem::new(board, node)?;
        let stop = Arc::new(AtomicBool::new(false));
        if let Some(earlier) = lock(&self.running).insert(problem.board.clone(), stop.clone()) {
            earlier.store(true, Ordering::Relaxed);
        }
        let (running, weak) = (self.running.clone(), Arc::downgrade(board));
        let thread = std::thread::Builder::new().name("tsume".to_owned());
        let spawned = thread.spawn(move || {
            work(&problem, &stop, &weak);
            let mut running = lock(&running);
            if running.get(&problem.board).is_some_and(|known| Arc::ptr_eq(known, &stop)) {
                running.remove(&problem.board);
            }
        });
        spawned.map(|_| ()).map_err(|error| Refusal::new(RefusalCode::Engine, error.to_string()))
    }

    /// Searches for a mate; events tell what comes of it.
    pub fn solve(&self, board: &SharedBoard, node: u32) -> Result<(), Refusal> {
        self.run(board, node, |problem, stop, board| {
            let result = match solver(LARGE) {
                Ok(mut solver) => {
                    let stopped = || stop.load(Ordering::Relaxed);
                    let mut tell = |progress: &Progress| {
                        send(board, &Event::Tsume(problem.result("searching", progress)));
                    };
                    let limits =
                        Limits { stop: &stopped, report: Some((TELL_EVERY, &mut tell)), ..Limits::none() };
                    let verdict = solver.solve(&problem.position, Goal::Shortest, limits);
                    let progress = solver.progress();
                    match verdict {
                        Verdict::Mate(mate) => TsumeResult {
                            length: Some(mate.length.plies()),
                            line: problem.named(&[], &mate.line),
                            ..problem.result("mate", progress)
                        },
                        Verdict::NoMate => problem.result("no_mate", progress),
                        Verdict::Unknown(_) if stopped() => problem.result("stopped", progress),
                        Verdict::Unknown(reason) => {
                            TsumeResult { text: reason.to_string(), ..problem.result("unknown", progress) }
                        }
                    }
                }
                Err(refusal) => {
                    TsumeResult { text: refusal.text, ..problem.result("failed", &Progress::default()) }
                }
            };
            send(board, &Event::Tsume(result));
        })
    }

    /// Examines a problem; an event tells what was found.
    pub fn report(&self, board: &SharedBoard, node: u32) -> Result<(), Refusal> {
        self.run(board, node, |problem, stop, board| {
            let report = match solver(LARGE) {
                Ok(mut solver) => report(problem, &mut solver, stop),
                Err(refusal) => TsumeReport { text: refusal.text, ..empty_report(problem, "failed") },
            };
            send(board, &Event::TsumeReport(Box::new(report)));
        })
    }

    /// Stops the search on a board.
    pub fn stop(&self, board: &str) {
        if let Some(stop) = lock(&self.running).get(board) {
            stop.store(true, Ordering::Relaxed);
        }
    }

    /// Stops all.
    pub fn close(&self) {
        lock(&self.running).values().for_each(|stop| stop.store(true, Ordering::Relaxed));
    }
}

fn empty_report(problem: &Problem, state: &str) -> TsumeReport {
    TsumeReport {
        board: problem.board.clone(),
        node: problem.node,
        state: state.to_owned(),
        length: None,
        length_without_futile: None,
        solution: Vec::new(),
        cooks: Vec::new(),
        last_move_cooks: Vec::new(),
        same_length: Vec::new(),
        left_over: Vec::new(),
        sound: false,
        proven: false,
        verdict: Words::default(),
        details: Vec::new(),
        text: String::new(),
    }
}

fn report(problem: &Problem, solver: &mut Solver, stop: &AtomicBool) -> TsumeReport {
    let stopped = || stop.load(Ordering::Relaxed);
    let limits = || Limits { stop: &stopped, ..Limits::none() };
    let length = match solver.solve(&problem.position, Goal::Shortest, limits()) {
        Verdict::Mate(mate) => mate.length,
        Verdict::NoMate => return TsumeReport { proven: true, ..empty_report(problem, "no_mate") },
        Verdict::Unknown(reason) => {
            return TsumeReport { text: reason.to_string(), ..empty_report(problem, "unknown") };
        }
    };
    let settings = ExamineSettings {
        nodes: Some(20 * REPORT_NODES),
        nodes_per_move: REPORT_NODES,
        nodes_for_variations: 2 * REPORT_NODES,
        stop: &stopped,
        ..ExamineSettings::default()
    };
    let found = composition::examine(solver, &problem.position, &settings);
    let soundness = found.soundness();
    let faulty = |kind: FlawKind| found.custom.ruling(kind) == Ruling::Fault;
    let of_kinds = |fits: &dyn Fn(FlawKind) -> bool| -> Vec<Flaw> {
        let flaws = found.flaws.iter().filter(|flaw| fits(flaw.kind));
        flaws.filter_map(|flaw| named_flaw(problem, flaw)).collect()
    };
    let defences = [FlawKind::EqualDefence, FlawKind::LongerDefence, FlawKind::NotLongest];
    TsumeReport {
        length: Some(length.plies()),
        length_without_futile: found.length.map(MateLength::plies),
        solution: problem.named(&[], &found.line),
        cooks: of_kinds(&|kind| faulty(kind) && !defences.contains(&kind)),
        last_move_cooks: of_kinds(&|kind| kind == FlawKind::LastMove),
        same_length: of_kinds(&|kind| defences.contains(&kind)),
        left_over: held(found.left_over),
        sound: matches!(soundness, Soundness::Sound | Soundness::Blemished(_)),
        proven: length.is_exact() && found.open.is_empty(),
        verdict: in_both(|language| composition::verdict(&found, language)),
        details: details(&found),
        ..empty_report(problem, "mate")
    }
}

fn in_both(text: impl Fn(Language) -> String) -> Words {
    Words::new(text(Language::Japanese), text(Language::English))
}

/// The lines of the report.
fn details(found: &Examination) -> Vec<Words> {
    let (ja, en) = (report_text(found, Language::Japanese), report_text(found, Language::English));
    ja.lines().zip(en.lines()).map(|(ja, en)| Words::new(ja.trim(), en.trim())).collect()
}

/// A move that a problem should not have, with its name.
fn named_flaw(problem: &Problem, flaw: &composition::Flaw) -> Option<Flaw> {
    let before: Vec<String> = flaw.before.iter().map(ToString::to_string).collect();
    let name = problem.named(&before, &[flaw.m?]).pop()?;
    Some(Flaw { ply: before.len() as u32 + 1, name })
}

fn held(hand: Hand) -> Vec<Held> {
    let kind = |kind: char| kind.to_string();
    let pieces = hand.iter();
    pieces
        .map(|(piece, count)| Held { kind: kind(piece.kind().letter()), count, locked: false, frozen: false })
        .collect()
}

/// The moves at a place of the proof, with what becomes of each.
pub fn tree(board: &SharedBoard, node: u32, path: &[String]) -> Result<TsumeMoves, Refusal> {
    let problem = Problem::new(board, node)?;
    let mut position = problem.position.clone();
    let mut line = problem.document.line(node)?;
    let mut named = Vec::new();
    for text in path {
        let m = line.play(text)?;
        let played: Move = m
            .text
            .parse()
            .map_err(|_| Refusal::new(RefusalCode::Illegal, format!("`{text}` is not a move")))?;
        position.do_move(played);
        named.push(m);
    }
    let attacks = position.side() == problem.attacker;
    let mut solver = solver(SMALL)?;
    let main =
        match solver.solve_as(&position, problem.attacker, Goal::Shortest, Limits::nodes(10 * LOOK_NODES)) {
            Verdict::Mate(mate) => mate.line.first().copied(),
            _ => None,
        };
    let mut moves = Vec::new();
    for m in game::Position::legal_moves(&position).iter().copied() {
        if attacks && !position.gives_check(m) {
            continue;
        }
        position.do_move(m);
        let verdict = solver.go_on(&position, problem.attacker, Goal::Shortest, Limits::nodes(LOOK_NODES));
        position.undo_move();
        let nodes = Some(solver.progress().nodes);
        let (state, left) = match verdict {
            Verdict::Mate(mate) => ("mate", Some(mate.length.plies())),
            Verdict::NoMate => ("no_mate", None),
            Verdict::Unknown(_) => ("unknown", None),
        };
        let name = line.name(&m.to_string())?;
        moves.push(TsumeMove { name, state: state.to_owned(), left, main: main == Some(m), nodes });
    }
    // The main line first, then what mates soonest (or holds out longest), then the rest.
    moves.sort_by_key(|m| {
        let rank = match m.state.as_str() {
            "mate" => 0,
            "unknown" => 1,
            _ => 2,
        };
        let rank = if attacks { rank } else { 2 - rank };
        let left = i64::from(m.left.unwrap_or(0));
        (!m.main, rank, if attacks { left } else { -left })
    });
    Ok(TsumeMoves { node, path: named, attacker: attacks, moves })
}

/// Whether a tried move is right, and why not.
pub fn judge(board: &SharedBoard, node: u32, text: &str) -> Result<TsumeJudged, Refusal> {
    let problem = Problem::new(board, node)?;
    let named = problem.document.line(node)?.name(text)?;
    let tried: Move = named
        .text
        .parse()
        .map_err(|_| Refusal::new(RefusalCode::Illegal, format!("`{text}` is not a move")))?;
    let mut position = problem.position.clone();
    let judged = |verdict: &str, left, answer, ja: String, en: String| TsumeJudged {
        verdict: verdict.to_owned(),
        left,
        answer,
        say: Words::new(ja, en),
    };
    let attacks = position.side() == problem.attacker;
    if attacks && !position.gives_check(tried) {
        let (ja, en) =
            (format!("{}は王手ではありません。", named.ja), format!("{} gives no check.", named.en));
        return Ok(judged("no_check", None, None, ja, en));
    }
    let mut solver = solver(SMALL)?;
    let best =
        match solver.solve_as(&position, problem.attacker, Goal::Shortest, Limits::nodes(20 * LOOK_NODES)) {
            Verdict::Mate(mate) => Some(mate.length.plies()),
            _ => None,
        };
    position.do_move(tried);
    let before = [named.text.clone()];
    match solver.go_on(&position, problem.attacker, Goal::Shortest, Limits::nodes(20 * LOOK_NODES)) {
        Verdict::Mate(mate) => {
            let left = mate.length.plies();
            let answer = mate.line.first().and_then(|m| problem.named(&before, &[*m]).pop());
            let longer = attacks && best.is_some_and(|best| left + 1 > best);
            if longer {
                let (ja, en) = (
                    format!("詰みますが、あと{left}手かかります。"),
                    format!("It mates, but takes {left} more plies."),
                );
                return Ok(judged("longer", Some(left), answer, ja, en));
            }
            let (ja, en) = if left == 0 {
                ("正解。詰みです。".to_owned(), "Right: mate.".to_owned())
            } else {
                (format!("正解。あと{left}手です。"), format!("Right: {left} plies to go."))
            };
            Ok(judged("right", Some(left), answer, ja, en))
        }
        Verdict::NoMate => {
            let answer = escape(&mut solver, &position, problem.attacker)
                .and_then(|m| problem.named(&before, &[m]).pop());
            let (ja, en) = match &answer {
                Some(answer) => (format!("{}で逃れます。", answer.ja), format!("{} escapes.", answer.en)),
                None => ("詰みません。".to_owned(), "It does not mate.".to_owned()),
            };
            Ok(judged("wrong", None, answer, ja, en))
        }
        Verdict::Unknown(_) => {
            let (ja, en) =
                ("時間内に分かりませんでした。".to_owned(), "Not decided within the limit.".to_owned());
            Ok(judged("unknown", None, None, ja, en))
        }
    }
}

/// A move of the defender after which there is no mate.
fn escape(solver: &mut Solver, position: &Position, attacker: Color) -> Option<Move> {
    let mut position = position.clone();
    game::Position::legal_moves(&position).iter().copied().find(|m| {
        position.do_move(*m);
        let verdict = solver.go_on(&position, attacker, Goal::Any, Limits::nodes(LOOK_NODES));
        position.undo_move();
        matches!(verdict, Verdict::NoMate)
    })
}
