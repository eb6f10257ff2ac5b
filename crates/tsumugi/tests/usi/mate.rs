//! `go mate`.

use crate::host::{Host, play};

const MATE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
const THREE_PLIES: &str = "sfen 9/9/9/9/9/8p/9/8K/2R3b2 w RB4G4S4N4L17P 1";
const NO_MATE: &str = "sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1";
const MIDDLE_GAME: &str =
    "sfen ln1gk2nl/1r4gb1/p1p1ppsp1/3p2p1p/1p5P1/P1P1P1P1P/1P1PSP3/1BG1G2R1/LNS1K2NL b - 1";

fn solve(host: &mut Host, position: &str, go: &str) -> String {
    host.send(&format!("position {position}\n{go}"));
    host.checkmate()
}

fn assert_mates(position: &str, line: &str) {
    let moves: Vec<&str> = line.split(' ').collect();
    assert!(play(position, &moves).legal_moves().is_empty(), "{line} does not end in mate");
}

#[test]
fn every_form_is_answered_once() {
    let mut host = Host::ready();
    for go in [
        "go mate infinite\nstop",
        "go mate 100",
        "go mate",
        "go mate nodes 1000",
        "go nodes 1000 mate infinite",
        "go depth 3 mate infinite\nstop",
        "go mate 50 nodes 1000",
    ] {
        for position in [MATE, NO_MATE, "startpos"] {
            solve(&mut host, position, &format!("{go}\nstop"));
            host.expect_no_answer();
        }
    }
    host.plays("startpos", "go nodes 100");
    host.quit();
}

#[test]
fn mates_are_looked_for_beside_the_search() {
    let mut host = Host::ready();
    for options in [
        "setoption name MateThread value true\nsetoption name MateHash value 1",
        "setoption name MateNodes value 200",
        "setoption name MateThread value false\nsetoption name Threads value 2",
    ] {
        host.send(options);
        host.get_ready_quietly();
        host.plays(MIDDLE_GAME, "go nodes 3000");
        host.plays("startpos", "go nodes 100 searchmoves 7g7f");
        host.send(&format!("position {THREE_PLIES}\ngo infinite"));
        host.listen("a mate", |line| line.contains("score mate 3"));
        host.send("stop");
        host.best_move();
    }
    host.quit();
}

#[test]
fn a_mate_is_found() {
    let mut host = Host::ready();
    let line = solve(&mut host, MATE, "go mate infinite");
    assert_mates(MATE, &line);
    host.expect_no_answer();
    host.quit();
}

#[test]
fn no_mate_is_proved() {
    let mut host = Host::ready();
    assert_eq!(solve(&mut host, NO_MATE, "go mate infinite"), "nomate");
    host.quit();
}

#[test]
fn time_ends_the_search_for_a_mate() {
    let mut host = Host::ready();
    let answer = solve(&mut host, "startpos", "go mate 500");
    assert!(["nomate", "timeout"].contains(&answer.as_str()), "{answer}");
    host.quit();
}

#[test]
fn stop_ends_the_search_for_a_mate() {
    let mut host = Host::ready();
    let answer = solve(&mut host, MIDDLE_GAME, "go mate infinite\nwait 100\nstop");
    assert!(["nomate", "timeout"].contains(&answer.as_str()), "{answer}");
    host.expect_no_answer();
    host.quit();
}

#[test]
fn nodes_limit_the_search_for_a_mate() {
    let mut host = Host::ready();
    for go in ["go nodes 100000 mate infinite", "go mate nodes 100000", "go mate"] {
        let line = solve(&mut host, MATE, go);
        assert_mates(MATE, &line);
    }
    host.quit();
}
