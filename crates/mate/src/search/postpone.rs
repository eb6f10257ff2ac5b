//! Postpones moves until similar ones are decided.
//!
//! If interposing one piece does not help, another on the same square hardly will; and if it has to be searched, the
//! captures of the first one are in the table already. Searching all of them at once would make the position seem
//! harder to prove than it is. The same holds for a promotion and the same move without it.

use super::child::Child;
use super::estimate::declines_promotion;
use shogi::{Bitboard, Move, Origin, PieceKind, Position, Rank, Square};

/// Groups of similar moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kin {
    /// A drop that interposes on this square.
    Drop(Square),
    /// An interposing drop on any unprotected square.
    Sacrifice,
    /// A move of a piece that may promote.
    Move(Square, Square),
}

/// Further groups are not postponed.
const CHAINS: usize = 16;

/// Links similar moves into chains, in their order.
pub(crate) fn postpone(position: &Position, attacks: bool, children: &mut [Child]) {
    let mut chains: [Option<(Kin, usize)>; CHAINS] = [None; CHAINS];
    let mut open = 0;
    let mut protected = Protected { known: Bitboard::EMPTY, protected: Bitboard::EMPTY };
    for index in 0..children.len() {
        let Some(kin) = kin_of(position, attacks, children[index].m, &mut protected) else { continue };
        let chain = chains[..open].iter_mut().flatten().find(|(other, _)| *other == kin);
        if let Some((_, last)) = chain {
            children[*last].after = index as u16 + 1;
            children[index].before = *last as u16 + 1;
            *last = index;
        } else if open < CHAINS {
            chains[open] = Some((kin, index));
            open += 1;
        }
    }
}

/// Squares that the defender's pieces reach, found out once for each.
struct Protected {
    known: Bitboard,
    protected: Bitboard,
}

impl Protected {
    fn contains(&mut self, position: &Position, square: Square) -> bool {
        if !self.known.contains(square) {
            self.known |= square.into();
            if position.is_attacked(square, position.side(), position.occupied()) {
                self.protected |= square.into();
            }
        }
        self.protected.contains(square)
    }
}

fn kin_of(position: &Position, attacks: bool, m: Move, protected: &mut Protected) -> Option<Kin> {
    match m.origin() {
        Origin::Hand(_) if attacks => None,
        Origin::Hand(_) => {
            let sacrifice = !protected.contains(position, m.to()) && !position.gives_check(m);
            Some(if sacrifice { Kin::Sacrifice } else { Kin::Drop(m.to()) })
        }
        Origin::Board(from) => {
            let kind = position.piece_at(from)?.kind();
            let may_promote = m.is_promotion() || declines_promotion(position, m);
            let alike = match kind {
                PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => true,
                PieceKind::Lance => {
                    let rank = match position.side() {
                        shogi::Color::Black => Rank::R2,
                        shogi::Color::White => Rank::R8,
                    };
                    m.to().rank() == rank
                }
                _ => false,
            };
            (may_promote && alike).then_some(Kin::Move(from, m.to()))
        }
    }
}
