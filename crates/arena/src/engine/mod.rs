//! Engine processes: starting them and talking to them. Nothing they send is trusted.

mod declared;
mod said;
mod session;
mod spec;

pub(crate) use declared::Declared;
pub use said::{Answer, Info, Score, SearchInfo};
pub use session::{FLOOD, Session, StartError};
pub use spec::{ENGINE_WORDS, EngineSpec};
