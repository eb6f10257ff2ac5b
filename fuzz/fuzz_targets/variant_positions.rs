#![no_main]
#[path = "../src/variant_positions.rs"]
mod variant_positions;
libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_positions::variant_positions(data));
