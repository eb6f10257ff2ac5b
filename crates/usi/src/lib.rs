//! The USI protocol: words, options, clocks and the engine session, for every game.
//!
//! | item | what it is |
//! |---|---|
//! | [`time`] | how long to think |

pub mod time;
