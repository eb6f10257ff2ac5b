//! The parameters of the search, in one table. Values are in the unit of the evaluation (a pawn of shogi is 90). Depths
//! and reductions marked as such are in 1024ths of a ply.
//!
//! With the feature `tuning` each is a spin option of the engine and can be changed while it runs; `search.params` is
//! the input of `tsumugi tune`. Each group says where its values come from; `NOTICE.md` credits the sources.

/// A parameter that can be tuned.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, also that of the option.
    pub name: &'static str,
    /// Default value.
    pub default: i32,
    /// Minimum.
    pub min: i32,
    /// Maximum.
    pub max: i32,
    #[cfg(feature = "tuning")]
    cell: &'static std::sync::atomic::AtomicI32,
}

impl Parameter {
    /// The step of tuning; `None` if it is not tuned (not in `search.params`).
    #[must_use]
    pub fn step(&self) -> Option<i32> {
        let mut lines = include_str!("../search.params").lines();
        let fields = lines.find_map(|line| line.strip_prefix(self.name)?.strip_prefix(','))?;
        let step: f64 = fields.split(',').nth(4)?.parse().ok()?;
        Some(step.round().max(1.0) as i32)
    }
}

#[cfg(feature = "tuning")]
impl Parameter {
    /// Sets it for all later searches; values out of range are clamped.
    pub fn set(&self, value: i32) {
        self.cell.store(value.clamp(self.min, self.max), std::sync::atomic::Ordering::Relaxed);
    }
}

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal in $min:literal..=$max:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tuning"))]
            #[inline(always)]
            pub(crate) const fn $name() -> i32 {
                $default
            }

            $(#[$doc])*
            #[cfg(feature = "tuning")]
            #[inline(always)]
            pub(crate) fn $name() -> i32 {
                cells::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tuning")]
        #[allow(non_upper_case_globals, reason = "named as the functions that read them")]
        mod cells {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// All parameters.
        pub const PARAMETERS: &[Parameter] = &[
            $(Parameter {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                #[cfg(feature = "tuning")]
                cell: &cells::$name,
            },)*
        ];
    };
}

// Bounds and starting values of the histories: constants, as types depend on them. Stockfish's.
pub(crate) const BUTTERFLY_MAX: i32 = 7183;
pub(crate) const LOW_PLY_START: i32 = 98;
pub(crate) const CAPTURE_MAX: i32 = 10_692;
pub(crate) const CAPTURE_START: i32 = -678;
pub(crate) const CONTINUATION_MAX: i32 = 30_000;
pub(crate) const CONTINUATION_START: i32 = -523;
pub(crate) const PAWN_MAX: i32 = 8192;
pub(crate) const PAWN_START: i32 = -1238;
pub(crate) const CORRECTION_MAX: i32 = 1024;
pub(crate) const CONTINUATION_CORRECTION_START: i32 = 6;
pub(crate) const TABLE_MOVE_MAX: i32 = 8192;

parameters! {
    // The window around the expected value. Begun at Stockfish's values, tuned by our games.
    aspiration_base = 16 in 1..=60;
    aspiration_square_divisor = 8702 in 1000..=40000;

    // Ranks of moves. Begun at Stockfish's values, tuned by our games.
    good_capture_divisor = 17 in 4..=60;
    good_quiet_threshold = 15220 in 2000..=40000;
    quiet_sort_per_depth = 4380 in 500..=10000;
    quiet_check_bonus = 17288 in 0..=40000;
    quiet_check_loss = 71 in 0..=400;

    // Ending nodes early by their evaluation. Begun at Stockfish's values, tuned by our games.
    razoring_base = 450 in 100..=1200;
    razoring_per_depth_squared = 307 in 50..=800;
    reverse_futility_depth = 14 in 4..=20;
    reverse_futility_per_depth = 86 in 20..=200;
    reverse_futility_without_entry = 21 in 0..=60;
    /// In 1024ths of a depth.
    reverse_futility_improving = 915 in 0..=5000;
    reverse_futility_worsening = 332 in 0..=2000;
    null_move_margin = 285 in 0..=900;
    null_move_per_depth = 18 in 0..=60;
    null_move_improving = 59 in 0..=200;
    null_move_reduction = 7 in 2..=10;
    null_move_verification_depth = 16 in 8..=30;
    probcut_margin = 203 in 50..=500;
    probcut_improving = 59 in 0..=200;
    small_probcut_margin = 450 in 100..=900;

    // Depth changed by hindsight. Begun at Stockfish's values, tuned by our games.
    hindsight_margin = 197 in 0..=500;
    internal_reduction_depth = 6 in 2..=12;

    // Leaving out moves of shallow nodes. Begun at Stockfish's values, tuned by our games.
    move_count_base = 3 in 0..=12;
    capture_futility_base = 204 in 50..=600;
    capture_futility_per_depth = 190 in 50..=600;
    capture_exchange_per_depth = 117 in 30..=400;
    history_pruning_per_depth = 3639 in 1000..=9000;
    history_per_depth = 3264 in 1000..=9000;
    futility_base = 24 in 0..=300;
    futility_without_best = 73 in 0..=400;
    futility_per_depth = 91 in 30..=300;
    futility_above = 76 in 0..=300;
    futility_depth = 13 in 4..=20;
    quiet_exchange_per_depth = 17 in 5..=80;

    // Singular extensions. Begun at Stockfish's values, tuned by our games.
    singular_depth = 6 in 4..=10;
    singular_margin = 70 in 10..=200;
    singular_margin_tt_pv = 71 in 0..=200;
    double_base = 25 in -100..=100;
    double_pv = 227 in 0..=500;
    double_quiet = 212 in 0..=500;
    triple_base = 41 in 0..=300;
    triple_pv = 320 in 0..=700;
    triple_quiet = 219 in 0..=500;
    triple_tt_pv = 97 in 0..=300;

    // Reductions of late moves, in 1024ths of a ply. Begun at Stockfish's values, tuned by our games.
    reduction_scale = 2849 in 1000..=5000;
    reduction_base = 1300 in 0..=3000;
    reduction_not_improving = 164 in 0..=512;
    reduction_window = 582 in 0..=1500;
    reduction_tt_pv_before = 970 in 0..=3000;
    reduction_tt_pv = 2750 in 0..=5000;
    reduction_pv = 1053 in 0..=3000;
    reduction_table_above = 904 in 0..=3000;
    reduction_table_deep = 900 in 0..=3000;
    reduction_table_deep_cut = 1054 in 0..=3000;
    reduction_offset = 623 in -1000..=3000;
    reduction_per_move = 40 in 0..=200;
    reduction_cut = 4295 in 0..=6000;
    reduction_cut_without_move = 954 in 0..=3000;
    reduction_table_capture = 379 in 0..=3000;
    reduction_cutoffs = 341 in 0..=2000;
    reduction_many_cutoffs = 884 in 0..=3000;
    reduction_cutoffs_all = 1050 in 0..=3000;
    reduction_table_move = 2013 in 0..=5000;
    reduction_history = 439 in 100..=1500;
    reduction_all = 282 in 0..=1000;
    deeper_margin = 57 in 0..=200;
    shallower_margin = 7 in 0..=100;

    // Quiescence search. Begun at Stockfish's values, tuned by our games.
    quiescence_futility = 163 in 50..=800;
    quiescence_exchange = 62 in 0..=300;

    // Correction history. Stockfish's values.
    correction_bonus_best = 12 in 2..=40;
    correction_bonus_other = 17 in 2..=50;
    correction_bonus_scale = 1069 in 256..=3000;
    correction_pawn_weight = 12153 in 2000..=30000;
    correction_second_weight = 8620 in 2000..=30000;
    correction_third_weight = 12355 in 2000..=30000;
    correction_fourth_weight = 12355 in 2000..=30000;
    correction_continuation_weight = 7982 in 2000..=30000;
    correction_pawn_bonus = 128 in 32..=400;
    correction_second_bonus = 153 in 32..=400;
    correction_third_bonus = 187 in 32..=400;
    correction_fourth_bonus = 187 in 32..=400;
    correction_continuation_bonus_1 = 126 in 16..=400;
    correction_continuation_bonus_2 = 63 in 0..=300;
    reverse_futility_correction = 180_600 in 40000..=800_000;
    reduction_correction = 25600 in 5000..=120_000;
    singular_correction = 210_590 in 40000..=900_000;

    // Bonus of a quiet move by the evaluation after it. Stockfish's values.
    evaluation_gain_min = 214 in 50..=800;
    evaluation_gain_max = 171 in 50..=800;
    evaluation_gain_offset = 60 in -100..=300;
    evaluation_gain_butterfly = 10 in 1..=40;
    evaluation_gain_pawn = 12 in 1..=40;

    // Bonus of a cutoff by the transposition table. Stockfish's values.
    table_cutoff_per_depth = 130 in 20..=400;
    table_cutoff_offset = 71 in -100..=300;
    table_cutoff_max = 1043 in 200..=4000;
    table_cutoff_penalty = 2142 in 200..=5000;

    // Bonus of the best move, malus of those tried before it. Stockfish's values.
    best_bonus_per_depth = 128 in 20..=400;
    best_bonus_offset = 77 in -100..=300;
    best_bonus_max = 1529 in 300..=5000;
    best_bonus_table_move = 353 in 0..=1500;
    best_bonus_parent_divisor = 32 in 8..=200;
    malus_per_depth = 882 in 100..=2500;
    malus_offset = 204 in -200..=800;
    malus_max = 2122 in 400..=6000;
    best_capture_bonus = 1286 in 256..=4000;
    best_quiet_bonus = 806 in 256..=3000;
    quiet_malus = 1113 in 256..=4000;
    quiet_malus_decay = 977 in 800..=1024;
    first_move_penalty = 616 in 0..=2500;
    capture_malus = 1559 in 256..=5000;

    // How a node that fails low credits the move before it. Stockfish's values.
    fail_low_capture_bonus = 1018 in 0..=4000;
    fail_low_surprise_margin = 110 in 0..=500;
    fail_low_relief_margin = 73 in 0..=500;
    fail_low_offset = 232 in -500..=1000;
    fail_low_parent_divisor = 108 in 20..=500;
    fail_low_per_depth = 59 in 0..=250;
    fail_low_depth_max = 454 in 0..=2000;
    fail_low_late_move = 169 in 0..=800;
    fail_low_surprise = 145 in 0..=800;
    fail_low_relief = 154 in 0..=800;
    fail_low_bonus_per_depth = 135 in 20..=500;
    fail_low_bonus_offset = 80 in -100..=400;
    fail_low_bonus_max = 1400 in 200..=5000;
    fail_low_continuation = 221 in 0..=1000;
    fail_low_butterfly = 235 in 0..=1000;
    fail_low_pawn = 290 in 0..=1200;

    // Shares of a bonus that each history gets, in 1024ths. Stockfish's values.
    low_ply_share = 761 in 100..=3000;
    continuation_share = 955 in 100..=3000;
    pawn_bonus_share = 850 in 100..=3000;
    pawn_malus_share = 550 in 100..=3000;
    continuation_1 = 1157 in 200..=3000;
    continuation_2 = 648 in 100..=2000;
    continuation_3 = 288 in 0..=1500;
    continuation_4 = 576 in 0..=2000;
    continuation_5 = 140 in 0..=1000;
    continuation_6 = 441 in 0..=1500;
    continuation_offset = 88 in -100..=500;

    // What becomes of the transposition table's move. Stockfish's values.
    table_move_kept = 805 in 100..=3000;
    table_move_dropped = 787 in 100..=3000;
    multi_cut_base = 424 in 0..=2000;
    multi_cut_per_depth = 107 in 0..=500;
    multi_cut_max = 3375 in 500..=8000;
    double_table_move = 906 in 0..=4000;
    singular_far = 44 in 0..=250;

    // The rest of the reductions, and weights of move histories in pruning. Stockfish's values.
    singular_divisor = 55 in 20..=120;
    research_bonus = 1426 in 0..=5000;
    unreduced_without_move = 1057 in 0..=4000;
    unreduced_less = 4628 in 1000..=9000;
    unreduced_least = 5772 in 1000..=12000;
    reduction_all_depth = 256 in 64..=1000;
    reduction_all_offset = 260 in 64..=1000;
    capture_stat_value = 863 in 100..=3000;
    capture_futility_history = 131 in 0..=600;
    capture_exchange_history = 34 in 0..=200;
    butterfly_pruning = 71 in 0..=300;

    // Depths, counts and divisors of the above. Most are Stockfish's.
    aspiration_growth_divisor = 3 in 1..=10;
    capture_rank_value = 7 in 1..=30;
    null_move_depth_divisor = 3 in 2..=8;
    probcut_depth = 3 in 1..=10;
    probcut_reduction = 4 in 2..=8;
    small_probcut_table_depth = 4 in 0..=8;
    hindsight_deeper_reduction = 3 in 1..=6;
    hindsight_shallower_reduction = 2 in 1..=6;
    internal_reduction_prior = 3 in 0..=8;
    capture_futility_depth = 7 in 2..=14;
    singular_table_depth = 3 in 1..=8;
    double_table_move_divisor = 116_517 in 20_000..=500_000;
    negative_extension = 3 in 0..=5;
    negative_extension_cut = 2 in 0..=5;
    alpha_raised_depth_min = 2 in 0..=8;
    alpha_raised_depth_max = 14 in 6..=30;
    alpha_raised_reduction = 2 in 0..=4;
    quiescence_move_count = 2 in 1..=8;
    table_cutoff_any_depth = 5 in 0..=16;
    table_cutoff_early_move = 4 in 1..=16;
    fail_low_late_move_count = 8 in 2..=20;
    correction_after_null_move = 8 in -100..=100;

    // Transposition table, threads and iterations. Our own.
    /// Depth added to entries of nodes that are settled: mates, and nodes without a move.
    settled_depth_bonus = 6 in 0..=12;
    /// Nearer to the leaves a mate probe takes longer than searching.
    mate_probe_depth = 4 in 1..=12;
    replacement_age = 8 in 1..=32;
    replacement_depth = 4 in 0..=12;
    replacement_pv = 2 in 0..=6;
    /// Weight of the vote for the worst move.
    vote_offset = 14 in 1..=100;
    /// In quarters of a ply for each iteration that is repeated.
    again_reduction = 3 in 0..=4;
}

/// 1000 ln x for x below 256.
const LOG: [i32; 256] = {
    let mut table = [0; 256];
    let mut millionths: i64 = 0;
    let mut x = 2;
    while x < 256 {
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

/// [`LOG`] by [`reduction_scale`], so that products of two are in 1024ths.
#[cfg(not(feature = "tuning"))]
#[inline(always)]
fn scaled_log(x: usize) -> i32 {
    const SCALED: [i32; 256] = {
        let mut table = LOG;
        let mut x = 0;
        while x < table.len() {
            table[x] = LOG[x] * reduction_scale() / 128_000;
            x += 1;
        }
        table
    };
    SCALED[x]
}

#[cfg(feature = "tuning")]
fn scaled_log(x: usize) -> i32 {
    LOG[x] * reduction_scale() / 128_000
}

/// Reduction of late moves, in 1024ths: grows with the logarithms of depth and move count.
#[inline]
pub(crate) fn reduction(depth: i32, move_count: i32) -> i32 {
    let scaled = |x: i32| scaled_log(x.clamp(1, 255) as usize);
    scaled(depth) * scaled(move_count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow() {
        assert_eq!(reduction(1, 1), 0);
        assert!(reduction(20, 30) > reduction(10, 30) && reduction(10, 30) > reduction(10, 5));
        for x in 2..256 {
            let exact = (f64::from(x).ln() * 1000.0) as i32;
            assert!((LOG[x as usize] - exact).abs() <= 5, "{x}");
        }
    }

    /// The file that tuning begins with says the same as the table.
    #[test]
    fn the_file_for_tuning_is_up_to_date() {
        let lines = include_str!("../search.params").lines().filter(|line| !line.starts_with("//"));
        let mut tuned = 0;
        for line in lines {
            let fields: Vec<_> = line.split(',').collect();
            let [name, "int", default, min, max, step, _delta] = fields[..] else { panic!("{line}") };
            let p = PARAMETERS.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("{line}"));
            assert_eq!([default, min, max], [p.default, p.min, p.max].map(|n| n.to_string()), "{line}");
            assert_eq!(p.step().map(|n| n.to_string()).as_deref(), Some(step), "{line}");
            tuned += 1;
        }
        assert!(tuned > 40, "{tuned}");
    }

    #[test]
    fn defaults_are_within_their_ranges() {
        for p in PARAMETERS {
            assert!((p.min..=p.max).contains(&p.default), "{}", p.name);
        }
    }
}
