//! The command line.

use crate::analyze::AnalyzeArgs;
use crate::arena::{AnalyzeLogArgs, ComplianceArgs, MatchArgs, SprtArgs, TuneArgs};
use crate::bench_eval::BenchEvalArgs;
use crate::binarsi::BinarsiArgs;
use crate::book::BookArgs;
#[cfg(feature = "cluster")]
use crate::cluster::{ClusterArgs, HubArgs, WorkArgs};
use crate::csa::CsaArgs;
use crate::language::Language;
use crate::library::LibraryArgs;
use crate::mate::MateArgs;
use crate::net::NetArgs;
use crate::perft::PerftArgs;
use crate::play::PlayArgs;
use crate::records::{ConvertArgs, ShowArgs};
use crate::shell::{CompletionsArgs, ManArgs};
use crate::train::TrainArgs;
use crate::variants::VariantsArgs;
use crate::web::WebArgs;
use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};
use std::ffi::OsString;
use usi::is_command;

/// Plays and analyses shogi and speaks USI.
///
/// Without a command it is a USI engine: add it to your shogi program, or start it in a terminal and type
/// `help`. Console commands can be given as arguments, too, separated by a lone comma:
///
///     tsumugi position startpos moves 7g7f , d , quit
///
/// or one to a line in a file:
///
///     tsumugi file commands.txt
#[derive(Parser, Debug)]
#[command(version, about, verbatim_doc_comment, override_usage = USAGE)]
pub struct Cli {
    /// The language of messages: en or ja; by default that of the environment. What USI hosts read stays the same.
    #[arg(long, global = true, value_name = "LANGUAGE", display_order = 900)]
    lang: Option<Language>,
    #[command(subcommand)]
    command: Option<Subcommands>,
}

const USAGE: &str = "tsumugi [CONSOLE COMMAND [, CONSOLE COMMAND]...]\n       tsumugi <COMMAND>";

/// Subcommands, as opposed to commands of the console.
#[derive(Subcommand, PartialEq, Debug)]
pub enum Subcommands {
    Perft(PerftArgs),
    Convert(Box<ConvertArgs>),
    Show(ShowArgs),
    Analyze(Box<AnalyzeArgs>),
    Play(Box<PlayArgs>),
    Games(Box<LibraryArgs>),
    Book(BookArgs),
    Match(Box<MatchArgs>),
    Sprt(SprtArgs),
    Tune(Box<TuneArgs>),
    AnalyzeLog(AnalyzeLogArgs),
    Compliance(ComplianceArgs),
    Csa(CsaArgs),
    Mate(Box<MateArgs>),
    Bench(BenchArgs),
    Net(NetArgs),
    Binarsi(BinarsiArgs),
    Variants(VariantsArgs),
    Train(TrainArgs),
    Web(WebArgs),
    #[cfg(feature = "cluster")]
    Hub(HubArgs),
    #[cfg(feature = "cluster")]
    Work(WorkArgs),
    #[cfg(feature = "cluster")]
    Cluster(ClusterArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
    #[command(external_subcommand)]
    Console(Vec<OsString>),
}

/// Measure the search by the console's `bench`, or something else.
#[derive(clap::Args, PartialEq, Debug)]
#[command(
    override_usage = "tsumugi bench [HASH THREADS LIMIT POSITIONS TYPE] [, CONSOLE COMMAND]...\n       tsumugi bench eval [OPTIONS] [EVAL]"
)]
pub struct BenchArgs {
    #[command(subcommand)]
    what: Option<Benches>,
}

#[derive(Subcommand, PartialEq, Debug)]
enum Benches {
    Eval(BenchEvalArgs),
    #[command(external_subcommand)]
    Console(Vec<OsString>),
}

/// The task of this process.
#[derive(PartialEq, Debug)]
#[allow(clippy::large_enum_variant, reason = "a process has one task")]
pub enum Task {
    /// Run a session: execute these lines, then standard input.
    Session(Vec<String>),
    /// Run a session: execute the lines of this file, then these, then standard input.
    File(String, Vec<String>),
    /// Benchmark an evaluation.
    BenchEval(BenchEvalArgs),
    /// Run a command; neither `Bench` nor `Console`.
    Command(Subcommands),
}

impl Cli {
    /// Determines the task, or what is wrong with the arguments.
    pub fn task(self) -> Result<Task, clap::Error> {
        match self.command {
            None => Ok(Task::Session(Vec::new())),
            Some(Subcommands::Bench(BenchArgs { what: Some(Benches::Eval(args)) })) => {
                Ok(Task::BenchEval(args))
            }
            Some(Subcommands::Bench(BenchArgs { what })) => {
                let mut words = vec![OsString::from("bench")];
                if let Some(Benches::Console(rest)) = what {
                    words.extend(rest);
                }
                Ok(Task::Session(lines(&words)))
            }
            Some(Subcommands::Console(words)) => {
                let mut lines = lines(&words);
                if let Some(path) = lines[0].strip_prefix("file ") {
                    return Ok(Task::File(path.trim().to_owned(), lines.split_off(1)));
                }
                // Only known commands, so that a misspelt subcommand does not end up waiting for input.
                let first = lines[0].split_whitespace().next().unwrap_or_default();
                if is_command(first) {
                    return Ok(Task::Session(lines));
                }
                let message = format!("unrecognized command '{first}'");
                Err(Self::command().error(ErrorKind::InvalidSubcommand, message))
            }
            Some(command) => Ok(Task::Command(command)),
        }
    }
}

/// Joins words to lines; a lone comma begins the next line.
fn lines(words: &[OsString]) -> Vec<String> {
    let line =
        |words: &[OsString]| words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    words.split(|word| word == ",").map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::nnue::Isa;

    fn console(lines: &[&str]) -> Task {
        Task::Session(lines.iter().map(ToString::to_string).collect())
    }

    fn task(arguments: &str) -> Result<Task, ErrorKind> {
        let words = std::iter::once("tsumugi").chain(arguments.split_whitespace());
        Cli::try_parse_from(words).and_then(Cli::task).map_err(|error| error.kind())
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn console_commands() {
        assert_eq!(task(""), Ok(console(&[])));
        assert_eq!(task("usi"), Ok(console(&["usi"])));
        assert_eq!(task("go perft 2 , , d , quit"), Ok(console(&["go perft 2", "", "d", "quit"])));
        let moves = "position startpos moves 7g7f";
        assert_eq!(task(&format!("{moves} , d")), Ok(console(&[moves, "d"])));
        assert_eq!(task("prft 3"), Err(ErrorKind::InvalidSubcommand));
        let file = Task::File("a/cmd.txt".to_owned(), Vec::new());
        assert_eq!(task("file a/cmd.txt"), Ok(file));
        let file = Task::File("my commands.txt".to_owned(), vec!["d".to_owned(), "quit".to_owned()]);
        assert_eq!(task("file my commands.txt , d , quit"), Ok(file));
        assert_eq!(task("file"), Err(ErrorKind::InvalidSubcommand));
        assert_eq!(task(","), Err(ErrorKind::InvalidSubcommand));
        assert_eq!(task("--foo"), Err(ErrorKind::UnknownArgument));
    }

    #[test]
    fn perft() {
        for right in [
            "perft 4",
            "perft --startpos --divide 4",
            "perft --sfen 9/9 4",
            "perft --make --variant minishogi 4",
        ] {
            assert!(matches!(task(right), Ok(Task::Command(Subcommands::Perft(_)))), "{right}");
        }
        assert_eq!(task("perft --make --divide 4"), Err(ErrorKind::ArgumentConflict));
        assert_eq!(task("perft"), Err(ErrorKind::MissingRequiredArgument));
        assert_eq!(task("perft x"), Err(ErrorKind::ValueValidation));
        assert_eq!(task("perft 21"), Err(ErrorKind::ValueValidation));
        assert_eq!(task("perft --startpos --sfen 9/9 4"), Err(ErrorKind::ArgumentConflict));
    }

    #[test]
    fn bench() {
        assert_eq!(task("bench"), Ok(console(&["bench"])));
        assert_eq!(task("bench 16 1 8 , quit"), Ok(console(&["bench 16 1 8", "quit"])));
        assert_eq!(task("bench , quit"), Ok(console(&["bench", "quit"])));
        let args = |eval: Option<&str>, isa, seconds, rounds| {
            Ok(Task::BenchEval(BenchEvalArgs { eval: eval.map(Into::into), isa, seconds, rounds }))
        };
        assert_eq!(task("bench eval"), args(None, None, 1, None));
        assert_eq!(
            task("bench eval a/nn.bin --isa plain"),
            args(Some("a/nn.bin"), Some(Isa::Plain), 1, None)
        );
        assert_eq!(task("bench eval --rounds 3"), args(None, None, 1, Some(3)));
        assert_eq!(task("bench eval --isa x"), Err(ErrorKind::ValueValidation));
        assert_eq!(task("bench eval --help"), Err(ErrorKind::DisplayHelp));
    }

    #[test]
    fn each_engine_has_its_words() {
        let two = "match --engine name=A cmd=a --each nodes=1 --engine name=B cmd=b option.X=1 --games 4";
        let Ok(Task::Command(Subcommands::Match(args))) = task(two) else { panic!("{two}") };
        assert_eq!(args.engine_names().unwrap(), ["A", "B"]);
        assert_eq!(task("match --engine"), Err(ErrorKind::InvalidValue));
        assert_eq!(task("match --resume a --out b"), Err(ErrorKind::ArgumentConflict));
        assert_eq!(task("tune --engine cmd=a"), Err(ErrorKind::MissingRequiredArgument));
        assert_eq!(task("compliance"), Err(ErrorKind::MissingRequiredArgument));
        assert_eq!(task("sprt llr --penta 1,2 --elo0 0 --elo1 1"), Err(ErrorKind::ValueValidation));
    }

    #[test]
    fn help_and_version() {
        assert_eq!(task("--help"), Err(ErrorKind::DisplayHelp));
        assert_eq!(task("--version"), Err(ErrorKind::DisplayVersion));
    }
}
