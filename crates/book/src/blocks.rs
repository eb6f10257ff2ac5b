//! Text books read by several threads: cut into blocks where positions begin, each understood by itself.
//!
//! A block does not know which line of the file it begins with. Where one has a fault, the caller reads the file again
//! line by line, for a message with a number.

use crate::board_text::{setup_of, take_place};
use crate::error::LineFault;
use crate::lines::MAX_LINE;
use crate::usi_bytes::exact_number;
use crate::{BookMove, SfenLine};
use shogi::{PackedSfen, Setup};
use std::io::{self, Read};

/// Cuts a text into blocks of about one size.
pub(crate) struct Blocks<R> {
    input: R,
    size: usize,
    /// The beginning of the next block.
    carried: Vec<u8>,
    read: u64,
    started: bool,
}

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<R: Read> Blocks<R> {
    pub(crate) fn new(input: R, size: usize) -> Self {
        Self { input, size, carried: Vec::new(), read: 0, started: false }
    }

    /// Bytes read so far.
    pub(crate) fn consumed(&self) -> u64 {
        self.read
    }

    /// The next block; it ends before a line with a position, or with the file.
    pub(crate) fn next_block(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut block = std::mem::take(&mut self.carried);
        loop {
            let got = (&mut self.input).take(self.size as u64).read_to_end(&mut block)?;
            self.read += got as u64;
            if !std::mem::replace(&mut self.started, true) && block.starts_with(BYTE_ORDER_MARK) {
                block.drain(..BYTE_ORDER_MARK.len());
            }
            if got < self.size {
                return Ok((!block.is_empty()).then_some(block));
            }
            let last = |needle: &[u8]| memchr::memmem::rfind(&block, needle);
            if let Some(at) = last(b"\nsfen ").or_else(|| last(b"\rsfen ")) {
                self.carried = block.split_off(at + 1);
                return Ok(Some(block));
            }
        }
    }
}

/// Gives `each` position of a block, with its moves.
pub(crate) fn read_block(
    block: &[u8],
    mut each: impl FnMut(&[u8], u32, &[BookMove]),
) -> Result<(), LineFault> {
    read_lines(block, |_| None, SfenLine::parse, |line, moves| each(&line.place, line.ply, moves))
}

/// Gives `each` position of a block as a board, with its moves.
pub(crate) fn read_setups(block: &[u8], each: impl FnMut(Setup, &[BookMove])) -> Result<(), LineFault> {
    read_lines(block, take_setup, read_setup, each)
}

/// Gives `each` position of a block packed, if it can be, with its move number and its moves.
pub(crate) fn read_packed(
    block: &[u8],
    mut each: impl FnMut(Option<PackedSfen>, u32, &[BookMove]),
) -> Result<(), LineFault> {
    let pack = |setup: Setup| (PackedSfen::try_from(&setup).ok(), setup.ply);
    read_lines(
        block,
        |rest| take_setup(rest).map(pack),
        |sfen| read_setup(sfen).map(pack),
        |(packed, ply), moves| each(packed, ply, moves),
    )
}

/// Takes the board of an `sfen` line off a text, up to the end of the line, if it is canonical.
fn take_setup(rest: &mut &[u8]) -> Option<Setup> {
    let (mut setup, length) = take_place(rest)?;
    let mut behind = rest[length..].strip_prefix(b" ")?;
    setup.ply = exact_number(&mut behind).filter(|ply| (1..1_000_000).contains(ply))? as u32;
    *rest = behind;
    Some(setup)
}

/// The board of an `sfen` line; whether that can be a position is for others to say.
pub(crate) fn read_setup(sfen: &[u8]) -> Result<Setup, LineFault> {
    let mut rest = sfen;
    if let Some(setup) = take_setup(&mut rest).filter(|_| rest.is_empty()) {
        return Ok(setup);
    }
    let line = SfenLine::parse(sfen)?;
    let mut setup = setup_of(&line.place).ok_or(LineFault::NotAscii)?;
    setup.ply = line.ply;
    Ok(setup)
}

/// What is written as we write it is taken straight off the text by `take` and [`BookMove::take_exact`], other lines
/// are cut out first.
fn read_lines<'a, P>(
    block: &'a [u8],
    take: impl Fn(&mut &'a [u8]) -> Option<P>,
    read: impl Fn(&'a [u8]) -> Result<P, LineFault>,
    mut each: impl FnMut(P, &[BookMove]),
) -> Result<(), LineFault> {
    let mut moves = Vec::new();
    let mut open: Option<P> = None;
    let mut rest = block;
    while !rest.is_empty() {
        let mut ahead = rest;
        if let Some(mut sfen) = rest.strip_prefix(b"sfen ") {
            let taken = take(&mut sfen).filter(|_| take_line_end(&mut sfen));
            let position = if let Some(position) = taken {
                rest = sfen;
                position
            } else {
                let line = take_line(&mut rest)?;
                read(line.strip_prefix(b"sfen ").unwrap_or_default())?
            };
            if let Some(done) = open.replace(position) {
                each(done, &moves);
            }
            moves.clear();
            continue;
        }
        let taken = BookMove::take_exact(&mut ahead).filter(|_| take_line_end(&mut ahead));
        let m = if let Some(m) = taken {
            rest = ahead;
            m
        } else {
            let line = take_line(&mut rest)?;
            if line.is_empty() || line.starts_with(b"#") || line.starts_with(b"//") {
                continue;
            }
            BookMove::parse(line)?
        };
        if open.is_none() {
            return Err(LineFault::NoPosition);
        }
        moves.push(m);
    }
    if let Some(done) = open {
        each(done, &moves);
    }
    Ok(())
}

/// Takes the end of a line off a text, if it is there.
fn take_line_end(rest: &mut &[u8]) -> bool {
    let behind = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n"));
    *rest = behind.unwrap_or(rest);
    behind.is_some()
}

/// Takes a line off a text, without blanks at its end.
fn take_line<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], LineFault> {
    let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    if end > MAX_LINE {
        return Err(LineFault::TooLong(MAX_LINE));
    }
    let line = rest[..end].trim_ascii_end();
    *rest = &rest[(end + 1).min(rest.len())..];
    Ok(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DbReader, Entry, Problems};

    #[test]
    fn blocks_of_any_size_say_the_same() {
        let king = "4k4/9/9/9/9/9/9/9/4K4 b";
        let mut text = "\u{feff}#YANEURAOU-DB2016 1.00\r\n".to_owned();
        for number in 1..50 {
            let end = ["\n", "\r\n", "\r"][number % 3];
            let number = number.to_string();
            let position = ["sfen ", king, " ", &number, "P ", &number, end, "5i5h none ", &number, end];
            text.extend(position.into_iter().chain(["# note", end, "5i4h", end, end]));
        }
        let mut reader = DbReader::new(text.as_bytes(), "a.db", Problems::stop());
        let mut expected = Vec::new();
        // Hands of more than 18 pawns are no positions to us; the rest is.
        while let Ok(Some(entry)) = reader.next_entry() {
            expected.push(entry.clone());
        }
        let valid: usize = text.match_indices("sfen ").nth(expected.len()).map_or(text.len(), |(at, _)| at);
        for size in [16, 100, 1000, 1 << 20] {
            let mut blocks = Blocks::new(&text.as_bytes()[..valid], size);
            let mut entries = Vec::new();
            while let Some(block) = blocks.next_block().unwrap() {
                let each = |place: &[u8], ply, moves: &[BookMove]| {
                    entries.push(Entry { place: place.to_vec(), ply, moves: moves.to_vec() });
                };
                read_block(&block, each).unwrap();
            }
            assert_eq!(entries, expected, "blocks of {size}");
        }
    }
}
