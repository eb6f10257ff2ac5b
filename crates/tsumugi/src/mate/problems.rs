//! Reading problems from wherever people keep them.

use anyhow::{Context, bail};
use record::{Format, ReadOptions};
use shogi::Position;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A position to be solved.
pub(super) struct Problem {
    pub(super) name: String,
    pub(super) position: Position,
}

/// Reads everything that the command line names.
pub(super) fn read(inputs: &[String]) -> anyhow::Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for input in inputs {
        let path = Path::new(input);
        if input == "-" {
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).context("standard input")?;
            problems.extend(from_bytes("-", None, &bytes)?);
        } else if path.exists() {
            for file in files(path)? {
                let name = file.display().to_string();
                let bytes = fs::read(&file).with_context(|| name.clone())?;
                problems.extend(from_bytes(&name, Format::of_path(&file), &bytes)?);
            }
        } else {
            let position = sfen(input)
                .with_context(|| format!("'{input}' is neither a file nor a position that can be set up"))?;
            problems.push(Problem { name: format!("#{}", problems.len() + 1), position });
        }
    }
    if problems.is_empty() {
        bail!("no problems found");
    }
    Ok(problems)
}

/// A file, or all files below a folder, sorted.
fn files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path).with_context(|| path.display().to_string())? {
                let entry = entry?;
                // Links may lead round in circles.
                if !entry.file_type()?.is_symlink() {
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

/// An SFEN, with or without the word before it.
fn sfen(text: &str) -> Result<Position, shogi::SfenError> {
    let text = text.trim();
    Position::from_sfen(text.strip_prefix("sfen ").unwrap_or(text))
}

fn from_bytes(name: &str, promised: Option<Format>, bytes: &[u8]) -> anyhow::Result<Vec<Problem>> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_list = lines.clone().next().is_some_and(|line| line.starts_with('{') || sfen(line).is_ok());
    let is_jkf = text.trim_start().starts_with('{')
        && serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|v| v.get("sfen").is_none());
    if is_list && !is_jkf {
        return lines
            .by_ref()
            .enumerate()
            .map(|(index, line)| from_line(line).with_context(|| format!("{name}: problem {}", index + 1)))
            .enumerate()
            .map(|(index, line)| {
                let (id, position) = line?;
                Ok(Problem { name: id.unwrap_or_else(|| format!("{name}:{}", index + 1)), position })
            })
            .collect();
    }
    let options = ReadOptions { promised, ..ReadOptions::default() };
    let mut problems = Vec::new();
    for (index, game) in record::read_all(bytes, options).enumerate() {
        let name = if index == 0 { name.to_owned() } else { format!("{name}:{}", index + 1) };
        let loaded = game.with_context(|| name.clone())?;
        let position = Position::try_from(loaded.record.start).with_context(|| name.clone())?;
        problems.push(Problem { name, position });
    }
    Ok(problems)
}

/// A name, if the line has one, and the position.
fn from_line(line: &str) -> anyhow::Result<(Option<String>, Position)> {
    if !line.starts_with('{') {
        return Ok((None, sfen(line)?));
    }
    let value: serde_json::Value = serde_json::from_str(line)?;
    let text = value["sfen"].as_str().context("there is no field `sfen`")?;
    Ok((value["id"].as_str().map(str::to_owned), sfen(text)?))
}
