//! The USI protocol: words, options, clocks and the engine session, for every game.

pub mod options;
