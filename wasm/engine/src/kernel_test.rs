//! `test kernels`: evaluations by each instruction set that this module was built with, against the network's definition.

use eval::nnue::{Architecture, Features, Isa, Network, NnueEvaluation, Parameters, scale};
use game::Evaluation;
use platform::Random;
use shogi::Position;
use std::sync::Arc;

const GAMES: u64 = 4;
const PLIES: usize = 60;

/// Plays random games with networks of random weights; says how many positions agreed.
pub fn test_kernels(say: &mut dyn FnMut(&str)) -> Result<(), String> {
    for shape in [
        Architecture::classic(Features::Kp, 32, 32, 32),
        Architecture::classic(Features::Kp, 256, 32, 32),
        Architecture::classic(Features::Kp, 512, 16, 32),
        Architecture::classic(Features::Kp, 512, 8, 96),
        Architecture::classic(Features::Kp, 40, 5, 7),
        Architecture::classic(Features::Ka2, 1024, 8, 64),
        Architecture::stacked(Features::Kp, 256, 15, 32),
        Architecture::stacked(Features::Kp, 512, 8, 64),
        Architecture::stacked(Features::MIRRORED, 256, 15, 32),
    ] {
        let parameters = Parameters::random(&shape, 11);
        for isa in Isa::available() {
            let positions = test_network(&parameters, isa)?;
            say(&format!("{shape} {isa}: {positions} positions agree"));
        }
    }
    Ok(())
}

fn test_network(parameters: &Parameters, isa: Isa) -> Result<usize, String> {
    const FV_SCALE: i32 = 16;
    let network = Arc::new(Network::with_isa(parameters.clone(), isa));
    let mut evaluation = NnueEvaluation::new(network, FV_SCALE);
    let mut positions = 0;
    for seed in 0..GAMES {
        let mut random = Random::new(seed);
        let mut position = Position::startpos();
        evaluation.refresh(&position);
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mut changes = Vec::new();
            position.do_move_observed(moves[random.below(moves.len())], |change| changes.push(change));
            evaluation.push(&changes);
            let expected = scale(parameters.evaluate(&position), FV_SCALE);
            let found = evaluation.value(&position);
            if found != expected {
                return Err(format!("{isa}: {found} instead of {expected} in {}", position.sfen()));
            }
            positions += 1;
        }
    }
    Ok(positions)
}
