//! Training data as lists of features, filtered, with held-out games split off.

use crate::corpus::Corpus;
use crate::game::points;
use crate::tensors::Filter;
use eval::nnue::Architecture;
use rayon::prelude::*;
use shogi::{PackedSfenValue, Position};

/// Positions as lists of features, with their labels.
#[derive(Clone, Debug)]
pub struct Samples {
    /// Number of active features of each player.
    active: usize,
    /// For each position the features of the side to move and those of the other side, relative to the smallest one.
    features: Vec<u16>,
    labels: Vec<Label>,
}

/// The label of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::fit) struct Label {
    /// The smallest feature of each player.
    first: [u32; 2],
    pub(in crate::fit) stack: u16,
    pub(in crate::fit) score: i16,
    /// 0, ½ or 1.
    pub(in crate::fit) result: f32,
}

impl Label {
    /// A label for tests.
    #[cfg(test)]
    pub(in crate::fit) fn new(score: i16, result: f32) -> Self {
        Self { first: [0; 2], stack: 0, score, result }
    }

    /// Whether the game was won or lost.
    #[inline]
    pub(in crate::fit) fn is_decided(&self) -> bool {
        (self.result - 0.5).abs() > 0.25
    }

    /// The smallest feature of a player, 0 for the side to move.
    pub(in crate::fit) fn first(&self, player: usize) -> u32 {
        self.first[player]
    }
}

/// Why samples cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SamplesError {
    /// The features are too far apart.
    #[error("features {0} cannot be trained: those of a position are too far apart")]
    Features(String),
    /// Too many stacks.
    #[error("{0} layer stacks are too many to train; at most {most} can be", most = Samples::MOST_STACKS)]
    Stacks(usize),
    /// An invalid position.
    #[error("a record of the training data has no position: {reason}; `tsumugi train check` reports where")]
    Position {
        /// Why.
        reason: String,
    },
}

/// Number of records unpacked together.
const PORTION: usize = 4096;

impl Samples {
    /// Limit of layer stacks in training.
    pub const MOST_STACKS: usize = 1024;

    /// The positions that pass a filter, with one of every `held_out` games (0 for none) split off.
    pub fn split(
        corpus: &Corpus,
        shape: &Architecture,
        filter: Filter,
        held_out: usize,
    ) -> Result<(Self, Self), SamplesError> {
        let (training, apart) = corpus.split(held_out);
        Ok((Self::new(&training, shape, filter)?, Self::new(&apart, shape, filter)?))
    }

    fn new(records: &[&PackedSfenValue], shape: &Architecture, filter: Filter) -> Result<Self, SamplesError> {
        if shape.features.depend_on_attacks() {
            return Err(SamplesError::Features(shape.features.name().into_owned()));
        }
        if shape.stack_count() > Self::MOST_STACKS {
            return Err(SamplesError::Stacks(shape.stack_count()));
        }
        let empty = Self { active: active(shape), features: Vec::new(), labels: Vec::new() };
        let portions: Vec<Self> = records
            .par_chunks(PORTION)
            .map(|records| {
                let mut samples = empty.clone();
                for record in records {
                    samples.push(record, shape, filter)?;
                }
                Ok(samples)
            })
            .collect::<Result<_, _>>()?;
        let count = portions.iter().map(Self::len).sum();
        let mut samples = empty;
        samples.features.reserve_exact(2 * samples.active * count);
        samples.labels.reserve_exact(count);
        for portion in portions {
            samples.features.extend(portion.features);
            samples.labels.extend(portion.labels);
        }
        Ok(samples)
    }

    fn push(
        &mut self,
        record: &PackedSfenValue,
        shape: &Architecture,
        filter: Filter,
    ) -> Result<(), SamplesError> {
        let bad = |reason: String| SamplesError::Position { reason };
        let setup = record.setup().map_err(|error| bad(error.to_string()))?;
        let position = Position::with_room(&setup, 0).map_err(|error| bad(error.to_string()))?;
        if !filter.passes(record, &position) {
            return Ok(());
        }
        let us = position.side();
        let mut first = [0; 2];
        for (view, first) in [us, !us].into_iter().zip(&mut first) {
            let mut list = Vec::with_capacity(self.active);
            shape.features.for_each_active(&position, view, |feature| list.push(feature as u32));
            *first = list.iter().min().copied().unwrap_or_default();
            if list.len() != self.active {
                return Err(bad(format!("{} features instead of {}", list.len(), self.active)));
            }
            for feature in list {
                let offset = u16::try_from(feature - *first)
                    .map_err(|_| SamplesError::Features(shape.features.name().into_owned()))?;
                self.features.push(offset);
            }
        }
        self.labels.push(Label {
            first,
            stack: shape.stack_of(&position) as u16,
            score: record.score,
            result: points(record.result),
        });
        Ok(())
    }

    /// Number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Number of active features of each player.
    pub(in crate::fit) fn active(&self) -> usize {
        self.active
    }

    pub(in crate::fit) fn label(&self, index: usize) -> &Label {
        &self.labels[index]
    }

    /// The features of both players.
    pub(in crate::fit) fn features(&self, index: usize) -> impl Iterator<Item = u32> + '_ {
        let features = &self.features[2 * self.active * index..][..2 * self.active];
        let [us, them] = self.labels[index].first;
        let (ours, theirs) = features.split_at(self.active);
        let ours = ours.iter().map(move |feature| us + u32::from(*feature));
        ours.chain(theirs.iter().map(move |feature| them + u32::from(*feature)))
    }

    /// A hash that identifies the set of positions.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mix =
            |hash: u64, number: u64| (hash ^ number).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23);
        let labels = self.labels.iter().map(|label| {
            u64::from(label.first[0]) << 32 | u64::from(label.score as u16) << 8 | (2.0 * label.result) as u64
        });
        let features = self.features.iter().step_by(7).map(|feature| u64::from(*feature));
        labels.chain(features).fold(0xCBF2_9CE4_8422_2325, mix)
    }

    /// Memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        2 * self.features.len() + size_of::<Label>() * self.labels.len()
    }
}

/// Number of active features of each player, which is the same in all positions: that of the start position.
fn active(shape: &Architecture) -> usize {
    let position = Position::startpos();
    let mut count = 0;
    shape.features.for_each_active(&position, position.side(), |_| count += 1);
    count
}
