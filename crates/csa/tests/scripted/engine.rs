//! USI engines for the tests:
//!
//! - `scripted_engine replay LOG OUTCOME` says the lines `send:…` of a file and insists on hearing the lines `recv:…`;
//! - `scripted_engine moves M,M,… [FAULT@N]` plays these moves, by the number of moves before;
//! - `scripted_engine random SEED [MILLIS]` plays any legal move after so long, declares and resigns when it is time;
//! - `scripted_engine clock SEED` plays any legal move, too, and takes for one in four all the time that its clock and `NetworkDelay2`
//!   leave it;
//! - faults, at the own move N: `die`, `hang`, `garbage`, `flood`, `win`.

use game::Game;
use shogi::{Position, Shogi};
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |at: usize| arguments.get(at).map_or("", String::as_str);
    match argument(0) {
        "replay" => replay(argument(1), argument(2)),
        "moves" => {
            let moves: Vec<_> = argument(1).split(',').map(str::to_owned).collect();
            let (fault, at) = argument(2).split_once('@').unwrap_or(("", "0"));
            let (fault, at) = (fault.to_owned(), at.parse::<usize>().unwrap_or(0));
            let mut asked = 0;
            obey(move |position, _| {
                asked += 1;
                if asked == at {
                    break_down(&fault);
                }
                moves.get(position.moves_since_start()).cloned().unwrap_or_else(|| "resign".to_owned())
            });
        }
        "random" => {
            let mut random = platform::Random::new(argument(1).parse().unwrap_or(1));
            let delay = Duration::from_millis(argument(2).parse().unwrap_or(0));
            obey(move |position, _| {
                sleep(delay);
                any_move(position, &mut random)
            });
        }
        "clock" => {
            let mut random = platform::Random::new(argument(1).parse().unwrap_or(1));
            obey(move |position, clock| {
                let time = if random.below(4) == 0 { clock.most(position.side()) } else { 5 };
                sleep(Duration::from_millis(time));
                any_move(position, &mut random)
            });
        }
        other => panic!("unknown engine {other}"),
    }
}

/// A legal move, or what is to be said where the game is over.
fn any_move(position: &Position, random: &mut platform::Random) -> String {
    if position.declaration().is_some() {
        return "win".to_owned();
    }
    let moves = position.legal_moves();
    match moves.len() {
        0 => "resign".to_owned(),
        count => moves[random.below(count)].to_string(),
    }
}

/// What `go` and the options said about time, in milliseconds.
#[derive(Default)]
struct Clock {
    left: [u64; 2],
    byoyomi: u64,
    increments: [u64; 2],
    delay: u64,
}

impl Clock {
    fn read(&mut self, go: &str) {
        let words: Vec<&str> = go.split_whitespace().collect();
        let number = |name: &str| {
            let at = words.iter().position(|word| *word == name);
            at.and_then(|at| words.get(at + 1)?.parse().ok()).unwrap_or(0)
        };
        self.left = [number("btime"), number("wtime")];
        self.byoyomi = number("byoyomi");
        self.increments = [number("binc"), number("winc")];
    }

    /// All that may be used for this move, or an eighth where nothing comes back.
    fn most(&self, side: game::Color) -> u64 {
        let (left, more) = (self.left[side.index()], self.byoyomi + self.increments[side.index()]);
        let all = if more == 0 { left / 8 } else { left + more };
        all.saturating_sub(self.delay)
    }
}

fn say(line: &str) {
    println!("{line}");
    io::stdout().flush().ok();
}

fn replay(log: &str, outcome: &str) {
    let text = std::fs::read_to_string(log).unwrap();
    let mut input = io::stdin().lock().lines();
    let report = |text: &str| std::fs::write(outcome, text).unwrap();
    report("unfinished");
    for (index, line) in text.lines().enumerate() {
        if let Some(expected) = line.strip_prefix("recv:") {
            match input.next() {
                Some(Ok(heard)) if heard == expected => {}
                heard => {
                    report(&format!("line {}: expected `{expected}`, heard `{heard:?}`", index + 1));
                    exit(1);
                }
            }
        } else if let Some(said) = line.strip_prefix("send:") {
            say(said);
        }
    }
    report("ok");
}

fn break_down(fault: &str) {
    match fault {
        "die" => exit(3),
        "hang" => sleep(Duration::from_hours(1)),
        "garbage" => say("bestmove 5e5e+"),
        "win" => say("bestmove win"),
        "flood" => {
            let line = "info string x".repeat(100);
            loop {
                say(&line);
            }
        }
        _ => {}
    }
}

/// Speaks USI with this way of finding moves.
fn obey(mut best: impl FnMut(&Position, &Clock) -> String) {
    let mut position = Shogi::default().startpos();
    let mut pondering = false;
    let mut clock = Clock::default();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        match line.split_whitespace().next().unwrap_or_default() {
            "usi" => say("id name scripted\noption name USI_Ponder type check default false\n\
                option name NetworkDelay2 type spin default 0 min 0 max 10000\nusiok"),
            "setoption" if line.contains("NetworkDelay2") => {
                clock.delay = line.rsplit(' ').next().and_then(|value| value.parse().ok()).unwrap_or(0);
            }
            "isready" => say("readyok"),
            "position" => position = Shogi::default().position_command(&line["position ".len()..]).unwrap(),
            "go" if line.starts_with("go ponder") => pondering = true,
            "go" | "ponderhit" => {
                pondering = false;
                clock.read(&line);
                let answer = best(&position, &clock);
                say(&format!("info depth 1 score cp 10 pv {answer}\nbestmove {answer}"));
            }
            "stop" if pondering => {
                pondering = false;
                say("bestmove resign");
            }
            "quit" => return,
            _ => {}
        }
    }
}
