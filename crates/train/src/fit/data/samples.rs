//! Training data as lists of features: filtered, with the held-out games apart.

use crate::corpus::Corpus;
use crate::game::points;
use crate::tensors::Filter;
use eval::nnue::Architecture;
use rayon::prelude::*;
use shogi::{Position, TeacherRecord};

/// Positions as lists of features, with their labels.
#[derive(Clone, Debug)]
pub struct Samples {
    /// Features of each player at a time.
    active: usize,
    /// For each position the features that the side to move sees and those that the other side sees, each less the
    /// smallest one.
    features: Vec<u16>,
    labels: Vec<Label>,
}

/// What is known about a position.
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
    /// A label of no position in particular.
    #[cfg(test)]
    pub(in crate::fit) fn new(score: i16, result: f32) -> Self {
        Self { first: [0; 2], stack: 0, score, result }
    }

    /// Whether the game has a winner.
    #[inline]
    pub(in crate::fit) fn is_decided(&self) -> bool {
        (self.result - 0.5).abs() > 0.25
    }

    /// The smallest feature of a player, 0 for the side to move.
    pub(in crate::fit) fn first(&self, player: usize) -> u32 {
        self.first[player]
    }
}

/// Why a shape cannot be trained on samples.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SamplesError {
    /// Features too far apart.
    #[error("features {0} are not trained here: those of a position are too far apart")]
    Features(String),
    /// Too many stacks.
    #[error("{0} layer stacks are too many to train; at most {most} can be", most = Samples::MOST_STACKS)]
    Stacks(usize),
    /// A position is none.
    #[error("a record of the training data has no position: {reason}; `tsumugi train check` tells where")]
    Position {
        /// What is wrong with it.
        reason: String,
    },
}

/// Records that are unpacked together.
const PORTION: usize = 4096;

impl Samples {
    /// More layer stacks are not trained.
    pub const MOST_STACKS: usize = 1024;

    /// The positions of games that pass a filter, those of one game in `held_out` (0 for none) apart.
    pub fn split(
        corpus: &Corpus,
        shape: &Architecture,
        filter: Filter,
        held_out: usize,
    ) -> Result<(Self, Self), SamplesError> {
        let (training, apart) = corpus.split(held_out);
        Ok((Self::new(&training, shape, filter)?, Self::new(&apart, shape, filter)?))
    }

    fn new(records: &[&TeacherRecord], shape: &Architecture, filter: Filter) -> Result<Self, SamplesError> {
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
        record: &TeacherRecord,
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

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Features of each player at a time.
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

    /// A number that tells sets of positions apart.
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

    /// Bytes that they take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        2 * self.features.len() + size_of::<Label>() * self.labels.len()
    }
}

/// Features of each player at a time: always as many as in the position that everyone knows.
fn active(shape: &Architecture) -> usize {
    let position = Position::startpos();
    let mut count = 0;
    shape.features.for_each_active(&position, position.side(), |_| count += 1);
    count
}
