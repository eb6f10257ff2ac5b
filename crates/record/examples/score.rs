//! Reads the corpus of real records and says how much of it is read as expected.
//!
//! ```text
//! cargo run --release -p tsumugi-record --example score [FOLDER]
//! ```

#[path = "../tests/support/mod.rs"]
mod support;

use support::Mode;

fn main() {
    let folder = std::env::args_os().nth(1).map(std::path::PathBuf::from).or_else(support::corpus);
    let Some(folder) = folder else { std::process::exit(1) };
    let cases = support::cases(&folder);
    println!("read as the format that the list names:\n{}", support::score(&cases, Mode::Declared));
    println!("read as what the contents look like:\n{}", support::score(&cases, Mode::Detected));
}
