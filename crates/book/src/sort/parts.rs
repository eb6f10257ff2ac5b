//! Splits books of any format into parts that threads read independently.

use crate::error::{At, BookError};
use crate::format::blocks::{Block, Blocks};
use crate::format::db::check_text_book;
use crate::{AperyBook, BookFormat, Entry, Problems, Ybb, read_sbk};
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The parts of a book in the order of the file.
pub(crate) struct Parts {
    path: PathBuf,
    source: Source,
    /// Approximate memory of a part, in bytes.
    size: usize,
}

enum Source {
    Text { blocks: Blocks<File>, length: u64, problems: Problems },
    Records { book: Arc<Ybb>, next: usize },
    Entries(Vec<Entry>),
}

/// Some positions of a book.
pub(crate) enum Part {
    Text { block: Block, path: PathBuf, problems: Problems },
    Records { book: Arc<Ybb>, range: Range<usize> },
    Entries(Vec<Entry>),
}

/// Number of bytes examined to recognise a text book.
const LOOK: u64 = 1 << 16;

impl Parts {
    /// Opens a book. `size` maps the length of the file to the approximate size of a part.
    pub(crate) fn open(
        path: &Path,
        problems: Problems,
        size: impl Fn(u64) -> usize,
    ) -> Result<Self, BookError> {
        let length = std::fs::metadata(path).at(path)?.len();
        let size = size(length);
        let source = match BookFormat::of_path(path)? {
            BookFormat::Db => {
                let open = || File::open(path).at(path);
                let mut beginning = Vec::new();
                open()?.take(LOOK).read_to_end(&mut beginning).at(path)?;
                check_text_book(&beginning, path)?;
                Source::Text { blocks: Blocks::new(open()?, size), length, problems }
            }
            BookFormat::Ybb => Source::Records { book: Arc::new(Ybb::open(path)?), next: 0 },
            BookFormat::Apery => Source::Entries(AperyBook::open(path)?.walk().entries),
            BookFormat::Sbk => Source::Entries(read_sbk(path)?),
        };
        Ok(Self { path: path.to_owned(), source, size })
    }

    /// Approximate memory of a part, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The fraction of the book that has been returned, from 0 to 1.
    pub(crate) fn progress(&self) -> f64 {
        match &self.source {
            Source::Text { blocks, length, .. } => blocks.consumed() as f64 / (*length).max(1) as f64,
            Source::Records { book, next } => *next as f64 / book.len().max(1) as f64,
            Source::Entries(_) => 1.0,
        }
    }

    pub(crate) fn next_part(&mut self) -> Result<Option<Part>, BookError> {
        Ok(match &mut self.source {
            Source::Text { blocks, problems, .. } => blocks
                .next_block()
                .at(&self.path)?
                .map(|block| Part::Text { block, path: self.path.clone(), problems: problems.clone() }),
            Source::Records { book, next } => {
                let range = *next..book.end_of_part(*next, self.size);
                *next = range.end;
                (!range.is_empty()).then(|| Part::Records { book: book.clone(), range })
            }
            Source::Entries(entries) => {
                let entries = std::mem::take(entries);
                (!entries.is_empty()).then_some(Part::Entries(entries))
            }
        })
    }
}

impl Part {
    /// Calls `each` with every position, until one fails.
    pub(crate) fn each(
        &self,
        mut each: impl FnMut(&Entry) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        match self {
            Self::Text { block, path, problems } => {
                let mut reader = block.reader(path, problems.clone());
                while let Some(entry) = reader.next_entry()? {
                    each(entry)?;
                }
                Ok(())
            }
            Self::Records { book, range } => {
                book.release();
                range.clone().try_for_each(|index| each(&book.entry(index)?))
            }
            Self::Entries(entries) => entries.iter().try_for_each(each),
        }
    }
}
