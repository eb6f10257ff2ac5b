//! The book that is compiled in (`books/README.md`).

use crate::{BookError, Ybb};
use std::path::Path;

static BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/book.ybb"));

/// Whether this build has a book.
#[must_use]
pub const fn has_embedded_book() -> bool {
    !BYTES.is_empty()
}

/// The compiled-in book, if there is one.
#[must_use]
pub fn embedded_book() -> Option<Result<Ybb, BookError>> {
    has_embedded_book().then(|| Ybb::from_static(BYTES, Path::new("embedded book")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_in_can_be_used() {
        match embedded_book() {
            None => assert!(!has_embedded_book()),
            Some(book) => {
                let book = book.unwrap();
                assert!(!book.is_empty() && book.first_unsorted().is_none());
            }
        }
    }
}
