//! The positions of a line of moves, spelled as it is played: a move changes a row or two, the others stay as they are.

use crate::board_text::{push_side_and_hands, write_row};
use shogi::{Change, Color, Move, Origin, Position, SetupWords, Square};

/// A position, all others before it, and how each is spelled.
pub(crate) struct SpelledLine {
    position: Position,
    moves: usize,
    /// The present position last.
    frames: Vec<Frame>,
    /// Rows that frames share: first those of the start, then two of each move.
    rows: Vec<RowText>,
    hands: Vec<HandsText>,
    known: KnownRows,
    /// Room for a place: 81 promoted pieces, slashes, side and hands are shorter.
    place: [u8; 256],
}

#[derive(Clone, Copy)]
struct Frame {
    squares: [u64; 9],
    /// Where the text of each row is, and of the hands.
    rows: [u32; 9],
    hands: u32,
    ply: u32,
    side: Color,
}

/// A row with the slash behind it; the last byte tells its length.
type RowText = [u8; 32];
/// The same of hands.
type HandsText = [u8; 40];

/// Rows that were spelled lately; most come again soon.
struct KnownRows(Vec<(u64, RowText)>);

/// As many bits of a number as rows are known.
const KNOWN_BITS: u32 = 11;

impl KnownRows {
    fn new() -> Self {
        // No row has so many squares.
        Self(vec![(u64::MAX, [0; 32]); 1 << KNOWN_BITS])
    }

    #[inline]
    fn spell(&mut self, squares: u64, text: &mut RowText) {
        let slot = (squares.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - KNOWN_BITS)) as usize;
        let known = &mut self.0[slot];
        if known.0 != squares {
            known.0 = squares;
            let length = write_row(squares, &mut known.1);
            known.1[31] = length as u8;
        }
        *text = known.1;
    }
}

fn hands_text(position: &Position) -> HandsText {
    let mut spelled = Vec::new();
    push_side_and_hands(&mut spelled, position.side(), Color::ALL.map(|color| position.hand(color)));
    let mut text = [0; 40];
    let hands = spelled.get(3..).unwrap_or_default();
    text[..hands.len()].copy_from_slice(hands);
    text[39] = hands.len() as u8;
    text
}

impl SpelledLine {
    pub(crate) fn new(start: Position) -> Self {
        let mut line = Self {
            position: start.clone(),
            moves: 0,
            frames: Vec::new(),
            rows: vec![[0; 32]; 9],
            hands: vec![[0; 40]],
            known: KnownRows::new(),
            place: [0; 256],
        };
        line.begin(start);
        line
    }

    /// Begins anew at another position.
    pub(crate) fn begin(&mut self, start: Position) {
        let squares = SetupWords::from(&start.setup()).ranks();
        for (squares, text) in squares.iter().zip(&mut self.rows) {
            self.known.spell(*squares, text);
        }
        self.hands[0] = hands_text(&start);
        self.frames.clear();
        self.frames.push(Frame {
            squares,
            rows: std::array::from_fn(|row| row as u32),
            hands: 0,
            ply: start.ply(),
            side: start.side(),
        });
        self.moves = 0;
        self.position = start;
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    /// Takes the last move back.
    pub(crate) fn undo(&mut self) {
        if self.moves > 0 {
            self.moves -= 1;
            self.position.undo_move();
            self.frames.pop();
        }
    }

    /// Makes a legal move.
    pub(crate) fn play(&mut self, m: Move) {
        let mut frame = self.frames[self.moves];
        let mut hands_changed = false;
        self.position.do_move_observed(m, |change| match change {
            Change::Removed(_, square) => {
                let (row, shift) = row_and_shift(square);
                frame.squares[row] &= !(SQUARE << shift);
            }
            Change::Placed(piece, square) => {
                let (row, shift) = row_and_shift(square);
                frame.squares[row] |= (piece.index() as u64) << shift;
            }
            Change::Hand { .. } => hands_changed = true,
        });
        let slot = 9 + 2 * self.moves;
        self.rows.resize(self.rows.len().max(slot + 2), [0; 32]);
        let to = row_and_shift(m.to()).0;
        self.known.spell(frame.squares[to], &mut self.rows[slot]);
        frame.rows[to] = slot as u32;
        if let Origin::Board(from) = m.origin()
            && let from = row_and_shift(from).0
            && from != to
        {
            self.known.spell(frame.squares[from], &mut self.rows[slot + 1]);
            frame.rows[from] = slot as u32 + 1;
        }
        self.moves += 1;
        if hands_changed {
            let slot = self.moves;
            self.hands.resize(self.hands.len().max(slot + 1), [0; 40]);
            self.hands[slot] = hands_text(&self.position);
            frame.hands = slot as u32;
        }
        frame.ply = self.position.ply();
        frame.side = self.position.side();
        self.frames.push(frame);
    }

    /// The position before the last of the moves: its place and its ply.
    pub(crate) fn before_last(&mut self) -> Option<(&[u8], u32)> {
        let frame = self.frames.get(self.frames.len().checked_sub(2)?)?;
        let out = &mut self.place;
        let mut end = 0;
        for row in frame.rows {
            let text = &self.rows[row as usize];
            // No row is longer.
            out[end..end + 24].copy_from_slice(&text[..24]);
            end += usize::from(text[31]);
        }
        // A blank instead of the last slash.
        out[end - 1..end + 2].copy_from_slice(if frame.side == Color::Black { b" b " } else { b" w " });
        end += 2;
        let hands = &self.hands[frame.hands as usize];
        out[end..end + hands.len()].copy_from_slice(hands);
        end += usize::from(hands[hands.len() - 1]);
        Some((&out[..end], frame.ply))
    }
}

/// Bits of a square in a row.
const SQUARE: u64 = (1 << SetupWords::SQUARE_BITS) - 1;

#[inline]
fn row_and_shift(square: Square) -> (usize, usize) {
    let index = square.index();
    (index % 9, index / 9 * SetupWords::SQUARE_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_text::push_place;
    use proptest::prelude::*;

    proptest! {
        /// Like spelling each position by itself, to and fro.
        #[test]
        fn like_spelling_anew(choices in prop::collection::vec((any::<usize>(), 0usize..9), 1..150)) {
            let mut line = SpelledLine::new(Position::startpos());
            for (choice, back) in choices {
                if back > 4 {
                    (0..back).for_each(|_| line.undo());
                }
                let before = line.position().clone();
                let legal = before.legal_moves();
                if legal.is_empty() {
                    break;
                }
                line.play(legal[choice % legal.len()]);
                let mut expected = Vec::new();
                push_place(&mut expected, &before.setup());
                let (place, ply) = line.before_last().expect("a move was made");
                prop_assert_eq!(place, expected);
                prop_assert_eq!(ply, before.ply());
            }
        }
    }
}
