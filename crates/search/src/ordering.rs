//! Which move to try first.

use crate::MAX_PLY;
use game::Position;
use std::marker::PhantomData;

/// Statistics on moves: which quiet moves have caused cut-offs.
pub(crate) struct Ordering<P: Position> {
    history: Vec<i16>,
    killers: Vec<[u32; 2]>,
    game: PhantomData<fn() -> P>,
}

/// A move with its rank; larger is tried first.
pub(crate) type Ranked<M> = (i32, M);

const TABLE_MOVE: i32 = 1 << 30;
const GOOD_CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const BAD_CAPTURE: i32 = -(1 << 20);
const MAX_HISTORY: i32 = 16_384;

impl<P: Position> Ordering<P> {
    pub(crate) fn new() -> Self {
        Self { history: vec![0; P::HISTORY_SLOTS], killers: vec![[0; 2]; MAX_PLY + 1], game: PhantomData }
    }

    /// Ranks the moves of a node; `table_move` is packed, 0 if there is none.
    pub(crate) fn rank(
        &self,
        position: &P,
        moves: &[P::Move],
        ply: usize,
        table_move: u32,
        ranked: &mut Vec<Ranked<P::Move>>,
    ) {
        ranked.clear();
        ranked.extend(moves.iter().map(|&m| (self.rank_of(position, m, ply, table_move), m)));
    }

    fn rank_of(&self, position: &P, m: P::Move, ply: usize, table_move: u32) -> i32 {
        let packed = P::pack_move(m);
        if packed == table_move {
            return TABLE_MOVE;
        }
        let victim = position.capture_value(m);
        if position.is_capture(m) {
            let good = position.exchange_at_least(m, 0);
            return victim + if good { GOOD_CAPTURE } else { BAD_CAPTURE };
        }
        let [first, second] = self.killers[ply];
        if packed == first {
            return KILLER + 1;
        }
        if packed == second {
            return KILLER;
        }
        i32::from(self.history[position.history_slot(m)])
    }

    /// Takes the best move that is left out of the list.
    pub(crate) fn pick(ranked: &mut [Ranked<P::Move>], index: usize) -> P::Move {
        let best =
            (index..ranked.len()).max_by_key(|i| (ranked[*i].0, std::cmp::Reverse(*i))).unwrap_or(index);
        ranked.swap(index, best);
        ranked[index].1
    }

    /// A quiet move has refuted a node, after the others in `tried` had not.
    pub(crate) fn reward(
        &mut self,
        position: &P,
        best: P::Move,
        tried: &[Ranked<P::Move>],
        ply: usize,
        depth: i32,
    ) {
        let bonus = (depth * depth * 16).min(2000);
        self.adjust(position.history_slot(best), bonus);
        for (_, m) in tried.iter().filter(|(_, m)| *m != best && !position.is_capture(*m)) {
            self.adjust(position.history_slot(*m), -bonus);
        }
        let packed = P::pack_move(best);
        let [first, second] = &mut self.killers[ply];
        if *first != packed {
            *second = *first;
            *first = packed;
        }
    }

    /// Moves a statistic towards ±[`MAX_HISTORY`], the slower the nearer it is.
    fn adjust(&mut self, slot: usize, bonus: i32) {
        let entry = &mut self.history[slot];
        let value = i32::from(*entry);
        *entry = (value + bonus - value * bonus.abs() / MAX_HISTORY) as i16;
    }
}
