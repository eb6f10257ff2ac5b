//! How far runs are, for the list: lines of their journals, and how many they want.

use super::matches::Match;
use super::training::Training;
use arena::tournament::{GAMES, ITERATIONS, RunFolder};
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// How many lines a journal had up to a place.
#[derive(Clone, Copy, Default)]
struct Counted {
    bytes: u64,
    lines: u64,
}

/// What has been counted, so that only what is new is read the next time.
#[derive(Default)]
pub(super) struct Progress {
    counted: HashMap<PathBuf, Counted>,
    trainings: HashMap<PathBuf, Training>,
}

impl Progress {
    /// How far a run of a kind is, and how many it wants.
    pub(super) fn of(&mut self, path: &Path, kind: &str) -> (u64, Option<u64>) {
        match kind {
            "match" => {
                let wanted = Match::open(path).ok().and_then(|run| run.games_wanted());
                (self.lines(path.join(GAMES)), wanted)
            }
            "csa" => (self.lines(path.join(GAMES)), None),
            "tune" => {
                let config: Option<serde_json::Value> = RunFolder::config(path).ok();
                (self.lines(path.join(ITERATIONS)), config.and_then(|config| config["iterations"].as_u64()))
            }
            "train" => {
                let training = self.trainings.entry(path.to_owned()).or_insert_with(|| Training::open(path));
                // One that cannot be read has no steps; the page of the run says why.
                (training.read().map_or(0, |_| training.steps()), None)
            }
            _ => (0, None),
        }
    }

    fn lines(&mut self, path: PathBuf) -> u64 {
        let Ok(mut file) = File::open(&path) else { return 0 };
        let length = file.metadata().map_or(0, |data| data.len());
        let counted = self.counted.entry(path).or_default();
        if length < counted.bytes {
            *counted = Counted::default();
        }
        if file.seek(SeekFrom::Start(counted.bytes)).is_err() {
            return counted.lines;
        }
        let mut buffer = vec![0; 1 << 18];
        while let Ok(read @ 1..) = file.read(&mut buffer) {
            counted.lines += memchr::memchr_iter(b'\n', &buffer[..read]).count() as u64;
            counted.bytes += read as u64;
        }
        counted.lines
    }
}
