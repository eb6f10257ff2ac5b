//! The console of the original program: its commands and their output.

mod banners;
mod faults;
mod record;
mod screens;
mod words;

use crate::board::Board;
use crate::edit::{Code, EditOperator, Refusal};
use crate::moves::{Move, Operator};
use crate::position::Binarsi;
use faults::Fault;
use game::{Color, Game};
use platform::Language;
use record::Record;
use std::io::{self, BufRead, Read, Write};
use std::ops::ControlFlow;
use std::time::Duration;
use words::Words;

/// The result of thinking about a position.
pub struct Thought {
    /// Lines that begin with `info`.
    pub info: Vec<String>,
    /// Its move.
    pub best: Move,
}

/// Chooses the computer's moves.
pub trait Player {
    /// Chooses a move in a position that is not over.
    fn think(&mut self, board: &Board) -> Thought;

    /// The values of the option `Player`, the default first; empty if there is no choice.
    fn players(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Selects one of [`Player::players`].
    fn choose(&mut self, player: &str) {
        let _ = player;
    }
}

/// The console: reads commands and writes the output of the original.
///
/// Errors of the original are corrected, as listed in `docs/binarsi.md`. Invalid input changes nothing: the answer is a
/// line `illegal move`, or one that begins with `info string Error!`, and an explanation.
pub struct Console<W, P> {
    out: W,
    player: P,
    words: Words,
    pause: Duration,
    name: String,
    /// `None` before the first `position` and after `usinewgame`.
    record: Option<Record>,
}

type Done = io::Result<()>;

/// Longer lines are not read.
const LONGEST_LINE: u64 = 1 << 16;

impl<W: Write, P: Player> Console<W, P> {
    /// A console; `usi` shows its name, and `play` waits for `pause` between its screens.
    pub fn new(name: impl Into<String>, player: P, out: W, language: Language, pause: Duration) -> Self {
        Self { out, player, words: Words(language), pause, name: name.into(), record: None }
    }

    /// The output.
    pub fn output(&self) -> &W {
        &self.out
    }

    /// Runs line after line until `quit` or the end of the input.
    pub fn run(&mut self, mut input: impl BufRead) -> Done {
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            if line.len() as u64 == LONGEST_LINE {
                input.skip_until(b'\n')?;
                self.error(&Fault::LongLine(LONGEST_LINE))?;
            } else if self.obey(&String::from_utf8_lossy(&line))?.is_break() {
                return Ok(());
            }
        }
    }

    /// Runs one line; breaks at `quit`.
    pub fn obey(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "usi" => self.usi()?,
            "isready" => self.say("readyok")?,
            "usinewgame" => self.new_game()?,
            "position" => self.position(rest)?,
            "board" => self.board()?,
            "sfen" => self.sfen()?,
            "clear_targets" => self.lines(screens::clear_targets(&self.present()))?,
            "legal_moves" => self.lines(screens::legal_moves(self.present().state()))?,
            "play" => self.play(rest)?,
            "do" => self.change(rest)?,
            "undo" => self.undo()?,
            "go" => self.go()?,
            "stop" => self.say("bestmove resign")?,
            "mate1" => self.mate_in_one()?,
            "inverse" => self.inverse(rest)?,
            "moves_for_edit" => self.lines(screens::moves_for_edit(self.present().state(), self.words))?,
            "history" => self.history()?,
            "selfmatch" => self.self_match(rest)?,
            "gameover" => self.say(&self.words.game_over(rest))?,
            "setoption" => self.set_option(rest)?,
            "help" => self.help()?,
            "quit" => return Ok(ControlFlow::Break(())),
            "" => {}
            unknown => {
                let word = unknown.chars().take(40).collect();
                self.say(&format!("info string {}", Fault::UnknownCommand(word).text(self.words.0)))?;
            }
        }
        self.out.flush()?;
        Ok(ControlFlow::Continue(()))
    }

    fn say(&mut self, line: &str) -> Done {
        writeln!(self.out, "{line}")
    }

    fn lines(&mut self, lines: impl IntoIterator<Item = impl AsRef<str>>) -> Done {
        lines.into_iter().try_for_each(|line| self.say(line.as_ref()))
    }

    fn error(&mut self, fault: &Fault) -> Done {
        self.say(&format!("info string Error! {}", fault.text(self.words.0)))
    }

    fn illegal(&mut self, why: &Fault) -> Done {
        self.say("illegal move")?;
        self.say(&format!("info string {}", why.text(self.words.0)))
    }

    fn present(&self) -> Board {
        self.record.as_ref().map_or(Board::EMPTY, |record| *record.board())
    }

    /// The record, or an error line that explains how to get one.
    fn record(&mut self) -> io::Result<Option<&mut Record>> {
        if self.record.is_none() {
            self.error(&Fault::NoPosition)?;
        }
        Ok(self.record.as_mut())
    }

    fn usi(&mut self) -> Done {
        let mut lines = vec![
            format!("id name {}", self.name),
            "option name Language type combo default English var English var Japanese".to_owned(),
        ];
        let players = self.player.players();
        if let Some(first) = players.first() {
            lines
                .push(format!("option name Player type combo default {first} var {}", players.join(" var ")));
        }
        lines.push("usiok".to_owned());
        self.lines(lines)
    }

    fn new_game(&mut self) -> Done {
        self.record = None;
        self.say(&format!("[{}] usinewgame end", screens::timestamp()))
    }

    fn position(&mut self, rest: &str) -> Done {
        let (start, moves) = match rest.find(" moves").filter(|at| word_ends(rest, at + " moves".len())) {
            Some(at) => (&rest[..at], &rest[at + " moves".len()..]),
            None => (rest, ""),
        };
        let start = match Binarsi.position_command(start) {
            Ok(position) => *position.board(),
            Err(error) => return self.error(&Fault::Position(error)),
        };
        let mut record = Record::new(start);
        for (word, number) in moves.split_ascii_whitespace().zip(1..) {
            let played = legal_code(word).and_then(|m| Ok(record.play(m)?));
            if let Err(why) = played {
                return self.error(&Fault::Listed(number, word.to_owned(), Box::new(why)));
            }
        }
        self.record = Some(record);
        Ok(())
    }

    fn board(&mut self) -> Done {
        let picture =
            self.record.as_ref().map_or_else(|| Record::new(Board::EMPTY).picture(), Record::picture);
        self.say(&picture)
    }

    fn sfen(&mut self) -> Done {
        let Some(lines) = self.record()?.map(|record| screens::sfen(record)) else { return Ok(()) };
        self.lines(lines)
    }

    /// Board, SFEN, blank: what every change shows.
    fn show(&mut self) -> Done {
        self.board()?;
        self.sfen()?;
        self.say("")
    }

    fn history(&mut self) -> Done {
        let empty = Record::new(Board::EMPTY);
        let lines = screens::history(self.record.as_ref().unwrap_or(&empty), self.words);
        self.lines(lines)
    }

    fn change(&mut self, word: &str) -> Done {
        if word.is_empty() {
            return self.error(&Fault::NeedsMove("do", ["do 4n", "do &4e#$..10.."]));
        }
        let code: Code = match word.parse() {
            Ok(code) => code,
            Err(error) => return self.illegal(&Fault::Code(error)),
        };
        let Some(record) = self.record()? else { return Ok(()) };
        let done = if code.is_edit {
            record.edit(&code).map_err(Fault::from)
        } else {
            legal_code(word).and_then(|m| Ok(record.play(m)?))
        };
        if let Err(why) = done {
            return self.illegal(&why);
        }
        self.show()?;
        if code.is_edit { Ok(()) } else { self.result() }
    }

    fn undo(&mut self) -> Done {
        let Some(record) = self.record()? else { return Ok(()) };
        if record.undo() { self.show() } else { self.error(&Fault::NothingToUndo) }
    }

    /// Lets the player think, unless the game is over.
    fn thought(&mut self) -> Option<Thought> {
        let board = self.present();
        board.state().ending().is_none().then(|| self.player.think(&board))
    }

    fn go(&mut self) -> Done {
        let Some(thought) = self.thought() else { return self.say("bestmove resign") };
        self.lines(&thought.info)?;
        self.say(&format!("bestmove {}", thought.best))
    }

    fn mate_in_one(&mut self) -> Done {
        match self.present().state().winning_move() {
            None => self.say("there is no checkmate"),
            Some(m) => self.lines(["MATE IN 1 MOVE".to_owned(), "-".repeat(14), m.to_string()]),
        }
    }

    fn inverse(&mut self, rest: &str) -> Done {
        let mut words = rest.split_ascii_whitespace();
        let Some(word) = words.next() else {
            return self.error(&Fault::NeedsMove("inverse", ["inverse 4n", "inverse 4nL 01"]));
        };
        let code: Code = match word.parse() {
            Ok(code) => code,
            Err(error) => return self.illegal(&Fault::Code(error)),
        };
        match inverse(&self.present(), &code, words.next()) {
            Ok(inverse) => self.say(&format!("{word} --inverse--> {inverse}")),
            Err(why) => self.error(&why),
        }
    }

    fn set_option(&mut self, rest: &str) -> Done {
        let words: Vec<_> = rest.split_ascii_whitespace().collect();
        let players = self.player.players();
        match words.as_slice() {
            ["name", "Language", "value", "English"] => self.words = Words(Language::English),
            ["name", "Language", "value", "Japanese"] => self.words = Words(Language::Japanese),
            ["name", "Language", ..] => {
                return self.error(&Fault::OptionValue("Language", vec!["English", "Japanese"]));
            }
            ["name", "Player", "value", player] if players.contains(player) => self.player.choose(player),
            ["name", "Player", ..] if !players.is_empty() => {
                return self.error(&Fault::OptionValue("Player", players));
            }
            ["name", name, ..] => {
                let name = name.chars().take(40).collect();
                return self.say(&format!("info string {}", Fault::UnknownOption(name).text(self.words.0)));
            }
            _ => return self.error(&Fault::UnknownOption(rest.chars().take(40).collect())),
        }
        Ok(())
    }

    fn help(&mut self) -> Done {
        self.lines(self.words.help())
    }

    fn digit(&mut self) -> Done {
        self.lines(if self.present().state().side() == Color::Black { banners::ONE } else { banners::ZERO })
    }

    fn rest(&mut self) -> Done {
        self.out.flush()?;
        std::thread::sleep(self.pause);
        Ok(())
    }

    /// Shows the targets if the last move cleared one, and the result if the game is over; then it breaks.
    fn judge(&mut self, you: Color) -> io::Result<ControlFlow<()>> {
        if self.record.as_ref().is_some_and(Record::has_just_cleared) {
            self.lines(screens::clear_targets(&self.present()))?;
            self.rest()?;
        }
        let Some(ending) = self.present().state().ending() else { return Ok(ControlFlow::Continue(())) };
        self.lines(banners::YOU)?;
        self.lines(if ending.winner() == you { banners::WIN } else { banners::LOSE })?;
        self.result()?;
        Ok(ControlFlow::Break(()))
    }

    /// Shows why the game is over, and the points; nothing while it goes on.
    fn result(&mut self) -> Done {
        let board = self.present();
        let Some(ending) = board.state().ending() else { return Ok(()) };
        self.lines(self.words.result(ending, board.state().stones()))
    }

    fn play(&mut self, word: &str) -> Done {
        if word.is_empty() {
            return self.error(&Fault::NeedsMove("play", ["play 4n", "play cs1"]));
        }
        if self.record()?.is_none() {
            return Ok(());
        }
        let you = self.present().state().side();
        self.digit()?;
        self.rest()?;
        let Some(record) = self.record.as_mut() else { return Ok(()) };
        let played = legal_code(word).and_then(|m| Ok(record.play(m)?));
        if let Err(why) = played {
            return self.illegal(&why);
        }
        self.show()?;
        if self.judge(you)?.is_break() {
            return Ok(());
        }
        self.rest()?;
        self.lines(banners::COMP)?;
        self.rest()?;
        self.digit()?;
        self.out.flush()?;
        self.answer()?;
        self.show()?;
        if self.judge(you)?.is_break() {
            return Ok(());
        }
        self.rest()?;
        self.lines(banners::YOU)
    }

    /// Plays the computer's move.
    fn answer(&mut self) -> Done {
        let thought = self.thought();
        let (Some(thought), Some(record)) = (thought, self.record.as_mut()) else { return Ok(()) };
        if let Err(refusal) = record.answer(thought.best) {
            return self.error(&Fault::Refused(refusal));
        }
        Ok(())
    }

    fn self_match(&mut self, rest: &str) -> Done {
        let games = match rest {
            "" => 1,
            number => match number.parse() {
                Ok(games @ 1..=1_000_000) => games,
                _ => {
                    return self.error(&Fault::Games(number.chars().take(40).collect()));
                }
            },
        };
        let [begin, end] = self.words.self_match();
        self.say(begin)?;
        let mut tally = screens::Tally::default();
        for number in 1..=games {
            self.new_game()?;
            self.record = Some(Record::new(Board::START));
            self.say(&self.words.game_begins(number))?;
            self.show()?;
            while self.present().state().ending().is_none() {
                self.answer()?;
                self.show()?;
            }
            let board = self.present();
            if let Some(ending) = board.state().ending() {
                tally.add(ending);
                self.say(&over(&board, ending.winner()))?;
            }
            self.say(&self.words.game_ends(number))?;
        }
        self.say(end)?;
        self.lines(tally.lines(self.words))
    }
}

fn over(board: &Board, winner: Color) -> String {
    let numbers = crate::Target::ALL.map(|target| board.clears().number(target).map_or(-1, i32::from));
    format!("# gameover  reason='{winner} win'  clear_targets_list={numbers:?}")
}

fn word_ends(text: &str, at: usize) -> bool {
    text[at..].chars().next().is_none_or(char::is_whitespace)
}

/// Parses a move of the game; refuses edits and their marks.
fn legal_code(word: &str) -> Result<Move, Fault> {
    Move::from_text(word).ok_or_else(|| match word.parse::<Code>() {
        Ok(_) => Fault::Refused(Refusal::EditOnly),
        Err(error) => Fault::Code(error),
    })
}

/// The code that undoes another one, where `stones` are those that it overwrote.
fn inverse(board: &Board, code: &Code, stones: Option<&str>) -> Result<String, Fault> {
    let way = code.way;
    match (code.operator, stones) {
        (EditOperator::Game(Operator::Shift(places)), _) => {
            let length = board.state().segment(way).count_ones();
            let places = u32::from(places);
            if length <= places {
                return Err(Fault::Shift(way, length, places));
            }
            Ok(format!("{way}s{}#", length - places))
        }
        (EditOperator::Cut | EditOperator::Edit, _) => Err(Fault::NoInverse),
        (EditOperator::Game(Operator::NotLower | Operator::NotHigher), None) => {
            Err(Fault::SayStones(code.to_string()))
        }
        (EditOperator::Game(Operator::Not), _) | (_, None) => Ok(format!("{way}c#")),
        (_, Some(stones)) => {
            let inverse = format!("{way}e#${stones}");
            inverse
                .parse::<Code>()
                .map(|code| code.to_string())
                .map_err(|_| Fault::Stones(stones.chars().take(40).collect()))
        }
    }
}
