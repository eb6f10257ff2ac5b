//! Other people's engines: starting them, talking to them, never trusting them.

mod declared;
mod said;
mod session;
mod spec;

pub(crate) use declared::Declared;
pub use said::{Answer, Score, Thought};
pub(crate) use session::FLOOD;
pub use session::{Session, StartError};
pub use spec::{ENGINE_WORDS, EngineSpec};
