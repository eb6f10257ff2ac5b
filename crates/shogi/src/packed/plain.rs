//! Training records as text, as `YaneuraOu`'s `learn convert_plain` writes them and `convert_bin` reads them.

use super::{GameResult, PackError, PackedSfen, PackedSfenValue, UnpackError};
use crate::{Move, ParseMoveError, Setup, SfenError};
use std::io::{self, BufRead, Read};

/// Longer lines are refused, so that they do not fill the memory.
const MAX_LINE: u64 = 1024;

/// Move codes that are not moves, and their names in text.
const NO_MOVES: [(&str, u16); 4] =
    [("none", 0), ("null", 1 << 7 | 1), ("resign", 2 << 7 | 2), ("win", 3 << 7 | 3)];

impl PackedSfenValue {
    /// The record in lines: `sfen`, `move`, `score`, `ply`, `result`, `e`.
    /// Move codes that are not moves and have no name become `none`.
    /// Move bits that are no move and have no name become `none`.
    pub fn to_plain(&self) -> Result<String, UnpackError> {
        let no_move =
            || NO_MOVES.into_iter().find(|(_, bits)| *bits == self.move_bits).unwrap_or(NO_MOVES[0]).0;
        let best_move = self.best_move().map_or_else(|| no_move().to_string(), |m| m.to_string());
        Ok(format!(
            "sfen {}\nmove {best_move}\nscore {}\nply {}\nresult {}\ne\n",
            self.setup()?,
            self.score,
            self.ply,
            self.result.code()
        ))
    }
}

/// Why a record in text was refused.
///
/// ```
/// use shogi::PlainReader;
/// let mut records = PlainReader::new("sfen startpos\nmove 7g7f\ne\n".as_bytes());
/// let error = records.next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "line 1: SFEN board: expected 9 rows, found 1");
/// ```
#[derive(Debug, thiserror::Error)]
pub enum PlainError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is wrong.
    #[error("line {number}: {fault}")]
    Line {
        /// Which line, from 1.
        number: u64,
        /// What is wrong with it.
        fault: PlainFault,
    },
}

/// What is wrong with a line of a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlainFault {
    /// Too many bytes.
    #[error("the line is longer than {MAX_LINE} bytes")]
    TooLong,
    /// Bytes that are no text.
    #[error("the line is not UTF-8")]
    NotText,
    /// The position cannot be read.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// The position cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The move cannot be read.
    #[error(transparent)]
    Move(#[from] ParseMoveError),
    /// A number that is none or out of range.
    #[error("`{word}` needs a number from {min} to {max}")]
    Number {
        /// The first word of the line.
        word: &'static str,
        /// The least that is allowed.
        min: i32,
        /// The most that is allowed.
        max: i32,
    },
    /// The record ends without this line.
    #[error("the record has no `{0}`")]
    Missing(&'static str),
}

/// Reads the records of a text one by one.
///
/// After a faulty line it continues with the next record. Lines may come in any order, `ply` may be missing (the SFEN
/// contains it), and unknown words are ignored, as `YaneuraOu` does.
///
/// ```
/// use shogi::{GameResult, PlainReader};
/// let text = "sfen 4k4/9/9/9/9/9/9/9/4K4 b G 7\nmove G*5b\nscore 3000\nply 7\nresult 1\ne\n";
/// let records: Vec<_> = PlainReader::new(text.as_bytes()).collect::<Result<_, _>>()?;
/// assert_eq!(records.len(), 1);
/// assert_eq!(records[0].result, GameResult::Win);
/// assert_eq!(records[0].to_plain()?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PlainReader<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
    ended: bool,
}

impl<R: BufRead> PlainReader<R> {
    /// Reads from here on.
    pub fn new(input: R) -> Self {
        Self { input, line: Vec::new(), number: 0, ended: false }
    }

    /// The next line that is not blank; `None` at the end.
    fn next_line(&mut self) -> Result<Option<&str>, PlainError> {
        loop {
            self.line.clear();
            if self.input.by_ref().take(MAX_LINE).read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if self.line.len() as u64 == MAX_LINE && !self.line.ends_with(b"\n") {
                self.input.skip_until(b'\n')?;
                return Err(self.fault(PlainFault::TooLong));
            }
            if !self.line.trim_ascii().is_empty() {
                break;
            }
        }
        let number = self.number;
        let text = str::from_utf8(self.line.trim_ascii());
        text.map(Some).map_err(|_| PlainError::Line { number, fault: PlainFault::NotText })
    }

    fn fault(&self, fault: PlainFault) -> PlainError {
        PlainError::Line { number: self.number, fault }
    }

    fn next_record(&mut self) -> Result<Option<PackedSfenValue>, PlainError> {
        let mut draft = Draft::default();
        while let Some(line) = self.next_line()? {
            if line == "e" {
                return draft.finish().map(Some).map_err(|fault| self.fault(fault));
            }
            draft.read(line).map_err(|fault| self.fault(fault))?;
        }
        if draft == Draft::default() { Ok(None) } else { Err(self.fault(PlainFault::Missing("e"))) }
    }

    /// Skips the rest of a record that was refused.
    fn skip_record(&mut self) {
        while !self.line.trim_ascii().eq(b"e") {
            match self.next_line() {
                Ok(Some(_)) | Err(PlainError::Line { .. }) => {}
                Ok(None) | Err(PlainError::Io(_)) => {
                    self.ended = true;
                    return;
                }
            }
        }
    }
}

impl<R: BufRead> Iterator for PlainReader<R> {
    type Item = Result<PackedSfenValue, PlainError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let record = self.next_record();
        match &record {
            Ok(None) | Err(PlainError::Io(_)) => self.ended = true,
            Err(PlainError::Line { .. }) => self.skip_record(),
            Ok(Some(_)) => {}
        }
        record.transpose()
    }
}

/// The fields of a record read so far.
#[derive(Default, PartialEq)]
struct Draft {
    setup: Option<Setup>,
    move_bits: Option<u16>,
    score: Option<i16>,
    ply: Option<u16>,
    result: Option<GameResult>,
}

impl Draft {
    fn read(&mut self, line: &str) -> Result<(), PlainFault> {
        let (word, value) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let value = value.trim_ascii();
        match word {
            "sfen" => self.setup = Some(value.parse()?),
            "move" => self.move_bits = Some(read_move(value)?),
            "score" => self.score = Some(read_number("score", value, i16::MIN.into(), i16::MAX.into())?),
            "ply" => self.ply = Some(read_number("ply", value, 0, u16::MAX.into())?),
            "result" => self.result = GameResult::from_code(read_number("result", value, -1, 1)?),
            _ => {}
        }
        Ok(())
    }

    fn finish(self) -> Result<PackedSfenValue, PlainFault> {
        let setup = self.setup.ok_or(PlainFault::Missing("sfen"))?;
        Ok(PackedSfenValue {
            position: PackedSfen::try_from(&setup)?,
            score: self.score.ok_or(PlainFault::Missing("score"))?,
            move_bits: self.move_bits.ok_or(PlainFault::Missing("move"))?,
            ply: self.ply.unwrap_or(u16::try_from(setup.ply).unwrap_or(u16::MAX)),
            result: self.result.ok_or(PlainFault::Missing("result"))?,
            padding: 0,
        })
    }
}

fn read_move(word: &str) -> Result<u16, ParseMoveError> {
    match NO_MOVES.into_iter().find(|(name, _)| *name == word) {
        Some((_, bits)) => Ok(bits),
        None => word.parse::<Move>().map(Move::bits),
    }
}

fn read_number<T: TryFrom<i32>>(word: &'static str, text: &str, min: i32, max: i32) -> Result<T, PlainFault> {
    let number = text.parse().ok().filter(|number| (min..=max).contains(number));
    number.and_then(|number| number.try_into().ok()).ok_or(PlainFault::Number { word, min, max })
}
