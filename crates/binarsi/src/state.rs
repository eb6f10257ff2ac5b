//! Everything that affects the future of a game, in a few machine words.

use crate::moves::{Gate, Move, Operator};
use crate::targets::{Target, TargetSet};
use crate::way::{Bits, Way, Ways};
use game::{Color, MoveList};

/// A way has at most 14 legal operators: six shifts, two NOTs, six gates.
pub const MAX_MOVES: usize = 14 * Way::COUNT;

/// The legal moves of a position.
pub type Moves = MoveList<Move, MAX_MOVES>;

/// Stones, locks, cleared targets and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) black: Bits,
    /// Squares with a stone.
    pub(crate) occupied: Bits,
    pub(crate) locks: Ways,
    pub(crate) cleared: TargetSet,
    pub(crate) side: Color,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// A side cleared three targets.
    Targets {
        /// The side.
        winner: Color,
    },
    /// Both have three targets: stones were counted.
    Simultaneous {
        /// The side with more stones.
        winner: Color,
    },
    /// No move is left: stones were counted.
    Full {
        /// The side with more stones.
        winner: Color,
    },
}

impl Ending {
    /// The winner.
    #[must_use]
    pub const fn winner(self) -> Color {
        match self {
            Self::Targets { winner } | Self::Simultaneous { winner } | Self::Full { winner } => winner,
        }
    }
}

/// Bits of the operators by their place in [`Operator::ALL`].
type OperatorSet = u16;
const NOT: OperatorSet = 1 << 6;
const NOT_LOWER: OperatorSet = 1 << 7;
const NOT_HIGHER: OperatorSet = 1 << 8;
const GATES: OperatorSet = 0b11_1111 << 9;

impl State {
    /// One white stone on 3c, black to move.
    pub const START: Self = Self {
        black: 0,
        occupied: 1 << (8 * 2 + 2),
        locks: Ways::EMPTY,
        cleared: TargetSet::EMPTY,
        side: Color::Black,
    };

    /// The empty board, as after `usinewgame`.
    pub const EMPTY: Self = Self { occupied: 0, ..Self::START };

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn side(&self) -> Color {
        self.side
    }

    /// Locked ways.
    #[inline]
    #[must_use]
    pub const fn locks(&self) -> Ways {
        self.locks
    }

    /// Targets that have been cleared.
    #[inline]
    #[must_use]
    pub const fn cleared(&self) -> TargetSet {
        self.cleared
    }

    /// The state with one more target cleared.
    #[must_use]
    pub const fn with_cleared(self, target: Target) -> Self {
        Self { cleared: self.cleared.with(target), ..self }
    }

    #[inline]
    pub(crate) const fn white(&self) -> Bits {
        self.occupied & !self.black
    }

    /// Number of stones by colour, black first.
    #[must_use]
    pub const fn stones(&self) -> [u32; 2] {
        [self.black.count_ones(), self.white().count_ones()]
    }

    /// Whether the way has a stone.
    #[inline]
    pub(crate) const fn is_occupied(&self, way: Option<Way>) -> bool {
        match way {
            Some(way) => self.occupied & way.mask() != 0,
            None => false,
        }
    }

    /// The first run of stones on the way; in positions of real games these are all its stones.
    #[inline]
    pub(crate) const fn segment(&self, way: Way) -> Bits {
        let stones = self.occupied & way.mask();
        // If everything beside the way is filled in, a carry from the first stone runs through the run and stops at the
        // first empty square of the way.
        let filled = stones | !way.mask();
        stones & (filled ^ filled.wrapping_add(stones & stones.wrapping_neg()))
    }

    /// The operators that are possible on the way.
    #[inline]
    fn operators(&self, way: Way) -> OperatorSet {
        if self.locks.contains(way) {
            return 0;
        }
        let lower = self.is_occupied(way.lower(1));
        let higher = self.is_occupied(way.higher(1));
        if self.is_occupied(Some(way)) {
            let shifts = (1 << (self.segment(way).count_ones() - 1)) - 1;
            shifts
                | if lower { NOT_LOWER } else { 0 }
                | if higher { NOT_HIGHER } else { 0 }
                | if lower && higher { GATES } else { 0 }
        } else if lower || higher {
            let two = lower && self.is_occupied(way.lower(2)) || higher && self.is_occupied(way.higher(2));
            NOT | if two { GATES } else { 0 }
        } else {
            0
        }
    }

    /// The other ways that the legal operators of a way read.
    #[must_use]
    pub fn inputs(&self, way: Way) -> Ways {
        if self.operators(way) == 0 {
            return Ways::EMPTY;
        }
        let stands = |other: Option<Way>| other.filter(|_| self.is_occupied(other));
        let (lower, higher) = (stands(way.lower(1)), stands(way.higher(1)));
        let read = if self.is_occupied(Some(way)) {
            [lower, higher, None]
        } else {
            let lowest = lower.and_then(|_| stands(way.lower(2)));
            let highest = higher.and_then(|_| stands(way.higher(2)));
            // NOT reads the nearest way, gates two ways on one side; the lower side comes first.
            match (lowest, highest) {
                (None, Some(_)) => [lower, higher, highest],
                _ => [lower.or(higher), lowest, None],
            }
        };
        read.into_iter().flatten().fold(Ways::EMPTY, Ways::with)
    }

    /// Appends the legal moves, even if the game is over.
    #[inline]
    pub fn moves(&self, moves: &mut Moves) {
        for way in Way::all() {
            let mut operators = self.operators(way);
            while operators != 0 {
                let code = operators.trailing_zeros() as usize;
                moves.push(Move::new(way, Operator::ALL[code]));
                operators &= operators - 1;
            }
        }
    }

    /// Number of legal moves, even if the game is over.
    #[inline]
    #[must_use]
    pub fn move_count(&self) -> u32 {
        Way::all().map(|way| self.operators(way).count_ones()).sum()
    }

    /// Whether the move is legal, even if the game is over.
    #[inline]
    #[must_use]
    pub fn allows(&self, m: Move) -> bool {
        self.operators(m.way()) >> (m.index() & 15) & 1 != 0
    }

    /// The state after an allowed move.
    #[inline]
    #[must_use]
    pub fn after(&self, m: Move) -> Self {
        let mut after = *self;
        after.play(m);
        after
    }

    /// Plays a legal move in place: a copy assembled from fresh parts would stall.
    #[inline]
    pub(crate) fn play(&mut self, m: Move) {
        let (cells, values, modifies) = self.written(m);
        self.black = (self.black & !cells) | (values & cells);
        self.occupied |= cells;
        if modifies {
            self.locks = self.locks.with(m.way());
        }
        self.cleared = self.cleared.union(TargetSet::on_board(self.black, self.white()));
        self.side = !self.side;
    }

    /// The squares that a move writes, the stones it writes, and whether it modifies (and locks) the way.
    #[inline]
    fn written(&self, m: Move) -> (Bits, Bits, bool) {
        let way = m.way();
        let modifies = self.is_occupied(Some(way));
        let (cells, values) = match m.operator() {
            Operator::Shift(places) => {
                let segment = self.segment(way);
                (segment, rotated(self.black & segment, segment, way, u32::from(places)))
            }
            Operator::Not if self.is_occupied(way.lower(1)) => {
                (way.lower_on(self.occupied, 1), !way.lower_on(self.black, 1))
            }
            Operator::NotLower => (way.lower_on(self.occupied, 1), !way.lower_on(self.black, 1)),
            Operator::Not | Operator::NotHigher => {
                (way.higher_on(self.occupied, 1), !way.higher_on(self.black, 1))
            }
            Operator::Gate(gate) => self.gate(way, gate, modifies),
        };
        (cells, values, modifies)
    }

    #[inline]
    pub(crate) fn gate(&self, way: Way, gate: Gate, modifies: bool) -> (Bits, Bits) {
        let inputs = |board| {
            if modifies {
                (way.lower_on(board, 1), way.higher_on(board, 1))
            } else if self.is_occupied(way.lower(1)) && self.is_occupied(way.lower(2)) {
                (way.lower_on(board, 1), way.lower_on(board, 2))
            } else {
                (way.higher_on(board, 1), way.higher_on(board, 2))
            }
        };
        let (occupied, colors) = (inputs(self.occupied), inputs(self.black));
        (occupied.0 & occupied.1, gate.apply(colors.0, colors.1))
    }

    /// How the game has ended, or `None` while it goes on.
    #[inline]
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        let has_three = |side| self.cleared.complete(side);
        match (has_three(Color::Black), has_three(Color::White)) {
            (true, true) => Some(Ending::Simultaneous { winner: self.leader() }),
            (true, false) => Some(Ending::Targets { winner: Color::Black }),
            (false, true) => Some(Ending::Targets { winner: Color::White }),
            (false, false) if self.is_full() => Some(Ending::Full { winner: self.leader() }),
            (false, false) => None,
        }
    }

    /// Whether no move is left.
    #[inline]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.locks == Ways::ALL || Way::all().all(|way| self.operators(way) == 0)
    }

    /// The side with more stones; White's extra half point decides ties.
    #[inline]
    #[must_use]
    pub fn leader(&self) -> Color {
        let [black, white] = self.stones();
        if black > white { Color::Black } else { Color::White }
    }
}

/// The stones of a segment rotated by this many places, towards f or 7.
#[inline]
pub(crate) const fn rotated(stones: Bits, segment: Bits, way: Way, places: u32) -> Bits {
    let length = segment.count_ones();
    let step = way.along();
    (stones << (places * step) | stones >> ((length - places) * step)) & segment
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(moves: &str) -> State {
        moves.split_whitespace().fold(State::START, |state, word| {
            let m = Move::from_text(word).unwrap();
            assert!(state.allows(m), "{word}");
            state.after(m)
        })
    }

    #[test]
    fn the_first_moves() {
        let mut moves = Moves::new();
        State::START.moves(&mut moves);
        let words: Vec<_> = moves.iter().map(ToString::to_string).collect();
        assert_eq!(words, ["2n", "4n", "bn", "dn"]);
        assert_eq!(play("4n").move_count(), 19);
        assert_eq!(State::EMPTY.move_count(), 0);
    }

    #[test]
    fn ways_that_operators_read() {
        let inputs = |state: &State, way| state.inputs(Way::from_letter(way).unwrap()).to_string();
        // A new way beside the only one: its NOT. The way itself has no neighbour.
        assert_eq!(['2', '3', '6'].map(|way| inputs(&State::START, way)), ["3", "-", "-"]);
        let state = play("4n");
        assert_eq!(['2', '3', '5'].map(|way| inputs(&state, way)), ["34", "4", "34"]);
        // Between two ways that have stones; nothing once it is locked.
        let state = play("4n 5o");
        assert_eq!(inputs(&state, '4'), "35");
        assert_eq!(inputs(&play("4n 5o 4nL"), '4'), "-");
    }

    #[test]
    fn a_state_is_three_words() {
        assert!(size_of::<State>() <= 24);
    }

    #[test]
    fn not_of_the_higher_neighbour() {
        // A known example: files 3, 4, 5 = 010, 110, 100, and 4 becomes 011.
        let column = |file: u32, text: &str| {
            text.bytes().zip(2..).fold(0, |bits, (b, rank)| bits | u64::from(b == b'1') << (8 * rank + file))
        };
        let black = column(2, "010") | column(3, "110") | column(4, "100");
        let occupied = column(2, "111") | column(3, "111") | column(4, "111");
        let state = State { black, occupied, ..State::START };
        let after = state.after(Move::from_text("4nH").unwrap());
        assert_eq!(after.black, column(2, "010") | column(3, "011") | column(4, "100"));
        assert_eq!(after.locks.to_string(), "4");
    }

    #[test]
    fn shifts_turn_the_segment_only() {
        let state = play("4n 5o cs1");
        assert_eq!(state.black, 1 << 18 | 1 << 20);
        let state = play("4n 5o cs2");
        assert_eq!(state.black, 1 << 18 | 1 << 19);
    }
}
