#![no_main]
#[path = "../src/variants.rs"]
mod variants;
libfuzzer_sys::fuzz_target!(|data: &[u8]| variants::variants(data));
