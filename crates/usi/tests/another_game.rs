//! A game that is nothing like shogi plugs into the session and the search as it is.

#[path = "support/nim.rs"]
mod nim;

use game::Game;
use nim::{Blank, Nim};
use search::BestMove;
use usi::options::{Folders, Options};
use usi::{Captured, SearchEngine, Session};

fn session(input: &str) -> Vec<String> {
    let out = Captured::default();
    let engine = |options: &mut Options| SearchEngine::new("Nimble", "test", Blank, options);
    let nowhere = Folders::new("/nonexistent", "/nonexistent");
    let mut session = Session::with_folders(Nim, engine, out.output(), nowhere);
    session.run(std::io::Cursor::new(input.to_owned())).unwrap();
    drop(session);
    out.lines()
}

#[test]
fn the_console_speaks_it() {
    assert_eq!(
        session("d\nmoves\nposition startpos moves 3\nd\nmoves\nside\nmated\n"),
        ["ooooo", "sfen 5", "1 2 3", "oo", "sfen 2", "1 2", "white", "0"]
    );
    assert_eq!(session("go perft 5\n").last().unwrap(), "Nodes searched: 1");
    assert_eq!(session("position startpos moves 3 2\nmated\ngo\nwait\n").last().unwrap(), "bestmove resign");
}

#[test]
fn what_it_lacks_is_refused() {
    assert_eq!(
        session("position 1\nposition startpos moves 3 3\nposition x\nflip\nmatsuri\nsfen\n"),
        [
            "info string Error! Illegal Input Move : 3 (move 2 of the list)",
            "info string Error! invalid digit found in string",
            "info string Error! nim has no `flip`",
            "info string Error! nim has no `matsuri`",
            "1",
        ]
    );
}

#[test]
fn the_search_plays_it() {
    // Leaving a multiple of four wins.
    for (heap, best) in [(5, "1"), (6, "2"), (7, "3"), (13, "1")] {
        let lines = session(&format!("position {heap}\ngo depth 20\nwait\n"));
        let answer = lines.last().unwrap();
        assert!(answer.starts_with(&format!("bestmove {best}")), "{heap}: {answer}");
    }
    // The searcher can be had without a session, too.
    let mut searcher = search::Searcher::new(Blank, 1).unwrap();
    let task = search::Task { depth: Some(8), ..search::Task::new(Nim.position("7").unwrap()) };
    let found = searcher.think(&task, &search::Settings::default(), &search::Unlimited, |report| {
        assert!(report.depth <= 8 && !report.lines.is_empty());
    });
    assert!(matches!(found, BestMove::Play { best: 3, .. }));
}
