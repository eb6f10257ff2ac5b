//! The numbers of the search, in one place. Values are in the unit of the evaluation (a pawn of shogi is 90).

/// Depth up to which [`crate::node`]'s prunings by a static evaluation apply.
pub(crate) const REVERSE_FUTILITY_DEPTH: i32 = 8;
pub(crate) const REVERSE_FUTILITY_MARGIN: i32 = 110;
pub(crate) const RAZORING_BASE: i32 = 350;
pub(crate) const RAZORING_PER_DEPTH_SQUARED: i32 = 220;
pub(crate) const FUTILITY_DEPTH: i32 = 8;
pub(crate) const FUTILITY_BASE: i32 = 130;
pub(crate) const FUTILITY_PER_DEPTH: i32 = 110;
pub(crate) const NULL_MOVE_DEPTH: i32 = 3;
pub(crate) const NULL_MOVE_EVALUATION_STEP: i32 = 200;
pub(crate) const PROBCUT_DEPTH: i32 = 5;
pub(crate) const PROBCUT_MARGIN: i32 = 180;
pub(crate) const SINGULAR_DEPTH: i32 = 7;
pub(crate) const SINGULAR_DOUBLE_MARGIN: i32 = 25;
pub(crate) const EXCHANGE_MARGIN_CAPTURE: i32 = 120;
pub(crate) const EXCHANGE_MARGIN_QUIET: i32 = 30;
pub(crate) const HISTORY_PRUNING: i32 = -4500;
pub(crate) const HISTORY_PER_PLY: i32 = 7000;
pub(crate) const DELTA_MARGIN: i32 = 250;

/// Thousandths of ln(x), for x below 64.
const LOG: [i32; 64] = {
    let mut table = [0; 64];
    let mut millionths: i64 = 0;
    let mut x = 2;
    while x < 64 {
        // The integral of 1/x over [x - 1, x], by the middles of 16 slices.
        let mut slice = 0;
        while slice < 16 {
            millionths += 2_000_000 / ((x as i64 - 1) * 32 + 2 * slice + 1);
            slice += 1;
        }
        table[x] = (millionths / 1000) as i32;
        x += 1;
    }
    table
};

/// How much less deep late moves are searched: grows with the logarithms of depth and number.
pub(crate) fn reduction(depth: i32, number: usize) -> i32 {
    let [depth, number] = [depth.clamp(1, 63) as usize, number.clamp(1, 63)];
    (LOG[depth] * LOG[number] / 2200 + 500) / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow() {
        assert_eq!(reduction(1, 1), 0);
        assert_eq!(reduction(3, 4), 1);
        assert!(reduction(20, 30) > reduction(10, 30) && reduction(10, 30) > reduction(10, 5));
        for x in 2..64 {
            let exact = (f64::from(x).ln() * 1000.0) as i32;
            assert!((LOG[x as usize] - exact).abs() <= 5, "{x}");
        }
    }
}
