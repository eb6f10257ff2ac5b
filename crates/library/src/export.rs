//! Games of a library written as records.

use crate::info::line;
use crate::{GameInfo, Library, LibraryError, Rules};
use record::convert::{
    Destination, Existing, Input, Origin, Output, OutputError, Progress, Reading, Silent, SourceError,
};
use record::notation::{LoadedGame, Notation, NotationError, ReadGame};
use record::{Ending, Field, ReadOptions, WriteOptions};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Names of files made of what is known of games: `{date} {black} - {white}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileNames(Vec<Part>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Plain(String),
    Field(&'static str),
}

/// What a name can be made of.
const FIELDS: [&str; 12] = [
    "number", "date", "black", "white", "event", "site", "result", "ending", "plies", "opening", "variant",
    "file",
];

/// A pattern for names that is none.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected text with fields such as {{date}}: {}", FIELDS.join(", "))]
pub struct FileNamesError;

/// Longer names are cut; systems allow 255 bytes with the ending.
const LONGEST: usize = 180;

impl Default for FileNames {
    fn default() -> Self {
        let plain = |text: &str| Part::Plain(text.to_owned());
        let field = Part::Field;
        Self(vec![field("date"), plain(" "), field("black"), plain(" - "), field("white")])
    }
}

impl FromStr for FileNames {
    type Err = FileNamesError;

    fn from_str(text: &str) -> Result<Self, FileNamesError> {
        let (mut parts, mut rest) = (Vec::new(), text);
        while let Some((plain, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').ok_or(FileNamesError)?;
            let field = FIELDS.into_iter().find(|field| *field == name).ok_or(FileNamesError)?;
            parts.extend([Part::Plain(plain.to_owned()), Part::Field(field)]);
            rest = after;
        }
        parts.push(Part::Plain(rest.to_owned()));
        if text.is_empty() || rest.contains('}') { Err(FileNamesError) } else { Ok(Self(parts)) }
    }
}

impl FileNames {
    /// The name for a game, without its ending: no folders, nothing that a system forbids.
    #[must_use]
    pub fn name(&self, game: &GameInfo) -> String {
        let part = |part: &Part| match part {
            Part::Plain(text) => text.clone(),
            Part::Field(field) => field_of(game, field),
        };
        let text: String = self.0.iter().map(part).collect();
        let allowed = |c: char| if c.is_control() || r#"/\:*?"<>|"#.contains(c) { '_' } else { c };
        let mut name: String = text.chars().map(allowed).collect();
        while name.len() > LONGEST {
            name.pop();
        }
        // Windows drops dots and blanks at the end.
        let name = name.trim().trim_end_matches(['.', ' ']).trim_start_matches('.');
        if name.is_empty() { format!("game {}", game.number.0) } else { name.to_owned() }
    }
}

fn field_of(game: &GameInfo, field: &str) -> String {
    match field {
        "number" => game.number.0.to_string(),
        "date" => game.date.map(|date| date.to_string()).unwrap_or_default(),
        "black" => game.black.clone(),
        "white" => game.white.clone(),
        "event" => game.event.clone(),
        "site" => game.site.clone(),
        "result" => game.result.to_string(),
        "ending" => game.ending.clone(),
        "plies" => game.plies.to_string(),
        "opening" => game.opening(),
        "variant" => game.variant.clone(),
        _ => game.file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

/// What is to be written.
pub struct ExportJob<'a> {
    /// The games.
    pub games: &'a [GameInfo],
    /// Where to.
    pub destination: Destination,
    /// How.
    pub write: WriteOptions,
    /// What becomes of files that are there.
    pub existing: Existing,
    /// The names of files in a folder.
    pub names: FileNames,
    /// How records are read.
    pub notation: &'a dyn Notation,
    /// The rules of all games.
    pub rules: Rules<'a>,
    /// Over how many threads.
    pub threads: usize,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Exported {
    /// Games that were written.
    pub written: usize,
    /// Those whose file is gone or changed: header and moves are written as the library knows them, without comments and times.
    pub from_library: usize,
    /// Games that could not be written in this format.
    pub failed: usize,
    /// Games whose file is there already.
    pub existing: usize,
}

/// Why nothing more was written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The destination.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The library.
    #[error(transparent)]
    Library(#[from] LibraryError),
}

/// Where a game is: number of its file, name inside, number there.
type Key = (usize, String, u32);

/// Writes records of games as they are in their files, with comments, times and branches; those whose file is gone or has changed
/// as far as the library knows them.
pub fn export(job: &ExportJob<'_>, progress: &dyn Progress) -> Result<Exported, ExportError> {
    let mut output = Output::open(&job.destination, job.write, false, job.existing)?;
    let mut exported = Exported::default();
    let mut done = HashSet::new();
    let mut put = |info: &GameInfo, bytes: Result<Vec<u8>, NotationError>, exported: &mut Exported| {
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => {
                exported.failed += 1;
                progress.fail(&format!("game {}: {error}", info.number.0));
                return Ok(());
            }
        };
        // The ending is for `put` to replace.
        let relative = PathBuf::from(job.names.name(info) + ".game");
        let origin = Origin { input: 0, shown: relative.display().to_string(), relative, number: 1 };
        match output.put(&origin, &bytes) {
            Ok(()) => exported.written += 1,
            Err(OutputError::Exists(path)) => {
                exported.existing += 1;
                progress.warn(&format!("{path}: exists already"));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    };
    let again =
        ReadAgain { games: job.games, notation: job.notation, write: job.write, threads: job.threads };
    again.run(progress, |info, bytes| {
        done.insert(info.number);
        put(info, bytes, &mut exported)
    })?;
    for info in job.games.iter().filter(|game| !done.contains(&game.number)) {
        progress.warn(&format!("{}: gone or changed: header and moves only", info.file.display()));
        exported.from_library += 1;
        let bytes = remembered(info, job.rules)?.and_then(|game| Ok(game.write(&job.write)?.bytes));
        put(info, bytes, &mut exported)?;
    }
    output.finish()?;
    Ok(exported)
}

/// Records of games read again from their files.
struct ReadAgain<'a> {
    games: &'a [GameInfo],
    notation: &'a dyn Notation,
    write: WriteOptions,
    threads: usize,
}

impl ReadAgain<'_> {
    /// Calls `each` with every game that is still in its file, and with what it is written as.
    fn run<E>(
        &self,
        progress: &dyn Progress,
        mut each: impl FnMut(&GameInfo, Result<Vec<u8>, NotationError>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut files: BTreeMap<&Path, usize> = BTreeMap::new();
        let mut wanted: HashMap<Key, &GameInfo> = HashMap::new();
        for game in self.games {
            let next = files.len();
            let input = *files.entry(&game.file).or_insert(next);
            wanted.insert((input, game.inner.clone().unwrap_or_default(), game.number_in_file), game);
        }
        let mut paths = vec![PathBuf::new(); files.len()];
        for (path, input) in &files {
            paths[*input] = path.to_path_buf();
        }
        let inputs: Vec<Input> = paths.iter().cloned().map(Input::Path).collect();
        let reading = Reading {
            notation: self.notation,
            inputs: &inputs,
            options: ReadOptions::default(),
            threads: self.threads,
        };
        let key = |origin: &Origin| -> Key {
            let outer = paths[origin.input].to_string_lossy();
            let inner = origin.shown.strip_prefix(&*outer).and_then(|rest| rest.strip_prefix('/'));
            (origin.input, inner.unwrap_or_default().to_owned(), origin.number as u32)
        };
        let is_wanted = |origin: &Origin| wanted.contains_key(&key(origin));
        let work = |origin: &Origin, read: Result<ReadGame, SourceError>| {
            let info = *wanted.get(&key(origin))?;
            let game = read.ok()?.ok()?;
            // Another game may stand there now.
            let same = game.line().is_ok_and(|line| line.moves == info.moves && line.start == info.start);
            same.then(|| (info, game.write(&self.write).map(|written| written.bytes)))
        };
        let take = |found: Option<(&GameInfo, Result<Vec<u8>, NotationError>)>| {
            found.map_or(Ok(()), |(info, bytes)| each(info, bytes))
        };
        reading.run(progress, &is_wanted, &work, take).map(|_| ())
    }
}

/// A record of what a library knows of a game.
pub(crate) fn remembered(
    info: &GameInfo,
    rules: Rules<'_>,
) -> Result<Result<Box<dyn LoadedGame>, NotationError>, LibraryError> {
    let mut text = line(info.start.as_deref().unwrap_or_default(), &info.moves);
    if let Some(word) =
        Some(Ending::from_kif(&info.ending)).filter(|_| !info.ending.is_empty()).and_then(|e| e.usi())
    {
        text = format!("{text} {word}");
    }
    let notation = rules.notation(&info.variant)?;
    let read = notation.read_file(text.as_bytes(), &ReadOptions::default()).into_iter().next();
    let none = || LibraryError::Position {
        option: "export",
        reason: format!("game {} cannot be read", info.number.0),
    };
    Ok(read.ok_or_else(none)?.map(|mut game| {
        let header = game.header_mut();
        let date = info.date.map(|date| date.to_string().replace('-', "/"));
        let fields = [
            (Field::Start, date.as_deref().unwrap_or_default()),
            (Field::Event, &info.event),
            (Field::Site, &info.site),
            (Field::TimeLimit, &info.time_control),
            (Field::Opening, &info.given_opening),
            (Field::Black, &info.black),
            (Field::White, &info.white),
        ];
        for (field, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
            header.set(field.kif(), value);
        }
        game
    }))
}

impl Library {
    /// The record of a game as far as the library knows it: header and moves.
    pub fn record(&self, rules: Rules<'_>, game: &GameInfo) -> Result<Box<dyn LoadedGame>, LibraryError> {
        let reason =
            |error: NotationError| LibraryError::Position { option: "record", reason: error.to_string() };
        remembered(game, rules)?.map_err(reason)
    }

    /// The record of a game as a file of its own, and whether it is the one of its file, with comments, times and branches; where
    /// that is gone or has changed, header and moves are written as the library knows them.
    pub fn file(
        &self,
        rules: Rules<'_>,
        game: &GameInfo,
        write: WriteOptions,
    ) -> Result<(Vec<u8>, bool), LibraryError> {
        let notation = rules.notation(&game.variant)?;
        let again = ReadAgain { games: std::slice::from_ref(game), notation: &*notation, write, threads: 1 };
        let mut found = None;
        let take = |_: &GameInfo, bytes: Result<Vec<u8>, NotationError>| {
            found = bytes.ok();
            Ok::<_, std::convert::Infallible>(())
        };
        // Reading ends early only where `take` fails.
        let _ = again.run(&Silent, take);
        if let Some(bytes) = found {
            return Ok((bytes, true));
        }
        let written = self.record(rules, game)?.write(&write);
        let reason =
            |error: NotationError| LibraryError::Position { option: "record", reason: error.to_string() };
        Ok((written.map_err(reason)?.bytes, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_for_names() {
        let names: FileNames = "{event}/{black}".parse().unwrap();
        assert_eq!(names.0.len(), 5);
        for bad in ["", "{nothing}", "{date", "date}"] {
            assert_eq!(bad.parse::<FileNames>(), Err(FileNamesError), "{bad}");
        }
    }
}
