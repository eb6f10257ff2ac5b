//! Tables of single steps, and of whole slides on an empty board.

use super::directions::{Direction, ray, step};
use crate::{Bitboard, Color, Piece, PieceKind, Square};

type PieceTable = [[Bitboard; 81]; Piece::INDEX_COUNT];

const GOLD: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)];
const SILVER: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)];
const ORTHOGONAL: &[(i8, i8)] = &[(0, -1), (0, 1), (1, 0), (-1, 0)];
const DIAGONAL: &[(i8, i8)] = &[(1, -1), (-1, -1), (1, 1), (-1, 1)];
const AROUND: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (0, 1), (-1, 1)];

/// (file, rank) steps of a black piece; a slider's first step is always open to it.
const fn black_steps(kind: PieceKind) -> &'static [(i8, i8)] {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => &[(0, -1)],
        PieceKind::Knight => &[(1, -2), (-1, -2)],
        PieceKind::Silver => SILVER,
        PieceKind::Bishop => DIAGONAL,
        PieceKind::Rook => ORTHOGONAL,
        PieceKind::King | PieceKind::Horse | PieceKind::Dragon => AROUND,
        _ => GOLD,
    }
}

const fn build_steps(table: &mut PieceTable) {
    let mut k = 0;
    while k < 14 {
        let kind = PieceKind::ALL[k];
        let deltas = black_steps(kind);
        let mut s = 0;
        while s < 81 {
            let square = Square::from_index_unchecked(s as u8);
            let mut i = 0;
            while i < deltas.len() {
                let (file, rank) = deltas[i];
                if let Some(to) = step(square, (file, rank)) {
                    table[k + 1][s] = table[k + 1][s].union(Bitboard::square(to));
                }
                if let Some(to) = step(square, (-file, -rank)) {
                    table[k + 17][s] = table[k + 17][s].union(Bitboard::square(to));
                }
                i += 1;
            }
            s += 1;
        }
        k += 1;
    }
}

const SLIDES: [(Piece, &[Direction]); 10] = {
    use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
    const DIAGONALS: &[Direction] = &[NorthEast, NorthWest, SouthEast, SouthWest];
    const STRAIGHTS: &[Direction] = &[North, South, East, West];
    [
        (Piece::BLance, &[North]),
        (Piece::WLance, &[South]),
        (Piece::BBishop, DIAGONALS),
        (Piece::WBishop, DIAGONALS),
        (Piece::BHorse, DIAGONALS),
        (Piece::WHorse, DIAGONALS),
        (Piece::BRook, STRAIGHTS),
        (Piece::WRook, STRAIGHTS),
        (Piece::BDragon, STRAIGHTS),
        (Piece::WDragon, STRAIGHTS),
    ]
};

const fn add_slides(table: &mut PieceTable) {
    let mut p = 0;
    while p < SLIDES.len() {
        let (piece, directions) = SLIDES[p];
        let mut s = 0;
        while s < 81 {
            let mut d = 0;
            while d < directions.len() {
                let slide = ray(directions[d], Square::from_index_unchecked(s as u8));
                table[piece.index()][s] = table[piece.index()][s].union(slide);
                d += 1;
            }
            s += 1;
        }
        p += 1;
    }
}

static STEPS: PieceTable = {
    let mut table = [[Bitboard::EMPTY; 81]; Piece::INDEX_COUNT];
    build_steps(&mut table);
    table
};

static ON_EMPTY_BOARD: PieceTable = {
    let mut table = [[Bitboard::EMPTY; 81]; Piece::INDEX_COUNT];
    build_steps(&mut table);
    add_slides(&mut table);
    table
};

/// The squares a piece attacks at a distance of one move step, whatever stands on the board: everything for a
/// stepping piece, the first square of each slide for a sliding one.
#[inline]
#[must_use]
pub const fn steps(piece: Piece, square: Square) -> Bitboard {
    STEPS[piece.index()][square.index()]
}

/// The squares a piece attacks when nothing else stands on the board.
#[inline]
#[must_use]
pub const fn on_empty_board(piece: Piece, square: Square) -> Bitboard {
    ON_EMPTY_BOARD[piece.index()][square.index()]
}

/// How far one square lies from another, as a number.
#[derive(Clone, Copy)]
struct Distance(usize);

impl Distance {
    /// A size that arrays indexed by distances need; a power of two, so that no index needs to be checked.
    const COUNT: usize = 512;

    /// Nobody goes further than eight squares to either side.
    const fn new((file, rank): (i8, i8)) -> Self {
        Self(((file + 8) as usize * 17 + (rank + 8) as usize) % Self::COUNT)
    }

    #[inline(always)]
    const fn between(from: Square, to: Square) -> Self {
        const PLACES: [u16; 81] = {
            let mut places = [0; 81];
            let mut s = 0;
            while s < 81 {
                places[s] = (s / 9 * 17 + s % 9) as u16;
                s += 1;
            }
            places
        };
        const NOWHERE: u16 = Distance::new((0, 0)).0 as u16;
        Self((NOWHERE + PLACES[to.index()] - PLACES[from.index()]) as usize % Self::COUNT)
    }
}

/// Pieces of some kinds and colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceSet(
    /// A bit for the number of each.
    u32,
);

impl PieceSet {
    const EMPTY: Self = Self(0);

    /// All pieces of a player.
    #[inline]
    #[must_use]
    pub const fn of(color: Color) -> Self {
        Self(0x7ffe << (16 * color as u32))
    }

    /// What a player's piece may find where it goes: nothing, or an enemy's piece that is no king.
    #[inline]
    #[must_use]
    pub const fn yielding_to(color: Color) -> Self {
        const KING: u32 = 1 << PieceKind::King as u32;
        const YIELDING: [PieceSet; 2] = [PieceSet(1 | (0x7ffe & !KING) << 16), PieceSet(1 | 0x7ffe & !KING)];
        YIELDING[color.index()]
    }

    /// Whether this is one of them; nothing is in a set only where that says so. Needs no branch, for which piece comes next is hard to predict.
    #[inline]
    #[must_use]
    pub fn contains(self, piece: Option<Piece>) -> bool {
        self.0 >> piece.map_or(0, Piece::index) & 1 != 0
    }

    /// Whether this is one of them.
    #[inline]
    #[must_use]
    pub const fn has(self, piece: Piece) -> bool {
        self.0 >> piece as u8 & 1 != 0
    }

    /// Whether there is none in it.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those that belong to both sets.
    #[inline]
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    const fn add(&mut self, piece: Piece) {
        self.0 |= 1 << piece as u8;
    }
}

/// How to get from one square to another.
#[derive(Clone, Copy)]
pub struct Route {
    /// The pieces that go there when nothing else stands on the board.
    pub pieces: PieceSet,
    /// What the numbers of squares that follow each other on the way differ by.
    step: i8,
    /// How many squares a piece passes over.
    between: u8,
}

impl Route {
    const NONE: Self = Self { pieces: PieceSet::EMPTY, step: 0, between: 0 };

    /// Whether nothing lies between: then nothing can be in the way.
    #[inline(always)]
    #[must_use]
    pub const fn is_step(self) -> bool {
        self.between == 0
    }

    /// The numbers of the squares between `from` and the other end, in order. Steps and jumps pass over none.
    #[inline(always)]
    pub fn between(self, from: Square) -> impl Iterator<Item = usize> {
        let step = isize::from(self.step);
        let next = move |at: &usize| Some(at.wrapping_add_signed(step));
        std::iter::successors(next(&from.index()), next).take(usize::from(self.between))
    }
}

/// By distance.
static ROUTES: [Route; Distance::COUNT] = {
    let mut table = [Route::NONE; Distance::COUNT];
    let mut k = 0;
    while k < 14 {
        let kind = PieceKind::ALL[k];
        let deltas = black_steps(kind);
        let mut i = 0;
        while i < deltas.len() {
            let (file, rank) = deltas[i];
            table[Distance::new((file, rank)).0].pieces.add(Piece::new(Color::Black, kind));
            table[Distance::new((-file, -rank)).0].pieces.add(Piece::new(Color::White, kind));
            i += 1;
        }
        k += 1;
    }
    let mut p = 0;
    while p < SLIDES.len() {
        let (piece, directions) = SLIDES[p];
        let mut d = 0;
        while d < directions.len() {
            let (file, rank) = directions[d].delta();
            let mut length = 1;
            while length <= 8 {
                let route = &mut table[Distance::new((file * length, rank * length)).0];
                route.pieces.add(piece);
                route.step = 9 * file + rank;
                route.between = length as u8 - 1;
                length += 1;
            }
            d += 1;
        }
        p += 1;
    }
    table
};

/// The way from one square to another.
#[inline]
#[must_use]
pub const fn route(from: Square, to: Square) -> Route {
    ROUTES[Distance::between(from, to).0]
}

/// The pieces that could never leave a square.
#[inline]
#[must_use]
pub const fn stuck(square: Square) -> PieceSet {
    static STUCK: [PieceSet; 81] = {
        let mut table = [PieceSet::EMPTY; 81];
        let mut p = 0;
        while p < 2 * PieceKind::ALL.len() {
            let piece = Piece::new([Color::Black, Color::White][p % 2], PieceKind::ALL[p / 2]);
            let mut s = 0;
            while s < 81 {
                if ON_EMPTY_BOARD[piece.index()][s].is_empty() {
                    table[s].add(piece);
                }
                s += 1;
            }
            p += 1;
        }
        table
    };
    STUCK[square.index()]
}

/// The pieces that attack one square from another when nothing else stands on the board.
///
/// ```
/// use shogi::{Piece, Square, attacks};
/// assert!(attacks::reaching(Square::Sq99, Square::Sq94).contains(Some(Piece::BLance)));
/// assert!(!attacks::reaching(Square::Sq99, Square::Sq94).contains(Some(Piece::BPawn)));
/// ```
#[inline]
#[must_use]
pub const fn reaching(from: Square, to: Square) -> PieceSet {
    route(from, to).pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotated_piece_attacks_the_rotated_squares() {
        for kind in PieceKind::ALL {
            for square in Square::all() {
                let black = Piece::new(Color::Black, kind);
                assert_eq!(steps(black, square).flip(), steps(black.flip(), square.flip()));
                assert_eq!(on_empty_board(black, square).flip(), on_empty_board(black.flip(), square.flip()));
            }
        }
    }

    #[test]
    fn reaching_is_attacking_on_an_empty_board() {
        for piece in PieceKind::ALL.into_iter().flat_map(|k| Color::ALL.map(|c| Piece::new(c, k))) {
            for from in Square::all() {
                let reached: Bitboard =
                    Square::all().filter(|to| reaching(from, *to).contains(Some(piece))).collect();
                assert_eq!(reached, on_empty_board(piece, from), "{piece:?} on {from}");
                assert!(!reaching(from, Square::Sq55).contains(None));
                assert!(
                    Color::ALL
                        .into_iter()
                        .all(|c| PieceSet::of(c).contains(Some(piece)) == (piece.color() == c))
                );
            }
        }
    }

    #[test]
    fn routes_pass_over_what_is_between() {
        for (from, to) in Square::all().flat_map(|from| Square::all().map(move |to| (from, to))) {
            let slides = SLIDES.iter().any(|(piece, _)| on_empty_board(*piece, from).contains(to));
            let passed: Vec<usize> = route(from, to).between(from).collect();
            let mut between: Vec<usize> =
                super::super::between(from, to).into_iter().map(Square::index).collect();
            if to < from {
                between.reverse();
            }
            assert_eq!(passed, if slides { between } else { Vec::new() }, "{from} to {to}");
        }
    }

    #[test]
    fn who_is_stuck_and_who_yields() {
        for piece in PieceKind::ALL.into_iter().flat_map(|k| Color::ALL.map(|c| Piece::new(c, k))) {
            for square in Square::all() {
                assert_eq!(stuck(square).contains(Some(piece)), on_empty_board(piece, square).is_empty());
                assert!(!stuck(square).contains(None));
            }
            for color in Color::ALL {
                let yields = piece.color() != color && piece.kind() != PieceKind::King;
                assert_eq!(PieceSet::yielding_to(color).contains(Some(piece)), yields);
                assert!(PieceSet::yielding_to(color).contains(None));
            }
        }
    }

    #[test]
    fn counts_in_the_middle() {
        let counts: Vec<_> = PieceKind::ALL
            .iter()
            .map(|&k| steps(Piece::new(Color::Black, k), Square::Sq55).count())
            .collect();
        assert_eq!(counts, [1, 1, 2, 5, 4, 4, 6, 8, 6, 6, 6, 6, 8, 8]);
        assert_eq!(on_empty_board(Piece::WHorse, Square::Sq55).count(), 20);
        assert_eq!(on_empty_board(Piece::BLance, Square::Sq19).count(), 8);
        assert_eq!(steps(Piece::BKnight, Square::Sq12), Bitboard::EMPTY);
    }
}
