//! Files on the disk against what a library knows of them.

use crate::format::segment::SourceFile;
use crate::{Library, LibraryError};
use platform::{AtPath, FileError};
use record::convert::record_files;
use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A file that is to be read.
pub(crate) struct Wanted {
    pub path: PathBuf,
    /// As it will be stored; what is known from an interrupted run counts already.
    pub file: SourceFile,
    /// So many of its games are in the library already.
    pub seen: u32,
}

/// What is to be done.
#[derive(Default)]
pub(crate) struct Plan {
    pub wanted: Vec<Wanted>,
    /// Files that have not changed.
    pub unchanged: usize,
    /// Games in those that could not be read.
    pub known_failures: usize,
    /// Stored names of files whose games are to go: they have changed.
    pub changed: HashSet<String>,
    /// Files that are no longer there.
    pub gone: Vec<String>,
    /// What could not be looked at, and why.
    pub failures: Vec<String>,
}

/// The newest state of each file.
pub(crate) fn known_files(library: &Library) -> HashMap<String, SourceFile> {
    let mut known = HashMap::new();
    for segment in library.segments() {
        for file in (0..segment.files()).filter_map(|number| segment.file(number)) {
            known.insert(file.path.clone(), file);
        }
    }
    known
}

/// Compares what lies under the inputs with what is known.
pub(crate) fn plan(library: &Library, inputs: &[PathBuf]) -> Result<Plan, LibraryError> {
    let known = known_files(library);
    let base = base_folder(library.path())?;
    let mut plan = Plan::default();
    let (mut taken, mut roots) = (HashSet::new(), Vec::new());
    for input in inputs {
        if input == Path::new("-") {
            return Err(LibraryError::Stdin);
        }
        let found = match record_files(input) {
            Ok(found) => found,
            // A folder that is gone is no reason to forget its games, unless that is asked for.
            Err(error) => {
                plan.failures.push(format!("{}: {error}", input.display()));
                continue;
            }
        };
        roots.extend(plain(input)?.to_str().map(str::to_owned));
        for path in found {
            let absolute = plain(&path)?;
            let stored = stored_name(&base, &absolute);
            let is_library = absolute == plain(library.path())?;
            if is_library || !taken.insert(stored.clone()) {
                continue;
            }
            match std::fs::metadata(&path) {
                Ok(data) => plan.take(path, stored, &data, &known),
                Err(error) => plan.failures.push(format!("{}: {error}", path.display())),
            }
        }
    }
    let is_under = |path: &Path| roots.iter().any(|root| path.starts_with(root));
    let gone = known.into_keys().filter(|stored| {
        let path = base.join(stored);
        !taken.contains(stored) && is_under(&path) && !path.exists()
    });
    plan.gone = gone.collect();
    plan.gone.sort_unstable();
    Ok(plan)
}

impl Plan {
    fn take(&mut self, path: PathBuf, stored: String, data: &Metadata, known: &HashMap<String, SourceFile>) {
        let file = SourceFile {
            path: stored,
            size: data.len(),
            modified: modified(data),
            seen: 0,
            failed: 0,
            complete: false,
        };
        match known.get(&file.path) {
            Some(old) if old.complete && (old.size, old.modified) == (file.size, file.modified) => {
                self.unchanged += 1;
                self.known_failures += old.failed as usize;
            }
            Some(old) if old.seen > 0 && (old.size, old.modified) == (file.size, file.modified) => {
                // An interrupted run has read the first games.
                let file = SourceFile { seen: old.seen, failed: old.failed, ..file };
                self.wanted.push(Wanted { path, seen: file.seen, file });
            }
            old => {
                if old.is_some() {
                    self.changed.insert(file.path.clone());
                }
                self.wanted.push(Wanted { path, file, seen: 0 });
            }
        }
    }
}

/// When a file was last changed, in nanoseconds since 1970.
pub(crate) fn modified(data: &Metadata) -> u64 {
    let since = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |time| time.as_nanos() as u64)
}

/// A path from the root, without `..`.
fn plain(path: &Path) -> Result<PathBuf, FileError> {
    let mut plain = PathBuf::new();
    for part in std::path::absolute(path).at_path(path)?.components() {
        if part == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    Ok(plain)
}

/// The folder of a library.
fn base_folder(library: &Path) -> Result<PathBuf, LibraryError> {
    let absolute = plain(library)?;
    Ok(absolute.parent().map_or_else(PathBuf::new, Path::to_owned))
}

/// Files below the folder of the library are known relative to it, so that both can be moved together.
fn stored_name(base: &Path, absolute: &Path) -> String {
    absolute.strip_prefix(base).unwrap_or(absolute).to_string_lossy().into_owned()
}
