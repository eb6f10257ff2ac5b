//! The sums of the first layer along a line of play.

use super::aligned::Aligned;
use super::delta::Delta;
use super::feature_list::FeatureList;
use super::features::king_square;
use super::king_view::KingView;
use super::refresh_cache::RefreshCache;
use super::{Features, Network};
use crate::BonaPiece;
use shogi::{Change, Color, HandPiece, Piece, PieceKind, Position, Square};

/// A position on the line of play.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// What the move has switched on and off, but for what is pending.
    delta: Delta,
    /// Changes whose features nobody has asked for yet: most positions are never evaluated.
    pending: Pending,
    /// For each player: how the features of pieces are numbered.
    kings: [KingView; 2],
    /// For each player: the sums are there.
    computed: [bool; 2],
    /// For each player: all features have changed with this move.
    renewed: [bool; 2],
    /// Passes made here: they change nothing.
    passes: u32,
}

/// The changes of a move as kings leave them: their features can be told at any time.
#[derive(Clone, Copy, Debug)]
enum Pending {
    None,
    /// A piece moves or is dropped.
    Two([Change; 2]),
    /// A piece captures.
    Four([Change; 4]),
}

impl Frame {
    const EMPTY: Self = Self {
        delta: Delta::NONE,
        pending: Pending::None,
        kings: [KingView::EMPTY; 2],
        computed: [false; 2],
        renewed: [false; 2],
        passes: 0,
    };

    /// Forgets everything but where the kings are.
    #[inline]
    fn begin(&mut self, kings: [KingView; 2]) {
        self.delta.added.clear();
        self.delta.removed.clear();
        self.pending = Pending::None;
        self.kings = kings;
        self.computed = [false; 2];
        self.renewed = [false; 2];
        self.passes = 0;
    }

    /// The features of a piece, but not of a king, on a square.
    #[inline]
    fn on_board(&self, piece: Piece, square: Square) -> [u32; 2] {
        Color::ALL.map(|view| self.kings[view.index()].feature(BonaPiece::on_board(piece, square, view)))
    }

    /// The features of the `nth` piece in a hand; composers' diagrams have pieces without a number.
    #[inline]
    fn in_hand(&self, color: Color, piece: HandPiece, nth: u32) -> Option<[u32; 2]> {
        let black = BonaPiece::in_hand(color, piece, nth, Color::Black)?;
        let white = BonaPiece::in_hand(color, piece, nth, Color::White)?;
        Some([self.kings[0].feature(black), self.kings[1].feature(white)])
    }

    /// Notes what has changed. What does not concern a king is only kept for [`Frame::settle`].
    #[inline]
    fn note(&mut self, features: Features, changes: &[Change]) {
        let concerns_king = |change: &Change| matches!(change, Change::Removed(piece, _) | Change::Placed(piece, _) if piece.kind() == PieceKind::King);
        match *changes {
            [a, b] if !concerns_king(&b) => self.pending = Pending::Two([a, b]),
            [a, b, c, d] if !concerns_king(&c) => self.pending = Pending::Four([a, b, c, d]),
            _ => {
                for change in changes {
                    self.note_change(features, *change);
                }
            }
        }
    }

    /// Works out the features of the changes that are pending.
    #[inline]
    fn settle(&mut self, features: Features) {
        let pending = std::mem::replace(&mut self.pending, Pending::None);
        let changes: &[Change] = match &pending {
            Pending::None => &[],
            Pending::Two(changes) => changes,
            Pending::Four(changes) => changes,
        };
        for change in changes {
            self.note_change(features, *change);
        }
    }

    #[inline(always)]
    fn note_change(&mut self, features: Features, change: Change) {
        match change {
            Change::Removed(piece, square) if piece.kind() == PieceKind::King => {
                self.note_king(features, piece, square, false);
            }
            Change::Placed(piece, square) if piece.kind() == PieceKind::King => {
                self.note_king(features, piece, square, true);
            }
            Change::Removed(piece, square) => self.delta.removed.push(self.on_board(piece, square)),
            Change::Placed(piece, square) => self.delta.added.push(self.on_board(piece, square)),
            Change::Hand { color, piece, before, after } if after > before => {
                if let Some(features) = self.in_hand(color, piece, after) {
                    self.delta.added.push(features);
                }
            }
            Change::Hand { color, piece, before, .. } => {
                if let Some(features) = self.in_hand(color, piece, before) {
                    self.delta.removed.push(features);
                }
            }
        }
    }

    /// A king has left a square, or come to one.
    #[cold]
    fn note_king(&mut self, features: Features, king: Piece, square: Square, placed: bool) {
        let owner = king.color();
        if features.include_kings() {
            let pieces = Color::ALL.map(|view| BonaPiece::on_board(king, square, view));
            let list = if placed { &mut self.delta.added } else { &mut self.delta.removed };
            list.push([0, 1].map(|view| features.index(self.kings[view].king(), pieces[view]) as u32));
            if let [Some(black), Some(white)] = pieces.map(|piece| features.second_index(piece)) {
                list.push([black as u32, white as u32]);
            }
        }
        if placed && features.depend_on_king() {
            let square = if owner == Color::Black { square } else { square.flip() };
            let view = KingView::new(features, square.index());
            let before = std::mem::replace(&mut self.kings[owner.index()], view);
            self.renewed[owner.index()] |= !view.sees_as(before);
        }
    }
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
    active: FeatureList,
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
            active: FeatureList::new(),
        }
    }

    /// Begins a line at `position`.
    pub(super) fn reset(&mut self, network: &Network, position: &Position) {
        self.top = 0;
        self.frames[0]
            .begin(Color::ALL.map(|view| KingView::new(self.features, king_square(position, view))));
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
        let kings = self.frames[self.top].kings;
        self.top += 1;
        if self.top == self.frames.len() {
            self.grow();
        }
        let frame = &mut self.frames[self.top];
        frame.begin(kings);
        frame.note(self.features, changes);
        if frame.delta.is_overfull() {
            debug_assert!(false, "no move changes so much");
            frame.renewed = [true; 2];
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
        if self.frames[self.top].computed != [true; 2] {
            self.compute(network, position);
        }
        let (black, white) = self.sums[2 * self.stride * self.top..][..2 * self.stride].split_at(self.stride);
        match position.side() {
            Color::Black => [black, white],
            Color::White => [white, black],
        }
    }

    /// Brings the sums up to the present position, for both players at once if they are known one move before.
    fn compute(&mut self, network: &Network, position: &Position) {
        if let [.., before, frame] = &mut self.frames[..=self.top]
            && before.computed == [true; 2]
            && frame.computed == [false; 2]
            && frame.renewed == [false; 2]
        {
            frame.computed = [true; 2];
            frame.settle(self.features);
            let sums = &mut self.sums[2 * self.stride * (self.top - 1)..][..4 * self.stride];
            let (from, to) = sums.split_at_mut(2 * self.stride);
            return network.update_both(from, to, &frame.delta);
        }
        for view in Color::ALL {
            if !self.frames[self.top].computed[view.index()] {
                self.compute_one(network, position, view);
            }
        }
    }

    /// Brings the sums of `view` up to the present position.
    fn compute_one(&mut self, network: &Network, position: &Position, view: Color) {
        let mut known = self.top;
        while !self.frames[known].computed[view.index()] {
            if self.frames[known].renewed[view.index()] || known == 0 {
                return self.renew(network, position, view);
            }
            known -= 1;
        }
        for index in known + 1..=self.top {
            let frame = &mut self.frames[index];
            frame.computed[view.index()] = true;
            frame.settle(self.features);
            let (before, after) = self.sums.split_at_mut(2 * self.stride * index);
            let player = view.index() * self.stride;
            let from = &before[2 * self.stride * (index - 1) + player..][..self.stride];
            let to = &mut after[player..][..self.stride];
            network.update(from, to, &frame.delta, view.index());
        }
    }

    /// Sums everything that `view` sees, or what differs from what is remembered.
    fn renew(&mut self, network: &Network, position: &Position, view: Color) {
        self.frames[self.top].computed[view.index()] = true;
        let sums = &mut self.sums[2 * self.stride * self.top + view.index() * self.stride..][..self.stride];
        if self.features.depend_on_king() {
            sums.copy_from_slice(self.cache.refresh(network, position, view));
        } else {
            self.active.clear();
            self.features.for_each_active(position, view, |feature| self.active.push(feature));
            sums.copy_from_slice(network.bias());
            network.adjust(sums, self.active.as_slice(), &[]);
        }
    }
}
