use super::config::MatchConfig;
use super::display::Display;
use super::error::MatchError;
use super::folder::RunFolder;
use super::pool::{Finished, Job, Pool};
use super::record::GameRecord;
use super::rules::Rules;
use super::schedule::{Fixture, schedule};
use super::tally::Tally;
use crate::engine::EngineSpec;
use crate::game_files::{GameFiles, Heading};
use crate::play::{PlayError, Player};
use crate::referee::Referee;
use crate::stats::Decision;
use crate::verdict::Reason;
use platform::file_name;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchSummary {
    /// All games were played.
    Complete,
    /// The sequential test has ended it.
    Decided(Decision),
}

/// Number of successive failures to start after which an engine is given up.
const MOST_FAILURES: u32 = 3;

/// Plays the remaining games of the match in `folder`.
pub fn run_match<G: GameFiles>(
    game: &G,
    config: &MatchConfig,
    openings: &[String],
    folder: &mut RunFolder,
    concurrency: usize,
    cores: Vec<usize>,
    display: &mut Display,
) -> Result<MatchSummary, MatchError> {
    config.check().map_err(MatchError::Config)?;
    let rules = Rules { declaration: config.declaration.as_deref(), max_moves: config.max_moves };
    let game = &rules.apply(game)?;
    let opening_of = |fixture: &Fixture| openings[fixture.round as usize % openings.len()].clone();
    let records: Vec<GameRecord> = folder.replay()?;
    let mut tally = Tally::new(config);
    for record in &records {
        tally.add(record);
    }
    let done: HashSet<u64> = records.iter().map(|record| record.game).collect();
    let fixtures: Vec<Fixture> = schedule(config).collect();
    let todo: Vec<Fixture> =
        fixtures.iter().copied().filter(|fixture| !done.contains(&fixture.game)).collect();
    display.begin(fixtures.len() as u64, tally.games());
    let decided =
        |tally: &Tally| tally.test().map(|test| test.decision).filter(|decision| *decision != Decision::GoOn);
    if todo.is_empty() || decided(&tally).is_some() {
        display.end(&tally)?;
        return Ok(decided(&tally).map_or(MatchSummary::Complete, MatchSummary::Decided));
    }
    check_openings(game, &todo, &opening_of)?;
    for engine in &config.engines {
        try_out(engine, config.conditions.patience_ms, folder)?;
    }

    let engines: Vec<Arc<EngineSpec>> = config.engines.iter().cloned().map(Arc::new).collect();
    let pool = Pool {
        game,
        engines: &engines,
        conditions: config.conditions,
        concurrency: concurrency.min(todo.len()),
        cores,
        errors: engines.iter().map(|engine| folder.errors_of(&engine.name)).collect(),
    };
    let mut left = todo.into_iter();
    let next = || {
        let fixture = left.next()?;
        Some(Job { fixture, opening: opening_of(&fixture), options: [Vec::new(), Vec::new()] })
    };
    let mut failures = vec![0; engines.len()];
    let broken = pool.run(next, |finished| {
        let counted = count(game, config, folder, &mut tally, display, &mut failures, &finished);
        match counted {
            Err(error) => ControlFlow::Break(Some(error)),
            Ok(()) if decided(&tally).is_some() => ControlFlow::Break(None),
            Ok(()) => ControlFlow::Continue(()),
        }
    });
    folder.sync()?;
    if let Some(Some(error)) = broken {
        return Err(error);
    }
    display.end(&tally)?;
    Ok(decided(&tally).map_or(MatchSummary::Complete, MatchSummary::Decided))
}

/// Records a finished game and shows it.
fn count<G: GameFiles>(
    game: &G,
    config: &MatchConfig,
    folder: &mut RunFolder,
    tally: &mut Tally,
    display: &mut Display,
    failures: &mut [u32],
    finished: &Finished,
) -> Result<(), MatchError> {
    let Finished { job, played } = finished;
    let Job { fixture, opening, .. } = job;
    let played = match played {
        Ok(played) => played,
        Err(PlayError::Cancelled) => return Ok(()),
        Err(PlayError::Refused { name, error }) => {
            return Err(MatchError::Refused { name: name.clone(), error: error.clone() });
        }
        Err(PlayError::Opening(what)) => {
            return Err(MatchError::Opening { opening: opening.clone(), what: what.clone() });
        }
    };
    let names = [fixture.black, fixture.white].map(|engine| config.engines[engine].name.as_str());
    let record = GameRecord::new(*fixture, names, opening, played);
    let heading = Heading { names, opening, event: format!("game {}", fixture.game + 1) };
    for &format in &config.records {
        let Some(bytes) = game.game_file(format, &heading, played) else { continue };
        let extension = format.extension();
        let [black, white] = names.map(file_name);
        folder.write(&format!("games/{:06}-{black}-{white}.{extension}", fixture.game + 1), &bytes)?;
    }
    // Written last: a game counts once its line is there.
    folder.append(&record)?;
    tally.add(&record);
    display.game(&record, tally)?;
    let verdict = &record.verdict;
    for (color, engine) in [(game::Color::Black, fixture.black), (game::Color::White, fixture.white)] {
        if verdict.reason == Reason::NoStart && verdict.at_fault() == Some(color) {
            failures[engine] += 1;
            if failures[engine] >= MOST_FAILURES {
                return Err(MatchError::KeepsFailing {
                    name: config.engines[engine].name.clone(),
                    times: failures[engine],
                    detail: verdict.detail.clone().unwrap_or_default(),
                });
            }
        } else if verdict.reason != Reason::NoStart {
            failures[engine] = 0;
        }
    }
    Ok(())
}

fn check_openings<G: GameFiles>(
    game: &G,
    fixtures: &[Fixture],
    opening_of: &dyn Fn(&Fixture) -> String,
) -> Result<(), MatchError> {
    let mut seen = HashSet::new();
    for fixture in fixtures {
        let opening = opening_of(fixture);
        if seen.contains(&opening) {
            continue;
        }
        if let Err(what) = Referee::new(game, &opening, crate::Adjudication::default()) {
            return Err(MatchError::Opening { opening, what });
        }
        seen.insert(opening);
    }
    Ok(())
}

/// Starts an engine once before the match, so that a wrong path or option is reported at once.
pub(crate) fn try_out(engine: &EngineSpec, patience_ms: u64, folder: &RunFolder) -> Result<(), MatchError> {
    let errors = Some(folder.errors_of(&engine.name));
    let mut player = Player::new(Arc::new(engine.clone()), Duration::from_millis(patience_ms), errors);
    player.get_ready(&[]).map(|_| ()).map_err(|error| MatchError::Engine { name: engine.name.clone(), error })
}
