//! Large pieces of memory that fill slowly.

use memmap2::MmapMut;

/// Zeros to be written over. Where the system can, they come in large pages: asking for small ones, a hundred thousand
/// times, takes longer than filling them.
pub(crate) enum Slab {
    Mapped(MmapMut),
    Owned(Vec<u8>),
}

impl Slab {
    pub(crate) fn new(size: usize) -> Self {
        map_large(size).map_or_else(|| Self::Owned(vec![0; size]), Self::Mapped)
    }
}

/// Fresh memory, in large pages where the system can; `None` if there is none.
pub(crate) fn map_large(size: usize) -> Option<MmapMut> {
    let map = MmapMut::map_anon(size).ok()?;
    // It is but a wish.
    #[cfg(target_os = "linux")]
    map.advise(memmap2::Advice::HugePage).ok();
    Some(map)
}

impl std::ops::Deref for Slab {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

impl std::ops::DerefMut for Slab {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}
