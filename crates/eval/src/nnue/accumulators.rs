//! The sums of the first layer along a line of play.

use super::aligned::Aligned;
use super::feature_list::FeatureList;
use super::feature_table::FeatureTable;
use super::features::king_square;
use super::refresh_cache::RefreshCache;
use super::{Features, Network};
use crate::BonaPiece;
use shogi::{Change, Color, Piece, PieceKind, Position, Square};

/// A move adds no more features and removes no more: those of the moved and of the captured piece, two for a king.
const MOST: usize = 4;

/// A few features of each player.
#[derive(Clone, Copy, Debug)]
struct FewFeatures {
    features: [[u32; MOST]; 2],
    /// As many for both players; more than there is room for if a move changes too much.
    count: usize,
}

impl FewFeatures {
    const NONE: Self = Self { features: [[0; MOST]; 2], count: 0 };

    #[inline]
    fn push(&mut self, features: [u32; 2]) {
        let place = self.count % MOST;
        self.features[0][place] = features[0];
        self.features[1][place] = features[1];
        self.count += 1;
    }

    #[inline]
    fn of(&self, view: Color) -> &[u32] {
        &self.features[view.index()][..self.count.min(MOST)]
    }
}

/// A position on the line of play.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// What the move has switched on, and what it has switched off.
    added: FewFeatures,
    removed: FewFeatures,
    /// Where the kings are, as their owners see them.
    kings: [u8; 2],
    /// For each player: the sums are there.
    computed: [bool; 2],
    /// For each player: all features have changed with this move.
    renewed: [bool; 2],
    /// Passes made here: they change nothing.
    passes: u32,
}

impl Frame {
    const EMPTY: Self = Self {
        added: FewFeatures::NONE,
        removed: FewFeatures::NONE,
        kings: [0; 2],
        computed: [false; 2],
        renewed: [false; 2],
        passes: 0,
    };

    /// Forgets everything but where the kings are.
    #[inline]
    fn begin(&mut self, kings: [u8; 2]) {
        self.added.count = 0;
        self.removed.count = 0;
        self.kings = kings;
        self.computed = [false; 2];
        self.renewed = [false; 2];
        self.passes = 0;
    }

    /// A king has left a square or come to one; `features` are those of a piece there.
    fn note_king(&mut self, change: Change, king: Piece, square: Square, set: Features, features: [u32; 2]) {
        let placed = matches!(change, Change::Placed(..));
        let owner = king.color();
        if placed {
            self.kings[owner.index()] = seen_from(square, owner).index() as u8;
            self.renewed[owner.index()] = set.depend_on_king();
        }
        if !set.include_kings() {
            return;
        }
        let list = if placed { &mut self.added } else { &mut self.removed };
        list.push(features);
        let [black, white] = Color::ALL.map(|view| set.second_index(BonaPiece::on_board(king, square, view)));
        if let (Some(black), Some(white)) = (black, white) {
            list.push([black as u32, white as u32]);
        }
    }
}

/// A square as a player sees it.
fn seen_from(square: Square, view: Color) -> Square {
    if view == Color::Black { square } else { square.flip() }
}

/// A stack of sums, computed only when they are asked for.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    features: Features,
    table: FeatureTable,
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
            table: FeatureTable::new(network.architecture().features),
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
        self.frames[0].begin(Color::ALL.map(|view| king_square(position, view) as u8));
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
        let tables = kings.map(|king| self.table.of_king(king.into()));
        let on_board = |piece, square| {
            Color::ALL.map(|view| tables[view.index()].feature(BonaPiece::on_board(piece, square, view)))
        };
        let in_hand = |color, piece, nth| {
            let [black, white] = Color::ALL.map(|view| BonaPiece::in_hand(color, piece, nth, view));
            black.zip(white).map(|(black, white)| [tables[0].feature(black), tables[1].feature(white)])
        };
        for change in changes {
            match *change {
                Change::Removed(piece, square) | Change::Placed(piece, square)
                    if piece.kind() == PieceKind::King =>
                {
                    frame.note_king(*change, piece, square, self.features, on_board(piece, square));
                }
                Change::Removed(piece, square) => frame.removed.push(on_board(piece, square)),
                Change::Placed(piece, square) => frame.added.push(on_board(piece, square)),
                // Composers' diagrams have pieces without a number.
                Change::Hand { color, piece, before, after } if after > before => {
                    in_hand(color, piece, after).into_iter().for_each(|features| frame.added.push(features));
                }
                Change::Hand { color, piece, before, .. } => {
                    in_hand(color, piece, before)
                        .into_iter()
                        .for_each(|features| frame.removed.push(features));
                }
            }
        }
        if self.features.depend_on_attacks() || frame.added.count.max(frame.removed.count) > MOST {
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
        for index in known + 1..=self.top {
            let frame = &mut self.frames[index];
            frame.computed[view.index()] = true;
            let (before, after) = self.sums.split_at_mut(2 * self.stride * index);
            let player = view.index() * self.stride;
            let from = &before[2 * self.stride * (index - 1) + player..][..self.stride];
            let to = &mut after[player..][..self.stride];
            network.update(from, to, frame.added.of(view), frame.removed.of(view));
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
