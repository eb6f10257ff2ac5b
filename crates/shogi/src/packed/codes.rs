//! The code words of the two formats.
//!
//! Both spend the same number of bits on a piece wherever it is (one bit less off the board, which leaves the bit
//! of an empty square behind), so that every position with a full set of pieces and two kings has 256 bits.

use super::long_runs::{LongRuns, long_runs};
use super::stock::Tally;
use crate::{Color, HandPiece, Piece, PieceKind, SetupWords, Square};
use std::sync::LazyLock;

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
pub(super) static PACKED_SFEN: Codes = Codes::new(
    &Alphabet {
        board: ["10pc", "1100pc", "1101pc", "1110pc", "111110pc", "111111pc", "11110c"],
        hand: ["00c", "1000c", "1010c", "1100c", "111100c", "111110c", "1110c"],
        absent: ["010", "10010", "10110", "11010", "1111010", "1111110", "11011"],
    },
    &PACKED_SFEN_TRIPLES,
    &PACKED_SFEN_LONG_RUNS,
);

/// Apery's words, with the box of cshogi.
pub(super) static HUFFMAN_CODED_POS: Codes = Codes::new(
    &Alphabet {
        board: ["10cp", "1100cp", "1110cp", "1101cp", "111110cp", "111111cp", "11110c"],
        hand: ["00c", "1000c", "1100c", "1010c", "111110c", "111111c", "1110c"],
        absent: ["010", "10010", "11010", "10110", "1111000", "1111010", "10111"],
    },
    &HUFFMAN_CODED_POS_TRIPLES,
    &HUFFMAN_CODED_POS_LONG_RUNS,
);

/// A code word, its first bit lowest.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub(super) bits: u8,
    pub(super) len: u8,
}

impl Code {
    pub(super) const EMPTY_SQUARE: Self = Self { bits: 0, len: 1 };
    /// A king, whose square is told elsewhere.
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
pub(super) type Words<T> = [Option<(T, u8)>; 256];

/// So many bits are looked up at once.
const RUN_BITS: usize = 12;
/// And not more words than that.
pub(super) const RUN_WORDS: usize = 8;

/// By some bits: the words that they begin with, as many as are whole; there is always one. How long they are is asked
/// before all else can be, and has a small table of its own.
struct Runs {
    steps: [Step; 1 << RUN_BITS],
    squares: [[u8; RUN_WORDS]; 1 << RUN_BITS],
    tallies: [Tally; 1 << RUN_BITS],
    /// Four bits for each word: how many bits there are up to its end.
    ends: [u32; 1 << RUN_BITS],
}

/// How many bits a run takes, and above that how many words they are.
#[derive(Clone, Copy)]
pub(super) struct Step(u8);

impl Step {
    #[inline(always)]
    pub(super) fn words(self) -> usize {
        (self.0 >> 4).into()
    }

    #[inline(always)]
    pub(super) fn bits(self) -> usize {
        (self.0 & 15).into()
    }
}

static PACKED_SFEN_LONG_RUNS: LazyLock<Box<LongRuns>> = LazyLock::new(|| long_runs(&PACKED_SFEN));
static HUFFMAN_CODED_POS_LONG_RUNS: LazyLock<Box<LongRuns>> = LazyLock::new(|| long_runs(&HUFFMAN_CODED_POS));

/// Some bits of which the words are looked up.
#[derive(Clone, Copy)]
pub(super) struct Run(pub(super) usize);

/// The words of three squares, the first bit lowest.
#[derive(Clone, Copy)]
pub(super) struct Triple {
    pub(super) tally: Tally,
    pub(super) bits: u32,
    pub(super) len: u32,
}

/// By three squares of [`SetupWords::files`].
pub(super) type Triples = [Triple; 1 << (3 * SetupWords::SQUARE_BITS)];

/// All triples, made when the first position is packed: they would be half a megabyte of the program.
fn triples(codes: &Codes) -> Box<Triples> {
    let triple = |squares: usize| {
        let word = |number: usize| squares >> (number * SetupWords::SQUARE_BITS) & 31;
        [word(0), word(1), word(2)].into_iter().fold(
            Triple { tally: Tally::default(), bits: 0, len: 0 },
            |Triple { tally, bits, len }, square| {
                let code = codes.on_square(square as u64);
                Triple {
                    tally: tally.and(Tally::of(square)),
                    bits: bits | u32::from(code.bits) << len,
                    len: len + u32::from(code.len),
                }
            },
        )
    };
    let all: Box<[Triple]> = (0..1 << (3 * SetupWords::SQUARE_BITS)).map(triple).collect();
    all.try_into().unwrap_or_else(|_| unreachable!("there are as many as there are numbers"))
}

static PACKED_SFEN_TRIPLES: LazyLock<Box<Triples>> = LazyLock::new(|| triples(&PACKED_SFEN));
static HUFFMAN_CODED_POS_TRIPLES: LazyLock<Box<Triples>> = LazyLock::new(|| triples(&HUFFMAN_CODED_POS));

/// An alphabet as tables, for writing and for reading.
pub struct Codes {
    /// By [`Piece::index`]; 0 is the empty square, kings have no word.
    board: [Code; Piece::INDEX_COUNT],
    /// The same for all five bits of a square: the bits, and how many they are.
    by_square: [[u8; 64]; 2],
    triples: &'static LazyLock<Box<Triples>>,
    long_runs: &'static LazyLock<Box<LongRuns>>,
    hand: [[Code; 8]; 2],
    absent: [Code; 8],
    runs: Runs,
    off_board_words: Words<OffBoard>,
}

impl Codes {
    #[allow(clippy::large_stack_arrays, reason = "made when the program is built")]
    const fn new(
        alphabet: &Alphabet,
        triples: &'static LazyLock<Box<Triples>>,
        long_runs: &'static LazyLock<Box<LongRuns>>,
    ) -> Self {
        let mut codes = Self {
            board: [Code::EMPTY_SQUARE; Piece::INDEX_COUNT],
            by_square: [[0; 64]; 2],
            triples,
            long_runs,
            hand: [[Code::EMPTY_SQUARE; 8]; 2],
            absent: [Code::EMPTY_SQUARE; 8],
            runs: Runs::EMPTY,
            off_board_words: [None; 256],
        };
        codes.board[Piece::BKing.index()] = Code::NOTHING;
        codes.board[Piece::WKing.index()] = Code::NOTHING;
        let mut board_words = [None; 256];
        claim(&mut board_words, Code::EMPTY_SQUARE, None);
        let mut i = 0;
        while i < 7 {
            let piece = HandPiece::ALL[i];
            let mut side = 0;
            while side < 2 {
                let color = Color::ALL[side];
                codes.add_to_board(&mut board_words, color, piece.kind(), alphabet.board[i]);
                if let Some(promoted) = piece.kind().promoted() {
                    codes.add_to_board(&mut board_words, color, promoted, alphabet.board[i]);
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
        let mut square = 0;
        while square < Piece::INDEX_COUNT {
            codes.by_square[0][square] = codes.board[square].bits;
            codes.by_square[1][square] = codes.board[square].len;
            square += 1;
        }
        let mut bits = 0;
        while bits < 1 << RUN_BITS {
            codes.runs.enter(&board_words, bits);
            bits += 1;
        }
        codes
    }

    const fn add_to_board(
        &mut self,
        words: &mut Words<Option<Piece>>,
        color: Color,
        kind: PieceKind,
        word: &str,
    ) {
        let code = Code::new(word, color, kind.is_promoted());
        let piece = Piece::new(color, kind);
        self.board[piece.index()] = code;
        claim(words, code, Some(piece));
    }

    /// The words for three squares; that for a king is empty.
    #[inline]
    pub(super) fn triples(&self) -> &'static Triples {
        self.triples
    }

    /// The word for one square.
    #[inline]
    pub(super) fn on_square(&self, square: u64) -> Code {
        self.board[square as usize % 32 % self.board.len()]
    }

    /// By what stands on a square: the bits of its word, and how many they are.
    #[inline]
    pub(super) fn by_square(&self) -> &[[u8; 64]; 2] {
        &self.by_square
    }

    pub(super) fn off_board(&self, piece: OffBoard) -> Code {
        match piece {
            OffBoard::Hand(color, piece) => self.hand[color.index()][piece.index()],
            OffBoard::Absent(piece) => self.absent[piece.index()],
        }
    }

    /// The words that the next bits of a stream begin with.
    #[inline(always)]
    pub(super) fn run(ahead: u64) -> Run {
        Run(ahead as usize % (1 << RUN_BITS))
    }

    #[inline(always)]
    pub(super) fn step(&self, run: Run) -> Step {
        self.runs.steps[run.0]
    }

    /// For those who read several boards at once.
    #[inline]
    pub(super) fn long_runs(&self) -> &'static LongRuns {
        self.long_runs
    }

    /// What the words of a run say: [`Piece::index`], or 0.
    #[inline(always)]
    pub(super) fn squares(&self, run: Run) -> [u8; RUN_WORDS] {
        self.runs.squares[run.0]
    }

    #[inline(always)]
    pub(super) fn tally(&self, run: Run) -> Tally {
        self.runs.tallies[run.0]
    }

    /// What the first words of a run count, and how many bits they take; there must be one.
    #[inline(always)]
    pub(super) fn first_words(&self, run: Run, count: usize) -> (Tally, usize) {
        let bits = self.runs.ends[run.0] >> (4 * (count.wrapping_sub(1) % RUN_WORDS)) & 15;
        // Zeros behind them are empty squares, which count nothing.
        (self.tally(Run(run.0 & ((1 << bits) - 1))), bits as usize)
    }

    pub(super) fn read_off_board(&self, bits: u8) -> Option<(OffBoard, u8)> {
        self.off_board_words[usize::from(bits)]
    }
}

/// Enters a word in a reading table; the build fails if one word begins another.
pub(super) const fn claim<T: Copy>(words: &mut Words<T>, code: Code, item: T) {
    let mut pattern = code.bits as usize;
    while pattern < words.len() {
        assert!(words[pattern].is_none(), "one code word begins another");
        words[pattern] = Some((item, code.len));
        pattern += 1 << code.len;
    }
}

impl Runs {
    #[allow(clippy::large_stack_arrays, reason = "made when the program is built")]
    const EMPTY: Self = Self {
        steps: [Step(0); 1 << RUN_BITS],
        squares: [[0; RUN_WORDS]; 1 << RUN_BITS],
        tallies: [Tally::of(0); 1 << RUN_BITS],
        ends: [0; 1 << RUN_BITS],
    };

    const fn enter(&mut self, words: &Words<Option<Piece>>, bits: usize) {
        let (mut count, mut end) = (0, 0);
        while count < RUN_WORDS
            && let Some((piece, len)) = words[bits >> end & 0xff]
            && end + len as usize <= RUN_BITS
        {
            let square = if let Some(piece) = piece { piece.index() } else { 0 };
            self.squares[bits][count] = square as u8;
            self.tallies[bits] = self.tallies[bits].and(Tally::of(square));
            end += len as usize;
            self.ends[bits] |= (end as u32) << (4 * count);
            count += 1;
        }
        assert!(count > 0, "some bits begin no word");
        self.steps[bits] = Step((count << 4 | end) as u8);
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
                    let len = codes.on_square(Piece::new(color, kind).index() as u64).len;
                    assert_eq!(codes.off_board(OffBoard::Hand(color, piece)).len, len - 1);
                    assert_eq!(codes.off_board(OffBoard::Absent(piece)).len, len - 1);
                }
            }
        }
    }
}
