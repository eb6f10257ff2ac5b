//! A series of games: login, summary, game, files; reconnects after each disconnection.

use super::backoff::Backoff;
use super::connection::{Connection, Event};
use super::game::{self, Surroundings};
use super::margins::Margins;
use super::seat::Seat;
use super::{ClientConfig, ClientError, Mode, Reporter};
use crate::files::{GameEntry, Sheet};
use crate::summary::{Summary, SummaryError, SummaryReader};
use crate::traffic::Traffic;
use crate::wire::{GameEnd, ServerLine, is_name, server_line};
use arena::tournament::{GAMES, RunFolder};
use arena::{Adjudication, Referee};
use shogi::{Rules, Shogi};
use std::io::ErrorKind;
use std::num::NonZeroU32;
use std::path::Path;
use std::time::{Duration, Instant};

/// Timeout for the answer to the login, and between two lines of a summary.
const ANSWER: Duration = Duration::from_mins(1);
/// Timeout for the opponent's agreement.
const AGREEMENT: Duration = Duration::from_secs(150);
/// Between a game and the next login.
const BETWEEN_GAMES: Duration = Duration::from_millis(200);
/// After this many refused logins in a row the client ends.
const MOST_REFUSALS: u32 = 3;
/// Timeout for the answer to `LOGOUT`.
const FAREWELL: Duration = Duration::from_secs(2);

/// Results of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClientSummary {
    /// Games with a verdict.
    pub games: u64,
    /// Won.
    pub wins: u64,
    /// Lost.
    pub losses: u64,
    /// Drawn, or ended without a result.
    pub draws: u64,
    /// Games that were disconnected.
    pub cuts: u64,
}

impl ClientSummary {
    fn count(&mut self, sheet: &Sheet) {
        match sheet.end {
            Some(GameEnd::Win) => self.wins += 1,
            Some(GameEnd::Lose) => self.losses += 1,
            Some(_) => self.draws += 1,
            None => self.cuts += 1,
        }
        self.games += u64::from(sheet.end.is_some());
    }
}

/// How a connection ended.
enum Visit {
    /// After a game with a verdict.
    Played,
    /// In a game.
    Cut,
    /// Before a game; and why.
    Failed(String),
    /// The server refuses the login.
    Refused,
    /// Ctrl-C.
    Interrupted,
}

/// Plays until `games` games of the folder have a result (without end if it is 0) or until Ctrl-C. `report` receives
/// messages for the user.
pub fn play(
    config: &ClientConfig,
    password: &str,
    out: &Path,
    games: u64,
    report: &mut dyn Reporter,
) -> Result<ClientSummary, ClientError> {
    if !is_name(&config.name) {
        let name = &config.name;
        return Err(ClientError::Login(format!("--name `{name}`: use 1 to 32 letters, digits and _@.-")));
    }
    if password.is_empty() || password.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(ClientError::Login(
            "the password is empty or has blanks in it: no server takes that".to_owned(),
        ));
    }
    let mut folder = RunFolder::create_or_resume(out, GAMES, config, &[])?;
    let before = folder.replay::<GameEntry>()?;
    let traffic = Traffic::new(out)?;
    let errors = folder.errors_of(&config.engine.name);
    let mut margins = Margins::new(&config.host);
    for millis in before.iter().flat_map(|entry| &entry.lags) {
        margins.measured(Duration::from_secs_f64(millis.clamp(0.0, 60_000.0) / 1000.0));
    }
    let mut player = Player {
        config,
        password,
        seat: Seat::new(config.engine.clone(), errors),
        margins,
        folder: &mut folder,
        next: before.len() as u64,
        limit: if games == 0 { u64::MAX } else { games },
        done: before.iter().filter(|entry| !entry.is_cut()).count() as u64,
        summary: ClientSummary::default(),
        report,
    };
    let played = player.play_all(traffic);
    player.seat.quit();
    let summary = player.summary;
    folder.sync()?;
    played.map(|()| summary)
}

struct Player<'a> {
    config: &'a ClientConfig,
    password: &'a str,
    seat: Seat,
    margins: Margins,
    folder: &'a mut RunFolder,
    /// The number of the next game in the folder.
    next: u64,
    limit: u64,
    /// Games of the folder with a result.
    done: u64,
    summary: ClientSummary,
    report: &'a mut dyn Reporter,
}

impl Player<'_> {
    fn play_all(&mut self, mut traffic: Traffic) -> Result<(), ClientError> {
        let mut backoff = Backoff::new(Duration::from_millis(self.config.retry_ms));
        let (mut refusals, mut cuts) = (0, 0);
        while self.done < self.limit && platform::interrupts() == 0 {
            let patience = self.config.patience();
            let options = self.margins.options(self.seat.spec());
            if let Err(error) = self.seat.get_ready(patience, &options) {
                return Err(ClientError::Engine { name: self.config.engine.name.clone(), error });
            }
            let visit = match Connection::open(self.config, self.password, &mut traffic) {
                Ok(mut connection) => self.visit(&mut connection)?,
                Err(error) if error.kind() == ErrorKind::Interrupted => Visit::Interrupted,
                Err(error) => Visit::Failed(error.to_string()),
            };
            refusals = if matches!(visit, Visit::Refused) { refusals + 1 } else { 0 };
            let pause = match visit {
                Visit::Interrupted => return Ok(()),
                Visit::Played => {
                    backoff.reset();
                    cuts = 0;
                    BETWEEN_GAMES
                }
                // The first time may be chance; a server that always disconnects must not be flooded with logins.
                Visit::Cut if cuts == 0 => {
                    cuts = 1;
                    BETWEEN_GAMES
                }
                Visit::Refused if refusals >= MOST_REFUSALS => {
                    return Err(ClientError::Refused(self.config.name.clone()));
                }
                Visit::Cut | Visit::Failed(_) | Visit::Refused => backoff.next(),
            };
            let server = format!("{}:{}", self.config.host, self.config.port);
            let seconds = pause.as_secs_f64();
            match &visit {
                Visit::Failed(why) => self.report.line(&format!("{server}: {why}; again in {seconds:.1} s")),
                Visit::Refused => {
                    self.report.line(&format!("{server}: login refused; again in {seconds:.1} s"));
                }
                _ => {}
            }
            if self.done < self.limit {
                rest(pause);
            }
        }
        Ok(())
    }

    /// Logs in and plays: one game, or in the extended mode as many as are offered.
    fn visit(&mut self, connection: &mut Connection<'_>) -> Result<Visit, ClientError> {
        let config = self.config;
        let extended = if config.mode == Mode::X1 { " x1" } else { "" };
        let [line, shown] = [self.password, "*****"]
            .map(|password| format!("LOGIN {} {}{extended}", config.name, config.login_word(password)));
        connection.send_shown(&line, &shown);
        let deadline = Some(Instant::now() + ANSWER);
        loop {
            match connection.next(None, deadline, false)? {
                Event::Server(line, _) => match server_line(&line) {
                    ServerLine::LoggedIn => break,
                    ServerLine::Refused => return Ok(Visit::Refused),
                    ServerLine::Message(text) => self.report.line(&connection.shown(text)),
                    _ => {}
                },
                Event::Interrupt(_) => return Ok(Visit::Interrupted),
                Event::Closed(why) => return Ok(Visit::Failed(why.to_owned())),
                _ => return Ok(Visit::Failed("no answer to the login".to_owned())),
            }
        }
        self.report.line(&format!(
            "{}:{}: logged in as {}, waiting for a game",
            config.host, config.port, config.name
        ));
        loop {
            if let Some(command) = config.game_command() {
                connection.send(&command);
            }
            let (summary, referee) = match self.wait_for_game(connection)? {
                Ok(agreed) => agreed,
                Err(visit) => return Ok(visit),
            };
            let ended = self.play_one(summary, referee, connection)?;
            if !ended {
                return Ok(Visit::Cut);
            }
            if self.done >= self.limit || platform::interrupts() > 0 || config.mode != Mode::X1 {
                if config.mode != Mode::Floodgate {
                    connection.log_out(FAREWELL)?;
                }
                return Ok(Visit::Played);
            }
            let options = self.margins.options(self.seat.spec());
            if let Err(error) = self.seat.get_ready(config.patience(), &options) {
                return Err(ClientError::Engine { name: config.engine.name.clone(), error });
            }
        }
    }

    /// Waits until a game starts, without a time limit.
    fn wait_for_game(
        &mut self,
        connection: &mut Connection<'_>,
    ) -> Result<Result<(Summary, Referee<Shogi>), Visit>, ClientError> {
        let mut agreed = None;
        let mut deadline = None;
        loop {
            let line = match connection.next(None, deadline, false)? {
                Event::Server(line, _) => line,
                Event::Interrupt(_) => {
                    connection.log_out(FAREWELL)?;
                    return Ok(Err(Visit::Interrupted));
                }
                Event::Closed(why) => return Ok(Err(Visit::Failed(why.to_owned()))),
                _ => return Ok(Err(Visit::Failed("no START after AGREE".to_owned()))),
            };
            match server_line(&line) {
                ServerLine::Summary => match read_summary(connection)? {
                    Err(why) => return Ok(Err(Visit::Failed(why))),
                    Ok(Err(error)) => {
                        self.report.line(&format!("game refused: {error}"));
                        connection.send("REJECT");
                    }
                    Ok(Ok(summary)) => {
                        let referee =
                            Referee::new(&game_of(&summary), &summary.opening(), Adjudication::default());
                        let options = game_options(&summary, &self.config.engine.options);
                        match (referee, self.seat.adjust(&options)) {
                            (Ok(referee), Ok(())) => {
                                connection.send(&format!("AGREE {}", summary.id));
                                (agreed, deadline) =
                                    (Some((summary, referee)), Some(Instant::now() + AGREEMENT));
                            }
                            (Err(error), _) => {
                                self.report.line(&format!("game refused: {error}"));
                                connection.send(&format!("REJECT {}", summary.id));
                            }
                            (_, Err(error)) => {
                                self.report.line(&format!("game refused: the engine {error}"));
                                connection.send(&format!("REJECT {}", summary.id));
                                return Ok(Err(Visit::Failed("the engine is not ready".to_owned())));
                            }
                        }
                    }
                },
                ServerLine::Start(_) => {
                    if let Some(agreed) = agreed.take() {
                        return Ok(Ok(agreed));
                    }
                }
                ServerLine::Reject(game) => {
                    self.report.line(&format!("game {game} was rejected; waiting for the next one"));
                    (agreed, deadline) = (None, None);
                }
                ServerLine::Message(text) => self.report.line(&connection.shown(text)),
                _ => {}
            }
        }
    }

    /// Plays a game that has started and stores it; returns whether it ended with a result.
    fn play_one(
        &mut self,
        summary: Summary,
        referee: Referee<Shogi>,
        connection: &mut Connection<'_>,
    ) -> Result<bool, ClientError> {
        let [black, white] = &summary.names;
        self.report.line(&format!("game {}: {black} against {white}", summary.id));
        let mut options = self.margins.options(self.seat.spec());
        options.extend(game_options(&summary, &self.config.engine.options));
        let mut around = Surroundings {
            config: self.config,
            connection,
            seat: &mut self.seat,
            margins: &mut self.margins,
            report: &mut *self.report,
            options: &options,
        };
        let (mut sheet, left) = game::play(summary, referee, &mut around)?;
        sheet.write(self.folder)?;
        self.folder.append(&sheet.entry(self.next, 0, left))?;
        self.next += 1;
        self.summary.count(&sheet);
        self.done += u64::from(sheet.end.is_some());
        let ClientSummary { wins, losses, draws, cuts, .. } = self.summary;
        self.report.line(&format!(
            "game {}: {} after {} moves; {wins} won, {losses} lost, {draws} without a winner, {cuts} cut",
            sheet.summary.id,
            sheet.outcome(),
            sheet.moves.len()
        ));
        Ok(sheet.end.is_some())
    }
}

/// Reads the rest of a summary; the outer error means that the connection is unusable.
fn read_summary(
    connection: &mut Connection<'_>,
) -> Result<Result<Result<Summary, SummaryError>, String>, ClientError> {
    let mut reader = SummaryReader::default();
    let mut fault = None;
    loop {
        match connection.next(None, Some(Instant::now() + ANSWER), false)? {
            Event::Server(line, _) => match reader.line(&line) {
                Ok(None) => {}
                Ok(Some(summary)) => return Ok(Ok(fault.map_or(Ok(summary), Err))),
                Err(SummaryError::Endless) => return Ok(Err(SummaryError::Endless.to_string())),
                Err(error) if line.trim_end() == "END Game_Summary" => {
                    return Ok(Ok(Err(fault.unwrap_or(error))));
                }
                Err(error) => fault = fault.or(Some(error)),
            },
            Event::Closed(why) => return Ok(Err(why.to_owned())),
            Event::Interrupt(_) => {}
            _ => return Ok(Err("the summary stopped in the middle".to_owned())),
        }
    }
}

/// The rules of the game. If a move ends it by them, the client waits for the server's result before searching again.
fn game_of(summary: &Summary) -> Shogi {
    let max_moves = summary.max_moves.and_then(NonZeroU32::new);
    Shogi { rules: Rules { max_moves, ..Rules::default() } }
}

/// Options that follow from the game, except those that the user has set.
fn game_options(summary: &Summary, chosen: &[(String, String)]) -> Vec<(String, String)> {
    const MAX_MOVES: &str = "MaxMovesToDraw";
    let free = chosen.iter().all(|(name, _)| name != MAX_MOVES);
    let limit = summary.max_moves.filter(|_| free);
    limit.map(|limit| (MAX_MOVES.to_owned(), limit.to_string())).into_iter().collect()
}

/// Waits; Ctrl-C ends the wait.
fn rest(pause: Duration) {
    let end = Instant::now() + pause;
    while platform::interrupts() == 0 {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(Duration::from_millis(100)));
    }
}
