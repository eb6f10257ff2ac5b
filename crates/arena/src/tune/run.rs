use super::parameters::{Parameter, ParametersFile};
use super::spsa::{Gains, Iteration, Perturbation, Spsa};
use crate::engine::EngineSpec;
use crate::game_files::GameFiles;
use crate::play::{Conditions, PlayError};
use crate::tournament::{Finished, Fixture, FolderError, Job, MatchError, Pool, RunFolder, try_out};
use crate::verdict::Reason;
use game::Color;
use platform::svg::{self, Chart, Point, Series};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The configuration of a tuning, kept in its run folder as `config.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuneConfig {
    /// The game, by its name in `USI_Variant`.
    pub game: String,
    /// The engine, which plays against itself.
    pub engine: EngineSpec,
    /// Its `.params` file.
    pub parameters: String,
    /// Pairs of games.
    pub iterations: u64,
    /// How steps shrink.
    pub gains: Gains,
    /// The seed of the perturbations.
    pub seed: u64,
    /// Time margin, patience, adjudication.
    pub conditions: Conditions,
    /// The declaration rule, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declaration: Option<String>,
    /// The number of moves after which a game is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
}

/// Why a tuning cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The configuration is invalid.
    #[error("{0}")]
    Config(String),
    /// An error of an engine or an opening.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// An error of the run folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Output failed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// Interval of writing the parameters and the chart.
const SAVE_EVERY: Duration = Duration::from_secs(10);

/// The file of tuned parameters, at most a few iterations old.
const TUNED: &str = "tuned.params";
/// The chart of each parameter over the iterations.
const PLOT: &str = "parameters.svg";

/// Plays the remaining iterations of the tuning in `folder`; progress goes to `out`.
pub fn run_tune<G: GameFiles>(
    game: &G,
    config: &TuneConfig,
    openings: &[String],
    folder: &mut RunFolder,
    concurrency: usize,
    cores: Vec<usize>,
    out: &mut dyn Write,
) -> Result<(), TuneError> {
    let file =
        ParametersFile::read(&config.parameters).map_err(|error| TuneError::Config(error.to_string()))?;
    let tuned: Vec<Parameter> = file.parameters().filter(|parameter| parameter.used).cloned().collect();
    if tuned.is_empty() {
        return Err(TuneError::Config("there is no parameter to tune".to_owned()));
    }
    let rules =
        crate::tournament::Rules { declaration: config.declaration.as_deref(), max_moves: config.max_moves };
    let game = &rules.apply(game)?;
    let mut history: Vec<Iteration> = folder.replay()?;
    let mut spsa = Spsa::new(tuned, config.iterations, config.gains, config.seed);
    for iteration in &history {
        spsa.learn(iteration.iteration, iteration.half_points);
    }
    let engine = engine_with_fixed(config, &file);
    try_out(&with_start_values(&engine, &spsa), config.conditions.patience_ms, folder)?;

    let done: HashSet<u64> = history.iter().map(|iteration| iteration.iteration).collect();
    let left: VecDeque<u64> = (0..config.iterations).filter(|iteration| !done.contains(iteration)).collect();
    let engines = [Arc::new(engine)];
    let pool = Pool {
        game,
        engines: &engines,
        conditions: config.conditions,
        concurrency: concurrency.clamp(1, (2 * left.len()).max(1)),
        cores,
        errors: vec![folder.errors_of(&engines[0].name)],
    };
    let state = Mutex::new(State {
        spsa,
        left,
        open: BTreeMap::new(),
        second: VecDeque::new(),
        saved: Instant::now(),
    });
    let stopped = pool.run(
        || lock(&state).next(openings),
        |finished| match take(&state, config, &file, folder, &mut history, out, finished) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        },
    );
    folder.sync()?;
    save(folder, &file, &lock(&state).spsa, &history)?;
    match stopped {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The running iterations.
struct State {
    spsa: Spsa,
    left: VecDeque<u64>,
    /// The iterations being played, with the half points of their first sides so far.
    open: BTreeMap<u64, Open>,
    /// Second games of pairs, which precede new iterations.
    second: VecDeque<u64>,
    saved: Instant,
}

struct Open {
    sides: Perturbation,
    half_points: [Option<u8>; 2],
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // A poisoned lock means that another thread panicked, which ends the run anyway.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    /// Starts the next iteration.
    fn open_next(&mut self) -> Option<u64> {
        let iteration = self.left.pop_front()?;
        let sides = self.spsa.perturbation(iteration);
        self.open.insert(iteration, Open { sides, half_points: [None; 2] });
        self.second.push_back(iteration);
        Some(iteration)
    }

    /// The next game: the second of a pair, or the first of a new one.
    fn next(&mut self, openings: &[String]) -> Option<Job> {
        let waiting = self.second.pop_front();
        let second = waiting.is_some();
        let iteration = match waiting {
            Some(iteration) => iteration,
            None => self.open_next()?,
        };
        let sides = &self.open.get(&iteration)?.sides;
        let [plus, minus] = [&sides.plus, &sides.minus].map(|values| options(self.spsa.parameters(), values));
        Some(Job {
            fixture: Fixture {
                game: 2 * iteration + u64::from(second),
                round: iteration,
                black: 0,
                white: 0,
            },
            opening: openings[iteration as usize % openings.len()].clone(),
            options: if second { [minus, plus] } else { [plus, minus] },
        })
    }
}

fn options(parameters: &[Parameter], values: &[f64]) -> Vec<(String, String)> {
    parameters.iter().zip(values).map(|(p, value)| (p.name.clone(), p.option_value(*value))).collect()
}

/// The engine with the values of parameters that are not tuned.
fn engine_with_fixed(config: &TuneConfig, file: &ParametersFile) -> EngineSpec {
    let mut engine = config.engine.clone();
    for fixed in file.parameters().filter(|parameter| !parameter.used) {
        engine.set_option(&fixed.name, &fixed.option_value(fixed.value));
    }
    engine
}

fn with_start_values(engine: &EngineSpec, spsa: &Spsa) -> EngineSpec {
    let mut engine = engine.clone();
    for (name, value) in options(spsa.parameters(), spsa.values()) {
        engine.set_option(&name, &value);
    }
    engine
}

/// Handles a finished game; a finished pair updates the values and is recorded.
fn take(
    state: &Mutex<State>,
    config: &TuneConfig,
    file: &ParametersFile,
    folder: &mut RunFolder,
    history: &mut Vec<Iteration>,
    out: &mut dyn Write,
    finished: Finished,
) -> Result<(), TuneError> {
    let Finished { job, played } = finished;
    let played = match played {
        Ok(played) => played,
        Err(PlayError::Cancelled) => return Ok(()),
        Err(PlayError::Refused { name, error }) => return Err(MatchError::Refused { name, error }.into()),
        Err(PlayError::Opening(what)) => {
            return Err(MatchError::Opening { opening: job.opening, what }.into());
        }
    };
    if played.verdict.reason == Reason::NoStart {
        let detail = played.verdict.detail.unwrap_or_default();
        return Err(TuneError::Config(format!(
            "engine `{}` {detail}; the tuning can be resumed",
            config.engine.name
        )));
    }
    let iteration = job.fixture.round;
    let second = job.fixture.game % 2 == 1;
    let first_side = if second { Color::White } else { Color::Black };
    let mut state = lock(state);
    let Some(open) = state.open.get_mut(&iteration) else { return Ok(()) };
    open.half_points[usize::from(second)] = Some(played.verdict.result.half_points(first_side));
    let [Some(a), Some(b)] = open.half_points else { return Ok(()) };
    state.open.remove(&iteration);
    state.spsa.learn(iteration, a + b);
    let record = Iteration { iteration, half_points: a + b, values: state.spsa.values().to_vec() };
    folder.append(&record)?;
    history.push(record);
    let count = history.len() as u64;
    if state.saved.elapsed() >= SAVE_EVERY || count == config.iterations {
        state.saved = Instant::now();
        save(folder, file, &state.spsa, history)?;
        writeln!(out, "{count} of {} iterations", config.iterations)?;
        for (parameter, value) in state.spsa.parameters().iter().zip(state.spsa.values()) {
            writeln!(out, "  {} {} -> {value:.2}", parameter.name, parameter.value)?;
        }
    }
    Ok(())
}

fn save(
    folder: &RunFolder,
    file: &ParametersFile,
    spsa: &Spsa,
    history: &[Iteration],
) -> Result<(), FolderError> {
    let tuned: BTreeMap<&str, f64> =
        spsa.parameters().iter().map(|p| p.name.as_str()).zip(spsa.values().iter().copied()).collect();
    let now = file.with_values(|p| tuned.get(p.name.as_str()).copied().unwrap_or(p.value));
    folder.write(TUNED, now.to_string().as_bytes())?;
    let charts: Vec<Chart> =
        spsa.parameters().iter().enumerate().map(|(i, p)| chart(i, p, history)).collect();
    folder.write(PLOT, svg::draw(&charts).as_bytes())
}

/// The chart of one parameter over the iterations.
fn chart(index: usize, parameter: &Parameter, history: &[Iteration]) -> Chart {
    let start = Point { x: 0.0, y: parameter.value, error: 0.0 };
    // Thousands of points are thinned out, which makes no visible difference.
    let stride = (history.len() / 1000).max(1);
    let later = history.iter().enumerate().filter(|(i, _)| i % stride == 0 || i + 1 == history.len());
    let points = later.filter_map(|(i, iteration)| {
        Some(Point { x: (i + 1) as f64, y: *iteration.values.get(index)?, error: 0.0 })
    });
    Chart {
        title: parameter.name.clone(),
        unit: format!("value over iterations, {} to {}", parameter.min, parameter.max),
        series: vec![Series { points: std::iter::once(start).chain(points).collect() }],
    }
}
