//! The sums of the first layer along a line of play.

use crate::BonaPiece;
use crate::nnue::features::feature_list::FeatureList;
use crate::nnue::features::is_on_middle_file;
use crate::nnue::features::king_view::KingView;
use crate::nnue::incremental::delta::Delta;
use crate::nnue::incremental::refresh_cache::RefreshCache;
use crate::nnue::network::aligned::Aligned;
use crate::nnue::{Features, Network};
use shogi::{Change, Color, HandPiece, Piece, PieceKind, Position, Square};

/// A position on the line of play.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Features that the move adds and removes, except for `pending` ones.
    delta: Delta,
    pending: Pending,
    /// For each player, the numbering of piece features.
    kings: [KingView; 2],
    /// For each player, whether the sums have been computed.
    computed: [bool; 2],
    /// For each player, whether the move has changed all features.
    renewed: [bool; 2],
    /// Number of null moves made here, which change nothing.
    passes: u32,
}

/// Changes of a move whose features have not been computed yet, because most positions are never evaluated. Changes of
/// kings are not deferred: the other features depend on them.
#[derive(Clone, Copy, Debug)]
struct Pending {
    changes: [Change; Self::MOST],
    count: usize,
}

impl Pending {
    /// A move changes two places of the moving piece, and two of a captured one.
    const MOST: usize = 4;
    const NONE: Self = Self { changes: [Change::Removed(Piece::BPawn, Square::Sq11); Self::MOST], count: 0 };

    /// Stores the changes of a move; `None` unless they are those of a piece that moves, is dropped, or captures.
    #[inline(always)]
    fn keep(&mut self, changes: &[Change]) -> Option<()> {
        // Copies of known size compile without a call.
        if let Ok(two) = changes.try_into() {
            *self.changes.first_chunk_mut::<2>()? = two;
        } else {
            self.changes = changes.try_into().ok()?;
        }
        self.count = changes.len();
        Some(())
    }
}

impl Frame {
    const EMPTY: Self = Self {
        delta: Delta::NONE,
        pending: Pending::NONE,
        kings: [KingView::EMPTY; 2],
        computed: [false; 2],
        renewed: [false; 2],
        passes: 0,
    };

    /// Invalidates all sums; only the king squares are kept.
    #[inline]
    fn begin(&mut self, kings: [KingView; 2]) {
        self.delta.added.clear();
        self.delta.removed.clear();
        self.pending.count = 0;
        self.kings = kings;
        self.computed = [false; 2];
        self.renewed = [false; 2];
        self.passes = 0;
    }

    /// Whether the sums of both players can be computed from those before the move.
    #[inline]
    fn follows_from_last(&self) -> bool {
        self.computed == [false; 2] && self.renewed == [false; 2]
    }

    /// The features of a piece, but not of a king, on a square.
    #[inline]
    fn on_board(&self, piece: Piece, square: Square) -> [u32; 2] {
        Color::ALL.map(|view| self.kings[view.index()].feature(BonaPiece::on_board(piece, square, view)))
    }

    /// The features of the `nth` piece in a hand; in composers' diagrams some pieces have no number.
    #[inline]
    fn in_hand(&self, color: Color, piece: HandPiece, nth: u32) -> Option<[u32; 2]> {
        let [black, white] = BonaPiece::in_hand_of_both_views(color, piece, nth)?;
        Some([self.kings[0].feature(black), self.kings[1].feature(white)])
    }

    /// Records the changes of a move. Those that do not concern a king are deferred to [`Frame::settle`].
    #[inline]
    fn note(&mut self, features: &Features, changes: &[Change]) {
        // The moving piece comes last, except for a piece that goes to the hand.
        let mover = match changes {
            [_, placed] | [_, _, placed, _] => Some(placed),
            _ => None,
        };
        if mover.is_none_or(concerns_king) || self.pending.keep(changes).is_none() {
            self.note_all(features, changes);
        }
    }

    #[cold]
    fn note_all(&mut self, features: &Features, changes: &[Change]) {
        for change in changes {
            match *change {
                Change::Removed(piece, square) if concerns_king(change) => {
                    self.note_king(features, piece, square, false);
                }
                Change::Placed(piece, square) if concerns_king(change) => {
                    self.note_king(features, piece, square, true);
                }
                change => self.note_piece(change),
            }
        }
        if self.delta.is_overfull() {
            debug_assert!(false, "no move changes so much");
            self.renewed = [true; 2];
        }
    }

    /// Computes the features of the pending changes.
    #[inline]
    fn settle(&mut self) {
        let Pending { changes, count } = self.pending;
        self.pending.count = 0;
        for change in &changes[..count] {
            self.note_piece(*change);
        }
    }

    /// Records that a piece other than a king has left a place, or come to one.
    #[inline(always)]
    fn note_piece(&mut self, change: Change) {
        match change {
            Change::Removed(piece, square) => self.delta.removed.push(self.on_board(piece, square)),
            Change::Placed(piece, square) => self.delta.added.push(self.on_board(piece, square)),
            Change::Hand { color, piece, before, after } => {
                let Some(features) = self.in_hand(color, piece, before.max(after)) else { return };
                let list = if after > before { &mut self.delta.added } else { &mut self.delta.removed };
                list.push(features);
            }
        }
    }

    /// Records that a king has left a square, or come to one.
    #[cold]
    fn note_king(&mut self, features: &Features, king: Piece, square: Square, placed: bool) {
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
            self.look(owner, self.kings[owner.index()].moved(*features, square.index()));
        }
    }

    /// Sets the view of a player.
    fn look(&mut self, player: Color, view: KingView) {
        let before = std::mem::replace(&mut self.kings[player.index()], view);
        self.renewed[player.index()] |= !view.sees_as(before);
    }
}

fn concerns_king(change: &Change) -> bool {
    matches!(change, Change::Removed(piece, _) | Change::Placed(piece, _) if piece.kind() == PieceKind::King)
}

/// A stack of sums, computed only when a value needs them.
#[derive(Clone, Debug)]
pub(in crate::nnue) struct Accumulators {
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

/// Frames allocated at the beginning: more than most searches need.
const FIRST_FRAMES: usize = 64;

impl Accumulators {
    pub(in crate::nnue) fn new(network: &Network) -> Self {
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

    /// Starts a line at `position`.
    pub(in crate::nnue) fn reset(&mut self, network: &Network, position: &Position) {
        self.top = 0;
        self.frames[0]
            .begin(Color::ALL.map(|view| KingView::new(self.features, self.features.king(position, view))));
        self.cache.begin(self.features, position);
        for view in Color::ALL {
            self.renew(network, position, view);
        }
    }

    #[inline]
    pub(in crate::nnue) fn push(&mut self, changes: &[Change]) {
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
        frame.note(&self.features, changes);
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
    pub(in crate::nnue) fn pop(&mut self) {
        match &mut self.frames[self.top].passes {
            0 => self.top = self.top.checked_sub(1).expect("as many pops as pushes"),
            passes => *passes -= 1,
        }
    }

    /// The sums of the side to move and of the other side. `position` must be the one that the pushes and pops led to.
    #[inline]
    pub(in crate::nnue) fn sums(&mut self, network: &Network, position: &Position) -> [&[i16]; 2] {
        if self.features.lean() {
            self.turn(position);
        }
        if self.frames[self.top].computed != [true; 2] {
            self.compute(network, position);
        }
        let (black, white) = self.sums[2 * self.stride * self.top..][..2 * self.stride].split_at(self.stride);
        match position.side() {
            Color::Black => [black, white],
            Color::White => [white, black],
        }
    }

    /// Updates the mirroring for kings on the middle file to `position`; until now it was that of the last time it
    /// mattered.
    #[inline]
    fn turn(&mut self, position: &Position) {
        for player in Color::ALL {
            let seen = self.frames[self.top].kings[player.index()].king();
            if is_on_middle_file(seen) {
                let king = self.features.king(position, player);
                if king != seen {
                    let frame = &mut self.frames[self.top];
                    frame.look(player, KingView::new(self.features, king));
                    frame.computed[player.index()] = false;
                }
            }
        }
    }

    /// Computes the sums of the current position, for both players at once if an earlier position has both.
    fn compute(&mut self, network: &Network, position: &Position) {
        let mut known = self.top;
        while known > 0 && self.frames[known].follows_from_last() {
            known -= 1;
        }
        if self.frames[known].computed == [true; 2] {
            for index in known + 1..=self.top {
                let frame = &mut self.frames[index];
                frame.computed = [true; 2];
                frame.settle();
                let sums = &mut self.sums[2 * self.stride * (index - 1)..][..4 * self.stride];
                let (from, to) = sums.split_at_mut(2 * self.stride);
                network.update_both(from, to, &frame.delta);
            }
        } else {
            self.compute_each(network, position);
        }
    }

    #[cold]
    fn compute_each(&mut self, network: &Network, position: &Position) {
        for view in Color::ALL {
            if !self.frames[self.top].computed[view.index()] {
                self.compute_one(network, position, view);
            }
        }
    }

    /// Computes the sums of `view` in the current position.
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
            frame.settle();
            let (before, after) = self.sums.split_at_mut(2 * self.stride * index);
            let player = view.index() * self.stride;
            let from = &before[2 * self.stride * (index - 1) + player..][..self.stride];
            let to = &mut after[player..][..self.stride];
            network.update(from, to, &frame.delta, view.index());
        }
    }

    /// Sums all features of `view`, or those that differ from the cached sums.
    fn renew(&mut self, network: &Network, position: &Position, view: Color) {
        let frame = &mut self.frames[self.top];
        frame.computed[view.index()] = true;
        let king = frame.kings[view.index()];
        let sums = &mut self.sums[2 * self.stride * self.top + view.index() * self.stride..][..self.stride];
        if self.features.depend_on_king() {
            sums.copy_from_slice(self.cache.refresh(network, position, view, king));
        } else {
            self.active.clear();
            self.features.for_each_active(position, view, |feature| self.active.push(feature));
            sums.copy_from_slice(network.bias());
            network.adjust(sums, self.active.as_slice(), &[]);
        }
    }
}
