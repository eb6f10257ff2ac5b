//! What holds in every game.

use binarsi::{Binarsi, Board, Ending, Mirror, Moves, Position, Solver, State, Target, Way};
use game::{Color, Game, Position as _, Searchable as _};
use proptest::prelude::*;
use std::num::NonZeroUsize;

/// Positions of random games.
fn states() -> impl Strategy<Value = State> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..24).prop_map(|choices| {
        let mut state = State::START;
        for choice in choices {
            if state.ending().is_some() {
                break;
            }
            let moves = moves(&state);
            state = state.after(moves[choice.index(moves.len())]);
        }
        state
    })
}

fn moves(state: &State) -> Moves {
    let mut moves = Moves::new();
    state.moves(&mut moves);
    moves
}

/// The number of legal moves by a formula that knows nothing of stones: sides of the rectangle, its place, the locks.
fn counted(state: &State) -> u32 {
    let text = Binarsi.position(&Position::from(Board::of(*state)).to_text()).unwrap().to_text();
    let rows: Vec<_> = text.split(' ').next().unwrap().split('/').map(widened).collect();
    let ranks: Vec<_> = (0..6).filter(|r| rows[*r].contains(['x', 'o'])).collect();
    let files: Vec<_> = (0..7).filter(|f| rows.iter().any(|row| &row[*f..=*f] != ".")).collect();
    let locked = |way: char| state.locks().contains(Way::from_letter(way).unwrap());
    let lines = |own: &[usize], other: u32, letters: &str| {
        let mut count = 0;
        for (place, _) in letters.chars().enumerate().filter(|(_, letter)| !locked(*letter)) {
            let (first, last) = (own[0], own[own.len() - 1]);
            let (lower, higher) = (place > first && place <= last, place < last && place >= first);
            if own.contains(&place) {
                count +=
                    other - 1 + u32::from(lower) + u32::from(higher) + if lower && higher { 6 } else { 0 };
            } else if place + 1 == first || place == last + 1 {
                count += 1 + if own.len() >= 2 { 6 } else { 0 };
            }
        }
        count
    };
    lines(&files, ranks.len() as u32, "1234567") + lines(&ranks, files.len() as u32, "abcdef")
}

fn widened(row: &str) -> String {
    let letter = |c: char| c.to_digit(10).map_or(c.to_string(), |blanks| ".".repeat(blanks as usize));
    row.chars().map(letter).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Both reflections carry legal moves to legal moves and their results to each other.
    #[test]
    fn reflections_are_symmetries(state in states()) {
        for mirror in Mirror::ALL {
            let image = mirror.state(&state);
            prop_assert_eq!(mirror.state(&image), state);
            prop_assert_eq!(image.ending(), state.ending());
            prop_assert_eq!(image.move_count(), state.move_count());
            for m in &moves(&state) {
                let reflected = mirror.move_of(&state, m);
                prop_assert!(image.allows(reflected));
                prop_assert_eq!(image.after(reflected), mirror.state(&state.after(m)));
                prop_assert_eq!(mirror.move_of(&image, reflected), m);
            }
            prop_assert_eq!(image.canonical(), state.canonical());
        }
    }

    /// Doing and undoing, text, the number of moves, the length of games.
    #[test]
    fn positions_survive_everything(state in states()) {
        prop_assert_eq!(state.move_count() as usize, moves(&state).len());
        prop_assert_eq!(counted(&state), state.move_count());
        let mut position = Position::from(Board::START);
        let mut walked = 0;
        while position.outcome().is_none() {
            let legal = position.legal_moves();
            let m = legal[(state.key() as usize + walked) % legal.len()];
            let before = position.to_text();
            prop_assert_eq!(position.key_after(m), { let mut after = position.clone(); after.do_move(m); after.key() });
            position.do_move(m);
            let text = position.to_text();
            prop_assert_eq!(Binarsi.position(&text).unwrap().to_text(), text);
            position.undo_move();
            prop_assert_eq!(position.to_text(), before);
            position.do_move(m);
            walked += 1;
        }
        prop_assert!((7..=24).contains(&walked));
    }

    /// More targets for a player and fewer for the opponent never turn a win into a loss.
    #[test]
    fn targets_help_their_owner(state in states(), extra in 0_usize..6) {
        if state.ending().is_some() || state.locks().len() < 8 {
            return Ok(());
        }
        let solver = Solver::new(4, NonZeroUsize::MIN).unwrap();
        let winner = solver.winner(&state).unwrap();
        let target = Target::ALL[extra];
        let owner = if extra < 3 { Color::Black } else { Color::White };
        let richer = state.with_cleared(target);
        if winner == owner {
            prop_assert_eq!(solver.winner(&richer), Ok(owner));
        }
    }
}

/// A game that is over has no moves that win.
#[test]
fn no_move_wins_after_the_end() {
    let over: Board = "ooooooo/oooooox/oooooxo/ooooxoo/oooxooo/xxxxxxx b - 1/2//10/10/10 10".parse().unwrap();
    assert!(over.state().ending().is_some());
    assert_eq!(over.state().winning_move(), None);
    assert_eq!(Position::from(over).mate_in_one(&()), None);
}

/// The solver finds what plain negamax finds.
#[test]
fn the_solver_agrees_with_plain_search() {
    fn wins(state: &State) -> bool {
        match state.ending() {
            Some(ending) => ending.winner() == state.side(),
            None => moves(state).iter().any(|m| !wins(&state.after(*m))),
        }
    }
    let mut random = platform::Random::new(3);
    let mut checked = 0;
    while checked < 60 {
        let mut state = State::START;
        while state.ending().is_none() {
            if state.locks().len() >= 10 && state.move_count() < 40 {
                let solver = Solver::new(4, NonZeroUsize::new(2).unwrap()).unwrap();
                let winner = if wins(&state) { state.side() } else { !state.side() };
                assert_eq!(solver.winner(&state), Ok(winner), "{state:?}");
                assert_eq!(solver.known(&state), Some(winner));
                let line = solver.line(&state);
                let last = line.iter().fold(state, |state, m| state.after(*m));
                assert_eq!(last.ending().map(Ending::winner), Some(winner), "{state:?}");
                checked += 1;
                break;
            }
            let moves = moves(&state);
            state = state.after(moves[random.below(moves.len())]);
        }
    }
}
