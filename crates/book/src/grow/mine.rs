//! `book mine`: grows a book in rounds. Each round chooses leaves by min-max and searches them.

use crate::error::{At, BookError};
use crate::{
    Cluster, GrowingBook, LeafPolicy, MinMaxOptions, SolvedBook, ThinkError, Wanted, choose_leaves,
    positions_to_think, write_lines,
};
use shogi::Position;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Settings of mining.
pub struct Mining<'a> {
    /// The file of the growing book.
    pub book: &'a Path,
    /// The roots.
    pub roots: &'a [(Position, String)],
    /// How leaves are chosen.
    pub policy: LeafPolicy<'a>,
    /// Number of rounds.
    pub rounds: u64,
    /// Number of positions searched in a round.
    pub leaves: usize,
    /// Which positions still need a search.
    pub wanted: Wanted,
}

/// Why mining ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MineEnd {
    /// All rounds are done.
    Done,
    /// No position is left to search.
    NothingLeft,
    /// `tell` returned false; the plan of the round is kept.
    Stopped,
}

/// Searches positions, saves the book and returns how many were searched.
pub type Think<'t> = &'t mut dyn FnMut(&mut GrowingBook, &[Position]) -> Result<usize, ThinkError>;

impl Mining<'_> {
    /// Runs the rounds. `think` searches positions and saves the book; `tell` receives a line about each round and
    /// returns whether to go on. An interrupted round is resumed with its plan.
    pub fn run(
        &self,
        mut growing: GrowingBook,
        think: Think<'_>,
        tell: &mut dyn FnMut(&str) -> bool,
    ) -> Result<MineEnd, ThinkError> {
        let plan_path = Plan::path(self.book);
        let mut plan = Plan::read(&plan_path)?.unwrap_or_default();
        let mut end = MineEnd::Done;
        while plan.round <= self.rounds {
            let begin = Instant::now();
            let mut open =
                positions_to_think(plan.positions.clone(), growing.book(), self.wanted, Cluster::default());
            if plan.round == 0 || open.is_empty() {
                plan = Plan { round: plan.round + 1, positions: Vec::new() };
                if plan.round > self.rounds {
                    break;
                }
                plan.positions = self.choose(&mut growing)?;
                plan.write(&plan_path)?;
                open.clone_from(&plan.positions);
            }
            if open.is_empty() {
                end = MineEnd::NothingLeft;
                break;
            }
            let done = think(&mut growing, &open)?;
            let (seconds, positions) = (begin.elapsed().as_secs_f64(), growing.book().len());
            let (round, rounds) = (plan.round, self.rounds);
            let line = format!(
                "round {round} of {rounds}: {done} positions in {seconds:.1} s, {positions} in the book"
            );
            if !tell(&line) {
                return Ok(MineEnd::Stopped);
            }
            plan.positions.clear();
        }
        growing.close()?;
        if plan_path.exists() {
            std::fs::remove_file(&plan_path).at(&plan_path)?;
        }
        Ok(end)
    }

    /// Chooses the leaves of a round.
    fn choose(&self, growing: &mut GrowingBook) -> Result<Vec<Position>, BookError> {
        growing.save()?;
        if growing.book().is_empty() {
            return Ok(self.roots.iter().map(|(position, _)| position.clone()).collect());
        }
        let solved = SolvedBook::read(self.book, MinMaxOptions::default().threads, &|_, _| ())?;
        Ok(choose_leaves(growing.book(), &solved, self.roots, &self.policy, self.leaves))
    }
}

/// The plan of a round, saved so that an interrupted one can be resumed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Plan {
    round: u64,
    positions: Vec<Position>,
}

/// The word before the number of the round.
const ROUND: &str = "# round ";

impl Plan {
    fn path(book: &Path) -> PathBuf {
        let mut name = book.as_os_str().to_owned();
        name.push(".plan");
        name.into()
    }

    fn read(path: &Path) -> Result<Option<Self>, BookError> {
        if !path.exists() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(path).at(path)?;
        let mut lines = text.lines();
        let round = lines.next().and_then(|line| line.strip_prefix(ROUND)?.parse().ok());
        let no_round = || BookError::format(path, format!("expected `{ROUND}N` in the first line"));
        let round = round.ok_or_else(no_round)?;
        let positions = lines.map(Position::from_sfen).collect::<Result<_, _>>();
        let positions = positions.map_err(|error| BookError::format(path, error.to_string()))?;
        Ok(Some(Self { round, positions }))
    }

    fn write(&self, path: &Path) -> Result<(), BookError> {
        let round = std::iter::once(format!("{ROUND}{}", self.round));
        write_lines(&round.chain(self.positions.iter().map(Position::sfen)).collect::<Vec<_>>(), path)
    }
}
