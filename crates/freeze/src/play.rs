//! Making and unmaking moves, and the position key.

use crate::moves::Move;
use crate::position::Position;
use crate::state::State;
use crate::tokens::Counts;
use platform::random::mix;
use shogi::{Change, Color, PieceKind};

/// Mixes a small number into a key.
const fn mixed(number: u64) -> u64 {
    mix(number.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0xc83a_ebab_fb1a_a50c))
}

/// The part of a key for freezes; 0 in ordinary shogi.
fn freeze_key(frozen: Option<PieceKind>, left: Counts, barred: Option<Color>) -> u64 {
    let number = frozen.map_or(0, |kind| kind.index() as u64)
        | u64::from(left.of(Color::Black)) << 8
        | u64::from(left.of(Color::White)) << 16
        | barred.map_or(0, |color| 1 + color.index() as u64) << 24;
    if number == 0 { 0 } else { mixed(number) }
}

impl Position {
    /// The frozen kind and the counts after `m`.
    #[inline]
    fn after(&self, m: Move) -> (Option<PieceKind>, Counts) {
        let left = self.left();
        (m.freezes, if m.freezes.is_some() { left.less_one(self.shogi.side()) } else { left })
    }

    /// The key: a hash of everything that affects the future.
    pub(crate) fn full_key(&self) -> u64 {
        let State { frozen, left, .. } = *self.states.present();
        self.shogi.key() ^ freeze_key(frozen, left, self.terms.barred)
    }

    pub(crate) fn full_key_after(&self, m: Move) -> u64 {
        let (frozen, left) = self.after(m);
        self.shogi.key_after(m.base) ^ freeze_key(frozen, left, self.terms.barred)
    }

    pub(crate) fn play(&mut self, m: Move, observer: impl FnMut(Change)) {
        let us = self.shogi.side();
        let (frozen, left) = self.after(m);
        let State { frozen: was_frozen, mut checks_in_a_row, comparable, .. } = *self.states.present();
        self.shogi.do_move_observed(m.base, observer);
        let row = &mut checks_in_a_row[us.index()];
        *row = if self.shogi.in_check() { row.saturating_add(1) } else { 0 };
        // A position with an active freeze cannot repeat, and counts never rise.
        let comparable = if frozen.is_some() || was_frozen.is_some() { 0 } else { comparable + 1 };
        self.states.push(State {
            frozen,
            left,
            board_key: self.shogi.board_key(),
            hands: Color::ALL.map(|color| self.shogi.hand(color)),
            checks_in_a_row,
            comparable,
        });
    }

    pub(crate) fn take_back(&mut self) {
        self.shogi.undo_move();
        self.states.pop();
    }

    /// Makes a null move; an active freeze ends as with any move.
    pub(crate) fn pass(&mut self) {
        self.shogi.do_null_move();
        let state = State {
            frozen: None,
            board_key: self.shogi.board_key(),
            checks_in_a_row: [0; 2],
            comparable: 0,
            ..*self.states.present()
        };
        self.states.push(state);
    }
}
