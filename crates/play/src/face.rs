//! Where a game is shown and where words come from: any pair of pipes, or a whole terminal.

use crate::view::{Mark, Row, Span, Tone, plain};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::style::{
    Attribute, Color, Print, ResetColor, SetAttribute, SetBackgroundColor, SetForegroundColor,
};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue};
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// What the user does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// A line of words.
    Line(String),
    /// The cursor goes so many squares right and down.
    Move(i32, i32),
    /// What is under the cursor is chosen.
    Choose,
    /// The next piece in hand.
    Hand,
    /// The choice is given up.
    Cancel,
    /// The screen has another size.
    Resized,
    /// There will be no more.
    End,
}

/// A place to play at.
pub trait Face {
    /// Shows rows, and the question below them.
    fn show(&mut self, rows: &[Row], question: &str) -> io::Result<()>;
    /// What the user does within so long.
    fn input(&mut self, wait: Duration) -> io::Result<Option<Input>>;
    /// How many columns there are.
    fn columns(&self) -> usize;
    /// Whether the whole screen is ours: it is drawn again whenever anything changes, and squares can be pointed at.
    fn is_screen(&self) -> bool;
}

/// Lines in, lines out.
pub struct Plain {
    lines: Receiver<String>,
    /// Nothing else shows what is typed.
    echoes: bool,
}

impl Plain {
    /// Reads standard input on a thread of its own, so that clocks go on.
    #[must_use]
    pub fn new() -> Self {
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let mut input = io::stdin().lock();
            while input.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
                if sender.send(String::from_utf8_lossy(&bytes).trim().to_owned()).is_err() {
                    return;
                }
                bytes.clear();
            }
        });
        Self { lines, echoes: !io::stdin().is_terminal() }
    }
}

impl Default for Plain {
    fn default() -> Self {
        Self::new()
    }
}

/// Rows of text are at most so wide where nothing says how wide they may be.
const PLAIN_COLUMNS: usize = 78;

impl Face for Plain {
    fn show(&mut self, rows: &[Row], question: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        for row in rows {
            writeln!(out, "{}", plain(row))?;
        }
        write!(out, "{question} ")?;
        out.flush()
    }

    fn input(&mut self, wait: Duration) -> io::Result<Option<Input>> {
        match self.lines.recv_timeout(wait) {
            Ok(line) => {
                if self.echoes {
                    writeln!(io::stdout(), "{line}")?;
                }
                Ok(Some(Input::Line(line)))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Ok(Some(Input::End)),
        }
    }

    fn columns(&self) -> usize {
        std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok()).unwrap_or(PLAIN_COLUMNS).max(20)
    }

    fn is_screen(&self) -> bool {
        false
    }
}

/// The whole terminal, given back when this is dropped.
pub struct Screen {
    /// What is being typed.
    typed: String,
    /// What was shown last, to be drawn again with what is typed.
    rows: Vec<Row>,
    question: String,
}

impl Screen {
    /// Takes the terminal.
    pub fn new() -> io::Result<Self> {
        terminal::enable_raw_mode()?;
        let screen = Self { typed: String::new(), rows: Vec::new(), question: String::new() };
        // What is dropped on an error gives the terminal back.
        execute!(io::stdout(), EnterAlternateScreen, cursor::Show)?;
        Ok(screen)
    }

    fn draw(&self) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let (columns, lines) = terminal::size().map_or((80, 24), |(x, y)| (usize::from(x), usize::from(y)));
        queue!(out, cursor::Hide, cursor::MoveTo(0, 0))?;
        // The last rows are the newest: a low terminal loses the first.
        let room = lines.saturating_sub(1).max(1);
        let skipped = self.rows.len().saturating_sub(room);
        for row in self.rows.iter().skip(skipped) {
            draw_row(&mut out, row)?;
            queue!(out, ResetColor, Clear(ClearType::UntilNewLine), Print("\r\n"))?;
        }
        let mut line = format!("{} {}", self.question, self.typed);
        while crate::view::width(&line) >= columns && !line.is_empty() {
            line.remove(0);
        }
        queue!(out, Print(line), Clear(ClearType::FromCursorDown), cursor::Show)?;
        out.flush()
    }

    fn key(&mut self, key: KeyEvent) -> Option<Input> {
        let empty = self.typed.is_empty();
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => return Some(Input::End),
            KeyCode::Char('u') if control => self.typed.clear(),
            KeyCode::Char(' ') | KeyCode::Enter if empty => return Some(Input::Choose),
            KeyCode::Char(c) if !control => self.typed.push(c),
            KeyCode::Backspace => drop(self.typed.pop()),
            KeyCode::Enter => return Some(Input::Line(std::mem::take(&mut self.typed))),
            KeyCode::Left => return Some(Input::Move(-1, 0)),
            KeyCode::Right => return Some(Input::Move(1, 0)),
            KeyCode::Up => return Some(Input::Move(0, -1)),
            KeyCode::Down => return Some(Input::Move(0, 1)),
            KeyCode::Tab => return Some(Input::Hand),
            KeyCode::Esc if empty => return Some(Input::Cancel),
            KeyCode::Esc => self.typed.clear(),
            _ => {}
        }
        None
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Nothing can be done about a terminal that is gone.
        let _ = execute!(io::stdout(), ResetColor, LeaveAlternateScreen, cursor::Show);
        let _ = terminal::disable_raw_mode();
    }
}

impl Face for Screen {
    fn show(&mut self, rows: &[Row], question: &str) -> io::Result<()> {
        self.rows = rows.to_vec();
        question.clone_into(&mut self.question);
        self.draw()
    }

    fn input(&mut self, wait: Duration) -> io::Result<Option<Input>> {
        if !event::poll(wait)? {
            return Ok(None);
        }
        let input = match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Resize(..) => Some(Input::Resized),
            _ => return Ok(None),
        };
        self.draw()?;
        Ok(input)
    }

    fn columns(&self) -> usize {
        terminal::size().map_or(80, |(columns, _)| usize::from(columns)).max(20)
    }

    fn is_screen(&self) -> bool {
        true
    }
}

fn draw_row(out: &mut impl Write, row: &Row) -> io::Result<()> {
    for Span { text, tone, mark } in row {
        queue!(out, ResetColor, SetAttribute(Attribute::Reset))?;
        let color = match tone {
            Tone::Plain | Tone::Black => None,
            Tone::Faint => Some(Color::DarkGrey),
            Tone::White => Some(Color::DarkYellow),
            Tone::Promoted => Some(Color::Red),
            Tone::Frozen => Some(Color::Cyan),
            Tone::Alert => Some(Color::Magenta),
            Tone::Good => Some(Color::Green),
        };
        let back = match mark {
            Mark::None => None,
            Mark::Last => Some(Color::DarkGrey),
            Mark::Target => Some(Color::DarkGreen),
            Mark::Chosen => Some(Color::DarkBlue),
            Mark::Cursor => Some(Color::Blue),
        };
        if let Some(color) = color {
            queue!(out, SetForegroundColor(color))?;
        }
        if let Some(back) = back {
            queue!(out, SetBackgroundColor(back))?;
        }
        if matches!(tone, Tone::Black | Tone::White | Tone::Promoted | Tone::Frozen) {
            queue!(out, SetAttribute(Attribute::Bold))?;
        }
        queue!(out, Print(text))?;
    }
    queue!(out, ResetColor, SetAttribute(Attribute::Reset))
}
