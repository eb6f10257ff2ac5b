//! The rules of a variant as its section states them; [`crate::variant`] derives tables from them.

use crate::definition::piece::{PieceId, PieceSet};
use crate::definition::region::Region;
use game::Color;

/// A value for each player.
pub type ByColor<T> = [T; 2];

/// The result of an end of the game for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
    /// A draw.
    Draw,
}

/// A piece in play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defined {
    /// Its letter, from 0 for `a`.
    pub letter: u8,
    /// How it moves.
    pub betza: String,
}

/// Pieces of which a player may place only some during setup.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChoiceGroup {
    /// The kinds to choose from.
    pub options: PieceSet,
    /// Maximum number.
    pub limit: u8,
    /// Whether the setup lasts until this number is placed; the limit then applies only afterwards.
    pub required: bool,
    /// Whether kinds that were not chosen can never be dropped once the limit is reached.
    pub locks_unused: bool,
}

/// Maximum number of groups for each player.
pub const MOST_GROUPS: usize = 8;

/// The setup phase at the beginning of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SetupRules {
    /// Whether there is such a phase.
    pub drops: bool,
    /// Whether drops are compulsory while they are possible.
    pub must_drop: bool,
    /// Where pieces may be placed; `None` is everywhere.
    pub region: ByColor<Option<Region>>,
    /// Kinds whose whole starting pocket must be placed.
    pub kinds: ByColor<PieceSet>,
    /// Kinds to choose from.
    pub groups: ByColor<Vec<ChoiceGroup>>,
}

/// The rule of reaching squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlagRules {
    /// The piece that must reach them; `None` is any.
    pub piece: ByColor<Option<PieceId>>,
    /// The squares to reach.
    pub region: ByColor<Region>,
    /// Number of pieces needed.
    pub count: u8,
    /// Whether the square must not be attacked.
    pub safe: bool,
    /// Whether the other side has one more move.
    pub grants_move: bool,
}

/// The rule of losing all pieces of a kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtinctionRules {
    /// The result for the side whose pieces are gone.
    pub value: Option<Verdict>,
    /// Of these kinds; `None` among them is "no piece at all".
    pub kinds: PieceSet,
    /// Whether all pieces together count as a kind.
    pub all_pieces: bool,
    /// The number of pieces that counts as none.
    pub count: u8,
    /// Number of pieces that the opponent needs.
    pub opponent_count: u8,
    /// Whether instead the last such piece is royal.
    pub pseudo_royal: bool,
}

/// The rules of a variant.
#[derive(Clone, PartialEq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a key of the file")]
pub struct Rules {
    /// `maxFile`.
    pub files: u8,
    /// `maxRank`.
    pub ranks: u8,
    /// `startFen`.
    pub start: String,
    /// The pieces of the variant.
    pub pieces: [Option<Defined>; PieceId::COUNT],
    /// `mobilityRegion…`; `None` is everywhere.
    pub mobility: ByColor<[Option<Region>; PieceId::COUNT]>,
    /// `pieceValueMg`.
    pub values: [Option<i32>; PieceId::COUNT],
    /// `soldierPromotionRank`.
    pub soldier_promotion_rank: u8,
    /// `promotionRegion…`.
    pub promotion_region: ByColor<Region>,
    /// `promotedPieceType`.
    pub promoted: [Option<PieceId>; PieceId::COUNT],
    /// `promotionLimit`; 0 is none.
    pub promotion_limit: [u8; PieceId::COUNT],
    /// `mandatoryPiecePromotion`.
    pub mandatory_promotion: bool,
    /// `piecePromotionOnCapture`.
    pub promotion_on_capture: bool,
    /// `pieceDemotion`.
    pub demotion: bool,
    /// `pieceDrops`.
    pub drops: bool,
    /// `capturesToHand`.
    pub captures_to_hand: bool,
    /// `dropLoop`.
    pub drop_loop: bool,
    /// `dropPromoted`.
    pub drop_promoted: bool,
    /// `dropRegion…`.
    pub drop_region: ByColor<Region>,
    /// `dropNoDoubled`.
    pub no_doubled: Option<PieceId>,
    /// `dropNoDoubledCount`.
    pub no_doubled_count: u8,
    /// `dropChecks`.
    pub drop_checks: bool,
    /// `immobilityIllegal`.
    pub immobility_illegal: bool,
    /// `shogiPawnDropMateIllegal`.
    pub pawn_drop_mate_illegal: bool,
    /// `firstRankPawnDrops`.
    pub first_rank_pawn_drops: bool,
    /// `promotionZonePawnDrops`.
    pub promotion_zone_pawn_drops: bool,
    /// `mustDrop`.
    pub must_drop: bool,
    /// `mustDropType`; `None` is any.
    pub must_drop_kind: Option<PieceId>,
    /// `mustCapture`.
    pub must_capture: bool,
    /// `checking`.
    pub checking: bool,
    /// `flyingGeneral`.
    pub flying_general: bool,
    /// `checkCounting`.
    pub check_counting: bool,
    /// `checkmateValue`.
    pub checkmate: Verdict,
    /// `stalemateValue`.
    pub stalemate: Verdict,
    /// `extinction…`.
    pub extinction: ExtinctionRules,
    /// `flag…`.
    pub flag: FlagRules,
    /// `nFoldRule`; 0 is none.
    pub n_fold: u8,
    /// `nFoldValue`.
    pub n_fold_value: Verdict,
    /// `nFoldValueAbsolute`.
    pub n_fold_absolute: bool,
    /// `perpetualCheckIllegal`.
    pub perpetual_check_illegal: bool,
    /// `moveRepetitionIllegal`.
    pub move_repetition_illegal: bool,
    /// `nMoveRule`; 0 is none.
    pub n_move: u16,
    /// `setup…` and `pieceChoiceGroup…`.
    pub setup: SetupRules,
}

impl Default for Rules {
    /// Defaults of a section without a parent: chess-like rules and no pieces.
    fn default() -> Self {
        Self {
            files: 8,
            ranks: 8,
            start: String::new(),
            pieces: [const { None }; PieceId::COUNT],
            mobility: [const { [None; PieceId::COUNT] }; 2],
            values: [None; PieceId::COUNT],
            soldier_promotion_rank: 1,
            promotion_region: [Region::rank(8), Region::rank(1)],
            promoted: [None; PieceId::COUNT],
            promotion_limit: [0; PieceId::COUNT],
            mandatory_promotion: false,
            promotion_on_capture: false,
            demotion: false,
            drops: false,
            captures_to_hand: false,
            drop_loop: false,
            drop_promoted: false,
            drop_region: [Region::ALL; 2],
            no_doubled: None,
            no_doubled_count: 1,
            drop_checks: true,
            immobility_illegal: false,
            pawn_drop_mate_illegal: false,
            first_rank_pawn_drops: false,
            promotion_zone_pawn_drops: false,
            must_drop: false,
            must_drop_kind: None,
            must_capture: false,
            checking: true,
            flying_general: false,
            check_counting: false,
            checkmate: Verdict::Loss,
            stalemate: Verdict::Draw,
            extinction: ExtinctionRules {
                value: None,
                kinds: PieceSet::default(),
                all_pieces: false,
                count: 0,
                opponent_count: 0,
                pseudo_royal: false,
            },
            flag: FlagRules {
                piece: [None; 2],
                region: [Region::NONE; 2],
                count: 1,
                safe: false,
                grants_move: false,
            },
            n_fold: 3,
            n_fold_value: Verdict::Draw,
            n_fold_absolute: false,
            perpetual_check_illegal: false,
            move_repetition_illegal: false,
            n_move: 50,
            setup: SetupRules::default(),
        }
    }
}

impl Rules {
    /// The piece with this letter, from 0 for `a`.
    #[must_use]
    pub fn piece_of(&self, letter: u8) -> Option<PieceId> {
        PieceId::all().find(|piece| self.letter(*piece) == Some(letter))
    }

    /// The letter of a piece in play.
    #[must_use]
    pub fn letter(&self, piece: PieceId) -> Option<u8> {
        self.pieces[piece.index()].as_ref().map(|defined| defined.letter)
    }

    /// Whether a game can end by losing or reaching something: a king, the last piece of a kind, a region.
    #[must_use]
    pub fn has_goal(&self) -> bool {
        let Self { extinction, flag, .. } = self;
        let matters = extinction.value.is_some() || extinction.pseudo_royal;
        self.letter(PieceId::KING).is_some()
            || matters && (extinction.all_pieces || !extinction.kinds.is_empty())
            || flag.region.iter().any(|region| *region != Region::NONE)
    }

    /// Where a side's pieces may stand.
    #[must_use]
    pub fn mobility(&self, color: Color, piece: PieceId) -> Region {
        self.mobility[color.index()][piece.index()].unwrap_or(Region::ALL)
    }
}
