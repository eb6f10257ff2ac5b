//! Mate in one move.

use super::{Checks, Movement, Position};
use crate::movegen::{MoveList, checking_candidates, distant_sliders, safe_king_squares};
use crate::{Bitboard, HandPiece, Move, Piece, PieceKind, Square, attacks};
use game::{MoveSet, Promotions};
use std::cell::OnceCell;

/// The surroundings of the enemy king before a check: enough to see quickly that most checks do not mate.
struct Siege {
    king: Square,
    /// Its neighbours that are neither occupied by its own side nor attacked.
    free: Bitboard,
    free_count: u32,
    /// The occupied squares without the king.
    occupied: Bitboard,
    /// The pieces that can capture a checker: all but the king and pinned ones.
    takers: Bitboard,
    /// The attacker's sliders that may attack a neighbour of the king.
    sliders: Bitboard,
}

/// The most neighbours of a king that a piece covers while it gives check, by [`PieceKind`].
const COVERED: [u32; 15] = [0, 0, 2, 0, 2, 2, 3, 4, 4, 4, 4, 4, 4, 4, 5];

impl Siege {
    #[inline(never)]
    fn new(position: &Position, checks: &Checks, king: Square) -> Self {
        let us = position.side();
        let free = safe_king_squares(position, !us, king, !position.pieces(!us));
        let occupied = position.occupied() - king.into();
        let takers = position.pieces(!us) - checks.pinned() - king.into();
        let sliders = distant_sliders(position, us, king);
        Self { king, free, free_count: free.count(), occupied, takers, sliders }
    }

    /// Whether a piece of this kind can cover all the free squares by itself.
    #[inline]
    fn can_be_closed_by(&self, kind: PieceKind) -> bool {
        self.free_count <= COVERED[kind.index()]
    }

    /// Whether a piece that leaves this square may open a line towards the king for a slider of its side.
    #[inline]
    fn is_line_opened_from(&self, position: &Position, from: Square) -> bool {
        self.sliders.into_iter().any(|slider| {
            attacks::direction_between(slider, from)
                .is_some_and(|direction| attacks::ray(direction, from).intersects(attacks::king(self.king)))
                && !attacks::between(slider, from).intersects(self.occupied)
                && position
                    .piece_at(slider)
                    .is_some_and(|piece| attacks::on_empty_board(piece, slider).contains(from))
        })
    }

    /// Whether a piece that has come to a square and gives check, the only one, can be taken there.
    #[inline]
    fn is_taken(&self, position: &Position, to: Square, occupied: Bitboard) -> bool {
        position.attackers_to(to, !position.side(), occupied).intersects(self.takers)
    }

    /// Whether the king certainly escapes the check of a piece that goes from one square to another and opens no line:
    /// to a square that the piece does not cover, or because the piece is captured. Uncertain cases return `false` and
    /// are examined further.
    #[inline]
    fn is_escaped(&self, position: &Position, piece: Piece, from: Square, to: Square) -> bool {
        if !self.can_be_closed_by(piece.kind()) {
            return true;
        }
        let occupied = self.occupied - from.into();
        (self.free - attacks::attacks(piece, to, occupied) - to.into()).any()
            || attacks::king(self.king).contains(to)
                && !position.attackers_to(to, piece.color(), position.occupied()).many()
            || self.is_taken(position, to, position.occupied() - from.into())
    }
}

/// The promotion and the plain move, as far as they are legal. A plain move that attacks fewer squares is left out.
fn sensible_moves(piece: Piece, from: Square, to: Square) -> impl Iterator<Item = Move> {
    let zone = Bitboard::far_ranks(piece.color(), 3);
    let may_promote = piece.kind().promoted().is_some() && (zone.contains(from) || zone.contains(to));
    let stuck_ranks = match piece.kind() {
        PieceKind::Knight | PieceKind::Lance => 2,
        // Promoted, these attack every square that they attack plain.
        PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => 9,
        _ => 0,
    };
    let plain = !may_promote || !Bitboard::far_ranks(piece.color(), stuck_ranks).contains(to);
    let promotion = may_promote.then(|| Move::board(from, to, true));
    promotion.into_iter().chain(plain.then(|| Move::board(from, to, false)))
}

impl Position {
    /// A move that mates at once, if there is one.
    ///
    /// Never wrong: candidates are tried on the board. Plain moves that cannot mate unless the promotion does, too, are
    /// not returned.
    ///
    /// ```
    /// use shogi::Position;
    /// let mut position = Position::from_sfen("7nk/9/8P/9/9/9/9/9/9 b G 1")?;
    /// assert_eq!(position.mate_in_one(), "G*1b".parse().ok());
    /// # Ok::<(), shogi::SfenError>(())
    /// ```
    #[must_use]
    pub fn mate_in_one(&mut self) -> Option<Move> {
        let checks = self.checks();
        self.mate_in_one_with(&checks)
    }

    /// Like [`Position::mate_in_one`], given the [`Position::checks`] of this position.
    #[must_use]
    pub fn mate_in_one_with(&mut self, checks: &Checks) -> Option<Move> {
        if self.in_check() || !checks.are_all_direct() {
            return self.mate_by_any_check();
        }
        let king = self.king(!self.side())?;
        let mut siege = None;
        self.mate_by_drop(checks, king, &mut siege)
            .or_else(|| self.mate_by_board_move(checks, king, &mut siege))
    }

    /// Tries every check.
    #[cold]
    fn mate_by_any_check(&mut self) -> Option<Move> {
        let mut checks = MoveList::new();
        self.generate(MoveSet::Checks, Promotions::Sensible, &mut checks);
        checks.iter().copied().find(|&m| self.mates(m))
    }

    fn mates(&mut self, check: Move) -> bool {
        self.do_move(check);
        let mated = !self.has_evasion();
        self.undo_move();
        mated
    }

    /// The squares from which a check may mate: not distant ones if a piece can certainly be interposed by a drop.
    #[inline]
    fn mating_squares(&self, checks: &Checks, king: Square) -> Bitboard {
        if self.hand(!self.side()).has_unrestricted() {
            attacks::king(king) | checks.squares(PieceKind::Knight)
        } else {
            Bitboard::ALL
        }
    }

    /// Pawns do not mate by being dropped.
    fn mate_by_drop(&mut self, checks: &Checks, king: Square, siege: &mut Option<Siege>) -> Option<Move> {
        const MATING: [HandPiece; 6] = [
            HandPiece::Gold,
            HandPiece::Silver,
            HandPiece::Knight,
            HandPiece::Lance,
            HandPiece::Bishop,
            HandPiece::Rook,
        ];
        let us = self.side();
        let hand = self.hand(us);
        if hand.is_empty() || hand.only_pawns() {
            return None;
        }
        let targets = self.mating_squares(checks, king) - self.occupied();
        for held in MATING.into_iter().filter(|held| hand.has(*held)) {
            let piece = Piece::new(us, held.kind());
            for to in checks.squares(held.kind()) & targets {
                let siege = siege.get_or_insert_with(|| Siege::new(self, checks, king));
                // A dropped piece can only block other attackers.
                if !siege.can_be_closed_by(held.kind()) {
                    break;
                }
                if (siege.free - attacks::attacks(piece, to, siege.occupied)).is_empty()
                    && !siege.is_taken(self, to, self.occupied())
                {
                    let m = Move::drop(held, to);
                    if self.mates(m) {
                        return Some(m);
                    }
                }
            }
        }
        None
    }

    fn mate_by_board_move(
        &mut self,
        checks: &Checks,
        king: Square,
        siege: &mut Option<Siege>,
    ) -> Option<Move> {
        let us = self.side();
        let occupied = self.occupied();
        let targets = self.mating_squares(checks, king) - (self.pieces(us) | king.into());
        for from in checking_candidates(self, us, king, Bitboard::EMPTY) {
            let Some(piece) = self.piece_at(from) else { continue };
            let kind = piece.kind();
            let promoted = kind.promoted().filter(|_| kind != PieceKind::King);
            let both = checks.squares(kind) | promoted.map_or(Bitboard::EMPTY, |kind| checks.squares(kind));
            if !attacks::on_empty_board(piece, from).intersects(both & targets) {
                continue;
            }
            let reach = attacks::attacks(piece, from, occupied) & targets & both;
            // Computed at most once, and only if it matters.
            let opened = OnceCell::new();
            let opens = |position: &Self, siege: &Siege| {
                *opened.get_or_init(|| siege.is_line_opened_from(position, from))
            };
            for to in reach {
                let siege = siege.get_or_insert_with(|| Siege::new(self, checks, king));
                for m in sensible_moves(piece, from, to) {
                    let mover = if m.is_promotion() { promoted.unwrap_or(kind) } else { kind };
                    if checks.squares(mover).contains(to)
                        && (!siege.is_escaped(self, Piece::new(us, mover), from, to) || opens(self, siege))
                        && !(self.pinned(us).contains(from)
                            && self
                                .king(us)
                                .is_some_and(|king| !attacks::line_through(king, from).contains(to)))
                        && self.mates(m)
                    {
                        return Some(m);
                    }
                }
            }
        }
        None
    }

    /// Whether the side to move, which is in check, has a legal move.
    fn has_evasion(&self) -> bool {
        let side = self.side();
        // Most checks are answered by the king, which is cheap to find out.
        let targets = !(self.pieces(side) | self.moving_like(Movement::King));
        if let Some(king) = self.king(side)
            && safe_king_squares(self, side, king, targets).any()
        {
            return true;
        }
        if self.checkers().many() {
            return false;
        }
        let mut moves = MoveList::new();
        self.generate(MoveSet::Evasions, Promotions::Sensible, &mut moves);
        !moves.is_empty()
    }

    /// Whether there is any legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        if self.in_check() {
            return self.has_evasion();
        }
        let mut moves = MoveList::new();
        self.generate(MoveSet::Legal, Promotions::Sensible, &mut moves);
        !moves.is_empty()
    }

    /// Whether the side to move is checkmated.
    #[must_use]
    pub fn is_mated(&self) -> bool {
        self.in_check() && !self.has_evasion()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Color;

    #[test]
    fn pieces_cover_as_many_neighbours_as_the_table_says() {
        for kind in PieceKind::ALL {
            let covered = |king: Square, square: Square| {
                let attacked = attacks::attacks(Piece::new(Color::Black, kind), square, Bitboard::EMPTY);
                attacked.contains(king).then(|| (attacked & attacks::king(king)).count())
            };
            let most = Square::all().flat_map(|king| Square::all().filter_map(move |at| covered(king, at)));
            assert_eq!(most.max().unwrap_or(0), COVERED[kind.index()], "{kind:?}");
        }
    }
}
