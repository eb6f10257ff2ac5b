//! The pieces of a position as both players number them.

use crate::BonaPiece;
use shogi::{Change, Color, PieceKind, Position};

/// A piece as Black and as White see it.
pub(super) type Views = [u16; 2];

/// A slot of the list that a move has changed, with what was there before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Replaced {
    pub(super) slot: u8,
    pub(super) old: Views,
}

/// All pieces but the kings. A move replaces the content of one or two slots, so the difference between two positions
/// is a list of slots.
#[derive(Clone, Debug, Default)]
pub(super) struct PieceList {
    /// `[view][slot]`, so that one player's sums run over one array.
    views: [Vec<u16>; 2],
}

/// The most that a move changes: the piece that moves, and the one it captures.
pub(super) type Changed = [Option<Replaced>; 2];

impl PieceList {
    /// The pieces of a position. Absent ones (handicaps) have a number too, so there are always 38. Diagrams with too
    /// many pieces may have more; pieces without a number of their own count as absent.
    pub(super) fn new(position: &Position) -> Self {
        let views = Color::ALL.map(|view| {
            let mut list = Vec::with_capacity(BonaPiece::SET_SIZE);
            BonaPiece::for_each(position, view, |piece| list.push(piece.index() as u16));
            let surplus = Color::ALL
                .into_iter()
                .flat_map(|color| position.hand(color).iter())
                .map(|(piece, count)| count.saturating_sub(piece.set_size()) as usize)
                .sum::<usize>();
            list.resize(list.len() + surplus + BonaPiece::absent(position), 0);
            list
        });
        Self { views }
    }

    pub(super) fn view(&self, color: Color) -> &[u16] {
        &self.views[color.index()]
    }

    /// Follows a move; returns what it has replaced.
    pub(super) fn apply(&mut self, changes: &[Change]) -> Changed {
        let mut gone = [[0; 2]; 2];
        let mut come = [[0; 2]; 2];
        let (mut gone_count, mut come_count) = (0, 0);
        for &change in changes {
            match change {
                Change::Removed(piece, square) if piece.kind() != PieceKind::King => {
                    gone[gone_count] = both(|view| Some(BonaPiece::on_board(piece, square, view)));
                    gone_count += 1;
                }
                Change::Placed(piece, square) if piece.kind() != PieceKind::King => {
                    come[come_count] = both(|view| Some(BonaPiece::on_board(piece, square, view)));
                    come_count += 1;
                }
                Change::Hand { color, piece, before, after } if after > before => {
                    come[come_count] = both(|view| BonaPiece::in_hand(color, piece, after, view));
                    come_count += 1;
                }
                Change::Hand { color, piece, before, .. } => {
                    gone[gone_count] = both(|view| BonaPiece::in_hand(color, piece, before, view));
                    gone_count += 1;
                }
                _ => {}
            }
        }
        debug_assert_eq!(gone_count, come_count, "pieces neither vanish nor appear");
        std::array::from_fn(|i| (i < gone_count).then(|| self.replace(gone[i], come[i])))
    }

    fn replace(&mut self, old: Views, new: Views) -> Replaced {
        let slot = self.views[0].iter().position(|piece| *piece == old[0]);
        let slot = slot.expect("a piece that leaves a place was in the list");
        self.put(slot, new);
        Replaced { slot: slot as u8, old }
    }

    fn put(&mut self, slot: usize, piece: Views) {
        for (view, piece) in self.views.iter_mut().zip(piece) {
            view[slot] = piece;
        }
    }

    /// Takes a move back.
    pub(super) fn restore(&mut self, changed: Changed) {
        for replaced in changed.into_iter().rev().flatten() {
            self.put(replaced.slot.into(), replaced.old);
        }
    }
}

fn both(number: impl Fn(Color) -> Option<BonaPiece>) -> Views {
    Color::ALL.map(|view| number(view).unwrap_or_default().index() as u16)
}
