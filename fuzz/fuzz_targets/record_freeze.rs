#![no_main]
#[path = "../src/freeze_notes.rs"]
mod entry;
libfuzzer_sys::fuzz_target!(|data: &[u8]| entry::freezes(None, data));
