//! Solving, one problem or thousands.

use super::problems::{self, Problem};
use super::{SolveArgs, report, tree};
use ::mate::{
    Goal, HelpLimits, HelpVerdict, Interpositions, Limits, Mate, MateLength, Solver, Verdict, solve_helpmate,
};
use anyhow::{Context, bail};
use indicatif::ProgressBar;
use platform::atomic_file::write;
use serde_json::json;
use shogi::Move;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A solver with so many megabytes.
pub(super) fn solver(megabytes: usize) -> anyhow::Result<Solver> {
    let bytes = megabytes.max(1).checked_mul(1 << 20).context("--hash is too large")?;
    Solver::new(bytes).with_context(|| format!("no memory for a table of {megabytes} MB"))
}

/// How a problem went.
struct Answer {
    kind: Kind,
    /// What is printed.
    text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Exact,
    AtMost,
    NoMate,
    Unknown,
}

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let problems = problems::read(&args.problems)?;
    if problems.len() > 1 && needs_proof(args) {
        bail!("--certificate, --kif and --tree write one file: give one problem, found {}", problems.len());
    }
    let bar = if args.quiet || problems.len() == 1 || !io::stderr().is_terminal() {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(problems.len() as u64)
    };
    let start = Instant::now();
    let next = AtomicUsize::new(0);
    let answers: Mutex<Vec<Option<Answer>>> = Mutex::new(problems.iter().map(|_| None).collect());
    let jobs = args.jobs.clamp(1, problems.len());
    let work = || -> anyhow::Result<()> {
        let mut solver = if args.helpmate { None } else { Some(solver(args.hash / jobs)?) };
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = problems.get(index) else { return Ok(()) };
            let answer = match &mut solver {
                Some(solver) => tsume(args, problem, solver)?,
                None => helpmate(args, problem, args.hash / jobs),
            };
            bar.inc(1);
            publish(&answers, index, answer)?;
        }
    };
    std::thread::scope(|scope| -> anyhow::Result<()> {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|_| bail!("a worker has failed")))
    })?;
    bar.finish_and_clear();
    let answers = answers.into_inner().unwrap_or_default();
    if !args.quiet && !args.json && answers.len() > 1 {
        summary(&answers, start.elapsed())?;
    }
    Ok(())
}

/// Whether something is to be written that tells how every defence is met.
fn needs_proof(args: &SolveArgs) -> bool {
    args.certificate.is_some() || args.kif.is_some() || args.tree.is_some()
}

/// Keeps an answer, and prints what can be printed in the order of the problems.
fn publish(answers: &Mutex<Vec<Option<Answer>>>, index: usize, answer: Answer) -> anyhow::Result<()> {
    let Ok(mut answers) = answers.lock() else { bail!("a worker has failed") };
    answers[index] = Some(answer);
    let before = answers[..index].iter().all(|answer| answer.as_ref().is_some_and(|a| a.text.is_empty()));
    if !before {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    for answer in answers[index..].iter_mut().map_while(Option::as_mut) {
        writeln!(out, "{}", std::mem::take(&mut answer.text))?;
    }
    Ok(())
}

fn summary(answers: &[Option<Answer>], time: Duration) -> anyhow::Result<()> {
    let count = |kind| answers.iter().flatten().filter(|answer| answer.kind == kind).count();
    let mut out = io::stdout().lock();
    writeln!(out, "problems          {:>6}", answers.len())?;
    writeln!(out, "mate, exactly     {:>6}", count(Kind::Exact))?;
    writeln!(out, "mate, at most     {:>6}", count(Kind::AtMost))?;
    writeln!(out, "no mate           {:>6}", count(Kind::NoMate))?;
    writeln!(out, "unknown           {:>6}", count(Kind::Unknown))?;
    writeln!(out, "time              {:>6.1} s", time.as_secs_f64())?;
    Ok(())
}

fn join(line: &[Move]) -> String {
    moves(line).join(" ")
}

/// A verdict in a few words.
pub(super) fn words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Mate(mate) => format!("mate in {}", mate.length),
        Verdict::NoMate => "no mate".to_owned(),
        Verdict::Unknown(reason) => format!("unknown ({reason})"),
    }
}

fn tsume(args: &SolveArgs, problem: &Problem, solver: &mut Solver) -> anyhow::Result<Answer> {
    let start = Instant::now();
    let time = args.time.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    let stop = || time.is_some_and(|time| start.elapsed() >= time);
    let goal = if args.first { Goal::Any } else { Goal::Shortest };
    solver.set_threads(args.threads);
    let limits = Limits { nodes: args.nodes, plies: None, stop: &stop, report: None };
    let verdict = solver.solve(&problem.position, goal, limits);
    let (nodes, seconds) = (solver.progress().nodes, solver.progress().time.as_secs_f64());
    let extras = match &verdict {
        Verdict::Mate(mate) => extras(args, problem, solver, mate)?,
        _ => String::new(),
    };
    let customary = customary(args, problem, solver, &verdict, &stop);
    let mut text = if args.json {
        as_json(problem, &verdict, customary.as_ref(), nodes, seconds)
    } else {
        let line = match &verdict {
            Verdict::Mate(mate) => format!("\n  {}", join(&mate.line)),
            _ => String::new(),
        };
        let customary = customary.map_or(String::new(), |verdict| {
            format!("\n  without useless interpositions: {}", words(&verdict))
        });
        format!("{}: {} ({nodes} positions, {seconds:.3} s){line}{customary}", problem.name, words(&verdict))
    };
    text.push_str(&extras);
    let kind = match &verdict {
        Verdict::Mate(mate) if mate.length.is_exact() => Kind::Exact,
        Verdict::Mate(_) => Kind::AtMost,
        Verdict::NoMate => Kind::NoMate,
        Verdict::Unknown(_) => Kind::Unknown,
    };
    Ok(Answer { kind, text })
}

/// The verdict by the customary count, if it is asked for and there is something to be counted.
fn customary(
    args: &SolveArgs,
    problem: &Problem,
    solver: &mut Solver,
    strict: &Verdict,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Verdict> {
    let Verdict::Mate(mate) = strict else { return None };
    if !(args.customary || args.report) {
        return None;
    }
    // It is no longer than the strict one.
    let limits = Limits { nodes: args.nodes, plies: Some(mate.length.plies()), stop, report: None };
    solver.set_interpositions(Interpositions::Useful);
    let verdict = solver.solve(&problem.position, Goal::Shortest, limits);
    solver.set_interpositions(Interpositions::All);
    Some(verdict)
}

/// Writes certificate and records of a mate; returns the report.
fn extras(args: &SolveArgs, problem: &Problem, solver: &mut Solver, mate: &Mate) -> anyhow::Result<String> {
    let position = &problem.position;
    let attacker = Solver::attacker(position);
    if needs_proof(args) {
        let certificate =
            solver.certificate(position, attacker, mate.length.plies(), Limits::none()).map_err(
                |reason| anyhow::anyhow!("{}: the proof could not be read off: {reason}", problem.name),
            )?;
        if let Some(path) = &args.certificate {
            write(path, &certificate.to_bytes())?;
        }
        if let Some(path) = &args.kif {
            write(path, &tree::as_kif(position, attacker, &mate.line, &certificate))?;
        }
        if let Some(path) = &args.tree {
            write(path, tree::as_json(position, attacker, mate.length, &certificate).as_bytes())?;
        }
    }
    if !args.report {
        return Ok(String::new());
    }
    let found = report::examine(solver, position, attacker, mate, args.report_nodes);
    let shown = if args.json { found.as_json(&problem.name) } else { found.to_string() };
    Ok(format!("\n{shown}"))
}

fn as_json(
    problem: &Problem,
    verdict: &Verdict,
    customary: Option<&Verdict>,
    nodes: u64,
    seconds: f64,
) -> String {
    let mut value = json!({
        "name": problem.name,
        "sfen": problem.position.sfen(),
        "nodes": nodes,
        "seconds": seconds,
    });
    match verdict {
        Verdict::Mate(mate) => {
            value["result"] = json!("mate");
            value["plies"] = json!(mate.length.plies());
            value["certainty"] = json!(certainty(mate.length));
            value["line"] = json!(moves(&mate.line));
        }
        Verdict::NoMate => value["result"] = json!("nomate"),
        Verdict::Unknown(reason) => {
            value["result"] = json!("unknown");
            value["reason"] = json!(reason.to_string());
        }
    }
    if let Some(Verdict::Mate(mate)) = customary {
        value["customary"] = json!({ "plies": mate.length.plies(), "certainty": certainty(mate.length), "line": moves(&mate.line) });
    }
    value.to_string()
}

/// The label of a length in JSON.
pub(super) fn certainty(length: MateLength) -> &'static str {
    if length.is_exact() { "exact" } else { "at most" }
}

fn moves(line: &[Move]) -> Vec<String> {
    line.iter().map(ToString::to_string).collect()
}

fn helpmate(args: &SolveArgs, problem: &Problem, megabytes: usize) -> Answer {
    let start = Instant::now();
    let stop = |progress: ::mate::HelpProgress| {
        args.time.is_some_and(|seconds| start.elapsed().as_secs_f64() >= seconds)
            || args.nodes.is_some_and(|nodes| progress.positions as u64 >= nodes)
    };
    let verdict = solve_helpmate(&problem.position, &HelpLimits { bytes: megabytes << 20, stop: &stop });
    let seconds = start.elapsed().as_secs_f64();
    let name = &problem.name;
    let (kind, text) = match verdict {
        HelpVerdict::Mate(found) if args.json => {
            let line = moves(&found.line);
            let value = json!({
                "name": name, "sfen": problem.position.sfen(), "result": "helpmate", "plies": found.plies(),
                "certainty": "exact", "solutions": found.solutions, "line": line, "seconds": seconds,
            });
            (Kind::Exact, value.to_string())
        }
        HelpVerdict::Mate(found) => {
            let solutions = match found.solutions {
                1 => "one solution".to_owned(),
                ::mate::Helpmate::MANY => "too many solutions to count".to_owned(),
                n => format!("{n} solutions"),
            };
            let line = join(&found.line);
            let length = MateLength::Exact(u32::try_from(found.plies()).unwrap_or(u32::MAX));
            (Kind::Exact, format!("{name}: helpmate in {length}, {solutions} ({seconds:.3} s)\n  {line}"))
        }
        HelpVerdict::NoMate | HelpVerdict::Unknown if args.json => {
            let (kind, result) = if verdict == HelpVerdict::NoMate {
                (Kind::NoMate, "nomate")
            } else {
                (Kind::Unknown, "unknown")
            };
            (kind, json!({ "name": name, "result": result, "seconds": seconds }).to_string())
        }
        HelpVerdict::NoMate => (Kind::NoMate, format!("{name}: no helpmate ({seconds:.3} s)")),
        HelpVerdict::Unknown => (
            Kind::Unknown,
            format!("{name}: unknown (stopped, out of --hash, or the attacker is not to move)"),
        ),
    };
    Answer { kind, text }
}
