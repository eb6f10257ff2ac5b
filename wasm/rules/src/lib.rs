//! Rules, notation and records of every game as a WebAssembly module that imports nothing. `packages/rules/rules.js` is its host.
//!
//! The host writes a request to `request_buffer`: one line of JSON, then bytes of a record where the request takes them. `request` does
//! it; the answer begins at `answer_start`: one line of JSON (`{"ok": …}` or `{"error": …}`), then bytes of records that were written.

mod memory;
mod records;
mod request;
mod requests;
mod state;
mod states;

/// Does the request in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn request(length: usize) {
    memory::answer(&requests::answer(&memory::request(length)));
}

/// Leaves of the tree of legal moves of a game, which is too long for JSON; NaN if there is no such game.
#[unsafe(no_mangle)]
pub extern "C" fn perft(id: u32, depth: u32) -> f64 {
    states::with(id, |state| state.perft(depth)).map_or(f64::NAN, |count| count as f64)
}
