//! `tsumugi mate`.

#[cfg(feature = "cluster")]
mod hub;

use crate::terminal::{Bar, print, tell};
use ::mate::problems::{self, Generator, Outputs, Settings, SolveError, Summary, solve_all};
use ::mate::{Goal, MateLength, Solver};
use anyhow::{Context, bail, ensure};
use record::convert::Screen;
use std::fs;
use std::io;
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
    /// Check certificates: every move against every defence, with rules that share no code with the solver.
    Verify {
        /// The certificates.
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    Bench(BenchArgs),
    Generate(GenerateArgs),
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
    #[arg(long, conflicts_with_all = ["report", "customary", "certificate", "kif", "tree"])]
    helpmate: bool,
    /// Check for soundness: other mating moves (余詰), defences of equal length (変化同手数), pieces left over (駒余り), and the
    /// customary length.
    #[arg(long)]
    report: bool,
    /// Give the customary length as well: futile interpositions (無駄合) do not count.
    #[arg(long)]
    customary: bool,
    /// Limit of positions per move in the report.
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
    /// One JSON object per line instead of text.
    #[arg(long)]
    json: bool,
    /// Leave times out of the answers: the same problems then give the same bytes. With --hub they are always left out.
    #[arg(long)]
    no_time: bool,
    /// No progress bar and no summary.
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

/// Generate problems from random games, without unnecessary pieces (`YaneuraOu`'s `test genmate`).
#[derive(clap::Args, PartialEq, Debug)]
struct GenerateArgs {
    /// Number of problems.
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: usize,
    /// Minimum number of plies.
    #[arg(long, value_name = "PLIES", default_value_t = 3)]
    min: u32,
    /// Maximum number of plies.
    #[arg(long, value_name = "PLIES", default_value_t = 9)]
    max: u32,
    /// The same seed gives the same problems.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Runs the command.
pub fn run(args: &MateArgs) -> anyhow::Result<()> {
    match &args.command {
        Some(MateCommand::Verify { files }) => verify(files),
        Some(MateCommand::Bench(args)) => bench(args),
        Some(MateCommand::Generate(args)) => generate(args),
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

fn generate(args: &GenerateArgs) -> anyhow::Result<()> {
    ensure!(args.min <= args.max, "--min {} is more than --max {}", args.min, args.max);
    let mut problems = Generator::new(args.seed, args.min..=args.max)?.take(args.count);
    Ok(problems.try_for_each(print)?)
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
        timed: !args.no_time,
        outputs,
    };
    #[cfg(feature = "cluster")]
    if let Some(hub) = args.hub.connect()? {
        return hub::solve(args, &hub, &problems, &settings);
    }
    let bar = Bar::of_steps(!args.quiet && problems.len() > 1, problems.len());
    let start = Instant::now();
    let mut kinds = Vec::new();
    let solved = solve_all(&problems, &settings, |answer| {
        bar.advance(1);
        kinds.push(answer.kind);
        if args.json { print(&answer.text) } else { tell(&answer.text) }
    });
    match solved {
        // A closed pipe is not an error.
        Err(SolveError::Output(error)) => return Err(error.into()),
        solved => solved?,
    }
    drop(bar);
    if !args.quiet && !args.json && kinds.len() > 1 {
        tell(Summary { kinds: &kinds, time: start.elapsed() })?;
    }
    Ok(())
}
