//! The sums of the first layer along a line of play.

use super::aligned::Aligned;
use super::feature_list::FeatureList;
use super::features::king_square;
use super::refresh_cache::RefreshCache;
use super::{Features, Network};
use crate::BonaPiece;
use shogi::{Change, Color, Piece, PieceKind, Position, Square};

/// A move changes no more: a piece captured, the moved piece twice, a hand.
const MOST_CHANGES: usize = 4;
const NO_CHANGE: Change = Change::Removed(Piece::BPawn, Square::Sq11);

/// A position on the line of play.
#[derive(Clone, Copy, Debug)]
struct Frame {
    changes: [Change; MOST_CHANGES],
    change_count: u8,
    /// Passes made here: they change nothing.
    passes: u32,
    /// For each player: the sums are there.
    computed: [bool; 2],
    /// For each player: all features have changed with this move.
    renewed: [bool; 2],
}

impl Frame {
    const EMPTY: Self = Self {
        changes: [NO_CHANGE; MOST_CHANGES],
        change_count: 0,
        passes: 0,
        computed: [false; 2],
        renewed: [false; 2],
    };
}

/// A stack of sums, computed only when they are asked for.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    features: Features,
    stride: usize,
    /// Those up to `top` are in use.
    frames: Vec<Frame>,
    top: usize,
    /// `[frame][player]`
    sums: Aligned<i16>,
    cache: RefreshCache,
    added: FeatureList,
    removed: FeatureList,
}

/// Frames made ready at the beginning: more than most searches need.
const FIRST_FRAMES: usize = 64;

impl Accumulators {
    pub(super) fn new(network: &Network) -> Self {
        let stride = network.stride();
        Self {
            features: network.architecture().features,
            stride,
            frames: vec![Frame::EMPTY; FIRST_FRAMES],
            top: 0,
            sums: Aligned::zeroed(2 * stride * FIRST_FRAMES),
            cache: RefreshCache::new(network),
            added: FeatureList::new(),
            removed: FeatureList::new(),
        }
    }

    /// Begins a line at `position`.
    pub(super) fn reset(&mut self, network: &Network, position: &Position) {
        self.top = 0;
        self.frames[0] = Frame::EMPTY;
        for view in Color::ALL {
            self.renew(network, position, view);
        }
    }

    #[inline]
    pub(super) fn push(&mut self, changes: &[Change]) {
        if changes.is_empty() {
            self.frames[self.top].passes += 1;
            return;
        }
        self.top += 1;
        if self.top == self.frames.len() {
            self.grow();
        }
        let frame = &mut self.frames[self.top];
        frame.passes = 0;
        frame.computed = [false; 2];
        frame.renewed = [false; 2];
        if changes.len() > MOST_CHANGES {
            debug_assert!(false, "no move changes so much");
            frame.renewed = [true; 2];
            return;
        }
        frame.change_count = changes.len() as u8;
        frame.changes[..changes.len()].copy_from_slice(changes);
        for change in changes {
            if let Change::Placed(piece, _) = change
                && piece.kind() == PieceKind::King
            {
                frame.renewed[piece.color().index()] = self.features.depend_on_king();
            }
        }
        if self.features.depend_on_attacks() {
            frame.renewed = [true; 2];
        }
    }

    #[cold]
    fn grow(&mut self) {
        let frames = 2 * self.frames.len();
        self.frames.resize(frames, Frame::EMPTY);
        self.sums.grow(2 * self.stride * frames);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        match &mut self.frames[self.top].passes {
            0 => self.top = self.top.checked_sub(1).expect("as many pops as pushes"),
            passes => *passes -= 1,
        }
    }

    /// The sums of the side to move and of the other side in `position`, to which the pushes and pops led.
    #[inline]
    pub(super) fn sums(&mut self, network: &Network, position: &Position) -> [&[i16]; 2] {
        for view in Color::ALL {
            if !self.frames[self.top].computed[view.index()] {
                self.compute(network, position, view);
            }
        }
        let (black, white) = self.sums[2 * self.stride * self.top..][..2 * self.stride].split_at(self.stride);
        match position.side() {
            Color::Black => [black, white],
            Color::White => [white, black],
        }
    }

    /// Brings the sums of `view` up to the present position.
    fn compute(&mut self, network: &Network, position: &Position, view: Color) {
        let mut known = self.top;
        while !self.frames[known].computed[view.index()] {
            if self.frames[known].renewed[view.index()] || known == 0 {
                return self.renew(network, position, view);
            }
            known -= 1;
        }
        let king = king_square(position, view);
        for index in known + 1..=self.top {
            self.added.clear();
            self.removed.clear();
            let frame = &mut self.frames[index];
            frame.computed[view.index()] = true;
            for change in &frame.changes[..usize::from(frame.change_count)] {
                list_change(self.features, *change, king, view, &mut self.added, &mut self.removed);
            }
            let (before, after) = self.sums.split_at_mut(2 * self.stride * index);
            let player = view.index() * self.stride;
            let from = &before[2 * self.stride * (index - 1) + player..][..self.stride];
            let to = &mut after[player..][..self.stride];
            network.update(from, to, self.added.as_slice(), self.removed.as_slice());
        }
    }

    /// Sums everything that `view` sees, or what differs from what is remembered.
    fn renew(&mut self, network: &Network, position: &Position, view: Color) {
        self.frames[self.top].computed[view.index()] = true;
        let sums = &mut self.sums[2 * self.stride * self.top + view.index() * self.stride..][..self.stride];
        if self.features.depend_on_king() {
            sums.copy_from_slice(self.cache.refresh(network, position, view));
        } else {
            self.added.clear();
            self.features.for_each_active(position, view, |feature| self.added.push(feature));
            sums.copy_from_slice(network.bias());
            network.adjust(sums, self.added.as_slice(), &[]);
        }
    }
}

/// Lists the features of `view` that a change switches on and off.
#[inline]
fn list_change(
    features: Features,
    change: Change,
    king: usize,
    view: Color,
    added: &mut FeatureList,
    removed: &mut FeatureList,
) {
    let (list, piece) = match change {
        Change::Removed(piece, square) => (removed, Some(BonaPiece::on_board(piece, square, view))),
        Change::Placed(piece, square) => (added, Some(BonaPiece::on_board(piece, square, view))),
        Change::Hand { color, piece, before, after } if after > before => {
            (added, BonaPiece::in_hand(color, piece, after, view))
        }
        Change::Hand { color, piece, before, .. } => {
            (removed, BonaPiece::in_hand(color, piece, before, view))
        }
    };
    let Some(piece) = piece else { return };
    if !piece.is_king() {
        list.push(features.index(king, piece));
    } else if features.include_kings() {
        list.push(features.index(king, piece));
        if let Some(second) = features.second_index(piece) {
            list.push(second);
        }
    }
}
