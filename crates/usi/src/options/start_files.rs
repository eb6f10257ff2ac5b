//! Files read at the start: a name, a greeting, commands.

use super::folders::{self, FileError, Folders};
use std::fmt;
use std::path::PathBuf;

/// Longer files of a few lines are refused.
const MAX_BYTES: u64 = 1 << 20;
/// Longer command files are refused; a game of 300 moves takes some 2 KiB.
const MAX_COMMAND_BYTES: u64 = 64 << 20;

/// The content of `engine_name.txt`.
///
/// ```
/// use usi::options::EngineName;
/// let id = EngineName::parse("My Engine\n");
/// assert_eq!((&*id.name, &*id.author), ("My Engine", "default author"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineName {
    /// The first line, for `id name`.
    pub name: String,
    /// The second line, for `id author`.
    pub author: String,
}

impl EngineName {
    /// Parses the first two lines of a text.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let mut line_or = |default: &str| {
            let line: String = lines.next().unwrap_or_default().chars().filter(|c| !c.is_control()).collect();
            let line = line.trim_ascii();
            if line.is_empty() { default.to_owned() } else { line.to_owned() }
        };
        Self { name: line_or("default engine"), author: line_or("default author") }
    }

    /// Reads `engine_name.txt`, if it exists.
    pub fn read(folders: &Folders) -> Result<Option<Self>, FileError> {
        let file = folders.read_if_present("engine_name.txt", MAX_BYTES)?;
        Ok(file.map(|file| Self::parse(&file.text)))
    }
}

/// The lines of `startup_info.txt`, printed as they are before any command; empty if it does not exist.
pub fn startup_info(folders: &Folders) -> Result<Vec<String>, FileError> {
    let file = folders.read_if_present("startup_info.txt", MAX_BYTES)?;
    Ok(file.map_or_else(Vec::new, |file| file.text.lines().map(str::to_owned).collect()))
}

/// The commands of `startup.txt`, executed after those of the command line; empty if it does not exist.
pub fn startup_commands(folders: &Folders) -> Result<Vec<String>, FileError> {
    let file = folders.read_if_present("startup.txt", MAX_COMMAND_BYTES)?;
    Ok(file.map_or_else(Vec::new, |file| commands(&file.text)))
}

/// A file of commands. Its `Display` is the announcement of the file.
///
/// ```no_run
/// use usi::options::{CommandFile, Folders};
/// let folders = Folders::of_process();
/// match CommandFile::read_named(&folders, "opening") {
///     Ok(file) => println!("{file}"), // USI Commands from File = /opt/tsumugi/opening.txt
///     Err(error) => println!("info string Error! {error}"),
/// }
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandFile {
    /// Its path.
    pub path: PathBuf,
    /// Its lines, without empty ones.
    pub commands: Vec<String>,
}

impl CommandFile {
    /// Reads the file of the argument `file PATH`.
    pub fn read(folders: &Folders, path: &str) -> Result<Self, FileError> {
        let file = folders.read(path.trim_ascii(), MAX_COMMAND_BYTES)?;
        Ok(Self { path: file.path, commands: commands(&file.text) })
    }

    /// Reads the file of `f NAME`: `NAME.txt`.
    pub fn read_named(folders: &Folders, name: &str) -> Result<Self, FileError> {
        Self::read(folders, &format!("{}.txt", name.trim_ascii()))
    }
}

impl fmt::Display for CommandFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "USI Commands from File = {}", folders::show(&self.path))
    }
}

fn commands(text: &str) -> Vec<String> {
    text.lines().map(str::trim_ascii).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::scratch::Scratch;

    #[test]
    fn names() {
        for (text, name, author) in [
            ("", "default engine", "default author"),
            ("A B\r\nC\r\nD", "A B", "C"),
            ("A", "A", "default author"),
            ("\nC", "default engine", "C"),
            (" A\0\rid x \n\t\n", "Aid x", "default author"),
            ("紬", "紬", "default author"),
        ] {
            let expected = EngineName { name: name.into(), author: author.into() };
            assert_eq!(EngineName::parse(text), expected, "{text:?}");
        }
    }

    #[test]
    fn without_files_there_is_silence() {
        let scratch = Scratch::new();
        let folders = scratch.folders();
        assert_eq!(EngineName::read(&folders), Ok(None));
        assert_eq!(startup_info(&folders), Ok(vec![]));
        assert_eq!(startup_commands(&folders), Ok(vec![]));
    }

    #[test]
    fn files_are_found_and_read() {
        let scratch = Scratch::new();
        let folders = scratch.folders();
        scratch.write("binary/engine_name.txt", b"\xef\xbb\xbfName\r\nAuthor\r\n");
        scratch.write("current/startup_info.txt", b" hello \r\n\r\nworld");
        scratch.write("current/startup.txt", b"usi\r\n\r\n setoption name Threads value 2 \nisready");
        let name = EngineName::read(&folders).unwrap().unwrap();
        assert_eq!((&*name.name, &*name.author), ("Name", "Author"));
        assert_eq!(startup_info(&folders).unwrap(), [" hello ", "", "world"]);
        let commands = ["usi", "setoption name Threads value 2", "isready"];
        assert_eq!(startup_commands(&folders).unwrap(), commands);
        assert_eq!(CommandFile::read(&folders, " startup.txt\r").unwrap().commands, commands);
        let file = CommandFile::read_named(&folders, "startup ").unwrap();
        assert_eq!(file.commands, commands);
        assert_eq!(file.to_string(), format!("USI Commands from File = {}", file.path.display()));
    }

    #[test]
    fn a_command_file_must_exist() {
        let scratch = Scratch::new();
        for name in ["nothing", "", "a/b", "\0"] {
            let error = CommandFile::read_named(&scratch.folders(), name).unwrap_err().to_string();
            assert!(error.is_ascii() && !error.contains('\n'), "{error}");
        }
    }
}
