use search::{Progress, Value};

/// The time that a search needs, as a multiple of the usual: more while its value falls and its best move changes, less
/// once one move has stayed best for long or has taken nearly all nodes.
///
/// ```
/// use search::{Progress, Value};
/// use usi::time::need;
/// let calm = Progress {
///     depth: 20,
///     stable_iterations: 18,
///     best_changes: 0.0,
///     effort: 0.5,
///     value: Value::new(50),
///     earlier_value: Value::new(50),
///     expected_value: None,
///     only_move: false,
/// };
/// let troubled = Progress { stable_iterations: 0, best_changes: 1.0, value: Value::new(-20), ..calm };
/// assert!(need(&calm) < 0.6 && need(&troubled) > 2.0);
/// assert!(need(&Progress { effort: 0.97, ..calm }) < need(&calm));
/// ```
#[must_use]
pub fn need(progress: &Progress) -> f64 {
    if progress.only_move {
        // Long enough to find a reply to ponder on.
        return 0.03;
    }
    let fall_from = |value: Value| f64::from(value.get() - progress.value.get());
    let expected = progress.expected_value.unwrap_or(progress.earlier_value);
    let falling = 0.11 + 0.021 * fall_from(expected) + 0.01 * fall_from(progress.earlier_value);
    let falling = falling.clamp(0.57, 1.57);
    // From 1.5 for a move that has just become the best down to half for one that has been the best for a dozen
    // iterations.
    let settled = 1.0 / (1.0 + (-0.52 * (f64::from(progress.stable_iterations) - 11.5)).exp());
    let novelty = 1.5 - 0.75 * settled;
    let instability = 1.0 + 1.9 * progress.best_changes;
    let certainty = if progress.depth >= 10 && progress.effort >= 0.92 { 0.67 } else { 1.0 };
    falling * novelty * instability * certainty
}
