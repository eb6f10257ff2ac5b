//! Limits and progress of a search.

use crate::search::Monitor;
use crate::search::walk::Walk;
use crate::search::workers::Workers;
use crate::table::Table;
use crate::verdict::{Limits, MateLength, Progress};
use platform::clock::Instant;
use shogi::Move;
use std::time::Duration;

/// Counts positions of the first thread, watches the limits and reports progress.
pub(crate) struct MainMonitor<'a, 'b> {
    pub(super) limits: Limits<'b>,
    nodes: u64,
    start: Instant,
    last_report: Instant,
    pub(super) found: Option<MateLength>,
    pub(super) table: &'a Table,
    workers: &'a Workers,
}

/// Positions between two looks at the clock.
const GLANCE: u64 = 128;

impl Monitor for MainMonitor<'_, '_> {
    #[inline]
    fn visit(&mut self, walk: &Walk) -> bool {
        self.nodes += 1;
        if self.nodes % GLANCE != 1 {
            return self.is_at_limit();
        }
        self.look_up(walk)
    }

    fn must_stop(&self) -> bool {
        (self.limits.stop)()
    }
}

impl<'a, 'b> MainMonitor<'a, 'b> {
    pub(crate) fn new(limits: Limits<'b>, table: &'a Table, workers: &'a Workers) -> Self {
        let now = Instant::now();
        Self { limits, nodes: 0, start: now, last_report: now, found: None, table, workers }
    }

    fn is_at_limit(&self) -> bool {
        self.limits.nodes.is_some_and(|limit| self.nodes + self.workers.nodes() > limit)
    }

    #[cold]
    fn look_up(&mut self, walk: &Walk) -> bool {
        platform::pause_point();
        let due = |interval: &Duration| self.last_report.elapsed() >= *interval;
        if self.limits.report.as_ref().is_some_and(|(interval, _)| due(interval)) {
            self.last_report = Instant::now();
            let progress = self.progress(walk.position.moves_played().flatten().collect());
            if let Some((_, report)) = &mut self.limits.report {
                report(&progress);
            }
        }
        self.workers.is_done() || (self.limits.stop)() || self.is_at_limit()
    }

    pub(super) fn progress(&self, line: Vec<Move>) -> Progress {
        Progress {
            nodes: self.nodes + self.workers.nodes(),
            time: self.start.elapsed(),
            hashfull: self.table.fill(),
            found: self.found,
            line,
        }
    }
}

/// Counts for another thread than the first.
pub(super) struct HelperMonitor<'a, 'b> {
    pub(super) workers: &'a Workers,
    pub(super) stop: &'b (dyn Fn() -> bool + Sync),
    pub(super) nodes: u64,
}

impl Monitor for HelperMonitor<'_, '_> {
    #[inline]
    fn visit(&mut self, _: &Walk) -> bool {
        self.nodes += 1;
        if !self.nodes.is_multiple_of(GLANCE) {
            return false;
        }
        self.workers.count(GLANCE);
        self.workers.is_done()
    }

    fn must_stop(&self) -> bool {
        (self.stop)()
    }
}
