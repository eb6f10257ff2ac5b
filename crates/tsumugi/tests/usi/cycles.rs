//! One search after the other, and commands in the middle of them.

use crate::host::{Host, assert_legal};

#[test]
fn stepping_through_a_game_with_go_and_stop() {
    let mut host = Host::ready();
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..60 {
        host.send(&format!("position startpos moves {}\ngo infinite\nstop", moves.join(" ")));
        let best = host.best_move().best;
        if best == "resign" || best == "win" {
            break;
        }
        moves.push(best);
        assert_legal("startpos", &moves);
    }
    host.quit();
}

#[test]
fn stop_gameover_and_isready_at_once() {
    let mut host = Host::ready();
    host.send("position startpos\ngo btime 3600000 wtime 3600000 byoyomi 1000");
    host.send("stop\ngameover lose\nisready");
    host.best_move();
    host.until("readyok");
    host.send("usinewgame");
    host.plays("startpos", "go nodes 500");
    host.quit();
}

#[test]
fn gameover_ends_any_search() {
    let mut host = Host::ready();
    for word in ["gameover draw", "gameover win", "gameover", "gameover unknown"] {
        for go in ["go ponder btime 1000 wtime 1000 byoyomi 300", "go infinite", "go movetime 3600000"] {
            host.send(&format!("position startpos moves 7g7f 3c3d\n{go}\n{word}"));
            host.best_move();
            host.get_ready();
            host.send("usinewgame");
            host.plays("startpos", "go nodes 300");
            host.send(word);
        }
    }
    host.quit();
}

#[test]
fn commands_while_it_searches() {
    let mut host = Host::ready();
    host.send("position startpos\ngo infinite\nsetoption name USI_Hash value 2\nusinewgame");
    host.send("position startpos moves 7g7f\nd\nmoves\ngetoption\nhelp\nfoo\nusi");
    host.until("usiok");
    host.send("stop");
    let answer = host.best_move();
    assert_legal("startpos", &[answer.best]);
    host.send("go infinite\nstop");
    let answer = host.best_move();
    assert_legal("startpos moves 7g7f", &[answer.best]);
    host.get_ready();
    host.quit();
}

#[test]
fn isready_while_it_searches() {
    let mut host = Host::ready();
    for go in ["go infinite", "go ponder", "go movetime 3600000"] {
        host.send(&format!("position startpos\n{go}\nisready"));
        host.best_move();
        host.until("readyok");
    }
    host.quit();
}

#[test]
fn a_second_go_ends_the_first() {
    let mut host = Host::ready();
    host.send("position startpos\ngo infinite\ngo infinite\ngo nodes 100\ngo infinite\nstop");
    for _ in 0..4 {
        host.best_move();
    }
    host.quit();
}

#[test]
fn options_set_during_a_search_hold_after_it_in_their_order() {
    let mut host = Host::ready();
    let depth = |host: &mut Host| host.option("DepthLimit");
    host.send("go infinite\nsetoption name DepthLimit value 7");
    assert_eq!(depth(&mut host), "0", "not before the search has ended");
    host.send("stop");
    host.best_move();
    assert_eq!(depth(&mut host), "7");
    // The later word holds, although the earlier one had to wait.
    host.send("go infinite\nsetoption name DepthLimit value 8\nstop");
    host.best_move();
    host.send("setoption name DepthLimit value 2");
    assert_eq!(depth(&mut host), "2");
    host.send("go movetime 3600000");
    host.best_move();
    assert_eq!(depth(&mut host), "2");
    // So does the short form, even during the search.
    host.send("go infinite\nDepthLimit 9\nstop");
    host.best_move();
    assert_eq!(depth(&mut host), "9");
    // A bad value is refused at once and spoils nothing; of several good ones the last holds.
    host.send(
        "go infinite\nsetoption name DepthLimit value 5\nDepthLimit 6\nsetoption name DepthLimit value x",
    );
    let heard = host.so_far();
    assert_eq!(heard.iter().filter(|line| line.starts_with("info string Error! ")).count(), 1, "{heard:?}");
    host.send("stop");
    host.best_move();
    assert_eq!(depth(&mut host), "6");
    host.quit();
}

#[test]
fn whoever_has_heard_the_answer_finds_the_engine_free() {
    let mut host = Host::ready();
    for _ in 0..100 {
        host.send("go nodes 50");
        host.best_move();
        host.send("eval");
        let heard = host.so_far();
        assert!(matches!(&heard[..], [line] if line.starts_with("eval = ")), "{heard:?}");
    }
    host.quit();
}

#[test]
fn analysis_does_not_flood_the_host() {
    let mut host = Host::ready();
    for position in ["startpos", "sfen 7nk/9/7GP/9/9/9/9/9/K8 b G 1"] {
        host.send(&format!("position {position}\ngo infinite\nwait 500\nstop"));
        let lines = host.best_move().before.len();
        assert!(lines < 600, "{lines} lines");
    }
    host.quit();
}
