//! The games that are open, by number.

use crate::state::{AnyState, start_of};
use fairy::{FairyGame, Library};
use std::cell::RefCell;
use std::collections::HashMap;

/// The games whose rules are written in Rust.
const NAMES: [&str; 3] = ["shogi", "freeze", "binarsi"];

struct Open {
    states: HashMap<u32, Box<dyn AnyState>>,
    next: u32,
}

thread_local! {
    static SHIPPED: Library = Library::shipped();
    static OPEN: RefCell<Open> = RefCell::new(Open { states: HashMap::new(), next: 1 });
}

/// The names of all games.
pub fn names() -> Vec<String> {
    SHIPPED.with(|shipped| {
        let variants = shipped.names().filter(|name| !NAMES.contains(name));
        NAMES.into_iter().chain(variants).map(str::to_owned).collect()
    })
}

/// The game of a variants.ini: of the text, or of the one that is shipped.
pub fn variant(name: &str, variants: Option<&str>) -> Result<Option<FairyGame>, String> {
    let Some(text) = variants else { return Ok(SHIPPED.with(|shipped| shipped.game(name))) };
    let mut own = Library::shipped();
    let report = own.read(text);
    if report.has_errors() {
        let said: Vec<String> = report.messages.iter().map(ToString::to_string).collect();
        return Err(said.join("; "));
    }
    Ok(own.game(name))
}

/// Opens a game; returns its number.
pub fn open(name: &str, variants: Option<&str>) -> Result<u32, String> {
    let state = match name {
        "shogi" => start_of(&shogi::Shogi::default()),
        "freeze" => start_of(&freeze::Freeze::default()),
        "binarsi" => start_of(&binarsi::Binarsi),
        _ => start_of(
            &variant(name, variants)?.ok_or_else(|| format!("no game `{name}`: games() lists them"))?,
        ),
    };
    Ok(keep(state))
}

/// Gives a game a number.
pub fn keep(state: Box<dyn AnyState>) -> u32 {
    OPEN.with_borrow_mut(|open| {
        let id = open.next;
        open.next += 1;
        open.states.insert(id, state);
        id
    })
}

/// Forgets a game.
pub fn close(id: u32) {
    OPEN.with_borrow_mut(|open| drop(open.states.remove(&id)));
}

/// Does something with a game; `None` if it is not open.
pub fn with<T>(id: u32, act: impl FnOnce(&mut dyn AnyState) -> T) -> Option<T> {
    OPEN.with_borrow_mut(|open| open.states.get_mut(&id).map(|state| act(state.as_mut())))
}
