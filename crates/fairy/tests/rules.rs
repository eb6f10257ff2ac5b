//! Ends of games and rules that counts of moves do not show.

use fairy::{FairyGame, Library, Position};
use game::{Color, EndReason, Game, Outcome, Position as _, Repetition, Searchable as _};

fn game(name: &str) -> FairyGame {
    Library::shipped().game(name).expect("it is shipped")
}

fn play(position: &mut Position, moves: &str) {
    for text in moves.split_whitespace() {
        let m = position.parse_move(text).unwrap_or_else(|error| panic!("{error} in {}", position.to_text()));
        position.do_move(m);
    }
}

#[allow(clippy::unnecessary_wraps, reason = "as `outcome` has it")]
fn win(winner: Color, reason: EndReason) -> Option<Outcome> {
    Some(Outcome::Win { winner, reason })
}

#[test]
fn fourfold_repetition_by_variant() {
    // Minishogi: the first player loses; judkins: a draw; tori: the side to move wins.
    for (name, cycle, outcome) in [
        ("minishogi", "1e1d 5a5b 1d1e 5b5a", win(Color::White, EndReason::Repetition)),
        ("judkins", "1f1e 6a6b 1e1f 6b6a", Some(Outcome::Draw { reason: EndReason::Repetition })),
        ("torishogi", "4g5f 4a3b 5f4g 3b4a", win(Color::Black, EndReason::Repetition)),
    ] {
        let mut position = game(name).startpos();
        for round in 1..=3 {
            assert_eq!(position.outcome(), None, "{name}, round {round}");
            play(&mut position, cycle);
        }
        assert_eq!(position.outcome(), outcome, "{name}");
        let expected = match outcome.and_then(Outcome::winner) {
            Some(Color::Black) => Repetition::Win,
            Some(Color::White) => Repetition::Lose,
            None => Repetition::Draw,
        };
        assert_eq!(position.repetition(0), Some(expected), "{name}");
    }
}

#[test]
fn perpetual_check_loses() {
    let mut position = game("minishogi").position("k4/5/1R3/5/4K b - 1").expect("a position");
    // The rook checks on both files, the king steps to and fro.
    play(&mut position, "4c5c");
    for _ in 0..3 {
        play(&mut position, "5a4a 5c4c 4a5a 4c5c");
    }
    assert_eq!(position.outcome(), win(Color::White, EndReason::PerpetualCheck));
    assert_eq!(position.repetition(0), Some(Repetition::Win));
}

#[test]
fn a_search_counts_the_first_return_and_the_game_does_not() {
    let mut position = game("judkins").startpos();
    play(&mut position, "1f1e 6a6b 1e1f 6b6a 1f1e 6a6b");
    assert_eq!(position.repetition(4), None, "the root itself is no repetition inside the search");
    assert_eq!(position.repetition(5), Some(Repetition::Draw));
    assert_eq!(position.outcome(), None);
    position.do_null_move();
    position.undo_null_move();
    assert_eq!(position.repetition(5), Some(Repetition::Draw));
}

#[test]
fn mates_stalemates_and_goals() {
    for (name, position, outcome) in [
        ("minishogi", "4k/4G/4P/5/K4 w - 1", win(Color::Black, EndReason::NoLegalMove)),
        // Who cannot move loses, in check or not.
        ("minishogi", "4k/2G2/3G1/5/K4 w - 1", win(Color::Black, EndReason::NoLegalMove)),
        // The lion is home and not attacked; attacked, it is not.
        ("dobutsu", "L2/2l/3/3 w - 1", win(Color::Black, EndReason::Goal)),
        ("dobutsu", "L2/l2/3/3 w - 1", None),
        // Without a lion.
        ("dobutsu", "1L1/3/3/3 w l 1", win(Color::Black, EndReason::Goal)),
        // Without any pieces one has won.
        ("antiminishogi", "5/5/5/5/K4 w - 1", win(Color::White, EndReason::Goal)),
    ] {
        let found = game(name).position(position).unwrap_or_else(|error| panic!("{position}: {error}"));
        assert_eq!(found.outcome(), outcome, "{name} {position}");
    }
}

#[test]
fn counters() {
    let mut library = Library::shipped();
    assert!(library.read("[three:checkshogi]\nnMoveRule = 2\n").messages.is_empty());
    let game = library.game("three").expect("it was read");
    let fen = "fen 4k4/9/9/9/9/9/9/9/4K4[R] w 2+2 0 1";
    let mut position = game.position(fen).expect("a position");
    play(&mut position, "R*5e");
    assert_eq!(position.outcome(), None);
    assert!(position.to_text().ends_with(" checks:1+2"), "{}", position.to_text());
    play(&mut position, "5a4a 5e4e");
    assert_eq!(position.outcome(), win(Color::Black, EndReason::Goal));
    position.undo_move();
    position.undo_move();
    play(&mut position, "5a4a 5e5f 4a3a 5i5h");
    assert_eq!(position.outcome(), Some(Outcome::Draw { reason: EndReason::MoveLimit }));
}

#[test]
fn fen_and_sfen() {
    for (name, fen, sfen) in [
        ("minishogi", "rbsgk/4p/5/P4/KGSBR[-] w 0 1", "rbsgk/4p/5/P4/KGSBR b - 1"),
        ("minishogi", "rbsgk/5/5/P4/KGSBR[P] b 0 3", "rbsgk/5/5/P4/KGSBR w P 6"),
        ("kyotoshogi", "p+nks+l/5/5/5/+LSK+NP[-] w 0 1", "p+nks+l/5/5/5/+LSK+NP b - 1"),
    ] {
        let game = game(name);
        let position = game.position(&format!("fen {fen}")).expect("a FEN");
        assert_eq!((position.to_text().as_str(), position.fen().as_str()), (sfen, fen));
        assert_eq!(game.position(fen).expect("brackets tell").key(), position.key());
    }
}

#[test]
fn bad_texts_are_refused_in_words() {
    let game = game("minishogi");
    for (text, message) in [
        ("", "expected BOARD SIDE HAND [PLY], found nothing"),
        ("5/5/5/5 b - 1", "expected 5 ranks, found 4"),
        ("6/5/5/5/5 b - 1", "rank 1 `6`: expected 5 squares"),
        ("rbsgkk/4p/5/P4/KGSBR b - 1", "rank 1 `rbsgkk`: expected 5 squares"),
        ("rbsg1/4p/5/P4/KGSBx b - 1", "`x` is no piece of this variant"),
        ("rbsg+k/4p/5/P4/KGSBR b - 1", "`+k` is no piece of this variant"),
        ("rbsgk/4p/5/P4/KGSBR x - 1", "side to move: expected `b` or `w`, found `x`"),
        (
            "rbsgk/4p/5/P4/KGSBR b 100P 1",
            "hand `100P`: expected `-` or pieces with their numbers, at most 99 of each",
        ),
        ("rbsgk/4p/5/P4/KGSBR b - x", "move number: expected a number from 1 to 100000, found `x`"),
        ("rbsgk/4p/5/P4/KGSBR b - 1 what", "`what` was not expected"),
        ("kk3/5/5/5/K4 b - 1", "white has more than one king"),
        ("k4/5/R4/5/K4 b - 1", "white, whose turn it is not, is in check"),
    ] {
        assert_eq!(
            game.position(text).err().map(|error| error.to_string()).as_deref(),
            Some(message),
            "{text}"
        );
    }
}
