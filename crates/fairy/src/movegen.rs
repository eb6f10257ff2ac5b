//! Generation of legal moves.

use crate::board::kind::{Form, Kind};
use crate::board::move_list::Moves;
use crate::board::moves::{Move, Turn};
use crate::board::square::{Square, Squares};
use crate::position::attacks::Danger;
use crate::position::core::Core;
use crate::variant::Variant;
use game::{MoveSet, Promotions};

/// Generates the moves of one position.
pub(crate) struct Generator<'a> {
    pub(crate) core: &'a Core,
    pub(crate) variant: &'a Variant,
    pub(crate) danger: &'a Danger,
}

/// Target squares of a piece, by promotion and demotion.
#[derive(Clone, Copy)]
struct Targets {
    stay: Squares,
    promote: Squares,
    demote: Squares,
}

impl Generator<'_> {
    /// Appends the moves of a set. The game must not have ended.
    pub(crate) fn generate(&self, set: MoveSet, promotions: Promotions, moves: &mut Moves) {
        if set == MoveSet::Evasions && self.danger.checkers.is_empty() {
            return;
        }
        if self.must_sift() || set == MoveSet::Checks {
            let mut all = Moves::default();
            self.all(true, true, promotions, &mut all);
            self.sift(&mut all);
            let wanted = |m: Move| match set {
                MoveSet::Legal | MoveSet::Evasions => true,
                MoveSet::Captures => self.captures(m),
                MoveSet::Quiets => !self.captures(m),
                MoveSet::Drops => m.dropped().is_some(),
                MoveSet::Checks => self.core.gives_check(self.variant, m),
            };
            for &m in all.iter().filter(|m| wanted(**m)) {
                moves.push(m);
            }
            return;
        }
        match set {
            MoveSet::Legal | MoveSet::Evasions => self.all(true, true, promotions, moves),
            MoveSet::Captures => self.board_moves(self.core.of_color(!self.core.side), promotions, moves),
            MoveSet::Quiets => self.all(false, true, promotions, moves),
            MoveSet::Drops => self.drops(moves),
            MoveSet::Checks => {}
        }
    }

    fn captures(&self, m: Move) -> bool {
        self.core.piece_at(m.to()).is_some()
    }

    fn all(&self, captures: bool, drops: bool, promotions: Promotions, moves: &mut Moves) {
        let onto = if captures { !Squares::EMPTY } else { !self.core.occupied() };
        self.board_moves(onto, promotions, moves);
        if drops {
            self.drops(moves);
        }
    }

    /// Whether moves of pieces other than the king can be legal.
    fn others_help(&self) -> bool {
        !self.danger.parries.is_empty()
    }

    fn board_moves(&self, onto: Squares, promotions: Promotions, moves: &mut Moves) {
        let Self { core, variant, .. } = self;
        let us = core.side;
        let movers = if self.others_help() {
            core.of_color(us)
        } else {
            self.danger.king.map_or(Squares::EMPTY, Squares::of)
        };
        for from in movers {
            let Some(piece) = core.piece_at(from) else { continue };
            let kind = variant.kind(piece.form());
            let targets = self.piece_targets(from, kind, onto);
            if !targets.is_empty() {
                self.write(from, piece.form(), kind, targets, promotions, moves);
            }
        }
    }

    /// The legal targets of a piece among the squares `onto`.
    #[inline]
    fn piece_targets(&self, from: Square, kind: Kind, onto: Squares) -> Squares {
        let Self { core, variant, danger } = self;
        let us = core.side;
        let targets = core.targets(variant, us, kind, from) & onto;
        if !variant.plain {
            return targets.filter(|to| self.is_safe(Some(from), *to, kind)).collect();
        }
        if danger.king == Some(from) {
            let occupied = core.occupied() ^ Squares::of(from);
            let safe = |to: &Square| {
                let except = Squares::of(*to);
                !core.is_attacked(variant, *to, occupied | except, !us, except)
            };
            return targets.filter(safe).collect();
        }
        let targets = targets & danger.parries;
        match danger.king {
            Some(king) if danger.pinned.contains(from) => targets & core.pin_lines(variant, king, from),
            _ => targets,
        }
    }

    /// Splits targets by whether the piece may or must promote or demote there.
    #[inline]
    fn by_turn(&self, from: Square, form: Form, kind: Kind, targets: Squares) -> Targets {
        let Self { core, variant, .. } = self;
        let (rules, us) = (&variant.rules, core.side);
        let promotes = variant.promotion[kind.index()].is_some_and(|to| {
            let limit = variant.promotion_limit[to.index()];
            limit == 0 || core.of_kind(us, to).len() < u32::from(limit)
        });
        let demotes = rules.demotion && form.is_promoted();
        let mut stay = targets;
        let mut turning = Squares::EMPTY;
        if promotes || demotes {
            let zone = variant.promotion_zone[us.index()];
            turning = targets;
            if rules.promotion_on_capture {
                turning &= core.occupied();
            }
            if !zone.contains(from) {
                turning &= zone;
            }
            if rules.mandatory_promotion {
                stay = stay.without(turning);
            }
        }
        if rules.immobility_illegal {
            stay = stay.without(variant.movement(us, kind).dead);
        }
        Targets {
            stay,
            promote: if promotes { turning } else { Squares::EMPTY },
            demote: if demotes { turning } else { Squares::EMPTY },
        }
    }

    fn write(
        &self,
        from: Square,
        form: Form,
        kind: Kind,
        targets: Squares,
        promotions: Promotions,
        moves: &mut Moves,
    ) {
        let Targets { mut stay, promote, demote } = self.by_turn(from, form, kind, targets);
        if promotions == Promotions::Sensible && self.variant.always_promote.contains(kind) {
            stay = stay.without(promote);
        }
        promote.for_each(|to| moves.push(Move::board(from, to, Turn::Promote)));
        stay.for_each(|to| moves.push(Move::board(from, to, Turn::Stay)));
        demote.for_each(|to| moves.push(Move::board(from, to, Turn::Demote)));
    }

    /// Whether no royal piece of ours is attacked after a piece of this kind has come to `to`.
    fn is_safe(&self, from: Option<Square>, to: Square, kind: Kind) -> bool {
        let Self { core, variant, .. } = self;
        let us = core.side;
        let landing = Squares::of(to);
        let leaving = from.map_or(Squares::EMPTY, Squares::of);
        let occupied = core.occupied().without(leaving) | landing;
        let after = |royals: Squares, is_royal: bool| {
            let stays = royals.without(leaving);
            if royals == stays && !(from.is_none() && is_royal) { stays } else { stays | landing }
        };
        let king = variant.king.map_or(Squares::EMPTY, |king| core.of_kind(us, king));
        let king = after(king, variant.king == Some(kind));
        let attacked = |royal: Square| core.is_attacked(variant, royal, occupied, !us, landing);
        if king.into_iter().any(attacked) {
            return false;
        }
        if variant.rules.flying_general
            && let (Some(king), Some(kind)) = (king.first(), variant.king)
            && kings_face(king, core.of_kind(!us, kind).without(landing), occupied)
        {
            return false;
        }
        // A move that captures the opponent's last royal piece wins, even if the own one is attacked.
        let captures_royal = !(core.pseudo_royals(variant, !us) & landing).is_empty();
        captures_royal
            || !after(core.pseudo_royals(variant, us), variant.pseudo_royals.contains(kind))
                .into_iter()
                .any(attacked)
    }

    fn drops(&self, moves: &mut Moves) {
        let Self { core, variant, .. } = self;
        let us = core.side;
        if !self.others_help() || !(variant.rules.drops || core.setup[us.index()].active) {
            return;
        }
        for &kind in &variant.kinds {
            if core.hands[us.index()][kind.index()] == 0 {
                continue;
            }
            let (plain, promoted) = self.drop_targets(kind);
            plain.for_each(|to| moves.push(Move::drop(kind, to, Turn::Stay)));
            promoted.for_each(|to| moves.push(Move::drop(kind, to, Turn::Promote)));
        }
    }

    /// The squares where a kind in hand may be dropped, unpromoted and promoted.
    fn drop_targets(&self, kind: Kind) -> (Squares, Squares) {
        let Self { core, variant, danger } = self;
        let (rules, us) = (&variant.rules, core.side);
        if !core.may_place(variant, us, kind) {
            return (Squares::EMPTY, Squares::EMPTY);
        }
        let movement = variant.movement(us, kind);
        let zone = core.drop_zone(variant, us) & movement.region;
        let mut targets = zone.without(core.occupied()) & danger.parries & variant.board;
        if variant.no_doubled == Some(kind) {
            let own = core.of_kind(us, kind);
            for file in &variant.files {
                if (own & *file).len() >= u32::from(rules.no_doubled_count) {
                    targets = targets.without(*file);
                }
            }
        }
        if variant.chess_pawn == Some(kind) {
            targets = targets.without(self.no_chess_pawns());
        }
        let mut plain = targets;
        let mut promoted = match variant.promotion[kind.index()] {
            Some(_) if rules.drop_promoted => targets,
            _ => Squares::EMPTY,
        };
        let promoted_kind = variant.promotion[kind.index()].unwrap_or(kind);
        if rules.immobility_illegal {
            plain = plain.without(movement.dead);
            promoted = promoted.without(variant.movement(us, promoted_kind).dead);
        }
        if !variant.plain || variant.king == Some(kind) {
            plain = plain.filter(|to| self.is_safe(None, *to, kind)).collect();
            promoted = promoted.filter(|to| self.is_safe(None, *to, promoted_kind)).collect();
        }
        if rules.pawn_drop_mate_illegal && variant.shogi_pawn == Some(kind) {
            plain = plain.without(self.mating_drops(kind, plain));
        }
        (plain, promoted)
    }

    fn no_chess_pawns(&self) -> Squares {
        let (rules, us) = (&self.variant.rules, self.core.side);
        let first = match us {
            game::Color::Black => rules.ranks - 1,
            game::Color::White => 0,
        };
        let mut squares = Squares::EMPTY;
        if !rules.promotion_zone_pawn_drops {
            squares |= self.variant.promotion_zone[us.index()];
        }
        if !rules.first_rank_pawn_drops {
            squares |= self.variant.board.filter(|square| square.row() == first).collect();
        }
        squares
    }

    /// The squares among these where a dropped pawn would mate.
    fn mating_drops(&self, kind: Kind, squares: Squares) -> Squares {
        let Self { core, variant, .. } = self;
        let us = core.side;
        let movement = variant.movement(us, kind);
        let mut mates = Squares::EMPTY;
        for royal in core.royals(variant, !us) {
            for to in movement.captures_from(royal) & squares {
                let mut after = Core::clone(core);
                after.play(variant, Move::drop(kind, to, Turn::Stay));
                let danger = after.danger(variant);
                let only_pawns = danger.checkers.without(after.of_kind(us, kind)).is_empty();
                let defender = Generator { core: &after, variant, danger: &danger };
                if only_pawns && !danger.checkers.is_empty() && !defender.has_move() {
                    mates |= Squares::of(to);
                }
            }
        }
        mates
    }

    /// Whether there is any legal move. Pawn drops that mate count as moves here: a player whose only answer is one is
    /// not mated by a pawn.
    fn has_move(&self) -> bool {
        let mut moves = Moves::default();
        self.board_moves(!Squares::EMPTY, Promotions::All, &mut moves);
        if moves.is_empty() {
            self.drops(&mut moves);
        }
        !moves.is_empty()
    }

    /// Whether rules apply that compare all moves.
    #[inline]
    fn must_sift(&self) -> bool {
        self.variant.sifted || self.must_place()
    }

    /// Whether only setup drops are allowed, as far as there are any.
    fn must_place(&self) -> bool {
        self.variant.rules.setup.must_drop && self.core.setup[self.core.side.index()].active
    }

    /// Applies the rules that compare all moves.
    fn sift(&self, moves: &mut Moves) {
        let Self { core, variant, .. } = self;
        let rules = &variant.rules;
        let us = core.side;
        if !rules.checking {
            moves.retain(|m| !core.checks_king(variant, m));
        }
        if !rules.drop_checks {
            moves.retain(|m| m.dropped().is_none() || !core.checks_king(variant, m));
        }
        if rules.must_drop {
            let hand = &core.hands[us.index()];
            let wanted = |kind: Kind| variant.must_drop_kind.is_none_or(|must| must == kind);
            if variant.kinds.iter().any(|kind| wanted(*kind) && hand[kind.index()] > 0) {
                moves.retain(|m| m.dropped().is_none_or(wanted));
                keep_if_any(moves, |m| m.dropped().is_some());
            }
        }
        if rules.must_capture {
            keep_if_any(moves, |m| self.captures(m));
        }
        if self.must_place() {
            keep_if_any(moves, |m| m.dropped().is_some());
        }
    }

    /// Whether a move, which may come from anywhere, is legal here. Avoids listing all moves if possible.
    pub(crate) fn is_legal(&self, m: Move) -> bool {
        let Self { core, variant, .. } = self;
        if self.must_sift() {
            let mut moves = Moves::default();
            self.generate(MoveSet::Legal, Promotions::All, &mut moves);
            return moves.contains(&m);
        }
        let us = core.side;
        if let Some(kind) = m.dropped() {
            if !variant.rules.drops && !core.setup[us.index()].active
                || core.hands[us.index()][kind.index()] == 0
                || !self.others_help()
            {
                return false;
            }
            let (plain, promoted) = self.drop_targets(kind);
            return match m.turn() {
                Turn::Stay => plain.contains(m.to()),
                Turn::Promote => promoted.contains(m.to()),
                Turn::Demote => false,
            };
        }
        let Some(from) = m.from() else { return false };
        let Some(piece) = core.piece_at(from).filter(|piece| piece.color() == us) else { return false };
        let kind = variant.kind(piece.form());
        let targets = self.piece_targets(from, kind, Squares::of(m.to()));
        let Targets { stay, promote, demote } = self.by_turn(from, piece.form(), kind, targets);
        !match m.turn() {
            Turn::Stay => stay,
            Turn::Promote => promote,
            Turn::Demote => demote,
        }
        .is_empty()
    }
}

/// Data computed once per position that makes `Core::checks_by` fast.
#[derive(Clone, Default)]
pub struct Checks {
    royals: Squares,
    /// Pieces of the side to move that may discover an attack by moving.
    uncover: Squares,
}

/// Whether the line between a king at `king` and one of `others` is clear.
fn kings_face(king: Square, others: Squares, occupied: Squares) -> bool {
    let clear = |other: Square| {
        let same_file = king.column() == other.column();
        let same_rank = king.row() == other.row();
        let between = |square: Square| {
            let within = |a: u8, b: u8, x: u8| a.min(b) < x && x < a.max(b);
            same_file && square.column() == king.column() && within(king.row(), other.row(), square.row())
                || same_rank
                    && square.row() == king.row()
                    && within(king.column(), other.column(), square.column())
        };
        (same_file || same_rank) && !occupied.into_iter().any(between)
    };
    others.into_iter().any(clear)
}

/// Keeps only the moves for which `wanted` returns `true`, unless there are none.
fn keep_if_any(moves: &mut Moves, wanted: impl Fn(Move) -> bool) {
    if moves.iter().any(|m| wanted(*m)) {
        moves.retain(wanted);
    }
}

impl Core {
    /// Occupied squares after a move.
    fn occupied_after(&self, m: Move) -> Squares {
        self.occupied().without(m.from().map_or(Squares::EMPTY, Squares::of)) | Squares::of(m.to())
    }

    /// Whether the legal move attacks the opponent's king.
    pub(crate) fn checks_king(&self, variant: &Variant, m: Move) -> bool {
        let king = variant.king.map_or(Squares::EMPTY, |king| self.of_kind(!self.side, king));
        self.attacks_after(variant, m, king)
    }

    /// Whether the legal move attacks a royal piece of the opponent.
    pub(crate) fn gives_check(&self, variant: &Variant, m: Move) -> bool {
        self.attacks_after(variant, m, self.royals(variant, !self.side))
    }

    /// Computes the data of [`Core::checks_by`].
    pub(crate) fn checks(&self, variant: &Variant) -> Checks {
        let (us, occupied) = (self.side, self.occupied());
        let royals = self.royals(variant, !us);
        let mut uncover = Squares::EMPTY;
        if variant.plain {
            for royal in royals {
                uncover |= self.uncovering(variant, royal, occupied, us);
            }
        } else {
            uncover = !Squares::EMPTY;
        }
        Checks { royals, uncover }
    }

    /// Like [`Core::gives_check`], with data computed once for all moves.
    #[inline]
    pub(crate) fn checks_by(&self, variant: &Variant, checks: &Checks, m: Move) -> bool {
        if !variant.plain || m.from().is_some_and(|from| checks.uncover.contains(from)) {
            return self.attacks_after(variant, m, checks.royals);
        }
        let kind = variant.kind(self.form_after(variant, m));
        let reach = variant.movement(self.side, kind).reach.get(m.to());
        !(reach & checks.royals).is_empty()
            && !(self.attacks_from(variant, self.side, kind, m.to(), self.occupied_after(m)) & checks.royals)
                .is_empty()
    }

    fn attacks_after(&self, variant: &Variant, m: Move, royals: Squares) -> bool {
        let us = self.side;
        let occupied = self.occupied_after(m);
        let kind = variant.kind(self.form_after(variant, m));
        let direct = variant.movement(us, kind).reach.get(m.to());
        let moved = m.from().map_or(Squares::EMPTY, Squares::of) | Squares::of(m.to());
        royals.without(Squares::of(m.to())).into_iter().any(|royal| {
            direct.contains(royal) && self.attacks_from(variant, us, kind, m.to(), occupied).contains(royal)
                || self.is_attacked(variant, royal, occupied, us, moved)
        })
    }
}
