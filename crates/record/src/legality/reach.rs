//! Which pieces attack a square when nothing is between, found for all squares at once.
//!
//! Ways to move fall into eight kinds, a bit each. A board of the kinds that each piece masters, met with a board of the kinds
//! that lead to a square, leaves the attackers: a few operations on whole vectors, and no branch for any square.

use shogi::attacks::reaching;
use shogi::{Bitboard, Color, Piece, PieceKind, Square};

/// A byte for each square, and some for whole vectors.
type Bytes = [u8; 96];

/// The kind of way that leads so many files and ranks away, as Black sees the board; 0 if no piece goes there at once.
const fn way((files, ranks): (i8, i8)) -> u8 {
    match (files.unsigned_abs(), ranks) {
        (0, 0) => 0,
        (0, -1) => 1,
        (1, -1) => 1 << 1,
        (1, 0) | (0, 1) => 1 << 2,
        (1, 1) => 1 << 3,
        (1, -2) => 1 << 4,
        (0, ..0) => 1 << 5,
        (_, 0) | (0, _) => 1 << 6,
        (files, ranks) if files == ranks.unsigned_abs() => 1 << 7,
        _ => 0,
    }
}

/// The kind of way from one square to another for a side.
const fn way_between(side: Color, from: usize, to: usize) -> u8 {
    let (files, ranks) = (to as i8 / 9 - from as i8 / 9, to as i8 % 9 - from as i8 % 9);
    way(if matches!(side, Color::Black) { (files, ranks) } else { (-files, -ranks) })
}

/// By side and square: the kinds of ways that lead there from each square.
static LEADING: [[Bytes; Square::COUNT]; 2] = {
    let mut table = [[[0; 96]; Square::COUNT]; 2];
    let mut to = 0;
    while to < Square::COUNT {
        let mut from = 0;
        while from < Square::COUNT {
            table[0][to][from] = way_between(Color::Black, from, to);
            table[1][to][from] = way_between(Color::White, from, to);
            from += 1;
        }
        to += 1;
    }
    table
};

/// By side and number of a piece: the kinds of ways that it masters, if it belongs to that side.
static MASTERED: [[u8; 32]; 2] = {
    /// All kinds of ways lead to its middle, and away from it.
    const MIDDLE: Square = Square::Sq55;
    let mut table = [[0; 32]; 2];
    let mut p = 0;
    while p < 2 * PieceKind::ALL.len() {
        let color = [Color::Black, Color::White][p % 2];
        let piece = Piece::new(color, PieceKind::ALL[p / 2]);
        let mut s = 0;
        while let Some(to) = Square::from_index(s) {
            if reaching(MIDDLE, to).has(piece) {
                table[p % 2][piece.index()] |= way_between(color, MIDDLE.index(), to.index());
            }
            s += 1;
        }
        p += 1;
    }
    table
};

/// The kinds of ways that the pieces on a board master, by side.
#[derive(Clone, Debug)]
pub(super) struct Reach([Bytes; 2]);

impl Reach {
    pub fn of(board: &[Option<Piece>; Square::COUNT]) -> Self {
        let mut reach = Self([[0; 96]; 2]);
        for (square, piece) in Square::all().zip(board) {
            reach.set(square, *piece);
        }
        reach
    }

    /// Says what stands on a square now.
    #[inline(always)]
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        let number = piece.map_or(0, Piece::index);
        for (side, mastered) in self.0.iter_mut().zip(&MASTERED) {
            side[square.index()] = mastered[number];
        }
    }

    /// Where the pieces of a side stand that attack a square when nothing is between.
    #[inline(always)]
    pub fn attackers(&self, by: Color, square: Square) -> Bitboard {
        let mut hits = self.0[by.index()];
        for (hit, leading) in hits.iter_mut().zip(&LEADING[by.index()][square.index()]) {
            *hit &= leading;
        }
        let (words, _) = hits.as_chunks();
        if words.iter().fold(0, |any, word| any | u64::from_le_bytes(*word)) == 0 {
            return Bitboard::EMPTY;
        }
        let mut found = Bitboard::EMPTY;
        for (number, word) in words.iter().enumerate() {
            let mut word = u64::from_le_bytes(*word);
            while word != 0 {
                let byte = word.trailing_zeros() / u8::BITS;
                found |= Square::from_index((8 * number) as u8 + byte as u8)
                    .map_or(Bitboard::EMPTY, Bitboard::from);
                word &= !(0xff << (u8::BITS * byte));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_piece_attacks_what_it_reaches() {
        for piece in
            PieceKind::ALL.into_iter().flat_map(|kind| Color::ALL.map(|color| Piece::new(color, kind)))
        {
            for from in Square::all() {
                let mut board = [None; Square::COUNT];
                board[from.index()] = Some(piece);
                let reach = Reach::of(&board);
                for to in Square::all() {
                    let reaches = reaching(from, to).contains(Some(piece));
                    for by in Color::ALL {
                        let attackers = reach.attackers(by, to);
                        let expected =
                            if reaches && by == piece.color() { from.into() } else { Bitboard::EMPTY };
                        assert_eq!(attackers, expected, "{piece} from {from} to {to}");
                    }
                }
            }
        }
    }
}
