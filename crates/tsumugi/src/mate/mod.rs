//! `tsumugi mate`.

use ::mate::problems::{self, Generator, Outputs, Settings, SolveError, Summary, solve_all};
use ::mate::{Goal, MateLength, Solver};
use anyhow::{Context, bail, ensure};
use indicatif::ProgressBar;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Solve mates (tsume) and helpmates, check problems for soundness, write and check proofs.
///
/// Every length is labelled: exactly (proved to be the shortest), at most (proved, but a shorter one may exist), or unknown.
/// Interpositions all count, unless --customary is given. The side to move attacks, unless it has the only king on the board.
///
///     tsumugi mate "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
///     tsumugi mate problems/ --jobs 2 --json
///     tsumugi mate problem.kif --report --kif solution.kif --certificate proof.cert
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
    Verify(VerifyArgs),
    Bench(BenchArgs),
    Generate(GenerateArgs),
}

/// What to solve, and how.
#[derive(clap::Args, PartialEq, Debug, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "switches of a command line")]
struct SolveArgs {
    /// SFENs in quotes, files (KIF, KI2, CSA, JKF, USI, BOD, one SFEN to a line, or JSON lines with a field `sfen`), folders.
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,
    /// Megabytes for the table, shared among jobs.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    hash: usize,
    /// Threads for each problem.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Problems solved at the same time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Give up a problem after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Give up a problem after so many positions.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Be content with the first mate found instead of proving the shortest.
    #[arg(long)]
    first: bool,
    /// Both sides work together (協力詰め): find the shortest line and count the solutions.
    #[arg(long, conflicts_with_all = ["report", "customary", "certificate", "kif", "tree"])]
    helpmate: bool,
    /// Check for soundness: other mating moves (余詰), defences of equal length (変化同手数), pieces left over (駒余り), and the
    /// customary length.
    #[arg(long)]
    report: bool,
    /// Give the customary length as well: futile interpositions (無駄合) do not count.
    #[arg(long)]
    customary: bool,
    /// Positions searched for each move that the report asks about.
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    report_nodes: u64,
    /// Write a proof that `tsumugi mate verify` checks (one problem only).
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Write the solution with the defences as branches (one problem only).
    #[arg(long, value_name = "FILE")]
    kif: Option<PathBuf>,
    /// Write the whole proof as JSON: for each position the check to play, and where each defence leads (one problem only).
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    /// One JSON object to a line instead of text.
    #[arg(long)]
    json: bool,
    /// No progress bar and no summary.
    #[arg(short, long)]
    quiet: bool,
}

/// Check certificates: every move against every defence, with rules that share no code with the solver.
#[derive(clap::Args, PartialEq, Debug)]
struct VerifyArgs {
    /// The certificates.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Solve problems and say how fast that was (the documents' `test matebench`).
#[derive(clap::Args, PartialEq, Debug)]
struct BenchArgs {
    /// The problems, as for solving.
    #[arg(required = true, value_name = "PROBLEM")]
    problems: Vec<String>,
    /// Megabytes for the table.
    #[arg(long, value_name = "MB", default_value_t = 1024)]
    hash: usize,
    /// Threads for each problem.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Positions for each problem.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
}

/// Make problems from games played at random, with every piece removed that is not needed (the documents' `test genmate`).
#[derive(clap::Args, PartialEq, Debug)]
struct GenerateArgs {
    /// How many.
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: usize,
    /// Plies at least.
    #[arg(long, value_name = "PLIES", default_value_t = 3)]
    min: u32,
    /// Plies at most.
    #[arg(long, value_name = "PLIES", default_value_t = 9)]
    max: u32,
    /// The same number gives the same problems.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Does what the command line says.
pub fn run(args: &MateArgs) -> anyhow::Result<()> {
    match &args.command {
        Some(MateCommand::Verify(args)) => verify(args),
        Some(MateCommand::Bench(args)) => bench(args),
        Some(MateCommand::Generate(args)) => generate(args),
        None if args.solve.problems.is_empty() => {
            bail!(
                "what is to be solved? give an SFEN in quotes, a file or a folder (see `tsumugi mate --help`)"
            )
        }
        None => solve(&args.solve),
    }
}

fn verify(args: &VerifyArgs) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for path in &args.files {
        let name = path.display();
        let bytes = fs::read(path).with_context(|| name.to_string())?;
        let checked = proof::check(&bytes).with_context(|| format!("{name} proves nothing"))?;
        let length = MateLength::AtMost(checked.plies);
        writeln!(
            out,
            "{name}: mate in {length}, positions checked: {}: {}",
            checked.positions, checked.sfen
        )?;
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

fn generate(args: &GenerateArgs) -> anyhow::Result<()> {
    ensure!(args.min <= args.max, "--min {} is more than --max {}", args.min, args.max);
    let mut out = io::stdout().lock();
    for problem in Generator::new(args.seed, args.min..=args.max)?.take(args.count) {
        writeln!(out, "{problem}")?;
    }
    Ok(())
}

fn solve(args: &SolveArgs) -> anyhow::Result<()> {
    let problems = problems::read(&args.problems)?;
    let SolveArgs { certificate, kif, tree, .. } = args.clone();
    let outputs = Outputs { certificate, kif, tree };
    let settings = Settings {
        megabytes: args.hash,
        threads: args.threads,
        jobs: args.jobs,
        time: args.time.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
        nodes: args.nodes,
        goal: if args.first { Goal::Any } else { Goal::Shortest },
        helpmate: args.helpmate,
        customary: args.customary,
        report_nodes: args.report.then_some(args.report_nodes),
        json: args.json,
        outputs,
    };
    let bar = if args.quiet || problems.len() == 1 || !io::stderr().is_terminal() {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(problems.len() as u64)
    };
    let start = Instant::now();
    let mut kinds = Vec::new();
    let solved = solve_all(&problems, &settings, |answer| {
        bar.inc(1);
        kinds.push(answer.kind);
        writeln!(io::stdout(), "{}", answer.text)
    });
    match solved {
        // A closed pipe is no error.
        Err(SolveError::Output(error)) => return Err(error.into()),
        solved => solved?,
    }
    bar.finish_and_clear();
    if !args.quiet && !args.json && kinds.len() > 1 {
        writeln!(io::stdout(), "{}", Summary { kinds: &kinds, time: start.elapsed() })?;
    }
    Ok(())
}
