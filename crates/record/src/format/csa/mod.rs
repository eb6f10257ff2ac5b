//! CSA: the computer shogi association's format, V2.2 and V3, and the logs of its servers.

mod position;
mod read;
mod transcript;
mod write;

pub use position::csa_position;
pub(crate) use position::{kind_of, name_of, write_diagram};
pub(crate) use read::{parse_move, read};
pub(crate) use transcript::{is_summary, server_mark};
pub(crate) use write::{Version, move_text, write};
