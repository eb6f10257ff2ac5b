//! `tsumugi net diff`.

use anyhow::{Context, bail};
use eval::{Evaluator, LoadOptions};
use game::{Evaluation, Game};
use shogi::{Position, Shogi};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Show where two evaluations disagree most.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct DiffArgs {
    /// The first: network file, folder of `nn.bin` or of KPPT tables, or `<material>`.
    first: PathBuf,
    /// The second.
    second: PathBuf,
    /// Positions, one to a line: SFEN, or what follows `position`; `-` for standard input.
    positions: PathBuf,
    /// What values of the first are divided by, where the file does not tell.
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=128))]
    first_scale: i32,
    /// The same for the second.
    #[arg(long, default_value_t = 16, value_name = "N", value_parser = clap::value_parser!(i32).range(1..=128))]
    second_scale: i32,
    /// How many positions to show.
    #[arg(long, default_value_t = 10, value_name = "N")]
    show: usize,
}

impl DiffArgs {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut first = load(&self.first, self.first_scale)?;
        let mut second = load(&self.second, self.second_scale)?;
        let mut compared = Vec::new();
        for position in read_positions(&self.positions)? {
            let values = [&mut first, &mut second].map(|evaluator| {
                evaluator.refresh(&position);
                evaluator.value(&position)
            });
            compared.push((values, position));
        }
        if compared.is_empty() {
            bail!("{}: no positions", self.positions.display());
        }
        let mut out = io::stdout().lock();
        let values: Vec<[i32; 2]> = compared.iter().map(|(values, _)| *values).collect();
        writeln!(out, "{}", Summary::of(&values))?;
        compared.sort_by_key(|([a, b], _)| std::cmp::Reverse((a - b).abs()));
        for ([a, b], position) in compared.iter().take(self.show) {
            writeln!(out, "{a:>6} {b:>6}  {}", position.sfen())?;
        }
        Ok(())
    }
}

fn load(path: &Path, fv_scale: i32) -> anyhow::Result<Evaluator> {
    let loaded = Evaluator::load(path, LoadOptions { fv_scale, ..LoadOptions::default() })
        .with_context(|| format!("cannot use {}", path.display()))?;
    let (mut evaluator, _) = loaded.with_context(|| format!("{}: no evaluation", path.display()))?;
    if let Evaluator::Nnue(evaluation) = &mut evaluator {
        let facts = evaluation.network().parameters().facts();
        if let Some(told) = facts.get("fv_scale").and_then(|scale| scale.parse().ok()) {
            evaluation.set_fv_scale(told);
        }
    }
    Ok(evaluator)
}

fn read_positions(path: &Path) -> anyhow::Result<Vec<Position>> {
    let mut text = String::new();
    if path == Path::new("-") {
        io::stdin().lock().read_to_string(&mut text).context("cannot read standard input")?;
    } else {
        text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            let position = Shogi::default().position_command(line.strip_prefix("position ").unwrap_or(line));
            position.with_context(|| format!("{}, line {number}: bad position", path.display()))
        })
        .collect()
}

/// How alike the values of two evaluations are.
#[derive(PartialEq, Debug)]
struct Summary {
    positions: usize,
    /// From −1 to 1; 0 where one of them always says the same.
    correlation: f64,
    mean_difference: f64,
    mean_absolute: f64,
    /// Positions in which they favour different sides.
    opposed: usize,
    /// What the second's values would have to be multiplied with to be like the first's.
    ratio: f64,
}

impl Summary {
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

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "positions        {}", self.positions)?;
        writeln!(f, "correlation      {:.4}", self.correlation)?;
        writeln!(f, "mean difference  {:.1} (first minus second)", self.mean_difference)?;
        writeln!(f, "mean distance    {:.1}", self.mean_absolute)?;
        writeln!(f, "opposed signs    {}", self.opposed)?;
        write!(f, "first = second x {:.3} at best", self.ratio)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        let twice = Summary::of(&[[2, 1], [-4, -2], [20, 10]]);
        assert!((twice.correlation - 1.0).abs() < 1e-12 && (twice.ratio - 2.0).abs() < 1e-12);
        assert_eq!((twice.positions, twice.opposed), (3, 0));
        let opposed = Summary::of(&[[5, -5], [-5, 5]]);
        assert!((opposed.correlation + 1.0).abs() < 1e-12);
        assert!(opposed.opposed == 2 && (opposed.mean_absolute - 10.0).abs() < 1e-12);
        assert!(Summary::of(&[[0, 7]]).correlation.abs() < 1e-12);
    }
}
