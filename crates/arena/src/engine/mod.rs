//! Other people's engines: starting them, talking to them, never trusting them.

mod lines;
#[cfg(unix)]
#[path = "pipes_unix.rs"]
mod pipes;
#[cfg(not(unix))]
#[path = "pipes_threads.rs"]
mod pipes;
mod process;
mod said;
mod session;
mod spec;

pub use lines::Line;
pub use pipes::Heard;
pub use process::Process;
pub use said::{Answer, Score, Thought};
pub(crate) use session::FLOOD;
pub use session::{Session, StartError};
pub use spec::{ENGINE_WORDS, EngineSpec};
