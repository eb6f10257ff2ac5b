//! The goals of a variant for evaluation and search: mate, or something else.

use crate::board::kind::Kind;
use crate::definition::piece::PieceId;
use crate::definition::rules::{Rules, Verdict};
use crate::position::core::Core;
use crate::variant::{Kinds, Variant};
use game::Color;

/// The pieces that a player wants to lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unwanted {
    /// None, as in most games.
    Nothing,
    /// Kinds whose extinction wins.
    Extinct,
    /// All: having none left, or no move, wins.
    Everything,
}

/// How the rules value material and danger to kings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Goals {
    unwanted: Unwanted,
    /// Whether more material is better, as in most games.
    pub(crate) material_counts: bool,
    /// Whether one move may reach a goal other than mate.
    pub(crate) in_one: bool,
    /// Sign of danger to a royal piece: -1 where mate loses, 1 where it wins, 0 where it draws.
    pub(crate) danger: i32,
}

/// Bonus for being one piece away from the extinction of a kind if that wins; a quarter at two pieces, and so on.
const LAST_OF_KIND: i32 = 600;
/// Bonus for being one check away from the last counted one.
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

    /// Whether losing pieces of a kind is good for a player; `extinct` are the kinds whose extinction decides.
    pub(crate) fn is_unwanted(self, extinct: Kinds, kind: Kind) -> bool {
        match self.unwanted {
            Unwanted::Nothing => false,
            Unwanted::Extinct => extinct.contains(kind),
            Unwanted::Everything => true,
        }
    }

    /// Whether promoting may be bad although the promoted piece moves better, because kinds are counted.
    pub(crate) fn counts(self, rules: &Rules, piece: PieceId) -> bool {
        !self.material_counts
            || rules.extinction.kinds.contains(piece)
            || rules.flag.piece.contains(&Some(piece))
    }
}

/// How near a player is to the goals of the game, for better or worse.
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
