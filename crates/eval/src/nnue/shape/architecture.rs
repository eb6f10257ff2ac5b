//! The architecture of a network, its hashes and sizes.

use crate::nnue::{Features, HandBuckets, KingBuckets};
use shogi::Position;

/// The architecture of a network, as described in the header of its file.
///
/// ```
/// use eval::nnue::{Architecture, Features};
/// let header = "Features=K+P[1710->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](\
///     AffineTransform[32<-32](ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))";
/// let shape: Architecture = header.parse()?;
/// assert_eq!(shape, Architecture::classic(Features::Kp, 256, 32, 32));
/// assert_eq!(shape.to_string(), header);
/// # Ok::<(), eval::nnue::ArchitectureError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Architecture {
    /// The inputs.
    pub features: Features,
    /// Outputs of the first layer for each player.
    pub width: usize,
    /// Neurons of the first hidden layer, a shortcut output not counted.
    pub hidden1: usize,
    /// Neurons of the second hidden layer.
    pub hidden2: usize,
    /// The layers after the first.
    pub model: Model,
}

/// The kind of layers after the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Model {
    /// One network of clipped layers; files hold plain numbers.
    Classic,
    /// SFNN: products of halves, squared activations, one network per bucket; files are compressed.
    Stacked(Stacks),
}

/// The layer stacks of an SFNN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stacks {
    /// Buckets by hands.
    pub hands: HandBuckets,
    /// Buckets by kings.
    pub kings: KingBuckets,
    /// Buckets by progress of the game; 1 for none.
    pub progress: usize,
    /// Set if the first hidden layer does not see all inputs.
    pub shards: Option<Shards>,
}

/// The inputs of an SFNN's first hidden layer: all neurons see the first `common` ones, and each of `groups` groups of
/// neurons sees its own further `shard` ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "see above")]
pub struct Shards {
    pub common: usize,
    pub shard: usize,
    pub groups: usize,
}

/// Larger numbers in a header are refused.
pub(crate) const MOST_NEURONS: usize = 1 << 14;

const STACKED_HASH: u32 = 0x3C20_3B32;
const STACKED_TRANSFORMER_HASH: u32 = 0x5F13_4AB8;
const STACK_HASH: u32 = 0x6333_718A;
pub(crate) const PROGRESS_HASH: u32 = 0x6F50_524F;

impl Architecture {
    /// A classic network: `features` → 2 × `width` → `hidden1` → `hidden2` → 1.
    #[must_use]
    pub const fn classic(features: Features, width: usize, hidden1: usize, hidden2: usize) -> Self {
        Self { features, width, hidden1, hidden2, model: Model::Classic }
    }

    /// An SFNN with layer stacks by the thirds of the board in which the kings are.
    #[must_use]
    pub const fn stacked(features: Features, width: usize, hidden1: usize, hidden2: usize) -> Self {
        let stacks = Stacks { hands: HandBuckets::None, kings: KingBuckets::K3K3, progress: 1, shards: None };
        Self { features, width, hidden1, hidden2, model: Model::Stacked(stacks) }
    }

    /// The common SFNN: `HalfKA_hm2` 1536-15-32, `k3k3`.
    pub const SFNN1536: Self = Self::stacked(Features::HalfKaHm2, 1536, 15, 32);

    /// Number of layer stacks.
    #[must_use]
    pub const fn stack_count(&self) -> usize {
        match self.model {
            Model::Classic => 1,
            Model::Stacked(Stacks { hands, kings, progress, .. }) => {
                hands.per_player().pow(2) * kings.per_player().pow(2) * progress
            }
        }
    }

    /// The layer stack of a position by its hands and kings, before steps of progress are distinguished.
    #[must_use]
    pub fn stack_of(&self, position: &Position) -> usize {
        match self.model {
            Model::Classic => 0,
            Model::Stacked(Stacks { hands, kings, .. }) => {
                hands.bucket(position) * kings.per_player().pow(2) + kings.bucket(position)
            }
        }
    }

    /// Whether the file has a table of progress.
    #[must_use]
    pub const fn has_progress(&self) -> bool {
        matches!(self.model, Model::Stacked(Stacks { progress: 2.., .. }))
    }

    /// Whether an output of the first hidden layer is added directly to the result.
    #[must_use]
    pub const fn has_shortcut(&self) -> bool {
        matches!(self.model, Model::Stacked(_)) && self.hidden1 % 8 == 7
    }

    /// Inputs and outputs of the three layers after the first.
    #[must_use]
    pub const fn layers(&self) -> [(usize, usize); 3] {
        let outputs = self.hidden1 + self.has_shortcut() as usize;
        match self.model {
            Model::Classic => [(2 * self.width, outputs), (self.hidden1, self.hidden2), (self.hidden2, 1)],
            Model::Stacked(_) => [(self.width, outputs), (2 * self.hidden1, self.hidden2), (self.hidden2, 1)],
        }
    }

    /// Factor of the first layer's numbers in a file: an SFNN sums twice what its file contains.
    pub(crate) const fn file_scale(&self) -> i16 {
        match self.model {
            Model::Classic => 1,
            Model::Stacked(_) => 2,
        }
    }

    /// Hash of the first layer.
    #[must_use]
    pub const fn transformer_hash(&self) -> u32 {
        match self.model {
            Model::Classic => self.features.hash() ^ (2 * self.width as u32),
            Model::Stacked(_) => STACKED_TRANSFORMER_HASH,
        }
    }

    /// Hash of one layer stack.
    #[must_use]
    pub const fn network_hash(&self) -> u32 {
        const fn affine(before: u32, outputs: usize) -> u32 {
            0xCC03_DAE4_u32.wrapping_add(outputs as u32) ^ (before >> 1) ^ (before << 31)
        }
        const fn clipped(before: u32) -> u32 {
            0x538D_24C7_u32.wrapping_add(before)
        }
        match self.model {
            Model::Stacked(_) => STACK_HASH,
            Model::Classic => {
                let input = 0xEC42_E90D ^ (2 * self.width as u32);
                let first = clipped(affine(input, self.hidden1));
                affine(clipped(affine(first, self.hidden2)), 1)
            }
        }
    }

    /// Hash of the whole.
    #[must_use]
    pub const fn hash(&self) -> u32 {
        match self.model {
            Model::Classic => self.transformer_hash() ^ self.network_hash(),
            Model::Stacked(_) if self.has_progress() => STACKED_HASH ^ PROGRESS_HASH,
            Model::Stacked(_) => STACKED_HASH,
        }
    }

    /// An architecture with this hash, for files whose header does not describe it. Only common ones are tried.
    #[must_use]
    pub fn from_hash(hash: u32) -> Option<Self> {
        const SIZES: [(usize, usize, usize); 7] = [
            (256, 32, 32),
            (512, 16, 32),
            (512, 8, 96),
            (512, 8, 64),
            (768, 16, 64),
            (1024, 8, 32),
            (1024, 8, 64),
        ];
        let classic = Features::ALL.into_iter().flat_map(|features| {
            SIZES.map(|(width, hidden1, hidden2)| Self::classic(features, width, hidden1, hidden2))
        });
        std::iter::once(Self::SFNN1536).chain(classic).find(|shape| shape.hash() == hash)
    }

    /// Bytes of the parameters that are stored plainly and number of those that are compressed, hashes
    /// included, header not.
    pub(crate) fn parameter_bytes(&self) -> (u64, u64) {
        let transformer = (self.features.dimensions() as u64 + 1) * self.width as u64;
        let affine = |(inputs, outputs): (usize, usize)| {
            let row = inputs.next_multiple_of(32) as u64;
            outputs as u64 * (4 + row)
        };
        let stack = 4 + self.layers().map(affine).iter().sum::<u64>();
        let stacks = 4 + stack * self.stack_count() as u64;
        match self.model {
            Model::Classic => (stacks + 2 * transformer, 0),
            Model::Stacked(_) => {
                let progress = if self.has_progress() { 8 + 4 * 81 * 1548 } else { 0 };
                (stacks + progress, transformer)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_the_documents() {
        let size = |shape: Architecture| shape.parameter_bytes().0 + 12 + shape.to_string().len() as u64;
        assert_eq!(size(Architecture::classic(Features::Kp, 256, 32, 32)), 893_917);
        assert_eq!(size(Architecture::classic(Features::HalfKp, 256, 32, 32)), 64_217_066);
    }

    #[test]
    fn common_shapes_are_known_by_their_hash() {
        // HalfKPE9 has the hash of HalfKP, which is far more common.
        let half_kp = Architecture::classic(Features::HalfKp, 256, 32, 32);
        assert_eq!(half_kp.hash(), 0x3E5A_A6EE);
        assert_eq!(Architecture::from_hash(half_kp.hash()), Some(half_kp));
        assert_eq!(Architecture::from_hash(0x3C20_3B32), Some(Architecture::SFNN1536));
        assert_eq!(Architecture::from_hash(0), None);
    }
}
