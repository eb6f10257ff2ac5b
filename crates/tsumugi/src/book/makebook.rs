//! The console's `makebook …`, with what the options say.

use book::{Makebook, MakebookError, Plies};
use eval::Evaluator;
use std::path::PathBuf;
use usi::{CommandContext, CommandFailure, WrongUsage};

/// Runs `makebook` in the console.
pub fn run(
    evaluation: &Evaluator,
    folders: Vec<PathBuf>,
    context: CommandContext<'_>,
) -> Result<(), CommandFailure> {
    let CommandContext { words, options, stopped, say, .. } = context;
    let value = |name: &str| options.find(name).map(|id| options.entry(id).value());
    let number =
        |name: &str, default: usize| value(name).and_then(|value| value.parse().ok()).unwrap_or(default);
    let ignored = value("IgnoreBookPly").is_some_and(|value| value == "true");
    let makebook = Makebook {
        evaluation,
        threads: number("Threads", 1),
        hash: number("USI_Hash", 16),
        multi_pv: number("MultiPV", 1),
        plies: if ignored { Plies::Ignored } else { Plies::Matter },
        folders,
        stopped,
    };
    makebook.run(words, say).map_err(|error| match error {
        MakebookError::Usage(message) => WrongUsage(message).into(),
        error => CommandFailure::Failed(error.to_string()),
    })
}
