//! The annotated records: a file for each input.

use crate::annotate::annotate;
use crate::assess::Assessed;
use crate::games::Game;
use crate::run::{JOURNAL, Job, RunError};
use platform::atomic_file;
use record::encoding::Encoding;
use record::{Format, WriteOptions};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Where the annotated records go.
pub struct Outputs(Vec<Output>);

/// A file with the games of one input, by their numbers.
struct Output {
    path: PathBuf,
    options: WriteOptions,
    games: Vec<usize>,
}

impl Outputs {
    /// Names the files, and makes sure that they replace nothing but results of earlier analyses.
    pub fn plan(job: &Job<'_>, games: &[Game]) -> Result<Self, RunError> {
        let mut outputs: Vec<Output> = Vec::new();
        let mut taken = HashSet::new();
        let mut sources: Vec<&str> = games.iter().map(|game| game.place.shown.as_str()).collect();
        sources.dedup();
        for source in sources {
            let own: Vec<usize> =
                (0..games.len()).filter(|index| games[*index].place.shown == source).collect();
            for options in formats(job, &games[own[0]]) {
                let extension = options.format.extension(options.encoding());
                let path = free_name(&job.out, &games[own[0]].place.relative, extension, &mut taken);
                let is_source = games.iter().any(|game| same(Path::new(&game.place.shown), &path));
                if is_source || path.exists() && !job.out.join(JOURNAL).exists() {
                    return Err(RunError::Exists(path));
                }
                outputs.push(Output { path, options, games: own.clone() });
            }
        }
        Ok(Self(outputs))
    }

    /// Writes the files and returns their names.
    pub fn write(
        self,
        games: &mut [Game],
        assessed: &[Assessed],
        engine: &str,
    ) -> Result<Vec<PathBuf>, RunError> {
        let mut written = Vec::new();
        for Output { path, options, games: numbers } in self.0 {
            let end = options.line_end().as_str();
            let separator = match options.format {
                Format::Csa | Format::Csa3 => format!("/{end}"),
                Format::Kif | Format::Ki2 => end.to_owned(),
                _ => String::new(),
            };
            let mut bytes = Vec::new();
            for number in numbers {
                let record = &mut games[number].record;
                let notes: Vec<_> = (0..assessed[number].positions.len())
                    .map(|index| record.note_mut(index).map(|note| note.clone()))
                    .collect();
                annotate(&mut **record, &assessed[number], engine, options.format);
                let shown = path.display().to_string();
                let game = record.write(&options).map_err(|error| RunError::Write(shown, error))?;
                // The next format begins with the same record.
                for (index, old) in notes.into_iter().enumerate() {
                    if let Some((note, old)) = record.note_mut(index).zip(old) {
                        *note = old;
                    }
                }
                if !bytes.is_empty() {
                    bytes.extend_from_slice(separator.as_bytes());
                }
                bytes.extend_from_slice(&game.bytes);
            }
            atomic_file::write(&path, &bytes)?;
            written.push(path);
        }
        Ok(written)
    }
}

/// How the games of an input are written: as they were, or in KIF where there is no room for comments.
fn formats(job: &Job<'_>, game: &Game) -> Vec<WriteOptions> {
    let shogi = matches!(game.variant(), "shogi" | "freeze");
    let fits = |format: &Format| match format {
        Format::Usi | Format::Usen | Format::Bod => false,
        Format::Kif => true,
        // Freeze shogi keeps its notes in KIF and KI2.
        Format::Ki2 => shogi,
        Format::Csa | Format::Csa3 | Format::Jkf => game.variant() == "shogi",
    };
    let own = [game.place.format.filter(fits).unwrap_or(Format::Kif)];
    let mut wanted: Vec<Format> = job.formats.iter().copied().filter(fits).collect();
    if wanted.is_empty() {
        wanted = own.to_vec();
    }
    let options = |format: Format| {
        // A Shift_JIS record stays one; all others are UTF-8, which readers recognise.
        let same =
            game.place.encoding == Encoding::ShiftJis && matches!(format, Format::Kif | Format::Ki2) && shogi;
        let encoding = if same { Encoding::ShiftJis } else { Encoding::Utf8 };
        WriteOptions { encoding: Some(encoding), ..WriteOptions::new(format) }
    };
    wanted.into_iter().map(options).collect()
}

/// `DIR/sub/name.ext`, numbered where inputs share a name.
fn free_name(folder: &Path, relative: &Path, extension: &str, taken: &mut HashSet<PathBuf>) -> PathBuf {
    let stem = relative.file_stem().map_or_else(|| "game".into(), |stem| stem.to_string_lossy());
    let place = folder.join(relative.parent().unwrap_or(Path::new("")));
    let mut path = place.join(format!("{stem}.{extension}"));
    let mut number = 2;
    while !taken.insert(path.clone()) {
        path = place.join(format!("{stem}-{number}.{extension}"));
        number += 1;
    }
    path
}

/// Whether two names are the same file.
fn same(one: &Path, other: &Path) -> bool {
    let found = |path: &Path| path.canonicalize().ok();
    found(one).is_some_and(|one| found(other) == Some(one))
}
