//! The clock for limits and reports: the system's, or one set by the host where the system has none (WebAssembly).

#[cfg(any(target_family = "wasm", test))]
#[cfg_attr(not(target_family = "wasm"), allow(dead_code, reason = "built for its test"))]
mod host_clock;

#[cfg(target_family = "wasm")]
pub use host_clock::{Instant, set_host_clock};
#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;
