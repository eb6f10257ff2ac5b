//! The search plays every shipped variant; debug builds check keys, dangers, undo and evaluations at every node.

use fairy::{FairyGame, Handcraft, Library, Move};
use game::{EndReason, Game, Outcome, Position};
use search::{BestMove, Searcher, Settings, Task, Unlimited};

/// The best move and the line behind it.
fn think(game: &FairyGame, position: &fairy::Position, nodes: u64) -> Option<(Move, Vec<Move>)> {
    let evaluation = Handcraft::new(game.variant().clone());
    let mut searcher = Searcher::new(evaluation, 1).expect("there is a little memory");
    let task = Task { nodes: Some(nodes), ..Task::new(position.clone()) };
    match searcher.think(&task, &Settings::default(), &Unlimited, |_| ()) {
        BestMove::Play { best, report, .. } => Some((best, report.lines[0].moves.clone())),
        BestMove::Resign | BestMove::Declare => None,
    }
}

#[test]
fn every_shipped_variant_is_searched() {
    let library = Library::shipped();
    for name in library.names() {
        let game = library.game(name).expect("it is listed");
        let mut position = game.startpos();
        for _ in 0..4 {
            if position.outcome().is_some() {
                break;
            }
            let Some((best, line)) = think(&game, &position, 1500) else {
                panic!("{name}: {}", position.to_text())
            };
            let mut along = position.clone();
            for m in line {
                assert!(along.is_legal(m), "{name}: {m} in {}", along.to_text());
                along.do_move(m);
            }
            position.do_move(best);
        }
    }
}

/// From the first drop to mate.
#[test]
fn a_whole_game_of_66shogi() {
    let game = Library::shipped().game("66shogi").expect("it is shipped");
    let evaluation = Handcraft::new(game.variant().clone());
    let mut searcher = Searcher::new(evaluation, 4).expect("there is a little memory");
    let mut position = game.startpos();
    while position.outcome().is_none() && position.ply() < 400 {
        let task = Task { nodes: Some(1200), ..Task::new(position.clone()) };
        match searcher.think(&task, &Settings::default(), &Unlimited, |_| ()) {
            BestMove::Play { best, .. } => position.do_move(best),
            end => panic!("{end:?} in {}", position.to_text()),
        }
    }
    let outcome = position.outcome();
    assert!(matches!(outcome, Some(Outcome::Win { reason: EndReason::NoLegalMove, .. })), "{outcome:?}");
    assert!(position.in_check() && position.ply() > 13);
    while position.can_undo() {
        position.undo_move();
    }
    assert_eq!(position.to_text(), game.startpos().to_text());
}

#[test]
fn goals_are_seen_by_the_search() {
    let library = Library::shipped();
    for (name, position, best) in [
        // The lion reaches the last rank on a square that is not attacked.
        ("dobutsu", "sfen 2l/L2/3/3 b - 1", Some("3b3a")),
        // Any check wins.
        ("checkshogi", "sfen 4k4/9/9/9/9/9/9/9/4K4 b R 1", None),
    ] {
        let game = library.game(name).expect("it is shipped");
        let position = game.position_command(position).expect("a position");
        let (found, _) = think(&game, &position, 3000).expect("a move");
        if let Some(best) = best {
            assert_eq!(found.to_string(), best, "{name}");
        }
        let mut after = position.clone();
        after.do_move(found);
        assert!(
            matches!(after.outcome(), Some(Outcome::Win { reason: EndReason::Goal, .. })),
            "{name}: {found}"
        );
        assert!(after.legal_moves().is_empty());
    }
}
