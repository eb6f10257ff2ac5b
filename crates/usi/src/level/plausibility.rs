//! How likely a person considers a move, before any search.

use game::Searchable;

/// Weights of captures, checks and recaptures.
const CAPTURE: f64 = 1.0;
const RECAPTURE: f64 = 1.5;
const CHECK: f64 = 0.8;
/// The divisor, in centipawns, of the value of a captured piece.
const WORTH: f64 = 400.0;
/// A move that loses the piece at once is seldom considered.
const LOSES_PIECE: f64 = -2.5;
/// A quiet move that threatens to win material.
const THREAT: f64 = 1.0;

/// The logarithm of a weight for the legal move `m`. `centipawn` is one in the unit of the evaluation; `checks` comes from
/// [`Searchable::checks`].
pub(super) fn plausibility<P: Searchable>(
    position: &P,
    checks: &P::Checks,
    m: P::Move,
    centipawn: f64,
) -> f64 {
    let mut weight = 0.0;
    if position.is_capture(m) {
        weight += CAPTURE + f64::from(position.capture_value(m)) / centipawn / WORTH;
    }
    if position.is_recapture(m) {
        weight += RECAPTURE;
    }
    if P::HAS_CHECK && position.gives_check(checks, m) {
        weight += CHECK;
    }
    if position.material_counts() && !position.exchange_at_least(m, 0) {
        weight += LOSES_PIECE;
    }
    if position.threat_value(m) > 0 {
        weight += THREAT;
    }
    weight
}
