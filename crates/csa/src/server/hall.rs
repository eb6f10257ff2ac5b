//! The server: one thread that waits for all connections.

use super::connection::{Connection, State};
use super::rounds::{Call, Pair, Rounds};
use super::scores::{Scores, Standing};
use super::table::{Table, Worth};
use super::{Pairing, ServerConfig, ServerError};
use crate::files::{GameEntry, Sheet};
use crate::summary::Summary;
use crate::wire::{ClientLine, LONGEST_IN, client_line, game_and_colour, is_name};
use arena::GameResult;
use arena::tournament::{GAMES, RunFolder};
use game::{Color, Game};
use platform::net::{LineSocket, wait};
use shogi::{Move, Setup, Shogi};
use std::collections::{BTreeMap, HashMap};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::time::{Duration, Instant};

/// The maximum number of connections.
const MOST_CONNECTIONS: usize = 256;
/// The longest delay until Ctrl-C or the start of a round takes effect.
const GLANCE: Duration = Duration::from_millis(200);
/// Maximum number of lines of one connection that are processed in a row.
const LINES_AT_ONCE: usize = 64;

/// A listening server.
pub struct Server {
    config: ServerConfig,
    listener: TcpListener,
    users: Option<BTreeMap<String, String>>,
    /// Openings as given, and as start positions.
    openings: Vec<String>,
    starts: Vec<(Setup, Vec<(Move, Duration)>)>,
    connections: BTreeMap<u64, Connection>,
    tables: BTreeMap<u64, Seated>,
    /// The next numbers of connections and tables.
    next: u64,
    /// Numbers of games started and ended.
    started: u64,
    ended: u64,
    /// Lines of the journal.
    entries: u64,
    /// Games of each player with Black less games with White.
    colours: HashMap<String, i32>,
    scores: Scores,
    rounds: Option<Rounds>,
}

/// A table and the connections of Black and White.
struct Seated {
    table: Table,
    players: [u64; 2],
}

impl Server {
    /// Listens. Only `users` may log in, or anyone if there are none. Games start from the `openings` in turn, each
    /// used twice.
    pub fn listen(
        address: &str,
        mut config: ServerConfig,
        openings: &[String],
        users: Option<BTreeMap<String, String>>,
    ) -> Result<Self, ServerError> {
        let listen = |error| ServerError::Listen { address: address.to_owned(), error };
        let listener = TcpListener::bind(address).map_err(listen)?;
        listener.set_nonblocking(true).map_err(listen)?;
        if config.pairing != Pairing::Waiting {
            config.players = users.iter().flat_map(BTreeMap::keys).cloned().collect();
            if config.players.len() < 2 {
                return Err(ServerError::NoUsers);
            }
        }
        Ok(Self {
            config,
            listener,
            users,
            openings: openings.to_vec(),
            starts: openings.iter().filter_map(|opening| start_of(opening)).collect(),
            connections: BTreeMap::new(),
            tables: BTreeMap::new(),
            next: 0,
            started: 0,
            ended: 0,
            entries: 0,
            colours: HashMap::new(),
            scores: Scores::default(),
            rounds: None,
        })
    }

    /// The address it listens on.
    pub fn address(&self) -> Result<SocketAddr, ServerError> {
        Ok(self.listener.local_addr()?)
    }

    /// Runs until `games` games of the folder have been played (0: without end) or the tournament is over. Once
    /// `interrupts` is not 0 no new game starts; from 2 on current games are interrupted. `report` receives messages
    /// for the user.
    pub fn run(
        &mut self,
        out: &Path,
        games: u64,
        interrupts: &dyn Fn() -> u32,
        report: &mut dyn FnMut(&str),
    ) -> Result<Vec<Standing>, ServerError> {
        let mut folder = RunFolder::create_or_resume(out, GAMES, &self.config, &self.openings)?;
        self.resume(&folder.replay::<GameEntry>()?, report);
        let limit = if games == 0 { u64::MAX } else { games };
        let mut closing = false;
        loop {
            let over = self.ended >= limit || self.rounds.as_ref().is_some_and(Rounds::is_over);
            closing |= interrupts() > 0;
            if interrupts() > 1 || ((over || closing) && self.tables.is_empty()) {
                break;
            }
            if !closing {
                self.call_players(limit, &mut folder, report)?;
            }
            self.wait()?;
            let now = Instant::now();
            self.accept(now);
            self.hear(now, report);
            self.tick(Instant::now());
            self.deliver();
            self.keep(&mut folder, report)?;
            self.forget(report);
            if !closing && interrupts() > 0 && !self.tables.is_empty() {
                let games = self.tables.len();
                report(&format!(
                    "no more games; waiting for {games} under way, Ctrl-C again breaks them off"
                ));
            }
        }
        self.close(&mut folder, report)?;
        folder.sync()?;
        Ok(self.scores.table(self.rounds.iter().flat_map(Rounds::points)))
    }

    /// Resumes an earlier run of the folder.
    fn resume(&mut self, entries: &[GameEntry], report: &mut dyn FnMut(&str)) {
        self.entries = entries.len() as u64;
        for entry in entries.iter().filter(|entry| entry.was_played() && !entry.is_cut()) {
            self.ended += 1;
            self.scores.count([&entry.black, &entry.white], entry.result);
            *self.colours.entry(entry.black.clone()).or_default() += 1;
            *self.colours.entry(entry.white.clone()).or_default() -= 1;
        }
        self.started = self.ended;
        for name in &self.config.players {
            self.scores.of(name);
        }
        self.rounds = (self.config.pairing != Pairing::Waiting).then(|| Rounds::new(&self.config, entries));
        if !entries.is_empty() {
            report(&format!("going on after {} games", self.ended));
        }
        if let Some(rounds) = self.rounds.as_ref().filter(|rounds| !rounds.is_over()) {
            report(&rounds.announcement());
        }
    }

    fn wait(&self) -> Result<(), ServerError> {
        let now = Instant::now();
        let tables = self.tables.values().filter_map(|seated| seated.table.deadline());
        let next = self.connections.values().filter_map(Connection::deadline).chain(tables).min();
        let mut left = next.map_or(GLANCE, |next| next.saturating_duration_since(now).min(GLANCE));
        if self.connections.values().any(|connection| connection.socket.has_line()) {
            left = Duration::ZERO;
        }
        let sockets = self.connections.values().map(|connection| &connection.socket);
        Ok(wait(Some(&self.listener), sockets, None, left)?)
    }

    fn accept(&mut self, now: Instant) {
        // An error here concerns one connection or is temporary.
        while let Ok((stream, _)) = self.listener.accept() {
            if self.connections.len() < MOST_CONNECTIONS
                && let Ok(socket) = LineSocket::new(stream, LONGEST_IN)
            {
                self.connections.insert(self.next, Connection::new(socket, now));
                self.next += 1;
            }
        }
    }

    fn hear(&mut self, now: Instant, report: &mut dyn FnMut(&str)) {
        let numbers: Vec<u64> = self.connections.keys().copied().collect();
        for number in numbers {
            let Some(connection) = self.connections.get_mut(&number) else { continue };
            connection.socket.turn();
            if matches!(connection.state, State::Leaving(_)) {
                connection.see_off();
                continue;
            }
            for _ in 0..LINES_AT_ONCE {
                let Some(connection) = self.connections.get_mut(&number) else { break };
                let Some(line) = connection.socket.take() else { break };
                if matches!(connection.state, State::Leaving(_)) {
                    break;
                }
                if connection.socket.overlong() {
                    self.send_away(number, now);
                } else {
                    self.heard(number, &line.text, line.at, report);
                }
            }
        }
    }

    /// Handles a line of a connection.
    fn heard(&mut self, number: u64, text: &str, at: Instant, report: &mut dyn FnMut(&str)) {
        let Some(connection) = self.connections.get_mut(&number) else { return };
        let line = client_line(text);
        let is_move = matches!(line, ClientLine::Move { .. } | ClientLine::Special(_));
        let at_table = matches!(connection.state, State::Table(_));
        if !(is_move && at_table) && connection.floods(at) {
            self.send_away(number, at);
            return;
        }
        let fit = match (connection.state, line) {
            (_, ClientLine::Blank) => {
                // Only an empty line: a line of blanks may be a keep-alive that expects no answer.
                if text.is_empty() {
                    connection.say("");
                }
                true
            }
            (State::Stranger(_), ClientLine::Login { name, password, extended }) => {
                if self.log_in(number, name, password, extended, at) {
                    report(&format!("{name} is there"));
                }
                true
            }
            // Sent before the client knew of the game that has started.
            (State::Table(_), ClientLine::Extended(_)) if connection.extended => true,
            (State::Table(table), line) => self.at_table(number, table, text, line, at),
            (State::Waiting | State::Idle | State::Stranger(_), ClientLine::Logout) => {
                connection.say("LOGOUT:completed");
                connection.dismiss(at);
                true
            }
            (State::Waiting | State::Idle, ClientLine::Extended(command)) if connection.extended => {
                connection.command(command, at)
            }
            // Sent for a game that has just ended.
            (State::Waiting | State::Idle, ClientLine::Move { .. } | ClientLine::Special(_)) => true,
            _ => false,
        };
        if !fit && self.connections.get_mut(&number).is_some_and(Connection::is_lost_case) {
            self.send_away(number, at);
        }
    }

    fn at_table(&mut self, number: u64, table: u64, text: &str, line: ClientLine<'_>, at: Instant) -> bool {
        let Some(seated) = self.tables.get_mut(&table) else { return false };
        let side = if seated.players[0] == number { Color::Black } else { Color::White };
        if line == ClientLine::Logout {
            seated.table.gone(side);
            if let Some(connection) = self.connections.get_mut(&number) {
                connection.say("LOGOUT:completed");
            }
            return true;
        }
        let worth = seated.table.line(side, text, at);
        self.deliver_table(table);
        worth == Worth::Fit
    }

    /// Handles a login; returns whether it is accepted.
    fn log_in(&mut self, number: u64, name: &str, word: &str, extended: bool, now: Instant) -> bool {
        let (game, password) = word.split_once(',').unwrap_or(("", word));
        let known =
            self.users.as_ref().is_none_or(|users| users.get(name).is_some_and(|known| known == password));
        let others = self.connections.iter().filter(|(other, connection)| {
            **other != number && connection.name == name && !matches!(connection.state, State::Leaving(_))
        });
        let other = others.map(|(other, connection)| (*other, connection)).next();
        // A second login of a player replaces the waiting connection; a current game is not disturbed.
        let replaced = other.map(|(other, connection)| {
            (other, connection.password == password && !matches!(connection.state, State::Table(_)))
        });
        let allowed = known && is_name(name) && replaced.is_none_or(|(_, allowed)| allowed);
        let Some(connection) = self.connections.get_mut(&number) else { return false };
        if !allowed {
            connection.say("LOGIN:incorrect");
            connection.dismiss(now);
            return false;
        }
        (connection.name, connection.password) = (name.to_owned(), password.to_owned());
        connection.extended = extended;
        connection.say(&format!("LOGIN:{name} OK"));
        if extended {
            connection.say("##[LOGIN] +OK x1");
        }
        let (game, wish) = game_and_colour(game);
        connection.wait_for(game, wish, now);
        if let Some((other, _)) = replaced {
            self.send_away(other, now);
        }
        true
    }

    /// Closes a connection and ends its game.
    fn send_away(&mut self, number: u64, now: Instant) {
        let Some(connection) = self.connections.get_mut(&number) else { return };
        let state = connection.state;
        connection.dismiss(now);
        self.leave_table(number, state);
    }

    fn leave_table(&mut self, number: u64, state: State) {
        if let State::Table(table) = state
            && let Some(seated) = self.tables.get_mut(&table)
        {
            let side = if seated.players[0] == number { Color::Black } else { Color::White };
            seated.table.gone(side);
        }
    }

    fn tick(&mut self, now: Instant) {
        for seated in self.tables.values_mut() {
            seated.table.tick(now);
        }
        let late =
            |connection: &Connection| matches!(connection.state, State::Stranger(until) if now >= until);
        for connection in self.connections.values_mut().filter(|connection| late(connection)) {
            connection.dismiss(now);
        }
    }

    fn deliver(&mut self) {
        let tables: Vec<u64> = self.tables.keys().copied().collect();
        for table in tables {
            self.deliver_table(table);
        }
    }

    fn deliver_table(&mut self, table: u64) {
        let Some(seated) = self.tables.get_mut(&table) else { return };
        // One write for each player: the result is sent with the move.
        let mut texts = [String::new(), String::new()];
        for (side, text) in seated.table.outbox.drain(..) {
            texts[side.index()] += &text;
        }
        for (player, text) in seated.players.iter().zip(&texts) {
            if let Some(connection) = self.connections.get_mut(player).filter(|_| !text.is_empty()) {
                connection.socket.send(text);
            }
        }
    }

    /// Removes closed connections; their games are lost.
    fn forget(&mut self, report: &mut dyn FnMut(&str)) {
        let now = Instant::now();
        let gone: Vec<_> = self
            .connections
            .iter()
            .filter(|(_, connection)| connection.is_gone(now))
            .map(|(number, connection)| (*number, connection.state))
            .collect();
        for (number, state) in gone {
            if let Some(connection) = self.connections.remove(&number)
                && !matches!(state, State::Stranger(_) | State::Leaving(_))
            {
                report(&format!("{} is gone", connection.name));
            }
            self.leave_table(number, state);
        }
    }

    /// Stores finished games and releases their players.
    fn keep(&mut self, folder: &mut RunFolder, report: &mut dyn FnMut(&str)) -> Result<(), ServerError> {
        let over: Vec<u64> = self
            .tables
            .iter()
            .filter(|(_, seated)| seated.table.is_over())
            .map(|(table, _)| *table)
            .collect();
        for number in over {
            self.deliver_table(number);
            let Some(Seated { mut table, players }) = self.tables.remove(&number) else { continue };
            for (player, side) in players.iter().zip(Color::ALL) {
                if let Some(connection) = self.connections.get_mut(player) {
                    connection.after_game(table.rejected, side);
                }
            }
            let pair = self.rounds.as_mut().and_then(|rounds| rounds.left(number));
            if let Some(side) = table.rejected {
                self.started -= 1;
                let [black, white] = &table.sheet.summary.names;
                report(&format!(
                    "{black} - {white}: rejected by {}",
                    table.sheet.summary.names[side.index()]
                ));
                if let Some((rounds, pair)) = self.rounds.as_mut().zip(pair) {
                    rounds.again(pair);
                }
                continue;
            }
            let (left, result) = (table.left(), table.sheet.result());
            self.keep_sheet(&mut table.sheet, left, folder, report)?;
            if let Some((rounds, pair)) = self.rounds.as_mut().zip(pair).filter(|_| table.sheet.end.is_some())
            {
                rounds.ended(pair, result);
            }
        }
        Ok(())
    }

    fn keep_sheet(
        &mut self,
        sheet: &mut Sheet,
        left: [Duration; 2],
        folder: &mut RunFolder,
        report: &mut dyn FnMut(&str),
    ) -> Result<(), ServerError> {
        sheet.write(folder)?;
        let round = self.rounds.as_ref().map_or(0, Rounds::number);
        folder.append(&sheet.entry(self.entries, round, left))?;
        self.entries += 1;
        let names = &sheet.summary.names;
        if sheet.end.is_some() {
            self.ended += 1;
            self.scores.count([&names[0], &names[1]], sheet.result());
        }
        let outcome = match sheet.result() {
            None => "no result".to_owned(),
            Some(GameResult::Draw) => "drawn".to_owned(),
            Some(GameResult::Black) => format!("{} wins", names[0]),
            Some(GameResult::White) => format!("{} wins", names[1]),
        };
        let reason = sheet.reason.map_or_else(|| sheet.outcome(), |reason| reason.to_string());
        report(&format!("{} - {}: {outcome}, {reason}, {} moves", names[0], names[1], sheet.moves.len()));
        Ok(())
    }

    /// Starts all games that can start.
    fn call_players(
        &mut self,
        limit: u64,
        folder: &mut RunFolder,
        report: &mut dyn FnMut(&str),
    ) -> Result<(), ServerError> {
        if self.rounds.is_some() {
            return self.call_round(limit, folder, report);
        }
        let now = Instant::now();
        while self.started < limit {
            let waiting: Vec<_> =
                self.connections.iter().filter(|(_, connection)| connection.is_waiting(now)).collect();
            let pair = waiting.iter().enumerate().find_map(|(index, (first, one))| {
                let other = waiting[index + 1..].iter().find(|(_, other)| one.may_meet(other));
                other.map(|(second, _)| (**first, **second))
            });
            let Some((first, second)) = pair else { break };
            self.seat(first, second, report);
        }
        Ok(())
    }

    /// Pairs two connections, with the colours that they request, otherwise alternating.
    fn seat(&mut self, first: u64, second: u64, report: &mut dyn FnMut(&str)) {
        let name = |number| self.connections.get(&number).map(|connection| connection.name.clone());
        let (Some(one), Some(other)) = (name(first), name(second)) else { return };
        let wish = |number, colour| self.connections.get(&number).is_some_and(|c| c.wish == Some(colour));
        let balance = |name: &String| self.colours.get(name).copied().unwrap_or_default();
        let swapped = if wish(first, Color::Black) || wish(second, Color::White) {
            false
        } else {
            wish(first, Color::White) || wish(second, Color::Black) || balance(&one) > balance(&other)
        };
        let (players, names) =
            if swapped { ([second, first], [other, one]) } else { ([first, second], [one, other]) };
        self.seat_as(players, &names, None, report);
    }

    fn seat_as(
        &mut self,
        players: [u64; 2],
        names: &[String; 2],
        pair: Option<Pair>,
        report: &mut dyn FnMut(&str),
    ) {
        let starts = &self.starts;
        let (start, moves) = match starts.len() {
            0 => (shogi::Handicap::Even.setup(), Vec::new()),
            count => starts[(self.started / 2) as usize % count].clone(),
        };
        let stamp = jiff::Zoned::now().strftime("%Y%m%d%H%M%S");
        let ServerConfig { event, time_name, rule, max_moves, lenient, .. } = &self.config;
        let serial = self.started % 10_000;
        let summary = Summary {
            id: format!("{event}+{time_name}+{}+{}+{stamp}{serial:04}", names[0], names[1]),
            names: names.clone(),
            you: Color::Black,
            rules: [*rule; 2],
            max_moves: Some(*max_moves),
            start,
            moves,
            unknown: Vec::new(),
        };
        let now = Instant::now();
        // Openings are checked at the start; one that ends the game at once is skipped.
        let table = Table::new(summary.clone(), *lenient, now).or_else(|_| {
            let even = Summary { start: shogi::Handicap::Even.setup(), moves: Vec::new(), ..summary };
            Table::new(even, *lenient, now)
        });
        let Ok(table) = table else { return };
        *self.colours.entry(names[0].clone()).or_default() += 1;
        *self.colours.entry(names[1].clone()).or_default() -= 1;
        self.next += 1;
        let number = self.next;
        for player in players {
            if let Some(connection) = self.connections.get_mut(&player) {
                connection.state = State::Table(number);
            }
        }
        if let Some((rounds, pair)) = self.rounds.as_mut().zip(pair) {
            rounds.seated(number, pair);
        }
        self.tables.insert(number, Seated { table, players });
        self.started += 1;
        report(&format!("{} - {}: begins", names[0], names[1]));
        self.deliver_table(number);
    }

    /// Starts the games of the round whose players are present, and the next round when all have ended.
    fn call_round(
        &mut self,
        limit: u64,
        folder: &mut RunFolder,
        report: &mut dyn FnMut(&str),
    ) -> Result<(), ServerError> {
        let Some(rounds) = self.rounds.as_mut().filter(|rounds| !rounds.is_over()) else { return Ok(()) };
        if self.started >= limit {
            return Ok(());
        }
        if rounds.is_round_over() {
            if !rounds.next_round() {
                return Ok(());
            }
            report(&rounds.announcement());
        }
        let now = Instant::now();
        let waiting: HashMap<String, u64> = self
            .connections
            .iter()
            .filter(|(_, connection)| connection.is_waiting(now))
            .map(|(number, connection)| (connection.name.clone(), *number))
            .collect();
        for call in rounds.call(|name| waiting.contains_key(name)) {
            let Some(rounds) = &mut self.rounds else { break };
            match call {
                Call::Begin(pair) => {
                    let names = rounds.names(pair);
                    let players = [&names[0], &names[1]].map(|name| waiting[name]);
                    if self.started < limit {
                        self.seat_as(players, &names, Some(pair), report);
                    } else {
                        rounds.again(pair);
                    }
                }
                Call::Forfeit(pair, result) => {
                    rounds.ended(pair, result);
                    let (names, round) = (rounds.names(pair), rounds.number());
                    let absent = match result {
                        Some(GameResult::Black) => format!("{} is absent", names[1]),
                        Some(_) => format!("{} is absent", names[0]),
                        None => "both are absent".to_owned(),
                    };
                    let detail = format!("not played: {absent}");
                    report(&format!("{} - {}: {detail}", names[0], names[1]));
                    let mut entry = GameEntry::not_played(names, round, detail, result);
                    entry.game = self.entries;
                    folder.append(&entry)?;
                    self.entries += 1;
                }
            }
        }
        Ok(())
    }

    /// Interrupts current games and closes all connections.
    fn close(&mut self, folder: &mut RunFolder, report: &mut dyn FnMut(&str)) -> Result<(), ServerError> {
        for seated in self.tables.values_mut() {
            seated.table.break_off();
        }
        self.keep(folder, report)?;
        let deadline = Instant::now() + Duration::from_secs(2);
        while Instant::now() < deadline {
            let now = Instant::now();
            for connection in self.connections.values_mut() {
                connection.socket.turn();
                connection.dismiss(now);
                connection.see_off();
            }
            self.connections.retain(|_, connection| !connection.is_gone(now));
            if self.connections.is_empty() {
                break;
            }
            wait(None, self.connections.values().map(|c| &c.socket), None, Duration::from_millis(50))?;
        }
        self.connections.clear();
        Ok(())
    }
}

impl Connection {
    /// The state after a game: a player who did not reject it waits again, the extended mode stays connected, others
    /// log in again.
    fn after_game(&mut self, rejected: Option<Color>, side: Color) {
        let now = Instant::now();
        match self.state {
            State::Leaving(_) => {}
            _ if rejected == Some(!side) => self.wait_again(now),
            // A player who has requested the game by name must request the next one as well.
            _ if self.extended && (rejected.is_some() || self.asked) => self.state = State::Idle,
            _ if self.extended => self.wait_again(now),
            _ => self.dismiss(now),
        }
    }

    /// Handles a command of the extended mode; returns whether it is known.
    fn command(&mut self, command: &str, now: Instant) -> bool {
        let mut words = command.split_ascii_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("GAME"), Some(game), sign) => {
                let (game, wish) = game_and_colour(game);
                let wish = match sign {
                    Some("+") => Some(Color::Black),
                    Some("-") => Some(Color::White),
                    _ => wish,
                };
                self.wait_for(game, wish, now);
                self.asked = true;
                true
            }
            (Some("GAME"), None, _) => {
                self.state = State::Idle;
                true
            }
            _ => {
                self.say("##[ERROR] unknown command");
                false
            }
        }
    }
}

/// A start position and its moves, from an opening in the form of `position`.
fn start_of(opening: &str) -> Option<(Setup, Vec<(Move, Duration)>)> {
    let (start, moves) = opening.split_once(" moves").unwrap_or((opening, ""));
    let setup = Shogi::default().position_command(start).ok()?.setup();
    let moves = moves.split_ascii_whitespace().map(|word| word.parse().ok().map(|m| (m, Duration::ZERO)));
    Some((setup, moves.collect::<Option<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_become_start_positions() {
        let (setup, moves) = start_of("startpos moves 7g7f 3c3d").unwrap();
        assert_eq!((setup.to_string().as_str(), moves.len()), (shogi::STARTPOS_SFEN, 2));
        assert!(start_of("nonsense").is_none());
    }
}
