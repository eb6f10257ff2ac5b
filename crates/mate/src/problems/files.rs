//! Reading problems from SFENs, lists and game records.

use platform::{AtPath, FileError};
use record::{Format, ReadOptions};
use shogi::Position;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A position to solve.
pub struct Problem {
    /// Its name in messages: a number, a file, or the field `id` of a line.
    pub name: String,
    /// The position.
    pub position: Position,
}

/// Why problems cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ProblemError {
    /// There are none.
    #[error("no problems found")]
    Empty,
    /// Standard input failed.
    #[error("standard input")]
    StandardInput(#[source] io::Error),
    /// A file or folder cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// An argument that is neither a file nor an SFEN.
    #[error("'{0}' is neither an existing file nor a valid position")]
    Word(String, #[source] shogi::SfenError),
    /// A line of a list is bad.
    #[error("{name}: problem {number}")]
    Line {
        /// The file.
        name: String,
        /// Among the problems of the file, from 1.
        number: usize,
        /// What is wrong.
        source: LineError,
    },
    /// A game record is bad.
    #[error("{0}")]
    Record(String, #[source] record::ReadError),
    /// A game that begins with an invalid position.
    #[error("{0}")]
    Start(String, #[source] shogi::SetupError),
}

/// What is wrong with a line of a list.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// The SFEN.
    #[error(transparent)]
    Sfen(#[from] shogi::SfenError),
    /// The JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A JSON object without a position.
    #[error("there is no field `sfen`")]
    NoSfen,
}

/// Reads SFENs, files, all files of folders, and standard input (`-`).
pub fn read(inputs: &[String]) -> Result<Vec<Problem>, ProblemError> {
    let mut problems = Vec::new();
    for input in inputs {
        let path = Path::new(input);
        if input == "-" {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).map_err(ProblemError::StandardInput)?;
            problems.extend(from_bytes("-", None, &bytes)?);
        } else if path.exists() {
            for file in files(path)? {
                let bytes = fs::read(&file).at_path(&file)?;
                problems.extend(from_bytes(&file.display().to_string(), Format::of_path(&file), &bytes)?);
            }
        } else {
            let position = sfen(input).map_err(|error| ProblemError::Word(input.clone(), error))?;
            problems.push(Problem { name: format!("#{}", problems.len() + 1), position });
        }
    }
    if problems.is_empty() { Err(ProblemError::Empty) } else { Ok(problems) }
}

/// A file, or all files below a folder, sorted.
fn files(path: &Path) -> Result<Vec<PathBuf>, FileError> {
    let mut found = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path).at_path(&path)? {
                let entry = entry.at_path(&path)?;
                // Links are skipped, because they may form cycles.
                if !entry.file_type().at_path(&path)?.is_symlink() {
                    open.push(entry.path());
                }
            }
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads an SFEN, with or without the word `sfen`.
fn sfen(text: &str) -> Result<Position, shogi::SfenError> {
    let text = text.trim();
    Position::from_sfen(text.strip_prefix("sfen ").unwrap_or(text))
}

fn from_bytes(name: &str, promised: Option<Format>, bytes: &[u8]) -> Result<Vec<Problem>, ProblemError> {
    let numbered = |index: usize| format!("{name}:{}", index + 1);
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_list = lines.clone().next().is_some_and(|line| line.starts_with('{') || sfen(line).is_ok());
    let is_jkf = text.trim_start().starts_with('{')
        && serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|v| v.get("sfen").is_none());
    if is_list && !is_jkf {
        let problem = |(index, line)| match from_line(line) {
            Ok((id, position)) => Ok(Problem { name: id.unwrap_or_else(|| numbered(index)), position }),
            Err(source) => Err(ProblemError::Line { name: name.to_owned(), number: index + 1, source }),
        };
        return lines.enumerate().map(problem).collect();
    }
    let options = ReadOptions { promised, ..ReadOptions::default() };
    let problem = |(index, game): (usize, Result<record::Loaded, _>)| {
        let name = if index == 0 { name.to_owned() } else { numbered(index) };
        let start = match game {
            Ok(loaded) => loaded.record.start,
            Err(error) => return Err(ProblemError::Record(name, error)),
        };
        match Position::try_from(start) {
            Ok(position) => Ok(Problem { name, position }),
            Err(error) => Err(ProblemError::Start(name, error)),
        }
    };
    record::read_all(bytes, options).enumerate().map(problem).collect()
}

/// The name of a line, if it has one, and the position.
fn from_line(line: &str) -> Result<(Option<String>, Position), LineError> {
    if !line.starts_with('{') {
        return Ok((None, sfen(line)?));
    }
    let value: serde_json::Value = serde_json::from_str(line)?;
    let text = value["sfen"].as_str().ok_or(LineError::NoSfen)?;
    Ok((value["id"].as_str().map(str::to_owned), sfen(text)?))
}
