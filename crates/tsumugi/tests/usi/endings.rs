//! How games end.

use crate::host::{Host, play};
use crate::info::{Score, variations};

const MATED: &str = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
const ENTERED: &str = "sfen 1K+R+R5/+B+B+P+P+P+P3/+P+P+P+P5/9/9/9/9/9/4k4 b 4G4S4N4L 200";

fn last_score(host: &mut Host, position: &str, go: &str) -> Score {
    let answer = host.plays(position, go);
    variations(&answer.before).last().and_then(|info| info.score).expect("a score is shown")
}

#[test]
fn the_mated_side_resigns() {
    let mut host = Host::ready();
    for go in ["go byoyomi 100", "go depth 3", "go btime 0 wtime 0", "go ponder\nponderhit"] {
        host.send(&format!("position {MATED}\n{go}"));
        let answer = host.best_move();
        assert_eq!(answer.best, "resign");
        let score = variations(&answer.before).last().and_then(|info| info.score);
        assert!(matches!(score, Some(Score::Mate(..0))), "{score:?}");
    }
    host.quit();
}

#[test]
fn a_side_without_moves_resigns_though_not_in_check() {
    let mut host = Host::ready();
    host.send("position sfen k8/2G6/1G7/9/9/9/9/9/K8 w - 1\ngo nodes 100");
    assert_eq!(host.best_move().best, "resign");
    host.quit();
}

#[test]
fn an_entered_king_declares() {
    let mut host = Host::ready();
    host.send(&format!("position {ENTERED}\ngo byoyomi 100"));
    assert_eq!(host.best_move().best, "win");
    host.send(&format!(
        "setoption name EnteringKingRule value NoEnteringKing\nposition {ENTERED}\ngo nodes 300"
    ));
    assert_ne!(host.best_move().best, "win");
    host.quit();
}

#[test]
fn mates_have_a_length_and_a_sign() {
    let mut host = Host::ready();
    let won = "sfen 7nk/9/7GP/9/9/9/9/9/K8 b G 1";
    assert_eq!(last_score(&mut host, won, "go depth 4"), Score::Mate(1));
    let lost = "sfen k8/9/1G7/9/9/9/9/9/K8 w 2G 1";
    assert_eq!(last_score(&mut host, lost, "go depth 4"), Score::Mate(-2));
    host.quit();
}

#[test]
fn lost_positions_are_resigned_at_the_agreed_value() {
    let mut host = Host::ready();
    let lost = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1";
    host.send(&format!("{lost}\ngo depth 1"));
    assert_ne!(host.best_move().best, "resign");
    host.send(&format!("setoption name ResignValue value 1000\n{lost}\ngo depth 1"));
    assert_eq!(host.best_move().best, "resign");
    host.quit();
}

#[test]
fn it_plays_whole_games() {
    let mut host = Host::ready();
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < 300 {
        host.send(&format!("position startpos moves {}\ngo nodes 200", moves.join(" ")));
        let answer = host.best_move();
        match answer.best.as_str() {
            "resign" => {
                assert!(play("startpos", &moves).legal_moves().is_empty());
                break;
            }
            "win" => break,
            _ => moves.push(answer.best),
        }
    }
    play("startpos", &moves);
    host.quit();
}
