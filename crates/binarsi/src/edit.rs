//! Edits of the board: codes that begin with `&`, and operators that are not moves.

use crate::board::Board;
use crate::moves::{Gate, Move, Operator};
use crate::targets::TargetSet;
use crate::way::{Bits, Way};
use std::fmt;

/// An operator of the game or of the editor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditOperator {
    /// As in the game.
    Game(Operator),
    /// `ze`: all white, where a two-input operator would be possible.
    Zeros,
    /// `on`: all black, where a two-input operator would be possible.
    Ones,
    /// `c`: removes the stones.
    Cut,
    /// `e`: overwrites with the given stones.
    Edit,
}

impl EditOperator {
    const EXTRA: [(&'static str, Self); 4] =
        [("ze", Self::Zeros), ("on", Self::Ones), ("c", Self::Cut), ("e", Self::Edit)];

    fn from_text(text: &str) -> Option<Self> {
        let extra = Self::EXTRA.into_iter().find(|(word, _)| *word == text).map(|(_, operator)| operator);
        extra.or_else(|| Operator::from_text(text).map(Self::Game))
    }

    fn text(self) -> &'static str {
        match self {
            Self::Game(operator) => operator.text(),
            Self::Zeros => "ze",
            Self::Ones => "on",
            Self::Cut => "c",
            Self::Edit => "e",
        }
    }
}

/// A whole code, `[&] way operator [#] [$stones]`.
///
/// ```
/// use binarsi::Code;
/// let code: Code = "&4e#$..10..".parse().unwrap();
/// assert!(code.is_edit && code.unlocks);
/// assert_eq!(code.to_string(), "&4e#$..10..");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code {
    /// `&`: not a move of the game.
    pub is_edit: bool,
    /// The way it changes.
    pub way: Way,
    /// The operator.
    pub operator: EditOperator,
    /// `#`: unlocks the way.
    pub unlocks: bool,
    /// The stones after `$`, each `.`, `0` or `1`.
    pub stones: Option<String>,
}

/// The text is no code.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a move code: expected a way 1-7 or a-f and an operator, as in 4n, cs1, 3nH or 5xo")]
pub struct CodeError(pub(crate) String);

impl std::str::FromStr for Code {
    type Err = CodeError;

    fn from_str(text: &str) -> Result<Self, CodeError> {
        read(text).ok_or_else(|| CodeError(text.to_owned()))
    }
}

fn read(text: &str) -> Option<Code> {
    let (is_edit, rest) = text.strip_prefix('&').map_or((false, text), |rest| (true, rest));
    let (rest, stones) = rest.split_once('$').map_or((rest, None), |(rest, stones)| (rest, Some(stones)));
    let good = |stones: &str| !stones.is_empty() && stones.bytes().all(|stone| b".01".contains(&stone));
    if !stones.is_none_or(good) {
        return None;
    }
    let (unlocks, rest) = rest.strip_suffix('#').map_or((false, rest), |rest| (true, rest));
    let mut letters = rest.chars();
    let way = Way::from_letter(letters.next()?)?;
    let operator = EditOperator::from_text(letters.as_str())?;
    Some(Code { is_edit, way, operator, unlocks, stones: stones.map(str::to_owned) })
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = |set, mark| if set { mark } else { "" };
        write!(
            f,
            "{}{}{}{}",
            mark(self.is_edit, "&"),
            self.way,
            self.operator.text(),
            mark(self.unlocks, "#")
        )?;
        self.stones.as_ref().map_or(Ok(()), |stones| write!(f, "${stones}"))
    }
}

/// Why an edit is impossible.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EditError {
    /// There are no stones to remove.
    #[error("way {0} has no stones")]
    NoStones(Way),
    /// `e` without `$`.
    #[error("give the stones, as in `&{0}e#$..10..`")]
    StonesMissing(Way),
    /// The number of stones matches neither the way nor its stones.
    #[error("way {way} takes {whole} stones after `$`, or {present} for those that are there; found {found}")]
    Length {
        /// The way.
        way: Way,
        /// Its squares.
        whole: usize,
        /// Its stones.
        present: usize,
        /// How many were given.
        found: usize,
    },
    /// An operator without its inputs.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// Why the rules forbid a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over")]
    GameOver,
    /// `&`, `#`, `$` and the operators of the editor, which are not moves.
    #[error("only board edits, which begin with `&`, may use `#`, `$`, ze, on, c and e")]
    EditOnly,
    /// The way is locked.
    #[error("way {0} is locked")]
    Locked(Way),
    /// No stones to shift.
    #[error("way {0} has no stones to shift")]
    NothingToShift(Way),
    /// A shift by the number of stones or more.
    #[error("way {way} can be shifted by less than its number of stones, which is {length}")]
    ShiftTooFar {
        /// The way.
        way: Way,
        /// Its stones.
        length: u32,
    },
    /// `n` needs an empty way.
    #[error("way {0} has stones: use {0}nL or {0}nH")]
    NotNew(Way),
    /// `nL`, `nH` need a way with stones.
    #[error("way {0} has no stones: use {0}n")]
    NotInPlace(Way),
    /// The input is missing.
    #[error("the way next to {0} that it needs has no stones")]
    NoInput(Way),
    /// An input is missing.
    #[error("way {0} does not have the two neighbours with stones that it needs")]
    NoTwoInputs(Way),
}

impl Board {
    /// Why the rules forbid a move in this position; `None` if it is legal.
    #[must_use]
    pub fn refusal(&self, m: Move) -> Option<Refusal> {
        if self.state.ending().is_some() {
            return Some(Refusal::GameOver);
        }
        if self.state.allows(m) {
            return None;
        }
        let way = m.way();
        if self.state.locks.contains(way) {
            return Some(Refusal::Locked(way));
        }
        Some(self.missing_condition(way, m.operator()))
    }

    /// The missing condition of an operator that would otherwise be possible on the way.
    fn missing_condition(&self, way: Way, operator: Operator) -> Refusal {
        let occupied = self.state.is_occupied(Some(way));
        match operator {
            Operator::Shift(_) if occupied => {
                Refusal::ShiftTooFar { way, length: self.state.segment(way).count_ones() }
            }
            Operator::Shift(_) => Refusal::NothingToShift(way),
            Operator::Not if occupied => Refusal::NotNew(way),
            Operator::NotLower | Operator::NotHigher if !occupied => Refusal::NotInPlace(way),
            Operator::Not | Operator::NotLower | Operator::NotHigher => Refusal::NoInput(way),
            Operator::Gate(_) => Refusal::NoTwoInputs(way),
        }
    }

    /// The stones that `m` overwrites, as text; `-` for new ways and shifts.
    #[must_use]
    pub fn stones_before(&self, m: Move) -> String {
        match m.operator() {
            Operator::Shift(_) | Operator::Not => "-".to_owned(),
            _ => self.way_text(m.way()),
        }
    }

    /// The stones of a way as `0` and `1`, `-` if there are none.
    pub(crate) fn way_text(&self, way: Way) -> String {
        let segment = self.state.segment(way);
        if segment == 0 {
            return "-".to_owned();
        }
        let squares = (0..way.len()).map(|place| way.square(place)).filter(|square| segment & square != 0);
        squares.map(|square| if self.state.black & square != 0 { '1' } else { '0' }).collect()
    }

    /// The board after an edit; number and side to move stay.
    pub fn edited(&self, code: &Code) -> Result<Self, EditError> {
        let way = code.way;
        let state = &self.state;
        let modifies = state.is_occupied(Some(way));
        let (cells, stones, colors) = match code.operator {
            EditOperator::Game(operator) => self.edited_by_game(way, operator)?,
            EditOperator::Zeros | EditOperator::Ones => {
                self.unlocked_allows(way, Operator::Gate(Gate::And))?;
                let (cells, _) = state.gate(way, Gate::And, modifies);
                let ones = code.operator == EditOperator::Ones;
                (cells, cells, if ones { cells } else { 0 })
            }
            EditOperator::Cut if modifies => (way.mask(), 0, 0),
            EditOperator::Cut => return Err(EditError::NoStones(way)),
            EditOperator::Edit => self.given_stones(way, code.stones.as_deref())?,
        };
        let mut board = *self;
        board.state.black = (state.black & !cells) | (colors & cells);
        board.state.occupied = (state.occupied & !cells) | stones;
        if modifies {
            board.state.locks = if code.unlocks { state.locks.without(way) } else { state.locks.with(way) };
        }
        let hits = TargetSet::on_board(board.state.black, board.state.white());
        board.state.cleared = state.cleared.union(hits);
        board.note_clears();
        Ok(board)
    }

    /// The result of a game operator, which ignores locks here: cells, stones, black stones.
    fn edited_by_game(&self, way: Way, operator: Operator) -> Result<(Bits, Bits, Bits), Refusal> {
        let unlocked = self.unlocked_allows(way, operator)?;
        let after = unlocked.state.after(Move::new(way, operator));
        Ok((way.mask(), after.occupied & way.mask(), after.black & way.mask()))
    }

    /// The board with the way unlocked, if the operator is possible.
    fn unlocked_allows(&self, way: Way, operator: Operator) -> Result<Self, Refusal> {
        let mut unlocked = *self;
        unlocked.state.locks = self.state.locks.without(way);
        if unlocked.state.allows(Move::new(way, operator)) {
            Ok(unlocked)
        } else {
            Err(self.missing_condition(way, operator))
        }
    }

    fn given_stones(&self, way: Way, text: Option<&str>) -> Result<(Bits, Bits, Bits), EditError> {
        let text = text.ok_or(EditError::StonesMissing(way))?;
        let segment = self.state.segment(way);
        let present = segment.count_ones() as usize;
        let cells = if text.len() == way.len() {
            way.mask()
        } else if text.len() == present {
            segment
        } else {
            return Err(EditError::Length { way, whole: way.len(), present, found: text.len() });
        };
        let squares = (0..way.len()).map(|place| way.square(place)).filter(|square| cells & square != 0);
        let of = |wanted: &[u8]| {
            let chosen = squares.clone().zip(text.bytes()).filter(|(_, stone)| wanted.contains(stone));
            chosen.fold(0, |bits, (square, _)| bits | square)
        };
        Ok((cells, of(b"01"), of(b"1")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(board: &Board, code: &str) -> Result<Board, String> {
        board.edited(&code.parse().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn codes_survive_their_text() {
        for text in ["4n", "&4n", "4n#", "cs6#", "&4e#$..10..", "&4c#", "2ze", "fon", "4n$01"] {
            assert_eq!(text.parse::<Code>().unwrap().to_string(), text);
        }
        for text in ["", "&", "4", "pass", "9z", "4e$", "4e$2", "4e$0$1", "#4n", "4n##", "4ｎ", "4nh"] {
            assert!(text.parse::<Code>().is_err(), "{text}");
        }
    }

    #[test]
    fn edits_of_the_transcript() {
        let board = Board::START.after(Move::from_text("dn").unwrap());
        let board = edited(&board, "&4e#$..10..").unwrap();
        assert_eq!(board.to_string(), "7/7/2ox3/2xo3/7/7 w - - 1");
        let board = edited(&board, "&4e#$01").unwrap();
        assert_eq!(board.to_string(), "7/7/2oo3/2xx3/7/7 w - - 1");
        let board = edited(&board, "&4e$11").unwrap();
        assert_eq!(board.to_string(), "7/7/2ox3/2xx3/7/7 w 4 - 1");
        let board = edited(&board, "&4c#").unwrap();
        assert_eq!(board.to_string(), "7/7/2o4/2x4/7/7 w - - 1");
        assert_eq!(edited(&Board::START, "&4n").unwrap().to_string(), "7/7/2ox3/7/7/7 b - - 0");
        let locked: Board = "7/7/2ox3/7/7/7 b c - 0".parse().unwrap();
        assert_eq!(edited(&locked, "&cs1#").unwrap().to_string(), "7/7/2xo3/7/7/7 b - - 0");
        assert_eq!(edited(&locked, "&5on").unwrap().to_string(), "7/7/2oxx2/7/7/7 b c - 0");
    }

    #[test]
    fn impossible_edits_say_why() {
        let fault = |code| edited(&Board::START, code).unwrap_err();
        assert_eq!(fault("&4c"), "way 4 has no stones");
        assert_eq!(fault("&3e"), "give the stones, as in `&3e#$..10..`");
        assert!(fault("&3e$00").contains("found 2"));
        assert_eq!(fault("&4s1"), "way 4 has no stones to shift");
        assert_eq!(fault("&3ze"), "way 3 does not have the two neighbours with stones that it needs");
    }

    #[test]
    fn refused_moves_say_why() {
        let refusal = |code| Board::START.refusal(Move::from_text(code).unwrap()).map(|r| r.to_string());
        assert_eq!(refusal("4n"), None);
        let reasons = ["4s1", "3s1", "3n", "5n", "4a", "3nL", "4nL", "3a"].map(|code| refusal(code).unwrap());
        assert_eq!(
            reasons,
            [
                "way 4 has no stones to shift",
                "way 3 can be shifted by less than its number of stones, which is 1",
                "way 3 has stones: use 3nL or 3nH",
                "the way next to 5 that it needs has no stones",
                "way 4 does not have the two neighbours with stones that it needs",
                "the way next to 3 that it needs has no stones",
                "way 4 has no stones: use 4n",
                "way 3 does not have the two neighbours with stones that it needs",
            ]
        );
    }
}
