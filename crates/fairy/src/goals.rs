//! What players strive for, as far as evaluation and search mind it: mate, or something else.

use crate::kind::Kind;
use crate::piece::PieceId;
use crate::position::core::Core;
use crate::rules::{Rules, Verdict};
use crate::variant::{Kinds, Variant};
use game::Color;

/// Which pieces a player wants to be rid of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unwanted {
    /// None, as in most games.
    Nothing,
    /// Those whose end wins.
    Extinct,
    /// All: who has none left wins, or who cannot move.
    Everything,
}

/// What the rules make of material and of kings in danger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Goals {
    unwanted: Unwanted,
    /// More pieces are better, as in most games.
    pub(crate) material_counts: bool,
    /// A single move may reach a goal that is no mate.
    pub(crate) in_one: bool,
    /// What danger to a royal piece is worth to its side: -1 where mate loses, 1 where it wins, 0 where it draws.
    pub(crate) danger: i32,
}

/// What it is worth to be one piece away from the end of a kind, if that wins; a quarter at two pieces, and so on.
const LAST_OF_KIND: i32 = 600;
/// What it is worth to be one check away from the last one that is counted.
const LAST_CHECK: i32 = 500;

impl Goals {
    pub(crate) fn new(rules: &Rules) -> Self {
        let extinction = &rules.extinction;
        let rids = extinction.value == Some(Verdict::Win)
            && !extinction.pseudo_royal
            && (extinction.all_pieces || !extinction.kinds.is_empty());
        let stuck_wins = rules.checkmate == Verdict::Win && rules.stalemate == Verdict::Win;
        let unwanted = if rids && (extinction.all_pieces || rules.must_capture) || stuck_wins {
            Unwanted::Everything
        } else if rids {
            Unwanted::Extinct
        } else {
            Unwanted::Nothing
        };
        Self {
            unwanted,
            material_counts: !rids && !rules.must_capture && rules.checkmate == Verdict::Loss,
            in_one: rules.check_counting
                || rids
                || extinction.value == Some(Verdict::Loss) && !extinction.pseudo_royal
                || rules.flag.region.iter().any(|region| !region.is_none()),
            danger: match rules.checkmate {
                Verdict::Loss => -1,
                Verdict::Draw => 0,
                Verdict::Win => 1,
            },
        }
    }

    /// Whether a player wants to be rid of pieces of a kind; `extinct` are the kinds whose end decides.
    pub(crate) fn is_unwanted(self, extinct: Kinds, kind: Kind) -> bool {
        match self.unwanted {
            Unwanted::Nothing => false,
            Unwanted::Extinct => extinct.contains(kind),
            Unwanted::Everything => true,
        }
    }

    /// Whether promoting may be a mistake though the promoted piece can do more: there are kinds that are counted.
    pub(crate) fn counts(self, rules: &Rules, piece: PieceId) -> bool {
        !self.material_counts
            || rules.extinction.kinds.contains(piece)
            || rules.flag.piece.contains(&Some(piece))
    }
}

/// How near a player is to the goals of the game, for the better or the worse.
pub(crate) fn nearness(variant: &Variant, core: &Core, color: Color) -> i32 {
    let rules = &variant.rules;
    let checks = match core.checks_left[color.index()] {
        left if rules.check_counting && left > 0 => LAST_CHECK / i32::from(left),
        _ => 0,
    };
    checks + extinction(variant, core, color)
}

fn extinction(variant: &Variant, core: &Core, color: Color) -> i32 {
    let rules = &variant.rules.extinction;
    let sign = match rules.value {
        Some(Verdict::Win) => 1,
        Some(Verdict::Loss) => -1,
        _ => return 0,
    };
    if rules.pseudo_royal {
        return 0;
    }
    let count = |kind: Kind| core.count_with_hand(color, kind) as i32;
    let all = rules.all_pieces.then(|| variant.kinds.iter().map(|kind| count(*kind)).sum());
    let near = |count: i32| {
        let left = (count - i32::from(rules.count)).max(1);
        sign * LAST_OF_KIND / (left * left)
    };
    variant.extinct.iter().map(count).chain(all).map(near).sum()
}
