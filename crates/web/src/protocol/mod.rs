//! Everything that a page and the server say to each other: JSON text frames over one socket.
//!
//! A page asks `{"id":7,"do":"play","board":"k3f9","node":41,"move":"7g7f"}` ([`Ask`]); the server answers `{"id":7,"ok":{…}}` or
//! `{"id":7,"error":{"code":"illegal","text":"…"}}` ([`Reply`]), and says `{"event":"analysis",…}` by itself ([`Event`]).
//! `ui/protocol.d.ts` has the same types in TypeScript; a test keeps it up to date.

#![allow(missing_docs, reason = "fields are documented where their names do not say it all")]

mod about;
mod ask;
mod book;
mod engine;
mod event;
mod library;
mod play;
mod runs;
mod scene;
mod tree;
mod tsume;
#[cfg(test)]
mod typescript;

pub use about::*;
pub use ask::*;
pub use book::*;
pub use engine::*;
pub use event::*;
pub use library::*;
pub use play::*;
pub use runs::*;
pub use scene::*;
pub use tree::*;
pub use tsume::*;

use serde::{Deserialize, Serialize};

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// 先手, the first player.
    #[default]
    Black,
    /// 後手, the second player.
    White,
}

impl Side {
    /// Both, the first player first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// 0 for black, 1 for white.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

impl From<game::Color> for Side {
    fn from(color: game::Color) -> Self {
        match color {
            game::Color::Black => Self::Black,
            game::Color::White => Self::White,
        }
    }
}

impl From<Side> for game::Color {
    fn from(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
        }
    }
}

/// Something in both languages of the pages.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Words {
    pub ja: String,
    pub en: String,
}

impl Words {
    /// A text in Japanese and in English.
    pub fn new(ja: impl Into<String>, en: impl Into<String>) -> Self {
        Self { ja: ja.into(), en: en.into() }
    }
}

/// The answer to one request.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub struct Reply {
    /// The number of the request; 0 if it could not be read.
    pub id: u32,
    /// The answer; its type is that of the verb in `Answers`.
    #[cfg_attr(test, ts(type = "unknown"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ok: Option<serde_json::Value>,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Refusal>,
}

/// Why a request was refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
#[error("{text}")]
pub struct Refusal {
    /// For programs.
    pub code: RefusalCode,
    /// For people: what went wrong: where: what to do.
    pub text: String,
    /// The same in Japanese, where people meet it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ja: Option<String>,
}

/// The kinds of refusals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum RefusalCode {
    /// The message is not one of the protocol.
    Message,
    /// There is no board, book, run, engine or game of this name.
    Unknown,
    /// There is no such node on the board.
    Node,
    /// The rules forbid the move, or it is no move.
    Illegal,
    /// The text is no position or record.
    Position,
    /// This game does not have the format or the feature.
    Unsupported,
    /// Not now: a game is in progress, or none is, or another request has to end first.
    State,
    /// More than the server takes.
    TooMuch,
    /// A file could not be read or written.
    File,
    /// The engine does not start, or has ended.
    Engine,
}

impl Refusal {
    /// A refusal with its sentence.
    pub fn new(code: RefusalCode, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), ja: None }
    }

    /// With the same sentence in Japanese.
    #[must_use]
    pub fn ja(mut self, ja: impl Into<String>) -> Self {
        self.ja = Some(ja.into());
        self
    }
}
