//! Examines a problem: its main line, and every flaw that custom knows.

use super::custom::{Custom, FlawKind, Ruling};
use super::inquiry::{Inquiry, after};
use super::main_line::{are_twins, choose, share_a_line};
use super::themes::{Theme, themes};
use super::variations::{Coverage, examine_variations};
use crate::futile_interposition::is_mated_but_for_futile;
use crate::{Goal, Interpositions, Mate, MateLength, Reason, Solver, Verdict};
use shogi::{Color, Hand, Move, Position};

/// What is examined, and how long.
pub struct ExamineSettings<'a> {
    /// Which flaws are forgiven.
    pub custom: Custom,
    /// Whether futile interpositions count.
    pub interpositions: Interpositions,
    /// Positions for solving the problem.
    pub nodes: Option<u64>,
    /// Positions for the question about each move.
    pub nodes_per_move: u64,
    /// Positions for all cooks in variations together.
    pub nodes_for_variations: u64,
    /// The composer's line, instead of the one that convention chooses.
    pub intended: Option<Vec<Move>>,
    /// Also collect what every other defence leads to (変化), and why other checks fail (紛れ).
    pub with_branches: bool,
    /// Polled; `true` stops: what is open then is undecided.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Default for ExamineSettings<'_> {
    fn default() -> Self {
        Self {
            custom: Custom::MODERN,
            interpositions: Interpositions::Useful,
            nodes: None,
            nodes_per_move: 200_000,
            nodes_for_variations: 1_000_000,
            intended: None,
            with_branches: false,
            stop: &|| false,
        }
    }
}

/// A flaw, with its place in the solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// Its kind.
    pub kind: FlawKind,
    /// The moves from the start to the place of the flaw.
    pub before: Vec<Move>,
    /// The move that should not be there; `None` if the flaw is no move.
    pub m: Option<Move>,
    /// How it goes on.
    pub line: Vec<Move>,
    /// The length of the mate with the move itself.
    pub length: Option<MateLength>,
    /// Pieces left in the attacker's hand.
    pub left_over: Hand,
}

/// A move beside the main line, and how it goes on: a defence (変化), or a check that does not mate (紛れ).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The moves from the start to the move.
    pub before: Vec<Move>,
    /// The move.
    pub m: Move,
    /// The mate after a defence, or the defence that refutes a check.
    pub line: Vec<Move>,
    /// Whether it ends in mate.
    pub mates: bool,
}

/// A question that the budget did not decide.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Open {
    /// The moves from the start to the place.
    pub before: Vec<Move>,
    /// The move in question.
    pub m: Move,
}

/// Why a check does not mate: the defence that escapes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The check; `None` if the defender begins.
    pub check: Option<Move>,
    /// The defence; `None` if it was not found within the budget.
    pub defence: Option<Move>,
}

/// The verdict of a custom about a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Soundness {
    /// 完全作: nothing is wrong.
    Sound,
    /// Sound, with flaws that the custom forgives.
    Blemished(Vec<FlawKind>),
    /// 不完全作, because of these kinds of flaws.
    Unsound(Vec<FlawKind>),
    /// Some question is open.
    Undecided,
}

/// What was found out about a problem.
#[derive(Clone, Debug)]
pub struct Examination {
    /// The problem.
    pub start: Position,
    /// Who attacks.
    pub attacker: Color,
    /// The custom that judges.
    pub custom: Custom,
    /// How interpositions were counted.
    pub interpositions: Interpositions,
    /// The length of the main line, and whether it is proved to be the right one.
    pub length: Option<MateLength>,
    /// The main line (作意); empty without a mate.
    pub line: Vec<Move>,
    /// Whether the main line was taken from a record.
    pub is_intended: bool,
    /// Whether all lines of optimal play were compared for the main line.
    pub is_chosen: bool,
    /// The attacker's hand at the end.
    pub left_over: Hand,
    /// The flaws, the gravest kind first.
    pub flaws: Vec<Flaw>,
    /// Questions about the main line that are open.
    pub open: Vec<Open>,
    /// How much of the variations was examined for cooks.
    pub coverage: Coverage,
    /// 変化 and 紛れ beside the main line, if they were wanted.
    pub branches: Vec<Branch>,
    /// Why there is no mate, for each check.
    pub refutations: Vec<Refutation>,
    /// Why the problem was not solved.
    pub unsolved: Option<Reason>,
    /// What the main line shows.
    pub themes: Vec<Theme>,
    /// Positions searched.
    pub nodes: u64,
}

impl Examination {
    fn new(start: &Position, settings: &ExamineSettings<'_>) -> Self {
        Self {
            start: after(start, &[]),
            attacker: Solver::attacker(start),
            custom: settings.custom,
            interpositions: settings.interpositions,
            length: None,
            line: Vec::new(),
            is_intended: false,
            is_chosen: false,
            left_over: Hand::EMPTY,
            flaws: Vec::new(),
            open: Vec::new(),
            coverage: Coverage::default(),
            branches: Vec::new(),
            refutations: Vec::new(),
            unsolved: None,
            themes: Vec::new(),
            nodes: 0,
        }
    }

    /// The flaws of one kind.
    pub fn of_kind(&self, kind: FlawKind) -> impl Iterator<Item = &Flaw> {
        self.flaws.iter().filter(move |flaw| flaw.kind == kind)
    }

    /// The kinds of flaws on which the custom rules so.
    fn kinds(&self, ruling: Ruling) -> Vec<FlawKind> {
        let is_there = |kind: &FlawKind| self.of_kind(*kind).next().is_some();
        FlawKind::ALL
            .into_iter()
            .filter(is_there)
            .filter(|kind| self.custom.ruling(*kind) == ruling)
            .collect()
    }

    /// The verdict of the custom.
    #[must_use]
    pub fn soundness(&self) -> Soundness {
        let faults = self.kinds(Ruling::Fault);
        if !faults.is_empty() {
            return Soundness::Unsound(faults);
        }
        let is_exact = self.length.is_some_and(MateLength::is_exact);
        let must_cover = self.custom.ruling(FlawKind::VariationCook) == Ruling::Fault;
        if !is_exact
            || !self.open.is_empty()
            || !self.is_chosen && !self.left_over.is_empty()
            || must_cover && !self.coverage.is_complete()
        {
            return Soundness::Undecided;
        }
        let blemishes = self.kinds(Ruling::Blemish);
        if blemishes.is_empty() { Soundness::Sound } else { Soundness::Blemished(blemishes) }
    }

    pub(super) fn add(&mut self, flaw: Flaw) {
        self.flaws.push(flaw);
    }
}

/// Examines a problem.
///
/// ```
/// use mate::Solver;
/// use mate::composition::{ExamineSettings, FlawKind, Soundness, examine};
/// use shogi::Position;
/// // A mate in one that leaves a gold in hand.
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1")?;
/// let found = examine(&mut Solver::with_megabytes(16)?, &position, &ExamineSettings::default());
/// assert_eq!(found.soundness(), Soundness::Unsound(vec![FlawKind::LeftOver]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn examine(solver: &mut Solver, start: &Position, settings: &ExamineSettings<'_>) -> Examination {
    let mut found = Examination::new(start, settings);
    let mut inquiry =
        Inquiry::new(solver, found.attacker, settings.interpositions, settings.nodes_per_move, settings.stop);
    match inquiry.solve(start, settings.nodes) {
        Verdict::NoMate => no_mate(&mut found, &mut inquiry),
        Verdict::Unknown(reason) => found.unsolved = Some(reason),
        Verdict::Mate(mate) => examine_mate(&mut found, &mut inquiry, &mate, settings),
    }
    found.nodes = inquiry.used;
    solver.set_interpositions(Interpositions::All);
    found.flaws.sort_by_key(|flaw| (flaw.kind, flaw.before.len()));
    found
}

fn no_mate(found: &mut Examination, inquiry: &mut Inquiry<'_>) {
    let mut board = after(&found.start, &[]);
    if inquiry.attacks(&board) {
        for check in inquiry.moves(&board) {
            board.do_move(check);
            let defence = refutation(inquiry, &mut board);
            board.undo_move();
            found.refutations.push(Refutation { check: Some(check), defence });
        }
    } else {
        let defence = refutation(inquiry, &mut board);
        found.refutations.push(Refutation { check: None, defence });
    }
    found.add(Flaw {
        kind: FlawKind::NoMate,
        before: Vec::new(),
        m: None,
        line: Vec::new(),
        length: None,
        left_over: Hand::EMPTY,
    });
}

/// A defence after which there is no mate.
fn refutation(inquiry: &mut Inquiry<'_>, board: &mut Position) -> Option<Move> {
    inquiry.moves(board).into_iter().find(|&defence| {
        board.do_move(defence);
        let verdict = inquiry.mate(board, Goal::Any);
        board.undo_move();
        verdict == Verdict::NoMate
    })
}

fn examine_mate(
    found: &mut Examination,
    inquiry: &mut Inquiry<'_>,
    mate: &Mate,
    settings: &ExamineSettings<'_>,
) {
    choose_main_line(found, inquiry, mate, settings);
    let end = after(&found.start, &found.line);
    found.left_over = end.hand(found.attacker);
    // If not all lines were compared, another one may leave nothing: then that is open.
    if found.is_chosen && !found.left_over.is_empty() {
        found.add(Flaw {
            kind: FlawKind::LeftOver,
            before: found.line.clone(),
            m: None,
            line: Vec::new(),
            length: None,
            left_over: found.left_over,
        });
    }
    let mut board = after(&found.start, &[]);
    for index in 0..found.line.len() {
        if inquiry.attacks(&board) {
            examine_attack(found, inquiry, &mut board, index);
        } else {
            examine_defence(found, inquiry, &mut board, index);
        }
        if settings.with_branches {
            add_branches(found, inquiry, &mut board, index);
        }
        board.do_move(found.line[index]);
    }
    found.themes = themes(found, inquiry);
    inquiry.left = settings.nodes_for_variations;
    examine_variations(found, inquiry);
}

/// Collects the moves beside the main line at one place. Checks that mate are flaws and have their lines already.
fn add_branches(found: &mut Examination, inquiry: &mut Inquiry<'_>, board: &mut Position, index: usize) {
    let played = found.line[index];
    let attacks = inquiry.attacks(board);
    for m in inquiry.moves(board).into_iter().filter(|m| *m != played) {
        board.do_move(m);
        let line = match inquiry.mate(board, if attacks { Goal::Any } else { Goal::Shortest }) {
            Verdict::Mate(mate) if !attacks => Some(mate.line),
            Verdict::NoMate if attacks => Some(refutation(inquiry, board).into_iter().collect()),
            _ => None,
        };
        board.undo_move();
        if let Some(line) = line {
            found.branches.push(Branch { before: found.line[..index].to_vec(), m, line, mates: !attacks });
        }
    }
}

/// Positions for comparing the lines of optimal play, for each position that one question may take.
const QUESTIONS_FOR_CHOICE: u64 = 20;

fn choose_main_line(
    found: &mut Examination,
    inquiry: &mut Inquiry<'_>,
    mate: &Mate,
    settings: &ExamineSettings<'_>,
) {
    found.length = Some(mate.length);
    if let Some(intended) = &settings.intended {
        found.line.clone_from(intended);
        (found.is_intended, found.is_chosen) = (true, true);
        // Its length is what the composer says; shorter mates and longer defences are flaws.
        found.length = Some(match mate.length {
            MateLength::Exact(_) => MateLength::Exact(intended.len() as u32),
            MateLength::AtMost(_) => MateLength::AtMost(intended.len() as u32),
        });
        return;
    }
    found.line.clone_from(&mate.line);
    if !mate.length.is_exact() {
        return;
    }
    inquiry.left = inquiry.each.saturating_mul(QUESTIONS_FOR_CHOICE);
    if let Some(choice) = choose(inquiry, &found.start, mate.length.plies()) {
        found.is_chosen = choice.is_complete;
        if choice.is_complete || choice.left_over == 0 {
            found.line.clone_from(&choice.line);
        }
        let forgives = settings.custom.ruling(FlawKind::LongerDefence) == Ruling::Blemish;
        if choice.is_complete
            && choice.left_over > 0
            && forgives
            && let Some(line) = shorter_main_line(inquiry, &found.start, &choice.line)
        {
            found.length = Some(MateLength::Exact(line.len() as u32));
            found.line = line;
        }
    }
    inquiry.left = u64::MAX;
}

/// A line two plies shorter, by another defence, that leaves no piece (the main line if 変長 is forgiven).
fn shorter_main_line(inquiry: &mut Inquiry<'_>, start: &Position, line: &[Move]) -> Option<Vec<Move>> {
    let mut board = after(start, &[]);
    for (index, &played) in line.iter().enumerate() {
        let remaining = (line.len() - index) as u32;
        if !inquiry.attacks(&board) && remaining > 3 {
            for defence in inquiry.moves(&board) {
                board.do_move(defence);
                let is_shorter = inquiry.exact(&board) == Some(remaining - 3);
                let choice = is_shorter.then(|| choose(inquiry, &board, remaining - 3)).flatten();
                board.undo_move();
                if let Some(choice) = choice.filter(|choice| choice.left_over == 0) {
                    let before = line[..index].iter().copied();
                    return Some(before.chain([defence]).chain(choice.line).collect());
                }
            }
        }
        board.do_move(played);
    }
    None
}

/// Other checks at a place of the main line.
fn examine_attack(found: &mut Examination, inquiry: &mut Inquiry<'_>, board: &mut Position, index: usize) {
    let played = found.line[index];
    for m in inquiry.moves(board) {
        if m == played {
            continue;
        }
        board.do_move(m);
        let verdict = inquiry.mate(board, Goal::Any);
        board.undo_move();
        match verdict {
            Verdict::NoMate => {}
            Verdict::Unknown(_) => found.open.push(Open { before: found.line[..index].to_vec(), m }),
            Verdict::Mate(mate) => {
                let flaw = other_attack(found, inquiry, board, index, m, &mate);
                found.add(flaw);
            }
        }
    }
}

/// Classifies a check beside the main line that mates.
fn other_attack(
    found: &Examination,
    inquiry: &mut Inquiry<'_>,
    board: &mut Position,
    index: usize,
    m: Move,
    mate: &Mate,
) -> Flaw {
    let played = found.line[index];
    let remaining = (found.line.len() - index) as u32;
    let king = board.king(!found.attacker);
    let on_a_line = king.is_some_and(|king| share_a_line(board, king, played, m));
    board.do_move(m);
    // A line of the same length shows more than the first one that was found.
    let (mut line, mut length) = (mate.line.clone(), MateLength::AtMost(mate.length.plies() + 1));
    let as_short = remaining > 1 && inquiry.is_mate_within(board, remaining - 1) == Some(true);
    if as_short && let Verdict::Mate(shortest) = inquiry.mate(board, Goal::Shortest) {
        line = shortest.line;
        length = match shortest.length {
            MateLength::Exact(plies) => MateLength::Exact(plies + 1),
            MateLength::AtMost(plies) => MateLength::AtMost(plies + 1),
        };
    } else if inquiry.is_over(board) {
        (line, length) = (Vec::new(), MateLength::Exact(1));
    }
    let kind = if length.plies() < remaining {
        FlawKind::EarlyMate
    } else if are_twins(played, m) {
        FlawKind::Promotion
    } else if on_a_line && length.plies() == remaining {
        FlawKind::Square
    } else if remaining == 1 {
        FlawKind::LastMove
    } else {
        way_back(found, inquiry, board, index, &line)
    };
    board.undo_move();
    let end = after(board, &[&[m], line.as_slice()].concat());
    Flaw {
        kind,
        before: found.line[..index].to_vec(),
        m: Some(m),
        line,
        length: Some(length),
        left_over: end.hand(found.attacker),
    }
}

/// Whether the check that was just played is a cook, or mates only through positions of the main line.
fn way_back(
    found: &Examination,
    inquiry: &mut Inquiry<'_>,
    board: &mut Position,
    index: usize,
    line: &[Move],
) -> FlawKind {
    let mut main_line = vec![after(&found.start, &[])];
    for &m in &found.line {
        let mut next = main_line[main_line.len() - 1].clone();
        next.do_move(m);
        main_line.push(next);
    }
    // Where the other line meets the main line.
    let mut other = after(board, &[]);
    let mut meets = None;
    for ply in index + 1.. {
        let place = main_line.iter().position(|position| position.key128() == other.key128());
        if let Some(place) = place {
            meets = Some((place, ply));
            break;
        }
        let Some(&m) = line.get(ply - index - 1) else { break };
        other.do_move(m);
    }
    let Some((place, ply)) = meets else { return FlawKind::Cook };
    let at_the_end = place + 1 == main_line.len();
    // The shared end of two lines may be the mate itself; before it, no mate may avoid the main line.
    if !at_the_end && inquiry.is_mate_avoiding(board, &main_line) != Some(false) {
        return FlawKind::Cook;
    }
    if ply > place { FlawKind::Detour } else { FlawKind::Permutation }
}

/// Other defences at a place of the main line.
fn examine_defence(found: &mut Examination, inquiry: &mut Inquiry<'_>, board: &mut Position, index: usize) {
    let played = found.line[index];
    let remaining = (found.line.len() - index) as u32;
    for m in inquiry.moves(board) {
        if m == played || are_twins(played, m) {
            continue;
        }
        board.do_move(m);
        let flaw = other_defence(found, inquiry, board, index, m, remaining);
        board.undo_move();
        match flaw {
            Ok(Some(flaw)) => found.add(flaw),
            Ok(None) => {}
            Err(()) => found.open.push(Open { before: found.line[..index].to_vec(), m }),
        }
    }
}

/// The flaw that a defence beside the main line is, after it was played; an error if the budget does not decide it.
fn other_defence(
    found: &Examination,
    inquiry: &mut Inquiry<'_>,
    board: &Position,
    index: usize,
    m: Move,
    remaining: u32,
) -> Result<Option<Flaw>, ()> {
    if remaining > 3 && inquiry.is_mate_within(board, remaining - 3).ok_or(())? {
        return Ok(None);
    }
    let flaw = |kind, length, line: Vec<Move>| Flaw {
        kind,
        before: found.line[..index].to_vec(),
        m: Some(m),
        left_over: after(board, &line).hand(found.attacker),
        length,
        line,
    };
    let plies = match inquiry.mate(board, Goal::Shortest) {
        Verdict::NoMate => return Ok(Some(flaw(FlawKind::NoMate, None, Vec::new()))),
        Verdict::Mate(mate) if mate.length.is_exact() => mate.length.plies(),
        _ => return Err(()),
    };
    if plies + 1 < remaining {
        return Ok(None);
    }
    inquiry.left = inquiry.each.saturating_mul(QUESTIONS_FOR_CHOICE);
    let choice = choose(inquiry, board, plies);
    inquiry.left = u64::MAX;
    let choice = choice.ok_or(())?;
    let length = Some(MateLength::Exact(plies + 1));
    if plies + 1 == remaining {
        return match (choice.left_over, choice.is_complete) {
            (0, _) => Ok(Some(flaw(FlawKind::EqualDefence, length, choice.line))),
            (_, true) => Ok(None),
            (_, false) => Err(()),
        };
    }
    let kind = if choice.left_over > 0 && plies + 1 == remaining + 2 {
        FlawKind::LongerDefence
    } else {
        FlawKind::NotLongest
    };
    if choice.left_over > 0 && !choice.is_complete {
        return Err(());
    }
    Ok(Some(flaw(kind, length, choice.line)))
}

/// Whether a problem can end here: the defender is mated, or mated but for futile interpositions.
#[must_use]
pub fn is_end(position: &Position) -> bool {
    position.in_check() && is_mated_but_for_futile(position, &position.legal_moves())
}
