//! The USI console: lines in, lines out, the same for every game.
//!
//! [`Console::run`] reads a whole session; [`Console::execute`] obeys one line, whatever bytes it holds, and is
//! what tests and fuzzers drive. Neither panics on any input: a line that makes no sense costs one
//! `info string` line and changes nothing.

mod command;
mod lines;
pub mod perft;
mod reply;

pub use command::is_command;

use command::{Command, Go};
use game::{Declaration, Game, Position, Script};
use lines::{Line, Lines, MAX_LINE};
use perft::Perft;
use std::io::{self, BufRead, Write};

/// The name and version that hosts show.
const NAME: &str = concat!("Tsumugi ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = "the Tsumugi contributors";

/// Whether the session goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Flow {
    /// Read the next line.
    Continue,
    /// `quit` was said.
    Quit,
}

/// A session with one host or person.
pub struct Console<G: Game> {
    game: G,
    position: G::Position,
    max_perft_depth: u32,
    /// The answer to `go infinite` or `go ponder`, kept back until the host asks for it.
    withheld: Option<String>,
}

impl<G: Game> Console<G> {
    /// A session that begins with the start position.
    pub fn new(game: G) -> Self {
        let position = game.startpos();
        Self { game, position, max_perft_depth: perft::MAX_DEPTH, withheld: None }
    }

    /// Refuses `go perft` beyond `depth`: with a small one, no line takes long.
    #[must_use]
    pub fn with_max_perft_depth(mut self, depth: u32) -> Self {
        self.max_perft_depth = depth;
        self
    }

    /// The position that has been set.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// Two lines for a person at a terminal. Hosts expect silence until they speak.
    pub fn greet(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{NAME} plays {} and speaks USI.", self.game.name())?;
        writeln!(
            out,
            "Type `help` for all commands, `d` for the board, `go movetime 1000` for a move, `quit` to end."
        )?;
        out.flush()
    }

    /// Obeys line after line until `quit` or the end of the input.
    pub fn run(&mut self, input: impl BufRead, out: &mut impl Write) -> io::Result<()> {
        let mut lines = Lines::new(input);
        while let Some(line) = lines.next()? {
            match line {
                Line::Text(line) => {
                    if self.execute(line, out)? == Flow::Quit {
                        break;
                    }
                }
                Line::TooLong => {
                    reply::error(out, format_args!("a line of more than {MAX_LINE} bytes was skipped"))?;
                    out.flush()?;
                }
            }
        }
        Ok(())
    }

    /// Obeys one line, with or without its line end. Fails only when `out` does.
    pub fn execute(&mut self, line: &[u8], out: &mut impl Write) -> io::Result<Flow> {
        match Command::parse(&String::from_utf8_lossy(line)) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => return Ok(Flow::Quit),
            Ok(Some(command)) => self.obey(&command, out)?,
            Err(error) => reply::info(out, error)?,
        }
        out.flush()?;
        Ok(Flow::Continue)
    }

    fn obey(&mut self, command: &Command<'_>, out: &mut impl Write) -> io::Result<()> {
        match command {
            Command::Usi => writeln!(out, "id name {NAME}\nid author {AUTHOR}\nusiok"),
            Command::IsReady => writeln!(out, "readyok"),
            Command::NewGame | Command::Quit => Ok(()),
            Command::SetOption { name } => reply::info(out, format_args!("no such option: {name}")),
            Command::Position(arguments) => match self.game.position_command(arguments) {
                Ok(position) => {
                    self.position = position;
                    Ok(())
                }
                Err(error) => reply::error(out, error),
            },
            Command::Go(Go::Perft { depth }) => self.perft(*depth, out),
            Command::Go(Go::Mate) => writeln!(out, "checkmate notimplemented"),
            Command::Go(Go::Search { withhold }) => self.answer(*withhold, out),
            Command::Stop => match self.withheld.take() {
                Some(best_move) => writeln!(out, "bestmove {best_move}"),
                None => Ok(()),
            },
            Command::Display(script) => self.display(*script, out),
            Command::Sfen => writeln!(out, "{}", self.position.to_text()),
            Command::Moves => {
                let moves: Vec<String> =
                    self.position.legal_moves().iter().map(ToString::to_string).collect();
                writeln!(out, "{}", moves.join(" "))
            }
            Command::Key => writeln!(out, "{:016X}", self.position.key()),
            Command::Side => writeln!(out, "{}", self.position.side()),
            Command::Mated => writeln!(out, "{}", u8::from(self.position.legal_moves().is_empty())),
            Command::Flip => self.replace(self.game.flip(&self.position), "flip", out),
            Command::Matsuri => self.replace(self.game.festival(), "matsuri", out),
            Command::Help => command::help().try_for_each(|line| writeln!(out, "{line}")),
        }
    }

    fn replace(
        &mut self,
        position: Option<G::Position>,
        command: &str,
        out: &mut impl Write,
    ) -> io::Result<()> {
        match position {
            Some(position) => {
                self.position = position;
                Ok(())
            }
            None => reply::error(out, format_args!("{} has no `{command}`", self.game.name())),
        }
    }

    fn display(&self, script: Script, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", self.game.picture(&self.position, script).trim_end())?;
        writeln!(out, "sfen {}", self.position.to_text())?;
        match self.position.outcome() {
            Some(outcome) => writeln!(out, "{outcome}"),
            None => Ok(()),
        }
    }

    fn perft(&mut self, depth: u32, out: &mut impl Write) -> io::Result<()> {
        let max = self.max_perft_depth;
        if depth > max {
            return reply::error(out, format_args!("go perft counts to depth {max} at most, found {depth}"));
        }
        let perft = Perft::count(&mut self.position, depth, |m, count| {
            writeln!(out, "{m}: {count}")?;
            out.flush()
        })?;
        reply::info(out, format_args!("Elapsed Time = {} [ms]", perft.elapsed.as_millis()))?;
        reply::info(out, format_args!("{} NPS", perft.nodes_per_second()))?;
        writeln!(out, "\nNodes searched: {}", perft.nodes)
    }

    /// Keeps a host going until there is a search: resigns without a legal move, declares a won game, and
    /// otherwise plays the first move of `moves`.
    fn answer(&mut self, withhold: bool, out: &mut impl Write) -> io::Result<()> {
        let best_move = match self.position.legal_moves().first() {
            None => "resign".to_owned(),
            Some(first) => match self.position.declaration() {
                Some(Declaration::Win) => "win".to_owned(),
                Some(Declaration::Try(m)) => m.to_string(),
                None => {
                    reply::info(out, "there is no search yet: playing the first legal move")?;
                    first.to_string()
                }
            },
        };
        if withhold {
            self.withheld = Some(best_move);
            return Ok(());
        }
        self.withheld = None;
        writeln!(out, "bestmove {best_move}")
    }
}
