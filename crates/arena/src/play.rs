//! One game between two engines.

use crate::engine::{Answer, EngineSpec, FLOOD, Score, SearchInfo, Session, StartError};
use crate::referee::{Adjudication, Referee, Ruling};
use crate::time::{Clock, go_words};
use crate::verdict::{Aftermath, Reason, Verdict};
use game::{Color, Game, Position};
use platform::process::Heard;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The conditions of all games of a run.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Conditions {
    /// Tolerance of the time per move in milliseconds, for delays by pipes and the scheduler.
    pub margin_ms: u64,
    /// Time limit in milliseconds for starting, getting ready, and moves without a clock.
    pub patience_ms: u64,
    /// When scores end games.
    pub adjudication: Adjudication,
}

impl Default for Conditions {
    fn default() -> Self {
        Self { margin_ms: 50, patience_ms: 60_000, adjudication: Adjudication::default() }
    }
}

/// Time within which a late engine must answer `stop`, else it counts as hung.
const GRACE: Duration = Duration::from_secs(1);

/// Time within which an engine that answered wrongly must answer `stop`, if it is thinking at all.
const SECOND_ANSWER: Duration = Duration::from_millis(300);

/// An engine of one worker: started when needed, and restarted when broken.
pub struct Player {
    spec: Arc<EngineSpec>,
    session: Option<Session>,
    patience: Duration,
    errors: Option<PathBuf>,
}

impl Player {
    /// A player that has not been started.
    #[must_use]
    pub const fn new(spec: Arc<EngineSpec>, patience: Duration, errors: Option<PathBuf>) -> Self {
        Self { spec, session: None, patience, errors }
    }

    /// Its engine.
    #[must_use]
    pub fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    /// Prepares it for a game, with these options in addition to its own. Returns the fault of the last game's process,
    /// if another one had to be started.
    pub fn get_ready(&mut self, options: &[(String, String)]) -> Result<Option<StartError>, StartError> {
        if self.spec.restart {
            self.dismiss();
        }
        let begin = |mut session: Session| {
            session.set_options(options)?;
            session.new_game()?;
            Ok(session)
        };
        let kept = self.session.take().map(begin);
        let broken = match kept {
            Some(Ok(session)) => {
                self.session = Some(session);
                return Ok(None);
            }
            Some(Err(error)) => Some(error),
            None => None,
        };
        let session = Session::start(&self.spec, self.patience, self.errors.as_deref())?;
        self.session = Some(begin(session)?);
        Ok(broken)
    }

    /// Ends it regularly.
    pub fn dismiss(&mut self) {
        if let Some(session) = self.session.take() {
            session.quit();
        }
    }

    /// The engine's name, once it runs.
    #[must_use]
    pub fn identity(&self) -> Option<&str> {
        self.session.as_ref().map(Session::identity)
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.dismiss();
    }
}

/// A move played.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedMove {
    /// In USI notation.
    pub text: String,
    /// Time used.
    pub elapsed: Duration,
    /// The engine's analysis.
    pub search_info: SearchInfo,
}

/// An irregularity that does not lose the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Remark {
    /// `black` or `white`.
    pub side: String,
    /// Its kind.
    pub kind: RemarkKind,
    /// Number of occurrences.
    pub times: u32,
    /// The first occurrence.
    pub first: String,
}

/// The kinds of [`Remark`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemarkKind {
    /// `bestmove … ponder M` with an illegal `M`.
    IllegalPonder,
    /// A line that is neither `info` nor `bestmove`.
    StrayLine,
    /// It ended after a game and was started again for the next.
    BrokenBetweenGames,
    /// It did not answer the `stop` at the end of the game and was killed.
    SilentAtTheEnd,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// The moves after the opening.
    pub moves: Vec<PlayedMove>,
    /// Its end.
    pub verdict: Verdict,
    /// Irregularities.
    pub remarks: Vec<Remark>,
    /// The longest time between the `time` in an engine's last `info` and our clock, in milliseconds.
    pub lag_ms: [Option<f64>; 2],
}

impl RemarkKind {
    /// The kind in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::IllegalPonder => "illegal ponder move",
            Self::StrayLine => "stray lines",
            Self::BrokenBetweenGames => "broken between games",
            Self::SilentAtTheEnd => "silent at the end",
        }
    }
}

/// Why no game was played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// The opening is illegal.
    #[error("{0}")]
    Opening(String),
    /// An engine ended before the game with an error, which it would repeat before every game.
    #[error("engine `{name}` {error}")]
    Refused {
        /// Its name.
        name: String,
        /// Its message.
        error: String,
    },
    /// The run was cancelled.
    #[error("the run was ended")]
    Cancelled,
}

/// A fault of the side that had to act.
type Fault = (Reason, Option<String>);

/// A running game: the players and the referee.
struct Board<'a, G: Game> {
    referee: Referee<G>,
    players: [&'a mut Player; 2],
    clocks: [Clock; 2],
    /// The move for which each player is pondering.
    expected: [Option<String>; 2],
    margin: Duration,
    patience: Duration,
    moves: Vec<PlayedMove>,
    remarks: Vec<Remark>,
    lag_ms: [Option<f64>; 2],
}

/// Plays a game; `players` and `options` are in the order Black, White.
///
/// Returns a verdict, unless the opening is illegal, an engine reports before the game that it cannot play, or `cancel`
/// is set meanwhile.
pub fn play<G: Game>(
    game: &G,
    opening: &str,
    players: [&mut Player; 2],
    options: [&[(String, String)]; 2],
    conditions: &Conditions,
    cancel: &AtomicBool,
) -> Result<Played, PlayError> {
    let referee = Referee::new(game, opening, conditions.adjudication).map_err(PlayError::Opening)?;
    let clocks = [&players[0].spec, &players[1].spec].map(|spec| Clock::new(spec.time));
    let mut board = Board {
        referee,
        players,
        clocks,
        expected: [None, None],
        margin: Duration::from_millis(conditions.margin_ms),
        patience: Duration::from_millis(conditions.patience_ms),
        moves: Vec::new(),
        remarks: Vec::new(),
        lag_ms: [None; 2],
    };
    let verdict = match board.start(options)? {
        Some(verdict) => verdict,
        None => board.play_moves(cancel)?,
    };
    if let Some(guilty) = verdict.at_fault()
        && verdict.reason.aftermath() == Aftermath::Broken
    {
        // Dropping the session ends the process.
        board.players[guilty.index()].session = None;
    }
    board.say_game_over(&verdict);
    Ok(Played { moves: board.moves, verdict, remarks: board.remarks, lag_ms: board.lag_ms })
}

impl<G: Game> Board<'_, G> {
    /// Prepares both players; returns a verdict if one of them cannot be.
    fn start(&mut self, options: [&[(String, String)]; 2]) -> Result<Option<Verdict>, PlayError> {
        for color in Color::ALL {
            let error = match self.players[color.index()].get_ready(options[color.index()]) {
                Ok(None) => continue,
                Ok(Some(broken)) => {
                    self.remark(color, RemarkKind::BrokenBetweenGames, &broken.to_string());
                    continue;
                }
                Err(error) => error,
            };
            let reason = match error {
                StartError::Refused { .. } => {
                    let name = self.players[color.index()].spec.name.clone();
                    return Err(PlayError::Refused { name, error: error.to_string() });
                }
                StartError::StrayBestmove(_) => Reason::ExtraBestmove,
                StartError::Flood { .. } => Reason::Flood,
                _ => Reason::NoStart,
            };
            return Ok(Some(Verdict::loss(color, reason, Some(error.to_string()))));
        }
        Ok(None)
    }

    fn play_moves(&mut self, cancel: &AtomicBool) -> Result<Verdict, PlayError> {
        loop {
            if cancel.load(Ordering::Relaxed) {
                return Err(PlayError::Cancelled);
            }
            let side = self.referee.position().side();
            let (answer, search_info, elapsed) = match self.think(side) {
                Ok(thinking) => thinking,
                Err((reason, detail)) => return Ok(Verdict::loss(side, reason, detail)),
            };
            let (m, end) = match self.referee.judge(&answer) {
                Ruling::Play(m) => (Some(m), None),
                Ruling::End(m, verdict) => (m, Some(self.or_out_of_turn(side, verdict))),
            };
            let Some(m) = m else { return Ok(end.unwrap_or_else(|| Verdict::draw(Reason::NoLegalMove))) };
            let ponder = answer.ponder.filter(|_| end.is_none());
            let expected = ponder.filter(|ponder| {
                let legal = self.referee.may_expect(m, ponder);
                if !legal {
                    self.remark(side, RemarkKind::IllegalPonder, &format!("{m} ponder {ponder}"));
                }
                legal
            });
            let score = search_info.score;
            self.moves.push(PlayedMove { text: m.to_string(), elapsed, search_info });
            let verdict = self.referee.play(m, score);
            if let Some(verdict) = end.or(verdict) {
                return Ok(verdict);
            }
            if let Some(expected) = expected
                && self.players[side.index()].spec.ponder
                && let Err((reason, detail)) = self.ponder(side, expected)
            {
                return Ok(Verdict::loss(side, reason, detail));
            }
        }
    }

    /// An illegal move may be the answer to an earlier `go`. Then the engine is still thinking about this one, and
    /// `stop` reveals that.
    fn or_out_of_turn(&mut self, side: Color, verdict: Verdict) -> Verdict {
        if !matches!(verdict.reason, Reason::IllegalMove | Reason::Garbage)
            || self.send(side, "stop\n").is_err()
        {
            return verdict;
        }
        match self.bestmove(side, Instant::now() + SECOND_ANSWER, &mut SearchInfo::default()) {
            Ok(Some(_)) => Verdict::loss(side, Reason::ExtraBestmove, verdict.detail),
            _ => verdict,
        }
    }

    /// Starts pondering of `side`.
    fn ponder(&mut self, side: Color, expected: String) -> Result<(), Fault> {
        let go = go_words(&self.clocks, side);
        let text = format!("{}\ngo ponder{go}\n", self.referee.command_after(&expected));
        self.send(side, &text)?;
        self.expected[side.index()] = Some(expected);
        Ok(())
    }

    /// Lets `side` think.
    fn think(&mut self, side: Color) -> Result<(Answer, SearchInfo, Duration), Fault> {
        // Measured before sending: an engine on the same core may answer before our `send` returns.
        let start = Instant::now();
        let mut search_info = SearchInfo::default();
        let expected = self.expected[side.index()].take();
        let last = self.moves.last().map(|m| m.text.as_str());
        match expected {
            Some(expected) if Some(expected.as_str()) == last => {
                self.nothing_yet(side, &mut search_info)?;
                self.send(side, "ponderhit\n")?;
            }
            expected => {
                if expected.is_some() {
                    self.nothing_yet(side, &mut search_info)?;
                    self.send(side, "stop\n")?;
                    self.bestmove(side, start + GRACE, &mut search_info)?
                        .ok_or((Reason::Hang, Some("no answer to `stop`".to_owned())))?;
                    search_info = SearchInfo::default();
                }
                self.nothing_yet(side, &mut search_info)?;
                let go = go_words(&self.clocks, side);
                self.send(side, &format!("{}\ngo{go}\n", self.referee.command()))?;
            }
        }
        let budget = self.clocks[side.index()].budget();
        let limit = budget.map_or(self.patience, |budget| budget + self.margin);
        let Some((answer, at)) = self.bestmove(side, start + limit, &mut search_info)? else {
            return Err(self.too_late(side, limit, &mut search_info));
        };
        let elapsed = at.saturating_duration_since(start);
        if elapsed > limit {
            return Err((Reason::Time, Some(over(elapsed, limit))));
        }
        self.clocks[side.index()].spend(elapsed);
        if let Some(reported) = search_info.time {
            let lag = elapsed.as_secs_f64() * 1000.0 - reported as f64;
            let longest = &mut self.lag_ms[side.index()];
            *longest = Some(longest.map_or(lag, |longest| longest.max(lag)));
        }
        Ok((answer, search_info, elapsed))
    }

    /// The fault of an engine that exceeded its time: late if it still answers, hung otherwise.
    fn too_late(&mut self, side: Color, limit: Duration, search_info: &mut SearchInfo) -> Fault {
        if let Err(fault) = self.send(side, "stop\n") {
            return fault;
        }
        match self.bestmove(side, Instant::now() + GRACE, search_info) {
            Err(fault) => fault,
            Ok(Some(_)) => (Reason::Time, Some(format!("no move within {} ms", limit.as_millis()))),
            Ok(None) => {
                let detail = format!("no move within {} ms, nor after `stop`", limit.as_millis());
                (Reason::Hang, Some(detail))
            }
        }
    }

    /// Waits for `bestmove`; `None` at the deadline.
    fn bestmove(
        &mut self,
        side: Color,
        deadline: Instant,
        search_info: &mut SearchInfo,
    ) -> Result<Option<(Answer, Instant)>, Fault> {
        let [black, white] = &mut self.players;
        let (own, other) = match side {
            Color::Black => (black, white),
            Color::White => (white, black),
        };
        let session = own.session.as_mut().ok_or((Reason::Crash, None))?;
        let mut other = other.session.as_mut();
        let flood = session.process.total_heard() + FLOOD;
        let mut stray = Vec::new();
        let heard = loop {
            let other = other.as_mut().map(|session| &mut session.process);
            match session.process.listen(deadline, other) {
                Ok(Heard::Line(line)) => {
                    if let Some(answer) = Answer::read(&line.text) {
                        break Ok(Some((answer, line.at)));
                    }
                    if session.process.total_heard() > flood {
                        break Err((Reason::Flood, Some(format!("more than {} MiB", FLOOD >> 20))));
                    }
                    if line.text.starts_with("info") {
                        search_info.hear(&line.text);
                    } else if !line.text.trim().is_empty() && stray.len() < 16 {
                        stray.push(line.text);
                    }
                }
                Ok(Heard::Silence) => break Ok(None),
                Ok(Heard::Closed) => break Err(gone(session)),
                Err(error) => break Err((Reason::Crash, Some(error.to_string()))),
            }
        };
        for text in stray {
            self.remark(side, RemarkKind::StrayLine, &text);
        }
        heard
    }

    /// Fails if a `bestmove` has arrived out of turn.
    fn nothing_yet(&mut self, side: Color, search_info: &mut SearchInfo) -> Result<(), Fault> {
        let session = self.players[side.index()].session.as_mut().ok_or((Reason::Crash, None))?;
        let flood = session.process.total_heard() + FLOOD;
        loop {
            match session.process.listen_now() {
                Ok(Heard::Line(line)) if line.text.starts_with("bestmove") => {
                    return Err((Reason::ExtraBestmove, Some(line.text.chars().take(60).collect())));
                }
                Ok(Heard::Line(line)) => search_info.hear(&line.text),
                Ok(Heard::Silence) => return Ok(()),
                Ok(Heard::Closed) => return Err(gone(session)),
                Err(error) => return Err((Reason::Crash, Some(error.to_string()))),
            }
            if session.process.total_heard() > flood {
                return Err((Reason::Flood, Some(format!("more than {} MiB out of turn", FLOOD >> 20))));
            }
        }
    }

    fn send(&mut self, side: Color, text: &str) -> Result<(), Fault> {
        let session = self.players[side.index()].session.as_mut().ok_or((Reason::Crash, None))?;
        let deadline = Instant::now() + self.patience;
        session.process.send(text, deadline).map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => (Reason::Hang, Some("does not read its input".to_owned())),
            _ => gone(session),
        })
    }

    fn remark(&mut self, side: Color, kind: RemarkKind, what: &str) {
        let side = side.to_string();
        let known = self.remarks.iter_mut().find(|remark| remark.side == side && remark.kind == kind);
        if let Some(remark) = known {
            remark.times += 1;
        } else {
            let first = what.chars().take(80).collect();
            self.remarks.push(Remark { side, kind, times: 1, first });
        }
    }

    /// Sends `gameover` to both, after a `stop` to an engine that is still pondering.
    fn say_game_over(&mut self, verdict: &Verdict) {
        for color in Color::ALL {
            if self.players[color.index()].session.is_none() {
                continue;
            }
            if self.expected[color.index()].take().is_some() {
                let stopped = self
                    .send(color, "stop\n")
                    .and_then(|()| self.bestmove(color, Instant::now() + GRACE, &mut SearchInfo::default()));
                if !matches!(stopped, Ok(Some(_))) {
                    self.remark(color, RemarkKind::SilentAtTheEnd, "no answer to `stop`");
                    self.players[color.index()].session = None;
                    continue;
                }
            }
            let word = match verdict.result.winner() {
                None => "draw",
                Some(winner) if winner == color => "win",
                Some(_) => "lose",
            };
            // An engine that has ended is noticed at the next game.
            let _ = self.send(color, &format!("gameover {word}\n"));
        }
    }
}

/// The fault of an engine whose pipes are closed.
fn gone(session: &mut Session) -> Fault {
    match session.process.wait(Duration::from_millis(300)) {
        Ok(Some(status)) => (Reason::Crash, Some(status.to_string())),
        _ => (Reason::ClosedOutput, None),
    }
}

fn over(elapsed: Duration, limit: Duration) -> String {
    format!("{} ms instead of {}", elapsed.as_millis(), limit.as_millis())
}

impl PlayedMove {
    /// The engine's score, for the side that moved.
    #[must_use]
    pub const fn score(&self) -> Option<Score> {
        self.search_info.score
    }
}
