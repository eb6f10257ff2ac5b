//! Data of variants and positions for graphical boards.

use crate::board::kind::{Form, Kind};
use crate::board::moves::Move;
use crate::board::square::Square;
use crate::definition::betza::{self, Way};
use crate::definition::piece::PieceId;
use crate::position::{Position, hand_kinds};
use crate::text::picture;
use crate::variant::{Kinds, Variant};
use game::Color;

/// The progress of a player's setup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupProgress {
    /// Whether pieces are still to be placed.
    pub placing: bool,
    /// Choices among kinds.
    pub groups: Vec<GroupProgress>,
    /// Kinds that can never be dropped again.
    pub locked: Vec<Kind>,
}

/// A choice among kinds, with the pieces chosen so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupProgress {
    /// The kinds.
    pub options: Vec<Kind>,
    /// Maximum number to place.
    pub limit: u8,
    /// The kinds placed.
    pub chosen: Vec<Kind>,
    /// Whether the others are locked when the limit is reached.
    pub locks_unused: bool,
}

impl Variant {
    /// The kinds in play in the order in which hands list them.
    #[must_use]
    pub fn kinds_in_play(&self) -> Vec<Kind> {
        hand_kinds(self)
    }

    /// The kind that a kind promotes to.
    #[must_use]
    pub fn promotion_of(&self, kind: Kind) -> Option<Kind> {
        self.promotion[kind.index()]
    }

    /// The kind of movement of a piece.
    #[must_use]
    pub fn moves_as(&self, form: Form) -> Kind {
        self.kind(form)
    }

    /// The kanji of a piece that exists in shogi.
    #[must_use]
    pub fn kanji(&self, form: Form) -> Option<&'static str> {
        picture::kanji(self, form)
    }

    /// The name of a kind in the file: `shogiPawn`, `customPiece1`.
    #[must_use]
    pub fn name_of(&self, kind: Kind) -> Option<String> {
        self.piece_name(kind)
    }

    /// The moves of a kind from its owner's point of view.
    #[must_use]
    pub fn ways_of(&self, kind: Kind) -> Vec<Way> {
        let letter = kind.index() as u8;
        let piece = PieceId::all().find(|piece| self.rules.letter(*piece) == Some(letter));
        let defined = piece.and_then(|piece| self.rules.pieces[piece.index()].as_ref());
        defined.and_then(|defined| betza::parse(&defined.betza).ok()).unwrap_or_default()
    }

    /// Whether losing a piece of this kind loses the game.
    #[must_use]
    pub fn is_royal(&self, kind: Kind) -> bool {
        self.king == Some(kind) || self.pseudo_royals.contains(kind)
    }

    /// Whether a number of checks wins the game.
    #[must_use]
    pub fn counts_checks(&self) -> bool {
        self.rules.check_counting
    }
}

impl Position {
    /// The last move, if there is one.
    #[must_use]
    pub fn played_last(&self) -> Option<Move> {
        self.last_move()
    }

    /// Squares of royal pieces of the side to move that are attacked.
    #[must_use]
    pub fn attacked_royals(&self) -> Vec<Square> {
        if !self.is_in_check() {
            return Vec::new();
        }
        let (core, variant) = (self.core(), &**self.variant());
        let side = game::Position::side(self);
        let attacked = |square: &Square| !core.attackers(variant, *square, core.occupied(), !side).is_empty();
        core.royals(variant, side).filter(attacked).collect()
    }

    /// Checks that each player still has to give to win.
    #[must_use]
    pub fn checks_left(&self) -> [u8; 2] {
        self.core().checks_left
    }

    /// The progress of a player's setup.
    #[must_use]
    pub fn setup_progress(&self, color: Color) -> SetupProgress {
        let (core, variant) = (self.core(), &**self.variant());
        let state = &core.setup[color.index()];
        let groups = variant.setup[color.index()].groups.iter().enumerate();
        let list = |kinds: Kinds| kinds.iter().collect::<Vec<Kind>>();
        SetupProgress {
            placing: state.active,
            groups: groups
                .map(|(place, group)| GroupProgress {
                    options: list(group.options),
                    limit: group.limit,
                    chosen: list(state.used(place)),
                    locks_unused: group.locks_unused,
                })
                .collect(),
            locked: list(core.locked(variant, color)),
        }
    }

    /// Number of pieces that a player places in a setup starting with the present hand.
    #[must_use]
    pub fn setup_pieces(&self, color: Color) -> u32 {
        self.variant().setup_drops_of(color, &self.hands()[color.index()])
    }
}
