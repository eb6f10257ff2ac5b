//! Values kept move by move equal those from scratch, whatever the instruction set.

mod support;

use eval::nnue::{Architecture, Features, Isa, KingZones, Network, NnueEvaluation, Parameters};
use game::Evaluation;
use proptest::prelude::*;
use shogi::Position;
use std::sync::{Arc, LazyLock};
use support::{Random, STARTS, small_shapes, suisho_petite};

/// Wanders through a game tree: moves, passes, takes back, sometimes asks for the value.
fn wander(evaluation: &mut NnueEvaluation, random: &mut Random, steps: usize) {
    let network = Arc::clone(evaluation.network());
    let mut position = Position::from_sfen(STARTS[random.below(STARTS.len())]).unwrap();
    let mut line = Vec::new();
    let mut changes = Vec::new();
    evaluation.refresh(&position);
    for _ in 0..steps {
        let moves = position.legal_moves();
        match random.below(8) {
            0..=2 if !line.is_empty() => {
                line.pop();
                position.undo_move();
                evaluation.pop();
            }
            3 if !position.in_check() && line.last() != Some(&true) => {
                position.do_null_move();
                evaluation.push(&[]);
                line.push(true);
            }
            _ if moves.is_empty() => return,
            _ => {
                changes.clear();
                position.do_move_observed(moves[random.below(moves.len())], |change| changes.push(change));
                evaluation.push(&changes);
                line.push(false);
            }
        }
        if random.below(3) > 0 {
            let expected = network.parameters().evaluate(&position);
            assert_eq!(
                evaluation.raw_value(&position),
                expected,
                "{} {} {}",
                network.isa(),
                network.architecture(),
                position.sfen()
            );
        }
    }
}

#[test]
fn every_small_shape_on_every_instruction_set() {
    for shape in small_shapes() {
        for isa in Isa::available() {
            let network = Arc::new(Network::with_isa(Parameters::random(&shape, 11), isa));
            assert_eq!(network.isa(), isa);
            let mut evaluation = NnueEvaluation::new(network, 16);
            let mut random = Random(isa as u64);
            for _ in 0..12 {
                wander(&mut evaluation, &mut random, 40);
            }
        }
    }
}

#[test]
fn common_sizes_on_every_instruction_set() {
    for shape in [
        Architecture::classic(Features::Kp, 256, 32, 32),
        Architecture::classic(Features::Kp, 512, 16, 32),
        Architecture::classic(Features::Kp, 1024, 8, 32),
        Architecture::classic(Features::Ka2, 1024, 8, 64),
        Architecture::classic(Features::Kp, 512, 8, 96),
        Architecture::classic(Features::Kp, 40, 5, 7),
        Architecture::stacked(Features::Ka2, 1536, 15, 32),
        Architecture::stacked(Features::Kp, 1024, 7, 64),
        Architecture::stacked(Features::Kp, 512, 8, 64),
        Architecture::stacked(Features::Kp, 512, 16, 32),
        Architecture::stacked(Features::MIRRORED, 512, 15, 32),
        Architecture::stacked(Features::MIRRORED, 256, 15, 32),
    ] {
        for isa in Isa::available() {
            let network = Arc::new(Network::with_isa(Parameters::random(&shape, 5), isa));
            let mut evaluation = NnueEvaluation::new(network, 16);
            for seed in 0..4 {
                wander(&mut evaluation, &mut Random(seed), 30);
            }
        }
    }
}

#[test]
fn the_public_network() {
    let Some(loaded) = suisho_petite() else { return };
    for isa in Isa::available() {
        let network = Network::with_isa(loaded.parameters.clone(), isa);
        let mut evaluation = NnueEvaluation::new(Arc::new(network), 24);
        evaluation.refresh(&Position::startpos());
        assert_eq!(evaluation.value(&Position::startpos()), 26);
        for seed in 0..30 {
            wander(&mut evaluation, &mut Random(seed), 80);
        }
    }
}

#[test]
fn long_lines_and_clones() {
    let shape = Architecture::classic(Features::HalfKp, 32, 8, 8);
    let mut evaluation = NnueEvaluation::new(Arc::new(Network::new(Parameters::random(&shape, 2))), 16);
    let mut position = Position::startpos();
    evaluation.refresh(&position);
    let mut random = Random(9);
    for ply in 0..400 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mut changes = Vec::new();
        position.do_move_observed(moves[random.below(moves.len())], |change| changes.push(change));
        evaluation.push(&changes);
        if ply % 50 == 49 {
            let mut clone = evaluation.clone();
            assert_eq!(clone.value(&position), evaluation.value(&position));
        }
    }
}

/// Every square of the king counts, or some zones, or one.
static HALF_KAS: LazyLock<[Arc<Network>; 4]> = LazyLock::new(|| {
    let zones = Features::HalfKaHm2Zones;
    let sets =
        [Features::HalfKaHm2, zones(KingZones::NINE.upright()), zones(KingZones::NINE), Features::MIRRORED];
    sets.map(|features| {
        let shape = Architecture::stacked(features, 64, 7, 16);
        Arc::new(Network::new(Parameters::random(&shape, 3)))
    })
});

/// Both kings walk about among a few pieces, over the middle and back.
#[test]
fn kings_on_the_move() {
    for network in HALF_KAS.iter() {
        let mut evaluation = NnueEvaluation::new(Arc::clone(network), 16);
        let mut random = Random(4);
        for sfen in ["4k4/3p5/9/6r2/9/2P6/9/5P3/4K4 b Pg 1", "9/3k5/9/9/9/9/9/5K3/9 w - 1"] {
            let mut position = Position::from_sfen(sfen).unwrap();
            evaluation.refresh(&position);
            let mut changes = Vec::new();
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                changes.clear();
                position.do_move_observed(moves[random.below(moves.len())], |change| changes.push(change));
                evaluation.push(&changes);
                if random.below(4) > 0 {
                    let expected = network.parameters().evaluate(&position);
                    assert_eq!(evaluation.raw_value(&position), expected, "{}", position.sfen());
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn wherever_a_search_goes(seed: u64, steps in 1..150_usize) {
        let network = &HALF_KAS[seed as usize % HALF_KAS.len()];
        let mut evaluation = NnueEvaluation::new(Arc::clone(network), 16);
        wander(&mut evaluation, &mut Random(seed), steps);
    }

    #[test]
    fn mirrored_and_turned_positions_are_worth_the_same(seed: u64) {
        for position in support::positions(seed, 20, 80) {
            for network in HALF_KAS.iter().filter(|network| network.architecture().features.lean()) {
                let value = |position: &Position| network.parameters().evaluate(position);
                for other in [position.mirror(), position.flip(), position.flip().mirror()] {
                    prop_assert_eq!(value(&other), value(&position), "{}", position.sfen());
                }
            }
        }
    }
}
