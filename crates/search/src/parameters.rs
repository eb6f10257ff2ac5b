//! The numbers of the search, in one table. Values are in the unit of the evaluation (a pawn of shogi is 90), depths
//! and reductions marked so in 1024ths of a ply.
//!
//! With the feature `tuning` each is a spin option of the engine and can be changed while it runs; `search.params` is for
//! `tsumugi tune`.

/// A number of the search that a tuner may change.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, which is also the option's.
    pub name: &'static str,
    /// What it is without tuning.
    pub default: i32,
    /// The least it may be.
    pub min: i32,
    /// The most it may be.
    pub max: i32,
    #[cfg(feature = "tuning")]
    cell: &'static std::sync::atomic::AtomicI32,
}

impl Parameter {
    /// By how much tuning moves it; `None` if it is not tuned (not in `search.params`).
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
    /// Changes it for all searches from now on; values out of range are brought into it.
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

        /// All of them.
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

parameters! {
    // The window around the expected value.
    aspiration_base = 16 in 1..=60;
    aspiration_square_divisor = 8702 in 1000..=40000;

    // Ranks of moves.
    good_capture_divisor = 17 in 4..=60;
    good_quiet_threshold = 15220 in 2000..=40000;
    quiet_sort_per_depth = 4380 in 500..=10000;
    quiet_check_bonus = 17288 in 0..=40000;
    quiet_check_loss = 71 in 0..=400;

    // Ending nodes early by their evaluation.
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

    // Depth changed by hindsight.
    hindsight_margin = 197 in 0..=500;
    internal_reduction_depth = 6 in 2..=12;

    // Leaving out moves of shallow nodes.
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

    // Singular extensions.
    singular_depth = 6 in 4..=10;
    singular_margin = 70 in 10..=200;
    singular_margin_on_line = 71 in 0..=200;
    double_base = 25 in -100..=100;
    double_open = 227 in 0..=500;
    double_quiet = 212 in 0..=500;
    triple_base = 41 in 0..=300;
    triple_open = 320 in 0..=700;
    triple_quiet = 219 in 0..=500;
    triple_on_line = 97 in 0..=300;

    // Reductions of late moves, in 1024ths of a ply.
    reduction_scale = 2849 in 1000..=5000;
    reduction_base = 1300 in 0..=3000;
    reduction_not_improving = 164 in 0..=512;
    reduction_window = 582 in 0..=1500;
    reduction_on_line_before = 970 in 0..=3000;
    reduction_on_line = 2750 in 0..=5000;
    reduction_open = 1053 in 0..=3000;
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

    // The end of a line.
    quiescence_futility = 163 in 50..=800;
    quiescence_exchange = 62 in 0..=300;
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

/// How much less deep late moves are searched, in 1024ths: grows with the logarithms of depth and number.
#[inline]
pub(crate) fn reduction(depth: i32, number: i32) -> i32 {
    let scaled = |x: i32| scaled_log(x.clamp(1, 255) as usize);
    scaled(depth) * scaled(number)
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
