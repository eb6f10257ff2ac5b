//! Every position of a line, one after the other: the graph of a game.

use super::MOST_RESTARTS;
use super::analysis::{AnalysisReporter, Job};
use super::pool::Pool;
use super::thinking::{Ended, Think};
use crate::board::lock;
use crate::protocol::{EngineState, Event, GameAnalysis, Refusal, RefusalCode};
use arena::Session;
use std::time::Duration;

/// Goes through the nodes of a path from its end: what is known of later positions helps with earlier ones.
pub(super) fn run(pool: &Pool, job: &Job, path: &[u32], time: u64) {
    let total = path.len() as u32;
    let progress = |done: u32, finished: bool| {
        let (board, engine) = (job.board_id.clone(), job.engine.clone());
        job.tell(&Event::GameAnalysis(GameAnalysis { board, engine, done, total, finished }));
    };
    job.status(EngineState::Starting, "");
    let started = pool.take(&job.engine, &job.game);
    let ended = started.and_then(|session| all_positions(pool, job, session, path, time, &progress));
    progress(total, true);
    match ended {
        Ok(session) => {
            pool.give_back(&job.engine, &job.game, session);
            job.status(EngineState::Idle, "");
        }
        Err(refusal) => job.status(EngineState::Failed, refusal.text),
    }
}

/// Returns the engine that is there at the end: one that breaks is replaced, and goes on where the other was.
fn all_positions(
    pool: &Pool,
    job: &Job,
    mut session: Session,
    path: &[u32],
    time: u64,
    progress: &dyn Fn(u32, bool),
) -> Result<Session, Refusal> {
    let mut restarts = 0;
    let mut rest = path.iter().rev().enumerate().peekable();
    job.status(EngineState::Thinking, "");
    while let Some((done, node)) = rest.peek() {
        progress(*done as u32, false);
        if job.has_ended() {
            break;
        }
        let Err(why) = one_position(job, &mut session, **node, time) else {
            rest.next();
            continue;
        };
        let text = format!("{}: {why}", job.engine);
        restarts += 1;
        if restarts > MOST_RESTARTS {
            return Err(Refusal::new(RefusalCode::Engine, text));
        }
        job.status(EngineState::Restarting, text);
        session = pool.take(&job.engine, &job.game)?;
        job.status(EngineState::Thinking, "");
    }
    Ok(session)
}

/// Nodes that are gone, and the end of the game, have nothing to analyse.
fn one_position(job: &Job, session: &mut Session, node: u32, time: u64) -> Result<(), String> {
    let Some(board) = job.board.upgrade() else { return Ok(()) };
    let document = lock(&board).document().clone();
    let Ok(line) = document.line(node) else { return Ok(()) };
    if line.outcome().is_some() || document.find(node).is_some_and(|node| node.shown.ending.is_some()) {
        return Ok(());
    }
    let mut reporter = AnalysisReporter::new(job, node, line);
    let options = [("MultiPV".to_owned(), "1".to_owned())];
    let (command, go) = (document.command(node), format!("movetime {time}"));
    let patience = Some(Duration::from_millis(time) + Duration::from_secs(5));
    let think = Think { position: &command, go: &go, options: &options, stop: &job.stop, patience };
    let ended = think.run(session, &mut |line| reporter.hear(line));
    reporter.finish();
    match ended {
        Ended::Best(_) => Ok(()),
        Ended::Broken(why) => Err(why),
    }
}
