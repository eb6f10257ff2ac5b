//! Input features: the rows of the first layer that a position activates.

pub(in crate::nnue) mod buckets;
pub(in crate::nnue) mod feature_list;
pub(in crate::nnue) mod king_view;
pub(in crate::nnue) mod king_zones;
pub(in crate::nnue) mod lean;
pub(in crate::nnue) mod refeature;

use crate::BonaPiece;
use crate::nnue::features::lean::leans_left;
use crate::nnue::{KingZones, KingZonesError};
use shogi::{Color, Piece, PieceKind, Position, Square};
use std::borrow::Cow;

/// A set of input features.
///
/// ```
/// use eval::nnue::Features;
/// assert_eq!(Features::HalfKp.dimensions(), 125_388);
/// assert_eq!(Features::HalfKaHm2.name(), "HalfKA_hm2(Friend)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Features {
    /// Every piece and both kings, each alone.
    Kp,
    /// Every piece and both kings, each alone, and the kings once more.
    Ka2,
    /// Own king with every piece but the kings.
    HalfKp,
    /// As [`Features::HalfKp`], distinguished by how often both sides attack the piece's square.
    HalfKpE9,
    /// As [`Features::HalfKp`], mirrored so that the king is on files 1 to 5.
    HalfKpVm,
    /// Own king with every piece, kings included.
    HalfKa1,
    /// As [`Features::HalfKa1`], mirrored.
    HalfKaHm1,
    /// As [`Features::HalfKa1`]; both kings share their numbers.
    HalfKa2,
    /// As [`Features::HalfKa2`], mirrored.
    HalfKaHm2,
    /// As [`Features::HalfKaHm2`], but only by the zone of the own king.
    HalfKaHm2Zones(KingZones),
}

const KING: usize = BonaPiece::KING;
const ENEMY_KING: usize = BonaPiece::ENEMY_KING;
const ALL: usize = BonaPiece::COUNT;
/// The prefix of the zones in the names of headers.
const ZONES_NAME: &str = "HalfKA_hm2_zones";
/// Squares of files 1 to 5.
const HALF_BOARD: usize = KingZones::SQUARES;
/// The assumed square of a missing king (tsume diagrams): 5i from that player's point of view.
const HOME: usize = 44;
/// 5a.
const MIDDLE_FILE: usize = 36;
/// Stands for 5a where a king on the middle file sees the board mirrored ([`KingZones::leans`]); 5b to 5i follow.
const MIRRORED_MIDDLE_FILE: usize = 81;

impl Features {
    /// Every piece and both kings, each alone, mirrored.
    pub const MIRRORED: Self = Self::HalfKaHm2Zones(KingZones::ONE);

    /// All sets of features without zones; with zones there are as many sets as maps.
    pub const ALL: [Self; 9] = [
        Self::Kp,
        Self::Ka2,
        Self::HalfKp,
        Self::HalfKpE9,
        Self::HalfKpVm,
        Self::HalfKa1,
        Self::HalfKaHm1,
        Self::HalfKa2,
        Self::HalfKaHm2,
    ];

    /// The name that headers of files use.
    #[must_use]
    pub fn name(self) -> Cow<'static, str> {
        let name = match self {
            Self::HalfKaHm2Zones(zones) => return format!("{ZONES_NAME}({zones})").into(),
            Self::Kp => "K+P",
            Self::Ka2 => "K+A2",
            Self::HalfKp => "HalfKP(Friend)",
            Self::HalfKpE9 => "HalfKPE9(Friend)",
            Self::HalfKpVm => "HalfKP_vm(Friend)",
            Self::HalfKa1 => "HalfKA1(Friend)",
            Self::HalfKaHm1 => "HalfKA_hm1(Friend)",
            Self::HalfKa2 => "HalfKA2(Friend)",
            Self::HalfKaHm2 => "HalfKA_hm2(Friend)",
        };
        name.into()
    }

    /// The set with zones that a name describes, if it is one.
    pub(in crate::nnue) fn zones_of_name(name: &str) -> Option<Result<Self, KingZonesError>> {
        let zones = name.strip_prefix(ZONES_NAME)?.strip_prefix('(')?.strip_suffix(')')?;
        Some(zones.parse().map(Self::HalfKaHm2Zones))
    }

    /// The set of [`Features::ALL`] with this [`Features::word`], in any case and with any punctuation.
    ///
    /// ```
    /// use eval::nnue::Features;
    /// assert_eq!(Features::of_word("halfka-hm2"), Some(Features::HalfKaHm2));
    /// assert_eq!(Features::of_word("k-p"), Some(Features::Kp));
    /// assert_eq!(Features::of_word("HalfKP_vm"), Some(Features::HalfKpVm));
    /// assert_eq!(Features::of_word("halfka"), None);
    /// ```
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        let letters: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
        Self::ALL.into_iter().find(|features| features.word().eq_ignore_ascii_case(&letters))
    }

    /// The word that names of architectures use, in upper case.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Kp => "KP",
            Self::Ka2 => "KA2",
            Self::HalfKp => "HALFKP",
            Self::HalfKpE9 => "HALFKPE9",
            Self::HalfKpVm => "HALFKPVM",
            Self::HalfKa1 => "HALFKA1",
            Self::HalfKaHm1 => "HALFKAHM1",
            Self::HalfKa2 => "HALFKA2",
            Self::HalfKaHm2 => "HALFKAHM2",
            Self::HalfKaHm2Zones(_) => "HALFKAHM2ZONES",
        }
    }

    /// The hash at the beginning of files with this set. With zones it is that of [`Features::HalfKaHm2`] mixed with
    /// FNV-1a of the 45 zone numbers.
    #[must_use]
    pub const fn hash(self) -> u32 {
        const K: u32 = 0xD3CE_E169;
        const P: u32 = 0x764C_FB4B;
        const A2: u32 = 0xA20D_CB9B;
        const HALF_KA_HM2: u32 = 0x7F23_4CB8;
        match self {
            Self::Kp => K ^ (P << 1) ^ (P >> 31),
            Self::Ka2 => K ^ (A2 << 1) ^ (A2 >> 31),
            Self::HalfKp | Self::HalfKpE9 => 0x5D69_D5B8,
            Self::HalfKpVm => 0x0B6B_1D9A,
            Self::HalfKa1 => 0x5F13_4CB8,
            Self::HalfKaHm1 => 0x7F13_4CB8,
            Self::HalfKa2 => 0x5F23_4CB8,
            Self::HalfKaHm2 => HALF_KA_HM2,
            Self::HalfKaHm2Zones(zones) => HALF_KA_HM2 ^ zones.hash(),
        }
    }

    /// Number of features; unique among the sets without zones.
    #[must_use]
    pub const fn dimensions(self) -> usize {
        match self {
            Self::Kp => ALL,
            Self::Ka2 => ENEMY_KING + 2 * 81,
            Self::HalfKp => 81 * KING,
            Self::HalfKpE9 => 9 * 81 * KING,
            Self::HalfKpVm => HALF_BOARD * KING,
            Self::HalfKa1 => 81 * ALL,
            Self::HalfKaHm1 => HALF_BOARD * ALL,
            Self::HalfKa2 => 81 * ENEMY_KING,
            Self::HalfKaHm2 => HALF_BOARD * ENEMY_KING,
            Self::HalfKaHm2Zones(zones) => zones.count() * ENEMY_KING,
        }
    }

    /// The set of [`Features::ALL`] with this number of features.
    #[must_use]
    pub fn from_dimensions(dimensions: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|features| features.dimensions() == dimensions)
    }

    /// Whether the move of a king may change all features of its player.
    #[inline]
    #[must_use]
    pub const fn depend_on_king(self) -> bool {
        !matches!(self, Self::Kp | Self::Ka2)
    }

    /// Whether the mirroring for a king on the middle file depends on how the pieces lean, so that mirrored positions
    /// have the same features.
    #[inline]
    #[must_use]
    pub const fn lean(self) -> bool {
        matches!(self, Self::HalfKaHm2Zones(zones) if zones.leans())
    }

    /// The square of a player's king from that player's point of view. With features that lean, 81 to 89 stand for the
    /// middle file of a mirrored board.
    #[inline]
    pub(crate) fn king(self, position: &Position, view: Color) -> usize {
        let square = king_square(position, view);
        let turned = self.lean() && is_on_middle_file(square) && leans_left(position, view);
        self.king_on(square, turned)
    }

    /// Like [`Self::king`], for a square, and `mirrored` if the features and the square allow both.
    #[inline]
    pub(crate) const fn king_on(self, square: usize, mirrored: bool) -> usize {
        if mirrored && self.lean() && is_on_middle_file(square) {
            square - MIDDLE_FILE + MIRRORED_MIDDLE_FILE
        } else {
            square
        }
    }

    /// All results of [`Features::king`].
    #[cfg(test)]
    pub(in crate::nnue) fn kings(self) -> std::ops::Range<usize> {
        0..MIRRORED_MIDDLE_FILE + if self.lean() { 9 } else { 0 }
    }

    /// Whether the board is mirrored for a player.
    #[must_use]
    pub fn mirror_board(self, position: &Position, view: Color) -> bool {
        self.mirrors(self.king(position, view))
    }

    /// Whether everything is mirrored when the own king stands on this square.
    #[must_use]
    pub(crate) const fn mirrors(self, king: usize) -> bool {
        king >= HALF_BOARD
            && matches!(self, Self::HalfKpVm | Self::HalfKaHm1 | Self::HalfKaHm2 | Self::HalfKaHm2Zones(_))
    }

    /// Number of ways in which the pieces of a player are numbered, depending on the king's square.
    pub(crate) const fn numberings(self) -> usize {
        match self {
            Self::Kp | Self::Ka2 => 1,
            Self::HalfKaHm2Zones(zones) => 2 * zones.count(),
            _ => 81,
        }
    }

    /// The numbering for a king on `king`.
    pub(crate) const fn numbering(self, king: usize) -> usize {
        match self {
            Self::Kp | Self::Ka2 => 0,
            Self::HalfKaHm2Zones(zones) => 2 * zones.zone(on_half_board(king)) + self.mirrors(king) as usize,
            _ => king,
        }
    }

    /// Whether the kings themselves are among the pieces.
    #[inline]
    #[must_use]
    pub const fn include_kings(self) -> bool {
        !matches!(self, Self::HalfKp | Self::HalfKpE9 | Self::HalfKpVm)
    }

    /// Whether a piece's feature depends on attacks.
    #[inline]
    #[must_use]
    pub const fn depend_on_attacks(self) -> bool {
        matches!(self, Self::HalfKpE9)
    }

    /// The feature of a piece for the player whose king is on `king`, from that player's point of view. With features
    /// that count attacks, that of a piece which is not attacked.
    #[inline(always)]
    #[must_use]
    pub const fn index(self, king: usize, piece: BonaPiece) -> usize {
        match self {
            Self::Kp => piece.index(),
            Self::Ka2 => fold(piece),
            Self::HalfKp | Self::HalfKpE9 => king * KING + piece.index(),
            Self::HalfKpVm => {
                let (king, piece) = mirrored(king, piece);
                king * KING + piece.index()
            }
            Self::HalfKa1 => king * ALL + piece.index(),
            Self::HalfKaHm1 => {
                let (king, piece) = mirrored(king, piece);
                king * ALL + piece.index()
            }
            Self::HalfKa2 => king * ENEMY_KING + fold(piece),
            Self::HalfKaHm2 => {
                let (king, piece) = mirrored(king, piece);
                king * ENEMY_KING + fold(piece)
            }
            Self::HalfKaHm2Zones(zones) => {
                let (king, piece) = mirrored(king, piece);
                zones.zone(king) * ENEMY_KING + fold(piece)
            }
        }
    }

    /// The second feature of a king in [`Features::Ka2`].
    #[inline(always)]
    #[must_use]
    pub const fn second_index(self, piece: BonaPiece) -> Option<usize> {
        if matches!(self, Self::Ka2) && piece.is_king() { Some(piece.index() + 81) } else { None }
    }

    /// The offset of a feature by attacks ([`Features::HalfKpE9`]): `code` is three times the own attacks on the square
    /// plus those of the enemy, each at most 2.
    #[inline(always)]
    #[must_use]
    pub const fn attack_offset(code: u8) -> usize {
        81 * KING * code as usize
    }

    /// Visits all features of `view`. Those of missing pieces may be visited several times.
    pub fn for_each_active(self, position: &Position, view: Color, mut visit: impl FnMut(usize)) {
        let king = self.king(position, view);
        if self.depend_on_attacks() {
            position.occupied().for_each(|square| {
                if let Some(piece) = position.piece_at(square)
                    && piece.kind() != PieceKind::King
                {
                    let code = attack_code(position, square, view);
                    let piece = BonaPiece::on_board(piece, square, view);
                    visit(self.index(king, piece) + Self::attack_offset(code));
                }
            });
            BonaPiece::for_each(position, view, |piece| {
                if piece.square().is_none() {
                    visit(self.index(king, piece));
                }
            });
        } else {
            BonaPiece::for_each(position, view, |piece| visit(self.index(king, piece)));
        }
        self.for_each_absent(position, king, &mut visit);
        if self.include_kings() {
            for color in Color::ALL {
                if let Some(square) = position.king(color) {
                    let piece = BonaPiece::on_board(Piece::new(color, PieceKind::King), square, view);
                    visit(self.index(king, piece));
                    self.second_index(piece).into_iter().for_each(&mut visit);
                }
            }
        }
    }

    /// Visits the features of the pieces that the position lacks, kings included if they count. Moves do not change
    /// them unless the king moves.
    pub(crate) fn for_each_absent(self, position: &Position, king: usize, mut visit: impl FnMut(usize)) {
        let zero = self.index(king, BonaPiece::ZERO);
        for _ in 0..BonaPiece::absent(position) {
            visit(zero);
        }
        if self.include_kings() {
            for color in Color::ALL {
                if position.king(color).is_none() {
                    visit(zero);
                    // Other engines compute this index for a missing king.
                    if self == Self::Ka2 {
                        visit(81);
                    }
                }
            }
        }
    }
}

/// The square of a player's king as that player sees it.
#[inline]
pub(crate) fn king_square(position: &Position, view: Color) -> usize {
    match (position.king(view), view) {
        (None, _) => HOME,
        (Some(square), Color::Black) => square.index(),
        (Some(square), Color::White) => square.flip().index(),
    }
}

/// Three times the number of own attacks on a square plus that of enemy attacks, each capped at 2.
#[inline]
#[must_use]
pub(crate) fn attack_code(position: &Position, square: Square, view: Color) -> u8 {
    let attacks = |color| position.attackers_to(square, color, position.occupied()).count().min(2) as u8;
    3 * attacks(view) + attacks(!view)
}

/// Maps the enemy's king to the numbers of the own one.
const fn fold(piece: BonaPiece) -> usize {
    let index = piece.index();
    if index >= ENEMY_KING { index - 81 } else { index }
}

/// Mirrors the king if it sees a mirrored board, and pieces on the board with it.
const fn mirrored(king: usize, piece: BonaPiece) -> (usize, BonaPiece) {
    (on_half_board(king), if king < HALF_BOARD { piece } else { piece.mirror() })
}

/// A king's square on files 1 to 5 of the board, mirrored or not.
const fn on_half_board(king: usize) -> usize {
    match king {
        0..HALF_BOARD => king,
        HALF_BOARD..MIRRORED_MIDDLE_FILE => (8 - king / 9) * 9 + king % 9,
        _ => king - MIRRORED_MIDDLE_FILE + MIDDLE_FILE,
    }
}

/// Whether a king is on the middle file, of a mirrored board or not.
#[inline]
pub(in crate::nnue) const fn is_on_middle_file(king: usize) -> bool {
    matches!(king, MIDDLE_FILE..HALF_BOARD | MIRRORED_MIDDLE_FILE..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_stay_in_range() {
        let zones = [KingZones::ONE, KingZones::NINE].map(Features::HalfKaHm2Zones);
        for features in Features::ALL.into_iter().chain(zones) {
            for king in features.kings() {
                assert!(features.numbering(king) < features.numberings());
                for piece in (0..BonaPiece::COUNT).map(|index| BonaPiece::from_index(index).unwrap()) {
                    if features.include_kings() || !piece.is_king() {
                        assert!(features.index(king, piece) < features.dimensions());
                        assert!(features.second_index(piece).is_none_or(|i| i < features.dimensions()));
                    }
                }
            }
        }
        for features in Features::ALL {
            assert_eq!(Features::from_dimensions(features.dimensions()), Some(features));
        }
        assert_eq!(Features::from_dimensions(Features::MIRRORED.dimensions()), None);
    }

    #[test]
    fn zones_only_merge_rows() {
        for zones in [KingZones::ONE.upright(), KingZones::NINE] {
            let zoned = Features::HalfKaHm2Zones(zones);
            for king in 0..81 {
                for piece in (0..BonaPiece::COUNT).map(|index| BonaPiece::from_index(index).unwrap()) {
                    let full = Features::HalfKaHm2.index(king, piece);
                    let expected = zones.zone(full / ENEMY_KING) * ENEMY_KING + full % ENEMY_KING;
                    assert_eq!(zoned.index(king, piece), expected);
                }
            }
        }
    }

    #[test]
    fn kings_of_the_same_numbering_see_the_same() {
        let zones = [KingZones::ONE, KingZones::NINE].map(Features::HalfKaHm2Zones);
        for features in Features::ALL.into_iter().chain(zones) {
            for (a, b) in features.kings().flat_map(|a| features.kings().map(move |b| (a, b))) {
                let seen = |king| {
                    let piece = |index| BonaPiece::from_index(index).unwrap();
                    [0, 90, BonaPiece::KING - 1].map(|index| features.index(king, piece(index)))
                };
                assert_eq!(
                    seen(a) == seen(b),
                    features.numbering(a) == features.numbering(b),
                    "{features:?}"
                );
            }
        }
    }

    #[test]
    fn dimensions_of_the_documents() {
        let dimensions = Features::ALL.map(Features::dimensions);
        assert_eq!(dimensions, [1710, 1791, 125_388, 1_128_492, 69_660, 138_510, 76_950, 131_949, 73_305]);
    }

    #[test]
    fn attacks_are_counted_for_each_side() {
        let position = Position::from_sfen("4k4/9/9/4p4/4P4/4R4/4L4/9/4K4 b - 1").unwrap();
        let code = |square: &str| attack_code(&position, square.parse().unwrap(), Color::Black);
        // The lance is behind the rook, which hides it.
        assert_eq!(code("5e"), 3 + 1);
        assert_eq!(code("5d"), 3);
        assert_eq!(code("5f"), 3);
        assert_eq!(code("5h"), 3);
    }
}
