//! What must hold along every game.

mod support;

use game::Repetition;
use proptest::collection::vec;
use proptest::prelude::*;
use shogi::{
    Bitboard, Change, Color, Drops, Hand, Move, MoveList, MoveSet, Piece, Position, Promotions, Setup,
    Square, attacks,
};
use std::cell::Cell;
use std::collections::BTreeSet;
use support::{positions, starts, walk};

fn set(position: &Position, set: MoveSet, promotions: Promotions) -> BTreeSet<Move> {
    let mut moves = MoveList::new();
    position.generate(set, promotions, &mut moves);
    let unique: BTreeSet<Move> = moves.iter().copied().collect();
    assert_eq!(unique.len(), moves.len(), "{position:?} {set:?}: a move was generated twice");
    unique
}

/// Follows the changes a move reports, as an evaluation would.
struct Follower {
    board: [Option<Piece>; Square::COUNT],
    hands: [Hand; 2],
}

impl Follower {
    fn follow(&mut self, change: Change) {
        match change {
            Change::Removed(piece, square) => {
                assert_eq!(self.board[square.index()].take(), Some(piece));
            }
            Change::Placed(piece, square) => {
                assert_eq!(self.board[square.index()].replace(piece), None);
            }
            Change::Hand { color, piece, before, after } => {
                let hand = &mut self.hands[color.index()];
                assert_eq!(hand.count(piece), before);
                if after > before {
                    hand.add(piece);
                } else {
                    hand.remove(piece);
                }
                assert_eq!(hand.count(piece), after);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn everything_incremental_equals_from_scratch(start in starts(), choices in vec(any::<u16>(), 0..120)) {
        let mut position = start;
        walk(&mut position, &choices, |p, _| p.assert_consistent());
        position.assert_consistent();
    }

    #[test]
    fn undo_restores_everything(start in starts(), choices in vec(any::<u16>(), 0..120)) {
        let mut position = start.clone();
        let mut snapshots = Vec::new();
        walk(&mut position, &choices, |p, _| {
            snapshots.push((p.sfen(), p.key128(), p.board_key(), p.hand_key(), p.checkers(), p.material(), p.last_move(), p.occurrences(), p.repetition(100)));
        });
        while let Some(snapshot) = snapshots.pop() {
            position.undo_move();
            let p = &position;
            prop_assert_eq!(snapshot, (p.sfen(), p.key128(), p.board_key(), p.hand_key(), p.checkers(), p.material(), p.last_move(), p.occurrences(), p.repetition(100)));
            p.assert_consistent();
        }
        prop_assert_eq!(position, start);
    }

    #[test]
    fn batches_hold_the_drops_and_nothing_is_lost(position in positions(80)) {
        use game::{DropBatch as _, Searchable as _};
        let checks = position.checks();
        let mut others = MoveList::new();
        Drops::generate_others(&position, Promotions::Sensible, &mut others);
        for &m in others.iter() {
            let facts = (position.history_slot(m), game::Searchable::gives_check(&position, &checks, m));
            prop_assert_eq!(Drops::slot_and_check(&position, &checks, m), facts, "{}", m);
        }
        let mut found = others.to_vec();
        for batch in Drops::batches(&position) {
            for place in (0..Drops::PLACES).filter(|place| batch.legal() >> place & 1 == 1) {
                let m = batch.drop_at(place);
                prop_assert_eq!(position.history_slot(m), batch.history_slot() + place);
                prop_assert_eq!(position.butterfly_slot(m), batch.butterfly_slot() + place);
                // Diagrams may begin with a check to the side that is not to move.
                if position.moves_since_start() > 0 {
                    prop_assert_eq!(batch.checks(&checks) >> place & 1 == 1, Position::gives_check(&position, m));
                }
                found.push(m);
            }
        }
        let unique: BTreeSet<Move> = found.iter().copied().collect();
        prop_assert_eq!(unique.len(), found.len());
        prop_assert_eq!(unique, set(&position, MoveSet::Quiets, Promotions::Sensible));
    }

    #[test]
    fn slots_are_those_of_the_piece_that_comes(position in positions(80)) {
        use game::Searchable as _;
        for m in &position.legal_moves() {
            let piece = position.piece_after(m).expect("a legal move moves something");
            prop_assert_eq!(position.history_slot(m), piece.index() * Square::COUNT + m.to().index());
        }
    }

    #[test]
    fn null_moves_change_the_side_only(position in positions(80)) {
        if position.in_check() {
            return Ok(());
        }
        let mut passed = position.clone();
        passed.do_null_move();
        prop_assert_eq!(passed.side(), !position.side());
        prop_assert_ne!(passed.key(), position.key());
        passed.assert_consistent();
        passed.undo_move();
        prop_assert_eq!(passed.key128(), position.key128());
        prop_assert_eq!(passed, position);
    }

    #[test]
    fn observers_can_follow(start in starts(), choices in vec(any::<u16>(), 0..120)) {
        let mut position = start;
        let setup = position.setup();
        let mut follower = Follower { board: setup.board, hands: setup.hands };
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.do_move_observed(moves[usize::from(choice) % moves.len()], |change| follower.follow(change));
            prop_assert_eq!(follower.board, position.setup().board);
            prop_assert_eq!(follower.hands, position.setup().hands);
        }
    }

    #[test]
    fn sfen_round_trips(position in positions(150)) {
        let text = position.sfen();
        prop_assert_eq!(Position::from_sfen(&text).unwrap().sfen(), text.clone());
        prop_assert_eq!(text.parse::<Setup>().unwrap(), position.setup());
        prop_assert_eq!(position.setup().to_string(), text);
    }

    #[test]
    fn keys_tell_positions_apart(start in starts(), choices in vec(any::<u16>(), 0..120)) {
        let mut position = start;
        let mut seen: std::collections::HashMap<u64, String> = std::collections::HashMap::new();
        let without_number = |p: &Position| Setup { ply: 1, ..p.setup() }.to_string();
        walk(&mut position, &choices, |p, _| {
            let text = without_number(p);
            assert_eq!(seen.entry(p.key()).or_insert_with(|| text.clone()), &text);
        });
    }

    #[test]
    fn sets_are_parts_of_the_legal_moves(position in positions(150)) {
        for promotions in [Promotions::All, Promotions::Sensible] {
            let legal = set(&position, MoveSet::Legal, promotions);
            let part = |wanted: &dyn Fn(Move) -> bool| -> BTreeSet<Move> {
                legal.iter().copied().filter(|m| wanted(*m)).collect()
            };
            prop_assert_eq!(set(&position, MoveSet::Captures, promotions), part(&|m| position.is_capture(m)));
            prop_assert_eq!(set(&position, MoveSet::Quiets, promotions), part(&|m| !position.is_capture(m)));
            prop_assert_eq!(set(&position, MoveSet::Drops, promotions), part(&|m| m.is_drop()));
            prop_assert_eq!(set(&position, MoveSet::Checks, promotions), part(&|m| position.gives_check(m)));
            let evasions = if position.in_check() { legal.clone() } else { BTreeSet::new() };
            prop_assert_eq!(set(&position, MoveSet::Evasions, promotions), evasions);
        }
    }

    #[test]
    fn sensible_moves_leave_out_pointless_non_promotions_only(position in positions(150)) {
        use shogi::{Origin, PieceKind, Rank};
        let all = set(&position, MoveSet::Legal, Promotions::All);
        let sensible = set(&position, MoveSet::Legal, Promotions::Sensible);
        let second = match position.side() { Color::Black => Rank::R2, Color::White => Rank::R8 };
        let pointless = |m: &Move| {
            let Origin::Board(from) = m.origin() else { return false };
            let promoting = Move::board(from, m.to(), true);
            !m.is_promotion() && all.contains(&promoting) && match position.piece_at(from).unwrap().kind() {
                PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => true,
                PieceKind::Lance => m.to().rank() == second,
                _ => false,
            }
        };
        let expected: BTreeSet<Move> = all.iter().copied().filter(|m| !pointless(m)).collect();
        prop_assert_eq!(sensible, expected);
    }

    #[test]
    fn gives_check_tells_the_truth(position in positions(150)) {
        let mut position = position;
        for &m in position.legal_moves().iter() {
            let said = position.gives_check(m);
            prop_assert_eq!(position.checks().contains(&position, m), said, "{} in {}", m, position.sfen());
            position.do_move(m);
            prop_assert_eq!(position.in_check(), said, "{} after {}", m, position.sfen());
            position.undo_move();
        }
    }

    #[test]
    fn structures_and_keys_follow_moves(position in positions(150)) {
        let mut position = position;
        for &m in position.legal_moves().iter() {
            let mut structure = game::Searchable::structure(&position);
            let key = position.key_after(m);
            let mut prefetched = None;
            position.do_move_prefetching(m, |key| prefetched = Some(key), |change| {
                let parts = <Position as game::Searchable>::structure_change(change);
                structure.iter_mut().zip(parts).for_each(|(sum, part)| *sum ^= part);
            });
            prop_assert_eq!(structure, game::Searchable::structure(&position), "{}", m);
            prop_assert_eq!((position.key(), prefetched), (key, Some(key)), "{}", m);
            prop_assert_eq!(game::Searchable::wide_key(&position) as u64, key, "{}", m);
            position.undo_move();
        }
    }

    #[test]
    fn legality_of_single_moves_agrees_with_the_list(position in positions(150)) {
        let legal = set(&position, MoveSet::Legal, Promotions::All);
        for m in (0..=u16::MAX).filter_map(Move::from_bits) {
            prop_assert_eq!(position.is_legal(m), legal.contains(&m), "{} in {}", m, position.sfen());
        }
    }

    #[test]
    fn rotation_and_mirror_commute_with_everything(position in positions(150)) {
        let legal = set(&position, MoveSet::Legal, Promotions::All);
        let flipped = position.flip();
        prop_assert_eq!(set(&flipped, MoveSet::Legal, Promotions::All), legal.iter().map(|m| m.flip()).collect());
        prop_assert_eq!(flipped.material(), -position.material());
        prop_assert_eq!(flipped.flip(), position.clone());
        let mirrored = position.mirror();
        prop_assert_eq!(set(&mirrored, MoveSet::Legal, Promotions::All), legal.iter().map(|m| m.mirror()).collect());
        prop_assert_eq!(mirrored.mirror(), position);
    }

    #[test]
    fn attackers_are_the_pieces_that_attack(position in positions(150)) {
        for square in Square::all() {
            let occupied = position.occupied();
            let attacks = |from: &Square| {
                position.piece_at(*from).is_some_and(|piece| attacks::attacks(piece, *from, occupied).contains(square))
            };
            let all: Bitboard = occupied.into_iter().filter(attacks).collect();
            prop_assert_eq!(position.all_attackers_to(square, occupied), all, "{} {}", square, position.sfen());
            for color in Color::ALL {
                prop_assert_eq!(position.attackers_to(square, color, occupied), all & position.pieces(color));
            }
        }
    }

    #[test]
    fn pins_equal_recomputed_ones(position in positions(150)) {
        for color in Color::ALL {
            let expected: Bitboard = match position.king(color) {
                None => Bitboard::EMPTY,
                Some(king) => {
                    let occupied = position.occupied();
                    let attackers = |occupied| position.attackers_to(king, !color, occupied);
                    let before = attackers(occupied);
                    // Pinned: taking the piece off the board lets a new attacker through.
                    position.pieces(color).into_iter()
                        .filter(|s| *s != king && (attackers(occupied - (*s).into()) - before).any())
                        .collect()
                }
            };
            prop_assert_eq!(position.pinned(color), expected, "{}", position.sfen());
        }
    }

    #[test]
    fn mate_and_legal_moves_agree(position in positions(200)) {
        prop_assert_eq!(position.has_legal_move(), !position.legal_moves().is_empty(), "{}", position.sfen());
        prop_assert_eq!(position.is_mated(), position.in_check() && position.legal_moves().is_empty());
    }

    #[test]
    fn mate_in_one_agrees_with_brute_force(position in positions(200)) {
        let mut position = position;
        let mut mates = BTreeSet::new();
        for &m in position.legal_moves().iter() {
            position.do_move(m);
            if position.in_check() && position.legal_moves().is_empty() {
                mates.insert(m);
            }
            position.undo_move();
        }
        match position.mate_in_one() {
            Some(m) => prop_assert!(mates.contains(&m), "{} does not mate in {}", m, position.sfen()),
            None => prop_assert!(mates.is_empty(), "missed {:?} in {}", mates, position.sfen()),
        }
    }
}

/// The nearest return by brute force: every plain move is made and compared with all positions of the path, oldest first,
/// of which `path` ends with the present one.
fn nearest_return(
    position: &Position,
    path: &[(Position, bool)],
    plies_from_root: usize,
) -> Option<Repetition> {
    let window = path.iter().rev().take_while(|(_, plain)| *plain).count();
    let mut position = position.clone();
    let mut returns = Vec::new();
    for &m in &*position.legal_moves() {
        if m.is_drop() || m.is_promotion() || position.is_capture(m) {
            continue;
        }
        position.do_move(m);
        let mut earlier = path.iter().rev().enumerate().skip(1);
        let met = earlier.find(|(distance, (earlier, _))| *distance <= window && *earlier == position);
        if let Some((distance, _)) = met.filter(|(distance, _)| *distance < plies_from_root) {
            let kind = match position.repetition(plies_from_root + 1) {
                Some(Repetition::Win) => Repetition::Lose,
                Some(Repetition::Lose) => Repetition::Win,
                Some(Repetition::Draw) => Repetition::Draw,
                other => panic!("{position:?}: {other:?} at a distance of {distance}"),
            };
            returns.push((distance, kind));
        }
        position.undo_move();
    }
    returns.into_iter().min_by_key(|(distance, _)| *distance).map(|(_, kind)| kind)
}

/// Boards with few pieces, where paths often cross themselves; with checks, pins and something in hand.
const SPARSE: [&str; 6] = [
    "ln1gk4/9/p8/9/9/9/8P/9/4KG1NL b - 1",
    "k8/9/9/9/9/9/9/9/8K b - 1",
    "k8/9/9/9/9/9/9/9/1R6K b - 1",
    "4k4/4s4/9/9/4R4/9/9/4G4/4K4 w - 1",
    "4k4/9/3+r5/9/9/9/5+B3/9/4K4 b P 1",
    "3gkg3/9/9/9/9/9/9/9/3GKG3 b - 1",
];

#[test]
fn upcoming_repetitions_are_those_that_moves_bring() {
    let found = [const { Cell::new(0) }; 3];
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(600)
    });
    let paths = (prop::sample::select(&SPARSE[..]), vec(any::<u16>(), 0..40), 0..50usize);
    runner
        .run(&paths, |(start, choices, plies_from_root)| {
            let mut position = Position::from_sfen(start).expect("a valid SFEN");
            let mut path = vec![(position.clone(), false)];
            for choice in choices {
                let moves = position.legal_moves();
                // Often back where one came from or with check, if that can be, so that checks are repeated, too.
                let wanted = |m: &Move| match choice % 4 {
                    0 | 1 => position.board_key_after(*m) == path[path.len().saturating_sub(4)].0.board_key(),
                    2 => position.gives_check(*m),
                    _ => false,
                };
                let Some(m) = moves
                    .iter()
                    .copied()
                    .find(wanted)
                    .or_else(|| moves.get(usize::from(choice) % moves.len().max(1)).copied())
                else {
                    break;
                };
                let plain = !m.is_drop() && !m.is_promotion() && !position.is_capture(m);
                position.do_move(m);
                path.push((position.clone(), plain));
                let expected = nearest_return(&position, &path, plies_from_root);
                prop_assert_eq!(position.upcoming_repetition(plies_from_root), expected, "{:?}", position);
                match expected {
                    Some(Repetition::Draw) => found[0].update(|count| count + 1),
                    Some(Repetition::Win) => found[1].update(|count| count + 1),
                    Some(Repetition::Lose) => found[2].update(|count| count + 1),
                    _ => {}
                }
            }
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(found.iter().all(|count| count.get() > 0), "not all kinds were met: {found:?}");
}
