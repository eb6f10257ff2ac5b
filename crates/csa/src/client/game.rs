//! One game on a server, from `START` to the result.

use super::connection::{Connection, Event};
use super::margins::Margins;
use super::seat::{Seat, Task};
use super::{ClientConfig, Mode, Ponder, Reporter};
use crate::clock::Clocks;
use crate::files::{Sheet, SheetMove};
use crate::summary::Summary;
use crate::wire::{GameEnd, ServerLine, server_line};
use arena::{Answer, Reason, Referee, Ruling, SearchInfo};
use game::Color;
use record::Board;
use shogi::{Move, Shogi};
use std::io;
use std::time::{Duration, Instant};

/// An engine that fails is restarted if more than this is left for the move.
const WORTH_A_RESTART: Duration = Duration::from_secs(3);
/// Maximum number of restarts for one move.
const MOST_RESTARTS: u32 = 3;
/// If the game is over by our rules (repetition or the like), the engine searches only if the server sends no result within this
/// time, or within a quarter of the time for the move if that is shorter.
const VERDICT: Duration = Duration::from_secs(1);
/// A larger difference between the server's and the local measurement, twice, gives a warning.
const SUSPICIOUS: Duration = Duration::from_secs(1);

/// References that a game uses.
pub(super) struct Surroundings<'a, 'b> {
    pub(super) config: &'a ClientConfig,
    pub(super) connection: &'a mut Connection<'b>,
    pub(super) seat: &'a mut Seat,
    pub(super) margins: &'a mut Margins,
    pub(super) report: &'a mut dyn Reporter,
    /// Options for the engine if it is restarted.
    pub(super) options: &'a [(String, String)],
}

/// A sent move that the server has not confirmed.
struct Sent {
    text: String,
    m: Move,
    search_info: SearchInfo,
    comment: Option<String>,
    expected: Option<String>,
    at: Instant,
    /// Its thinking time as measured locally.
    took: Duration,
}

/// State of the game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// The opponent is to move, or our move has not been confirmed.
    Theirs,
    /// We are to move and the engine is not searching yet.
    Ours,
    /// The engine is searching.
    Asked,
    /// Nothing more is sent: resigned, declared, or the server was not understood.
    Waiting,
}

struct Table<'a, 'b, 'c> {
    around: &'c mut Surroundings<'a, 'b>,
    referee: Referee<Shogi>,
    clocks: Clocks,
    sheet: Sheet,
    you: Color,
    turn: Turn,
    /// When the line arrived that made it our turn.
    since: Instant,
    /// When to send `stop` to the engine; once.
    stop_at: Option<Instant>,
    /// Whether the game is over by our rules.
    over: bool,
    sent: Option<Sent>,
    last_move: Option<Move>,
    differences: u32,
    /// Number of restarts for this move.
    restarts: u32,
}

/// Plays a game that has started, from the position of `referee`. Returns its sheet and the remaining times. The engine
/// has received `gameover`.
pub(super) fn play(
    summary: Summary,
    referee: Referee<Shogi>,
    around: &mut Surroundings<'_, '_>,
) -> io::Result<(Sheet, [Duration; 2])> {
    let clocks = Clocks::new(summary.rules, &summary.setup_times(), around.config.resume_clock);
    let you = summary.you;
    let sheet = Sheet::new(summary);
    let turn = if sheet.side() == you { Turn::Ours } else { Turn::Theirs };
    let mut table = Table {
        around,
        referee,
        clocks,
        sheet,
        you,
        turn,
        since: Instant::now(),
        stop_at: None,
        over: false,
        sent: None,
        last_move: None,
        differences: 0,
        restarts: 0,
    };
    table.around.seat.begin_game();
    table.play()?;
    let word = match table.sheet.end {
        Some(GameEnd::Win) => "win",
        Some(GameEnd::Lose) => "lose",
        _ => "draw",
    };
    if let Err(fault) = table.around.seat.end_game(word) {
        table.sheet.faults.push(fault.to_owned());
    }
    let left = Color::ALL.map(|side| table.clocks.left(side));
    Ok((table.sheet, left))
}

impl Table<'_, '_, '_> {
    /// Plays until the server ends the game or the connection is closed.
    fn play(&mut self) -> io::Result<()> {
        loop {
            let verdict = self.since + VERDICT.min(self.clocks.budget(self.you) / 4);
            let deadline = match self.turn {
                Turn::Ours if self.over => Some(verdict),
                Turn::Asked => self.stop_at,
                _ => None,
            };
            // Results follow moves at once: read everything that has arrived before starting a search.
            let quiet = self.turn == Turn::Ours && !self.over;
            match self.around.connection.next(self.around.seat.process(), deadline, quiet)? {
                Event::Server(line, at) => {
                    if self.heard(&line, at) {
                        return Ok(());
                    }
                }
                Event::Engine(line) => self.engine_said(&line),
                Event::EngineGone => self.engine_failed("the engine has ended"),
                Event::Quiet => self.ask(),
                Event::Deadline if self.turn == Turn::Ours => self.ask(),
                Event::Deadline => {
                    self.stop_at = None;
                    self.around.seat.hurry();
                }
                Event::Interrupt(1) => {
                    self.around.report.line("this game is the last one; Ctrl-C again gives it up");
                }
                Event::Interrupt(_) => {
                    if !matches!(self.turn, Turn::Ours | Turn::Asked) {
                        self.sheet.remarks.push("given up".to_owned());
                        return Ok(());
                    }
                    let word = if self.around.config.mode == Mode::Csa { "%CHUDAN" } else { "%TORYO" };
                    self.finish_with(word);
                }
                Event::Closed(why) => {
                    self.around.report.line(why);
                    self.sheet.remarks.push(why.to_owned());
                    if let Some(sent) = &self.sent {
                        self.sheet.remarks.push(format!("{} was sent and not confirmed", sent.text));
                    }
                    return Ok(());
                }
            }
        }
    }

    /// Handles a line of the server; returns whether it was the last one.
    fn heard(&mut self, line: &str, at: Instant) -> bool {
        match server_line(line) {
            ServerLine::Move { text, side, time } if side == self.you => self.confirmed(text, time, at),
            ServerLine::Move { text, time, .. } => self.opponent_moved(text, time, at),
            ServerLine::Reason(reason) => self.sheet.reason = Some(reason),
            ServerLine::End(end) => {
                self.sheet.end = Some(end);
                return true;
            }
            ServerLine::Message(text) => {
                let text = self.around.connection.shown(text);
                self.around.report.line(&text);
            }
            // Already logged.
            _ => {}
        }
        false
    }

    /// The server confirms our move.
    fn confirmed(&mut self, text: &str, time: Option<Duration>, at: Instant) {
        let Some(sent) = self.sent.take_if(|sent| sent.text == text) else {
            self.sheet.remarks.push(format!("the server confirms {text}, which was not sent"));
            return;
        };
        let lag = at.saturating_duration_since(sent.at);
        self.around.margins.measured(lag);
        let expected = sent.expected.clone();
        self.keep_own(sent, time, Some(lag));
        if let Some(expected) = expected.filter(|_| self.around.config.ponder == Ponder::On) {
            let position = self.referee.command_after(&expected);
            self.around.seat.ponder(&position, expected, Some((&self.clocks, self.you)));
        }
    }

    /// Records one of our moves and charges its time.
    fn keep_own(&mut self, sent: Sent, time: Option<Duration>, lag: Option<Duration>) {
        let rule = self.clocks.rules[self.you.index()];
        let time = time.unwrap_or_else(|| rule.charge(sent.took));
        self.clocks.spend(self.you, time);
        if time > sent.took.max(rule.least) + SUSPICIOUS {
            self.differences += 1;
            if self.differences == 2 {
                let text = format!(
                    "the server charged {:.1} s for {:.1} s of thinking: the network is slow, set a larger NetworkDelay2",
                    time.as_secs_f64(),
                    sent.took.as_secs_f64()
                );
                self.around.report.line(&text);
            }
        }
        let (m, search_info, comment) = (sent.m, Some(sent.search_info), sent.comment);
        self.sheet.moves.push(SheetMove { m, time, lag, search_info, comment });
        self.show_progress();
    }

    /// Shows the state of the game to the user.
    fn show_progress(&mut self) {
        let [black, white] = Color::ALL.map(|side| minutes(self.clocks.left(side)));
        let score = self.sheet.moves.iter().rev().find_map(|m| m.comment.as_deref()?.split(' ').nth(1));
        let score = score.map_or_else(String::new, |score| format!("score {score}, "));
        let text = format!(
            "{} - {}: move {}, {score}clocks {black} - {white}",
            self.sheet.summary.names[0],
            self.sheet.summary.names[1],
            self.sheet.summary.moves.len() + self.sheet.moves.len(),
        );
        self.around.report.progress(&text);
    }

    fn opponent_moved(&mut self, text: &str, time: Option<Duration>, at: Instant) {
        let opponent = !self.you;
        if self.turn != Turn::Theirs || self.referee.position().side() != opponent {
            self.sheet.remarks.push(format!("{text} came out of turn"));
            return;
        }
        if let Some(sent) = self.sent.take() {
            // The opponent has answered it, so the server has accepted it.
            self.sheet.remarks.push(format!("{} was not confirmed", sent.text));
            self.keep_own(sent, None, None);
        }
        let board = Board::from(&self.referee.position().setup());
        let legal =
            record::csa::parse_move(&board, text).ok().filter(|m| self.referee.position().is_legal(*m));
        let Some(m) = legal else {
            self.sheet.remarks.push(format!("{text} cannot be played"));
            self.turn = Turn::Waiting;
            return;
        };
        let time = time.unwrap_or_default();
        self.clocks.spend(opponent, time);
        self.sheet.moves.push(SheetMove { m, time, lag: None, search_info: None, comment: None });
        // A server does not end a game by mate: the engine resigns.
        let verdict = self.referee.play(m, None);
        self.over = verdict.is_some_and(|verdict| verdict.reason != Reason::NoLegalMove);
        self.last_move = Some(m);
        (self.turn, self.since, self.restarts) = (Turn::Ours, at, 0);
        self.show_progress();
    }

    /// Starts the engine's search for a move.
    fn ask(&mut self) {
        self.turn = Turn::Asked;
        let budget = self.clocks.budget(self.you);
        // A budget of zero means no clock; one of a month is treated likewise, so that it can be added to an `Instant`.
        let limited = !budget.is_zero() && budget < Duration::from_hours(720);
        self.stop_at =
            limited.then(|| self.since + budget.saturating_sub(self.around.margins.stop_before(budget)));
        if !self.around.seat.is_there() {
            self.revive();
            return;
        }
        let clocks = (&self.clocks, self.you);
        let last = self.last_move.map(|m| m.to_string());
        match self.around.seat.task().clone() {
            Task::Pondering(expected) if Some(&expected) == last.as_ref() => {
                let told = (self.around.config.ponder == Ponder::Early).then_some(clocks);
                if let Some(answer) = self.around.seat.ponderhit(told) {
                    self.answered(&answer);
                }
            }
            _ => match self.around.seat.stop() {
                Ok(()) => self.around.seat.think(self.referee.command(), &self.clocks, self.you),
                Err(fault) => self.engine_failed(fault),
            },
        }
    }

    fn engine_said(&mut self, line: &str) {
        if let Some(answer) = self.around.seat.hear(line) {
            if self.turn == Turn::Asked {
                self.answered(&answer);
            }
        } else if self.around.seat.floods() {
            self.engine_failed("the engine floods its output");
        }
    }

    /// The engine can no longer be used; it is restarted when it is needed, or at once on our turn.
    fn engine_failed(&mut self, what: &str) {
        self.fault(what);
        self.around.seat.discard();
        if self.turn == Turn::Asked {
            self.revive();
        }
    }

    fn fault(&mut self, what: &str) {
        self.around.report.line(what);
        self.sheet.faults.push(what.to_owned());
    }

    /// Restarts the engine for the current move, or resigns.
    fn revive(&mut self) {
        let budget = self.clocks.budget(self.you);
        let left = budget.saturating_sub(self.since.elapsed());
        if self.restarts < MOST_RESTARTS && (left > WORTH_A_RESTART || budget.is_zero()) {
            self.restarts += 1;
            let patience = if budget.is_zero() {
                self.around.config.patience()
            } else {
                left.saturating_sub(WORTH_A_RESTART / 3)
            };
            match self.around.seat.restart(patience.min(self.around.config.patience()), self.around.options) {
                Ok(()) => {
                    let clocks = self.clocks.lessened(self.you, self.since.elapsed());
                    self.around.seat.think(self.referee.command(), &clocks, self.you);
                    return;
                }
                Err(error) => self.fault(&format!("the engine {error}")),
            }
        }
        self.finish_with("%TORYO");
    }

    /// Sends our last line of the game.
    fn finish_with(&mut self, word: &str) {
        self.around.connection.send(word);
        (self.turn, self.stop_at) = (Turn::Waiting, None);
    }

    /// Checks the engine's answer and sends it.
    fn answered(&mut self, answer: &Answer) {
        match self.referee.judge(answer) {
            Ruling::Play(m) | Ruling::End(Some(m), _) => self.send_move(m, answer),
            Ruling::End(None, verdict) => match verdict.reason {
                Reason::Resignation => self.finish_with("%TORYO"),
                Reason::Declaration => self.finish_with("%KACHI"),
                Reason::FalseDeclaration if self.around.config.trust_win => self.finish_with("%KACHI"),
                _ => {
                    self.fault(&format!("the engine answers `bestmove {}`: {}", answer.best, verdict.reason));
                    self.around.seat.condemn();
                    self.finish_with("%TORYO");
                }
            },
        }
    }

    fn send_move(&mut self, m: Move, answer: &Answer) {
        let config = self.around.config;
        let position = self.referee.position();
        let text = record::csa::move_text(&Board::from(&position.setup()), m);
        let notes = &self.around.seat.notes;
        let pv_moves = config.pv_moves.filter(|_| config.mode != Mode::Csa);
        let comment = pv_moves.and_then(|most| notes.comment(position, m, most, config.mate_scores));
        let line = comment.as_ref().map_or_else(|| text.clone(), |comment| format!("{text},'{comment}"));
        let took = self.since.elapsed();
        self.around.connection.send(&line);
        let at = Instant::now();
        let search_info = self.around.seat.notes.search_info.clone();
        let expected = answer.ponder.clone().filter(|expected| self.referee.may_expect(m, expected));
        self.over = self.referee.play(m, search_info.score).is_some();
        let expected = expected.filter(|_| !self.over);
        if let Some(expected) = expected.clone().filter(|_| config.ponder == Ponder::Early) {
            let position = self.referee.command_after(&expected);
            self.around.seat.ponder(&position, expected, None);
        }
        self.sent = Some(Sent { text, m, search_info, comment, expected, at, took });
        (self.turn, self.stop_at) = (Turn::Theirs, None);
    }
}

/// `4:05`
fn minutes(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}
