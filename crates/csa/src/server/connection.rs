use game::Color;
use platform::net::LineSocket;
use std::time::{Duration, Instant};

/// Rate limit for lines that are not moves: the size of a burst, and the lines per second.
const BURST: f64 = 100.0;
const PER_SECOND: f64 = 10.0;
/// After this many invalid lines a connection is closed.
const MOST_UNFIT: u32 = 20;
/// Timeout for the login.
const LOGIN: Duration = Duration::from_mins(1);
/// How long a client of the extended mode may take to request a game before it is paired for any game.
const NAMING: Duration = Duration::from_millis(500);
/// How long the other side may take to close the connection after the last line.
const FAREWELL: Duration = Duration::from_secs(2);

/// State of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Not logged in; with the deadline.
    Stranger(Instant),
    /// Waiting for a game.
    Waiting,
    /// At a table, by its number.
    Table(u64),
    /// Logged in, in the extended mode, without having requested a game.
    Idle,
    /// Nothing more is read; closed at this time at the latest.
    Leaving(Instant),
}

/// A client, as seen by the server.
pub(super) struct Connection {
    pub(super) socket: LineSocket,
    pub(super) state: State,
    /// The name, once logged in.
    pub(super) name: String,
    pub(super) password: String,
    /// The requested game: only players who request the same game are paired.
    game: String,
    /// The requested colour.
    pub(super) wish: Option<Color>,
    pub(super) extended: bool,
    /// Whether it requests games by `%%GAME`.
    pub(super) asked: bool,
    /// When it began to wait.
    since: Instant,
    tokens: f64,
    filled: Instant,
    unfit: u32,
}

impl Connection {
    pub(super) fn new(socket: LineSocket, now: Instant) -> Self {
        Self {
            socket,
            state: State::Stranger(now + LOGIN),
            name: String::new(),
            password: String::new(),
            game: String::new(),
            wish: None,
            extended: false,
            asked: false,
            since: now,
            tokens: BURST,
            filled: now,
            unfit: 0,
        }
    }

    /// Counts a line that is not a move; returns whether there were too many.
    pub(super) fn floods(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.tokens = passed.mul_add(PER_SECOND, self.tokens).min(BURST) - 1.0;
        self.filled = now;
        self.tokens < 0.0
    }

    /// Counts an invalid line; returns whether there were too many.
    pub(super) const fn is_lost_case(&mut self) -> bool {
        self.unfit += 1;
        self.unfit > MOST_UNFIT
    }

    /// Starts waiting for this game.
    pub(super) fn wait_for(&mut self, game: &str, wish: Option<Color>, now: Instant) {
        game.clone_into(&mut self.game);
        self.wish = wish;
        self.wait_again(now);
    }

    /// Waits for the same game again.
    pub(super) fn wait_again(&mut self, now: Instant) {
        (self.state, self.since) = (State::Waiting, now);
    }

    /// Whether it can be paired.
    pub(super) fn is_waiting(&self, now: Instant) -> bool {
        // In the extended mode the game may be requested after the login.
        let named = !self.extended || !self.game.is_empty() || now >= self.since + NAMING;
        self.state == State::Waiting && named
    }

    /// Whether both request the same game and not the same colour.
    pub(super) fn may_meet(&self, other: &Self) -> bool {
        self.game == other.game && (self.wish.is_none() || self.wish != other.wish)
    }

    pub(super) fn say(&mut self, line: &str) {
        self.socket.send(&format!("{line}\n"));
    }

    /// Closes the connection after everything has been sent.
    pub(super) fn dismiss(&mut self, now: Instant) {
        if !matches!(self.state, State::Leaving(_)) {
            self.state = State::Leaving(now + FAREWELL);
            if self.socket.is_sent() {
                self.socket.end_sending();
            }
        }
    }

    /// Ignores further input, and closes for writing once everything is sent.
    pub(super) fn see_off(&mut self) {
        while self.socket.take().is_some() {}
        if self.socket.is_sent() {
            self.socket.end_sending();
        }
    }

    /// The next time at which something has to be done without input.
    pub(super) const fn deadline(&self) -> Option<Instant> {
        match self.state {
            State::Stranger(until) | State::Leaving(until) => Some(until),
            _ => None,
        }
    }

    /// Whether it can be removed.
    pub(super) fn is_gone(&self, now: Instant) -> bool {
        match self.state {
            State::Leaving(until) => self.socket.is_closed() || now >= until,
            _ => self.socket.is_closed(),
        }
    }
}
