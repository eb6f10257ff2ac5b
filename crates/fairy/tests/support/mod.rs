//! Reading test data.

use fairy::Library;
use serde_json::Value;

/// A file of `testdata/`.
pub fn read(path: &str) -> String {
    let path = format!("{}/../../testdata/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The shipped variants and those of a text without fault.
pub fn library_with(text: &str) -> Library {
    let mut library = Library::shipped();
    let report = library.read(text);
    assert!(report.messages.is_empty(), "{:?}", report.messages);
    library
}

pub fn strings(value: &Value) -> Vec<String> {
    let words = value.as_array().into_iter().flatten();
    words.map(|word| word.as_str().expect("a text").to_owned()).collect()
}

pub fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().into_iter().flatten().map(|number| number.as_u64().expect("a number")).collect()
}
