//! Estimates the divisor of a network's values (`FV_SCALE`).

use crate::nnue::Parameters;
use crate::nnue::network::activity::POSITIONS;
use crate::{Material, MaterialLevel};
use game::Evaluation;

impl Parameters {
    /// An estimate of `FV_SCALE`: with it, values grow on average like piece values in positions of random play where
    /// one side is ahead in material. `None` if they do not grow.
    #[must_use]
    pub fn estimated_fv_scale(&self) -> Option<i32> {
        let mut material = Material::new(MaterialLevel::Pieces);
        let (mut products, mut squares) = (0.0, 0.0);
        for position in POSITIONS.iter() {
            let pieces = f64::from(material.value(position));
            products += pieces * f64::from(self.evaluate(position));
            squares += pieces * pieces;
        }
        let scale = products / squares;
        (scale >= 0.5).then(|| scale.round() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BonaPiece;
    use crate::nnue::{Architecture, Features, Layers};

    /// Networks that count pieces on the board, the second one half of what the first does.
    #[test]
    fn larger_values_have_a_larger_scale() {
        let shape = Architecture::classic(Features::Kp, 2, 2, 1);
        assert_eq!(Parameters::zeroed(&shape).estimated_fv_scale(), None);
        let mut layers = Layers::zeroed(&shape);
        // Own and enemy's pieces take turns, 81 numbers each.
        for piece in 90..BonaPiece::KING {
            let balance = if (piece - 90) / 81 % 2 == 0 { 16 } else { -16 };
            layers.weights[2 * piece..][..2].copy_from_slice(&[balance, -balance]);
        }
        let [first, second, last] = &mut layers.stacks[0];
        first.weights.copy_from_slice(&[64, 0, 0, 0, 0, 64, 0, 0]);
        second.bias[0] = 64 * 64;
        second.weights.copy_from_slice(&[64, -64]);
        (last.weights[0], last.bias[0]) = (120, -64 * 120);
        let scale = Parameters::from_layers(&shape, &layers).unwrap().estimated_fv_scale();
        (layers.stacks[0][2].weights[0], layers.stacks[0][2].bias[0]) = (60, -64 * 60);
        let half = Parameters::from_layers(&shape, &layers).unwrap().estimated_fv_scale();
        assert!(scale > half && half.is_some(), "{scale:?} {half:?}");
    }
}
