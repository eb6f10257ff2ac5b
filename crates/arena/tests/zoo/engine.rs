//! A USI engine with one fault: `faulty_engine FAULT [MOVE [FILE]]` plays well-behaved, if weak, shogi until its own
//! move number MOVE (2 by default), then does what FAULT says.

use game::{Game, Position as _};
use shogi::{Position, Shogi};
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::{Duration, Instant};

const EXACT: Duration = Duration::from_millis(20);
const HELLO: &str = "id name faulty\nid author zoo\noption name USI_Ponder type check default false\n\
    option name EvalDir type string default eval\nusiok";

fn main() {
    let mut arguments = std::env::args().skip(1);
    let fault = arguments.next().unwrap_or_default();
    let at = arguments.next().and_then(|word| word.parse().ok()).unwrap_or(2);
    let mark = arguments.next();
    if fault == "no-usiok" {
        sleep(Duration::from_hours(1));
    }
    let position = Shogi::default().startpos();
    let command = "startpos".to_owned();
    let mut engine =
        Engine { fault, at, moves: 0, mark, command, position, pondering: false, asked: Instant::now() };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        engine.asked = Instant::now();
        engine.obey(line.trim());
    }
}

struct Engine {
    fault: String,
    /// The own move at which the fault shows.
    at: u32,
    moves: u32,
    /// A file that outlives the process.
    mark: Option<String>,
    /// The last `position`, and what it led to.
    command: String,
    position: Position,
    pondering: bool,
    /// When the last line came.
    asked: Instant,
}

impl Engine {
    fn obey(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "usi" => say(HELLO),
            // What it was told is found in the file of its standard error.
            "setoption" => eprintln!("{line}"),
            "isready" if self.fault == "refuses" && self.is_marked() => {
                say("info string Error! EvalDir x: no such folder\ninfo string good bye");
                exit(1);
            }
            "isready" if self.fault == "dies-at-isready" => {
                eprintln!("first words\nout of memory");
                exit(1);
            }
            "isready" => {
                self.moves = 0;
                self.pondering = false;
                say("readyok");
            }
            "position" => self.set_position(rest),
            "go" if rest.starts_with("ponder") => {
                self.pondering = true;
                if self.is_due("answers-while-pondering") {
                    say("bestmove 7g7f");
                }
            }
            "go" => self.answer(),
            "ponderhit" => {
                self.pondering = false;
                self.answer();
            }
            "stop" if self.pondering && self.fault != "deaf-to-stop" => {
                self.pondering = false;
                say(&format!("bestmove {}", self.choice()));
            }
            "stop" if self.is_due("late") => {
                self.moves = 0;
                say(&format!("bestmove {}", self.choice()));
            }
            "gameover" if self.fault == "dies-between-games" => exit(3),
            "gameover" if self.fault == "refuses" => {
                let _ = self.mark.as_ref().map(|mark| std::fs::write(mark, ""));
            }
            "quit" => exit(0),
            _ => {}
        }
    }

    /// Plays only the new moves of a game that goes on: referees are measured with this engine.
    fn set_position(&mut self, command: &str) {
        let new = command.strip_prefix(self.command.as_str()).map(|new| new.trim_start_matches(" moves"));
        for word in new.unwrap_or_default().split_ascii_whitespace() {
            match self.position.parse_move(word) {
                Ok(m) => self.position.do_move(m),
                Err(_) => return,
            }
        }
        if new.is_none() {
            let Ok(position) = Shogi::default().position_command(command) else { return };
            self.position = position;
        }
        command.clone_into(&mut self.command);
    }

    /// Whether this or an earlier process has played a game.
    fn is_marked(&self) -> bool {
        self.mark.as_ref().is_none_or(|mark| std::path::Path::new(mark).exists())
    }

    fn is_due(&self, fault: &str) -> bool {
        self.fault == fault && self.moves >= self.at
    }

    /// Any legal move, always the same in the same position.
    fn choice(&self) -> String {
        let moves = self.position.legal_moves();
        match moves.len() {
            0 => "resign".to_owned(),
            count => moves[self.position.key() as usize % count].to_string(),
        }
    }

    fn answer(&mut self) {
        self.moves += 1;
        let best = self.choice();
        let fault = if self.moves >= self.at { self.fault.as_str() } else { "" };
        match fault {
            "crash" => exit(3),
            "panic" => panic!("as ordered"),
            // Waiting for `stop` is being late; not even answering that is a hang.
            "late" | "hang" => {}
            "deaf" => sleep(Duration::from_hours(1)),
            "illegal" => say("bestmove 5e5d"),
            "garbage" => say("bestmove \u{1f600} what"),
            "empty" => say("bestmove"),
            "two" => say(&format!("bestmove {best}\nbestmove {best}")),
            "flood" => loop {
                say("info string and one more thing");
            },
            "endless-line" => loop {
                let _ = io::stdout().write_all(&[b'x'; 4096]);
            },
            "wrong-ponder" => say(&format!("bestmove {best} ponder {best}")),
            // Exactly 20 ms by its own clock, for measuring the referee's.
            "exact" => {
                sleep(EXACT.saturating_sub(self.asked.elapsed() + Duration::from_millis(1)));
                while self.asked.elapsed() < EXACT {
                    std::hint::spin_loop();
                }
                say(&format!("info time {}\nbestmove {best}", EXACT.as_millis()));
            }
            "false-win" => say("bestmove win"),
            "stray" => say(&format!("hello there\nbestmove {best}")),
            "closes-stdout" => {
                platform::process::silence_stdout();
                sleep(Duration::from_hours(1));
            }
            _ => {
                let mut after = self.position.clone();
                let reply = best.parse().ok().and_then(|m| {
                    after.do_move(m);
                    after.legal_moves().first().map(ToString::to_string)
                });
                let ponder = reply.map_or_else(String::new, |reply| format!(" ponder {reply}"));
                say(&format!("info depth 1 score cp 0 nodes 1 time 0 pv {best}\nbestmove {best}{ponder}"));
            }
        }
    }
}

fn say(text: &str) {
    // One write wakes the reader once.
    let line = format!("{text}\n");
    if io::stdout().lock().write_all(line.as_bytes()).is_err() {
        exit(0);
    }
}
