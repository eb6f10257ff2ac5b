//! The real binary under the habits of hosts: what graphical and web programs, bots and tournament managers send,
//! and what they need to hear. No test depends on how fast the machine is.

mod console_tests;
mod cycles;
mod endings;
mod evaluation;
mod files;
mod folder;
mod go;
mod handshake;
mod host;
mod info;
mod mate;
mod ponder;
mod positions;
mod quitting;
