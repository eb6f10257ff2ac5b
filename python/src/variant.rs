//! `Game`: any game of the house by its name. Moves are their USI texts.

use crate::board::repetition_number;
use crate::interrupt::without_lock;
use crate::mates::MateResult;
use crate::value_error;
use fairy::{FairyGame, Library};
use game::{Declaration, Outcome, Position as _, Script};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use search::{ForcedLimits, ForcedMate};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The games whose rules are written in Rust.
const NAMES: [&str; 3] = ["shogi", "freeze", "binarsi"];

fn library() -> &'static Library {
    static SHIPPED: OnceLock<Library> = OnceLock::new();
    SHIPPED.get_or_init(Library::shipped)
}

/// The game of that name that the shipped variants.ini describes.
pub fn variant_named(name: &str) -> Option<FairyGame> {
    library().game(name)
}

/// The names of all games.
#[pyfunction]
pub fn game_names() -> Vec<String> {
    let variants = library().names().filter(|name| !NAMES.contains(name));
    NAMES.into_iter().chain(variants).map(str::to_owned).collect()
}

/// A state of play of some game.
trait State: Send {
    fn text(&self) -> String;
    fn side(&self) -> usize;
    fn ply(&self) -> u32;
    fn key(&self) -> u64;
    fn in_check(&self) -> bool;
    fn legal(&self) -> Vec<String>;
    fn is_legal(&self, text: &str) -> bool;
    fn outcome(&self) -> Option<Outcome>;
    fn repetition(&self, plies: usize) -> u8;
    fn may_declare(&self) -> bool;
    fn picture(&self, script: Script) -> String;
    fn push(&mut self, text: &str) -> Result<String, String>;
    fn undo(&mut self) -> bool;
    fn set(&mut self, text: &str) -> Result<(), String>;
    fn reset(&mut self);
    fn boxed(&self) -> Box<dyn State>;
    fn perft(&self, depth: u32, stop: &dyn Fn() -> bool) -> u64;
    fn mate(
        &self,
        nodes: Option<u64>,
        plies: Option<u32>,
        bytes: usize,
        stop: &dyn Fn() -> bool,
    ) -> MateResult;
}

struct Playing<G: game::Game> {
    game: G,
    position: G::Position,
}

impl<G: game::Game> Playing<G> {
    fn of(game: G) -> Box<dyn State> {
        // A referee's rules: everything that players may agree on is allowed.
        let game = game.for_referee();
        Box::new(Self { position: game.startpos(), game })
    }
}

impl<G: game::Game> State for Playing<G> {
    fn text(&self) -> String {
        self.position.to_text()
    }
    fn side(&self) -> usize {
        self.position.side().index()
    }
    fn ply(&self) -> u32 {
        self.position.ply()
    }
    fn key(&self) -> u64 {
        self.position.key()
    }
    fn in_check(&self) -> bool {
        self.position.in_check()
    }
    fn legal(&self) -> Vec<String> {
        self.position.legal_moves().iter().map(ToString::to_string).collect()
    }
    fn is_legal(&self, text: &str) -> bool {
        self.position.parse_move(text).is_ok()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }
    fn repetition(&self, plies: usize) -> u8 {
        repetition_number(self.position.repetition(plies))
    }
    fn may_declare(&self) -> bool {
        matches!(self.position.declaration(), Some(Declaration::Win))
    }
    fn picture(&self, script: Script) -> String {
        self.game.picture(&self.position, script)
    }
    fn push(&mut self, text: &str) -> Result<String, String> {
        let parsed = self.position.parse_move(text).map_err(|error| error.to_string())?;
        self.position.do_move(parsed);
        Ok(parsed.to_string())
    }
    fn undo(&mut self) -> bool {
        let can = self.position.can_undo();
        if can {
            self.position.undo_move();
        }
        can
    }
    fn set(&mut self, text: &str) -> Result<(), String> {
        self.position = self.game.position(text).map_err(|error| error.to_string())?;
        Ok(())
    }
    fn reset(&mut self) {
        self.position = self.game.startpos();
    }
    fn boxed(&self) -> Box<dyn State> {
        Box::new(Self { game: self.game.clone(), position: self.position.clone() })
    }
    fn perft(&self, depth: u32, stop: &dyn Fn() -> bool) -> u64 {
        leaves(&mut self.position.clone(), depth, stop)
    }
    fn mate(
        &self,
        nodes: Option<u64>,
        plies: Option<u32>,
        bytes: usize,
        stop: &dyn Fn() -> bool,
    ) -> MateResult {
        let mut seen = 0;
        let mut report = |progress: &search::ForcedProgress<_>| seen = progress.nodes;
        let limits = ForcedLimits { nodes, plies, bytes, stop, report: &mut report };
        match search::solve_forced(&self.position, limits) {
            ForcedMate::Mate(line) => {
                MateResult::mate(line.len() as u32, false, self.position.line_text(&line), seen)
            }
            ForcedMate::NoMate => MateResult::without_mate("nomate", seen),
            ForcedMate::Unknown(_) => MateResult::without_mate("unknown", seen),
        }
    }
}

/// Subtrees of so many plies are counted without asking whether to stop.
const SMALL_TREE: u32 = 3;

fn leaves<P: game::Position>(position: &mut P, depth: u32, stop: &dyn Fn() -> bool) -> u64 {
    if depth <= SMALL_TREE {
        return game::perft(position, depth);
    }
    let moves = position.legal_moves();
    let mut count = 0;
    for m in moves.iter() {
        if stop() {
            break;
        }
        position.do_move(*m);
        count += leaves(position, depth - 1, stop);
        position.undo_move();
    }
    count
}

/// Perft without the interpreter's lock.
pub fn counted<P: game::Position>(py: Python<'_>, position: &P, depth: u32) -> PyResult<u64> {
    let mut copy = position.clone();
    without_lock(py, move |stop| leaves(&mut copy, depth, stop))
}

fn opened(name: &str, variants: Option<&str>) -> PyResult<Box<dyn State>> {
    let described = match variants {
        None => library().game(name),
        Some(text) => {
            let mut own = Library::shipped();
            let report = own.read(text);
            if report.has_errors() {
                let said: Vec<String> = report.messages.iter().map(ToString::to_string).collect();
                return Err(value_error(said.join("; ")));
            }
            own.game(name)
        }
    };
    Ok(match (name, described) {
        ("shogi", _) => Playing::of(shogi::Shogi::default()),
        ("freeze", _) => Playing::of(freeze::Freeze::default()),
        ("binarsi", _) => Playing::of(binarsi::Binarsi),
        (_, Some(game)) => Playing::of(game),
        (_, None) => return Err(value_error(format!("no game `{name}`: game_names() lists them"))),
    })
}

/// A game of the house with the position it stands at.
#[pyclass(module = "tsumugi")]
pub struct Game {
    name: String,
    variants: Option<String>,
    state: Mutex<Box<dyn State>>,
    start: String,
    moves: Vec<String>,
}

impl Game {
    fn state(&self) -> MutexGuard<'_, Box<dyn State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state_mut(&mut self) -> &mut Box<dyn State> {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn illegal(&self, r#move: &str, error: &str) -> PyErr {
        let shown: String = r#move.chars().take(40).collect();
        value_error(format!("{} in {}: {error}", shown, self.sfen()))
    }
}

/// What pickle asks for: the class, its arguments, and the state.
type Reduced<'py> = (Bound<'py, PyAny>, (String,), (Option<String>, String));

#[pymethods]
impl Game {
    /// A game by its name, which `game_names()` lists, or a section of the text of a variants.ini.
    #[new]
    #[pyo3(signature = (name="shogi", sfen=None, *, variants=None))]
    fn new(name: &str, sfen: Option<&str>, variants: Option<String>) -> PyResult<Self> {
        let state = opened(name, variants.as_deref())?;
        let mut game = Self {
            name: name.to_owned(),
            variants,
            start: state.text(),
            state: Mutex::new(state),
            moves: Vec::new(),
        };
        if let Some(sfen) = sfen {
            game.set_sfen(sfen)?;
        }
        Ok(game)
    }

    /// The name of the game.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// A game of its own with the same position and history.
    fn copy(&self) -> Self {
        Self {
            name: self.name.clone(),
            variants: self.variants.clone(),
            state: Mutex::new(self.state().boxed()),
            start: self.start.clone(),
            moves: self.moves.clone(),
        }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py> {
        let class = slf.get_type().into_any();
        let game = slf.borrow();
        // The text of a variants.ini is part of the state: a game cannot be opened by its name alone.
        let name = if game.variants.is_some() { "shogi".to_owned() } else { game.name.clone() };
        let variants = game.variants.as_ref().map(|text| format!("{}\n{text}", game.name));
        (class, (name,), (variants, game.position()))
    }

    fn __setstate__(&mut self, state: (Option<String>, String)) -> PyResult<()> {
        if let Some((name, variants)) = state.0.as_deref().and_then(|text| text.split_once('\n')) {
            *self = Self::new(name, None, Some(variants.to_owned()))?;
        }
        self.set_position(&state.1)
    }

    fn __repr__(&self) -> String {
        format!("Game('{}', '{}')", self.name, self.sfen())
    }

    fn __str__(&self) -> String {
        self.picture(true)
    }

    /// The board and the hands for people.
    #[pyo3(signature = (kanji=true))]
    fn picture(&self, kanji: bool) -> String {
        self.state().picture(if kanji { Script::Kanji } else { Script::Ascii })
    }

    /// The position as text.
    fn sfen(&self) -> String {
        self.state().text()
    }

    /// Sets the position of a text; the history is empty then.
    fn set_sfen(&mut self, sfen: &str) -> PyResult<()> {
        self.state_mut().set(sfen).map_err(value_error)?;
        self.start = self.sfen();
        self.moves.clear();
        Ok(())
    }

    /// Sets what follows the word `position` in USI.
    fn set_position(&mut self, position: &str) -> PyResult<()> {
        let (start, moves) = game::split_moves(position)
            .ok_or_else(|| value_error("expected `startpos` or `sfen …`, then optionally `moves …`"))?;
        let mut game = self.copy();
        if start == "startpos" {
            game.reset();
        } else {
            game.set_sfen(start)?;
        }
        for word in moves.split_ascii_whitespace() {
            game.push(word)?;
        }
        *self = game;
        Ok(())
    }

    /// Start position and moves, as `set_position` reads them.
    fn position(&self) -> String {
        let moves =
            if self.moves.is_empty() { String::new() } else { format!(" moves {}", self.moves.join(" ")) };
        format!("sfen {}{moves}", self.start)
    }

    /// Sets the start position.
    fn reset(&mut self) {
        self.state_mut().reset();
        self.start = self.sfen();
        self.moves.clear();
    }

    /// The side to move: 0 for the first player, 1 for the second.
    #[getter]
    fn turn(&self) -> usize {
        self.state().side()
    }

    /// Number of the next move.
    #[getter]
    fn move_number(&self) -> u32 {
        self.state().ply()
    }

    /// The legal moves.
    #[getter]
    fn legal_moves(&self) -> Vec<String> {
        self.state().legal()
    }

    /// Plays a move; `ValueError` if it is illegal.
    fn push(&mut self, r#move: &str) -> PyResult<()> {
        let played = self.state_mut().push(r#move);
        self.moves.push(played.map_err(|error| self.illegal(r#move, &error))?);
        Ok(())
    }

    /// Plays a move and returns it as it is written canonically; `ValueError` if it is illegal.
    fn push_usi(&mut self, usi: &str) -> PyResult<String> {
        self.push(usi)?;
        Ok(self.peek().unwrap_or_default())
    }

    /// Takes the last move back and returns it.
    fn pop(&mut self) -> PyResult<String> {
        if self.moves.is_empty() || !self.state_mut().undo() {
            return Err(PyIndexError::new_err("no move to take back"));
        }
        Ok(self.moves.pop().unwrap_or_default())
    }

    /// The last move, if there is one.
    fn peek(&self) -> Option<String> {
        self.moves.last().cloned()
    }

    /// The moves played.
    #[getter]
    fn history(&self) -> Vec<String> {
        self.moves.clone()
    }

    /// Whether a move is legal.
    fn is_legal(&self, r#move: &str) -> bool {
        self.state().is_legal(r#move)
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.state().in_check()
    }

    /// Whether the game has ended.
    fn is_game_over(&self) -> bool {
        self.state().outcome().is_some()
    }

    /// How the game has ended: the winner (0, 1 or `None`) and why; `None` while it goes on.
    fn outcome(&self) -> Option<(Option<usize>, String)> {
        let outcome = self.state().outcome()?;
        Some((outcome.winner().map(game::Color::index), outcome.reason().to_string()))
    }

    /// What recurrence of the position within so many plies means: one of `REPETITION_TYPES`.
    #[pyo3(signature = (ply=None))]
    fn is_draw(&self, ply: Option<u32>) -> u8 {
        let plies = ply.filter(|plies| *plies > 0).map_or(usize::MAX, |plies| plies as usize + 1);
        self.state().repetition(plies)
    }

    /// Whether the side to move can win by declaring.
    fn is_nyugyoku(&self) -> bool {
        self.state().may_declare()
    }

    /// A number of 64 bits for the position.
    fn zobrist_hash(&self) -> u64 {
        self.state().key()
    }

    /// Counts the leaves of the tree of legal moves.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        let state = self.state().boxed();
        without_lock(py, move |stop| state.perft(depth, &|| stop()))
    }

    /// Looks for a mate that the side to move forces by checks.
    #[pyo3(signature = (*, nodes=None, plies=None, hash=64))]
    fn mate(
        &self,
        py: Python<'_>,
        nodes: Option<u64>,
        plies: Option<u32>,
        hash: usize,
    ) -> PyResult<MateResult> {
        let state = self.state().boxed();
        without_lock(py, move |stop| state.mate(nodes, plies, hash.clamp(1, 1 << 20) << 20, &|| stop()))
    }

    /// A picture of the board.
    #[pyo3(signature = (lastmove=None, scale=1.0))]
    fn to_svg<'py>(
        slf: &Bound<'py, Self>,
        lastmove: Option<&str>,
        scale: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tsumugi.svg")?.call_method1("game_svg", (slf, lastmove, scale))
    }

    /// What notebooks show.
    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let last = slf.borrow().peek();
        Self::to_svg(slf, last.as_deref(), 1.0)
    }
}
