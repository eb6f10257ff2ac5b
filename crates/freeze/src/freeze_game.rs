//! Freeze shogi as a [`game::Game`].

use crate::command;
use crate::error::FreezeError;
use crate::movegen::MoveList;
use crate::moves::Move;
use crate::position::{Handling, Position};
use crate::tokens::{Counts, Marker, quote};
use game::{
    Color, Declaration, DropBatch, Game, GameOption, MoveSet, MoveTextError, OptionKind, Outcome,
    PositionCommandError, Promotions, Repetition, Script, Searchable, Structure,
};
use shogi::{Change, Checks, PieceKind, Shogi, Square, piece_value};
use std::num::NonZeroU32;

/// The option FREEZE: which freezes the engine allows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Acceptance {
    /// None: ordinary shogi.
    #[default]
    None,
    /// The opponent's only.
    AllowFreeze,
    /// Its own only.
    CanFreeze,
    /// Both players'.
    Ok,
}

impl Acceptance {
    /// All values, in the order shown to hosts.
    pub const ALL: [Self; 4] = [Self::None, Self::AllowFreeze, Self::CanFreeze, Self::Ok];

    /// The value of the option.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::AllowFreeze => "ALLOW_FREEZE",
            Self::CanFreeze => "CAN_FREEZE",
            Self::Ok => "OK",
        }
    }
}

/// The game with its options.
///
/// ```
/// use freeze::{Acceptance, Freeze};
/// use game::{Game, Position};
/// let game = Freeze { acceptance: Acceptance::Ok, ..Freeze::default() };
/// let position = game.position_command("startpos moves 7g7fzG 3c3d")?;
/// assert!(position.to_text().ends_with(" b - 3 z2Z3"));
/// # Ok::<(), game::PositionCommandError<freeze::FreezeError>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Freeze {
    /// Declaration and move limit.
    pub shogi: Shogi,
    /// The option FREEZE.
    pub acceptance: Acceptance,
    /// The option FREEZENUM: initial counts of positions that state none.
    pub counts: Counts,
    /// The option `FREEZE_SHOW_Z`: whether moves made under a freeze are shown with a `Z` marker.
    pub shows_remarks: bool,
    /// How the search treats freezes.
    pub handling: Handling,
}

impl Freeze {
    /// The name of the option whose value is `acceptance`.
    pub const OPTION: &'static str = "FREEZE";
}

impl Default for Freeze {
    fn default() -> Self {
        Self {
            shogi: Shogi::default(),
            acceptance: Acceptance::default(),
            counts: Counts::USUAL,
            shows_remarks: false,
            handling: Handling::default(),
        }
    }
}

const FREEZE: &str = Freeze::OPTION;
const FREEZENUM: &str = "FREEZENUM";
const FREEZE_SHOW_Z: &str = "FREEZE_SHOW_Z";
const USUAL: &str = "z3Z3";

impl Game for Freeze {
    type Position = Position;
    type Error = FreezeError;

    fn name(&self) -> &'static str {
        "freeze"
    }

    fn startpos(&self) -> Position {
        command::finished(self, command::Base::new(self.shogi.startpos()))
    }

    fn position(&self, text: &str) -> Result<Position, FreezeError> {
        command::read_position(self, text)
    }

    fn picture(&self, position: &Position, script: Script) -> String {
        let board = self.shogi.picture(&position.shogi, script);
        if !position.terms.with_counts {
            return board;
        }
        let frozen =
            position.frozen().map_or(String::new(), |kind| format!(", frozen: {}", crate::kind_text(kind)));
        format!("{}\nfreezes left: {}{frozen}", board.trim_end(), position.left())
    }

    fn flip(&self, position: &Position) -> Option<Position> {
        let left = position.left();
        let left = Counts::new(left.of(Color::White), left.of(Color::Black));
        let mut flipped = Position::new(position.shogi.flip(), position.frozen(), left);
        flipped.terms = position.terms;
        flipped.terms.barred = position.terms.barred.map(|color| !color);
        Some(flipped)
    }

    fn matsuri(&self) -> Option<Position> {
        let base = command::Base::new(self.shogi.matsuri()?);
        Some(command::finished(self, base))
    }

    fn bench_positions(&self) -> Vec<String> {
        self.shogi.bench_positions()
    }

    fn declaration_rules(&self) -> Vec<String> {
        self.shogi.declaration_rules()
    }

    fn declaration_rule(&self) -> Option<String> {
        self.shogi.declaration_rule()
    }

    fn set_declaration_rule(&mut self, name: &str) -> bool {
        self.shogi.set_declaration_rule(name)
    }

    fn has_ranks(&self) -> bool {
        true
    }

    fn set_max_moves(&mut self, limit: Option<NonZeroU32>) {
        self.shogi.set_max_moves(limit);
    }

    fn for_referee(&self) -> Self {
        Self { acceptance: Acceptance::Ok, ..*self }
    }

    fn options(&self) -> Vec<GameOption> {
        let words = Acceptance::ALL.map(Acceptance::word);
        vec![
            GameOption {
                name: FREEZE,
                kind: OptionKind::Combo { default: words[0], words: words.to_vec() },
                alone: None,
                help: "which freezes are played: none, the opponent's, the engine's own, all",
            },
            GameOption {
                name: FREEZENUM,
                kind: OptionKind::Text { default: USUAL },
                alone: Some(USUAL),
                help: "freezes that Black (z) and White (Z) begin with where FREEZE is OK",
            },
            GameOption {
                name: FREEZE_SHOW_Z,
                kind: OptionKind::Check { default: false },
                alone: None,
                help: "show moves made under a freeze with it, as in 3c3dZG",
            },
        ]
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            FREEZE => {
                let word = |acceptance: &Acceptance| acceptance.word() == value;
                self.acceptance = Acceptance::ALL.into_iter().find(word).ok_or("no such word")?;
            }
            FREEZENUM if value.is_empty() => self.counts = Counts::USUAL,
            FREEZENUM => self.counts = value.parse().map_err(|error: FreezeError| error.to_string())?,
            FREEZE_SHOW_Z => self.shows_remarks = value == "true",
            _ => {}
        }
        Ok(())
    }

    fn position_command(&self, command: &str) -> Result<Position, PositionCommandError<FreezeError>> {
        self.position_command_remarked(command, &mut |_| ())
    }

    fn position_command_remarked(
        &self,
        command: &str,
        remark: &mut dyn FnMut(&str),
    ) -> Result<Position, PositionCommandError<FreezeError>> {
        command::read(self, command, remark)
    }
}

/// Butterfly slots: the bits of a move, by side and by whether it freezes. The frozen kind is left out, because the
/// table has to be cleared for each search.
const SHOGI_SLOTS: usize = 1 << 16;

/// Malus in the rank of quiet freezing moves.
const QUIET_DELAY: i32 = 6000;
/// Bonus in the rank of those that threaten to win a piece.
const THREAT_ADVANCE: i32 = 6000;

/// Splits a move and the kind of its `Z` marker, if it has one; `None` if it has both markers.
fn split_remark(text: &str) -> Option<(Move, Option<PieceKind>)> {
    let (word, remark) = match text.split_once('Z') {
        Some((word, kind)) => (word, Some(crate::read_kind(kind)?)),
        None => (text, None),
    };
    let m: Move = word.parse().ok()?;
    (remark.is_none() || m.freezes.is_none()).then_some((m, remark))
}

impl Position {
    fn first_butterfly_slot(&self, freezes: bool) -> usize {
        (2 * self.shogi.side().index() + usize::from(freezes)) * SHOGI_SLOTS
    }
}

impl game::Position for Position {
    type Move = Move;
    type Moves = MoveList;

    fn side(&self) -> Color {
        self.shogi.side()
    }

    fn ply(&self) -> u32 {
        self.shogi.ply()
    }

    fn key(&self) -> u64 {
        self.full_key()
    }

    fn is_legal(&self, m: Move) -> bool {
        self.allows(m)
    }

    fn undo_move(&mut self) {
        self.take_back();
    }

    fn can_undo(&self) -> bool {
        self.shogi.moves_since_start() > 0
    }

    fn outcome(&self) -> Option<Outcome> {
        self.find_outcome()
    }

    fn repetition(&self, plies_from_root: usize) -> Option<Repetition> {
        self.find_repetition(plies_from_root)
    }

    fn declaration(&self) -> Option<Declaration<Move>> {
        match self.shogi.declaration()? {
            Declaration::Win => Some(Declaration::Win),
            Declaration::Try(m) => Some(Declaration::Try(Move::bare(m))).filter(|_| !self.is_barred(m)),
        }
    }

    fn in_check(&self) -> bool {
        self.shogi.in_check()
    }

    fn to_text(&self) -> String {
        let marker = self.frozen().map(|kind| Marker::Freezes(kind).to_string());
        let counts = self.terms.with_counts.then(|| self.left().to_string());
        let words: Vec<String> = [self.shogi.sfen()].into_iter().chain(marker).chain(counts).collect();
        words.join(" ")
    }

    /// Parses a move with or without a marker; a `Z` marker must name the frozen kind.
    fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let (m, remark) = split_remark(text).ok_or_else(|| MoveTextError::Syntax(quote(text)))?;
        let told_truly = remark.is_none_or(|kind| self.frozen() == Some(kind));
        if told_truly && self.allows(m) { Ok(m) } else { Err(MoveTextError::Illegal(text.to_owned())) }
    }

    fn why_illegal(&self, text: &str) -> Option<String> {
        let (m, remark) = split_remark(text)?;
        self.why_not(m, remark)
    }

    fn line_text(&self, moves: &[Move]) -> Vec<String> {
        let mut frozen = self.frozen().filter(|_| self.terms.with_remarks);
        let text = |m: &Move| {
            let remark = frozen.map_or(String::new(), |kind| Marker::Under(kind).to_string());
            frozen = m.freezes.filter(|_| self.terms.with_remarks);
            format!("{m}{remark}")
        };
        moves.iter().map(text).collect()
    }

    fn generate_legal(&self, moves: &mut MoveList) {
        self.write_moves(MoveSet::Legal, Promotions::All, moves);
    }

    fn do_move(&mut self, m: Move) {
        self.play(m, |_| ());
    }
}

impl game::Searchable for Position {
    type Change = Change;
    type Checks = Checks;
    type Drops = Drops;

    const HAS_CHECK: bool = true;
    const HISTORY_SLOTS: usize = shogi::Position::HISTORY_SLOTS;
    const BUTTERFLY_SLOTS: usize = 4 * SHOGI_SLOTS;
    const CAPTURED_SLOTS: usize = shogi::Position::CAPTURED_SLOTS;

    fn key_after(&self, m: Move) -> u64 {
        self.full_key_after(m)
    }

    fn generate(&self, set: MoveSet, promotions: Promotions, moves: &mut MoveList) {
        self.write_moves(set, promotions, moves);
    }

    fn do_move_observed(&mut self, m: Move, observer: impl FnMut(Change)) {
        self.play(m, observer);
    }

    fn do_null_move(&mut self) -> bool {
        self.pass();
        true
    }

    fn checks(&self) -> Checks {
        self.shogi.checks()
    }

    fn checks_into(&self, checks: &mut Checks) {
        self.shogi.checks_into(checks);
    }

    fn gives_check(&self, checks: &Checks, m: Move) -> bool {
        checks.contains(&self.shogi, m.base)
    }

    fn mate_in_one(&mut self, checks: &Checks) -> Option<Move> {
        self.find_mate(checks)
    }

    fn mate_in_three(&mut self) -> Option<Move> {
        self.find_mate_in_three()
    }

    fn is_capture(&self, m: Move) -> bool {
        self.shogi.is_capture(m.base)
    }

    fn capture_value(&self, m: Move) -> i32 {
        self.shogi.piece_at(m.base.to()).map_or(0, |piece| piece_value(piece.kind()))
    }

    fn is_recapture(&self, m: Move) -> bool {
        self.shogi.last_move().is_some_and(|last| last.to() == m.base.to())
    }

    fn move_limit_reached(&self) -> bool {
        self.shogi.move_limit_reached()
    }

    fn threat_value(&self, m: Move) -> i32 {
        self.threat(m)
    }

    fn exchange_at_least(&self, m: Move, threshold: i32) -> bool {
        self.exchange_nets(m, threshold)
    }

    fn history_slot(&self, m: Move) -> usize {
        Searchable::history_slot(&self.shogi, m.base)
    }

    fn butterfly_slot(&self, m: Move) -> usize {
        self.first_butterfly_slot(m.freezes.is_some()) + usize::from(m.base.bits())
    }

    fn captured_slot(&self, m: Move) -> usize {
        Searchable::captured_slot(&self.shogi, m.base)
    }

    fn rank_offset(&self, m: Move) -> i32 {
        if m.freezes.is_none() || self.terms.handling == Handling::Naive {
            0
        } else if self.shogi.is_capture(m.base) {
            -7 * self.freeze_cost()
        } else if self.threat(m) > 0 {
            THREAT_ADVANCE
        } else {
            -QUIET_DELAY
        }
    }

    fn structure(&self) -> Structure {
        Searchable::structure(&self.shogi)
    }

    fn structure_change(change: Change) -> Structure {
        shogi::Position::structure_change(change)
    }

    fn pack_move(m: Move) -> u32 {
        m.bits()
    }

    fn unpack_move(&self, bits: u32) -> Option<Move> {
        Move::from_bits(bits).filter(|m| self.allows(*m))
    }
}

/// Drops of one kind without a freeze.
#[derive(Clone, Copy, Debug)]
pub struct Drops {
    shogi: shogi::Drops,
    butterfly_slot: usize,
}

impl DropBatch<Position> for Drops {
    const PLACES: usize = Square::COUNT;

    fn batches(position: &Position) -> impl Iterator<Item = Self> {
        let first = position.first_butterfly_slot(false);
        shogi::Drops::batches(&position.shogi)
            .map(move |shogi| Self { shogi, butterfly_slot: first + shogi.butterfly_slot() % SHOGI_SLOTS })
            .filter(|batch| !position.is_barred(batch.drop_at(0).base))
    }

    fn generate_others(position: &Position, promotions: Promotions, moves: &mut MoveList) {
        position.write_moves(MoveSet::Quiets, promotions, moves);
        moves.retain(|m| m.freezes.is_some() || !m.base.is_drop());
    }

    fn history_slot(&self) -> usize {
        self.shogi.history_slot()
    }

    fn butterfly_slot(&self) -> usize {
        self.butterfly_slot
    }

    fn legal(&self) -> u128 {
        self.shogi.legal()
    }

    fn checks(&self, checks: &Checks) -> u128 {
        self.shogi.checks(checks)
    }

    fn drop_at(&self, place: usize) -> Move {
        Move::bare(self.shogi.drop_at(place))
    }
}
