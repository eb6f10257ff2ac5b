//! The console of the original program.

mod banners;
mod record;
mod screens;
mod words;

pub use words::Language;

use crate::board::Board;
use crate::edit::{Code, EditOperator, Refusal};
use crate::moves::{Move, Operator};
use crate::position::Binarsi;
use game::{Color, Game};
use record::Record;
use std::io::{self, BufRead, Read, Write};
use std::ops::ControlFlow;
use std::time::Duration;

/// What a player thinks of a position.
pub struct Thought {
    /// Lines that begin with `info`.
    pub info: Vec<String>,
    /// Its move.
    pub best: Move,
}

/// Whoever chooses the computer's moves.
pub trait Player {
    /// Thinks about a position in which the game goes on.
    fn think(&mut self, board: &Board) -> Thought;
}

/// The console: reads commands, writes what the original would write.
///
/// What is wrong with the original is right here, as `docs/binarsi.md` lists. Bad input changes nothing: it costs a line
/// `illegal move`, or one that begins with `info string Error!`, and an explanation.
pub struct Console<W, P> {
    out: W,
    player: P,
    language: Language,
    pause: Duration,
    name: String,
    /// `None` before the first `position` and after `usinewgame`.
    record: Option<Record>,
}

type Done = io::Result<()>;

/// Longer lines are not read.
const LONGEST_LINE: u64 = 1 << 16;

/// The commands, with what follows them and what they do, for `help`.
const COMMANDS: [(&str, &str); 21] = [
    ("usi", "name and options"),
    ("isready", "answers readyok"),
    ("usinewgame", "a new game: clears the board"),
    ("position startpos|sfen SFEN [moves MOVE...]", "sets a position"),
    ("board", "draws it"),
    ("sfen", "writes it down"),
    ("clear_targets", "the six targets and which are cleared"),
    ("legal_moves", "all moves; duplicates are marked"),
    ("play MOVE", "moves, and the computer answers"),
    ("do MOVE|&EDIT", "moves or edits without an answer"),
    ("undo", "takes the last `do` or `play` back"),
    ("go", "the computer's choice, which is not played"),
    ("stop", "answers bestmove resign: nothing is running"),
    ("mate1", "a move that wins at once"),
    ("inverse CODE [STONES]", "the edit that undoes a code"),
    ("moves_for_edit", "edits that cut or fill a way"),
    ("history", "what was done since `position`"),
    ("selfmatch [GAMES]", "the computer against itself"),
    ("gameover win|lose|draw", "the end of a game"),
    ("setoption name Language value English|Japanese", "the language of texts"),
    ("quit", "leaves"),
];

impl<W: Write, P: Player> Console<W, P> {
    /// A console of this name, which `usi` shows; `pause` is how long `play` waits between its screens.
    pub fn new(name: impl Into<String>, player: P, out: W, language: Language, pause: Duration) -> Self {
        Self { out, player, language, pause, name: name.into(), record: None }
    }

    /// Where it writes.
    pub fn output(&self) -> &W {
        &self.out
    }

    /// Obeys line after line until `quit` or the end.
    pub fn run(&mut self, mut input: impl BufRead) -> Done {
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            if line.len() as u64 == LONGEST_LINE {
                input.skip_until(b'\n')?;
                self.error(format!("a line has at most {LONGEST_LINE} bytes; this one was ignored"))?;
            } else if self.obey(&String::from_utf8_lossy(&line))?.is_break() {
                return Ok(());
            }
        }
    }

    /// Obeys one line; breaks at `quit`.
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
            "moves_for_edit" => self.lines(screens::moves_for_edit(self.present().state(), self.language))?,
            "history" => self.history()?,
            "selfmatch" => self.self_match(rest)?,
            "gameover" => self.say(&self.language.game_over(rest))?,
            "setoption" => self.set_option(rest)?,
            "help" => self.help()?,
            "quit" => return Ok(ControlFlow::Break(())),
            // Like the original, which hosts rely on.
            _ => {}
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

    fn error(&mut self, what: impl std::fmt::Display) -> Done {
        self.say(&format!("info string Error! {what}"))
    }

    fn illegal(&mut self, why: impl std::fmt::Display) -> Done {
        self.say("illegal move")?;
        self.say(&format!("info string {why}"))
    }

    fn present(&self) -> Board {
        self.record.as_ref().map_or(Board::EMPTY, |record| *record.board())
    }

    /// The record, or an error line that says how to get one.
    fn record(&mut self) -> io::Result<Option<&mut Record>> {
        if self.record.is_none() {
            self.error("there is no position yet: say `position startpos`")?;
        }
        Ok(self.record.as_mut())
    }

    fn usi(&mut self) -> Done {
        let lines = [
            format!("id name {}", self.name),
            "option name Language type combo default English var English var Japanese".to_owned(),
            "usiok".to_owned(),
        ];
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
            Err(error) => return self.error(error),
        };
        let mut record = Record::new(start);
        for (word, number) in moves.split_ascii_whitespace().zip(1..) {
            let played = legal_code(word).and_then(|m| record.play(m).map_err(|refusal| refusal.to_string()));
            if let Err(why) = played {
                return self.error(format!("move {number} `{word}` of the list is illegal: {why}"));
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
        let lines = screens::history(self.record.as_ref().unwrap_or(&empty), self.language);
        self.lines(lines)
    }

    fn change(&mut self, word: &str) -> Done {
        if word.is_empty() {
            return self.error("do needs a move, as in `do 4n`, or an edit, as in `do &4e#$..10..`");
        }
        let code: Code = match word.parse() {
            Ok(code) => code,
            Err(error) => return self.illegal(error),
        };
        let Some(record) = self.record()? else { return Ok(()) };
        let done = if code.is_edit {
            record.edit(&code).map_err(|error| error.to_string())
        } else {
            legal_code(word).and_then(|m| record.play(m).map_err(|refusal| refusal.to_string()))
        };
        match done {
            Ok(()) => self.show(),
            Err(why) => self.illegal(why),
        }
    }

    fn undo(&mut self) -> Done {
        let Some(record) = self.record()? else { return Ok(()) };
        if record.undo() { self.show() } else { self.error("there is nothing to undo") }
    }

    /// The player's thought, if the game goes on and there is something to play.
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
            return self.error("inverse needs a move, as in `inverse 4n` or `inverse 4nL 01`");
        };
        let code: Code = match word.parse() {
            Ok(code) => code,
            Err(error) => return self.illegal(error),
        };
        match inverse(&self.present(), &code, words.next()) {
            Ok(inverse) => self.say(&format!("{word} --inverse--> {inverse}")),
            Err(why) => self.error(why),
        }
    }

    fn set_option(&mut self, rest: &str) -> Done {
        let words: Vec<_> = rest.split_ascii_whitespace().collect();
        match words.as_slice() {
            ["name", "Language", "value", "English"] => self.language = Language::English,
            ["name", "Language", "value", "Japanese"] => self.language = Language::Japanese,
            ["name", "Language", ..] => return self.error("Language is English or Japanese"),
            _ => {}
        }
        Ok(())
    }

    fn help(&mut self) -> Done {
        let width = COMMANDS.iter().map(|(command, _)| command.len()).max().unwrap_or_default();
        self.lines(COMMANDS.map(|(command, what)| format!("{command:width$}  {what}")))
    }

    fn digit(&mut self) -> Done {
        self.lines(if self.present().state().side() == Color::Black { banners::ONE } else { banners::ZERO })
    }

    fn rest(&mut self) -> Done {
        self.out.flush()?;
        std::thread::sleep(self.pause);
        Ok(())
    }

    /// The targets if the last move cleared one, and the end of the game if it came; breaks if so.
    fn judge(&mut self, you: Color) -> io::Result<ControlFlow<()>> {
        if self.record.as_ref().is_some_and(Record::has_just_cleared) {
            self.lines(screens::clear_targets(&self.present()))?;
            self.rest()?;
        }
        let Some(ending) = self.present().state().ending() else { return Ok(ControlFlow::Continue(())) };
        self.lines(banners::YOU)?;
        self.lines(if ending.winner() == you { banners::WIN } else { banners::LOSE })?;
        Ok(ControlFlow::Break(()))
    }

    fn play(&mut self, word: &str) -> Done {
        if word.is_empty() {
            return self.error("play needs a move, as in `play 4n`");
        }
        if self.record()?.is_none() {
            return Ok(());
        }
        let you = self.present().state().side();
        self.digit()?;
        self.rest()?;
        let Some(record) = self.record.as_mut() else { return Ok(()) };
        let played = legal_code(word).and_then(|m| record.play(m).map_err(|refusal| refusal.to_string()));
        if let Err(why) = played {
            return self.illegal(why);
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

    /// The computer moves.
    fn answer(&mut self) -> Done {
        let thought = self.thought();
        let (Some(thought), Some(record)) = (thought, self.record.as_mut()) else { return Ok(()) };
        if let Err(refusal) = record.play(thought.best) {
            return self.error(refusal);
        }
        Ok(())
    }

    fn self_match(&mut self, rest: &str) -> Done {
        let games = match rest {
            "" => 1,
            number => match number.parse() {
                Ok(games @ 1..=1_000_000) => games,
                _ => {
                    return self.error(format!("selfmatch takes a number of games from 1, found `{number}`"));
                }
            },
        };
        let [begin, end] = self.language.self_match();
        self.say(begin)?;
        let mut tally = screens::Tally::default();
        for number in 1..=games {
            self.new_game()?;
            self.record = Some(Record::new(Board::START));
            self.say(&self.language.game_begins(number))?;
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
            self.say(&self.language.game_ends(number))?;
        }
        self.say(end)?;
        self.lines(tally.lines(self.language))
    }
}

fn over(board: &Board, winner: Color) -> String {
    let numbers = crate::Target::ALL.map(|target| board.clears().number(target).map_or(-1, i32::from));
    format!("# gameover  reason='{winner} win'  clear_targets_list={numbers:?}")
}

fn word_ends(text: &str, at: usize) -> bool {
    text[at..].chars().next().is_none_or(char::is_whitespace)
}

/// A move of the game as text; edits and their marks are not.
fn legal_code(word: &str) -> Result<Move, String> {
    Move::from_text(word).ok_or_else(|| match word.parse::<Code>() {
        Ok(_) => Refusal::EditOnly.to_string(),
        Err(error) => error.to_string(),
    })
}

/// The code that takes another one back, `stones` being what it overwrote.
fn inverse(board: &Board, code: &Code, stones: Option<&str>) -> Result<String, String> {
    let way = code.way;
    match (code.operator, stones) {
        (EditOperator::Game(Operator::Shift(places)), _) => {
            let length = board.state().segment(way).count_ones();
            let places = u32::from(places);
            if length <= places {
                return Err(format!(
                    "way {way} has {length} stones: a shift by {places} cannot have been played"
                ));
            }
            Ok(format!("{way}s{}#", length - places))
        }
        (EditOperator::Cut | EditOperator::Edit, _) => Err("c and e have no inverse".to_owned()),
        (EditOperator::Game(Operator::NotLower | Operator::NotHigher), None) => {
            Err(format!("say which stones were overwritten, as in `inverse {code} 01`"))
        }
        (EditOperator::Game(Operator::Not), _) | (_, None) => Ok(format!("{way}c#")),
        (_, Some(stones)) => {
            let inverse = format!("{way}e#${stones}");
            inverse
                .parse::<Code>()
                .map(|code| code.to_string())
                .map_err(|_| format!("stones are `0`, `1` and `.`, found `{stones}`"))
        }
    }
}
