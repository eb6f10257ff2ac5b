//! Making and unmaking moves.

use super::core::Core;
use super::{Last, Position, SEEN, State};
use crate::board::kind::{Kind, Piece};
use crate::board::moves::{Move, Turn};
use crate::board::square::Square;
use crate::variant::{Variant, Zobrist};
use game::Color;
use platform::random::mix;

/// One elementary change of the board or a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// A piece has come to a square.
    Placed(Piece, Square),
    /// A piece has left a square.
    Removed(Piece, Square),
    /// The number of pieces of a kind in hand has changed.
    Hand(Color, Kind, i8),
}

impl Position {
    /// Plays a legal move.
    pub(crate) fn make(&mut self, m: Move, mut observer: impl FnMut(Change)) {
        debug_assert!(self.is_legal_move(m), "{m} is not legal in {}", game::Position::to_text(self));
        let before = self.state();
        let (mut key, quiet_before) = (before.key, before.quiet_moves);
        let Self { variant, core, .. } = self;
        let variant: &Variant = variant;
        key ^= variant.zobrist.side;
        let us = core.side;
        let after = Piece::new(us, core.form_after(variant, m));
        let captured = core.piece_at(m.to());
        if let Some(captured) = captured {
            core.remove(variant, captured, m.to());
            key ^= variant.zobrist.piece(captured, m.to());
            observer(Change::Removed(captured, m.to()));
            if variant.rules.captures_to_hand {
                key ^= core.add_to_hand(us, Core::captured_kind(variant, captured.form()), 1, &mut observer);
            }
        }
        let moved = m.from().and_then(|from| core.piece_at(from));
        if let (Some(from), Some(piece)) = (m.from(), moved) {
            core.remove(variant, piece, from);
            key ^= variant.zobrist.piece(piece, from);
            observer(Change::Removed(piece, from));
        }
        // The piece must be on the board before the setup checks what is still to be placed.
        core.put(variant, after, m.to());
        key ^= variant.zobrist.piece(after, m.to());
        observer(Change::Placed(after, m.to()));
        if let Some(kind) = m.dropped() {
            if variant.has_setup() {
                self.setups.push((core.setup, core.hands[us.index()]));
            }
            key ^= core.take_from_hand(variant, us, kind, &mut observer);
        }
        core.side = !us;
        let danger = core.danger(variant);
        if variant.rules.check_counting && danger.king_in_check {
            key ^= core.checks_key(us);
            let left = &mut core.checks_left[us.index()];
            *left = left.saturating_sub(1);
            key ^= core.checks_key(us);
        }
        let checks_left = core.checks_left;
        let irreversible =
            captured.is_some() || m.from().is_none() || m.turn() == Turn::Promote && !variant.rules.demotion;
        let quiet_moves = if irreversible { 0 } else { quiet_before.saturating_add(1) };
        let last = Some(Last { m, moved, captured });
        self.states.push(State { key, danger, quiet_moves, checks_left, last, is_null: false });
        self.count_key(key, 1);
        debug_assert_eq!(key, self.key_from_scratch(), "{m} leaves a wrong key");
    }

    /// Takes the last move back.
    pub(crate) fn unmake(&mut self) {
        let state = self.states.pop().expect("a move was played");
        self.count_key(state.key, -1);
        let Last { m, moved, captured } = state.last.expect("a move was played");
        let checks_left = self.state().checks_left;
        let Self { variant, core, .. } = self;
        let variant: &Variant = variant;
        let us = !core.side;
        core.side = us;
        core.checks_left = checks_left;
        if let Some(piece) = core.piece_at(m.to()) {
            core.remove(variant, piece, m.to());
        }
        if let (Some(from), Some(piece)) = (m.from(), moved) {
            core.put(variant, piece, from);
        }
        if let Some(kind) = m.dropped() {
            if variant.has_setup() {
                let (setup, hand) = self.setups.pop().expect("a drop was played");
                core.setup = setup;
                core.hands[us.index()] = hand;
            } else {
                core.hands[us.index()][kind.index()] += 1;
            }
        }
        if let Some(captured) = captured {
            if variant.rules.captures_to_hand {
                core.hands[us.index()][Core::captured_kind(variant, captured.form()).index()] -= 1;
            }
            core.put(variant, captured, m.to());
        }
        debug_assert_eq!(self.state().key, self.key_from_scratch(), "undoing {m} went wrong");
        debug_assert_eq!(self.state().danger, self.core.danger(&self.variant), "undoing {m} went wrong");
    }

    /// Makes a null move.
    pub(crate) fn make_null(&mut self) {
        let state = self.state();
        let (key, checks_left) = (state.key ^ self.variant.zobrist.side, state.checks_left);
        self.core.side = !self.core.side;
        let danger = self.core.danger(&self.variant);
        // Positions before a null move cannot be repeated after it.
        self.states.push(State { key, danger, quiet_moves: 0, checks_left, last: None, is_null: true });
        self.count_key(key, 1);
    }

    /// Takes a null move back.
    pub(crate) fn unmake_null(&mut self) {
        let state = self.states.pop().expect("a pass was made");
        self.count_key(state.key, -1);
        self.core.side = !self.core.side;
    }

    fn count_key(&mut self, key: u64, delta: i8) {
        let counter = &mut self.seen[key as usize % SEEN];
        // A saturated counter is not decremented: that only costs time.
        if *counter != u8::MAX {
            *counter = counter.wrapping_add_signed(delta);
        }
    }

    /// The key after a move, without changes by the setup.
    pub(crate) fn key_ahead(&self, m: Move) -> u64 {
        let variant = &*self.variant;
        let us = self.core.side;
        let mut key = self.state().key ^ variant.zobrist.side;
        if let Some(captured) = self.core.piece_at(m.to()) {
            key ^= variant.zobrist.piece(captured, m.to());
            if variant.rules.captures_to_hand {
                let kind = Core::captured_kind(variant, captured.form());
                let count = self.in_hand(us, kind);
                key ^= Zobrist::hand(us, kind, count) ^ Zobrist::hand(us, kind, count + 1);
            }
        }
        if let (Some(from), Some(piece)) = (m.from(), m.from().and_then(|from| self.core.piece_at(from))) {
            key ^= variant.zobrist.piece(piece, from);
        }
        if let Some(kind) = m.dropped() {
            let count = self.in_hand(us, kind);
            key ^= Zobrist::hand(us, kind, count) ^ Zobrist::hand(us, kind, count - 1);
        }
        key ^ variant.zobrist.piece(Piece::new(us, self.core.form_after(variant, m)), m.to())
    }
}

impl Core {
    /// Changes a hand; returns the change of the key.
    fn add_to_hand(&mut self, color: Color, kind: Kind, delta: i8, observer: &mut impl FnMut(Change)) -> u64 {
        let count = &mut self.hands[color.index()][kind.index()];
        let before = *count;
        *count = count.wrapping_add_signed(delta);
        observer(Change::Hand(color, kind, delta));
        Zobrist::hand(color, kind, before) ^ Zobrist::hand(color, kind, *count)
    }

    /// Removes a dropped piece from the hand and updates the setup; returns the change of the key.
    fn take_from_hand(
        &mut self,
        variant: &Variant,
        us: Color,
        kind: Kind,
        observer: &mut impl FnMut(Change),
    ) -> u64 {
        let mut key = self.add_to_hand(us, kind, -1, observer);
        if !variant.has_setup() {
            return key;
        }
        let hand = self.hands[us.index()];
        key ^= self.setup_key(variant, us);
        self.place(variant, us, kind);
        key ^= self.setup_key(variant, us);
        for &put_away in &variant.kinds {
            let (before, now) = (hand[put_away.index()], self.hands[us.index()][put_away.index()]);
            if before != now {
                key ^= Zobrist::hand(us, put_away, before) ^ Zobrist::hand(us, put_away, now);
                (now..before).for_each(|_| observer(Change::Hand(us, put_away, -1)));
            }
        }
        key
    }

    /// The counted checks' part in the key.
    pub(super) fn checks_key(&self, color: Color) -> u64 {
        let left = self.checks_left[color.index()];
        mix(2 << 32 | (color.index() as u64) << 8 | u64::from(left))
    }
}
