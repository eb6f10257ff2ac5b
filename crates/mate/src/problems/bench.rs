//! Measures the speed of solving.

use super::files::Problem;
use crate::{Goal, Limits, Solver, Verdict};
use std::io::{self, Write};

/// Searches for any mate of each problem, within `nodes` positions each. Writes a line for each problem and a summary.
pub fn bench(out: &mut impl Write, solver: &mut Solver, problems: &[Problem], nodes: u64) -> io::Result<()> {
    let (mut all, mut seconds, mut solved) = (0, 0.0, 0);
    for problem in problems {
        let verdict = solver.solve(&problem.position, Goal::Any, Limits::nodes(nodes));
        let progress = solver.progress();
        let took = progress.time.as_secs_f64();
        writeln!(out, "{}: {verdict}, {} positions, {took:.3} s", problem.name, progress.nodes)?;
        all += progress.nodes;
        seconds += took;
        solved += usize::from(!matches!(verdict, Verdict::Unknown(_)));
    }
    let speed = all as f64 / f64::max(seconds, 1e-9);
    writeln!(
        out,
        "{solved} of {} solved, {all} positions in {seconds:.3} s, {speed:.0} per second",
        problems.len()
    )
}
