//! A whole board at once, on processors that can move bytes about in registers of 64 (AVX-512 with VBMI). Whoever has no
//! [`Wide`] does the same square by square; property tests compare the two.

use super::bits::BYTES;
use super::codes::{Codes, RUN_WORDS};
use super::stock::Tally;

/// A board as code words, what stands on it, and the kings.
pub(super) struct WideBoard {
    /// With the side to move and the kings before the board and zeros behind it; what does not fit is lost.
    pub(super) bytes: [u8; BYTES],
    /// Where the board ends.
    pub(super) end: usize,
    pub(super) tally: Tally,
    /// The squares of Black's and White's king; beyond the board if there is none.
    pub(super) kings: [u8; 2],
}

/// What stands beside the kings on a board that was read, and where it ends.
#[derive(Clone, Copy)]
pub(super) struct WideRead {
    pub(super) tally: Tally,
    pub(super) end: usize,
}

/// So many boards are read at once, so that one need not wait for the other.
pub(super) const SIDE_BY_SIDE: usize = 4;

/// For the squares of each, and for what is read beyond them.
pub(super) type Rooms = [[u8; 256 + RUN_WORDS]; SIDE_BY_SIDE];

#[cfg(not(target_arch = "x86_64"))]
pub(super) use elsewhere::Wide;
#[cfg(target_arch = "x86_64")]
pub(super) use x86::Wide;

#[cfg(not(target_arch = "x86_64"))]
mod elsewhere {
    use super::{BYTES, Codes, Rooms, SIDE_BY_SIDE, WideBoard, WideRead};
    use crate::{Color, SetupRanks};

    /// No such processor.
    #[derive(Clone, Copy)]
    pub(in super::super) enum Wide {}

    impl Wide {
        pub(in super::super) fn detect() -> Option<Self> {
            None
        }

        pub(in super::super) fn boards(
            self,
            _: [&[u8; BYTES]; SIDE_BY_SIDE],
            _: &Codes,
            _: &mut Rooms,
            _: &mut [SetupRanks; SIDE_BY_SIDE],
        ) -> [Option<WideRead>; SIDE_BY_SIDE] {
            match self {}
        }

        pub(in super::super) fn board(self, _: &[u64; 9], _: Color, _: &Codes) -> WideBoard {
            match self {}
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::codes::NO_KING;
    use super::super::long_runs::{LongRuns, Stride};
    use super::super::pack::{HEAD_BITS, head};
    use super::super::stock::COUNTER;
    use super::super::unpack::{head_of, read_kings};
    use super::{BYTES, Codes, Rooms, SIDE_BY_SIDE, Tally, WideBoard, WideRead};
    use crate::{Color, Piece, SetupRanks, Square};
    use std::arch::is_x86_feature_detected as has;
    #[allow(clippy::wildcard_imports, reason = "half a hundred instructions")]
    use std::arch::x86_64::*;

    /// Says that the processor has the instructions.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Wide(());

    #[allow(clippy::unused_self, reason = "who has one may call")]
    impl Wide {
        #[inline]
        pub(in super::super) fn detect() -> Option<Self> {
            let all = has!("avx512f") && has!("avx512bw") && has!("avx512vbmi") && has!("bmi2");
            all.then_some(Self(()))
        }

        /// The ranks of packed boards with both kings; `None` for any other, for what is no board, and now and then for
        /// one that is.
        #[inline(always)]
        pub(in super::super) fn boards(
            self,
            packed: [&[u8; BYTES]; SIDE_BY_SIDE],
            codes: &Codes,
            rooms: &mut Rooms,
            setups: &mut [SetupRanks; SIDE_BY_SIDE],
        ) -> [Option<WideRead>; SIDE_BY_SIDE] {
            // SAFETY: there is a `Wide` only where the instructions are.
            unsafe { boards(packed, codes, rooms, setups) }
        }

        /// A board of which the ranks are known, five bits for each square.
        #[inline(always)]
        pub(in super::super) fn board(self, ranks: &[u64; 9], side: Color, codes: &Codes) -> WideBoard {
            // SAFETY: there is a `Wide` only where the instructions are.
            unsafe { board(ranks, side, codes) }
        }
    }

    /// Where the squares of the first eight ranks are, eight files of each.
    static EIGHTS: [u8; 64] = {
        let mut places = [0; 64];
        let mut i = 0;
        while i < 64 {
            places[i] = (i % 8 * 9 + i / 8) as u8;
            i += 1;
        }
        places
    };

    /// The others: eight ranks of the ninth file, eight files of the ninth rank, the last square. What follows counts
    /// for nothing.
    static OTHERS: [u8; 64] = {
        let mut places = [0; 64];
        let mut i = 0;
        while i < 8 {
            places[i] = (8 * 9 + i) as u8;
            places[8 + i] = (i * 9 + 8) as u8;
            i += 1;
        }
        places[16] = 80;
        places
    };

    /// Where the squares of a board, file by file, are among [`EIGHTS`] and [`OTHERS`].
    static PLACES: [[u8; 64]; 2] = {
        let mut places = [[0; 64]; 2];
        let mut i = 0;
        while i < 64 {
            places[EIGHTS[i] as usize / 64][EIGHTS[i] as usize % 64] = i as u8;
            if i < 17 {
                places[OTHERS[i] as usize / 64][OTHERS[i] as usize % 64] = 64 + i as u8;
            }
            i += 1;
        }
        places
    };

    /// Two counters of a [`Tally`] in a byte, so that adding bytes counts both.
    const PAIRS: usize = 5;

    /// By [`Piece::index`]: what it adds to each pair of counters.
    static COUNTS: [[u8; 64]; PAIRS] = {
        let mut counts = [[0; 64]; PAIRS];
        let mut piece = 0;
        while piece < Piece::INDEX_COUNT {
            let number = Tally::of(piece).number();
            if number != 0 {
                let counter = number.trailing_zeros() as usize / COUNTER;
                counts[counter / 2][piece] = 1 << (COUNTER * (counter % 2));
            }
            piece += 1;
        }
        counts
    };

    #[inline(always)]
    fn load(bytes: &[u8; 64]) -> __m512i {
        // SAFETY: both are 64 bytes, and any bytes are a vector.
        unsafe { std::mem::transmute(*bytes) }
    }

    #[inline(always)]
    fn load_words(words: &[u64; 8]) -> __m512i {
        // SAFETY: both are 64 bytes, and any bytes are a vector.
        unsafe { std::mem::transmute(*words) }
    }

    #[inline(always)]
    fn words(vector: __m512i) -> [u64; 8] {
        // SAFETY: both are 64 bytes, and any bytes are numbers.
        unsafe { std::mem::transmute(vector) }
    }

    /// So many runs are in the bits that can be seen ahead.
    const RUNS_AHEAD: usize = 4;
    /// So many times all boards look ahead that are met in practice.
    const ROUNDS: usize = 5;
    /// Squares beside those of kings.
    const SQUARES: usize = Square::COUNT - 2;

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi2")]
    fn boards(
        packed: [&[u8; BYTES]; SIDE_BY_SIDE],
        codes: &Codes,
        rooms: &mut Rooms,
        setups: &mut [SetupRanks; SIDE_BY_SIDE],
    ) -> [Option<WideRead>; SIDE_BY_SIDE] {
        let (runs, mut at) = (codes.long_runs(), [Stride::at(HEAD_BITS); SIDE_BY_SIDE]);
        for _ in 0..ROUNDS {
            let mut ahead = [0; SIDE_BY_SIDE];
            for i in 0..SIDE_BY_SIDE {
                // The last eight bytes are looked at more than once; what is behind them means nothing.
                let cursor = at[i].cursor();
                let byte = (cursor / 8).min(BYTES - 8);
                let eight = packed[i][byte..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
                ahead[i] = eight.wrapping_shr((cursor - 8 * byte) as u32);
            }
            for _ in 0..RUNS_AHEAD {
                for i in 0..SIDE_BY_SIDE {
                    let run = LongRuns::run(ahead[i]);
                    if let Some(room) = rooms[i][at[i].squares() % 256..].first_chunk_mut() {
                        *room = runs.squares(run);
                    }
                    ahead[i] = ahead[i].wrapping_shr(runs.stride(run, &mut at[i]));
                }
            }
        }
        std::array::from_fn(|i| {
            let kings = read_kings(head_of(packed[i])).ok().filter(|kings| !kings.contains(&NO_KING))?;
            if at[i].squares() < SQUARES {
                return None;
            }
            let [low, high] = rooms[i].first_chunk::<128>()?.as_chunks().0 else { return None };
            let (low, high) = (load(low), _mm512_maskz_mov_epi8((1 << (SQUARES - 64)) - 1, load(high)));
            let tally = tally_of([low, high]);
            let end = if tally.is_complete() {
                // All pieces and so many squares are as many bits as there are.
                8 * BYTES
            } else {
                let lengths = load(&codes.by_square()[1]);
                let all = _mm512_permutexvar_epi8(low, lengths);
                let others = _mm512_maskz_permutexvar_epi8((1 << (SQUARES - 64)) - 1, high, lengths);
                let nothing = _mm512_setzero_si512();
                let sums = _mm512_add_epi64(_mm512_sad_epu8(all, nothing), _mm512_sad_epu8(others, nothing));
                HEAD_BITS + _mm512_reduce_add_epi64(sums) as usize
            };
            // What was read beyond the last bit is no board.
            if end > 8 * BYTES {
                return None;
            }
            setups[i].ranks = ranks([low, high], kings);
            Some(WideRead { tally, end })
        })
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn ranks([low, high]: [__m512i; 2], kings: [u8; 2]) -> [u64; 9] {
        let kings = [(kings[0], Piece::BKing), (kings[1], Piece::WKing)]
            .map(|(square, piece)| (_mm512_set1_epi8(square as i8), _mm512_set1_epi8(piece.index() as i8)));
        let pick = |places: &[u8; 64]| {
            let places = load(places);
            let mut from = places;
            for (square, _) in kings {
                // Each king moves all behind it on by one.
                let behind = _mm512_cmpgt_epu8_mask(places, square);
                from = _mm512_mask_sub_epi8(from, behind, from, _mm512_set1_epi8(1));
            }
            let mut found = _mm512_permutex2var_epi8(low, from, high);
            for (square, piece) in kings {
                found = _mm512_mask_mov_epi8(found, _mm512_cmpeq_epu8_mask(places, square), piece);
            }
            found
        };
        let (eights, others) = (pick(&EIGHTS), pick(&OTHERS));
        let ninth_file = _mm512_slli_epi64::<40>(_mm512_cvtepu8_epi64(_mm512_castsi512_si128(others)));
        let [_, ninth_rank, last, ..] = words(squeeze(others));
        let mut all = [ninth_rank | (last & 31) << 40; 9];
        all[..8].copy_from_slice(&words(_mm512_or_si512(squeeze(eights), ninth_file)));
        all
    }

    /// Eight bytes become five bits each: neighbours move together, three times.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn squeeze(ones: __m512i) -> __m512i {
        let twos = _mm512_maddubs_epi16(ones, _mm512_set1_epi16(1 | 1 << 13));
        let fours = _mm512_madd_epi16(twos, _mm512_set1_epi32(1 | 1 << 26));
        let first = _mm512_and_si512(fours, _mm512_set1_epi64(0x000f_ffff));
        _mm512_or_si512(first, _mm512_slli_epi64::<20>(_mm512_srli_epi64::<32>(fours)))
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn board(ranks: &[u64; 9], side: Color, codes: &Codes) -> WideBoard {
        let squares = squares_of(ranks);
        let [bits, lengths] = codes.by_square();
        let (bits, lengths) = (load(bits), load(lengths));
        let [low, high] = [(squares[0], u64::MAX), (squares[1], BEYOND)].map(|(squares, there)| {
            let words = _mm512_permutexvar_epi8(squares, bits);
            eights(words, _mm512_maskz_permutexvar_epi8(there, squares, lengths))
        });
        // Where each eight squares end, and begin.
        let ends = _mm512_add_epi64(sums(low.1), _mm512_set1_epi64(HEAD_BITS as i64));
        let middle = _mm512_permutexvar_epi64(_mm512_set1_epi64(7), ends);
        let last_ends = _mm512_add_epi64(sums(high.1), middle);
        let low = (low.0, _mm512_sub_epi64(ends, low.1));
        let high = (high.0, _mm512_sub_epi64(last_ends, high.1));
        let word = |number: i64| {
            // Words that begin before this one reach into it, those that begin in it reach out of it; from further
            // away nothing is left.
            let [low, high] = [low, high].map(|(words, begins)| {
                let place = _mm512_sub_epi64(begins, _mm512_set1_epi64(64 * number));
                let back = _mm512_sub_epi64(_mm512_setzero_si512(), place);
                _mm512_or_si512(_mm512_sllv_epi64(words, place), _mm512_srlv_epi64(words, back))
            });
            _mm512_or_si512(low, high)
        };
        let [first, second] = [[word(0), word(1)], [word(2), word(3)]].map(|[even, odd]| {
            let both = _mm512_or_si512(_mm512_unpacklo_epi64(even, odd), _mm512_unpackhi_epi64(even, odd));
            let half = _mm256_or_si256(_mm512_castsi512_si256(both), _mm512_extracti64x4_epi64::<1>(both));
            _mm_or_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half))
        });
        let kings = [Piece::BKing, Piece::WKing].map(|piece| {
            let king = _mm512_set1_epi8(piece.index() as i8);
            let [low, high] = squares.map(|squares| _mm512_cmpeq_epu8_mask(squares, king));
            if low != 0 { low.trailing_zeros() as u8 } else { 64 + high.trailing_zeros() as u8 }
        });
        let head = _mm_cvtsi64_si128(head(side, kings).into());
        let bytes = _mm256_set_m128i(second, _mm_or_si128(first, head));
        WideBoard {
            // SAFETY: both are 32 bytes, and any bytes are bytes. Stored as a whole, it can be loaded as a whole at once.
            bytes: unsafe { std::mem::transmute::<__m256i, [u8; BYTES]>(bytes) },
            end: words(last_ends)[7] as usize,
            tally: tally_of(squares),
            kings,
        }
    }

    /// The squares that are behind the first 64.
    const BEYOND: u64 = (1 << (Square::COUNT - 64)) - 1;

    /// The squares of a board, file by file, of which the ranks are known.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn squares_of(ranks: &[u64; 9]) -> [__m512i; 2] {
        let [eight @ .., ninth] = ranks;
        let (ranks, ninth) = (load_words(eight), *ninth as i64);
        // Five bits become a byte.
        let shifts = _mm512_set1_epi64(0x231e_1914_0f0a_0500);
        let low_bits = _mm512_set1_epi8(31);
        let spread = |ranks: __m512i| _mm512_and_si512(_mm512_multishift_epi64_epi8(shifts, ranks), low_bits);
        let eights = spread(ranks);
        let ninth_file = _mm512_cvtepi64_epi8(_mm512_srli_epi64::<40>(ranks));
        let ninth_rank = _mm512_castsi512_si128(spread(_mm512_set1_epi64(ninth)));
        let others = _mm512_castsi128_si512(_mm_unpacklo_epi64(ninth_file, ninth_rank));
        let others = _mm512_mask_set1_epi8(others, 1 << 16, (ninth >> 40) as i8);
        [
            _mm512_permutex2var_epi8(eights, load(&PLACES[0]), others),
            _mm512_maskz_permutex2var_epi8(BEYOND, eights, load(&PLACES[1]), others),
        ]
    }

    /// Eight words and their lengths become one: neighbours are put together, three times.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn eights(words: __m512i, lengths: __m512i) -> (__m512i, __m512i) {
        let first = _mm512_and_si512(lengths, _mm512_set1_epi16(0xff));
        let second = _mm512_sllv_epi16(_mm512_srli_epi16::<8>(words), first);
        let words = _mm512_or_si512(_mm512_and_si512(words, _mm512_set1_epi16(0xff)), second);
        let lengths = _mm512_add_epi16(first, _mm512_srli_epi16::<8>(lengths));
        let first = _mm512_and_si512(lengths, _mm512_set1_epi32(0xffff));
        let second = _mm512_sllv_epi32(_mm512_srli_epi32::<16>(words), first);
        let words = _mm512_or_si512(_mm512_and_si512(words, _mm512_set1_epi32(0xffff)), second);
        let lengths = _mm512_add_epi32(first, _mm512_srli_epi32::<16>(lengths));
        let first = _mm512_and_si512(lengths, _mm512_set1_epi64(0xffff_ffff));
        let second = _mm512_sllv_epi64(_mm512_srli_epi64::<32>(words), first);
        let words = _mm512_or_si512(_mm512_and_si512(words, _mm512_set1_epi64(0xffff_ffff)), second);
        (words, _mm512_add_epi64(first, _mm512_srli_epi64::<32>(lengths)))
    }

    /// Each number with all that are before it.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn sums(numbers: __m512i) -> __m512i {
        let nothing = _mm512_setzero_si512();
        let numbers = _mm512_add_epi64(numbers, _mm512_alignr_epi64::<7>(numbers, nothing));
        let numbers = _mm512_add_epi64(numbers, _mm512_alignr_epi64::<6>(numbers, nothing));
        _mm512_add_epi64(numbers, _mm512_alignr_epi64::<4>(numbers, nothing))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn tally_of(squares: [__m512i; 2]) -> Tally {
        let mut tally = _mm512_setzero_si512();
        for counts in COUNTS.iter().rev() {
            let [low, high] = squares.map(|squares| {
                _mm512_sad_epu8(_mm512_permutexvar_epi8(squares, load(counts)), _mm512_setzero_si512())
            });
            let tally_before = _mm512_slli_epi64::<{ 2 * COUNTER as u32 }>(tally);
            tally = _mm512_add_epi64(tally_before, _mm512_add_epi64(low, high));
        }
        Tally::from_number(_mm512_reduce_add_epi64(tally) as u64)
    }
}
