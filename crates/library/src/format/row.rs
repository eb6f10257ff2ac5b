//! What is kept of a game in bytes of one length.

use super::bytes::{Put, Take};
use game::Color;
use record::GameResult;

/// The texts of a game; a row has their numbers in the segment's strings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Text {
    /// The name of the game that was played.
    Variant,
    /// The start position; empty for the ordinary one.
    Start,
    Black,
    White,
    Event,
    Site,
    TimeControl,
    Date,
    Ending,
    /// 戦型 as the record says it.
    GivenOpening,
    BlackOpening,
    WhiteOpening,
    BlackCastle,
    WhiteCastle,
    /// The name of the file inside an archive; empty otherwise.
    Inner,
}

/// How many there are.
pub(crate) const TEXTS: usize = 15;

/// Bytes of a row.
pub(crate) const ROW: usize = 8 + 4 * 4 + 2 * 4 + 4 + TEXTS * 4;

/// A game in a segment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Row {
    /// Where its moves begin.
    pub moves_at: u64,
    /// Bytes of the text of its moves.
    pub moves_length: u32,
    /// Number of its moves.
    pub plies: u32,
    /// Number of its file in the segment.
    pub file: u32,
    /// Number in its file, from 1.
    pub number: u32,
    /// Black's and White's rating; NaN if the record tells none.
    pub ratings: [f32; 2],
    pub result: GameResult,
    /// Who moves first.
    pub first: Color,
    pub texts: [u32; TEXTS],
}

impl Row {
    pub fn put(&self, bytes: &mut Vec<u8>) {
        bytes.put_u64(self.moves_at);
        for n in [self.moves_length, self.plies, self.file, self.number] {
            bytes.put_u32(n);
        }
        self.ratings.into_iter().for_each(|rating| bytes.put_u32(rating.to_bits()));
        let result = match self.result {
            GameResult::Unknown => 0,
            GameResult::Win(Color::Black) => 1,
            GameResult::Win(Color::White) => 2,
            GameResult::Draw => 3,
        };
        bytes.extend_from_slice(&[result, u8::from(self.first == Color::White), 0, 0]);
        self.texts.into_iter().for_each(|text| bytes.put_u32(text));
    }

    /// The row at an index; `None` behind the end.
    pub fn at(rows: &[u8], index: usize) -> Option<Self> {
        let begin = index.checked_mul(ROW)?;
        let mut take = Take(rows.get(begin..begin.checked_add(ROW)?)?);
        let moves_at = take.u64()?;
        let [moves_length, plies, file, number] = [take.u32()?, take.u32()?, take.u32()?, take.u32()?];
        let ratings = [f32::from_bits(take.u32()?), f32::from_bits(take.u32()?)];
        let marks = take.bytes(4)?;
        let result = match marks[0] {
            1 => GameResult::Win(Color::Black),
            2 => GameResult::Win(Color::White),
            3 => GameResult::Draw,
            _ => GameResult::Unknown,
        };
        let first = if marks[1] == 1 { Color::White } else { Color::Black };
        let mut texts = [0; TEXTS];
        for text in &mut texts {
            *text = take.u32()?;
        }
        Some(Self { moves_at, moves_length, plies, file, number, ratings, result, first, texts })
    }

    /// The side to move after so many moves.
    pub fn side_after(&self, ply: u32) -> Color {
        if ply.is_multiple_of(2) { self.first } else { !self.first }
    }

    /// A player's rating.
    pub fn rating(&self, color: Color) -> Option<f32> {
        Some(self.ratings[color as usize]).filter(|rating| rating.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_read_back() {
        let results = [
            GameResult::Unknown,
            GameResult::Draw,
            GameResult::Win(Color::Black),
            GameResult::Win(Color::White),
        ];
        let row = |result, first| Row {
            moves_at: 1 << 40,
            moves_length: 5,
            plies: 1,
            file: 2,
            number: 3,
            ratings: [1500.5, 2000.0],
            result,
            first,
            texts: std::array::from_fn(|text| text as u32 * 1000),
        };
        let rows: Vec<_> =
            results.into_iter().flat_map(|result| Color::ALL.map(|side| row(result, side))).collect();
        let mut bytes = Vec::new();
        for row in &rows {
            row.put(&mut bytes);
        }
        assert_eq!(bytes.len(), rows.len() * ROW);
        for (index, row) in rows.iter().enumerate() {
            assert_eq!(Row::at(&bytes, index), Some(*row));
        }
        assert_eq!(Row::at(&bytes, rows.len()), None);
        assert_eq!(Row::at(&bytes, usize::MAX), None);
        assert_eq!(Row::at(&bytes, 0).unwrap().rating(Color::White), Some(2000.0));
    }
}
