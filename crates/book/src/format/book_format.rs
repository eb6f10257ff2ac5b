//! The formats of books.

use crate::error::BookError;
use std::path::Path;

/// The formats of books, by file extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BookFormat {
    /// `.db`, text.
    Db,
    /// `.ybb`, binary.
    Ybb,
    /// `.bin`, Apery's.
    Apery,
    /// `.sbk`, ShogiGUI's.
    Sbk,
}

/// File extensions.
const EXTENSIONS: [(&str, BookFormat); 4] =
    [("db", BookFormat::Db), ("ybb", BookFormat::Ybb), ("bin", BookFormat::Apery), ("sbk", BookFormat::Sbk)];

impl BookFormat {
    /// The format of a file by its name.
    ///
    /// ```
    /// use book::BookFormat;
    /// assert_eq!(BookFormat::of_path("a/user_book1.DB".as_ref()).unwrap(), BookFormat::Db);
    /// assert_eq!(
    ///     BookFormat::of_path("a/book.txt".as_ref()).unwrap_err().to_string(),
    ///     "a/book.txt: expected a book: .db, .ybb, .bin or .sbk"
    /// );
    /// ```
    pub fn of_path(path: &Path) -> Result<Self, BookError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        EXTENSIONS
            .into_iter()
            .find(|(end, _)| *end == extension)
            .map(|(_, format)| format)
            .ok_or_else(|| BookError::format(path, "expected a book: .db, .ybb, .bin or .sbk"))
    }
}
