//! The positions of a line of moves, spelled as it is played: a move changes a row or two, the others stay as they are.

use crate::board_text::{push_side_and_hands, row_slot, write_row};
use crate::light_board::{LightBoard, row_and_shift};
use shogi::{Color, Hand, Move, Origin, Position};

/// A position, all others before it, and how each is spelled.
pub(crate) struct SpelledLine {
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
    board: LightBoard,
    /// Where the text of each row is, and of the hands.
    rows: [u32; 9],
    hands: u32,
    ply: u32,
}

/// Larger move numbers are not written.
const LAST_PLY: u32 = 999_999;

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
        let known = &mut self.0[row_slot(squares, KNOWN_BITS)];
        if known.0 != squares {
            known.0 = squares;
            let length = write_row(squares, &mut known.1);
            known.1[31] = length as u8;
        }
        *text = known.1;
    }
}

fn hands_text(hands: [Hand; 2]) -> HandsText {
    let mut spelled = Vec::new();
    push_side_and_hands(&mut spelled, Color::Black, hands);
    let mut text = [0; 40];
    let hands = spelled.get(3..).unwrap_or_default();
    text[..hands.len()].copy_from_slice(hands);
    text[39] = hands.len() as u8;
    text
}

impl SpelledLine {
    pub(crate) fn new(start: &Position) -> Self {
        let mut line = Self {
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
    pub(crate) fn begin(&mut self, start: &Position) {
        let board = LightBoard::new(start);
        for (squares, text) in board.ranks.iter().zip(&mut self.rows) {
            self.known.spell(*squares, text);
        }
        self.hands[0] = hands_text(board.hands);
        self.frames.clear();
        let rows = std::array::from_fn(|row| row as u32);
        self.frames.push(Frame { board, rows, hands: 0, ply: start.ply() });
    }

    /// The present position.
    #[inline]
    pub(crate) fn board(&self) -> &LightBoard {
        // There is always the start.
        &self.frames[self.frames.len() - 1].board
    }

    /// Takes the last move back.
    #[inline]
    pub(crate) fn undo(&mut self) {
        if self.frames.len() > 1 {
            self.frames.pop();
        }
    }

    /// Makes a legal move.
    #[inline]
    pub(crate) fn play(&mut self, m: Move) {
        let number = self.frames.len();
        self.frames.push(self.frames[number - 1]);
        let frame = &mut self.frames[number];
        let hands = frame.board.hands;
        frame.board.play(m);
        let slot = 7 + 2 * number;
        if self.rows.len() < slot + 2 {
            self.rows.resize(slot + 2, [0; 32]);
        }
        let to = row_and_shift(m.to()).0;
        self.known.spell(frame.board.ranks[to], &mut self.rows[slot]);
        frame.rows[to] = slot as u32;
        if let Origin::Board(from) = m.origin()
            && let from = row_and_shift(from).0
            && from != to
        {
            self.known.spell(frame.board.ranks[from], &mut self.rows[slot + 1]);
            frame.rows[from] = slot as u32 + 1;
        }
        if frame.board.hands != hands {
            if self.hands.len() <= number {
                self.hands.resize(number + 1, [0; 40]);
            }
            self.hands[number] = hands_text(frame.board.hands);
            frame.hands = number as u32;
        }
        frame.ply = (frame.ply + 1).min(LAST_PLY);
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
        out[end - 1..end + 2].copy_from_slice(if frame.board.side == Color::Black { b" b " } else { b" w " });
        end += 2;
        let hands = &self.hands[frame.hands as usize];
        out[end..end + hands.len()].copy_from_slice(hands);
        end += usize::from(hands[hands.len() - 1]);
        Some((&out[..end], frame.ply))
    }
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
            let mut position = Position::from_sfen(&shogi::STARTPOS_SFEN.replace(" 1", " 999990")).unwrap();
            let mut line = SpelledLine::new(&position);
            for (choice, back) in choices {
                if back > 4 {
                    for _ in 0..back.min(position.moves_since_start()) {
                        line.undo();
                        position.undo_move();
                    }
                }
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                let mut expected = Vec::new();
                push_place(&mut expected, &position.setup());
                let m = legal[choice % legal.len()];
                line.play(m);
                let (place, ply) = line.before_last().expect("a move was made");
                prop_assert_eq!(place, expected);
                prop_assert_eq!(ply, position.ply());
                position.do_move(m);
            }
        }
    }
}
