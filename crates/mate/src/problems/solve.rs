//! Solving problems, several at a time.

use super::answer::{Answer, Finding, helpmate_answer};
use super::files::Problem;
use super::solution_tree::{solution_json, solution_kif};
use crate::composition::{
    Custom, Examination, ExamineSettings, diagram_svg, examination_kif, examine, html_report, report_json,
    report_text,
};
use crate::{
    Goal, HelpLimits, HelpProgress, Interpositions, Limits, Mate, NoMemory, Reason, Solver, Verdict,
    solve_helpmate,
};
use platform::clock::Instant;
use platform::{AtPath, FileError, Language, atomic_file, file_name, workers};
use shogi::Move;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
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
    /// The composer's report.
    pub report: Option<Report>,
    /// Answer with JSON.
    pub json: bool,
    /// Whether answers have the time, which differs from run to run.
    pub timed: bool,
    /// The language of answers for people.
    pub language: Language,
    /// Files to write.
    pub outputs: Outputs,
}

/// What the composer's report examines.
#[derive(Clone)]
pub struct Report {
    /// Which flaws are forgiven.
    pub custom: Custom,
    /// Whether futile interpositions count.
    pub interpositions: Interpositions,
    /// Positions for the question about each move.
    pub nodes_per_move: u64,
    /// Positions for the cooks in variations.
    pub nodes_for_variations: u64,
    /// The composer's line; for one problem only.
    pub intended: Option<Vec<Move>>,
}

/// The problem that is being solved, for progress.
pub struct Working<'a> {
    /// How many problems are done.
    pub done: usize,
    /// Its name.
    pub name: &'a str,
    /// Time on it so far.
    pub time: Duration,
}

/// Files that hold a whole solution: for one problem a file, for several a folder with a file for each.
#[derive(Default)]
pub struct Outputs {
    /// One page with the reports of all problems.
    pub html: Option<PathBuf>,
    /// The diagram as SVG.
    pub svg: Option<PathBuf>,
    /// A proof for the crate `proof`.
    pub certificate: Option<PathBuf>,
    /// A game record with the defences as branches.
    pub kif: Option<PathBuf>,
    /// The proof as JSON.
    pub tree: Option<PathBuf>,
}

impl Outputs {
    fn need_proof(&self, has_report: bool) -> bool {
        self.certificate.is_some() || self.tree.is_some() || self.kif.is_some() && !has_report
    }
}

/// Where the file of a problem goes: the path itself, or, for one of several problems, a file in this folder.
fn file_of(
    path: &Path,
    problem: &Problem,
    is_one_of_several: bool,
    extension: &str,
) -> Result<PathBuf, FileError> {
    if !is_one_of_several {
        return Ok(path.to_owned());
    }
    fs::create_dir_all(path).at_path(path)?;
    let name = problem.name.rsplit('/').next().unwrap_or(&problem.name);
    Ok(path.join(file_name(&format!("{name}.{extension}"))))
}

/// Why problems were not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// An intended line belongs to one problem.
    #[error("--intended is the solution of one problem: give one problem, found {0}")]
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
    watch: &(dyn Fn(&Working<'_>) + Sync),
    take: impl FnMut(Answer) -> io::Result<()> + Send,
) -> Result<(), SolveError> {
    let is_one_of_several = problems.len() > 1;
    if is_one_of_several && settings.report.as_ref().is_some_and(|report| report.intended.is_some()) {
        return Err(SolveError::OneProblem(problems.len()));
    }
    let jobs = settings.jobs.clamp(1, problems.len().max(1));
    let megabytes = settings.megabytes / jobs;
    let counter = Mutex::new((0, BTreeMap::new(), take, Vec::new()));
    let done = AtomicUsize::new(0);
    let work = |solver: &mut Option<Solver>, index, problem: &Problem| -> Result<(), SolveError> {
        let (answer, examination) = if settings.helpmate {
            (helpmate(settings, problem, megabytes), None)
        } else {
            let solver = match solver {
                Some(solver) => solver,
                None => solver.insert(Solver::with_megabytes(megabytes)?),
            };
            let start = Instant::now();
            let stop = || {
                let time = start.elapsed();
                watch(&Working { done: done.load(Ordering::Relaxed), name: &problem.name, time });
                settings.time.is_some_and(|limit| time >= limit)
            };
            Task { settings, problem, is_one_of_several, stop: &stop }.tsume(solver)?
        };
        done.fetch_add(1, Ordering::Relaxed);
        let (next, ready, take, examinations) = &mut *counter.lock().unwrap_or_else(PoisonError::into_inner);
        ready.insert(index, (answer, examination));
        while let Some((answer, examination)) = ready.remove(next) {
            if let Some(examination) = examination.filter(|_| settings.outputs.html.is_some()) {
                examinations.push((problems[*next].name.clone(), examination));
            }
            *next += 1;
            take(answer)?;
        }
        Ok(())
    };
    let results = workers::gather(
        problems,
        jobs,
        || (None, Ok(())),
        |(solver, done), index, problem| {
            if done.is_ok() {
                *done = work(solver, index, problem);
            }
        },
    );
    results.into_iter().try_for_each(|(_, result)| result)?;
    if let Some(path) = &settings.outputs.html {
        let (.., examinations) = counter.into_inner().unwrap_or_else(PoisonError::into_inner);
        atomic_file::write(path, html_report(&examinations, settings.language).as_bytes())?;
    }
    Ok(())
}

/// One problem to solve.
struct Task<'a> {
    settings: &'a Settings,
    problem: &'a Problem,
    is_one_of_several: bool,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Task<'_> {
    fn tsume(&self, solver: &mut Solver) -> Result<(Answer, Option<Examination>), SolveError> {
        let Self { settings, problem, stop, .. } = *self;
        let (verdict, nodes) = strict(settings, problem, solver, stop);
        let seconds = solver.progress().time.as_secs_f64();
        if let Some(path) = &settings.outputs.svg {
            let picture = diagram_svg(&problem.position, Solver::attacker(&problem.position), &problem.name);
            atomic_file::write(&self.file(path, "svg")?, picture.as_bytes())?;
        }
        if let Verdict::Mate(mate) = &verdict {
            self.write_proof(solver, mate)?;
        }
        let customary = customary(settings, problem, solver, &verdict, stop);
        let examination = settings.report.as_ref().map(|report| self.examine(solver, report));
        let mut text = String::new();
        if let Some(found) = &examination {
            text = if settings.json {
                report_json(found, &problem.name).to_string()
            } else {
                report_text(found, settings.language)
            };
            text.insert(0, '\n');
            if let Some(path) = &settings.outputs.kif {
                atomic_file::write(&self.file(path, "kif")?, &examination_kif(found, settings.language))?;
            }
        }
        let finding = Finding { verdict, customary, nodes };
        let seconds = settings.timed.then_some(seconds);
        let mut answer = finding.answer(problem, seconds, settings, examination.is_none());
        answer.text += &text;
        Ok((answer, examination))
    }

    fn file(&self, path: &Path, extension: &str) -> Result<PathBuf, FileError> {
        file_of(path, self.problem, self.is_one_of_several, extension)
    }

    fn examine(&self, solver: &mut Solver, report: &Report) -> Examination {
        let outputs = &self.settings.outputs;
        let settings = ExamineSettings {
            custom: report.custom,
            interpositions: report.interpositions,
            nodes: self.settings.nodes,
            nodes_per_move: report.nodes_per_move,
            nodes_for_variations: report.nodes_for_variations,
            intended: report.intended.clone(),
            with_branches: outputs.kif.is_some() || outputs.html.is_some(),
            stop: self.stop,
        };
        examine(solver, &self.problem.position, &settings)
    }

    fn write_proof(&self, solver: &mut Solver, mate: &Mate) -> Result<(), SolveError> {
        let outputs = &self.settings.outputs;
        if !outputs.need_proof(self.settings.report.is_some()) {
            return Ok(());
        }
        let position = &self.problem.position;
        let attacker = Solver::attacker(position);
        let certificate = solver
            .certificate(position, attacker, mate.length.plies(), Limits::none())
            .map_err(|reason| SolveError::Proof { name: self.problem.name.clone(), reason })?;
        if let Some(path) = &outputs.certificate {
            atomic_file::write(&self.file(path, "cert")?, &certificate.to_bytes())?;
        }
        if let Some(path) = outputs.kif.as_ref().filter(|_| self.settings.report.is_none()) {
            let kif = solution_kif(position, attacker, &mate.line, &certificate);
            atomic_file::write(&self.file(path, "kif")?, &kif)?;
        }
        if let Some(path) = &outputs.tree {
            let tree = solution_json(position, attacker, mate.length, &certificate);
            atomic_file::write(&self.file(path, "json")?, tree.as_bytes())?;
        }
        Ok(())
    }
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
    if !settings.customary && settings.report.is_none() {
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

fn helpmate(settings: &Settings, problem: &Problem, megabytes: usize) -> Answer {
    let start = Instant::now();
    let stop = |progress: HelpProgress| {
        settings.time.is_some_and(|time| start.elapsed() >= time)
            || settings.nodes.is_some_and(|nodes| progress.positions as u64 >= nodes)
    };
    let verdict = solve_helpmate(&problem.position, &HelpLimits { bytes: megabytes << 20, stop: &stop });
    helpmate_answer(problem, &verdict, start.elapsed().as_secs_f64(), settings.json)
}
