//! Statistics of training data.

use crate::corpus::Corpus;
use shogi::{GameResult, PackedSfenValue};
use std::collections::HashSet;
use std::fmt;

/// Counts over the positions of a corpus.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stats {
    /// Games.
    pub games: usize,
    /// Positions.
    pub positions: usize,
    /// Repeated positions, counting each repetition.
    pub duplicates: usize,
    /// Games won by Black, drawn, won by White.
    pub results: [usize; 3],
    /// Positions by score, in steps of [`Stats::SCORE_STEP`] from the most negative.
    pub scores: Vec<usize>,
    /// Positions by ply, in steps of [`Stats::PLY_STEP`].
    pub plies: Vec<usize>,
    /// The score at which winning chances are 73 %: `σ(score / scale)` fits the results best.
    pub scale: Option<f64>,
    /// The share of positions whose score has the sign of the result, among those with a score and a winner.
    pub sign_agreement: f64,
}

impl Stats {
    /// Width of a step of [`Stats::scores`].
    pub const SCORE_STEP: i32 = 250;
    /// Start of the first and end of the last step.
    pub const SCORE_END: i32 = 3000;
    /// Width of a step of [`Stats::plies`].
    pub const PLY_STEP: usize = 20;

    /// Computes the statistics.
    #[must_use]
    pub fn of(corpus: &Corpus) -> Self {
        let mut stats = Self {
            games: corpus.games.len(),
            positions: corpus.records.len(),
            scores: vec![0; (2 * Self::SCORE_END / Self::SCORE_STEP) as usize],
            scale: fit_scale(&corpus.records),
            ..Self::default()
        };
        for game in corpus.games() {
            // Every second ply is Black's, so the first record determines the winner.
            let Some(first) = game.first() else { continue };
            let black_to_move = first.position.bytes()[0] & 1 == 0;
            let code = if black_to_move { first.result.code() } else { -first.result.code() };
            stats.results[(1 - code) as usize] += 1;
        }
        let mut seen = HashSet::with_capacity(corpus.records.len());
        let (mut agreeing, mut judged) = (0_usize, 0_usize);
        for record in &corpus.records {
            stats.duplicates += usize::from(!seen.insert(crate::fingerprint(record.position.bytes())));
            let score = i32::from(record.score).clamp(-Self::SCORE_END, Self::SCORE_END - 1);
            stats.scores[((score + Self::SCORE_END) / Self::SCORE_STEP) as usize] += 1;
            let step = usize::from(record.ply) / Self::PLY_STEP;
            if stats.plies.len() <= step {
                stats.plies.resize(step + 1, 0);
            }
            stats.plies[step] += 1;
            if record.score != 0 && record.result != GameResult::Draw {
                judged += 1;
                agreeing += usize::from((record.score > 0) == (record.result == GameResult::Win));
            }
        }
        stats.sign_agreement = agreeing as f64 / judged.max(1) as f64;
        stats
    }
}

/// Larger scores are not used for fitting the scale.
const FITTED_SCORES: i16 = 3000;
/// Plausible results of a fit.
const SCALES: std::ops::RangeInclusive<f64> = 20.0..=20_000.0;

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(f, "games       {}", self.games)?;
        let per_game = self.positions as f64 / self.games.max(1) as f64;
        writeln!(f, "positions   {} ({per_game:.1} a game)", self.positions)?;
        let duplicates = percent(self.duplicates, self.positions);
        writeln!(f, "duplicates  {} ({duplicates:.2} %)", self.duplicates)?;
        let [black, draw, white] = self.results.map(|count| percent(count, self.games));
        writeln!(f, "results     Black {black:.1} %, draw {draw:.1} %, White {white:.1} %")?;
        writeln!(f, "sign        {:.1} % of the scores agree with the result", 100.0 * self.sign_agreement)?;
        match self.scale {
            Some(scale) => writeln!(f, "scale       {scale:.0} (a score of this means 73 %)")?,
            None => writeln!(f, "scale       unknown: no score or no result but draws")?,
        }
        let mut histogram = |name: &str, counts: &[usize], begin: i32, step: i32| {
            writeln!(f, "\n{name}")?;
            for (from, count) in (begin..).step_by(step as usize).zip(counts) {
                let bar = "#".repeat(200 * count / self.positions.max(1));
                writeln!(f, "{from:>6} {:>6.2} % {bar}", percent(*count, self.positions))?;
            }
            Ok(())
        };
        histogram("score", &self.scores, -Self::SCORE_END, Self::SCORE_STEP)?;
        histogram("ply", &self.plies, 0, Self::PLY_STEP as i32)
    }
}

/// The `a` for which `σ(score / a)` fits the results best (smallest cross entropy); `None` if it cannot be determined.
///
/// ```
/// use shogi::{GameResult, PackedSfen, Position, PackedSfenValue};
/// let position = PackedSfen::try_from(&Position::startpos())?;
/// let record = |score, result| PackedSfenValue { position, score, move_bits: 0, ply: 1, result, padding: 0 };
/// // 73 % of the games with a score of 600 are won.
/// let records: Vec<_> =
///     (0..1000).map(|i| record(600, if i < 731 { GameResult::Win } else { GameResult::Loss })).collect();
/// let scale = train::fit_scale(&records).unwrap();
/// assert!((scale - 600.0).abs() < 5.0, "{scale}");
/// # Ok::<(), shogi::PackError>(())
/// ```
#[must_use]
pub fn fit_scale(records: &[PackedSfenValue]) -> Option<f64> {
    // Only the counts by score matter.
    let mut counts = vec![[0_u32; 2]; 2 * FITTED_SCORES as usize + 1];
    for record in records.iter().filter(|record| record.score.unsigned_abs() <= FITTED_SCORES.unsigned_abs())
    {
        let twice_won = (record.result.code() + 1) as u32;
        let count = &mut counts[(record.score + FITTED_SCORES) as usize];
        count[0] += twice_won;
        count[1] += 2 - twice_won;
    }
    // Newton's method for k = 1 / a.
    let mut k = 1.0 / 600.0;
    for _ in 0..50 {
        let (mut slope, mut curvature) = (0.0, 0.0);
        for (score, [won, lost]) in (-f64::from(FITTED_SCORES) as i32..).map(f64::from).zip(&counts) {
            let (won, lost) = (f64::from(*won), f64::from(*lost));
            let p = 1.0 / (1.0 + (-k * score).exp());
            slope += score * (won - (won + lost) * p);
            curvature += score * score * (won + lost) * p * (1.0 - p);
        }
        if curvature <= 0.0 {
            return None;
        }
        k = (k + slope / curvature).clamp(1.0 / SCALES.end(), 1.0 / SCALES.start());
    }
    Some(1.0 / k)
}
