//! The CSA server protocol: a client that lets any USI engine play on floodgate, 電竜戦 and other servers, and a small
//! server.
//!
//! | item | what it is |
//! |---|---|
//! | [`wire`] | parsing the lines of both sides |
//! | [`summary`] | `Game_Summary`: game, players, start position, times |
//! | [`clock`] | both clocks as pure functions of the times that the server reports |
//! | [`client`] | plays games: connection, engine, pondering, comments, margins |
//! | [`server`] | referees games: logins, pairing, clocks, limits |
//! | [`files`] | records of games, for both |
//!
//! Only shogi is supported. One thread waits for sockets and the engine's pipe together.

pub mod client;
pub mod clock;
pub mod files;
pub mod server;
pub mod summary;
#[cfg(feature = "tls")]
mod tls;
mod traffic;
pub mod wire;

/// The port of CSA servers.
pub const PORT: u16 = 4081;
