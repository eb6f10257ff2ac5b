//! A library that is open for reading.

use crate::format::directory::{Directory, SegmentPlace};
use crate::format::header::{self, Commit};
use crate::format::row::Row;
use crate::format::segment::Segment;
use crate::{GameInfo, LibraryError, Rules};
use memmap2::Mmap;
use platform::AtPath;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A library of games, open for reading: what was committed when it was opened, whatever others add meanwhile.
///
/// ```no_run
/// use library::{GameFilter, Library, Place, Rules};
/// use record::notation::Catalogue;
/// let shipped = fairy::Library::shipped();
/// let catalogue = Catalogue { style: Default::default(), find: Box::new(move |name| shipped.game(name)) };
/// let library = Library::open("my.games".as_ref())?;
/// let place = Place { variant: "shogi".into(), command: "startpos moves 7g7f 3c3d".into() };
/// let explored = library.explore(Rules(&catalogue), &place, &GameFilter::default())?;
/// for played in &explored.moves {
///     println!("{} {} games, Black won {}", played.text, played.counts.games, played.counts.black);
/// }
/// # Ok::<(), library::LibraryError>(())
/// ```
pub struct Library {
    path: PathBuf,
    map: Mmap,
    commit: Commit,
    directory: Directory,
}

/// The number of a game, from 1, in the order in which games were added; it holds until the library is changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(transparent)]
pub struct GameNumber(pub u64);

/// A game in its segment.
#[derive(Clone, Copy)]
pub(crate) struct GameView<'a> {
    pub number: GameNumber,
    pub segment: Segment<'a>,
    pub row: Row,
}

impl Library {
    /// Opens a library. That takes no time, whatever its size.
    pub fn open(path: &Path) -> Result<Self, LibraryError> {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(LibraryError::Missing(path.to_owned()));
            }
            file => file.at_path(path)?,
        };
        if file.metadata().at_path(path)?.len() == 0 {
            // Nothing cannot be mapped.
            return Err(LibraryError::NotALibrary(path.to_owned()));
        }
        // SAFETY: the map is only read, as bytes, every one of which is a valid value. What a commit has named is never written
        // again nor cut off by this crate; it appends, or puts a new file in the place of the old one.
        let map = unsafe { Mmap::map(&file) }.at_path(path)?;
        let (commit, directory) = header::newest(path, &map)?;
        Ok(Self { path: path.to_owned(), map, commit, directory })
    }

    /// Its file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many games it has.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.directory.segments.iter().map(SegmentPlace::live).sum()
    }

    /// How many entries its index of positions has: a game counts once for each position that it reaches.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.directory.segments.iter().map(|segment| segment.positions).sum()
    }

    /// How many bytes its file has.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.map.len() as u64
    }

    pub(crate) fn commit(&self) -> Commit {
        self.commit
    }

    pub(crate) fn directory(&self) -> &Directory {
        &self.directory
    }

    pub(crate) fn map(&self) -> &[u8] {
        &self.map
    }

    pub(crate) fn segments(&self) -> impl Iterator<Item = Segment<'_>> {
        self.directory.segments.iter().map(|place| Segment::new(place, &self.map))
    }

    /// The segments with the numbers before their first games.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (u64, Segment<'_>)> {
        let mut next = 0;
        self.segments().map(move |segment| {
            let before = next;
            next += u64::from(segment.place.games);
            (before, segment)
        })
    }

    /// All games that count, in the order in which they were added.
    pub(crate) fn views(&self) -> impl Iterator<Item = GameView<'_>> {
        self.numbered().flat_map(|(before, segment)| {
            segment.rows().map(move |(game, row)| GameView::new(before, game, segment, row))
        })
    }

    /// What is known of a game; `None` if there is none of this number.
    #[must_use]
    pub fn game(&self, number: GameNumber) -> Option<GameInfo> {
        self.view(number).map(|view| GameInfo::new(self, &view))
    }

    pub(crate) fn view(&self, number: GameNumber) -> Option<GameView<'_>> {
        self.numbered().find_map(|(before, segment)| {
            let game = u32::try_from(number.0.checked_sub(before + 1)?).ok()?;
            let row = segment.row(game).filter(|_| !segment.place.is_deleted(game))?;
            Some(GameView::new(before, game, segment, row))
        })
    }

    /// A file of the library as it is found from the current folder.
    pub(crate) fn found(&self, stored: &str) -> PathBuf {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        folder.join(stored)
    }

    /// An error unless the positions of a game were indexed by the rules that hold now.
    pub(crate) fn check_keys(&self, rules: Rules<'_>, variant: &str) -> Result<(), LibraryError> {
        match self.directory.signs.get(variant) {
            Some(sign) if *sign != rules.sign(variant)? => {
                Err(LibraryError::OldKeys { path: self.path.clone(), variant: variant.to_owned() })
            }
            _ => Ok(()),
        }
    }
}

impl<'a> GameView<'a> {
    pub fn new(before: u64, game: u32, segment: Segment<'a>, row: Row) -> Self {
        Self { number: GameNumber(before + u64::from(game) + 1), segment, row }
    }
}
