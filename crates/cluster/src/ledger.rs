//! The folder of a run on the coordinator's disk: plan, ledger, outputs. This is the truth; the server only carries.
//!
//! `plan` determines the jobs. `outputs` is the outputs one after another, in the order in which they came. `ledger` is lines,
//! each with a checksum, that say which of them count. A line is written after its output, so a torn end loses a job, never more.

use crate::names::RunId;
use platform::{AtPath, FileError, FileLock, Random, atomic_file};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why the folder of a run cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another process works with it.
    #[error("{}: another process coordinates this run", .0.display())]
    Locked(PathBuf),
    /// The plan is another one.
    #[error("{}: the plan of another run; remove the folder to begin again", .0.display())]
    Plan(PathBuf),
    /// An output was changed after it was written.
    #[error("{}: the output of job {job} was damaged; remove the folder to begin again", folder.display())]
    Output {
        /// The folder.
        folder: PathBuf,
        /// The job.
        job: u64,
    },
}

/// A job that is done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// The repetition that counts.
    pub k: u32,
    /// Who did it.
    pub worker: String,
    offset: u64,
    length: u64,
    sum: String,
}

/// The folder of a run.
pub struct RunFolder {
    path: PathBuf,
    run: RunId,
    owner: String,
    ledger: File,
    outputs: File,
    end: u64,
    done: BTreeMap<u64, Done>,
    /// The next repetition of jobs that were withdrawn.
    again: BTreeMap<u64, u32>,
    poison: BTreeSet<u64>,
    withdrawn: BTreeSet<String>,
    dirty: bool,
    _lock: FileLock,
}

/// Digits of a SHA-256 in a line: more than enough against accidents.
const DIGITS: usize = 32;

impl RunFolder {
    /// Opens the folder of a plan below `runs`, and makes it if it is not there.
    pub fn open(runs: &Path, plan: &[u8]) -> Result<Self, LedgerError> {
        let run = RunId::of_plan(plan);
        let path = runs.join(run.as_str());
        fs::create_dir_all(&path).at_path(&path)?;
        let lock = FileLock::take(&path.join("run.lock"))?;
        let lock = lock.ok_or_else(|| LedgerError::Locked(path.clone()))?;
        let plan_path = path.join("plan");
        match fs::read(&plan_path) {
            Ok(old) if old == plan => {}
            Ok(_) => return Err(LedgerError::Plan(path)),
            Err(_) => atomic_file::write(&plan_path, plan)?,
        }
        let owner_path = path.join("owner");
        let owner = if let Ok(owner) = fs::read_to_string(&owner_path) {
            owner
        } else {
            let owner = format!("{:016x}", Random::fresh_seed());
            atomic_file::write(&owner_path, owner.as_bytes())?;
            owner
        };
        let open = |name: &str| {
            let path = path.join(name);
            File::options().read(true).create(true).append(true).open(&path).at_path(&path)
        };
        let (ledger, outputs) = (open("ledger")?, open("outputs")?);
        let mut folder = Self {
            path,
            run,
            owner,
            ledger,
            outputs,
            end: 0,
            done: BTreeMap::new(),
            again: BTreeMap::new(),
            poison: BTreeSet::new(),
            withdrawn: BTreeSet::new(),
            dirty: false,
            _lock: lock,
        };
        folder.replay()?;
        Ok(folder)
    }

    /// Reads the ledger up to its first bad line, and cuts it there.
    fn replay(&mut self) -> Result<(), LedgerError> {
        let path = self.path.join("ledger");
        let text = fs::read(&path).at_path(&path)?;
        let length = self.outputs.metadata().at_path(&self.path)?.len();
        let mut good = 0;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let Some(entry) = checked(line) else { break };
            if self.apply(entry, length).is_none() {
                break;
            }
            good += line.len();
        }
        self.ledger.set_len(good as u64).at_path(&path)?;
        self.end = self.done.values().map(|done| done.offset + done.length).max().unwrap_or(0);
        // What follows belongs to a line that was lost.
        self.outputs.set_len(self.end).at_path(&self.path)?;
        Ok(())
    }

    fn apply(&mut self, entry: &str, length: u64) -> Option<()> {
        let words: Vec<&str> = entry.split(' ').collect();
        match words[..] {
            ["done", n, k, worker, offset, size, sum] => {
                let (offset, size): (u64, u64) = (offset.parse().ok()?, size.parse().ok()?);
                if offset.checked_add(size)? > length {
                    return None;
                }
                let (worker, sum) = (worker.to_owned(), sum.to_owned());
                let done = Done { k: k.parse().ok()?, worker, offset, length: size, sum };
                self.done.insert(n.parse().ok()?, done);
            }
            ["again", n, k] => {
                let n = n.parse().ok()?;
                self.done.remove(&n);
                self.again.insert(n, k.parse().ok()?);
            }
            ["poison", n] => {
                self.poison.insert(n.parse().ok()?);
            }
            ["withdrawn", worker] => {
                self.withdrawn.insert(worker.to_owned());
            }
            _ => return None,
        }
        Some(())
    }

    fn write(&mut self, entry: &str) -> Result<(), LedgerError> {
        let line = format!("{:08x} {entry}\n", crc32fast::hash(entry.as_bytes()));
        self.ledger.write_all(line.as_bytes()).at_path(&self.path)?;
        self.dirty = true;
        Ok(())
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The run.
    #[must_use]
    pub fn run(&self) -> &RunId {
        &self.run
    }

    /// The name of the coordinator of this folder, the same after a restart.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// The jobs that are done.
    #[must_use]
    pub fn done(&self) -> &BTreeMap<u64, Done> {
        &self.done
    }

    /// The jobs that were given up.
    #[must_use]
    pub fn poison(&self) -> &BTreeSet<u64> {
        &self.poison
    }

    /// The workers whose results do not count.
    #[must_use]
    pub fn withdrawn(&self) -> &BTreeSet<String> {
        &self.withdrawn
    }

    /// The repetition in which a job that is not done has to be done.
    #[must_use]
    pub fn repetition(&self, n: u64) -> u32 {
        self.again.get(&n).copied().unwrap_or(0)
    }

    /// Enters an output.
    pub fn enter(&mut self, n: u64, k: u32, worker: &str, output: &[u8]) -> Result<(), LedgerError> {
        self.outputs.write_all(output).at_path(&self.path)?;
        let sum = platform::sha256(output)[..DIGITS].to_owned();
        let (offset, length) = (self.end, output.len() as u64);
        self.end += length;
        self.write(&format!("done {n} {k} {worker} {offset} {length} {sum}"))?;
        self.poison.remove(&n);
        self.done.insert(n, Done { k, worker: worker.to_owned(), offset, length, sum });
        Ok(())
    }

    /// A job must be done again, in repetition `k`.
    pub fn again(&mut self, n: u64, k: u32) -> Result<(), LedgerError> {
        self.write(&format!("again {n} {k}"))?;
        self.done.remove(&n);
        self.again.insert(n, k);
        Ok(())
    }

    /// A job is given up.
    pub fn give_up(&mut self, n: u64) -> Result<(), LedgerError> {
        self.poison.insert(n);
        self.write(&format!("poison {n}"))
    }

    /// The results of a worker do not count: returns the jobs that it had done.
    pub fn withdraw(&mut self, worker: &str) -> Result<Vec<u64>, LedgerError> {
        if !self.withdrawn.insert(worker.to_owned()) {
            return Ok(Vec::new());
        }
        self.write(&format!("withdrawn {worker}"))?;
        let of_worker = self.done.iter().filter(|(_, done)| done.worker == worker);
        let jobs: Vec<(u64, u32)> = of_worker.map(|(n, done)| (*n, done.k + 1)).collect();
        jobs.into_iter().map(|(n, k)| self.again(n, k).map(|()| n)).collect()
    }

    /// Syncs what was written.
    pub fn sync(&mut self) -> Result<(), LedgerError> {
        if self.dirty {
            self.outputs.sync_data().and_then(|()| self.ledger.sync_data()).at_path(&self.path)?;
            self.dirty = false;
        }
        Ok(())
    }

    /// The output of a job that is done.
    pub fn output(&mut self, n: u64) -> Result<Option<Vec<u8>>, LedgerError> {
        let Some(done) = self.done.get(&n) else { return Ok(None) };
        let mut output = Vec::new();
        let file = &mut self.outputs;
        file.seek(SeekFrom::Start(done.offset)).at_path(&self.path)?;
        file.take(done.length).read_to_end(&mut output).at_path(&self.path)?;
        if platform::sha256(&output)[..DIGITS] == done.sum {
            Ok(Some(output))
        } else {
            Err(LedgerError::Output { folder: self.path.clone(), job: n })
        }
    }

    /// Removes the folder, after its outputs were used.
    pub fn remove(self) -> Result<(), LedgerError> {
        let path = self.path.clone();
        // Closes its files and releases its lock.
        drop(self);
        fs::remove_dir_all(&path).at_path(&path)?;
        Ok(())
    }
}

/// The entry of a whole line with the right checksum.
fn checked(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (sum, entry) = line.split_once(' ')?;
    (u32::from_str_radix(sum, 16).ok()? == crc32fast::hash(entry.as_bytes())).then_some(entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_cut_anywhere_loses_its_end_only() {
        let folder = tempfile::tempdir().unwrap();
        let mut run = RunFolder::open(folder.path(), b"plan").unwrap();
        for n in 0..4 {
            run.enter(n, 0, "a.1", format!("output {n}").as_bytes()).unwrap();
        }
        let (path, owner) = (run.path().to_owned(), run.owner().to_owned());
        assert!(matches!(RunFolder::open(folder.path(), b"plan"), Err(LedgerError::Locked(_))));
        drop(run);
        let (ledger, outputs) =
            (fs::read(path.join("ledger")).unwrap(), fs::read(path.join("outputs")).unwrap());
        let lines: Vec<usize> = (0..=ledger.len()).filter(|i| ledger[..*i].ends_with(b"\n")).collect();
        for length in 0..=ledger.len() {
            fs::write(path.join("ledger"), &ledger[..length]).unwrap();
            fs::write(path.join("outputs"), &outputs).unwrap();
            let mut run = RunFolder::open(folder.path(), b"plan").unwrap();
            let whole = lines.iter().filter(|end| **end <= length).count();
            assert_eq!((run.done().len(), run.owner()), (whole, owner.as_str()), "{length} bytes");
            run.enter(9, 0, "a.1", b"nine").unwrap();
            drop(run);
            let mut run = RunFolder::open(folder.path(), b"plan").unwrap();
            assert_eq!(run.output(9).unwrap().unwrap(), b"nine");
            for n in 0..whole as u64 {
                assert_eq!(run.output(n).unwrap().unwrap(), format!("output {n}").into_bytes());
            }
        }
        for length in 0..outputs.len() {
            fs::write(path.join("ledger"), &ledger).unwrap();
            fs::write(path.join("outputs"), &outputs[..length]).unwrap();
            let run = RunFolder::open(folder.path(), b"plan").unwrap();
            assert_eq!(run.done().len(), length / 8, "{length} bytes of outputs");
        }
        fs::write(path.join("outputs"), b"output 0output 1outPut 2output 3").unwrap();
        fs::write(path.join("ledger"), &ledger).unwrap();
        let mut run = RunFolder::open(folder.path(), b"plan").unwrap();
        assert!(matches!(run.output(2), Err(LedgerError::Output { job: 2, .. })));
        run.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn withdrawn_jobs_are_done_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut run = RunFolder::open(folder.path(), b"plan").unwrap();
        run.enter(0, 0, "good.1", b"0").unwrap();
        run.enter(1, 0, "bad.1", b"wrong").unwrap();
        run.give_up(2).unwrap();
        assert_eq!(run.withdraw("bad.1").unwrap(), [1]);
        assert!(run.withdraw("bad.1").unwrap().is_empty());
        drop(run);
        let mut run = RunFolder::open(folder.path(), b"plan").unwrap();
        assert_eq!((run.done().len(), run.repetition(1), run.repetition(0)), (1, 1, 0));
        assert!(run.withdrawn().contains("bad.1") && run.poison().contains(&2));
        run.enter(1, 1, "good.1", b"right").unwrap();
        assert_eq!(run.output(1).unwrap().unwrap(), b"right");
    }
}
