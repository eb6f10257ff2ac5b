//! The games of this program and what plays them: one function for each.

use crate::shogi_engine::ShogiEngine;
use shogi::Shogi;
use usi::{Output, Session};

/// The name that hosts show.
pub const NAME: &str = concat!("Tsumugi ", env!("CARGO_PKG_VERSION"));
/// Who made it.
pub const AUTHOR: &str = "the Tsumugi contributors";

/// Shogi.
pub fn shogi_session(output: Output) -> Session<Shogi> {
    Session::new(Shogi::default(), ShogiEngine::new(), output)
}
