//! Tsumugi, one program for the games that speak USI.

mod analyze;
mod arena;
mod bench_eval;
mod binarsi;
mod book;
mod cli;
#[cfg(feature = "cluster")]
mod cluster;
mod csa;
mod game_filters;
mod games;
mod language;
mod library;
mod mate;
mod net;
mod perft;
mod play;
mod records;
mod shell;
mod terminal;
mod train;
mod variants;
mod web;
mod words;

use anyhow::bail;
use cli::{Cli, Subcommands, Task};
use engines::Catalogue;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::Duration;
use usi::options::Folders;
use usi::{Console, Fault, Output, SessionContext};

/// Sessions catch panics of the engine, which requires unwinding.
const _: () = assert!(cfg!(panic = "unwind"), "build without `panic = \"abort\"`");

fn main() -> ExitCode {
    platform::use_precise_timers();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let task = match language::parse(&arguments, Cli::task) {
        Ok(task) => task,
        Err(code) => return code,
    };
    let done = match task {
        Task::Session(lines) => return exit_code(session(None, lines)),
        Task::File(path, lines) => return exit_code(session(Some(&path), lines)),
        Task::BenchEval(args) => bench_eval::run(&args),
        Task::Command(command) => run(command),
    };
    exit_code(done.map(|()| ExitCode::SUCCESS))
}

fn run(command: Subcommands) -> anyhow::Result<()> {
    match command {
        Subcommands::Perft(args) => perft::run(&args),
        Subcommands::Convert(args) => records::convert(&args),
        Subcommands::Show(args) => records::show(&args),
        Subcommands::Analyze(args) => analyze::run(&args),
        Subcommands::Play(args) => play::run(&args),
        Subcommands::Games(args) => library::run(&args),
        Subcommands::Book(args) => book::run(&args),
        Subcommands::Match(args) => arena::run_match(&args),
        Subcommands::Sprt(args) => arena::run_sprt(&args),
        Subcommands::Tune(args) => arena::run_tune(&args),
        Subcommands::AnalyzeLog(args) => arena::run_analyze_log(&args),
        Subcommands::Compliance(args) => arena::run_compliance(&args),
        Subcommands::Csa(args) => csa::run(args),
        Subcommands::Mate(args) => mate::run(&args),
        Subcommands::Net(args) => net::run(&args),
        Subcommands::Binarsi(args) => binarsi::run(&args),
        Subcommands::Variants(args) => variants::run(&args),
        Subcommands::Train(args) => train::run(&args),
        Subcommands::Web(args) => web::run(args),
        #[cfg(feature = "cluster")]
        Subcommands::Hub(args) => cluster::run_hub(&args),
        #[cfg(feature = "cluster")]
        Subcommands::Work(args) => cluster::run_work(&args),
        #[cfg(feature = "cluster")]
        Subcommands::Cluster(args) => cluster::run_cluster(&args),
        Subcommands::Completions(args) => shell::completions(&args),
        Subcommands::Man(args) => shell::man(&args),
        Subcommands::Bench(_) | Subcommands::Console(_) => bail!("a console command is not a subcommand"),
    }
}

fn exit_code(done: anyhow::Result<ExitCode>) -> ExitCode {
    match done {
        Ok(code) => code,
        // The reader closed the pipe: not an error.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::warn(language::explain(&error));
            failure(&error)
        }
    }
}

/// 2 for a run over a hub that has given up jobs, else 1.
fn failure(error: &anyhow::Error) -> ExitCode {
    #[cfg(feature = "cluster")]
    if let Some(::cluster::run::RunError::Poisoned { .. }) = error.downcast_ref() {
        return ExitCode::from(2);
    }
    let _ = error;
    ExitCode::FAILURE
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// How long to wait for the engine to end after `quit`.
const PATIENCE: Duration = Duration::from_millis(400);

/// Executes a file and the lines of the command line, then standard input.
fn session(file: Option<&str>, lines: Vec<String>) -> anyhow::Result<ExitCode> {
    let context = SessionContext::new(Output::new(io::stdout()), Folders::of_process());
    let mut context = context.with_language(language::current());
    let greets =
        file.is_none() && lines.is_empty() && io::stdin().is_terminal() && io::stdout().is_terminal();
    if let Some(path) = file {
        context.enqueue_file(path);
    }
    context.enqueue(lines);
    context.start_up();
    let mut console = Console::new(Catalogue::default(), context);
    if greets {
        console.greet();
        terminal::tell("To play in this terminal: tsumugi play")?;
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
