//! `--hub` of `book think`, `book extend` and `book mine`.

use crate::cluster::{net, run_jobs};
use ::book::{Effort, GrowingBook, ThinkError};
use ::cluster::kinds::net::Net;
use ::cluster::kinds::think::{Think, ThinkSettings};
use ::cluster::run::Hub;
use eval::LoadOptions;
use shogi::Position;
use std::path::Path;

/// Searches positions by the workers of a hub.
pub struct HubThinker {
    hub: Hub,
    settings: ThinkSettings,
}

impl HubThinker {
    /// A thinker with tables of `megabytes`.
    pub fn new(hub: Hub, eval: Option<&Path>, megabytes: usize, effort: Effort) -> anyhow::Result<Self> {
        let Effort { depth, nodes, multi_pv } = effort;
        let net: Net = net(&hub, eval, LoadOptions::default().fv_scale)?;
        let settings = ThinkSettings { net, megabytes: megabytes.max(1), depth, nodes, multi_pv };
        Ok(Self { hub, settings })
    }

    /// Searches positions and saves the book.
    pub fn think(&self, growing: &mut GrowingBook, positions: &[Position]) -> Result<usize, ThinkError> {
        let think = Think { settings: self.settings.clone(), positions };
        let entered = run_jobs(&self.hub, &think, self.settings.net.blob(), "", |n, output| {
            for (position, moves) in think.moves(n, output).map_err(anyhow::Error::msg)? {
                if !moves.is_empty() {
                    growing.enter(position, moves)?;
                }
            }
            Ok(())
        });
        match entered {
            Ok(()) => {}
            Err(error) => {
                return Err(match error.downcast::<::book::BookError>() {
                    Ok(error) => ThinkError::Book(error),
                    Err(error) => ThinkError::Thinker(format!("{error:#}")),
                });
            }
        }
        growing.save()?;
        Ok(positions.len())
    }
}
