//! Thinking on the opponent's time.

use crate::host::{Host, assert_legal};
use crate::info::variations;

const POSITION: &str = "position startpos moves 7g7f 3c3d";

#[test]
fn ponderhit_after_clocks() {
    let mut host = Host::ready();
    host.send(&format!("{POSITION}\ngo ponder btime 100 wtime 100 byoyomi 50"));
    host.expect_no_answer();
    host.expect_no_answer();
    host.send("ponderhit");
    host.best_move();
    host.quit();
}

#[test]
fn clocks_come_with_ponderhit() {
    let mut host = Host::ready();
    host.send(&format!("{POSITION}\ngo ponder"));
    host.expect_no_answer();
    host.send("ponderhit btime 0 wtime 0 byoyomi 100");
    host.best_move();
    host.quit();
}

#[test]
fn no_clocks_at_all() {
    let mut host = Host::ready();
    host.send(&format!("{POSITION}\ngo ponder"));
    host.expect_no_answer();
    host.send("ponderhit");
    host.best_move();
    host.quit();
}

#[test]
fn other_limits_hold_after_ponderhit() {
    let mut host = Host::ready();
    for go in ["go ponder depth 2", "go ponder nodes 100", "go movetime 20 ponder", "go infinite ponder"] {
        host.send(&format!("{POSITION}\n{go}"));
        host.expect_no_answer();
        host.send("ponderhit");
        if go.contains("infinite") {
            host.expect_no_answer();
            host.send("stop");
        }
        host.best_move();
    }
    host.quit();
}

#[test]
fn a_miss_is_stopped_and_the_next_search_is_another() {
    let mut host = Host::ready();
    for stochastic in ["false", "true"] {
        host.send(&format!("setoption name Stochastic_Ponder value {stochastic}"));
        for _ in 0..5 {
            host.send(&format!("{POSITION}\ngo ponder btime 1000 wtime 1000 byoyomi 300\nstop"));
            host.best_move();
            host.plays("startpos moves 7g7f 8c8d", "go nodes 500");
        }
    }
    host.quit();
}

#[test]
fn a_miss_without_stop() {
    let mut host = Host::ready();
    for _ in 0..5 {
        host.send(&format!("{POSITION}\ngo ponder btime 1000 wtime 1000 byoyomi 300"));
        host.send("position startpos moves 7g7f 8c8d\ngo nodes 500");
        host.best_move();
        let second = host.best_move();
        assert_legal("startpos moves 7g7f 8c8d", &[second.best]);
    }
    host.quit();
}

#[test]
fn idle_words_get_no_answer() {
    let mut host = Host::ready();
    host.send("stop\nponderhit\nstop\ngameover win\nponderhit btime 100 wtime 100");
    host.expect_no_answer();
    host.plays("startpos", "go nodes 100");
    host.send("stop\nponderhit\nstop");
    host.expect_no_answer();
    host.quit();
}

#[test]
fn hit_and_stop_at_once_are_one_answer() {
    for stochastic in ["false", "true"] {
        let mut host = Host::ready();
        host.send(&format!("setoption name Stochastic_Ponder value {stochastic}"));
        for words in [
            "ponderhit\nstop\nstop",
            "stop\nponderhit",
            "ponderhit\nponderhit\nstop",
            "stop\nstop\nponderhit btime 0 wtime 0 byoyomi 1000",
            "gameover lose\nponderhit",
            "ponderhit\ngameover win",
        ] {
            host.send(&format!("{POSITION}\ngo ponder btime 0 wtime 0 byoyomi 3600000\n{words}"));
            host.best_move();
            host.expect_no_answer();
        }
        host.quit();
    }
}

#[test]
fn a_stochastic_hit_answers_for_the_position_that_came() {
    let mut host = Host::ready();
    host.send("setoption name Stochastic_Ponder value true\nsetoption name USI_Ponder value true");
    for (go, hit) in [
        ("go ponder btime 0 wtime 0 byoyomi 30", "ponderhit"),
        ("go ponder", "ponderhit btime 0 wtime 0 byoyomi 30"),
        ("go ponder depth 2", "ponderhit"),
    ] {
        host.send(&format!("{POSITION}\n{go}"));
        host.expect_no_answer();
        host.send(hit);
        let answer = host.best_move();
        assert_legal("startpos moves 7g7f 3c3d", &[&answer.best]);
    }
    // Without a move before there is nothing to guess.
    host.send("position startpos\ngo ponder depth 2");
    host.expect_no_answer();
    host.send("ponderhit");
    host.best_move();
    host.quit();
}

#[test]
fn a_stochastic_guess_shows_lines_of_the_position_that_the_host_shows() {
    let mut host = Host::ready();
    host.send("setoption name Stochastic_Ponder value true\nsetoption name PvInterval value 0");
    // So many that the expected reply is among them.
    host.send("setoption name MultiPV value 600");
    for position in ["startpos moves 7g7f 3c3d", "startpos moves 7g7f 3c3d 8h2b+ 9c9d", "startpos moves 2g2f"]
    {
        host.send(&format!("position {position}\ngo ponder"));
        let mut heard = host.listen("a variation", |line| line.starts_with("info depth "));
        host.send("stop");
        let answer = host.best_move();
        assert_legal(position, &[&answer.best]);
        heard.extend(answer.before);
        for info in variations(&heard) {
            assert_legal(position, &info.pv);
        }
    }
    host.quit();
}
