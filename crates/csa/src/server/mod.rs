//! A small server: pairs clients, keeps the clocks and referees the games. For events without the internet, for testing
//! clients, and for games from given positions.

mod config;
mod connection;
mod hall;
mod pairing;
mod rounds;
mod scores;
mod table;

pub use config::{Pairing, ServerConfig, ServerError, TimeWords, read_users};
pub use hall::Server;
pub use scores::Standing;
