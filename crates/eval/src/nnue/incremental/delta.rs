//! The changes of the first layer by a move.

/// A move adds at most this many features, and removes at most as many: those of the moved and of the captured piece,
/// two for a king.
const MOST: usize = 4;

/// A few features of each player.
#[derive(Clone, Copy, Debug)]
pub(in crate::nnue) struct FewFeatures {
    features: [[u32; MOST]; 2],
    /// Number of features of each player; more than the capacity if a move changes too much.
    count: usize,
}

impl FewFeatures {
    const NONE: Self = Self { features: [[0; MOST]; 2], count: 0 };

    #[inline]
    pub(in crate::nnue) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a feature of each player.
    #[inline]
    pub(in crate::nnue) fn push(&mut self, features: [u32; 2]) {
        let place = self.count % MOST;
        self.features[0][place] = features[0];
        self.features[1][place] = features[1];
        self.count += 1;
    }

    /// The features of one player (0 or 1).
    #[inline]
    pub(in crate::nnue) fn of(&self, player: usize) -> &[u32] {
        &self.features[player][..self.count.min(MOST)]
    }
}

/// Features that a move switches on and off.
#[derive(Clone, Copy, Debug)]
pub(in crate::nnue) struct Delta {
    pub(in crate::nnue) added: FewFeatures,
    pub(in crate::nnue) removed: FewFeatures,
}

impl Delta {
    pub(in crate::nnue) const NONE: Self = Self { added: FewFeatures::NONE, removed: FewFeatures::NONE };

    /// Whether the capacity was exceeded.
    #[inline]
    pub(in crate::nnue) fn is_overfull(&self) -> bool {
        self.added.count.max(self.removed.count) > MOST
    }
}
