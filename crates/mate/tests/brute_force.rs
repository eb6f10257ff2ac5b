//! The solver against exhaustive search: every position that can be reached is listed, and the lengths of mates are found
//! from their ends backwards, so that repetition cannot mislead.

use mate::{Goal, Limits, MateLength, Solver, Verdict};
use shogi::{Color, HandPiece, MoveList, MoveSet, Piece, PieceKind, Position, Promotions, Setup, Square};
use std::collections::HashMap;

/// Random numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// More positions than this are not listed.
const MOST_POSITIONS: usize = 2000;
/// Where there are fewer and no mate, there is little to be tested.
const FEW_POSITIONS: usize = 30;

/// What is true of a position.
struct Truth {
    /// The length of the shortest mate, if there is one.
    mate: Option<u32>,
    /// How many positions can be reached.
    positions: usize,
}

/// Finds out by listing everything; `None` if there is too much to list.
fn exhaustive(root: &Position) -> Option<Truth> {
    let attacker = root.side();
    let mut position = Position::with_room(&root.setup(), 4).ok()?;
    let mut numbers = HashMap::from([(root.key128(), 0)]);
    let mut snapshots = vec![(root.snapshot(), true)];
    let mut successors: Vec<Vec<usize>> = Vec::new();
    while successors.len() < snapshots.len() {
        position.restore(&snapshots[successors.len()].0);
        let attacks = position.side() == attacker;
        let mut moves = MoveList::new();
        position.generate(MoveSet::Legal, Promotions::All, &mut moves);
        let mut next = Vec::new();
        for &m in moves.iter() {
            if attacks && !position.gives_check(m) {
                continue;
            }
            position.do_move(m);
            let number = *numbers.entry(position.key128()).or_insert_with(|| {
                snapshots.push((position.snapshot(), !attacks));
                snapshots.len() - 1
            });
            next.push(number);
            position.undo_move();
        }
        successors.push(next);
        if snapshots.len() > MOST_POSITIONS {
            return None;
        }
    }
    let mut lengths: Vec<Option<u32>> = vec![None; snapshots.len()];
    // After round n all mates of up to n plies are known.
    for length in 0..=snapshots.len() as u32 {
        let mut found = Vec::new();
        for (number, next) in successors.iter().enumerate() {
            let known = |child: &usize| lengths[*child].is_some();
            let mates = if snapshots[number].1 { next.iter().any(known) } else { next.iter().all(known) };
            if lengths[number].is_none() && mates {
                found.push(number);
            }
        }
        if found.is_empty() {
            break;
        }
        for number in found {
            lengths[number] = Some(length);
        }
    }
    Some(Truth { mate: lengths[0], positions: snapshots.len() })
}

/// A few pieces around a king, and a few in hand.
fn small_position(dice: &mut Dice) -> Option<Position> {
    use HandPiece as Held;
    use PieceKind::{Dragon, Gold, Horse, Knight, Lance, Pawn, ProPawn, Silver};
    const KINGS: [Square; 6] =
        [Square::Sq11, Square::Sq12, Square::Sq21, Square::Sq22, Square::Sq31, Square::Sq55];
    const ATTACKERS: [PieceKind; 12] =
        [Gold, Silver, Knight, Pawn, ProPawn, Gold, Silver, Horse, Dragon, Lance, Silver, Pawn];
    const DEFENDERS: [PieceKind; 7] = [Pawn, Lance, Knight, Silver, Gold, Pawn, ProPawn];
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
    let mut put = |dice: &mut Dice, piece: Piece, near: bool| {
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
    for _ in 0..2 + dice.below(3) {
        let kind = ATTACKERS[dice.below(ATTACKERS.len())];
        put(dice, Piece::new(Color::Black, kind), true);
    }
    for _ in 0..dice.below(4) {
        let kind = DEFENDERS[dice.below(DEFENDERS.len())];
        put(dice, Piece::new(Color::White, kind), true);
    }
    if dice.below(4) == 0 {
        put(dice, Piece::new(Color::Black, PieceKind::King), false);
    }
    let held = [dice.below(3), usize::from(dice.below(4) == 0)];
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

/// Of the positions compared: how many have a mate, and how many a mate of more than three and more than nine plies.
#[derive(Default, Debug)]
struct Tally {
    mates: usize,
    beyond_three: usize,
    beyond_nine: usize,
}

/// Compares so many positions.
fn compare(seed: u64, wanted: usize) -> Tally {
    let mut dice = Dice(seed);
    let mut solver = Solver::new(1 << 20).expect("there is a megabyte");
    let mut tally = Tally::default();
    let mut compared = 0;
    while compared < wanted {
        let Some(mut position) = small_position(&mut dice) else { continue };
        let Some(truth) = exhaustive(&position) else { continue };
        if truth.mate.is_none() && truth.positions < FEW_POSITIONS {
            continue;
        }
        if dice.below(2) == 0 {
            position = position.flip();
        }
        compared += 1;
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
            }
            (truth, verdict) => panic!("{sfen}: {truth:?}, but {verdict:?}"),
        }
    }
    tally
}

#[test]
fn small_positions_are_decided_as_by_exhaustive_search() {
    let tally = compare(1, 150);
    println!("{tally:?}");
    assert!(tally.mates > 10, "{tally:?}: too few to mean anything");
}

#[test]
#[ignore = "minutes"]
fn twenty_thousand_small_positions() {
    std::thread::scope(|scope| {
        for seed in 2..6 {
            scope.spawn(move || println!("{:?}", compare(seed, 5_000)));
        }
    });
}
