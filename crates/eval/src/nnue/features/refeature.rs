//! Converts a network to other features without changing its values.

use crate::BonaPiece;
use crate::nnue::{Architecture, Features, Parameters};

/// Why a network cannot be converted to other features.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FeaturesError {
    /// A difference that weights cannot express.
    #[error("{from} cannot become {to}: {reason}")]
    Kind {
        /// What there is.
        from: String,
        /// The features to have.
        to: String,
        /// Why not.
        reason: &'static str,
    },
    /// The target distinguishes too little.
    #[error(
        "{from} cannot become {to}: {rows} of its {all} features would need more than one row of weights, \
         so values would change"
    )]
    NotExact {
        /// What there is.
        from: String,
        /// The features to have.
        to: String,
        /// Features that would need several rows.
        rows: usize,
        /// All of them.
        all: usize,
    },
}

impl Parameters {
    /// The same network with other features: each row is copied from the feature that a piece had before, so every
    /// position keeps its value. Fails if features of different weights would have to share a row.
    ///
    /// # Panics
    /// If there is no memory for it.
    ///
    /// ```
    /// use eval::nnue::{Architecture, Features, Parameters};
    /// let small = Parameters::random(&Architecture::stacked(Features::MIRRORED, 16, 7, 8), 1).upright();
    /// let large = small.with_features(Features::HalfKaHm2)?;
    /// let position = shogi::Position::startpos();
    /// assert_eq!(large.evaluate(&position), small.evaluate(&position));
    /// let error = small.with_features(Features::Kp).unwrap_err();
    /// assert!(error.to_string().ends_with("so values would change"), "{error}");
    /// # Ok::<(), eval::nnue::FeaturesError>(())
    /// ```
    pub fn with_features(&self, features: Features) -> Result<Self, FeaturesError> {
        let from = self.shape.features;
        let names = || (from.name().into_owned(), features.name().into_owned());
        let kind = |reason| {
            let (from, to) = names();
            FeaturesError::Kind { from, to, reason }
        };
        if from == features {
            return Ok(self.clone());
        }
        if from.lean() != features.lean() {
            return Err(kind("only one of them mirrors boards with a king on the middle file"));
        }
        if from.include_kings() != features.include_kings() {
            return Err(kind("only one of them has the kings among its pieces"));
        }
        for other in [from, features] {
            if other == Features::Ka2 {
                return Err(kind("kings have two features in K+A2"));
            }
            if other.depend_on_attacks() {
                return Err(kind("attacks count in HalfKPE9"));
            }
        }
        let shape = Architecture { features, ..self.shape };
        let transformer = &self.transformer;
        let mut sources: Vec<Option<usize>> = vec![None; features.dimensions()];
        let mut unlike = vec![false; features.dimensions()];
        let pieces = (0..BonaPiece::COUNT).filter_map(BonaPiece::from_index);
        for piece in pieces.filter(|piece| features.include_kings() || !piece.is_king()) {
            for king in 0..81 {
                let (source, target) = (from.index(king, piece), features.index(king, piece));
                let known = *sources[target].get_or_insert(source);
                unlike[target] |= known != source && transformer.row(known) != transformer.row(source);
            }
        }
        let rows = unlike.iter().filter(|unlike| **unlike).count();
        if rows > 0 {
            let (from, to) = names();
            return Err(FeaturesError::NotExact { from, to, rows, all: features.dimensions() });
        }
        Ok(Self {
            shape,
            transformer: transformer.with_rows(&sources),
            progress: self.progress.clone(),
            stacks: self.stacks.clone(),
            facts: self.facts.clone(),
        })
    }

    /// The same weights, but boards are not mirrored for a king on the middle file, as in other engines. If the
    /// features lean ([`KingZones::leans`](crate::nnue::KingZones::leans)), positions that lean left with a king there
    /// get other values.
    #[must_use]
    pub fn upright(mut self) -> Self {
        if let Features::HalfKaHm2Zones(zones) = &mut self.shape.features {
            *zones = zones.upright();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{KingZones, Network};
    use shogi::Position;

    const SFENS: [&str; 4] = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 1",
        "9/9/4k4/9/4S4/9/9/9/9 b R2GS3NL8P 1",
    ];

    fn values(parameters: &Parameters) -> [i32; 4] {
        SFENS.map(|sfen| parameters.evaluate(&Position::from_sfen(sfen).unwrap()))
    }

    #[test]
    fn finer_features_value_everything_the_same() {
        let [one, nine] =
            [KingZones::ONE, KingZones::NINE].map(|zones| Features::HalfKaHm2Zones(zones.upright()));
        for (from, to) in [
            (one, Features::HalfKaHm2),
            (nine, Features::HalfKaHm2),
            (nine, Features::HalfKaHm1),
            (one, Features::HalfKa1),
            (Features::MIRRORED, Features::HalfKaHm2Zones(KingZones::NINE)),
            (Features::Kp, Features::HalfKa1),
            (Features::HalfKpVm, Features::HalfKp),
        ] {
            let mut parameters = Parameters::random(&Architecture::stacked(from, 16, 7, 8), 2);
            parameters.facts_mut().set("parent", "none");
            let changed = parameters.with_features(to).unwrap();
            assert_eq!(changed.architecture().features, to);
            assert_eq!(values(&changed), values(&parameters), "{from:?} {to:?}");
            assert_eq!(changed.facts(), parameters.facts());
            // Networks prepared for evaluation have their columns in another order.
            let ready = Network::new(parameters);
            assert_eq!(values(&ready.parameters().with_features(to).unwrap()), values(&changed));
        }
    }

    #[test]
    fn coarser_features_are_refused_unless_nothing_is_lost() {
        let parameters = Parameters::random(&Architecture::classic(Features::MIRRORED, 16, 8, 8), 2);
        let error = parameters.with_features(Features::HalfKaHm2).unwrap_err().to_string();
        assert!(error.ends_with("only one of them mirrors boards with a king on the middle file"), "{error}");
        let parameters = parameters.upright();
        let error = parameters.with_features(Features::Kp).unwrap_err().to_string();
        let rows = "1440 of its 1710 features would need more than one row of weights";
        assert!(error.contains(&format!("cannot become K+P: {rows}")), "{error}");
        // There and back again.
        let large = parameters.with_features(Features::HalfKaHm2).unwrap();
        let small = large.with_features(parameters.architecture().features).unwrap();
        assert_eq!(small.layers(), parameters.layers());
        // A network that does not distinguish left and right needs no mirroring.
        let mut layers = parameters.layers();
        for index in 0..BonaPiece::ENEMY_KING {
            let mirrored = BonaPiece::from_index(index).unwrap().mirror().index();
            if mirrored > index {
                layers.weights.copy_within(16 * index..16 * (index + 1), 16 * mirrored);
            }
        }
        let even = Parameters::from_layers(parameters.architecture(), &layers).unwrap();
        assert_eq!(values(&even.with_features(Features::Kp).unwrap()), values(&even));
    }

    #[test]
    fn kinds_that_do_not_match() {
        let refused = |from, to| {
            let parameters = Parameters::zeroed(&Architecture::classic(from, 8, 8, 8));
            parameters.with_features(to).unwrap_err().to_string()
        };
        let kings = "cannot become HalfKP(Friend): only one of them has the kings among its pieces";
        assert!(refused(Features::Kp, Features::HalfKp).ends_with(kings));
        assert!(refused(Features::Kp, Features::Ka2).ends_with("kings have two features in K+A2"));
        assert!(refused(Features::HalfKp, Features::HalfKpE9).ends_with("attacks count in HalfKPE9"));
    }
}
