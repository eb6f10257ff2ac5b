//! Games with other goals than mate are played for those goals: the search wins against random moves.

#[path = "support/random_player.rs"]
mod random_player;

use fairy::{FairyGame, Handcraft, Library};
use game::{Evaluation, Game, Position, Searchable};
use random_player::play_random;

fn library() -> (Library, Vec<String>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/fairy/goals.ini");
    let mut library = Library::shipped();
    let report = library.read(&std::fs::read_to_string(path).expect("it is there"));
    assert!(report.messages.is_empty(), "{:?}", report.messages);
    (library, report.added)
}

fn game(name: &str) -> FairyGame {
    library().0.game(name).expect("it is known")
}

#[test]
fn random_moves_are_no_match() {
    let (library, made_up) = library();
    let shipped = ["antiminishogi", "dobutsu", "checkshogi", "shoshogi"].map(str::to_owned);
    assert!(made_up.len() >= 10);
    for name in shipped.into_iter().chain(made_up) {
        let game = library.game(&name).expect("it is known");
        let score = play_random(&game, 20, 700, 1);
        // 95 % of the points; the games are the same each time.
        assert!(2 * score.won + score.drawn >= 38, "{name}: {score:?}");
    }
}

/// The value of a position for the side to move.
fn value(game: &FairyGame, sfen: &str) -> i32 {
    let position = game.position(sfen).expect("a position");
    let mut evaluation = Handcraft::new(game.variant().clone());
    evaluation.refresh(&position);
    evaluation.value(&position)
}

#[test]
fn the_evaluation_knows_what_wins() {
    for (name, good, bad) in [
        // Fewer pieces are better, on the board and in hand.
        ("antiminishogi", "rbsgk/5/5/5/4P b - 1", "4p/5/5/5/KGSBR b - 1"),
        ("antiminishogi", "4k/5/5/5/4P b rr 1", "4k/5/5/5/4P b RR 1"),
        // So it is where captures are not compulsory.
        ("goal-giveaway-free", "rbsgk/5/5/5/4P b - 1", "4p/5/5/5/KGSBR b - 1"),
        // The last piece of a kind is to be kept here, and to be lost there.
        ("goal-keep-silver", "sgkgs/5/5/5/5/SGKGS b - 1", "sgkgs/5/5/5/5/SGKGG b - 1"),
        ("goal-no-pawns", "sgkgs/ppp2/5/5/2P2/SGKGS b - 1", "sgkgs/2p2/5/5/PPP2/SGKGS b - 1"),
        // Fewer checks are left to be given.
        ("goal-three-checks", "4k/5/5/5/K4 b - 1 checks:1+3", "4k/5/5/5/K4 b - 1 checks:3+1"),
    ] {
        let game = game(name);
        let (good, bad) = (value(&game, good), value(&game, bad));
        assert!(good > bad + 50, "{name}: {good} and {bad}");
    }
}

/// A quiet move that reaches the goal is found wherever it stands among the others.
#[test]
fn a_goal_in_one_is_seen() {
    for (name, sfen, wins) in [
        ("goal-pawn-home", "sgkg1/5/5/5/5/SGKGS b P 1", true),
        ("goal-king-home", "5/K3k/5/5/4r b - 1", true),
        ("goal-keep-silver", "4s/4S/2k2/5/2K2/SGG1g b - 1", true),
        ("checkshogi", "4k4/9/9/9/9/9/9/9/3K5 b G 1", true),
        ("goal-lose-silver", "sgkgs/5/S4/4S/1GG2/2K2 b - 1", true),
        ("goal-two-silvers", "2k2/5/1S3/2S2/5/2K2 b - 1", true),
        ("goal-two-silvers", "2k2/5/5/1SS2/5/2K2 b - 1", false),
    ] {
        let game = game(name);
        let mut position = game.position(sfen).expect("a position");
        let checks = position.checks();
        let found = position.mate_in_one(&checks);
        assert_eq!(found.is_some(), wins, "{name}: {found:?}");
        if let Some(m) = found {
            assert!(position.is_legal(m), "{name}: {m}");
            position.do_move(m);
            let winner = position.outcome().and_then(game::Outcome::winner);
            assert_eq!(winner, Some(game::Color::Black), "{name}: {m}");
        }
    }
}
