//! Properties of every level and every position.

use super::*;
use proptest::prelude::*;
use shogi::Square;

fn random_position(choices: &[u16]) -> Position {
    let mut position = Position::startpos();
    for choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.do_move(moves[usize::from(*choice) % moves.len()]);
    }
    position
}

proptest! {
    #[test]
    fn no_side_and_no_wing_is_favoured(choices in prop::collection::vec(any::<u16>(), 0..200)) {
        let position = random_position(&choices);
        for level in MaterialLevel::ALL {
            let value = |position: &Position| Material::new(level).value(position);
            prop_assert_eq!(value(&position), value(&position.flip()));
            prop_assert_eq!(value(&position), value(&position.mirror()));
        }
    }

    #[test]
    fn the_turn_is_worth_the_tempo_and_nothing_else(choices in prop::collection::vec(any::<u16>(), 0..200)) {
        let mut position = random_position(&choices);
        if !position.in_check() {
            for level in MaterialLevel::ALL {
                let mine = Material::new(level).value(&position);
                position.do_null_move();
                let theirs = Material::new(level).value(&position);
                position.undo_move();
                prop_assert_eq!(mine - TEMPO, TEMPO - theirs);
            }
        }
    }
}

#[test]
fn missing_kings_are_no_trouble() {
    let problem = Position::from_sfen("7nk/9/8P/9/9/9/9/9/9 b GR2r2b3g4s3n4l17p 1").unwrap();
    for level in MaterialLevel::ALL {
        // Black has nearly nothing, White nearly everything.
        let value = Material::new(level).value(&problem);
        assert!((-30_000..-3_000).contains(&value), "level {level:?}: {value}");
    }
}

#[test]
fn a_castle_is_better_than_a_king_in_the_open() {
    let castle = "lnsgk1snl/1r4gb1/ppppppppp/9/9/9/PPPPPPPPP/1BG4R1/LNSK1GSNL b - 1";
    let open = "lnsgk1snl/1r4gb1/ppppppppp/9/9/3K5/PPPPPPPPP/1BG4R1/LNS2GSNL b - 1";
    let [castle, open] = [castle, open].map(|sfen| Position::from_sfen(sfen).unwrap());
    assert_eq!(castle.king(Color::Black), Some(Square::Sq69));
    for level in &MaterialLevel::ALL[1..] {
        let mut material = Material::new(*level);
        assert!(material.value(&castle) > material.value(&open) + 50, "level {level}");
    }
}
