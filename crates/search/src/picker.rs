//! Moves one by one, the promising ones first, generated no sooner than needed.

use crate::history::{History, Trace};
use game::{MoveSet, Position, Promotions};

/// A move with its rank; larger is tried first.
pub(crate) type Ranked<M> = (i32, M);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    Killers(usize),
    MakeQuiets,
    Quiets,
    BadCaptures,
    MakeEvasions,
    Evasions,
    Done,
}

/// Hands out the moves of one node.
pub(crate) struct Picker<P: Position> {
    stage: Stage,
    table_move: Option<P::Move>,
    killers: [Option<P::Move>; 2],
    promotions: Promotions,
    before: [Trace; 2],
    /// Captures that lose material, kept for last.
    bad: Vec<P::Move>,
    moves: Vec<Ranked<P::Move>>,
    next: usize,
    captures_only: bool,
}

impl<P: Position> Picker<P> {
    /// All moves of a node.
    pub(crate) fn all(
        position: &P,
        table_move: Option<P::Move>,
        killers: [u32; 2],
        before: [Trace; 2],
        promotions: Promotions,
        buffers: (Vec<Ranked<P::Move>>, Vec<P::Move>),
    ) -> Self {
        let first = if position.in_check() { Stage::MakeEvasions } else { Stage::MakeCaptures };
        let killer = |packed| if packed == 0 { None } else { position.unpack_move(packed) };
        let usable = |m: &P::Move| !position.is_capture(*m) && Some(*m) != table_move;
        Self {
            stage: if table_move.is_some() { Stage::Table } else { first },
            table_move,
            killers: if position.in_check() { [None; 2] } else { killers.map(|k| killer(k).filter(usable)) },
            promotions,
            before,
            bad: buffers.1,
            moves: buffers.0,
            next: 0,
            captures_only: false,
        }
    }

    /// Only captures, or all evasions when in check.
    pub(crate) fn captures(
        position: &P,
        table_move: Option<P::Move>,
        promotions: Promotions,
        buffers: (Vec<Ranked<P::Move>>, Vec<P::Move>),
    ) -> Self {
        let table_move = table_move.filter(|m| position.in_check() || position.is_capture(*m));
        let picker = Self::all(position, table_move, [0; 2], [0; 2], promotions, buffers);
        Self { captures_only: !position.in_check(), ..picker }
    }

    /// Gives the buffers back for the next node.
    pub(crate) fn into_buffers(self) -> (Vec<Ranked<P::Move>>, Vec<P::Move>) {
        (self.moves, self.bad)
    }

    /// The next move; with `skip_quiets` no more quiet ones.
    pub(crate) fn next(&mut self, position: &P, history: &History<P>, skip_quiets: bool) -> Option<P::Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = if position.in_check() { Stage::MakeEvasions } else { Stage::MakeCaptures };
                    return self.table_move;
                }
                Stage::MakeCaptures => {
                    self.bad.clear();
                    self.fill(position, MoveSet::Captures, |position, m| {
                        position.capture_value(m) * 16 + history.capture(position.history_slot(m)) / 8
                    });
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.pick() {
                    Some((_, m)) if position.exchange_at_least(m, 0) => return Some(m),
                    Some((_, m)) => self.bad.push(m),
                    None if self.captures_only => self.stage = Stage::Done,
                    None => self.stage = Stage::Killers(0),
                },
                Stage::Killers(index) => {
                    if index == 2 || skip_quiets {
                        self.stage = Stage::MakeQuiets;
                        continue;
                    }
                    self.stage = Stage::Killers(index + 1);
                    if self.killers[index].is_some() {
                        return self.killers[index];
                    }
                }
                Stage::MakeQuiets => {
                    self.next = 0;
                    self.moves.clear();
                    if !skip_quiets {
                        let before = self.before;
                        self.fill(position, MoveSet::Quiets, |position, m| {
                            history.quiet(position.history_slot(m), before)
                        });
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.pick().filter(|_| !skip_quiets) {
                    Some((_, m)) if self.killers.contains(&Some(m)) => {}
                    Some((_, m)) => return Some(m),
                    None => {
                        self.next = 0;
                        self.stage = Stage::BadCaptures;
                    }
                },
                Stage::BadCaptures => {
                    self.next += 1;
                    match self.bad.get(self.next - 1) {
                        Some(&m) => return Some(m),
                        None => self.stage = Stage::Done,
                    }
                }
                Stage::MakeEvasions => {
                    let before = self.before;
                    self.fill(position, MoveSet::Evasions, |position, m| {
                        let slot = position.history_slot(m);
                        if position.is_capture(m) {
                            (1 << 20) + position.capture_value(m) * 16 + history.capture(slot) / 8
                        } else {
                            history.quiet(slot, before)
                        }
                    });
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.pick() {
                    Some((_, m)) => return Some(m),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn fill(&mut self, position: &P, set: MoveSet, rank: impl Fn(&P, P::Move) -> i32) {
        let mut generated = P::Moves::default();
        position.generate(set, self.promotions, &mut generated);
        let table_move = self.table_move;
        self.moves.clear();
        let others = generated.iter().copied().filter(|m| Some(*m) != table_move);
        self.moves.extend(others.map(|m| (rank(position, m), m)));
        self.next = 0;
    }

    /// Takes the best of the moves that are left.
    fn pick(&mut self) -> Option<Ranked<P::Move>> {
        let rest = self.moves.get_mut(self.next..)?;
        let best = (0..rest.len()).reduce(|best, i| if rest[i].0 > rest[best].0 { i } else { best })?;
        rest.swap(0, best);
        self.next += 1;
        rest.first().copied()
    }
}
