//! A console whose engine works where the host lets it, as in WebAssembly.

use eval::Material;
use search::{BestMove, Report, Settings, Task, Timer};
use shogi::{Move, Position, Shogi};
use std::cell::RefCell;
use usi::options::{Folders, Options};
use usi::{
    AnySession, Captured, Engine, Games, Runner, SearchEngine, Session, SessionContext, SteppedConsole,
};

thread_local! {
    static CONSOLE: RefCell<Option<SteppedConsole<OneGame>>> = const { RefCell::new(None) };
    /// Lines that come while the engine thinks, the last one first; several at once with a line end between them.
    static SCRIPT: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Hands a line to the console.
fn obey(line: &str) {
    CONSOLE.with_borrow_mut(|console| console.as_mut().unwrap().line(line.as_bytes()));
}

/// Plays the first move, once the clock or `stop` says so. Where a real engine would be suspended, it hands the lines of a script to
/// the console itself.
struct Suspended;

impl Engine<Shogi> for Suspended {
    fn name(&self) -> String {
        "Suspended".into()
    }
    fn author(&self) -> String {
        "test".into()
    }
    fn think(
        &mut self,
        task: &Task<Position, Move>,
        _: &Settings,
        timer: &dyn Timer,
        _: &mut dyn FnMut(&Report<Move>),
    ) -> BestMove<Move> {
        while !timer.must_stop() && task.depth.is_none() {
            let Some(line) = SCRIPT.with_borrow_mut(Vec::pop) else { break };
            line.split('\n').for_each(obey);
        }
        let best = task.position.legal_moves()[0];
        let report = Report {
            depth: 1,
            lines: Vec::new(),
            nodes: 1,
            elapsed: std::time::Duration::ZERO,
            table_fullness: 0,
        };
        BestMove::Play { best, ponder: None, report }
    }
}

/// Shogi, with the engine above or with the search.
struct OneGame {
    searches: bool,
}

impl Games for OneGame {
    fn names(&self) -> Vec<String> {
        vec!["shogi".to_owned()]
    }

    fn open(&self, _: &str, context: Box<SessionContext>) -> Result<AnySession, Box<SessionContext>> {
        let game = Shogi::default();
        Ok(if self.searches {
            let engine =
                |options: &mut Options| SearchEngine::new("Searching", "test", Material::default(), options);
            Session::at(game, engine, *context).of_any_game()
        } else {
            Session::at(game, |_| Suspended, *context).of_any_game()
        })
    }
}

/// What is said when `lines` come one after the other, and `script` during the searches.
fn said_by(searches: bool, lines: &[&str], script: &[&'static str]) -> String {
    let said = Captured::default();
    let context = SessionContext::new(said.output(), Folders::new("/nonexistent", "/nonexistent"));
    let console = SteppedConsole::new(OneGame { searches }, context);
    let runner: Runner = console.runner();
    CONSOLE.set(Some(console));
    SCRIPT.set(script.iter().rev().copied().collect());
    for line in lines {
        obey(line);
        loop {
            runner.run();
            if !CONSOLE.with_borrow_mut(|console| console.as_mut().unwrap().go_on()) {
                break;
            }
        }
    }
    assert!(SCRIPT.take().is_empty(), "the searches went on for all of the script");
    said.text()
}

fn said(lines: &[&str], script: &[&'static str]) -> Vec<String> {
    let text = said_by(false, lines, script);
    let shown = |line: &&str| !line.starts_with("id ") && !line.starts_with("option ");
    text.lines().filter(shown).map(str::to_owned).collect()
}

#[test]
fn lines_are_obeyed_at_once_between_searches() {
    assert_eq!(said(&["usi", "isready", "sfen"], &[]), ["usiok", "readyok", shogi::STARTPOS_SFEN]);
    assert_eq!(
        said(&["go depth 1", "go depth 1"], &[]).iter().filter(|l| l.starts_with("bestmove")).count(),
        2
    );
}

#[test]
fn stop_is_heard_while_a_search_is_suspended() {
    let heard = said(&["isready", "go infinite"], &["", "stop"]);
    assert!(heard.len() == 2 && heard[1].starts_with("bestmove "), "{heard:?}");
    let heard = said(&["go ponder btime 0 wtime 0 byoyomi 1"], &["ponderhit", "stop"]);
    assert!(heard.last().unwrap().starts_with("bestmove "), "{heard:?}");
}

#[test]
fn an_answer_is_held_until_stop() {
    let heard = said(&["go infinite", "d"], &[]);
    assert!(heard[0].starts_with("bestmove "), "`d` ends the search, as it cannot wait for ever: {heard:?}");
    assert!(said(&["go infinite", "position startpos moves 7g7f"], &[]).is_empty());
    assert_eq!(said(&["go infinite", "stop"], &[]).len(), 1);
    assert_eq!(said(&["go ponder", "ponderhit"], &[]).len(), 1);
}

#[test]
fn other_lines_wait_for_the_answer() {
    // The position is set when the search of the other one has ended; the second `go` ends the first.
    let script = ["position startpos moves 7g7f", "sfen"];
    let heard = said(&["go infinite"], &script);
    assert!(heard[0].starts_with("bestmove "), "{heard:?}");
    assert!(heard[1].contains("/2P6/"), "{heard:?}");
    let heard = said(&["go infinite"], &["go infinite\nstop"]);
    assert_eq!(heard.len(), 2, "`stop` belongs to the second `go`: {heard:?}");
}

#[test]
fn nothing_is_said_after_quit() {
    assert!(said(&["go infinite", "quit", "usi"], &[]).is_empty());
    let said_text = said(&["go infinite"], &["quit"]);
    assert!(!said_text.iter().any(|line| line == "usiok"), "{said_text:?}");
}

#[test]
fn the_search_answers_through_a_runner() {
    let lines = [
        "isready",
        "go depth 3",
        "go perft 3",
        "eval",
        "wait",
        "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1",
        "go mate infinite",
    ];
    let text = said_by(true, &lines, &[]);
    for part in [
        "readyok\n",
        "info depth 3 ",
        "\nbestmove ",
        "\nNodes searched: 25470\n",
        "\neval = ",
        "info string Error! wait: ",
        "\ncheckmate G*5b",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
}
