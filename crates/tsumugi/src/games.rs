//! The catalogue of games for commands.

use crate::terminal::warn;
use anyhow::{Context, anyhow};
pub use engines::{Catalogue, Visitor};
use usi::Games;
use usi::options::Folders;

/// All games, including those of a file. Errors in the file are printed; its valid sections can be played.
pub fn with_file(path: Option<&str>) -> anyhow::Result<Catalogue> {
    let mut games = Catalogue::default();
    if let Some(path) = path {
        let (path, report) = games.read(path, &Folders::of_process()).context("--variant-path")?;
        for message in &report.messages {
            warn(format_args!("{}: {message}", path.display()));
        }
    }
    Ok(games)
}

/// Runs an operation on the game of that name.
pub fn visit<V: Visitor>(games: &Catalogue, name: &str, visitor: V) -> anyhow::Result<V::Output> {
    let unknown = |_| anyhow!("unknown variant '{name}'; expected one of {}", games.names().join(" "));
    games.visit(name, visitor).map_err(unknown)
}
