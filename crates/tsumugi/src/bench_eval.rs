//! `tsumugi bench eval`: evaluations per second.

use anyhow::Context;
use eval::nnue::Isa;
use eval::{EmbeddedNet, Evaluator, LoadOptions, Material};
use game::Evaluation;
use shogi::{Change, Position};
use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use usi::options::Folders;

/// Measure evaluations per second.
///
/// Every legal move of every position of some games is made, evaluated and taken back ("incremental"); every position is
/// evaluated from nothing ("refresh"). For a network, each instruction set of this processor has a line. What making and
/// taking back the moves costs is measured alone and left out.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct BenchEvalArgs {
    /// Network file, or folder of `nn.bin` or of KPPT tables, or `<material>`.
    ///
    /// Without it: `eval`, else the built-in network, else material.
    pub eval: Option<PathBuf>,
    /// Only this instruction set.
    #[arg(long, value_parser = parse_isa)]
    pub isa: Option<Isa>,
    /// Seconds for each figure.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub seconds: u64,
    /// Walk through the positions so often instead, for counting instructions.
    #[arg(long, conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    pub rounds: Option<u64>,
}

fn parse_isa(word: &str) -> Result<Isa, String> {
    let isa: Isa = word.parse().map_err(|error| format!("{error}"))?;
    if isa.is_available() { Ok(isa) } else { Err(format!("this processor does not have {isa}")) }
}

/// How long a figure is measured.
#[derive(Clone, Copy)]
enum Length {
    Time(Duration),
    Rounds(u64),
}

/// Measures and prints.
pub fn run(args: &BenchEvalArgs) -> anyhow::Result<()> {
    let length = match args.rounds {
        Some(rounds) => Length::Rounds(rounds),
        None => Length::Time(Duration::from_secs(args.seconds)),
    };
    let mut stream = Stream::new();
    let mut out = io::stdout().lock();
    let (mut evaluator, name) = load(args.eval.as_deref(), args.isa.unwrap_or_else(Isa::best))?;
    writeln!(out, "{name}")?;
    writeln!(out, "{} positions, {} moves", stream.positions.len(), stream.moves)?;
    let moves_alone = stream.seconds_for_each(length, Stream::make_moves);
    writeln!(out, "making and taking back a move: {:.1} ns", 1e9 * moves_alone)?;
    writeln!(out, "{:<12} {:>14} {:>14}", "", "incremental/s", "refresh/s")?;
    let sets: Vec<Isa> = match (&evaluator, args.isa) {
        (Evaluator::Nnue(_), None) => Isa::available().collect(),
        _ => vec![args.isa.unwrap_or_else(Isa::best)],
    };
    for isa in sets {
        let row = if let Evaluator::Nnue(evaluation) = &mut evaluator {
            **evaluation = evaluation.on(isa);
            isa.to_string()
        } else {
            "-".to_owned()
        };
        let incremental = stream.seconds_for_each(length, |stream| stream.evaluate_moves(&mut evaluator));
        let refresh = stream.seconds_for_each(length, |stream| stream.evaluate_afresh(&mut evaluator));
        let rate = |seconds: f64| 1.0 / seconds.max(1e-12);
        writeln!(out, "{row:<12} {:>14.0} {:>14.0}", rate(incremental - moves_alone), rate(refresh))?;
    }
    Ok(())
}

/// The evaluation and what it is called.
fn load(path: Option<&Path>, isa: Isa) -> anyhow::Result<(Evaluator, String)> {
    let options = LoadOptions { isa, ..LoadOptions::default() };
    let candidates = match path {
        Some(path) => vec![path.to_owned()],
        None => Folders::of_process().candidates("eval"),
    };
    for candidate in &candidates {
        let loaded = Evaluator::load(candidate, options)
            .with_context(|| format!("cannot use {}", candidate.display()))?;
        if let Some((evaluator, remarks)) = loaded {
            return Ok((evaluator, format!("{}: {}", candidate.display(), remarks.join("; "))));
        }
    }
    if let Some(path) = path {
        anyhow::bail!("neither nn.bin nor KPPT tables in {}", path.display());
    }
    if let Some(embedded) = EmbeddedNet::of_build() {
        return Ok((Evaluator::Nnue(Box::new(embedded.unpack(isa)?)), "the built-in network".to_owned()));
    }
    Ok((Evaluator::Material(Material::default()), "material".to_owned()))
}

/// Positions of games in which moves were chosen at random, the same everywhere.
struct Stream {
    positions: Vec<Position>,
    moves: u64,
    changes: Vec<Change>,
}

impl Stream {
    fn new() -> Self {
        const POSITIONS: usize = 120;
        let mut position = Position::startpos();
        let mut random = 20_261_115_u64;
        let mut positions = Vec::new();
        while positions.len() < POSITIONS {
            let moves = position.legal_moves();
            if moves.is_empty() {
                position = Position::startpos();
                continue;
            }
            positions.push(position.clone());
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.do_move(moves[(random >> 33) as usize % moves.len()]);
        }
        let moves = positions.iter().map(|position| position.legal_moves().len() as u64).sum();
        Self { positions, moves, changes: Vec::new() }
    }

    /// Seconds for one of the things that `walk` does; it tells how many they were.
    fn seconds_for_each(&mut self, length: Length, mut walk: impl FnMut(&mut Self) -> u64) -> f64 {
        let start = Instant::now();
        let (mut done, mut rounds) = (0, 0);
        loop {
            done += walk(self);
            rounds += 1;
            let over = match length {
                Length::Time(time) => start.elapsed() >= time,
                Length::Rounds(most) => rounds >= most,
            };
            if over {
                return start.elapsed().as_secs_f64() / done as f64;
            }
        }
    }

    fn make_moves(&mut self) -> u64 {
        for position in &mut self.positions {
            for m in &position.legal_moves() {
                self.changes.clear();
                position.do_move_observed(m, |change| self.changes.push(change));
                black_box(&self.changes);
                position.undo_move();
            }
        }
        self.moves
    }

    fn evaluate_moves(&mut self, evaluator: &mut Evaluator) -> u64 {
        for position in &mut self.positions {
            evaluator.refresh(position);
            evaluator.value(position);
            for m in &position.legal_moves() {
                self.changes.clear();
                position.do_move_observed(m, |change| self.changes.push(change));
                evaluator.push(&self.changes);
                black_box(evaluator.value(position));
                position.undo_move();
                evaluator.pop();
            }
        }
        self.moves
    }

    fn evaluate_afresh(&mut self, evaluator: &mut Evaluator) -> u64 {
        for position in &self.positions {
            evaluator.refresh(position);
            black_box(evaluator.value(position));
        }
        self.positions.len() as u64
    }
}
