//! Every position of a line, one after the other: the graph of a game.

use super::analysis::{AnalysisRequest, Job, search};
use super::pool::Pool;
use super::pooled_engine::PooledEngine;
use crate::protocol::{EngineState, Event, GameAnalysis};

/// Goes through the nodes of a path from its end: what is known of later positions helps with earlier ones.
pub(super) fn run(pool: &Pool, job: &Job, path: &[u32], time: u64) {
    let total = path.len() as u32;
    let progress = |done: u32, finished: bool| {
        let (board, engine) = (job.board_id.clone(), job.engine.clone());
        job.tell(&Event::GameAnalysis(GameAnalysis { board, engine, done, total, finished }));
    };
    job.status(EngineState::Starting, "");
    let ended = PooledEngine::take(pool, &job.engine, &job.game).and_then(|mut engine| {
        for (done, node) in path.iter().rev().enumerate() {
            progress(done as u32, false);
            if job.has_ended() {
                break;
            }
            search(job, &mut engine, &AnalysisRequest { node: *node, lines: 1, time: Some(time) })?;
        }
        Ok(engine)
    });
    progress(total, true);
    match ended {
        Ok(engine) => {
            engine.give_back();
            job.status(EngineState::Idle, "");
        }
        Err(refusal) => job.status(EngineState::Failed, refusal.text),
    }
}
