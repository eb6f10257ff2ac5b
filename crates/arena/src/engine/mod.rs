//! Other people's engines: starting them, talking to them, never trusting them.

mod declared;
mod lines;
// Where there is `poll`, the twin that needs none is built for its tests only.
#[cfg(all(unix, test))]
mod pipes_tests;
#[cfg(any(not(unix), test))]
mod pipes_threads;
#[cfg(unix)]
mod pipes_unix;
mod process;
mod said;
mod session;
mod spec;

pub(crate) use declared::Declared;
pub use lines::{Heard, Line};
#[cfg(not(unix))]
use pipes_threads as pipes;
#[cfg(unix)]
use pipes_unix as pipes;
pub use process::Process;
pub use said::{Answer, Score, Thought};
pub(crate) use session::FLOOD;
pub use session::{Session, StartError};
pub use spec::{ENGINE_WORDS, EngineSpec};
