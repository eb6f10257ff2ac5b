//! Tsumugi, one program for the games that speak USI.

mod cli;

use anyhow::Context;
use clap::Parser;
use cli::{Cli, PerftArgs, Task};
use game::Game;
use shogi::Shogi;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Instant;
use tsumugi::console::{Console, Flow, perft::Perft};

fn main() -> ExitCode {
    let task = Cli::parse().task().unwrap_or_else(|error| error.exit());
    let done = match task {
        Task::Console(lines) => console(&lines),
        Task::Perft(args) => perft(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read our output has seen enough.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody is left to be told when this fails as well.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn console(lines: &[String]) -> anyhow::Result<()> {
    let mut console = Console::new(Shogi::default());
    let mut out = io::stdout().lock();
    if lines.is_empty() && io::stdin().is_terminal() && out.is_terminal() {
        console.greet(&mut out)?;
    }
    for line in lines {
        if console.execute(line.as_bytes(), &mut out)? == Flow::Quit {
            return Ok(());
        }
    }
    Ok(console.run(io::stdin().lock(), &mut out)?)
}

fn perft(args: &PerftArgs) -> anyhow::Result<()> {
    let command = args.sfen.as_deref().unwrap_or("startpos");
    let mut position =
        Shogi::default().position_command(command).with_context(|| format!("bad --sfen '{command}'"))?;
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
