#![no_main]
// Not by way of the library of all targets, which must build without this crate.
#[path = "../src/envelope.rs"]
mod entry;
libfuzzer_sys::fuzz_target!(|data: &[u8]| entry::envelope(data));
