//! The user's data folder and web browser.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The folder for application data: `%APPDATA%` on Windows, else `$XDG_DATA_HOME` or `~/.local/share`. `None` if the
/// environment names no home.
#[must_use]
pub fn data_folder() -> Option<PathBuf> {
    let folder =
        |name: &str| env::var_os(name).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from);
    if cfg!(windows) {
        return folder("APPDATA");
    }
    // The XDG specification says that relative paths are ignored.
    let data = folder("XDG_DATA_HOME").filter(|path| path.is_absolute());
    data.or_else(|| Some(folder("HOME")?.join(".local/share")))
}

/// Opens one of this program's addresses in the default browser.
pub fn open_in_browser(address: &str) -> io::Result<()> {
    let (program, arguments): (&str, &[&str]) = if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(address);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(|_| ())
}
