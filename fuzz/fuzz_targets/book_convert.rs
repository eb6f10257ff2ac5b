#![no_main]
#[path = "../src/book.rs"]
mod entry;
libfuzzer_sys::fuzz_target!(|data: &[u8]| entry::book_convert(data));
