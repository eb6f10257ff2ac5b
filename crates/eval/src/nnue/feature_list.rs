//! Short lists of features, without allocation.

/// More features than any position has.
const MOST: usize = 128;

#[derive(Clone, Debug)]
pub(super) struct FeatureList {
    features: [u32; MOST],
    count: usize,
}

impl FeatureList {
    #[inline]
    pub(super) const fn new() -> Self {
        Self { features: [0; MOST], count: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, feature: usize) {
        self.features[self.count] = feature as u32;
        self.count += 1;
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[u32] {
        &self.features[..self.count]
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }
}
