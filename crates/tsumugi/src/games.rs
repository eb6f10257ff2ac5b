//! The catalogue of games, as the command line chooses from it.

use anyhow::Context;
pub use engines::{Catalogue, Visitor};
use std::io::{self, Write};
use usi::options::Folders;

/// All games, and those of a file for commands that play one. What is wrong with the file is printed; sections without
/// fault can be played.
pub fn with_file(path: Option<&str>) -> anyhow::Result<Catalogue> {
    let mut games = Catalogue::default();
    if let Some(path) = path {
        let (path, report) = games.read(path, &Folders::of_process()).context("--variant-path")?;
        for message in &report.messages {
            // Nothing can be done about an error stream that is closed.
            let _ = writeln!(io::stderr(), "{}: {message}", path.display());
        }
    }
    Ok(games)
}
