//! Compliance checks for authors of USI engines: does an engine do what hosts rely on?
//!
//! Each check starts the engine anew, sends what some real host sends, and checks the answers. The letters of the ids:
//! H handshake, P positions, G go, N pondering, C races, E endings, M mates, Q quitting.

mod endings;
mod handshake;
mod info;
mod mates;
mod pondering;
mod positions;
mod probe;
mod quitting;
mod races;
mod thinking;

use crate::engine::EngineSpec;
use probe::Probe;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};

/// Why a check was not passed.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Trouble {
    /// Hosts will fail.
    Fail(String),
    /// Some hosts may fail.
    Warn(String),
    /// The engine has ended.
    Dead(String),
}

type Verdict = Result<(), Trouble>;

fn fail<T>(what: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Fail(what.into()))
}

fn warn<T>(what: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Warn(what.into()))
}

/// One thing that hosts rely on.
pub struct Check {
    /// Its id.
    pub id: &'static str,
    /// The hosts concerned.
    pub hosts: &'static str,
    /// What they rely on.
    pub promise: &'static str,
    run: fn(&mut Probe) -> Verdict,
}

macro_rules! checks {
    ($($id:literal $hosts:literal $promise:literal $run:path;)*) => {
        &[$(Check { id: $id, hosts: $hosts, promise: $promise, run: $run }),*]
    };
}

/// All checks in order.
pub const CHECKS: &[Check] = checks! {
    "H1" "all; 将棋所 waits 2 s" "usiok, exactly so, within 2 s of the start, and an id" handshake::greets;
    "H2" "ShogiHome, ShogiArena" "options that a reader of blank-separated words understands" handshake::options_can_be_read;
    "H3" "cshogi" "nothing but ASCII up to readyok" handshake::speaks_ascii;
    "H4" "ShogiBoardQ" "readyok within 5 s" handshake::is_ready_soon;
    "H5" "ShogiHome" "takes its own defaults back" handshake::takes_its_defaults;
    "H6" "all" "shrugs off wrong options" handshake::shrugs_off_wrong_options;
    "H7" "obs-shogi" "isready, usinewgame, position and go without a pause" handshake::takes_all_at_once;
    "H8" "lishogi, shoginet" "usinewgame before isready; isready before each search keeps MultiPV" handshake::gets_ready_again;
    "H9" "hosts on Windows" "lines that end in CR LF" handshake::reads_crlf;
    "H10" "all" "shrugs off blank, unknown and very long lines" handshake::shrugs_off_junk;
    "P1" "lishogi" "an SFEN without move number, an empty list of moves, superfluous blanks" positions::is_tolerant;
    "P2" "long games" "a game of 500 moves" positions::takes_long_games;
    "P3" "all" "survives illegal moves and broken SFENs" positions::survives_nonsense;
    "P4" "composers of tsume" "a side without a king" positions::takes_one_king;
    "G1" "all" "moves within byoyomi, legally, as the last PV says" thinking::moves_in_time;
    "G2" "MyShogi" "info lines of known words, complete, with sane numbers" thinking::info_is_clean;
    "G3" "MyShogi" "fractional milliseconds and all mixtures of clocks" thinking::takes_all_clocks;
    "G4" "all" "go infinite waits for stop, and answers it at once and only once" thinking::infinite_waits;
    "G5" "all" "go infinite waits even where there is nothing to think about" thinking::infinite_waits_when_done;
    "G6" "shoginet" "of several limits the first ends the search" thinking::first_limit_ends;
    "G7" "ShogiBoardQ" "searchmoves" thinking::searchmoves;
    "G8" "ShogiHome" "MultiPV set between two searches" thinking::multipv;
    "N1" "all" "ponders until ponderhit, then moves" pondering::hit;
    "N2" "ShogiHome, YaneuraOu" "ponderhit brings the clocks" pondering::hit_with_clocks;
    "N3" "ShogiBoardQ" "no clocks at all while pondering" pondering::no_clocks;
    "N4" "ShogiHome" "a wrong guess: stop, and at once the next position" pondering::miss;
    "N5" "all" "one bestmove for each go, whatever crosses on the way" pondering::crossing_words;
    "C1" "ShogiHome" "60 searches stopped at once, each answered for its own position" races::quick_stops;
    "C2" "ShogiHome" "stop, gameover and isready in one breath" races::game_over_while_thinking;
    "C3" "servers, cshogi" "gameover while pondering; gameover without a word or with an unknown one" races::game_over_while_pondering;
    "C4" "sloppy hosts" "setoption and position during a search" races::words_while_thinking;
    "C5" "all" "no flood of info lines" races::no_flood;
    "E1" "all" "resigns when mated" endings::resigns_when_mated;
    "E2" "27-point rule" "declares a win" endings::declares;
    "E3" "all" "a mate is a number with the right sign" endings::mate_scores;
    "M1" "ShogiHome, MyShogi, ShogiBoardQ" "go mate finds a mate and says checkmate with its moves" mates::finds;
    "M2" "all" "checkmate nomate where there is none" mates::refutes;
    "M3" "all" "go mate MS answers in time" mates::keeps_time;
    "M4" "ShogiHome" "stop ends go mate with one checkmate line" mates::stops;
    "M5" "MyShogi, ShogiArena" "go mate with nodes, and without anything" mates::other_forms;
    "Q1" "all" "quit when idle" quitting::when_idle;
    "Q2" "ShogiHome" "quit during a search" quitting::during_a_search;
    "Q3" "ShogiBoardQ, shoginet" "ends when its input is closed during a search" quitting::end_of_input;
    "Q4" "shoginet" "ends by SIGTERM" quitting::terminated;
};

/// An unknown id of a check.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no check `{0}`; --list shows all")]
pub struct UnknownCheck(String);

/// The checks with these ids; all if empty.
pub fn select(only: &[String]) -> Result<Vec<&'static Check>, UnknownCheck> {
    if let Some(unknown) = only.iter().find(|id| !CHECKS.iter().any(|check| check.id == **id)) {
        return Err(UnknownCheck(unknown.clone()));
    }
    Ok(CHECKS.iter().filter(|check| only.is_empty() || only.iter().any(|id| id == check.id)).collect())
}

/// The grade of a check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Grade {
    /// Passed.
    Pass,
    /// Some hosts may fail.
    Warn,
    /// Hosts will fail.
    Fail,
    /// The engine ended.
    Dead,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pass => "PASS",
            Self::Warn => "WARN",
            Self::Fail => "FAIL",
            Self::Dead => "DEAD",
        })
    }
}

/// The result of one check.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The check's id.
    pub id: &'static str,
    /// The grade.
    pub grade: Grade,
    /// What was wrong.
    pub what: String,
    /// The last lines of both sides, `>` ours and `<` the engine's; empty if the check was passed.
    pub talk: Vec<String>,
}

/// Number of lines shown.
const SHOWN: usize = 12;

impl Finding {
    /// Whether hosts will fail.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(self.grade, Grade::Fail | Grade::Dead)
    }
}

/// Runs checks and writes each finding as text, then the counts by grade.
pub fn run(checks: &[&Check], engine: &EngineSpec, out: &mut impl Write) -> io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for check in checks {
        let finding = check.make(engine);
        check.report(out, &finding)?;
        findings.push(finding);
    }
    Ok(findings)
}

/// The counts by grade as text.
#[must_use]
pub fn summary(findings: &[Finding]) -> String {
    let count = |grade| findings.iter().filter(|finding| finding.grade == grade).count();
    let bad = findings.iter().filter(|finding| finding.is_failure()).count();
    format!("{} passed, {} to be warned of, {bad} failed", count(Grade::Pass), count(Grade::Warn))
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:4} {} [{}]", self.id, self.promise, self.hosts)
    }
}

impl Check {
    fn report(&self, out: &mut impl Write, finding: &Finding) -> io::Result<()> {
        let Finding { id, grade, what, talk } = finding;
        writeln!(out, "{grade:4} {id:4} {}", self.promise)?;
        if *grade != Grade::Pass {
            writeln!(out, "          {what}")?;
            writeln!(out, "          relied on by: {}", self.hosts)?;
            for line in talk {
                writeln!(out, "          {}", line.chars().take(120).collect::<String>())?;
            }
        }
        out.flush()
    }

    /// Runs the check.
    #[must_use]
    pub fn make(&self, engine: &EngineSpec) -> Finding {
        let mut probe = match Probe::start(engine) {
            Ok(probe) => probe,
            Err(error) => {
                let what = format!("cannot start `{}`: {error}", engine.command.display());
                return Finding { id: self.id, grade: Grade::Dead, what, talk: Vec::new() };
            }
        };
        let (grade, what) = match (self.run)(&mut probe) {
            Ok(()) => {
                return Finding { id: self.id, grade: Grade::Pass, what: String::new(), talk: Vec::new() };
            }
            Err(Trouble::Warn(what)) => (Grade::Warn, what),
            Err(Trouble::Fail(what)) => (Grade::Fail, what),
            Err(Trouble::Dead(what)) => (Grade::Dead, what),
        };
        // The list of options is left out, because it is long and never the cause.
        let talk: Vec<&String> = probe.talk().iter().filter(|line| !line.starts_with("< option ")).collect();
        let talk = talk[talk.len().saturating_sub(SHOWN)..].iter().map(|line| (*line).clone()).collect();
        Finding { id: self.id, grade, what, talk }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_44_checks_with_numbers_of_their_own() {
        assert_eq!(CHECKS.len(), 44);
        let ids: std::collections::BTreeSet<_> = CHECKS.iter().map(|check| check.id).collect();
        assert_eq!(ids.len(), 44);
        assert!(CHECKS.iter().all(|check| !check.promise.is_empty() && check.promise.len() < 100));
    }
}
