//! The code words of the two formats.
//!
//! Both use the same number of bits for a piece wherever it is: off the board it takes one bit less, and leaves the one
//! bit of an empty square behind. Every position with a full set of pieces and two kings therefore has 256 bits.

use crate::{Color, HandPiece, Piece, PieceKind, Square};

/// Stands for the square of a king that is missing.
pub(super) const NO_KING: u8 = Square::COUNT as u8;

/// Order in which the newest writers of both formats list pieces that are not on the board.
pub(super) const HAND_ORDER: [HandPiece; 7] = [
    HandPiece::Pawn,
    HandPiece::Lance,
    HandPiece::Knight,
    HandPiece::Silver,
    HandPiece::Gold,
    HandPiece::Bishop,
    HandPiece::Rook,
];

/// Code words in stream order, for P L N S B R G; `c` is 1 for White, `p` is 1 for promoted pieces.
/// An empty square is `0` in both formats.
struct Alphabet {
    board: [&'static str; 7],
    hand: [&'static str; 7],
    /// Pieces that are neither on the board nor in a hand, as in handicap games: the piece box.
    absent: [&'static str; 7],
}

/// `YaneuraOu`'s words; without the box those of every version, and any order of hands can be read.
pub(super) static PACKED_SFEN: Codes = Codes::new(&Alphabet {
    board: ["10pc", "1100pc", "1101pc", "1110pc", "111110pc", "111111pc", "11110c"],
    hand: ["00c", "1000c", "1010c", "1100c", "111100c", "111110c", "1110c"],
    absent: ["010", "10010", "10110", "11010", "1111010", "1111110", "11011"],
});

/// Apery's words, with the box of cshogi.
pub(super) static HUFFMAN_CODED_POS: Codes = Codes::new(&Alphabet {
    board: ["10cp", "1100cp", "1110cp", "1101cp", "111110cp", "111111cp", "11110c"],
    hand: ["00c", "1000c", "1100c", "1010c", "111110c", "111111c", "1110c"],
    absent: ["010", "10010", "11010", "10110", "1111000", "1111010", "10111"],
});

/// A code word, its first bit lowest.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub(super) bits: u8,
    pub(super) len: u8,
}

impl Code {
    const EMPTY_SQUARE: Self = Self { bits: 0, len: 1 };
    /// A king: its square stands before the board.
    const NOTHING: Self = Self { bits: 0, len: 0 };

    const fn new(word: &str, color: Color, promoted: bool) -> Self {
        let word = word.as_bytes();
        let mut bits = 0;
        let mut i = 0;
        while i < word.len() {
            let bit = match word[i] {
                b'0' => 0,
                b'1' => 1,
                b'c' => color as u8,
                b'p' => promoted as u8,
                _ => panic!("a code word has only 0, 1, c and p"),
            };
            bits |= bit << i;
            i += 1;
        }
        Self { bits, len: word.len() as u8 }
    }
}

/// A piece that is not on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OffBoard {
    Hand(Color, HandPiece),
    Absent(HandPiece),
}

/// For every pattern of the next eight bits: what they begin with, and its length.
type Words<T> = [Option<(T, u8)>; 256];

/// An alphabet as tables, for writing and for reading.
pub struct Codes {
    /// By [`Piece::index`]; 0 is the empty square.
    board: [Code; Piece::INDEX_COUNT],
    hand: [[Code; 8]; 2],
    absent: [Code; 8],
    board_words: Words<Option<Piece>>,
    off_board_words: Words<OffBoard>,
}

impl Codes {
    const fn new(alphabet: &Alphabet) -> Self {
        let mut codes = Self {
            board: [Code::EMPTY_SQUARE; Piece::INDEX_COUNT],
            hand: [[Code::EMPTY_SQUARE; 8]; 2],
            absent: [Code::EMPTY_SQUARE; 8],
            board_words: [None; 256],
            off_board_words: [None; 256],
        };
        codes.board[Piece::BKing.index()] = Code::NOTHING;
        codes.board[Piece::WKing.index()] = Code::NOTHING;
        claim(&mut codes.board_words, Code::EMPTY_SQUARE, None);
        let mut i = 0;
        while i < 7 {
            let piece = HandPiece::ALL[i];
            let mut side = 0;
            while side < 2 {
                let color = Color::ALL[side];
                codes.add_to_board(color, piece.kind(), alphabet.board[i]);
                if let Some(promoted) = piece.kind().promoted() {
                    codes.add_to_board(color, promoted, alphabet.board[i]);
                }
                let code = Code::new(alphabet.hand[i], color, false);
                codes.hand[side][piece.index()] = code;
                claim(&mut codes.off_board_words, code, OffBoard::Hand(color, piece));
                side += 1;
            }
            let code = Code::new(alphabet.absent[i], Color::Black, false);
            codes.absent[piece.index()] = code;
            claim(&mut codes.off_board_words, code, OffBoard::Absent(piece));
            i += 1;
        }
        codes
    }

    const fn add_to_board(&mut self, color: Color, kind: PieceKind, word: &str) {
        let code = Code::new(word, color, kind.is_promoted());
        let piece = Piece::new(color, kind);
        self.board[piece.index()] = code;
        claim(&mut self.board_words, code, Some(piece));
    }

    /// The word for one square; that for a king is empty.
    pub(super) fn on_square(&self, piece: Option<Piece>) -> Code {
        self.board[piece.map_or(0, Piece::index)]
    }

    pub(super) fn off_board(&self, piece: OffBoard) -> Code {
        match piece {
            OffBoard::Hand(color, piece) => self.hand[color.index()][piece.index()],
            OffBoard::Absent(piece) => self.absent[piece.index()],
        }
    }

    /// What stands on the square that the next bits begin with.
    pub(super) fn read_square(&self, bits: u8) -> Option<(Option<Piece>, u8)> {
        self.board_words[usize::from(bits)]
    }

    pub(super) fn read_off_board(&self, bits: u8) -> Option<(OffBoard, u8)> {
        self.off_board_words[usize::from(bits)]
    }
}

/// Enters a word in a reading table; the build fails if one word begins another.
const fn claim<T: Copy>(words: &mut Words<T>, code: Code, item: T) {
    let mut pattern = code.bits as usize;
    while pattern < words.len() {
        assert!(words[pattern].is_none(), "one code word begins another");
        words[pattern] = Some((item, code.len));
        pattern += 1 << code.len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_takes_one_bit_less_off_the_board() {
        for codes in [&PACKED_SFEN, &HUFFMAN_CODED_POS] {
            for color in Color::ALL {
                for kind in PieceKind::ALL {
                    let Some(piece) = kind.to_hand() else { continue };
                    let len = codes.on_square(Some(Piece::new(color, kind))).len;
                    assert_eq!(codes.off_board(OffBoard::Hand(color, piece)).len, len - 1);
                    assert_eq!(codes.off_board(OffBoard::Absent(piece)).len, len - 1);
                }
            }
        }
    }

    #[test]
    fn all_bits_begin_a_word_for_a_square() {
        for codes in [&PACKED_SFEN, &HUFFMAN_CODED_POS] {
            assert!((0..=u8::MAX).all(|bits| codes.read_square(bits).is_some()));
        }
    }
}
