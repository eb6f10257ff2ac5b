//! The log of all lines, one file for each day.

use platform::{AtPath, FileError};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes `HH:MM:SS.mmm < line` for received and `>` for sent lines, without buffering; `tsumugi convert` reads these
/// files.
pub struct Traffic {
    folder: PathBuf,
    day: String,
    file: Option<File>,
}

impl Traffic {
    /// Logs to `traffic/DATE.log` in this folder.
    pub fn new(folder: &Path) -> Result<Self, FileError> {
        let folder = folder.join("traffic");
        std::fs::create_dir_all(&folder).at_path(&folder)?;
        Ok(Self { folder, day: String::new(), file: None })
    }

    /// Logs a line from the server.
    pub fn came(&mut self, line: &str) {
        self.write('<', line);
    }

    /// Logs a line to the server, without its end and without a password.
    pub fn went(&mut self, line: &str) {
        self.write('>', line);
    }

    /// Errors are ignored: a full disk must not lose a game.
    fn write(&mut self, mark: char, line: &str) {
        let now = jiff::Zoned::now();
        let day = now.strftime("%Y-%m-%d").to_string();
        if self.file.is_none() || day != self.day {
            let path = self.folder.join(format!("{day}.log"));
            self.file = File::options().append(true).create(true).open(path).ok();
            self.day = day;
        }
        if let Some(file) = &mut self.file {
            let text = format!("{} {mark} {line}\n", now.strftime("%H:%M:%S%.3f"));
            let _ = file.write_all(text.as_bytes());
        }
    }
}
