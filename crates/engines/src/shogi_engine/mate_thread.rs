//! A thread that looks for a mate during the search (`MateThread`).

use mate::{Goal, Limits, Solver, Verdict};
use search::{BestMove, Bound, Line, MAX_PLY, Next, Progress, Report, Task, Timer, Value};
use shogi::{Color, EndReason, HandPiece, Move, Outcome, Position, Square};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use usi::options::{CheckId, Options, SpinId};

/// The thread's solver, if the option is on.
pub(super) struct MateThread {
    solver: Option<Solver>,
    megabytes: usize,
    /// The attacker and the pieces for which the solver's table is valid.
    known: Option<(Color, Inventory)>,
    /// `MateThread` and `MateHash`.
    options: (CheckId, SpinId),
}

/// Number of pieces of each kind. A table is valid only for these, because its entries do not include the defender's
/// hand.
type Inventory = [u32; HandPiece::ALL.len()];

impl MateThread {
    pub(super) fn declare(options: &mut Options) -> Self {
        let thread = options.check(
            "MateThread",
            false,
            "one more thread, which looks for a mate while the others search; a mate that it proves is played at once",
        );
        let hash = options.spin("MateHash", 64, 1..=1 << 20, "the table of MateThread in MiB");
        Self { solver: None, megabytes: 0, known: None, options: (thread, hash) }
    }

    /// Allocates or frees the solver, according to the option.
    pub(super) fn prepare(&mut self, options: &Options, note: &mut dyn FnMut(&str)) {
        let (thread, hash) = self.options;
        let megabytes = usize::try_from(options.get(hash)).unwrap_or(1);
        if !options.get(thread) || megabytes != self.megabytes {
            *self = Self { solver: None, megabytes: 0, known: None, options: self.options };
        }
        if options.get(thread) && self.solver.is_none() {
            match Solver::new(megabytes << 20) {
                Ok(solver) => (self.solver, self.megabytes) = (Some(solver), megabytes),
                Err(error) => {
                    note(&format!(
                        "Error! no memory for MateHash {megabytes}: {error}; MateThread does nothing"
                    ));
                }
            }
        }
    }

    /// Clears what is left of the last game.
    pub(super) fn new_game(&mut self) {
        self.known = None;
    }

    /// Runs `think` and looks for a mate meanwhile. A mate stops `think`, unless several lines are wanted.
    pub(super) fn beside(
        &mut self,
        task: &Task<Position, Move>,
        multi_pv: usize,
        timer: &dyn Timer,
        think: impl FnOnce(&dyn Timer) -> BestMove<Move>,
    ) -> BestMove<Move> {
        // The mate might be by a move that `searchmoves` leaves out.
        let Some(solver) = self.solver.as_mut().filter(|_| task.only.is_empty()) else { return think(timer) };
        let topic = Some((task.position.side(), inventory(&task.position)));
        let goes_on = std::mem::replace(&mut self.known, topic) == topic;
        let (over, found) = (AtomicBool::new(false), OnceLock::new());
        let best = std::thread::scope(|scope| {
            // Without this thread the search runs alone.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || {
                found.set(look(solver, goes_on, &task.position, &|| over.load(Relaxed)))
            });
            let best = think(&Watched { timer, found: &found, stops: multi_pv <= 1 });
            over.store(true, Relaxed);
            best
        });
        match found.into_inner().flatten() {
            Some(line) => with_mate(best, line, multi_pv),
            None => best,
        }
    }
}

fn inventory(position: &Position) -> Inventory {
    let on_board = |piece| {
        let kind = |square| position.piece_at(square).and_then(|found| found.kind().to_hand());
        Square::all().filter(|square| kind(*square) == Some(piece)).count() as u32
    };
    let held = |piece| Color::ALL.into_iter().map(|color| position.hand(color).count(piece)).sum::<u32>();
    HandPiece::ALL.map(|piece| on_board(piece) + held(piece))
}

/// A mating line that is not ended by repetitions or the move limit of the game.
fn look(
    solver: &mut Solver,
    goes_on: bool,
    position: &Position,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<Move>> {
    let limits = Limits { stop, ..Limits::none() };
    let side = position.side();
    let verdict = if goes_on {
        solver.go_on(position, side, Goal::Any, limits)
    } else {
        solver.solve_as(position, side, Goal::Any, limits)
    };
    let Verdict::Mate(mate) = verdict else { return None };
    let mut end = position.clone();
    for &m in &mate.line {
        if end.outcome().is_some() {
            return None;
        }
        end.do_move(m);
    }
    let mated = matches!(end.outcome(), Some(Outcome::Win { reason: EndReason::NoLegalMove, .. }));
    mated.then_some(mate.line)
}

/// The answer with a proved mate as its first line, unless the search has one as short.
fn with_mate(best: BestMove<Move>, moves: Vec<Move>, multi_pv: usize) -> BestMove<Move> {
    let BestMove::Play { report, .. } = &best else { return best };
    let (Some(&first), plies) = (moves.first(), moves.len()) else { return best };
    let shorter = |line: &Line<Move>| {
        line.value.plies_to_mate().is_some_and(|found| found > 0 && found.unsigned_abs() as usize <= plies)
    };
    if report.lines.first().is_some_and(shorter) {
        return best;
    }
    let ponder = moves.get(1).copied();
    // Longer mates have no value of their own.
    let value = Value::mate_in(plies.min(MAX_PLY));
    let mate = Line { value, bound: Bound::Exact, moves, selective_depth: plies };
    let others = report.lines.iter().filter(|line| line.moves.first() != Some(&first)).cloned();
    let report = Report {
        lines: std::iter::once(mate).chain(others).take(multi_pv.max(1)).collect(),
        ..report.clone()
    };
    BestMove::Play { best: first, ponder, report }
}

/// A timer that also stops for a mate.
struct Watched<'a> {
    timer: &'a dyn Timer,
    /// The result of the other thread, once it has ended.
    found: &'a OnceLock<Option<Vec<Move>>>,
    stops: bool,
}

impl Watched<'_> {
    fn has_mate(&self) -> bool {
        self.stops && matches!(self.found.get(), Some(Some(_)))
    }
}

impl Timer for Watched<'_> {
    fn must_stop(&self) -> bool {
        self.has_mate() || self.timer.must_stop()
    }

    fn after_iteration(&self, progress: &Progress) -> Next {
        if self.has_mate() { Next::Stop } else { self.timer.after_iteration(progress) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn answer(value: Value, words: &[&str]) -> BestMove<Move> {
        let moves: Vec<Move> = words.iter().map(|word| word.parse().unwrap()).collect();
        let line = Line { value, bound: Bound::Exact, moves: moves.clone(), selective_depth: 1 };
        let report =
            Report { depth: 1, lines: vec![line], nodes: 1, elapsed: Duration::ZERO, table_fullness: 0 };
        BestMove::Play { best: moves[0], ponder: None, report }
    }

    fn played(best: &BestMove<Move>) -> (String, Value, usize) {
        let BestMove::Play { best, report, .. } = best else { panic!("{best:?}") };
        (best.to_string(), report.lines[0].value, report.lines.len())
    }

    fn moves(words: &[&str]) -> Vec<Move> {
        words.iter().map(|word| word.parse().unwrap()).collect()
    }

    #[test]
    fn a_proved_mate_is_played_unless_the_search_has_a_shorter_one() {
        let mate = moves(&["G*5b", "5a4a", "G*4b"]);
        let searched = || answer(Value::new(900), &["7g7f"]);
        assert_eq!(
            played(&with_mate(searched(), mate.clone(), 1)),
            ("G*5b".to_owned(), Value::mate_in(3), 1)
        );
        assert_eq!(played(&with_mate(searched(), mate.clone(), 2)).2, 2);
        let shorter = || answer(Value::mate_in(1), &["G*4b"]);
        assert_eq!(played(&with_mate(shorter(), mate.clone(), 1)).0, "G*4b");
        assert_eq!(
            played(&with_mate(answer(-Value::mate_in(2), &["7g7f"]), mate.clone(), 1)).1,
            Value::mate_in(3)
        );
        assert_eq!(with_mate(BestMove::Declare, mate, 1), BestMove::Declare);
    }

    #[test]
    fn the_search_stops_once_there_is_a_mate() {
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1").unwrap();
        let mut thread = MateThread::declare(&mut Options::new());
        thread.solver = Some(Solver::new(1 << 20).unwrap());
        let task = Task::new(position);
        let think = |timer: &dyn Timer| {
            while !timer.must_stop() {
                std::thread::yield_now();
            }
            answer(Value::ZERO, &["5i4i"])
        };
        // The second time from the table.
        for _ in 0..2 {
            let best = thread.beside(&task, 1, &search::Unlimited, think);
            assert_eq!(played(&best).0, "G*5b");
        }
        // The table is not valid for other pieces.
        let fewer = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b G 1").unwrap();
        let best =
            thread.beside(&Task::new(fewer), 1, &search::Unlimited, |_| answer(Value::ZERO, &["5i4i"]));
        assert_eq!(played(&best).0, "5i4i");
    }

    #[test]
    fn a_mate_after_the_last_move_of_the_game_is_none() {
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 10").unwrap();
        let mut solver = Solver::new(1 << 20).unwrap();
        for (last, mates) in [(9, false), (10, true)] {
            let rules = shogi::Rules { max_moves: std::num::NonZeroU32::new(last), ..position.rules() };
            let limited = position.clone().with_rules(rules);
            assert_eq!(look(&mut solver, false, &limited, &|| false).is_some(), mates);
        }
    }
}
