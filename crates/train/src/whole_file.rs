//! Files that no kill leaves half written.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// Writes a file that is there whole or not at all.
pub fn write_whole(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = File::create(&part)
        .and_then(|file| {
            let mut writer = BufWriter::with_capacity(1 << 16, file);
            fill(&mut writer)?;
            writer.into_inner()?.sync_all()
        })
        .and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // Nothing useful is in it.
        let _ = fs::remove_file(&part);
    }
    written
}
