//! The board in the browser: a local server, its boards and its pages.
//!
//! | module | what is there |
//! |---|---|
//! | [`serve`], [`Settings`] | the server: addresses, gate, pages, files, sockets |
//! | [`qr_code`] | its address for phones |
//! | [`protocol`] | what pages and server say to each other |
//! | `games` | every game as boards see it: scenes, names of moves, records |
//! | `board` | boards: versions, changes, who looks, what is kept |
//! | `engine`, `play` | other programs that analyse and play; games with clocks |
//! | `book`, `mining` | books, and how they grow |
//! | `explorer` | libraries of games: what was played in a position |
//! | `tsume`, `runs` | mates; folders of matches, games on servers, tuning and training |

mod app_state;
mod assets;
mod board;
mod book;
mod diagram;
mod dispatch;
mod engine;
mod explorer;
mod files;
mod games;
mod gate;
mod mining;
mod paths;
mod play;
pub mod protocol;
mod qr;
mod runs;
mod server;
mod socket;
mod tab;
#[cfg(test)]
mod tests;
mod tsume;

pub use qr::qr_code;
pub use server::{Listening, ServeError, Settings, USUAL_PORT, serve};

/// More games of one file are not read.
const MOST_GAMES: usize = 100;
