//! A client: lets a USI engine play one or more games on a CSA server.

mod backoff;
mod comment;
mod connection;
mod game;
mod margins;
mod run;
mod seat;
mod words;

use crate::clock::ResumeClock;
use ::game::Color;
use arena::tournament::FolderError;
use arena::{EngineSpec, StartError};
use platform::FileError;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

pub use run::{ClientSummary, play};
pub use words::engine;

/// The dialect of a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Comments with score and principal variation after the moves.
    #[default]
    Floodgate,
    /// The protocol alone: no comments, `LOGOUT` after a game, `%CHUDAN`.
    Csa,
    /// The extended mode: comments, and the connection stays open between games.
    X1,
}

/// When the engine ponders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ponder {
    /// Never.
    #[default]
    Off,
    /// Once the server has confirmed the move; `go ponder` carries both clocks.
    On,
    /// At once; `ponderhit` carries the clocks.
    Early,
}

/// All settings that determine how games are played; the run folder stores them as `config.json`. Passwords are not
/// included.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClientConfig {
    /// The server's name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// Whether the connection is encrypted; needs the feature `tls` of this crate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tls: bool,
    /// A PEM file with the certificates to trust instead of the usual root certificates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tls_ca: Option<PathBuf>,
    /// The name to play under.
    pub name: String,
    /// The requested game, such as `floodgate-300-10F`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The dialect.
    pub mode: Mode,
    /// The engine.
    pub engine: EngineSpec,
    /// When it ponders.
    pub ponder: Ponder,
    /// How long it may take until it is ready, in milliseconds.
    pub patience_ms: u64,
    /// Number of moves of the principal variation in comments; `None`: no comments.
    pub pv_moves: Option<usize>,
    /// Whether mates are sent as ±30000; otherwise the last score in centipawns is sent.
    pub mate_scores: bool,
    /// Whether `bestmove win` is declared without checking our own rule.
    pub trust_win: bool,
    /// The effect of the start position's moves on the clocks.
    pub resume_clock: ResumeClock,
    /// The first pause before another attempt to connect, in milliseconds; later ones are longer.
    pub retry_ms: u64,
}

impl ClientConfig {
    fn patience(&self) -> Duration {
        Duration::from_millis(self.patience_ms)
    }

    /// The second word of the login, `GAME,TRIP` if a game is requested.
    fn login_word(&self, password: &str) -> String {
        match &self.game {
            Some(game) if self.mode != Mode::X1 => format!("{game},{password}"),
            _ => password.to_owned(),
        }
    }

    /// The command that requests a game in the extended mode: the colour at the end of the game's name becomes an
    /// argument.
    fn game_command(&self) -> Option<String> {
        let game = self.game.as_deref().filter(|_| self.mode == Mode::X1)?;
        let (game, wish) = crate::wire::game_and_colour(game);
        let sign = match wish {
            Some(Color::Black) => '+',
            Some(Color::White) => '-',
            None => '*',
        };
        Some(format!("%%GAME {game} {sign}"))
    }
}

/// Receives messages for the user while games are played. A closure that takes lines is enough.
pub trait Reporter {
    /// An event.
    fn line(&mut self, text: &str);

    /// The state of the current game, which replaces the last such message.
    fn progress(&mut self, _text: &str) {}
}

impl<F: FnMut(&str)> Reporter for F {
    fn line(&mut self, text: &str) {
        self(text);
    }
}

/// Why playing has ended.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The name or the password has an invalid form.
    #[error("{0}")]
    Login(String),
    /// The server has refused the login three times.
    #[error(
        "the server has refused the login of `{0}` three times: check name, password and whether the name is playing already"
    )]
    Refused(String),
    /// The engine cannot be started.
    #[error("engine `{name}` {error}")]
    Engine {
        /// Its name.
        name: String,
        /// Why.
        error: StartError,
    },
    /// The run folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file.
    #[error(transparent)]
    File(#[from] FileError),
    /// The system cannot wait for sockets.
    #[error("cannot wait for the connection: {0}")]
    Wait(#[from] std::io::Error),
}
