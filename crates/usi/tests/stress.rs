//! Hosts in a hurry: commands at random moments. Every `go` gets exactly one answer, nothing waits for ever.

use eval::Material;
use game::{Game, Position as _};
use platform::Random;
use shogi::{Position, Shogi};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::Duration;
use usi::options::{Folders, Options};
use usi::{Captured, SearchEngine, Session};

fn choose<'a>(random: &mut Random, from: &[&'a str]) -> &'a str {
    from[random.below(from.len())]
}

const POSITIONS: &[&str] = &[
    "startpos",
    "startpos moves 7g7f",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
    // Mated, a mate in one, one legal move, a declaration, no king for the attacker.
    "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1",
    "sfen 7nk/7pp/7N1/9/9/9/9/9/K8 b G 1",
    "sfen k8/9/1G7/9/9/9/9/9/K8 w 2G 1",
    "sfen 1K+R+R5/+B+B+P+P+P+P3/+P+P+P+P5/9/9/9/9/9/4k4 b 4G4S4N4L 200",
    "sfen 4k4/9/4G4/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1",
];

const SEARCHES: &[&str] = &[
    "go infinite",
    "go ponder",
    "go ponder btime 20 wtime 20 byoyomi 2",
    "go btime 30 wtime 30 binc 1 winc 1",
    "go byoyomi 3",
    "go movetime 1",
    "go nodes 300",
    "go depth 2",
    "go rtime 1",
    "go infinite searchmoves 2g2f",
    "go mate 10",
    "go",
];

const INTERRUPTIONS: &[&str] = &[
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit",
    "ponderhit btime 10 wtime 10 byoyomi 2",
    "gameover draw",
    "isready",
    "usinewgame",
    "usi",
    "d",
    "getoption",
    "nonsense",
    "eval",
    "Threads 1",
    "setoption name Threads value 1",
    "setoption name Threads value 3",
    "setoption name USI_Hash value 1",
    "setoption name USI_Hash value 2",
    "setoption name MultiPV value 1",
    "setoption name MultiPV value 4",
    "setoption name Stochastic_Ponder value true",
    "setoption name Stochastic_Ponder value false",
    "setoption name PvInterval value 0",
    "setoption name ConsiderationMode value true",
    "setoption name DepthLimit value 0",
    "setoption name DepthLimit value 3",
    "setoption name SkillLevel value 3",
    "setoption name SkillLevel value 20",
    "setoption name EnteringKingRule value TryRule",
    "setoption name EnteringKingRule value CSARule27",
    "setoption name MinimumThinkingTime value -1",
];

/// A session and what was asked of it.
struct Host {
    /// None when it has ended.
    session: Option<Session<Shogi>>,
    out: Captured,
    random: Random,
    said: Vec<String>,
    /// For each `go` the position it was about; none for `go mate`.
    asked: Vec<Option<Position>>,
}

impl Host {
    fn new(seed: u64) -> Self {
        let out = Captured::default();
        let nowhere = Folders::new("/nonexistent", "/nonexistent");
        let engine =
            |options: &mut Options| SearchEngine::new("Stressed", "test", Material::default(), options);
        let session = Session::with_folders(Shogi::default(), engine, out.output(), nowhere);
        let session = Some(session);
        let mut host = Self { session, out, random: Random::new(seed), said: Vec::new(), asked: Vec::new() };
        for option in [
            "Threads value 2",
            "USI_Hash value 1",
            "NetworkDelay value 0",
            "NetworkDelay2 value 0",
            "MinimumThinkingTime value 1",
            "RoundUpToFullSecond value false",
        ] {
            host.say(&format!("setoption name {option}"));
        }
        host
    }

    fn say(&mut self, line: &str) {
        let session = self.session.as_mut().expect("it has not ended");
        if line.starts_with("go") && !line.starts_with("gameover") {
            let position = (!line.contains("mate")).then(|| session.position().clone());
            self.asked.push(position);
        }
        self.said.push(line.to_owned());
        let _ = session.execute(line.as_bytes());
    }

    /// Does nothing for up to two milliseconds.
    fn pause(&mut self) {
        let microseconds = (self.random.below(2_000) as u64).saturating_sub(500);
        if microseconds > 0 {
            std::thread::sleep(Duration::from_micros(microseconds));
        }
    }

    /// A position, a `go`, and some other words at random moments.
    fn begin(&mut self) {
        let position = format!("position {}", choose(&mut self.random, POSITIONS));
        self.say(&position);
        let go = choose(&mut self.random, SEARCHES);
        self.say(go);
        for _ in 0..self.random.below(5) {
            self.pause();
            let words = match self.random.below(12) {
                0 => choose(&mut self.random, SEARCHES).to_owned(),
                1 => format!("position {}", choose(&mut self.random, POSITIONS)),
                _ => choose(&mut self.random, INTERRUPTIONS).to_owned(),
            };
            self.say(&words);
        }
        self.pause();
    }

    /// Ends the search, and checks what came of it.
    fn end(&mut self) {
        self.say("stop");
        self.say("wait");
        self.check(self.asked.len());
    }

    /// Each answer must be one to its `go`; at least so many.
    fn check(&self, at_least: usize) {
        let lines = self.out.lines();
        let story = || self.said[self.said.len().saturating_sub(20)..].join("\n");
        let answers: Vec<&str> = lines
            .iter()
            .map(String::as_str)
            .filter(|line| line.starts_with("bestmove ") || line.starts_with("checkmate "))
            .collect();
        let expected = at_least..=self.asked.len();
        assert!(
            expected.contains(&answers.len()),
            "{} answers, not {expected:?}:\n{}",
            answers.len(),
            story()
        );
        for (answer, asked) in answers.iter().zip(&self.asked) {
            let fits = match asked {
                None => answer.starts_with("checkmate "),
                Some(position) => is_answer_to(answer, position),
            };
            assert!(fits, "{answer} is no answer:\n{}", story());
        }
    }
}

/// Whether a `bestmove` can be played, even when it was found by pondering on another position.
fn is_answer_to(answer: &str, position: &Position) -> bool {
    let best = answer.split(' ').nth(1).expect("it has a move");
    ["resign", "win"].contains(&best) || position.parse_move(best).is_ok()
}

/// Ends the process when nothing happens for a long time, as no test can end its own hang.
fn watchdog() -> Sender<u64> {
    const LONG: Duration = Duration::from_mins(2);
    let (alive, watching) = mpsc::channel();
    std::thread::spawn(move || {
        let mut last = None;
        loop {
            match watching.recv_timeout(LONG) {
                Ok(seed) => last = Some(seed),
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    eprintln!("the session hangs, {LONG:?} after round {last:?} began");
                    std::process::abort();
                }
            }
        }
    });
    alive
}

fn stress(seeds: std::ops::Range<u64>, cycles: u64) {
    let alive = watchdog();
    for seed in seeds {
        alive.send(seed).expect("the watchdog watches");
        let mut host = Host::new(seed);
        for _ in 0..cycles {
            host.begin();
            host.end();
        }
        host.begin();
        // And now the session ends in the middle of something.
        host.session = None;
        host.check(host.asked.len() - 1);
    }
}

#[test]
fn a_thousand_cycles() {
    stress(0..70, 15);
}

#[test]
fn options_change_between_searches_at_any_moment() {
    let alive = watchdog();
    let mut host = Host::new(1);
    for round in 0..50 {
        alive.send(round).expect("the watchdog watches");
        let lines = host.random.below(3) as u64 + 1;
        host.say("go infinite");
        host.pause();
        host.say(&format!("setoption name MultiPV value {lines}"));
        host.pause();
        host.end();
        let before = host.out.lines().len();
        host.say("go depth 2");
        host.say("wait");
        let shown =
            host.out.lines()[before..].iter().filter(|line| line.contains("info depth 2 ")).count() as u64;
        assert!(shown >= lines, "{shown} lines, not {lines}");
    }
}

#[test]
fn positions_of_the_stress_are_good() {
    for position in POSITIONS {
        assert!(Shogi::default().position_command(position).is_ok(), "{position}");
    }
}
