//! The solver against exhaustive search on random small positions.

mod exhaustive;

use exhaustive::exhaustive;
use mate::{Goal, Limits, MateLength, Solver, Verdict};
use platform::Random;
use shogi::{Color, HandPiece, Piece, PieceKind, Position, Setup, Square};
use std::collections::HashSet;

/// Where there are fewer and no mate, there is little to be tested.
const FEW_POSITIONS: usize = 30;

/// What small positions are made from.
struct Kit {
    /// How many pieces the attacker has on the board, at least and at most.
    attackers: (usize, usize),
    attacking: &'static [PieceKind],
    /// How many the defender has, at least and at most.
    defenders: (usize, usize),
    defending: &'static [PieceKind],
    /// How many the attacker and the defender hold at most.
    most_held: [usize; 2],
}

use PieceKind::{Bishop, Dragon, Gold, Horse, Knight, Lance, Pawn, ProPawn, Rook, Silver};

/// A few pieces around a king, and a few in hand.
const CROWD: Kit = Kit {
    attackers: (2, 4),
    attacking: &[Gold, Silver, Knight, Pawn, ProPawn, Gold, Silver, Horse, Dragon, Lance, Silver, Pawn],
    defenders: (0, 3),
    defending: &[Pawn, Lance, Knight, Silver, Gold, Pawn, ProPawn],
    most_held: [2, 1],
};

/// Pieces that can give check again and again, with little else: the king is chased to and fro.
const CHASE: Kit = Kit {
    attackers: (1, 3),
    attacking: &[Horse, Dragon, Horse, Dragon, Rook, Bishop, Gold, Silver, ProPawn],
    defenders: (0, 3),
    defending: &[Pawn, ProPawn, Silver, Lance, Knight],
    most_held: [1, 0],
};

/// A strong piece and little else: often all that saves the king is that the checks repeat themselves.
const PERPETUAL: Kit = Kit {
    attackers: (1, 2),
    attacking: &[Dragon, Horse, Dragon, Horse, ProPawn, Pawn],
    defenders: (0, 2),
    defending: &[Pawn, Lance, Knight, ProPawn],
    most_held: [0, 0],
};

/// A position made from the kit.
fn small_position(kit: &Kit, dice: &mut Random) -> Option<Position> {
    use HandPiece as Held;
    const KINGS: [Square; 6] =
        [Square::Sq11, Square::Sq12, Square::Sq21, Square::Sq22, Square::Sq31, Square::Sq55];
    const HELD: [Held; 8] = [
        Held::Gold,
        Held::Silver,
        Held::Gold,
        Held::Silver,
        Held::Knight,
        Held::Lance,
        Held::Pawn,
        Held::Pawn,
    ];
    let mut setup = Setup::EMPTY;
    let king = KINGS[dice.below(KINGS.len())];
    setup.board[king.index()] = Some(Piece::new(Color::White, PieceKind::King));
    let mut put = |dice: &mut Random, piece: Piece, near: bool| {
        let (file, rank) = if near {
            (
                (king.file() as usize + dice.below(6)).saturating_sub(2),
                (king.rank() as usize + dice.below(5)).saturating_sub(1),
            )
        } else {
            (dice.below(9), dice.below(9))
        };
        let square = Square::from_index((file.min(8) * 9 + rank.min(8)) as u8)?;
        let fits =
            setup.board[square.index()].is_none() && shogi::attacks::on_empty_board(piece, square).any();
        fits.then(|| setup.board[square.index()] = Some(piece))
    };
    let (least, most) = kit.attackers;
    for _ in 0..least + dice.below(most - least + 1) {
        let kind = kit.attacking[dice.below(kit.attacking.len())];
        put(dice, Piece::new(Color::Black, kind), true);
    }
    let (least, most) = kit.defenders;
    for _ in 0..least + dice.below(most - least + 1) {
        let kind = kit.defending[dice.below(kit.defending.len())];
        put(dice, Piece::new(Color::White, kind), true);
    }
    if dice.below(4) == 0 {
        let near = dice.below(2) == 0;
        put(dice, Piece::new(Color::Black, PieceKind::King), near);
    }
    let held = kit.most_held.map(|most| dice.below(most + 1));
    for color in Color::ALL {
        for _ in 0..held[color.index()] {
            setup.hands[color.index()].add(HELD[dice.below(HELD.len())]);
        }
    }
    let position = Position::with_room(&setup, 4).ok()?;
    // The defender must not be in check while the attacker is to move.
    let king_is_safe = !position.is_attacked(king, Color::Black, position.occupied());
    king_is_safe.then_some(position)
}

/// What was compared.
#[derive(Default, Debug)]
struct Tally {
    positions: usize,
    mates: usize,
    beyond_three: usize,
    beyond_nine: usize,
    longest: u32,
    /// Whose lines can repeat.
    cyclic: usize,
    /// Without a mate only because repetition is none.
    rest_on_repetition: usize,
    /// The attacker is in check himself.
    in_check: usize,
}

/// Which positions are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// All, but not too many trivial ones.
    Any,
    /// Only those where repetition alone decides.
    Repetition,
}

/// Compares so many different positions, of those that `most` positions decide.
fn compare(kit: &Kit, choice: Choice, seed: u64, wanted: usize, most: usize) -> Tally {
    let mut dice = Random::new(seed);
    let mut solver = Solver::new(1 << 20).expect("there is a megabyte");
    let mut tally = Tally::default();
    let mut compared = HashSet::new();
    while tally.positions < wanted {
        let Some(mut position) = small_position(kit, &mut dice) else { continue };
        let Some(truth) = exhaustive(&position, most) else { continue };
        let is_short = truth.mate.map_or(truth.positions < FEW_POSITIONS, |length| length == 1);
        if is_short && dice.below(8) > 0 || choice == Choice::Repetition && !truth.rests_on_repetition {
            continue;
        }
        if !compared.insert(position.key128()) {
            continue;
        }
        if dice.below(2) == 0 {
            position = position.flip();
        }
        let sfen = position.sfen();
        match (truth.mate, solver.solve(&position, Goal::Shortest, Limits::none())) {
            (None, Verdict::NoMate) => {}
            (Some(length), Verdict::Mate(mate)) => {
                assert_eq!(mate.length, MateLength::Exact(length), "{sfen}");
                assert_eq!(mate.line.len(), length as usize, "{sfen}");
                let mut end = position.clone();
                for &m in &mate.line {
                    assert!(end.is_legal(m), "{sfen}: {m}");
                    end.do_move(m);
                }
                assert!(end.is_mated(), "{sfen}");
                tally.mates += 1;
                tally.beyond_three += usize::from(length > 3);
                tally.beyond_nine += usize::from(length > 9);
                tally.longest = tally.longest.max(length);
            }
            (truth, verdict) => panic!("{sfen}: {truth:?}, but {verdict:?}"),
        }
        tally.positions += 1;
        tally.cyclic += usize::from(truth.has_cycle);
        tally.rest_on_repetition += usize::from(truth.rests_on_repetition);
        tally.in_check += usize::from(position.in_check());
    }
    tally
}

#[test]
fn small_positions_are_decided_as_by_exhaustive_search() {
    for (kit, seed) in [(&CROWD, 1), (&CHASE, 2)] {
        let tally = compare(kit, Choice::Any, seed, 100, 3000);
        println!("{tally:?}");
        assert!(tally.mates > 10 && tally.cyclic > 10, "{tally:?}: too few to mean anything");
    }
}

#[test]
fn repetition_is_no_mate() {
    println!("{:?}", compare(&PERPETUAL, Choice::Repetition, 5, 20, 4000));
}

// Twenty thousand positions in all.

#[test]
#[ignore = "minutes"]
fn nine_thousand_crowds() {
    println!("{:?}", compare(&CROWD, Choice::Any, 3, 9_000, 3_000));
}

#[test]
#[ignore = "minutes"]
fn nine_thousand_chases() {
    println!("{:?}", compare(&CHASE, Choice::Any, 4, 9_000, 3_000));
}

#[test]
#[ignore = "minutes"]
fn two_thousand_more() {
    println!("{:?}", compare(&CROWD, Choice::Any, 5, 1_000, 3_000));
    println!("{:?}", compare(&CHASE, Choice::Any, 6, 1_000, 3_000));
}
