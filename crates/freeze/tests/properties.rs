//! Invariants along random games, compared with rules written a second time.

mod reference;

use freeze::{Acceptance, Counts, Drops, Freeze, Move, Position};
use game::{DropBatch as _, Game, MoveSet, Position as _, Promotions, Searchable as _};
use proptest::collection::vec;
use proptest::prelude::*;
use reference::Reference;
use std::collections::BTreeSet;

const STARTS: [&str; 6] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 z3Z3",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1 z9Z9",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 1 z2Z99",
    "7lk/7g1/8G/9/9/9/9/9/4K4 b 3Pp 1 z1Z3",
    "4k4/9/4p4/4+p4/9/9/9/9/4K4 w 2p 2 zP z2Z3",
    "lnsg1gsnl/4k4/ppppppppp/9/9/9/PPPPPPPPP/4K4/LNSG1GSNL b RBrb 1 z0Z5",
];

fn game() -> Freeze {
    Freeze { acceptance: Acceptance::Ok, ..Freeze::default() }
}

fn start(index: usize) -> Position {
    game().position(STARTS[index]).expect("a valid position")
}

/// Bare moves and freezes alike are chosen often.
fn chosen(position: &Position, choice: u32) -> Option<Move> {
    let moves = position.legal_moves();
    let wanted = choice.is_multiple_of(3);
    let sorted: Vec<Move> = moves.iter().copied().filter(|m| m.freezes.is_some() == wanted).collect();
    let from = if sorted.is_empty() { &moves[..] } else { &sorted[..] };
    from.get(choice as usize / 3 % from.len().max(1)).copied()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn legal_moves_are_those_of_the_reference(index in 0..STARTS.len(), choices in vec(any::<u32>(), 0..60)) {
        let mut position = start(index);
        for choice in choices {
            let text = position.to_text();
            let own: BTreeSet<String> = position.legal_moves().iter().map(ToString::to_string).collect();
            let reference = Reference::new(&text);
            prop_assert_eq!(own.len(), position.legal_moves().len(), "a move twice: {}", text);
            prop_assert_eq!(&own, &reference.legal(), "{}", text);
            prop_assert_eq!(position.outcome().is_some_and(|o| o.reason() == game::EndReason::NoLegalMove), own.is_empty());
            let Some(m) = chosen(&position, choice) else { break };
            position.do_move(m);
        }
    }

    #[test]
    fn batches_and_the_others_are_the_quiet_moves(index in 0..STARTS.len(), choices in vec(any::<u32>(), 0..60)) {
        let mut position = start(index);
        for choice in choices {
            let mut others = freeze::MoveList::new();
            let mut quiets = freeze::MoveList::new();
            Drops::generate_others(&position, Promotions::Sensible, &mut others);
            position.generate(MoveSet::Quiets, Promotions::Sensible, &mut quiets);
            let mut found: Vec<String> = others.iter().map(ToString::to_string).collect();
            for batch in Drops::batches(&position) {
                let places = (0..Drops::PLACES).filter(|place| batch.legal() >> place & 1 == 1);
                found.extend(places.map(|place| batch.drop_at(place).to_string()));
            }
            let mut expected: Vec<String> = quiets.iter().map(ToString::to_string).collect();
            found.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(found, expected, "{}", position.to_text());
            let Some(m) = chosen(&position, choice) else { break };
            position.do_move(m);
        }
    }

    #[test]
    fn what_is_kept_up_to_date_is_right(index in 0..STARTS.len(), choices in vec(any::<u32>(), 0..80)) {
        let mut position = start(index);
        let mut before = Vec::new();
        for choice in choices {
            let text = position.to_text();
            let fresh = game().position(&text).expect("canonical text reads back");
            prop_assert_eq!(fresh.to_text(), text.clone());
            prop_assert_eq!(fresh.key(), position.key());
            let legal = position.legal_moves();
            for &m in &*legal {
                prop_assert!(position.is_legal(m));
                prop_assert_eq!(position.unpack_move(Position::pack_move(m)), Some(m));
                prop_assert_eq!(position.parse_move(&m.to_string()), Ok(m));
            }
            let mut sensible = freeze::MoveList::new();
            position.generate(MoveSet::Legal, Promotions::Sensible, &mut sensible);
            for &m in &*sensible {
                prop_assert!(legal.contains(&m), "{} in {}", m, text);
            }
            let checks = position.checks();
            if let Some(mate) = position.mate_in_one(&checks) {
                prop_assert!(position.is_legal(mate), "{} in {}", mate, text);
                position.do_move(mate);
                prop_assert!(position.in_check() && position.legal_moves().is_empty(), "{} in {}", mate, text);
                position.undo_move();
            } else if !position.in_check() {
                // Without check there may be moves that leave nothing to play; a check that mates is always found.
                for &m in &*sensible {
                    if position.gives_check(&checks, m) {
                        position.do_move(m);
                        prop_assert!(!position.legal_moves().is_empty(), "{} mates in {}", m, text);
                        position.undo_move();
                    }
                }
            }
            let Some(m) = chosen(&position, choice) else { break };
            let expected = position.key_after(m);
            before.push((text, position.key()));
            position.do_move(m);
            prop_assert_eq!(position.key(), expected);
        }
        while let Some((text, key)) = before.pop() {
            position.undo_move();
            prop_assert_eq!(position.to_text(), text);
            prop_assert_eq!(position.key(), key);
        }
    }

    #[test]
    fn any_command_is_read_or_refused(command in "(startpos|sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1|[ -~]{0,12})( [zZ]{0,2}[0-9A-Z+zZ]{0,4}){0,3}( moves( (7g7f|3c3d|[zZ][GBK0-9+]{0,3}|7g7f[zZ][A-Z+]{0,2})){0,5})?") {
        for acceptance in Acceptance::ALL {
            let game = Freeze { acceptance, ..Freeze::default() };
            if let Ok(position) = game.position_command(&command)
                && acceptance == Acceptance::Ok
            {
                let text = position.to_text();
                prop_assert_eq!(game.position(&text).map(|p| p.to_text()), Ok(text));
            }
        }
    }
}

/// A legal move after which the opponent has none, by trying all.
fn mates_at_once(position: &mut Position) -> bool {
    let moves = position.legal_moves();
    moves.iter().any(|&m| {
        position.do_move(m);
        let mates = position.in_check() && position.legal_moves().is_empty();
        position.undo_move();
        mates
    })
}

/// Whether mate follows whatever the opponent answers to `m`.
fn forces_mate(position: &mut Position, m: Move) -> bool {
    position.do_move(m);
    let answers = position.legal_moves();
    let forced = answers.iter().all(|&answer| {
        position.do_move(answer);
        let mates = mates_at_once(position);
        position.undo_move();
        mates
    });
    position.undo_move();
    forced
}

/// Whether `find_mate_in_three` must see that `m` forces mate: a freezing check with few answers, none of them a check.
fn is_plain_attack(position: &mut Position, m: Move) -> bool {
    let checks = position.checks();
    if m.freezes.is_none() || !position.gives_check(&checks, m) {
        return false;
    }
    position.do_move(m);
    let answers = position.legal_moves();
    let checks = position.checks();
    let plain = answers.len() <= 6 && answers.iter().all(|answer| !position.gives_check(&checks, *answer));
    position.undo_move();
    plain
}

#[test]
fn mates_in_three_are_those_of_a_search_that_tries_all() {
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 32) as u32
    };
    let (mut found, mut missing) = (0, 0);
    for game in 0..48 {
        let mut position = start(game % STARTS.len());
        for _ in 0..24 {
            let checks = position.checks();
            if !position.in_check() && position.mate_in_one(&checks).is_none() {
                match position.mate_in_three() {
                    Some(m) => {
                        let text = position.to_text();
                        assert!(position.is_legal(m), "{m} in {text}");
                        assert!(forces_mate(&mut position, m), "{m} in {text}");
                        found += 1;
                    }
                    None if position.left().of(position.side()) > 1 && position.can_freeze() => {
                        for &m in &*position.legal_moves() {
                            let overlooked =
                                is_plain_attack(&mut position, m) && forces_mate(&mut position, m);
                            assert!(!overlooked, "{m} in {}", position.to_text());
                        }
                        missing += 1;
                    }
                    None => {}
                }
            }
            let Some(m) = chosen(&position, next()) else { break };
            position.do_move(m);
        }
    }
    assert!(found >= 20 && missing >= 20, "{found} found, {missing} without");
}

#[test]
fn nothing_before_a_freeze_is_the_same_position() {
    let dance = ["5i5h", "5a5b", "5h5i", "5b5a"];
    let mut position = Position::startpos(Counts::new(1, 0));
    for text in dance.iter().cycle().take(12) {
        assert_eq!(position.outcome(), None);
        position.do_move(position.parse_move(text).unwrap());
    }
    assert!(
        position.outcome().is_some_and(|outcome| outcome.winner().is_none()),
        "fourfold without a freeze"
    );

    let mut position = Position::startpos(Counts::new(1, 0));
    for (index, text) in dance.iter().cycle().take(12).enumerate() {
        let text = if index == 4 { format!("{text}zP") } else { (*text).to_owned() };
        position.do_move(position.parse_move(&text).unwrap());
        assert_eq!(position.outcome(), None);
        assert!(index != 7 || position.repetition(99).is_none(), "the count has changed in between");
    }
}
