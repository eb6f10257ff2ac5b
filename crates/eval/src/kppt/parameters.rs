//! The interface to the numbers of an evaluation.

use shogi::Square;

/// The numbers of the evaluation. Every entry is a value and its turn bonus, the change of the value for the side to
/// move. Pieces are [`BonaPiece`](crate::BonaPiece) numbers below [`BonaPiece::KING`](crate::BonaPiece::KING).
///
/// A trait, so that tests do not need files of 776 MB.
pub trait KpptParameters: Send + Sync {
    /// The two kings.
    fn king_king(&self, black_king: Square, white_king: Square) -> [i32; 2];

    /// The two kings and a piece, as Black sees them.
    fn king_king_piece(&self, black_king: Square, white_king: Square, piece: u16) -> [i32; 2];

    /// The own king and two pieces, as the king's owner sees them. The same for both orders of the pieces.
    fn king_piece_piece(&self, king: Square, first: u16, second: u16) -> [i32; 2];

    /// Sum over all of `others` with one piece. Tables in rows override it to go row by row.
    #[inline]
    fn pair_sum(&self, king: Square, piece: u16, others: &[u16]) -> [i32; 2] {
        let mut sum = [0; 2];
        for &other in others {
            let [value, turn] = self.king_piece_piece(king, piece, other);
            sum[0] += value;
            sum[1] += turn;
        }
        sum
    }
}

/// All numbers are zero, as before learning: only material counts.
///
/// ```
/// use eval::kppt::{Kppt, ZeroParameters};
/// use game::Evaluation;
/// use shogi::Position;
/// let rook_down = Position::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b - 1")?;
/// let mut evaluation = Kppt::new(ZeroParameters);
/// evaluation.refresh(&rook_down);
/// assert_eq!(evaluation.value(&rook_down), -990);
/// # Ok::<(), shogi::SfenError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroParameters;

impl KpptParameters for ZeroParameters {
    fn king_king(&self, _: Square, _: Square) -> [i32; 2] {
        [0; 2]
    }

    fn king_king_piece(&self, _: Square, _: Square, _: u16) -> [i32; 2] {
        [0; 2]
    }

    fn king_piece_piece(&self, _: Square, _: u16, _: u16) -> [i32; 2] {
        [0; 2]
    }
}
