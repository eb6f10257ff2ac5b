//! Puts the book of the folder `books` into the program (`books/README.md`).

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Another folder than `books`, for tests and for packagers.
const FOLDER: &str = "TSUMUGI_BOOKS";
const BOOK: &str = "book.ybb";
const MAGIC: &[u8] = b"YANE-BINBOOK-V1\0";

fn main() {
    println!("cargo::rerun-if-env-changed={FOLDER}");
    let folder = env::var_os(FOLDER).map_or_else(
        || Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../books"),
        PathBuf::from,
    );
    // A folder that comes to be or goes counts as well as what is in it.
    println!("cargo::rerun-if-changed={}", folder.display());
    let book = fs::read(folder.join(BOOK)).unwrap_or_default();
    if !book.is_empty() && !book.starts_with(MAGIC) {
        println!("cargo::error={} is not a .ybb book", folder.join(BOOK).display());
    }
    let target = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join(BOOK);
    fs::write(&target, book).expect("cargo's folder can be written");
}
