//! `net diff`: compares two evaluations.

use crate::{Evaluator, EvaluatorError, LoadOptions};
use game::{Evaluation, Game, PositionCommandError};
use shogi::{Position, SfenError, Shogi};
use std::path::{Path, PathBuf};

/// A position with the values of both evaluations.
type Valued = ([i32; 2], Position);

/// Evaluations or positions that cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum ComparisonError {
    /// An evaluation that cannot be loaded.
    #[error("cannot use {}: {error}", path.display())]
    Load {
        /// Where it is.
        path: PathBuf,
        /// Why not.
        error: EvaluatorError,
    },
    /// No evaluation there.
    #[error("{}: no evaluation", .0.display())]
    NoEvaluation(PathBuf),
    /// A bad line.
    #[error("{}, line {number}: bad position: {error}", path.display())]
    Position {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        number: usize,
        /// What is wrong.
        error: PositionCommandError<SfenError>,
    },
    /// No line.
    #[error("{}: no positions", .0.display())]
    NoPositions(PathBuf),
}

/// The agreement of two evaluations.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    positions: usize,
    /// From −1 to 1; 0 where the values of one are all equal.
    correlation: f64,
    mean_difference: f64,
    mean_absolute: f64,
    /// Positions in which they favour different sides.
    opposed: usize,
    /// The factor that brings the second's values closest to the first's.
    ratio: f64,
}

impl Comparison {
    /// Compares two evaluations on the positions in `text`, one to a line; `name` names the text in errors. Each
    /// evaluation is a network file, a folder or `<material>`, with the divisor of its values unless the file states
    /// it. Returns the values of both, the largest difference first.
    pub fn run(
        evaluations: [(&Path, i32); 2],
        text: &str,
        name: &Path,
    ) -> Result<(Self, Vec<Valued>), ComparisonError> {
        let [first, second] = evaluations.map(|(path, fv_scale)| load(path, fv_scale));
        let mut evaluators = [first?, second?];
        let mut compared = Vec::new();
        for position in positions(text, name)? {
            let values = evaluators.each_mut().map(|evaluator| {
                evaluator.refresh(&position);
                evaluator.value(&position)
            });
            compared.push((values, position));
        }
        if compared.is_empty() {
            return Err(ComparisonError::NoPositions(name.to_owned()));
        }
        let values: Vec<[i32; 2]> = compared.iter().map(|(values, _)| *values).collect();
        compared.sort_by_key(|([a, b], _)| std::cmp::Reverse((a - b).abs()));
        Ok((Self::of(&values), compared))
    }

    fn of(values: &[[i32; 2]]) -> Self {
        let count = values.len() as f64;
        let pairs = || values.iter().map(|pair| pair.map(f64::from));
        let [mean_a, mean_b] = [0, 1].map(|which| pairs().map(|pair| pair[which]).sum::<f64>() / count);
        let covariance =
            |f: fn([f64; 2]) -> f64| pairs().map(|[a, b]| f([a - mean_a, b - mean_b])).sum::<f64>();
        let (both, first, second) =
            (covariance(|[a, b]| a * b), covariance(|[a, _]| a * a), covariance(|[_, b]| b * b));
        let quotient = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
        Self {
            positions: values.len(),
            correlation: quotient(both, (first * second).sqrt()),
            mean_difference: mean_a - mean_b,
            mean_absolute: pairs().map(|[a, b]| (a - b).abs()).sum::<f64>() / count,
            opposed: values.iter().filter(|[a, b]| a.signum() * b.signum() < 0).count(),
            ratio: quotient(both, second),
        }
    }
}

impl std::fmt::Display for Comparison {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "positions        {}", self.positions)?;
        writeln!(f, "correlation      {:.4}", self.correlation)?;
        writeln!(f, "mean difference  {:.1} (first minus second)", self.mean_difference)?;
        writeln!(f, "mean distance    {:.1}", self.mean_absolute)?;
        writeln!(f, "opposed signs    {}", self.opposed)?;
        write!(f, "first = second x {:.3} at best", self.ratio)
    }
}

fn load(path: &Path, fv_scale: i32) -> Result<Evaluator, ComparisonError> {
    let loaded = Evaluator::load(path, LoadOptions { fv_scale, ..LoadOptions::default() })
        .map_err(|error| ComparisonError::Load { path: path.to_owned(), error })?;
    let (mut evaluator, _) = loaded.ok_or_else(|| ComparisonError::NoEvaluation(path.to_owned()))?;
    if let Evaluator::Nnue(evaluation) = &mut evaluator {
        let facts = evaluation.network().parameters().facts();
        if let Some(stated) = facts.get("fv_scale").and_then(|scale| scale.parse().ok()) {
            evaluation.set_fv_scale(stated);
        }
    }
    Ok(evaluator)
}

fn positions(text: &str, name: &Path) -> Result<Vec<Position>, ComparisonError> {
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            let position = Shogi::default().position_command(line.strip_prefix("position ").unwrap_or(line));
            position.map_err(|error| ComparisonError::Position { path: name.to_owned(), number, error })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        let twice = Comparison::of(&[[2, 1], [-4, -2], [20, 10]]);
        assert!((twice.correlation - 1.0).abs() < 1e-12 && (twice.ratio - 2.0).abs() < 1e-12);
        assert_eq!((twice.positions, twice.opposed), (3, 0));
        let opposed = Comparison::of(&[[5, -5], [-5, 5]]);
        assert!((opposed.correlation + 1.0).abs() < 1e-12);
        assert!(opposed.opposed == 2 && (opposed.mean_absolute - 10.0).abs() < 1e-12);
        assert!(Comparison::of(&[[0, 7]]).correlation.abs() < 1e-12);
    }
}
