//! `train run`: makes a network from scratch, by a list of this program's own commands.

use crate::corpus::{self, CorpusError};
use platform::{AtPath, FileError};
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Rounds of games, training and a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pipeline {
    /// Folder for games, networks and matches.
    pub out: PathBuf,
    /// Approximate total time in minutes; three quarters are for games.
    pub minutes: u64,
    /// Number of networks, each trained on the games of all before it.
    pub rounds: u32,
    /// Level of the material evaluation in the first games and in the matches.
    pub material: u8,
    /// Nodes per search in the games.
    pub nodes: u64,
    /// Architecture of the networks.
    pub shape: String,
    /// Games per match; 0 for none.
    pub match_games: u32,
    /// Number of threads; `None` for the number of cores.
    pub threads: Option<usize>,
    /// Seed of the random choices.
    pub seed: u64,
}

/// Why a pipeline stopped.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// The folder was made with other settings.
    #[error("{} has a run with other settings; step {number} there:\n  {other}\nhere:\n  {step}", folder.display())]
    Other {
        /// The folder.
        folder: PathBuf,
        /// The first step that differs, counted from 1.
        number: usize,
        /// The step there.
        other: String,
        /// The step of this pipeline.
        step: String,
    },
    /// A command failed.
    #[error("step {number} of {count} failed: {step}")]
    Step {
        /// Counted from 1.
        number: usize,
        /// Number of all steps.
        count: usize,
        /// The command.
        step: String,
    },
    /// A command could not be started.
    #[error("starting the step: {0}")]
    Start(io::Error),
    /// Games cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A file error.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Prefix of the folders of games.
const GAMES: &str = "games";
/// Prefix of the folders of networks.
const NET: &str = "net";

impl Pipeline {
    /// Runs the remaining steps; `report` receives the number of a step, the number of all, and the command.
    pub fn run(
        &self,
        program: &Path,
        mut report: impl FnMut(usize, usize, &str),
    ) -> Result<(), PipelineError> {
        let steps = self.steps(program)?;
        fs::create_dir_all(&self.out).at_path(&self.out)?;
        let log = self.out.join("steps.txt");
        let done = fs::read_to_string(&log).unwrap_or_default();
        let (count, mut done) = (steps.len(), done.lines());
        for (number, command) in (1..).zip(&steps) {
            let step = command.to_string();
            match done.next() {
                Some(other) if other == step => continue,
                Some(other) => {
                    let (folder, other) = (self.out.clone(), other.to_owned());
                    return Err(PipelineError::Other { folder, number, other, step });
                }
                None => report(number, count, &step),
            }
            if command.is_match() {
                self.write_openings()?;
            }
            let status = Command::new(program).args(&command.0).status().map_err(PipelineError::Start)?;
            if !status.success() {
                return Err(PipelineError::Step { number, count, step });
            }
            let mut file = OpenOptions::new().create(true).append(true).open(&log).at_path(&log)?;
            writeln!(file, "{step}").at_path(&log)?;
        }
        Ok(())
    }

    /// The folder of the last network.
    #[must_use]
    pub fn network(&self) -> PathBuf {
        self.out.join(format!("{NET}{}", self.rounds))
    }

    /// Writes the openings of matches: start positions of first-round games, which are after random moves and not lost.
    fn write_openings(&self) -> Result<(), PipelineError> {
        let wanted = self.match_games.div_ceil(2) as usize;
        let mut lines = Vec::new();
        let mut left = wanted;
        for file in corpus::files(&[self.out.join(format!("{GAMES}1"))])? {
            for game in corpus::games(&file)?.take(left) {
                lines.push(format!("sfen {}\n", game?.start.sfen()));
                left -= 1;
            }
        }
        let path = self.openings();
        Ok(fs::write(&path, lines.concat()).at_path(&path)?)
    }

    fn openings(&self) -> PathBuf {
        self.out.join("openings.txt")
    }

    /// The commands; `program` plays the matches.
    pub fn steps(&self, program: &Path) -> Result<Vec<Step>, FileError> {
        let program = program.to_string_lossy();
        let folder =
            |name: &str, round: u32| self.out.join(format!("{name}{round}")).to_string_lossy().into_owned();
        // Engines run in folders of their own.
        let out = std::path::absolute(&self.out).at_path(&self.out)?;
        let net = |round: u32| out.join(format!("{NET}{round}")).to_string_lossy().into_owned();
        let seconds = self.minutes * 60 * 3 / 4 / u64::from(self.rounds);
        let steps = (1..=self.rounds)
            .flat_map(|round| {
                let play = Step::of("train generate").with("--out", folder(GAMES, round));
                let play = if round == 1 {
                    play.with_number("--material", self.material)
                } else {
                    play.with("--eval", folder(NET, round - 1))
                };
                let play = play
                    .with_number("--nodes", self.nodes)
                    .with_number("--seconds", seconds)
                    .with_number("--seed", self.seed + u64::from(round))
                    .with_threads("--threads", self.threads);
                let fit = Step::of("train fit --data")
                    .and((1..=round).map(|round| folder(GAMES, round)))
                    .with("--out", folder(NET, round))
                    .with("--shape", &self.shape)
                    .with_number("--seed", self.seed)
                    .and(FITTING.split(' '))
                    .with_threads("--threads", self.threads);
                let contest = Step::of("match")
                    .with("--engine", format!("name={NET}{round}"))
                    .and([format!("cmd={program}"), format!("option.EvalDir={}", net(round))])
                    .with("--engine", "name=material")
                    .and([format!("cmd={program}"), "option.EvalDir=<material>".to_owned()])
                    .and([format!("option.MaterialLevel={}", self.material)])
                    .and("--each nodes=1000 threads=1 hash=16 --records none".split(' '))
                    .with_number("--games", self.match_games.next_multiple_of(2))
                    .with("--openings", self.openings().to_string_lossy())
                    .with("--out", folder("match", round))
                    .with_threads("--concurrency", self.threads);
                [play, fit].into_iter().chain((self.match_games > 0).then_some(contest))
            })
            .collect();
        Ok(steps)
    }
}

/// Settings for small sets of our own games: a single pass in small batches.
const FITTING: &str = "--epochs 1 --batch 2048 --lr 0.0008 --lambda 0.3";

/// A command as its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step(Vec<String>);

impl Step {
    fn of(words: &str) -> Self {
        Self(Vec::new()).and(words.split(' '))
    }

    fn and(mut self, words: impl IntoIterator<Item: Into<String>>) -> Self {
        self.0.extend(words.into_iter().map(Into::into));
        self
    }

    fn with(self, name: &str, value: impl Into<String>) -> Self {
        self.and([name.to_owned(), value.into()])
    }

    fn with_number(self, name: &str, number: impl Into<u64>) -> Self {
        self.with(name, number.into().to_string())
    }

    fn with_threads(self, name: &str, threads: Option<usize>) -> Self {
        match threads {
            Some(threads) => self.with(name, threads.to_string()),
            None => self,
        }
    }

    fn is_match(&self) -> bool {
        self.0[0] == "match"
    }
}

/// In one line, quoted for a shell.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,".contains(c);
        f.write_str("tsumugi")?;
        for word in &self.0 {
            if word.chars().all(plain) {
                write!(f, " {word}")?;
            } else {
                write!(f, " '{}'", word.replace('\'', r"'\''"))?;
            }
        }
        Ok(())
    }
}
