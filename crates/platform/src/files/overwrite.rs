use crate::{AtPath, FileError};
use std::fs::File;
use std::io;
use std::path::Path;

/// Fails if `path` exists, is not empty, and `is_ours` does not recognise its content. `what` names the kind of file
/// that the caller would write, with its article.
pub fn check_overwrite(
    path: &Path,
    what: &str,
    is_ours: impl FnOnce(&mut File) -> io::Result<bool>,
) -> Result<(), FileError> {
    let refuse = |message: String| Err(io::Error::other(message)).at_path(path);
    let metadata = match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        metadata => metadata.at_path(path)?,
    };
    if metadata.is_dir() {
        return refuse(format!("a folder; expected a name for {what}"));
    }
    // Pipes and devices hold nothing that could be lost.
    if metadata.len() == 0
        || !metadata.is_file()
        || File::open(path).and_then(|mut file| is_ours(&mut file)).at_path(path)?
    {
        return Ok(());
    }
    let message = format!(
        "the file is there and is not {what}; nothing is written: choose another name, or replace it with --force \
         (in the console: force)"
    );
    refuse(message)
}
