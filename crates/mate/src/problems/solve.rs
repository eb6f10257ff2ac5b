//! Solving problems, several at a time.

use super::answer::{Answer, Finding, helpmate_answer};
use super::files::Problem;
use super::solution_tree::{solution_json, solution_kif};
use super::soundness::check_soundness;
use crate::{
    Goal, HelpLimits, HelpProgress, Interpositions, Limits, Mate, NoMemory, Reason, Solver, Verdict,
    solve_helpmate,
};
use platform::clock::Instant;
use platform::{FileError, atomic_file, workers};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What is found out about each problem, and how it is shown.
#[allow(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub struct Settings {
    /// Megabytes for the tables of all jobs.
    pub megabytes: usize,
    /// Threads for each problem.
    pub threads: usize,
    /// Problems solved at the same time.
    pub jobs: usize,
    /// Limit for each problem.
    pub time: Option<Duration>,
    /// Limit of positions for each problem.
    pub nodes: Option<u64>,
    /// The first mate or the shortest.
    pub goal: Goal,
    /// Solve helpmates.
    pub helpmate: bool,
    /// Solve by the customary count as well.
    pub customary: bool,
    /// Check soundness, with so many positions for each move beside the solution.
    pub report_nodes: Option<u64>,
    /// Answer with JSON.
    pub json: bool,
    /// Whether answers have the time, which differs from run to run.
    pub timed: bool,
    /// Files to write; for one problem only.
    pub outputs: Outputs,
}

/// Files that hold a whole solution.
#[derive(Default)]
pub struct Outputs {
    /// A proof for the crate `proof`.
    pub certificate: Option<PathBuf>,
    /// A game record with the defences as branches.
    pub kif: Option<PathBuf>,
    /// The proof as JSON.
    pub tree: Option<PathBuf>,
}

impl Outputs {
    fn is_empty(&self) -> bool {
        self.certificate.is_none() && self.kif.is_none() && self.tree.is_none()
    }
}

/// Why problems were not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// Each of these files is for one problem.
    #[error("--certificate, --kif and --tree write one file: give one problem, found {0}")]
    OneProblem(usize),
    /// No table.
    #[error(transparent)]
    NoMemory(#[from] NoMemory),
    /// A mate is known, but not every defence.
    #[error("{name}: the proof could not be read off: {reason}")]
    Proof {
        /// Of the problem.
        name: String,
        /// Of the interruption.
        reason: Reason,
    },
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// `take` failed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Solves all problems and passes the answers to `take`, in the order of the problems.
pub fn solve_all(
    problems: &[Problem],
    settings: &Settings,
    take: impl FnMut(Answer) -> io::Result<()> + Send,
) -> Result<(), SolveError> {
    if problems.len() > 1 && !settings.outputs.is_empty() {
        return Err(SolveError::OneProblem(problems.len()));
    }
    let jobs = settings.jobs.clamp(1, problems.len().max(1));
    let megabytes = settings.megabytes / jobs;
    let counter = Mutex::new((0, BTreeMap::new(), take));
    let work = |solver: &mut Option<Solver>, index, problem: &Problem| -> Result<(), SolveError> {
        let answer = if settings.helpmate {
            helpmate(settings, problem, megabytes)
        } else {
            let solver = match solver {
                Some(solver) => solver,
                None => solver.insert(Solver::with_megabytes(megabytes)?),
            };
            tsume(settings, problem, solver)?
        };
        let (next, ready, take) = &mut *counter.lock().unwrap_or_else(PoisonError::into_inner);
        ready.insert(index, answer);
        while let Some(answer) = ready.remove(next) {
            *next += 1;
            take(answer)?;
        }
        Ok(())
    };
    let done = workers::gather(
        problems,
        jobs,
        || (None, Ok(())),
        |(solver, done), index, problem| {
            if done.is_ok() {
                *done = work(solver, index, problem);
            }
        },
    );
    done.into_iter().try_for_each(|(_, done)| done)
}

fn tsume(settings: &Settings, problem: &Problem, solver: &mut Solver) -> Result<Answer, SolveError> {
    let start = Instant::now();
    let stop = || settings.time.is_some_and(|time| start.elapsed() >= time);
    let (verdict, nodes) = strict(settings, problem, solver, &stop);
    let seconds = solver.progress().time.as_secs_f64();
    let mut report = String::new();
    if let Verdict::Mate(mate) = &verdict {
        write_solution(&settings.outputs, problem, solver, mate)?;
        if let Some(nodes) = settings.report_nodes {
            let found = check_soundness(solver, &problem.position, mate, nodes);
            report = if settings.json { found.json(&problem.name) } else { found.to_string() };
            report.insert(0, '\n');
        }
    }
    let customary = customary(settings, problem, solver, &verdict, &stop);
    let finding = Finding { verdict, customary, nodes };
    let mut answer = finding.answer(problem, settings.timed.then_some(seconds), settings.json);
    answer.text += &report;
    Ok(answer)
}

/// Solves a problem without writing anything. The result depends on the problem and the settings alone, unless `stop` says so.
pub fn solve_one(
    problem: &Problem,
    settings: &Settings,
    solver: &mut Solver,
    stop: &(dyn Fn() -> bool + Sync),
) -> Finding {
    let (verdict, nodes) = strict(settings, problem, solver, stop);
    let customary = customary(settings, problem, solver, &verdict, stop);
    Finding { verdict, customary, nodes }
}

/// The verdict by the strict count, and the positions searched.
fn strict(
    settings: &Settings,
    problem: &Problem,
    solver: &mut Solver,
    stop: &(dyn Fn() -> bool + Sync),
) -> (Verdict, u64) {
    solver.set_threads(settings.threads);
    let limits = Limits { nodes: settings.nodes, plies: None, stop, report: None };
    let verdict = solver.solve(&problem.position, settings.goal, limits);
    (verdict, solver.progress().nodes)
}

/// The verdict by the customary count, if it is wanted.
fn customary(
    settings: &Settings,
    problem: &Problem,
    solver: &mut Solver,
    verdict: &Verdict,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Verdict> {
    let Verdict::Mate(mate) = verdict else { return None };
    if !settings.customary && settings.report_nodes.is_none() {
        return None;
    }
    // It is no longer than the strict one.
    let plies = Some(mate.length.plies());
    let limits = Limits { nodes: settings.nodes, plies, stop, report: None };
    solver.set_interpositions(Interpositions::Useful);
    let customary = solver.solve(&problem.position, Goal::Shortest, limits);
    solver.set_interpositions(Interpositions::All);
    Some(customary)
}

fn write_solution(
    outputs: &Outputs,
    problem: &Problem,
    solver: &mut Solver,
    mate: &Mate,
) -> Result<(), SolveError> {
    if outputs.is_empty() {
        return Ok(());
    }
    let position = &problem.position;
    let attacker = Solver::attacker(position);
    let certificate = solver
        .certificate(position, attacker, mate.length.plies(), Limits::none())
        .map_err(|reason| SolveError::Proof { name: problem.name.clone(), reason })?;
    if let Some(path) = &outputs.certificate {
        atomic_file::write(path, &certificate.to_bytes())?;
    }
    if let Some(path) = &outputs.kif {
        atomic_file::write(path, &solution_kif(position, attacker, &mate.line, &certificate))?;
    }
    if let Some(path) = &outputs.tree {
        atomic_file::write(path, solution_json(position, attacker, mate.length, &certificate).as_bytes())?;
    }
    Ok(())
}

fn helpmate(settings: &Settings, problem: &Problem, megabytes: usize) -> Answer {
    let start = Instant::now();
    let stop = |progress: HelpProgress| {
        settings.time.is_some_and(|time| start.elapsed() >= time)
            || settings.nodes.is_some_and(|nodes| progress.positions as u64 >= nodes)
    };
    let verdict = solve_helpmate(&problem.position, &HelpLimits { bytes: megabytes << 20, stop: &stop });
    helpmate_answer(problem, &verdict, start.elapsed().as_secs_f64(), settings.json)
}
