use super::difference::{difference, different_openings};
use super::record::GameRecord;
use platform::{AtPath, FileError, FileLock, atomic_file, file_name};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Why a run folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file with unexpected content.
    #[error("{}: {what}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// There are no openings.
    #[error("the run has no openings")]
    NoOpenings,
    /// Another process uses it.
    #[error("{} is in use by another run", .0.display())]
    InUse(PathBuf),
    /// The folder belongs to another run.
    #[error("{} holds another run: {difference}; choose another --out", path.display())]
    Another {
        /// The folder.
        path: PathBuf,
        /// The differences.
        difference: String,
    },
}

/// The folder of a run: its configuration, its openings, and a journal with a line for each finished piece of work.
///
/// A line counts once its newline is written; an incomplete line left by a kill is removed.
pub struct RunFolder {
    path: PathBuf,
    journal_path: PathBuf,
    journal: File,
    synced: Instant,
    /// A separate file: on Windows a locked file cannot be read by others.
    _lock: FileLock,
}

const CONFIG: &str = "config.json";
const LOCK: &str = "run.lock";
const OPENINGS: &str = "openings.txt";
/// The journal of a match.
pub const GAMES: &str = "games.jsonl";
/// The journal of a tuning.
pub const ITERATIONS: &str = "iterations.jsonl";
/// The most work that a power failure may cost; a kill costs nothing that was written.
const SYNC_EVERY: Duration = Duration::from_secs(1);

impl RunFolder {
    /// Creates a folder for this configuration, or resumes the one with the same configuration.
    pub fn create_or_resume<C>(
        path: &Path,
        journal: &str,
        config: &C,
        openings: &[String],
    ) -> Result<Self, FolderError>
    where
        C: Serialize + DeserializeOwned + PartialEq,
    {
        let list = openings.iter().fold(String::new(), |list, opening| list + opening + "\n");
        if path.join(CONFIG).exists() {
            let another = |difference| FolderError::Another { path: path.to_owned(), difference };
            let there = Self::config::<C>(path)?;
            if there != *config {
                return Err(another(difference(&there, config)));
            }
            let file = path.join(OPENINGS);
            let there = fs::read_to_string(&file).at_path(&file)?;
            if there != list {
                return Err(another(different_openings(&there, &list)));
            }
        } else {
            fs::create_dir_all(path).at_path(path)?;
            atomic_file::write(&path.join(OPENINGS), list.as_bytes())?;
            let text = serde_json::to_string_pretty(config).map_err(|error| content(path, &error))?;
            // Written last, because its presence makes the folder a run.
            atomic_file::write(&path.join(CONFIG), text.as_bytes())?;
        }
        Self::open(path, journal)
    }

    /// Starts a new run, or resumes an equal one, in `out` or the first free folder of that name.
    pub fn begin<C>(
        out: Option<&Path>,
        name: &str,
        journal: &str,
        config: C,
        openings: Vec<String>,
    ) -> Result<(C, Vec<String>, Self), FolderError>
    where
        C: Serialize + DeserializeOwned + PartialEq,
    {
        let path = out.map_or_else(|| Self::free_path(name), Path::to_owned);
        let folder = Self::create_or_resume(&path, journal, &config, &openings)?;
        Ok((config, openings, folder))
    }

    /// The run in a folder: its configuration, its openings, and the folder itself.
    pub fn resume<C: DeserializeOwned>(
        path: &Path,
        journal: &str,
    ) -> Result<(C, Vec<String>, Self), FolderError> {
        let (config, openings) = (Self::config(path)?, Self::openings(path)?);
        let folder = Self::open(path, journal)?;
        if openings.is_empty() {
            return Err(FolderError::NoOpenings);
        }
        Ok((config, openings, folder))
    }

    /// Opens the folder of an existing run.
    pub fn open(path: &Path, journal: &str) -> Result<Self, FolderError> {
        let begun = Instant::now();
        let lock = loop {
            match FileLock::take(&path.join(LOCK))? {
                Some(lock) => break lock,
                // A child process that has not called `exec` yet still holds a copy of the released lock.
                None if begun.elapsed() < LOCK_PATIENCE => std::thread::sleep(Duration::from_millis(10)),
                None => return Err(FolderError::InUse(path.to_owned())),
            }
        };
        let file = path.join(journal);
        let journal = File::options().read(true).append(true).create(true).open(&file).at_path(&file)?;
        Ok(Self { path: path.to_owned(), journal_path: file, journal, synced: Instant::now(), _lock: lock })
    }

    /// The first of `name-1`, `name-2`, … that does not exist.
    fn free_path(name: &str) -> PathBuf {
        let mut paths = (1..).map(|number| PathBuf::from(format!("{name}-{number}")));
        paths.find(|path: &PathBuf| !path.exists()).unwrap_or_default()
    }

    /// The configuration of a run.
    pub fn config<C: DeserializeOwned>(path: &Path) -> Result<C, FolderError> {
        let file = path.join(CONFIG);
        let text = fs::read_to_string(&file).at_path(&file)?;
        serde_json::from_str(&text).map_err(|error| content(&file, &error))
    }

    /// The openings of a run.
    pub fn openings(path: &Path) -> Result<Vec<String>, FolderError> {
        let file = path.join(OPENINGS);
        Ok(fs::read_to_string(&file).at_path(&file)?.lines().map(str::to_owned).collect())
    }

    /// All games of a run, in the order of finishing.
    pub fn games(path: &Path) -> Result<Vec<GameRecord>, FolderError> {
        let file = path.join(GAMES);
        let bytes = fs::read(&file).at_path(&file)?;
        whole_lines(&file, &bytes)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The finished work so far; removes an incomplete line at the end.
    pub fn replay<R: DeserializeOwned>(&mut self) -> Result<Vec<R>, FolderError> {
        let file = self.journal_path.clone();
        let mut bytes = Vec::new();
        self.journal.seek(SeekFrom::Start(0)).at_path(&file)?;
        self.journal.read_to_end(&mut bytes).at_path(&file)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        if whole < bytes.len() {
            self.journal.set_len(whole as u64).at_path(&file)?;
        }
        whole_lines(&file, &bytes)
    }

    /// Appends a finished piece of work.
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), FolderError> {
        let file = &self.journal_path;
        let mut line = serde_json::to_vec(record).map_err(|error| content(file, &error))?;
        line.push(b'\n');
        self.journal.write_all(&line).at_path(file)?;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    /// Syncs the journal to disk.
    pub fn sync(&mut self) -> Result<(), FolderError> {
        self.synced = Instant::now();
        Ok(self.journal.sync_data().at_path(&self.journal_path)?)
    }

    /// Writes a file of the run atomically.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let file = self.path.join(name);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).at_path(folder)?;
        }
        Ok(atomic_file::write_unsynced(&file, bytes)?)
    }

    /// The file for standard error of this engine.
    #[must_use]
    pub fn errors_of(&self, name: &str) -> PathBuf {
        self.path.join(format!("{}.stderr.txt", file_name(name)))
    }
}

fn content(path: &Path, what: &dyn std::fmt::Display) -> FolderError {
    FolderError::Content { path: path.to_owned(), what: what.to_string() }
}

fn whole_lines<R: DeserializeOwned>(file: &Path, bytes: &[u8]) -> Result<Vec<R>, FolderError> {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    // After the last newline there is nothing, or an incomplete line.
    lines.pop();
    let numbered = lines.iter().enumerate().filter(|(_, line)| !line.is_empty());
    numbered
        .map(|(index, line)| {
            serde_json::from_slice(line)
                .map_err(|error| content(file, &format!("line {}: {error}", index + 1)))
        })
        .collect()
}

/// How long a lock held by another process is retried.
const LOCK_PATIENCE: Duration = Duration::from_millis(500);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_line_is_cut_off_and_the_rest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let mut run = RunFolder::create_or_resume(&path, GAMES, &1_u32, &[]).unwrap();
        run.append(&7_u32).unwrap();
        run.append(&8_u32).unwrap();
        assert!(matches!(RunFolder::open(&path, GAMES), Err(FolderError::InUse(_))));
        drop(run);
        let file = path.join(GAMES);
        fs::write(&file, "7\n8\n9").unwrap();
        let mut run = RunFolder::create_or_resume(&path, GAMES, &1_u32, &[]).unwrap();
        assert_eq!(run.replay::<u32>().unwrap(), [7, 8]);
        run.append(&10_u32).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "7\n8\n10\n");
        drop(run);
        let other = RunFolder::create_or_resume(&path, GAMES, &2_u32, &[]).err().unwrap().to_string();
        assert!(other.contains("holds another run: the configuration is `1` there and `2` here;"), "{other}");
        let other = RunFolder::create_or_resume(&path, GAMES, &1_u32, &["startpos".into()]).err().unwrap();
        assert!(other.to_string().contains("opening 1 is missing there and `startpos` here"), "{other}");
        fs::write(&file, "7\nx\n").unwrap();
        let mut run = RunFolder::open(&path, GAMES).unwrap();
        assert!(run.replay::<u32>().unwrap_err().to_string().contains("line 2"));
    }
}
