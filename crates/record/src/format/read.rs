//! Reads records from bytes.

use crate::format::{csa, jkf, kif, usen, usi};
use crate::model::record::Told;
use crate::text::encoding::{Decoded, Encoding, decode};
use crate::{Ending, Fault, FaultReason, Format, ReadError, Record, Step, detect, legality};

/// What to do with illegal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IllegalMoves {
    /// Cut each line before its first illegal move.
    #[default]
    Cut,
    /// Keep them, except moves without a piece to move.
    Keep,
}

/// Options of reading.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// Reads as this format instead of detecting it.
    pub format: Option<Format>,
    /// The format suggested by the file name; the content takes precedence.
    pub promised: Option<Format>,
    /// What to do with illegal moves.
    pub illegal: IllegalMoves,
}

/// A record, with its format and its faults.
#[derive(Debug)]
pub struct Loaded {
    /// The record.
    pub record: Record,
    /// The format.
    pub format: Format,
    /// The encoding.
    pub encoding: Encoding,
    /// Whether there were bytes that are invalid in that encoding.
    pub damaged: bool,
    /// Moves that were left out, and illegal moves that were kept.
    pub faults: Vec<Fault>,
}

/// Reads the first record in `bytes`.
///
/// ```
/// let loaded = record::read(b"PI\n+\n+7776FU\nT5\n%TORYO\n", &record::ReadOptions::default())?;
/// assert_eq!(loaded.format, record::Format::Csa);
/// assert_eq!(loaded.record.result(), record::GameResult::Win(shogi::Color::Black));
/// # Ok::<(), record::ReadError>(())
/// ```
pub fn read(bytes: &[u8], options: &ReadOptions) -> Result<Loaded, ReadError> {
    let decoded = decode(bytes);
    let format = options.format.or_else(|| detect(&decoded.text, options.promised));
    read_text(&decoded, format.ok_or(ReadError::Unrecognised)?, options.illegal)
}

/// Reads the first record in a text of this format.
pub(crate) fn read_text(
    decoded: &Decoded<'_>,
    format: Format,
    illegal: IllegalMoves,
) -> Result<Loaded, ReadError> {
    let text = &decoded.text;
    let told = match format {
        Format::Kif | Format::Bod => kif::read(text, kif::Style::Kif),
        Format::Ki2 => kif::read(text, kif::Style::Ki2),
        Format::Csa | Format::Csa3 => csa::read(text),
        Format::Jkf => jkf::read(text),
        Format::Usi => usi::read(text),
        Format::Usen => usen::read(text),
    }?;
    if !is_record(&told, text, format) {
        return Err(ReadError::Unrecognised);
    }
    Ok(loaded(told, format, decoded.encoding, decoded.damaged, illegal))
}

/// Whether there is a record at all: readers of KIF and CSA skip what they do not understand, which may be everything.
fn is_record(told: &Told, text: &str, format: Format) -> bool {
    let record = &told.record;
    let means_something = |id| match record.tree[id].step() {
        Some(Step::Move(_)) => true,
        Some(Step::End(ending)) => !matches!(ending, Ending::Other(_)),
        None => false,
    };
    let no_move = |fault: &Fault| matches!(fault.reason, FaultReason::NotAMove | FaultReason::NoBranchPoint);
    if record.tree.walk().any(means_something) || !told.faults.iter().all(no_move) {
        return true;
    }
    match format {
        Format::Kif | Format::Ki2 | Format::Bod => {
            let mut written = crate::text::lines::lines(text).filter(|line| !line.trim().is_empty());
            crate::text::lines::lines(text).any(kif::is_of_records) || written.all(kif::is_any_field)
        }
        Format::Csa | Format::Csa3 => {
            record.header.iter().next().is_some() || record.start.pieces().next().is_some()
        }
        // These readers fail on anything that they do not understand.
        Format::Jkf | Format::Usi | Format::Usen => true,
    }
}

/// The result of a reader, with illegal moves cut off or listed.
fn loaded(told: Told, format: Format, encoding: Encoding, damaged: bool, illegal: IllegalMoves) -> Loaded {
    let Told { mut record, mut faults, lawful } = told;
    if !lawful {
        faults.extend(match illegal {
            IllegalMoves::Cut => legality::cut_illegal(&mut record),
            IllegalMoves::Keep => {
                legality::illegal_moves(&record).into_iter().map(|(_, fault)| fault).collect()
            }
        });
    }
    Loaded { record, format, encoding, damaged, faults }
}
