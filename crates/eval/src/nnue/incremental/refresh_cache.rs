//! Sums stored for each square (or zone) of a king ("Finny tables").
//!
//! When a king moves, all of its owner's features change, but the last position with the king on that square was mostly
//! the same: only the differences are summed.

use crate::BonaPiece;
use crate::nnue::features::attack_code;
use crate::nnue::features::feature_list::FeatureList;
use crate::nnue::features::king_view::KingView;
use crate::nnue::network::aligned::Aligned;
use crate::nnue::{Features, Network};
use shogi::{Color, Hand, HandPiece, Piece, PieceKind, Position, Square};

/// A number for each square, padded with zeros to whole words: boards that are mostly equal are compared word by word.
#[derive(Clone, Copy, Debug)]
struct Numbers([u8; Self::WORDS * 8]);

impl Numbers {
    const WORDS: usize = Square::COUNT.div_ceil(8);
    const ZERO: Self = Self([0; Self::WORDS * 8]);

    /// [`Piece::index`] of the piece on each square, 0 for none.
    fn of_pieces(position: &Position) -> Self {
        let mut numbers = Self::ZERO;
        for (number, piece) in numbers.0.iter_mut().zip(position.board()) {
            *number = piece.map_or(0, |piece| piece.index() as u8);
        }
        numbers
    }

    /// [`attack_code`] of the piece on each square, kings aside.
    fn of_attacks(position: &Position, view: Color) -> Self {
        let mut numbers = Self::ZERO;
        for square in Square::all() {
            if position.piece_at(square).is_some_and(|piece| piece.kind() != PieceKind::King) {
                numbers.0[square.index()] = attack_code(position, square, view);
            }
        }
        numbers
    }

    /// Words of bytes that are 0 where both have the same number.
    #[inline(always)]
    fn differences(&self, other: &Self) -> [u64; Self::WORDS] {
        let mut words = [0; Self::WORDS];
        let pairs = self.0.as_chunks().0.iter().zip(other.0.as_chunks().0);
        for (word, (a, b)) in words.iter_mut().zip(pairs) {
            *word = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        }
        words
    }
}

/// The position of a cache entry.
#[derive(Clone, Debug)]
struct Snapshot {
    pieces: Numbers,
    /// Used if the features count attacks.
    attacks: Numbers,
    hands: [Hand; 2],
    absent: usize,
}

impl Snapshot {
    const EMPTY: Self =
        Self { pieces: Numbers::ZERO, attacks: Numbers::ZERO, hands: [Hand::EMPTY; 2], absent: 0 };
}

#[derive(Clone, Debug)]
pub(in crate::nnue) struct RefreshCache {
    /// `[view][numbering of features]`: the sums and their positions.
    sums: Aligned<i16>,
    snapshots: Vec<Snapshot>,
    /// Number of features of missing pieces in this line of play, which moves do not change.
    absent: usize,
    added: FeatureList,
    removed: FeatureList,
}

impl RefreshCache {
    pub(in crate::nnue) fn new(network: &Network) -> Self {
        let features = network.architecture().features;
        let entries = if features.depend_on_king() { 2 * features.numberings() } else { 0 };
        let mut sums = Aligned::zeroed(entries * network.stride());
        sums.chunks_exact_mut(network.stride()).for_each(|sums| sums.copy_from_slice(network.bias()));
        Self {
            sums,
            snapshots: vec![Snapshot::EMPTY; entries],
            absent: 0,
            added: FeatureList::new(),
            removed: FeatureList::new(),
        }
    }

    /// Starts a line of play.
    pub(in crate::nnue) fn begin(&mut self, features: Features, position: &Position) {
        self.absent = 0;
        features.for_each_absent(position, 0, |_| self.absent += 1);
    }

    /// The sums of `view` in `position`, given the view of its king.
    pub(in crate::nnue) fn refresh(
        &mut self,
        network: &Network,
        position: &Position,
        view: Color,
        king: KingView,
    ) -> &[i16] {
        let features = network.architecture().features;
        let entry = view.index() * features.numberings() + features.numbering(king.king());
        let snapshot = &mut self.snapshots[entry];
        let mut changes =
            Changes { added: &mut self.added, removed: &mut self.removed, features, view, king };
        changes.added.clear();
        changes.removed.clear();
        changes.of_boards(snapshot, position);
        changes.of_hands(snapshot, position);
        let known = std::mem::replace(&mut snapshot.absent, self.absent);
        let zero = features.index(king.king(), BonaPiece::ZERO);
        (known..self.absent).for_each(|_| changes.added.push(zero));
        (self.absent..known).for_each(|_| changes.removed.push(zero));
        let sums = &mut self.sums[entry * network.stride()..][..network.stride()];
        network.adjust(sums, self.added.as_slice(), self.removed.as_slice());
        sums
    }
}

/// Differences between the features of a player and those of a snapshot.
struct Changes<'a> {
    added: &'a mut FeatureList,
    removed: &'a mut FeatureList,
    features: Features,
    view: Color,
    king: KingView,
}

impl Changes<'_> {
    #[inline]
    fn of_boards(&mut self, snapshot: &mut Snapshot, position: &Position) {
        let pieces = Numbers::of_pieces(position);
        let mut differences = pieces.differences(&snapshot.pieces);
        let mut attacks = Numbers::ZERO;
        if self.features.depend_on_attacks() {
            attacks = Numbers::of_attacks(position, self.view);
            let others = attacks.differences(&snapshot.attacks);
            differences.iter_mut().zip(others).for_each(|(word, other)| *word |= other);
        }
        for (index, mut word) in differences.into_iter().enumerate() {
            while word != 0 {
                let byte = word.trailing_zeros() / 8;
                word &= !(0xFF << (8 * byte));
                let place = 8 * index + byte as usize;
                let Some(square) = Square::from_index(place as u8) else { break };
                if let Some(feature) =
                    self.on_board(snapshot.pieces.0[place], square, snapshot.attacks.0[place])
                {
                    self.removed.push(feature);
                }
                if let Some(feature) = self.on_board(pieces.0[place], square, attacks.0[place]) {
                    self.added.push(feature);
                }
            }
        }
        snapshot.pieces = pieces;
        if self.features.depend_on_attacks() {
            snapshot.attacks = attacks;
        }
    }

    /// The feature of the piece with this number, if there is one.
    #[inline]
    fn on_board(&self, number: u8, square: Square, attacks: u8) -> Option<usize> {
        let piece = Piece::from_index(number.into())?;
        let seen = BonaPiece::on_board(piece, square, self.view);
        match piece.kind() {
            PieceKind::King if !self.features.include_kings() => None,
            PieceKind::King => Some(self.features.index(self.king.king(), seen)),
            _ => Some(self.king.feature(seen) as usize + Features::attack_offset(attacks)),
        }
    }

    #[inline]
    fn of_hands(&mut self, snapshot: &mut Snapshot, position: &Position) {
        for owner in Color::ALL {
            let now = position.hand(owner);
            let before = std::mem::replace(&mut snapshot.hands[owner.index()], now);
            if now == before {
                continue;
            }
            for piece in HandPiece::ALL {
                let (from, to) = (before.count(piece), now.count(piece));
                let index = |nth| {
                    BonaPiece::in_hand(owner, piece, nth, self.view)
                        .map(|piece| self.king.feature(piece) as usize)
                };
                (from + 1..=to).filter_map(index).for_each(|feature| self.added.push(feature));
                (to + 1..=from).filter_map(index).for_each(|feature| self.removed.push(feature));
            }
        }
    }
}
