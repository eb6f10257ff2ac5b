//! Short lists of features, without allocation.

/// More features than any position has.
const MOST: usize = 128;

#[derive(Clone, Debug)]
pub(in crate::nnue) struct FeatureList {
    features: [u32; MOST],
    count: usize,
}

impl FeatureList {
    #[inline]
    pub(in crate::nnue) const fn new() -> Self {
        Self { features: [0; MOST], count: 0 }
    }

    #[inline]
    pub(in crate::nnue) fn push(&mut self, feature: usize) {
        self.features[self.count] = feature as u32;
        self.count += 1;
    }

    #[inline]
    pub(in crate::nnue) fn as_slice(&self) -> &[u32] {
        &self.features[..self.count]
    }

    #[inline]
    pub(in crate::nnue) fn clear(&mut self) {
        self.count = 0;
    }
}
