//! Reads files again and again and says how long it took; `tools/compare_records.py` compares with others.
//!
//! ```text
//! cargo run --release -p tsumugi-record --example read_speed -- PASSES LIST
//! ```
//!
//! LIST names one file to a line. Files are read into memory first; what is timed is everything from raw bytes to a
//! tree of legal moves.

use record::{ReadOptions, read};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [passes, list] = arguments.as_slice() else {
        eprintln!("usage: speed PASSES LIST");
        std::process::exit(2);
    };
    let passes: usize = passes.parse().expect("a number of passes");
    let list = std::fs::read_to_string(list).expect("the list can be read");
    let files: Vec<Vec<u8>> =
        list.lines().map(|path| std::fs::read(path).expect("a file that can be read")).collect();
    let load = |bytes: &Vec<u8>| read(bytes, &ReadOptions::default()).expect("a record").record;
    let moves: usize = files.iter().map(|bytes| load(bytes).moves().count()).sum();
    let start = Instant::now();
    for _ in 0..passes {
        for bytes in &files {
            black_box(load(bytes));
        }
    }
    println!("{} {} {:.6}", passes * files.len(), passes * moves, start.elapsed().as_secs_f64());
}
