//! Puts the network of the folder `nets` into the program (`nets/README.md`).

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Another folder than `nets`, for tests and for packagers.
const FOLDER: &str = "TSUMUGI_NETS";
const NETWORK: &str = "nn.bin.zst";
const SCALE: &str = "fv_scale.txt";
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

fn main() {
    println!("cargo::rerun-if-env-changed={FOLDER}");
    let folder = env::var_os(FOLDER).map_or_else(
        || Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../nets"),
        PathBuf::from,
    );
    // A folder that comes to be or goes counts as well as what is in it.
    println!("cargo::rerun-if-changed={}", folder.display());
    let network = folder.join(NETWORK);
    let compressed = fs::read(&network).unwrap_or_default();
    if !compressed.is_empty() && !compressed.starts_with(&ZSTD_MAGIC) {
        println!("cargo::error={} is not compressed with zstd", network.display());
    }
    if compressed.is_empty() && folder.join("nn.bin").exists() {
        println!(
            "cargo::warning={0}/nn.bin is left out: compress it with `zstd -19 {0}/nn.bin`",
            folder.display()
        );
    }
    let scale = fs::read_to_string(folder.join(SCALE)).unwrap_or_else(|_| "16".to_owned());
    if !matches!(scale.trim().parse(), Ok(1..=128)) {
        println!("cargo::error={}: a number from 1 to 128 was expected", folder.join(SCALE).display());
    }
    println!("cargo::rustc-env=TSUMUGI_NET_FV_SCALE={}", scale.trim());
    let target = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join(NETWORK);
    fs::write(&target, compressed).expect("cargo's folder can be written");
}
