//! Sums remembered for each square (or zone) of a king ("Finny tables").
//!
//! When a king moves, all of its owner's features change, but the last position with the king on that square
//! was mostly alike: only the differences are summed.

use super::aligned::Aligned;
use super::feature_list::FeatureList;
use super::features::attack_code;
use super::{Features, Network};
use crate::BonaPiece;
use shogi::{Color, Hand, HandPiece, Piece, PieceKind, Position, Square};

/// What the sums of one entry stand for.
#[derive(Clone, Debug)]
struct Snapshot {
    board: [Option<Piece>; 81],
    /// Where attacks count.
    attacks: [u8; 81],
    hands: [Hand; 2],
    absent: usize,
}

impl Snapshot {
    const EMPTY: Self = Self { board: [None; 81], attacks: [0; 81], hands: [Hand::EMPTY; 2], absent: 0 };
}

#[derive(Clone, Debug)]
pub(super) struct RefreshCache {
    /// `[view][numbering of features]`, both sums and what they stand for.
    sums: Aligned<i16>,
    snapshots: Vec<Snapshot>,
    added: FeatureList,
    removed: FeatureList,
}

impl RefreshCache {
    pub(super) fn new(network: &Network) -> Self {
        let features = network.architecture().features;
        let entries = if features.depend_on_king() { 2 * features.numberings() } else { 0 };
        let mut sums = Aligned::zeroed(entries * network.stride());
        sums.chunks_exact_mut(network.stride()).for_each(|sums| sums.copy_from_slice(network.bias()));
        Self {
            sums,
            snapshots: vec![Snapshot::EMPTY; entries],
            added: FeatureList::new(),
            removed: FeatureList::new(),
        }
    }

    /// The sums of `view` in `position`.
    pub(super) fn refresh(&mut self, network: &Network, position: &Position, view: Color) -> &[i16] {
        let features = network.architecture().features;
        let king = features.king(position, view);
        let entry = view.index() * features.numberings() + features.numbering(king);
        self.added.clear();
        self.removed.clear();
        self.compare_boards(features, position, view, king, entry);
        self.compare_hands(features, position, view, king, entry);
        let mut absent = 0;
        features.for_each_absent(position, king, |_| absent += 1);
        let known = std::mem::replace(&mut self.snapshots[entry].absent, absent);
        let zero = features.index(king, BonaPiece::ZERO);
        (known..absent).for_each(|_| self.added.push(zero));
        (absent..known).for_each(|_| self.removed.push(zero));
        let sums = &mut self.sums[entry * network.stride()..][..network.stride()];
        network.adjust(sums, self.added.as_slice(), self.removed.as_slice());
        sums
    }

    fn compare_boards(
        &mut self,
        features: Features,
        position: &Position,
        view: Color,
        king: usize,
        entry: usize,
    ) {
        let snapshot = &mut self.snapshots[entry];
        let counts = |piece: Piece| features.include_kings() || piece.kind() != PieceKind::King;
        for square in Square::all() {
            let now = position.piece_at(square);
            let attacks = match now {
                Some(piece) if features.depend_on_attacks() && counts(piece) => {
                    attack_code(position, square, view)
                }
                _ => 0,
            };
            let before = snapshot.board[square.index()];
            let attacks_before = snapshot.attacks[square.index()];
            if now == before && attacks == attacks_before {
                continue;
            }
            let index = |piece, attacks| {
                features.index(king, BonaPiece::on_board(piece, square, view))
                    + Features::attack_offset(attacks)
            };
            if let Some(piece) = before.filter(|piece| counts(*piece)) {
                self.removed.push(index(piece, attacks_before));
            }
            if let Some(piece) = now.filter(|piece| counts(*piece)) {
                self.added.push(index(piece, attacks));
            }
            snapshot.board[square.index()] = now;
            snapshot.attacks[square.index()] = attacks;
        }
    }

    fn compare_hands(
        &mut self,
        features: Features,
        position: &Position,
        view: Color,
        king: usize,
        entry: usize,
    ) {
        for owner in Color::ALL {
            let now = position.hand(owner);
            let before = std::mem::replace(&mut self.snapshots[entry].hands[owner.index()], now);
            if now == before {
                continue;
            }
            for piece in HandPiece::ALL {
                let (from, to) = (before.count(piece), now.count(piece));
                let index = |nth| {
                    BonaPiece::in_hand(owner, piece, nth, view).map(|piece| features.index(king, piece))
                };
                (from + 1..=to).filter_map(index).for_each(|feature| self.added.push(feature));
                (to + 1..=from).filter_map(index).for_each(|feature| self.removed.push(feature));
            }
        }
    }
}
