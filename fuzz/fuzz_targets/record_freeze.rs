#![no_main]
#[path = "../src/record.rs"]
#[allow(dead_code, reason = "the other targets' entry is beside it")]
mod record;
libfuzzer_sys::fuzz_target!(|data: &[u8]| record::freezes(None, data));
