//! The real binary under hosts' habits: what ShogiHome, MyShogi, `ShogiBoardQ`, lishogi, cshogi, `ShogiArena` and
//! others send, and what they need to hear. No test depends on how fast the machine is.

mod cycles;
mod endings;
mod files;
mod go;
mod handshake;
mod host;
mod info;
mod mate;
mod ponder;
mod positions;
mod quitting;
