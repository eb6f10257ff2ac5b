//! Tsumugi, one program for the games that speak USI.

mod arena;
mod bench_eval;
mod binarsi;
mod book;
mod cli;
mod game_filters;
mod games;
mod mate;
mod net;
mod records;
mod train;
mod variants;

use ::arena::GameFiles;
use anyhow::{Context, bail};
use clap::Parser;
use cli::{Cli, PerftArgs, Task};
use games::{Catalogue, Visitor};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use usi::options::{Folders, Options};
use usi::perft::Perft;
use usi::{Console, Engine, Fault, Games, Output, SessionContext};

/// A session outlives an engine that panics. Where panics abort, it would not.
const _: () = assert!(cfg!(panic = "unwind"), "build without `panic = \"abort\"`");

fn main() -> ExitCode {
    platform::use_precise_timers();
    let task = Cli::parse().task().unwrap_or_else(|error| error.exit());
    let done = match task {
        Task::Session(lines) => return exit_code(session(None, lines)),
        Task::File(path, lines) => return exit_code(session(Some(&path), lines)),
        Task::Perft(args) => perft(&args),
        Task::Convert(args) => records::convert(&args),
        Task::Show(args) => records::show(&args),
        Task::Book(args) => book::run(&args),
        Task::Match(args) => arena::run_match(&args),
        Task::Sprt(args) => arena::run_sprt(&args),
        Task::Tune(args) => arena::run_tune(&args),
        Task::AnalyzeLog(args) => arena::run_analyze_log(&args),
        Task::Compliance(args) => arena::run_compliance(&args),
        Task::Mate(args) => mate::run(&args),
        Task::BenchEval(args) => bench_eval::run(&args),
        Task::Net(args) => net::run(&args),
        Task::Binarsi(args) => binarsi::run(&args),
        Task::Variants(args) => variants::run(&args),
        Task::Train(args) => train::run(&args),
    };
    exit_code(done.map(|()| ExitCode::SUCCESS))
}

fn exit_code(done: anyhow::Result<ExitCode>) -> ExitCode {
    match done {
        Ok(code) => code,
        // The reader closed the pipe: not an error.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nothing can be done about an error stream that is closed.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// How long the engine may take to end after `quit`.
const PATIENCE: Duration = Duration::from_millis(400);

/// Executes a file and the lines of the command line, then standard input.
fn session(file: Option<&str>, lines: Vec<String>) -> anyhow::Result<ExitCode> {
    let mut context = SessionContext::new(Output::new(io::stdout()), Folders::of_process());
    let greets =
        file.is_none() && lines.is_empty() && io::stdin().is_terminal() && io::stdout().is_terminal();
    if let Some(path) = file {
        context.enqueue_file(path);
    }
    context.enqueue(lines);
    context.start_up();
    let mut console = Console::new(Catalogue::with_makebook(book::makebook::run), context);
    if greets {
        console.greet();
    }
    console.run(io::stdin())?;
    let status = match console.fault() {
        None => 0,
        Some(Fault::Failure) => 1,
        Some(Fault::WrongUsage) => 2,
    };
    if !console.close(Some(PATIENCE)) {
        // Hosts expect the process to end soon after `quit`.
        std::process::exit(status.into());
    }
    Ok(ExitCode::from(status))
}

fn perft(args: &PerftArgs) -> anyhow::Result<()> {
    let games = games::with_file(args.variant_path.as_deref())?;
    games.visit(&args.variant, Count(args)).unwrap_or_else(|_| {
        bail!("unknown variant '{}'; expected one of {}", args.variant, games.names().join(" "))
    })
}

/// Runs perft of any game.
struct Count<'a>(&'a PerftArgs);

impl Visitor for Count<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: GameFiles, E: Engine<G>>(
        self,
        game: G,
        _: impl FnOnce(&G, &mut Options) -> E,
    ) -> anyhow::Result<()> {
        let args = self.0;
        // Everything that players may agree on is counted, such as freezes of Freeze shogi.
        let game = game.for_referee();
        let command = args.sfen.as_deref().unwrap_or("startpos");
        let mut position =
            game.position_command(command).with_context(|| format!("bad --sfen '{command}'"))?;
        let mut out = io::stdout().lock();
        let perft = if args.make {
            let start = Instant::now();
            let nodes = game::perft_making_leaves(&mut position, args.depth);
            Perft { nodes, elapsed: start.elapsed() }
        } else {
            Perft::count(&mut position, args.depth, |m, count| {
                if args.divide { writeln!(out, "{m}: {count}") } else { Ok(()) }
            })?
        };
        writeln!(out, "Nodes searched: {}", perft.nodes)?;
        writeln!(
            out,
            "Time: {:.3} s, {} nodes per second",
            perft.elapsed.as_secs_f64(),
            perft.nodes_per_second()
        )?;
        Ok(())
    }
}
