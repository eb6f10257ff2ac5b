//! Zeroed pages by an anonymous map.

use memmap2::MmapMut;
use std::io;
use std::ops::{Deref, DerefMut};

pub(super) struct Pages {
    memory: MmapMut,
    large: bool,
}

impl Pages {
    /// Allocates at least one byte. Large pages are best effort: without them memory is only slower.
    pub(super) fn new(bytes: usize, large: bool) -> io::Result<Self> {
        let memory = MmapMut::map_anon(bytes)?;
        #[cfg(target_os = "linux")]
        let large = large && memory.advise(memmap2::Advice::HugePage).is_ok();
        #[cfg(not(target_os = "linux"))]
        let large = false & large;
        Ok(Self { memory, large })
    }

    pub(super) const fn are_large(&self) -> bool {
        self.large
    }

    pub(super) fn populate(&self) {
        #[cfg(target_os = "linux")]
        self.memory.advise(memmap2::Advice::PopulateWrite).ok();
    }
}

impl Deref for Pages {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.memory
    }
}

impl DerefMut for Pages {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.memory
    }
}
