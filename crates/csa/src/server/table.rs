//! A game at a table as a state machine: lines of the players and their times in, lines to the players out. It uses
//! neither sockets nor clocks.

use crate::clock::{Clocks, ResumeClock};
use crate::files::{Sheet, SheetMove};
use crate::summary::Summary;
use crate::wire::{ClientLine, EndReason, GameEnd, time_text};
use arena::{Adjudication, Answer, Reason, Referee, Ruling};
use game::Color;
use record::Board;
use shogi::{Rules, Shogi};
use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

/// Timeout for the players' agreement.
const AGREEMENT: Duration = Duration::from_mins(2);
/// Maximum number of kept lines out of turn.
const MOST_DEFERRED: usize = 8;

/// Whether a line was valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Worth {
    /// It belonged to the game.
    Fit,
    /// It was invalid here.
    Unfit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Who has agreed, and the deadline.
    Agreeing([bool; 2], Instant),
    /// The game is in progress; when the side to move began to think.
    Playing(Instant),
    Over,
}

/// Two players and the referee.
pub(super) struct Table {
    referee: Referee<Shogi>,
    clocks: Clocks,
    pub(super) sheet: Sheet,
    state: State,
    lenient: bool,
    deferred: [VecDeque<String>; 2],
    /// Lines to be sent, with their receivers.
    pub(super) outbox: Vec<(Color, String)>,
    /// The player who rejected the game.
    pub(super) rejected: Option<Color>,
}

impl Table {
    /// A table whose players have been notified; their summaries are in the outbox.
    pub(super) fn new(summary: Summary, lenient: bool, now: Instant) -> Result<Self, String> {
        let max_moves = summary.max_moves.and_then(NonZeroU32::new);
        let game = Shogi { rules: Rules { max_moves, ..Rules::default() } };
        let referee = Referee::new(&game, &summary.opening(), Adjudication::default())?;
        let clocks = Clocks::new(summary.rules, &summary.setup_times(), ResumeClock::Safe);
        let outbox = Color::ALL.map(|side| (side, summary.text(side))).into();
        Ok(Self {
            referee,
            clocks,
            sheet: Sheet::new(summary),
            state: State::Agreeing([false; 2], now + AGREEMENT),
            lenient,
            deferred: [VecDeque::new(), VecDeque::new()],
            outbox,
            rejected: None,
        })
    }

    pub(super) fn is_over(&self) -> bool {
        self.state == State::Over
    }

    /// The remaining time of both clocks.
    pub(super) fn left(&self) -> [Duration; 2] {
        Color::ALL.map(|side| self.clocks.left(side))
    }

    /// The next time at which something has to be done without input.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.state {
            State::Agreeing(_, until) => Some(until),
            State::Playing(since) => Some(since + self.clocks.budget(self.sheet.side())),
            State::Over => None,
        }
    }

    /// Handles deadlines that have passed.
    pub(super) fn tick(&mut self, now: Instant) {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return;
        }
        match self.state {
            State::Agreeing(agreed, _) => {
                let silent =
                    Color::ALL.into_iter().find(|side| !agreed[side.index()]).unwrap_or(Color::Black);
                self.reject(silent);
            }
            State::Playing(_) => self.end(EndReason::TimeUp, Some(!self.sheet.side())),
            State::Over => {}
        }
    }

    /// Handles the disconnection of a player.
    pub(super) fn gone(&mut self, side: Color) {
        match self.state {
            State::Agreeing(..) => self.reject(side),
            State::Playing(_) => {
                self.sheet.remarks.push(format!("{side} is gone"));
                self.say_both("%TORYO");
                self.end(EndReason::Resign, Some(!side));
            }
            State::Over => {}
        }
    }

    /// Handles a line of a player.
    pub(super) fn line(&mut self, side: Color, text: &str, at: Instant) -> Worth {
        let line = crate::wire::client_line(text);
        match (self.state, line) {
            (_, ClientLine::Blank) => Worth::Fit,
            (State::Agreeing(..), ClientLine::Agree(game)) if self.is_this(game) => {
                self.agree(side, at);
                Worth::Fit
            }
            (State::Agreeing(..), ClientLine::Reject(_)) => {
                self.reject(side);
                Worth::Fit
            }
            (State::Playing(_), ClientLine::Special("CHUDAN")) => {
                self.say_both("%CHUDAN");
                self.interrupt();
                Worth::Fit
            }
            (State::Playing(since), ClientLine::Move { .. } | ClientLine::Special(_)) => {
                if self.sheet.side() == side {
                    self.act(side, line, at.saturating_duration_since(since), at);
                    self.act_deferred(at);
                } else if !self.lenient {
                    self.end(EndReason::IllegalAction, Some(!side));
                } else if self.deferred[side.index()].len() < MOST_DEFERRED {
                    self.deferred[side.index()].push_back(text.to_owned());
                } else {
                    return Worth::Unfit;
                }
                Worth::Fit
            }
            _ => Worth::Unfit,
        }
    }

    fn is_this(&self, game: &str) -> bool {
        game.is_empty() || game == self.sheet.summary.id
    }

    fn agree(&mut self, side: Color, now: Instant) {
        let State::Agreeing(mut agreed, until) = self.state else { return };
        agreed[side.index()] = true;
        self.state = State::Agreeing(agreed, until);
        if agreed == [true; 2] {
            let id = self.sheet.summary.id.clone();
            self.say_both(&format!("START:{id}"));
            self.state = State::Playing(now);
        }
    }

    fn reject(&mut self, side: Color) {
        let summary = &self.sheet.summary;
        let text = format!("REJECT:{} by {}", summary.id, summary.names[side.index()]);
        self.say_both(&text);
        (self.state, self.rejected) = (State::Over, Some(side));
    }

    /// Handles a kept line whose turn has come.
    fn act_deferred(&mut self, at: Instant) {
        while let State::Playing(since) = self.state {
            let side = self.sheet.side();
            let Some(text) = self.deferred[side.index()].pop_front() else { return };
            self.act(side, crate::wire::client_line(&text), at.saturating_duration_since(since), at);
        }
    }

    /// Handles an action of the side to move after this thinking time.
    fn act(&mut self, side: Color, line: ClientLine<'_>, elapsed: Duration, at: Instant) {
        let rule = self.clocks.rules[side.index()];
        let charged = rule.charge(elapsed);
        if rule.is_lost(self.clocks.left(side), charged) {
            self.end(EndReason::TimeUp, Some(!side));
            return;
        }
        let time = time_text(charged, rule.unit < Duration::from_secs(1));
        match line {
            ClientLine::Move { text, comment } => self.act_move(side, text, comment, charged, &time, at),
            ClientLine::Special(word @ "TORYO") => {
                self.say_both(&format!("%{word},{time}"));
                self.end(EndReason::Resign, Some(!side));
            }
            ClientLine::Special(word @ "KACHI") => {
                self.say_both(&format!("%{word},{time}"));
                let claim = self.referee.judge(&Answer { best: "win".to_owned(), ponder: None });
                match claim {
                    Ruling::End(_, verdict) if verdict.reason == Reason::Declaration => {
                        self.end(EndReason::Declaration, Some(side));
                    }
                    _ => self.end(EndReason::IllegalMove, Some(!side)),
                }
            }
            _ => self.end(EndReason::IllegalMove, Some(!side)),
        }
    }

    fn act_move(
        &mut self,
        side: Color,
        text: &str,
        comment: Option<&str>,
        time: Duration,
        told: &str,
        at: Instant,
    ) {
        let board = Board::from(&self.referee.position().setup());
        let parsed = record::csa::parse_move(&board, text).ok();
        let Some(m) = parsed.filter(|m| self.referee.position().is_legal(*m)) else {
            self.say_both(&format!("{text},{told}"));
            self.sheet.remarks.push(format!("{text} is illegal"));
            self.end(EndReason::IllegalMove, Some(!side));
            return;
        };
        self.clocks.spend(side, time);
        let comment = comment.map(|comment| comment.chars().filter(|c| !c.is_control()).collect());
        self.sheet.moves.push(SheetMove { m, time, lag: None, search_info: None, comment });
        self.say_both(&format!("{text},{told}"));
        self.state = State::Playing(at);
        let Some(verdict) = self.referee.play(m, None) else { return };
        let winner = verdict.result.winner();
        match verdict.reason {
            Reason::Repetition => self.end(EndReason::Repetition, None),
            Reason::PerpetualCheck => self.end(EndReason::PerpetualCheck, winner),
            Reason::MoveLimit => self.censor(),
            // A mated player resigns, or loses by time or an illegal move: servers leave that to the players.
            _ => {}
        }
    }

    fn say_both(&mut self, line: &str) {
        for side in Color::ALL {
            self.outbox.push((side, format!("{line}\n")));
        }
    }

    /// Ends the game; without a winner it is a draw.
    fn end(&mut self, reason: EndReason, winner: Option<Color>) {
        self.say_both(&reason.to_string());
        let end_for = |side: Color| match winner {
            None => GameEnd::Draw,
            Some(winner) if winner == side => GameEnd::Win,
            Some(_) => GameEnd::Lose,
        };
        for side in Color::ALL {
            self.outbox.push((side, format!("{}\n", end_for(side))));
        }
        self.sheet.reason = Some(reason);
        self.sheet.end = Some(end_for(self.sheet.summary.you));
        self.state = State::Over;
    }

    fn censor(&mut self) {
        self.say_both(&EndReason::MaxMoves.to_string());
        self.say_both(&GameEnd::Censored.to_string());
        (self.sheet.reason, self.sheet.end) = (Some(EndReason::MaxMoves), Some(GameEnd::Censored));
        self.state = State::Over;
    }

    /// Handles an interruption by a player.
    fn interrupt(&mut self) {
        self.say_both(&GameEnd::Interrupted.to_string());
        self.sheet.end = Some(GameEnd::Interrupted);
        self.state = State::Over;
    }

    /// The server interrupts the game: it does not count. For the players the connection is cut, so that they come back for the same
    /// game; `#CHUDAN` would be an end of it.
    pub(super) fn break_off(&mut self) {
        match self.state {
            State::Agreeing(..) => self.reject(Color::Black),
            State::Playing(_) => {
                self.sheet.remarks.push("the server was stopped".to_owned());
                self.state = State::Over;
            }
            State::Over => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeRule;
    use crate::server::TimeWords;
    use crate::summary::SummaryReader;
    use crate::wire::{ServerLine, server_line};
    use proptest::prelude::*;
    use shogi::Handicap;

    /// A table at which time passes by the milliseconds given.
    struct Try {
        table: Table,
        now: Instant,
    }

    fn table(time: &str, max_moves: u32, lenient: bool) -> Try {
        table_in(Duration::from_secs(1), time, max_moves, lenient)
    }

    fn table_in(unit: Duration, time: &str, max_moves: u32, lenient: bool) -> Try {
        let rules = [time.parse::<TimeWords>().unwrap().rule(unit); 2];
        let names = ["a".to_owned(), "b".to_owned()];
        let summary = Summary {
            id: "x".to_owned(),
            names,
            you: Color::Black,
            rules,
            max_moves: Some(max_moves),
            start: Handicap::Even.setup(),
            moves: Vec::new(),
            unknown: Vec::new(),
        };
        let now = Instant::now();
        let mut table = Table::new(summary, lenient, now).unwrap();
        assert!(table.outbox.iter().all(|(_, text)| text.starts_with("BEGIN Game_Summary\n")));
        table.outbox.clear();
        assert_eq!(table.line(Color::White, "AGREE", now), Worth::Fit);
        assert!(table.outbox.is_empty());
        table.line(Color::Black, "AGREE x", now);
        let mut table = Try { table, now };
        assert_eq!(table.told(Color::White), "START:x");
        table
    }

    impl Try {
        fn told(&mut self, side: Color) -> String {
            let said = self.table.outbox.iter().filter(|(to, _)| *to == side);
            let text: String = said.map(|(_, text)| text.replace('\n', " ")).collect();
            self.table.outbox.clear();
            text.trim_end().to_owned()
        }

        /// The lines White receives after Black or White sends this, so much later.
        fn say(&mut self, line: &str, millis: u64) -> String {
            let side = if line.starts_with('-') { Color::White } else { Color::Black };
            self.now += Duration::from_millis(millis);
            self.table.line(side, line, self.now);
            self.told(Color::White)
        }
    }

    #[test]
    fn moves_and_clocks() {
        let mut game = table("10+2F", 512, false);
        assert_eq!(game.say("+7776FU,'* 30 -3334FU", 3900), "+7776FU,T3");
        assert_eq!(game.say("-3334FU", 100), "-3334FU,T0");
        assert_eq!(game.table.left().map(|left| left.as_secs()), [9, 12]);
        assert_eq!(game.table.sheet.moves[0].comment.as_deref(), Some("* 30 -3334FU"));
        assert_eq!(game.say("%TORYO", 1000), "%TORYO,T1 #RESIGN #WIN");
        assert!(game.table.is_over());
        assert_eq!(game.table.line(Color::White, "-8384FU", game.now), Worth::Unfit);
    }

    /// The flag falls as on shogi-server: byoyomi 2 is fine at 1.9 s, lost at 2.05 s.
    #[test]
    fn flags() {
        let mut game = table("0+2", 512, false);
        assert_eq!(game.say("+7776FU", 1900), "+7776FU,T1");
        game.now += Duration::from_millis(1999);
        game.table.tick(game.now);
        assert!(!game.table.is_over());
        game.now += Duration::from_millis(1);
        game.table.tick(game.now);
        assert_eq!(game.told(Color::White), "#TIME_UP #LOSE");
        let mut late = table("0+2", 512, false);
        assert_eq!(late.say("+7776FU", 2050), "#TIME_UP #WIN");
    }

    #[test]
    fn faults() {
        for (line, told) in [
            ("+7775FU", "+7775FU,T0 #ILLEGAL_MOVE #WIN"),
            ("+9999XX", "+9999XX,T0 #ILLEGAL_MOVE #WIN"),
            ("%KACHI", "%KACHI,T0 #ILLEGAL_MOVE #WIN"),
            ("%HIKIWAKE", "#ILLEGAL_MOVE #WIN"),
            ("%CHUDAN", "%CHUDAN #CHUDAN"),
            ("-3334FU", "#ILLEGAL_ACTION #LOSE"),
        ] {
            assert_eq!(table("60+5", 512, false).say(line, 0), told, "{line}");
        }
    }

    #[test]
    fn what_comes_too_early_may_wait() {
        let mut game = table("60+5", 512, true);
        assert_eq!(game.say("-3334FU", 0), "");
        assert_eq!(game.say("+7776FU", 1000), "+7776FU,T1 -3334FU,T0");
    }

    #[test]
    fn repetition_and_the_limit() {
        let mut game = table("60+5", 512, false);
        let cycle = ["+2838HI", "-8272HI", "+3828HI", "-7282HI"];
        let told: Vec<_> = cycle.iter().cycle().take(12).map(|line| game.say(line, 0)).collect();
        assert_eq!(told[11], "-7282HI,T0 #SENNICHITE #DRAW");
        let mut short = table("60+5", 2, false);
        short.say("+7776FU", 0);
        assert_eq!(short.say("-3334FU", 0), "-3334FU,T0 #MAX_MOVES #CENSORED");
    }

    #[test]
    fn players_who_leave() {
        let mut game = table("60+5", 512, false);
        game.table.gone(Color::Black);
        assert_eq!(game.told(Color::White), "%TORYO #RESIGN #WIN");
        let mut summary = game.table.sheet.summary.clone();
        summary.moves.clear();
        let mut silent = Table::new(summary, false, game.now).unwrap();
        silent.outbox.clear();
        silent.line(Color::Black, "AGREE", game.now);
        silent.tick(game.now + AGREEMENT);
        assert!(silent.rejected == Some(Color::White) && silent.is_over());
        assert_eq!(silent.outbox[0].1, "REJECT:x by b\n");
    }

    proptest! {
        /// A client that knows the summary and the times that it gets has both clocks of the server after every move, and knows
        /// when the flag falls.
        #[test]
        fn clients_keep_the_clocks_of_the_server(
            time in prop::sample::select(vec!["10+2F", "0+2", "6+1", "3+0"]),
            millis: bool,
            times in prop::collection::vec(0_u64..4_000, 1..80),
        ) {
            // The same times in thousandths, so that fractions count.
            let unit = Duration::from_millis(if millis { 1 } else { 1000 });
            let mut game = table_in(Duration::from_secs(1), time, 512, false);
            if millis {
                let rules = game.table.sheet.summary.rules.map(|rule| TimeRule { unit, ..rule });
                (game.table.clocks.rules, game.table.sheet.summary.rules) = (rules, rules);
            }
            let text = game.table.sheet.summary.text(Color::White);
            let mut reader = SummaryReader::default();
            let read = text.lines().skip(1).find_map(|line| reader.line(line).unwrap()).unwrap();
            let mut clocks = Clocks::new(read.rules, &read.setup_times(), ResumeClock::Safe);
            for elapsed in times {
                let (side, elapsed) = (game.table.sheet.side(), Duration::from_millis(elapsed));
                let position = game.table.referee.position();
                let moves = position.legal_moves();
                prop_assume!(!moves.is_empty());
                let m = moves[elapsed.as_millis() as usize % moves.len()];
                let line = record::csa::move_text(&Board::from(&position.setup()), m);
                game.now += elapsed;
                game.table.line(side, &line, game.now);
                let told = game.told(Color::White);
                prop_assert_eq!(told.starts_with("#TIME_UP"), elapsed >= clocks.budget(side), "{}", told);
                if game.table.is_over() {
                    break;
                }
                let ServerLine::Move { side: mover, time: Some(charged), .. } = server_line(&told) else {
                    return Err(TestCaseError::fail(told));
                };
                clocks.spend(mover, charged);
                prop_assert_eq!(Color::ALL.map(|side| clocks.left(side)), game.table.left());
            }
        }
    }
}
