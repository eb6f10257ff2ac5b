//! What can go wrong with a library.

use platform::FileError;
use std::path::PathBuf;

/// Why a library cannot be used or changed.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// There is no such file.
    #[error("{}: no such library; `tsumugi games --db FILE add FOLDER` makes one", .0.display())]
    Missing(PathBuf),
    /// Another kind of file.
    #[error("{}: not a library of games; nothing is changed", .0.display())]
    NotALibrary(PathBuf),
    /// A format that is newer than this program.
    #[error("{}: a library of another version of tsumugi; make a new one with `games add`", .0.display())]
    Version(PathBuf),
    /// Bytes that cannot be right.
    #[error("{}: the library is damaged ({}); make it anew with `games add`, the games themselves are untouched", .0.display(), .1)]
    Damaged(PathBuf, &'static str),
    /// Another process writes.
    #[error("{}: another `games` command is changing this library; try again when it has ended", .0.display())]
    Locked(PathBuf),
    /// The rules or keys of a game have changed.
    #[error("{}: positions of {variant} were indexed by other rules; run `tsumugi games --db FILE reindex`", path.display())]
    OldKeys {
        /// The library.
        path: PathBuf,
        /// The game.
        variant: String,
    },
    /// A game that is not known.
    #[error("no game is called `{0}`; --variant-path FILE reads more from a variants.ini")]
    UnknownVariant(String),
    /// A position or moves that are none.
    #[error("{option}: {reason}")]
    Position {
        /// What the user set.
        option: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// A pattern that is none.
    #[error("{0}")]
    Pattern(String),
    /// Standard input as a source.
    #[error("`-`: a library refers to files; give a file or a folder")]
    Stdin,
    /// The system.
    #[error(transparent)]
    File(#[from] FileError),
}
