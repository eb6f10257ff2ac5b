//! The layer stack of a position: by hands, by kings, by progress of the game.

use crate::nnue::features::king_square;
use shogi::{Color, Hand, HandPiece, Position};

/// Layer stacks by the hands of both players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum HandBuckets {
    /// One stack for all.
    #[default]
    None,
    /// Bishop or not.
    Hand4,
    /// Pawn, bishop.
    Hand16,
    /// Pawn to knight; silver, gold or rook; bishop.
    Hand64,
    /// Eight steps of the hand's value.
    Hand64Z,
    /// Pawn to knight; silver or gold; bishop; rook.
    Hand256,
    /// Pawn; lance or knight; silver or gold; bishop; rook.
    Hand1024,
}

/// Layer stacks by the squares of the kings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum KingBuckets {
    /// One stack for all.
    #[default]
    None,
    /// Thirds of the board.
    K3K3,
    /// Ranks.
    K9K9,
    /// Nine zones: finer at home, thirds of the files there.
    K9K9Z,
    /// Thirteen zones.
    K13K13Z,
    /// Twenty-one: every square of the two home ranks.
    K21K21,
    /// Twenty-nine: every square of the three home ranks.
    K29K29,
}

impl HandBuckets {
    /// All variants, each with its word in names of architectures.
    pub const WORDS: [(Self, &'static str); 6] = [
        (Self::Hand4, "HAND4"),
        (Self::Hand16, "HAND16"),
        (Self::Hand64, "HAND64"),
        (Self::Hand64Z, "HAND64Z"),
        (Self::Hand256, "HAND256"),
        (Self::Hand1024, "HAND1024"),
    ];

    /// Buckets of one hand; the stacks are this number squared.
    #[must_use]
    pub const fn per_player(self) -> usize {
        match self {
            Self::None => 1,
            Self::Hand4 => 2,
            Self::Hand16 => 4,
            Self::Hand64 | Self::Hand64Z => 8,
            Self::Hand256 => 16,
            Self::Hand1024 => 32,
        }
    }

    fn of(self, hand: Hand) -> usize {
        use HandPiece::{Bishop, Gold, Knight, Lance, Pawn, Rook, Silver};
        let groups: &[&[HandPiece]] = match self {
            Self::None => &[],
            Self::Hand4 => &[&[Bishop]],
            Self::Hand16 => &[&[Pawn], &[Bishop]],
            Self::Hand64 => &[&[Pawn, Lance, Knight], &[Gold, Silver, Rook], &[Bishop]],
            Self::Hand256 => &[&[Pawn, Lance, Knight], &[Silver, Gold], &[Bishop], &[Rook]],
            Self::Hand1024 => &[&[Pawn], &[Lance, Knight], &[Silver, Gold], &[Bishop], &[Rook]],
            Self::Hand64Z => {
                let points: u32 = hand
                    .iter()
                    .map(|(piece, count)| {
                        count
                            * match piece {
                                Pawn => 1,
                                Lance | Knight => 2,
                                Silver | Gold => 3,
                                Bishop | Rook => 5,
                            }
                    })
                    .sum();
                return points.div_ceil(4).min(7) as usize;
            }
        };
        let held = |group: &[HandPiece]| group.iter().any(|piece| hand.has(*piece));
        groups.iter().enumerate().map(|(bit, group)| usize::from(held(group)) << bit).sum()
    }

    /// The bucket of a position, the side to move first.
    #[must_use]
    pub fn bucket(self, position: &Position) -> usize {
        let us = position.side();
        self.of(position.hand(us)) * self.per_player() + self.of(position.hand(!us))
    }
}

impl KingBuckets {
    /// All variants, each with its word in names of architectures.
    pub const WORDS: [(Self, &'static str); 6] = [
        (Self::K3K3, "K3K3"),
        (Self::K9K9, "K9K9"),
        (Self::K9K9Z, "K9K9Z"),
        (Self::K13K13Z, "K13K13Z"),
        (Self::K21K21, "K21K21"),
        (Self::K29K29, "K29K29"),
    ];

    /// Buckets of one king; the stacks are this number squared.
    #[must_use]
    pub const fn per_player(self) -> usize {
        match self {
            Self::None => 1,
            Self::K3K3 => 3,
            Self::K9K9 | Self::K9K9Z => 9,
            Self::K13K13Z => 13,
            Self::K21K21 => 21,
            Self::K29K29 => 29,
        }
    }

    /// The bucket of a king on a square that its owner sees as `square`.
    const fn of(self, square: usize) -> usize {
        let (file, rank) = (square / 9, square % 9);
        match self {
            Self::None => 0,
            Self::K3K3 => rank / 3,
            Self::K9K9 => rank,
            Self::K9K9Z => match rank {
                0..=5 => rank / 3,
                6 => 2,
                _ => 3 + (rank - 7) * 3 + file / 3,
            },
            Self::K13K13Z => match rank {
                0..=6 => rank,
                _ => 7 + (rank - 7) * 3 + file / 3,
            },
            Self::K21K21 => match rank {
                0..=5 => rank / 3,
                6 => 2,
                _ => 3 + (rank - 7) * 9 + file,
            },
            Self::K29K29 => match rank {
                0..=5 => rank / 3,
                _ => 2 + (rank - 6) * 9 + file,
            },
        }
    }

    /// The bucket of a position, the side to move first.
    #[inline]
    #[must_use]
    pub fn bucket(self, position: &Position) -> usize {
        let us: Color = position.side();
        self.of(king_square(position, us)) * self.per_player() + self.of(king_square(position, !us))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_is_reached_and_none_beyond() {
        for (kings, word) in KingBuckets::WORDS {
            let mut seen: Vec<_> = (0..81).map(|square| kings.of(square)).collect();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen, (0..kings.per_player()).collect::<Vec<_>>(), "{word}");
        }
    }

    #[test]
    fn buckets_of_positions() {
        let start = Position::startpos();
        assert_eq!(KingBuckets::K3K3.bucket(&start), 8);
        assert_eq!(HandBuckets::Hand1024.bucket(&start), 0);
        let entered = Position::from_sfen("4K4/9/9/9/9/9/9/4k4/9 w BPrg 1").unwrap();
        // White moves; Black's king has reached the far side, White's stands on its second-last rank there.
        assert_eq!(KingBuckets::K3K3.bucket(&entered), 0);
        assert_eq!(KingBuckets::K9K9.bucket(&entered), 9);
        assert_eq!(HandBuckets::Hand4.bucket(&entered), 1);
        assert_eq!(HandBuckets::Hand256.bucket(&entered), 10 * 16 + 5);
        assert_eq!(HandBuckets::Hand64Z.bucket(&entered), 2 * 8 + 2);
    }
}
