//! Packs and lists the files of the pages, so that what is in the tree is served: no bundler, no generated files.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Write;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

const EXTENSIONS: [&str; 5] = ["html", "js", "css", "svg", "webmanifest"];
const LEFT_OUT: [&str; 2] = ["tests", "node_modules"];

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("ui");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("assets.rs");
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    let mut text = "&[\n".to_owned();
    for (number, file) in files.iter().enumerate() {
        let name = file.strip_prefix(&folder).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let packed = out.with_file_name(format!("asset-{number}.gz"));
        fs::write(&packed, pack(&fs::read(file)?)?)?;
        let _ = writeln!(text, "    ({name:?}, include_bytes!({:?})),", packed.to_string_lossy());
        println!("cargo::rerun-if-changed={}", file.display());
    }
    fs::write(out, text + "]\n")
}

/// Packed without a time, so that the same files give the same program.
fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    packer.finish()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !LEFT_OUT.contains(&name.as_str()) {
                collect(&path, files)?;
            }
        } else if path.extension().and_then(|e| e.to_str()).is_some_and(|e| EXTENSIONS.contains(&e)) {
            files.push(path);
        }
    }
    Ok(())
}
