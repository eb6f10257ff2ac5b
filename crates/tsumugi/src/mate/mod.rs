//! `tsumugi mate`.

mod desk;
#[cfg(feature = "cluster")]
mod hub;

use crate::language;
use crate::terminal::{print, tell};
use ::mate::composition::{Custom, FlawKind, Ruling, is_end};
use ::mate::problems::{self, Outputs, Report, Settings, SolveError, Summary, Working, solve_all};
use ::mate::{Goal, Interpositions, MateLength, Solver};
use anyhow::{Context, bail};
use desk::{DuplicatesArgs, GenerateArgs, ImproveArgs};
use platform::ProgressLine;
use shogi::{Move, Position};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Solve mates (tsume) and helpmates, check problems for soundness, write and check proofs.
///
/// Every length is labelled: exactly (proved to be the shortest), at most (proved, but a shorter one may exist), or unknown.
/// Interpositions all count, unless --customary is given. The side to move attacks, unless it has the only king on the board.
///
///     tsumugi mate "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
///     tsumugi mate problems/ --jobs 2 --json
///     tsumugi mate problem.kif --report --kif solution.kif --certificate proof.cert
///     tsumugi mate problems/ --custom strict --html report.html
///     tsumugi mate verify proof.cert
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub struct MateArgs {
    #[command(subcommand)]
    command: Option<MateCommand>,
    #[command(flatten)]
    solve: SolveArgs,
}

#[derive(clap::Subcommand, PartialEq, Debug)]
enum MateCommand {
    /// Check certificates: every move against every defence, with rules that share no code with the solver.
    Verify {
        /// The certificates.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    Bench(BenchArgs),
    Generate(GenerateArgs),
    Improve(ImproveArgs),
    Duplicates(DuplicatesArgs),
}

/// The problems, and how to solve them.
#[derive(clap::Args, PartialEq, Debug, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "switches of a command line")]
struct SolveArgs {
    /// SFENs in quotes, files (KIF, KI2, CSA, JKF, USI, BOD, one SFEN to a line, or JSON lines with a field `sfen`), folders.
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,
    /// Size of the table in megabytes, shared among jobs.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    hash: usize,
    /// Threads for each problem.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Problems solved at the same time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Time limit per problem in seconds.
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Limit of positions per problem.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Stop at the first mate found instead of proving the shortest.
    #[arg(long)]
    first: bool,
    /// Both sides cooperate (協力詰め): find the shortest line and count the solutions.
    #[arg(long, conflicts_with_all = ["report", "custom", "customary", "certificate", "kif", "tree", "html", "intended"])]
    helpmate: bool,
    /// Examine by the custom of tsume: main line (作意), cooks (余詰), pieces left over (駒余り), equal and longer defences, and
    /// the other flaws, each with its line.
    #[arg(long)]
    report: bool,
    /// The custom that judges in the report: strict, modern (the default) or loose.
    #[arg(long, value_name = "CUSTOM")]
    custom: Option<Custom>,
    /// Flaws that the custom shall forgive, for example `permutation,longer-defence`.
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    forgive: Vec<FlawKind>,
    /// Flaws that the custom shall not forgive, for example `last-move,promotion`.
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    forbid: Vec<FlawKind>,
    /// A game record with the intended solution (one problem only), which the report compares.
    #[arg(long, value_name = "FILE")]
    intended: Option<PathBuf>,
    /// Count futile interpositions in the report, too.
    #[arg(long)]
    all_interpositions: bool,
    /// Give the customary length as well: futile interpositions (無駄合) do not count.
    #[arg(long)]
    customary: bool,
    /// Limit of positions per move in the report.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    report_nodes: u64,
    /// Limit of positions for all cooks in variations together; 0 leaves the variations out.
    #[arg(long, value_name = "N", default_value_t = 500_000)]
    variation_nodes: u64,
    /// Draw the problems as text.
    #[arg(long)]
    diagram: bool,
    /// Write a proof that `tsumugi mate verify` checks; for several problems a folder with a file for each.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Write the solution with the defences as branches, with --report also failing checks and comments; a folder for several
    /// problems.
    #[arg(long, value_name = "FILE")]
    kif: Option<PathBuf>,
    /// Write the whole proof as JSON: for each position the check to play, and where each defence leads; a folder for several
    /// problems.
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    /// Write the diagram as SVG; a folder for several problems.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the report of all problems as one page with diagrams.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// One JSON object per line instead of text.
    #[arg(long)]
    json: bool,
    /// Leave times out of the answers: the same problems then give the same bytes. With --hub they are always left out.
    #[arg(long)]
    no_time: bool,
    /// No progress and no summary.
    #[arg(short, long)]
    quiet: bool,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    hub: crate::cluster::HubChoice,
}

/// Benchmark solving (`YaneuraOu`'s `test matebench`).
#[derive(clap::Args, PartialEq, Debug)]
struct BenchArgs {
    /// The problems, as for solving.
    #[arg(required = true, value_name = "PROBLEM")]
    problems: Vec<String>,
    /// Size of the table in megabytes.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    hash: usize,
    /// Threads for each problem.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Positions per problem.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
}

/// Runs the command.
pub fn run(args: &MateArgs) -> anyhow::Result<()> {
    match &args.command {
        Some(MateCommand::Verify { files }) => verify(files),
        Some(MateCommand::Bench(args)) => bench(args),
        Some(MateCommand::Generate(args)) => desk::generate(args),
        Some(MateCommand::Improve(args)) => desk::improve(args),
        Some(MateCommand::Duplicates(args)) => desk::duplicates(args),
        None if args.solve.problems.is_empty() => {
            bail!(
                "no problem to solve: give an SFEN in quotes, a file or a folder (see `tsumugi mate --help`)"
            )
        }
        None => solve(&args.solve),
    }
}

fn verify(files: &[PathBuf]) -> anyhow::Result<()> {
    for path in files {
        let name = path.display();
        let bytes = fs::read(path).with_context(|| name.to_string())?;
        let proof::Checked { plies, positions, sfen, .. } =
            proof::check(&bytes).with_context(|| format!("{name} is not a valid certificate"))?;
        print(format_args!(
            "{name}: mate in {}, positions checked: {positions}: {sfen}",
            MateLength::AtMost(plies)
        ))?;
    }
    Ok(())
}

fn bench(args: &BenchArgs) -> anyhow::Result<()> {
    let problems = problems::read(&args.problems)?;
    let mut solver = Solver::with_megabytes(args.hash)?;
    solver.set_threads(args.threads);
    solver.warm_up();
    Ok(problems::bench(&mut io::stdout().lock(), &mut solver, &problems, args.nodes)?)
}

impl SolveArgs {
    fn wants_report(&self) -> bool {
        self.report
            || self.custom.is_some()
            || self.html.is_some()
            || self.intended.is_some()
            || !self.forgive.is_empty()
            || !self.forbid.is_empty()
    }

    fn report(&self, start: &Position) -> anyhow::Result<Report> {
        let mut custom = self.custom.unwrap_or(Custom::MODERN);
        for kind in &self.forgive {
            custom = custom.with(*kind, Ruling::Blemish);
        }
        for kind in &self.forbid {
            custom = custom.with(*kind, Ruling::Fault);
        }
        let intended = self.intended.as_ref().map(|path| intended_line(path, start)).transpose()?;
        let interpositions =
            if self.all_interpositions { Interpositions::All } else { Interpositions::Useful };
        Ok(Report {
            custom,
            interpositions,
            nodes_per_move: self.report_nodes,
            nodes_for_variations: self.variation_nodes,
            intended,
        })
    }
}

/// The main line of a record that begins with this position and ends in mate, every move of the attacker a check.
fn intended_line(path: &Path, start: &Position) -> anyhow::Result<Vec<Move>> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| name.to_string())?;
    let loaded = record::read(&bytes, &record::ReadOptions::default()).with_context(|| name.to_string())?;
    let mut position = Position::try_from(loaded.record.start.clone()).with_context(|| name.to_string())?;
    if position.key128() != start.key128() {
        bail!("{name}: the record begins with another position than the problem");
    }
    let attacker = Solver::attacker(&position);
    let moves: Vec<Move> = loaded.record.moves().collect();
    for (index, &m) in moves.iter().enumerate() {
        let ply = index + 1;
        if !position.is_legal(m) {
            bail!("{name}: move {ply} of the intended line is not legal");
        }
        if position.side() == attacker && !position.gives_check(m) {
            bail!("{name}: move {ply} of the intended line is no check");
        }
        position.do_move(m);
    }
    if moves.is_empty() || position.side() == attacker || !is_end(&position) {
        bail!("{name}: the intended line does not end in mate");
    }
    Ok(moves)
}

fn solve(args: &SolveArgs) -> anyhow::Result<()> {
    let problems = problems::read(&args.problems)?;
    let SolveArgs { certificate, kif, tree, svg, html, .. } = args.clone();
    let outputs = Outputs { html, svg, certificate, kif, tree };
    let report = if args.wants_report() { Some(args.report(&problems[0].position)?) } else { None };
    let settings = Settings {
        megabytes: args.hash,
        threads: args.threads,
        jobs: args.jobs,
        time: args.time.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
        nodes: args.nodes,
        goal: if args.first { Goal::Any } else { Goal::Shortest },
        helpmate: args.helpmate,
        customary: args.customary,
        report,
        json: args.json,
        timed: !args.no_time,
        language: language::current(),
        outputs,
    };
    #[cfg(feature = "cluster")]
    if let Some(hub) = args.hub.connect()? {
        return hub::solve(args, &hub, &problems, &settings);
    }
    let start = Instant::now();
    let line = Mutex::new(ProgressLine::new());
    let lock = || line.lock().unwrap_or_else(PoisonError::into_inner);
    let watch = |working: &Working<'_>| {
        if !args.quiet {
            lock().update(progress(working, problems.len(), start.elapsed()));
        }
    };
    let mut kinds = Vec::new();
    let solved = solve_all(&problems, &settings, &watch, |answer| {
        if args.diagram && !args.json {
            lock().clear();
            print(desk::diagram(&problems[kinds.len()].position))?;
        }
        kinds.push(answer.kind);
        lock().clear();
        if args.json { print(&answer.text) } else { tell(&answer.text) }
    });
    lock().clear();
    match solved {
        // A closed pipe is not an error.
        Err(SolveError::Output(error)) => return Err(error.into()),
        solved => solved?,
    }
    if !args.quiet && !args.json && kinds.len() > 1 {
        tell(Summary { kinds: &kinds, time: start.elapsed() })?;
    }
    Ok(())
}

/// The problem at work, and when all will be done if the others take as long as those before.
fn progress(working: &Working<'_>, problems: usize, elapsed: Duration) -> String {
    let Working { done, name, time } = working;
    let text = format!("{}/{problems} {name}: {:.0} s", done + 1, time.as_secs_f64());
    if *done == 0 {
        return text;
    }
    let each = elapsed.saturating_sub(*time).as_secs_f64() / *done as f64;
    let left = each * (problems - done) as f64 - time.as_secs_f64();
    format!("{text}, ETA {:.0} s", left.max(0.0))
}
