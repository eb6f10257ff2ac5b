//! One thread of a search: its position, evaluation and histories, making and unmaking moves.

use crate::correction_history::CorrectionHistory;
use crate::frame::Frames;
use crate::history::{History, MoveTag, Rows};
use crate::key::{Key, TableKey};
use crate::mate_probe::MateProbe;
use crate::picker::Buffers;
use crate::report::{Bound, Line};
use crate::vote::Finding;
use crate::{MAX_PLY, Settings, Table, Task, Timer, Value};
use game::{Color, Evaluation, MoveSet, Outcome, Promotions, Repetition, Searchable, Structure};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Data shared by all threads of a search.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) settings: &'a Settings,
    pub(crate) timer: &'a dyn Timer,
    pub(crate) stop: &'a AtomicBool,
    /// One tally per thread.
    pub(crate) tallies: &'a [Tally],
    /// Number of iterations repeated at the same depth because time was short.
    pub(crate) again: &'a AtomicI32,
    pub(crate) node_limit: u64,
    pub(crate) depth_limit: usize,
    pub(crate) expected_value: Option<Value>,
}

/// Counters that a thread publishes. Each has its own cache lines, because it is written at every node.
#[repr(align(128))]
#[derive(Default)]
pub(crate) struct Tally {
    nodes: AtomicU64,
    /// Changes of the best root move since the first thread last read this.
    pub(crate) best_changes: AtomicU32,
}

impl Shared<'_> {
    pub(crate) fn total_nodes(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.nodes.load(Relaxed)).sum()
    }

    /// Changes of the best move since the last call, averaged over the threads.
    pub(crate) fn take_best_changes(&self) -> f64 {
        let changes: u32 = self.tallies.iter().map(|tally| tally.best_changes.swap(0, Relaxed)).sum();
        f64::from(changes) / self.tallies.len() as f64
    }
}

/// A root move with its statistics.
#[derive(Clone)]
pub(crate) struct RootMove<M> {
    pub(crate) value: Value,
    /// The value of the last iteration.
    pub(crate) previous: Value,
    /// Running means of its values and of their signed squares; `None` before the first.
    pub(crate) mean: Option<(i32, i32)>,
    pub(crate) line: Vec<M>,
    pub(crate) selective_depth: usize,
    /// Nodes spent on it.
    pub(crate) effort: u64,
}

impl<M> RootMove<M> {
    pub(crate) fn new(m: M) -> Self {
        Self {
            value: -Value::INFINITE,
            previous: -Value::INFINITE,
            mean: None,
            line: vec![m],
            selective_depth: 0,
            effort: 0,
        }
    }

    /// Its value, or that of the last iteration if this one has not reached it.
    pub(crate) fn known_value(&self) -> Value {
        if self.value == -Value::INFINITE { self.previous } else { self.value }
    }
}

/// The state of one thread.
pub(crate) struct Worker<'a, P: Searchable, E> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) index: usize,
    pub(crate) position: P,
    pub(crate) evaluation: &'a mut E,
    pub(crate) history: &'a mut History<P>,
    pub(crate) correction_history: &'a CorrectionHistory,
    pub(crate) mate_probe: Option<&'a mut Box<dyn MateProbe<P>>>,
    pub(crate) root_side: Color,
    pub(crate) root_moves: Vec<RootMove<P::Move>>,
    /// Index of the variation being searched (`MultiPV`): root moves before it are settled.
    pub(crate) pv_index: usize,
    pub(crate) root_depth: i32,
    /// The last completed depth.
    pub(crate) finished_depth: usize,
    /// How far iterations stay below [`Worker::root_depth`] once time is short.
    pub(crate) held_back: i32,
    /// The width of the window at the root.
    pub(crate) root_width: i32,
    /// The principal variation of the last iteration.
    pub(crate) best_line: Vec<P::Move>,
    /// Null moves are disabled before this ply, while one is being verified.
    pub(crate) null_move_min_ply: usize,
    pub(crate) nodes: u64,
    pub(crate) selective_depth: usize,
    /// The principal variation from each ply on.
    pub(crate) pv: Vec<Vec<P::Move>>,
    pub(crate) stack: Frames<P::Move>,
    /// Hashes of parts of the position, at each ply.
    pub(crate) structures: Vec<Structure>,
    /// Quiet moves, then captures, tried so far at each ply.
    pub(crate) tried: Vec<[Vec<P::Move>; 2]>,
    /// Check data by ply, valid where [`Worker::find_checks`] has been called.
    pub(crate) checks: Vec<P::Checks>,
    spare_buffers: Vec<Buffers<P>>,
    changes: Vec<P::Change>,
}

/// Nodes between two checks of the limits.
const CLOCK_INTERVAL: u64 = 256;

impl<'a, P: Searchable, E: Evaluation<P>> Worker<'a, P, E> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        index: usize,
        task: &Task<P, P::Move>,
        evaluation: &'a mut E,
        history: &'a mut History<P>,
        correction_history: &'a CorrectionHistory,
    ) -> Self {
        let position = task.position.clone();
        evaluation.refresh(&position);
        history.begin();
        let mut moves = P::Moves::default();
        position.generate(MoveSet::Legal, shared.settings.promotions, &mut moves);
        // Moves of `searchmoves` are searched even if the search would leave them out.
        let wanted: Vec<P::Move> = if task.only.is_empty() {
            moves.to_vec()
        } else {
            task.only.iter().copied().filter(|m| position.is_legal(*m)).collect()
        };
        let mut structures = vec![Structure::default(); MAX_PLY + 4];
        structures[0] = position.structure();
        Self {
            shared,
            index,
            root_side: position.side(),
            position,
            evaluation,
            history,
            correction_history,
            mate_probe: None,
            root_moves: wanted.into_iter().map(RootMove::new).collect(),
            pv_index: 0,
            root_depth: 1,
            finished_depth: 0,
            held_back: 0,
            root_width: 1,
            best_line: Vec::new(),
            null_move_min_ply: 0,
            nodes: 0,
            selective_depth: 0,
            pv: vec![Vec::new(); MAX_PLY + 3],
            stack: Frames::new(),
            structures,
            tried: vec![Default::default(); MAX_PLY + 2],
            checks: vec![P::Checks::default(); MAX_PLY + 2],
            spare_buffers: Vec::new(),
            changes: Vec::with_capacity(8),
        }
    }

    /// The table key of the current position.
    #[inline(always)]
    pub(crate) fn key(&self) -> Key {
        Key::of(&self.position)
    }

    /// Computes the check data of `ply`, unless it is `known` already.
    #[inline]
    pub(crate) fn find_checks(&mut self, ply: usize, known: bool) {
        if !known {
            self.position.checks_into(&mut self.checks[ply]);
        }
    }

    /// The result after the search.
    pub(crate) fn into_finding(self) -> Finding<P::Move> {
        Finding { depth: self.finished_depth, root_moves: self.root_moves }
    }

    /// Move lists for a picker; [`Worker::give_back`] returns them.
    pub(crate) fn buffers(&mut self) -> Buffers<P> {
        self.spare_buffers.pop().unwrap_or_default()
    }

    pub(crate) fn give_back(&mut self, buffers: Buffers<P>) {
        self.spare_buffers.push(buffers);
    }

    /// At the root all promotions are generated, because `searchmoves` may name any.
    pub(crate) fn promotions(&self, at_root: bool) -> Promotions {
        if at_root { Promotions::All } else { self.shared.settings.promotions }
    }

    /// The history indices of a move of the current position.
    #[inline]
    pub(crate) fn tag(&self, m: P::Move) -> MoveTag {
        let captured = self.position.is_capture(m).then(|| self.position.captured_slot(m));
        MoveTag::new(self.position.history_slot(m), self.position.butterfly_slot(m), captured)
    }

    /// The history rows of the current position.
    #[inline]
    pub(crate) fn rows(&self, ply: usize) -> Rows {
        let [six, five, four, three, two, one] =
            self.stack.last(ply).each_ref().map(|frame| frame.continuation);
        Rows {
            continuations: [one, two, three, four, five, six],
            pawns: History::<P>::pawn_row(&self.structures[ply]),
            ply,
        }
    }

    pub(crate) fn play(&mut self, ply: usize, m: P::Move, tag: MoveTag) {
        let frame = &mut self.stack[ply];
        frame.played = Some((m, tag));
        frame.continuation = History::<P>::continuation_row(Some(tag), frame.in_check);
        frame.correction = History::<P>::correction_row(Some(tag));
        self.changes.clear();
        let changes = &mut self.changes;
        let mut structure = self.structures[ply];
        let prefetch = |key| self.shared.table.prefetch(key);
        self.position.do_move_prefetching(m, prefetch, |change| {
            changes.push(change);
            let parts = P::structure_change(change);
            structure.iter_mut().zip(parts).for_each(|(sum, part)| *sum ^= part);
        });
        self.structures[ply + 1] = structure;
        self.correction_history.prefetch(self.position.side().index(), &structure);
        self.history.prefetch(self.correction_rows(ply + 1), tag.slot());
        self.evaluation.push(&self.changes);
        self.count_node();
    }

    pub(crate) fn take_back(&mut self) {
        self.position.undo_move();
        self.evaluation.pop();
    }

    /// Makes a null move; returns `false` if the game has none here.
    pub(crate) fn do_null_move(&mut self, ply: usize) -> bool {
        if !self.position.do_null_move() {
            return false;
        }
        let frame = &mut self.stack[ply];
        frame.played = None;
        frame.continuation = History::<P>::continuation_row(None, false);
        frame.correction = History::<P>::correction_row(None);
        self.structures[ply + 1] = self.structures[ply];
        self.shared.table.prefetch(self.position.key());
        self.evaluation.push(&[]);
        true
    }

    pub(crate) fn undo_null_move(&mut self) {
        self.position.undo_null_move();
        self.evaluation.pop();
    }

    pub(crate) fn evaluate(&mut self) -> Value {
        Value::new(self.evaluation.value(&self.position))
    }

    /// The value of a position where the rules end the game.
    #[inline(always)]
    pub(crate) fn terminal_value(&self, ply: usize) -> Option<Value> {
        if let Some(outcome) = self.position.goal() {
            return Some(self.value_of(outcome, ply));
        }
        if let Some(repetition) = self.position.repetition(ply) {
            return Some(self.value_of_repetition(repetition, ply));
        }
        if self.position.move_limit_reached() && !self.position.legal_moves().is_empty() {
            return Some(self.draw_value());
        }
        self.position.declaration().map(|_| Value::mate_in(ply + 1))
    }

    #[cold]
    fn value_of_repetition(&self, repetition: Repetition, ply: usize) -> Value {
        match repetition {
            Repetition::Draw => self.draw_value(),
            Repetition::Win => Value::mate_in(ply),
            Repetition::Lose => -Value::mate_in(ply),
            Repetition::Superior => Value::SUPERIOR,
            Repetition::Inferior => -Value::SUPERIOR,
        }
    }

    /// The value of a draw, varied a little by the node count to avoid blindness to repetitions.
    pub(crate) fn draw_value(&self) -> Value {
        let value = Value::new(self.shared.settings.draw_value[self.root_side.index()]);
        let value = if self.position.side() == self.root_side { value } else { -value };
        value.offset((self.nodes & 2) as i32 - 1)
    }

    /// The value of a position without moves.
    pub(crate) fn no_move_value(&self, ply: usize) -> Value {
        self.position.outcome().map_or(-Value::mate_in(ply), |outcome| self.value_of(outcome, ply))
    }

    /// The value of an outcome for the side to move.
    fn value_of(&self, outcome: Outcome, ply: usize) -> Value {
        match outcome.winner() {
            None => self.draw_value(),
            Some(winner) if winner == self.position.side() => Value::mate_in(ply),
            Some(_) => -Value::mate_in(ply),
        }
    }

    /// Sets the principal variation from `ply` to `m` and the one after it.
    pub(crate) fn update_pv(&mut self, ply: usize, m: P::Move) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(m);
        here[ply].extend_from_slice(&below[0]);
    }

    #[inline]
    pub(crate) fn stopped(&self) -> bool {
        self.shared.stop.load(Relaxed)
    }

    /// Counts a node and checks the limits at intervals.
    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        self.shared.tallies[self.index].nodes.store(self.nodes, Relaxed);
        let looks = self.nodes.is_multiple_of(CLOCK_INTERVAL) && self.index == 0;
        let alone = self.shared.tallies.len() == 1;
        let over = if alone {
            self.nodes >= self.shared.node_limit
        } else {
            looks && self.shared.total_nodes() >= self.shared.node_limit
        };
        if looks {
            platform::pause_point();
        }
        if over || looks && self.shared.timer.must_stop() {
            self.shared.stop.store(true, Relaxed);
        }
    }

    /// The best lines so far.
    pub(crate) fn best_lines(root_moves: &[RootMove<P::Move>], count: usize) -> Vec<Line<P::Move>> {
        root_moves
            .iter()
            .take(count.max(1))
            .map(|m| Line {
                value: m.known_value(),
                bound: Bound::Exact,
                moves: m.line.clone(),
                selective_depth: m.selective_depth,
            })
            .filter(|line| line.value != -Value::INFINITE)
            .collect()
    }
}
