//! The parameters of each level.

use super::Level;

/// Limits and errors of a player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Strength {
    /// Positions searched for a move.
    pub(super) nodes: u64,
    /// The depth of that search.
    pub(super) depth: usize,
    /// The number of candidate moves.
    pub(super) candidates: usize,
    /// The number of candidates compared, the best ones of a search.
    pub(super) lines: usize,
    /// How strongly plausibility decides the candidates: 0 is not at all.
    pub(super) focus: f64,
    /// The probability that the best move of a shallow search of all moves is a candidate.
    pub(super) sight: f64,
    /// The random error of values: the temperature of the choice, in centipawns.
    pub(super) noise: f64,
    /// A move worse than the best candidate by this many centipawns is never chosen.
    pub(super) worst: f64,
    /// Mates within so many plies are always found.
    pub(super) mate: u32,
}

macro_rules! table {
    ($($nodes:literal $depth:literal $candidates:literal $lines:literal $focus:literal $sight:literal $noise:literal $worst:literal $mate:literal;)*) => {
        [$(Strength {
            nodes: $nodes, depth: $depth, candidates: $candidates, lines: $lines, focus: $focus, sight: $sight, noise: $noise,
            worst: $worst, mate: $mate,
        }),*]
    };
}

/// From 15級 to 九段, fitted so that neighbours are 150 to 250 Elo apart (`docs/levels.md`).
#[rustfmt::skip]
const STRENGTHS: [Strength; Level::STEPS] = table![
    // nodes depth candidates lines focus sight  noise  worst mate
        400      1          3     3  0.73  0.01 1320.0 4720.0  0; // 15級
        410      1          4     4  0.84  0.07 1060.0 3940.0  0;
        450      1          4     4  0.94  0.13  825.0 3220.0  0;
        500      1          5     5  0.99  0.20  697.0 2790.0  1;
        560      1          5     5  1.00  0.29  584.0 2410.0  1;
        630      2          6     6  1.00  0.38  496.0 2100.0  1; // 10級
        730      2          6     6  1.00  0.48  419.0 1800.0  1;
        840      2          8     8  1.00  0.62  344.0 1460.0  1;
        960      2          9     9  1.00  0.79  278.0 1110.0  3;
       1170      3         12    10  1.00  0.95  221.0  820.0  3;
       1380      3         17    10  1.00  1.00  181.0  640.0  3; // 5級
       1730      4         27    10  1.00  1.00  142.0  460.0  3;
       2600      5        999     9  1.00  1.00   93.3  270.0  5;
       3800      6        999     7  1.00  1.00   65.9  200.0  5;
       5100      7        999     6  1.00  1.00   50.1  160.0  5;
       6500      9        999     5  1.00  1.00   42.2  130.0  7; // 初段
       6410      9        999     4  1.00  1.00   32.2  115.0  7;
       6720     10        999     3  1.00  1.00   24.6  105.0  9;
       7300     11        999     2  1.00  1.00   20.5  100.0  9;
      10700     15        999     2  1.00  1.00   13.3   80.0  9;
      16300     20        999     2  1.00  1.00    8.4   60.0  9;
      20000     24        999     1  1.00  1.00    0.0   60.0  9;
      35800     28        999     1  1.00  1.00    0.0   50.0 11;
      60000     32        999     1  1.00  1.00    0.0   50.0 11; // 九段
];

/// The ratings of the levels: sums of the measured steps, each within 150 and 250 (docs/levels.md); above 四段 they are estimates.
#[rustfmt::skip]
pub(super) const ELO: [i32; Level::STEPS] = [
    0, 150, 330, 560, 726, 912, 1062, 1251, 1447, 1667, 1817, 2047, 2257, 2472, 2622, // 15級 to 1級
    2842, 3027, 3262, 3472, 3622, 3772, 3932, 4092, 4252, // 初段 to 九段
];

/// A weighted mean.
fn between(low: f64, high: f64, part: f64) -> f64 {
    low + (high - low) * part
}

impl Strength {
    /// The parameters of a level; between two steps they are interpolated.
    pub(super) fn of(level: Level) -> Self {
        let place = level.place();
        let (step, part) = (place as usize, place.fract());
        let (a, b) = (STRENGTHS[step], STRENGTHS[(step + 1).min(Level::STEPS - 1)]);
        let whole = |low: f64, high: f64| between(low, high, part).round();
        Self {
            nodes: between((a.nodes as f64).ln(), (b.nodes as f64).ln(), part).exp() as u64,
            depth: whole(a.depth as f64, b.depth as f64) as usize,
            candidates: whole(a.candidates as f64, b.candidates as f64) as usize,
            lines: whole(a.lines as f64, b.lines as f64) as usize,
            focus: between(a.focus, b.focus, part),
            sight: between(a.sight, b.sight, part),
            noise: between(a.noise, b.noise, part),
            worst: between(a.worst, b.worst, part),
            mate: a.mate,
        }
    }
}
