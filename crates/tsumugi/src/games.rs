//! The games of this program and what plays them: one function for each.

use eval::Material;
use shogi::Shogi;
use usi::{Output, SearchEngine, Session};

const NAME: &str = concat!("Tsumugi ", env!("CARGO_PKG_VERSION"));
const AUTHOR: &str = "the Tsumugi contributors";

/// Shogi.
pub fn shogi_session(output: Output) -> Session<Shogi> {
    Session::new(Shogi::default(), SearchEngine::new(NAME, AUTHOR, Material::default()), output)
}
