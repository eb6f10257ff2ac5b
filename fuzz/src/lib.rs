//! What is tried with hostile input: one function for each kind, which takes any bytes and panics if a promise
//! is broken.
//!
//! `fuzz_targets/` hands each function to libFuzzer; `crates/tsumugi/tests/fuzz_smoke.rs` includes this file
//! and runs the same functions in the plain tests, so nothing here may depend on libFuzzer. A new kind is a
//! module here, a two-line target, a `[[bin]]`, a folder of seeds and a word in the Makefile (`FUZZ_TARGETS`).

mod console;
mod game;
mod kppt;
mod network;
mod sfen;

pub use self::console::console;
pub use self::game::game;
pub use self::kppt::kppt;
pub use self::network::network;
pub use self::sfen::sfen;
