#![no_main]
#[path = "../src/freeze.rs"]
mod freeze;
libfuzzer_sys::fuzz_target!(|data: &[u8]| freeze::freeze(data));
