//! Games by their headers.

use super::GameFilter;
use crate::{GameInfo, Library};

impl Library {
    /// The games that pass, in the order in which they were added.
    pub fn list<'a>(&'a self, filter: &'a GameFilter) -> impl Iterator<Item = GameInfo> + use<'a> {
        self.views().filter(|view| filter.passes(view)).map(|view| GameInfo::new(self, &view))
    }
}
