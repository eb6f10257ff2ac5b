use crate::time::TimeControl;
use crate::words::{self, WordError};
use platform::process::Program;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf, is_separator};

/// An engine: its program, options and time control.
///
/// ```
/// use arena::EngineSpec;
/// let words = ["name=A", "cmd=engines/a", "option.Threads=1", "nodes=10000"];
/// let spec = EngineSpec::from_words(words)?;
/// assert_eq!(spec.name, "A");
/// assert_eq!(spec.options, [("Threads".to_owned(), "1".to_owned())]);
/// assert_eq!(spec.time.nodes, Some(10_000));
/// # Ok::<(), arena::WordError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in tables and records.
    pub name: String,
    /// The program.
    pub command: PathBuf,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The folder it runs in.
    pub folder: PathBuf,
    /// Options by name, in the order in which they are sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// Option values that name something in the user's folder, as absolute paths by option. They are sent instead of
    /// the values for options whose values are paths: declared as `filename`, or as `string` with a name that ends in
    /// Dir, File or Path.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub paths: BTreeMap<String, PathBuf>,
    /// Its time control.
    pub time: TimeControl,
    /// Whether it ponders.
    #[serde(default)]
    pub ponder: bool,
    /// Whether it is started anew for each game.
    #[serde(default)]
    pub restart: bool,
}

/// The words that describe an engine, for help texts.
pub const ENGINE_WORDS: &str = "name=, cmd=, args=, dir=, option.NAME=, hash=MB, threads=N, time=MS, inc=MS, \
     byoyomi=MS, movetime=MS, nodes=N, depth=N, ponder=on|off, restart=on|off";

impl EngineSpec {
    /// The program to start.
    #[must_use]
    pub fn program(&self) -> Program {
        Program {
            command: self.command.clone(),
            arguments: self.arguments.clone(),
            folder: self.folder.clone(),
        }
    }

    /// Parses an engine from words such as `name=A cmd=./a option.Threads=1 nodes=10000`.
    ///
    /// It runs in the program's own folder, unless `dir=` names another. Paths are relative to the current folder.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, WordError> {
        let mut spec = Self {
            name: String::new(),
            command: PathBuf::new(),
            arguments: Vec::new(),
            folder: PathBuf::new(),
            options: Vec::new(),
            paths: BTreeMap::new(),
            time: TimeControl::default(),
            ponder: false,
            restart: false,
        };
        for word in words {
            spec.apply(word)?;
        }
        if spec.command.as_os_str().is_empty() {
            return Err(WordError::Missing { key: "cmd", meaning: "the program of the engine" });
        }
        if spec.folder.as_os_str().is_empty() {
            let own = spec.command.parent().filter(|folder| !folder.as_os_str().is_empty());
            spec.folder = own.map_or_else(|| absolute(Path::new(".")), Path::to_owned);
        }
        spec.find_paths(&absolute(Path::new(".")));
        if spec.name.is_empty() {
            spec.name = spec.command.file_name().unwrap_or_default().to_string_lossy().into_owned();
        }
        Ok(spec)
    }

    fn apply(&mut self, word: &str) -> Result<(), WordError> {
        let (key, value) = words::split(word)?;
        if let Some(option) = key.strip_prefix("option.") {
            self.set_option(option, value);
            return Ok(());
        }
        match key {
            "name" => value.clone_into(&mut self.name),
            // A bare name is searched in PATH; a path must stay valid after changing the folder.
            "cmd" if value.contains(is_separator) => self.command = absolute(Path::new(value)),
            "cmd" => self.command = PathBuf::from(value),
            "args" => self.arguments = value.split_whitespace().map(str::to_owned).collect(),
            "dir" => self.folder = absolute(Path::new(value)),
            "hash" => self.set_option("USI_Hash", words::number::<u32>(key, value)?.to_string().as_str()),
            "threads" => self.set_option("Threads", words::number::<u32>(key, value)?.to_string().as_str()),
            "ponder" => self.ponder = words::switch(key, value)?,
            "restart" => self.restart = words::switch(key, value)?,
            _ if self.time.apply(key, value)? => {}
            _ => return Err(WordError::Unknown { key: key.to_owned(), known: ENGINE_WORDS }),
        }
        Ok(())
    }

    /// Sets an option, replacing an earlier value.
    pub fn set_option(&mut self, name: &str, value: &str) {
        match self.options.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.options.push((name.to_owned(), value.to_owned())),
        }
    }

    /// Finds the option values that name something in the user's folder: what exists there, and what would be created
    /// in a folder that exists there, unless the engine's own folder has it.
    fn find_paths(&mut self, user: &Path) {
        let has_book_folder = self.options.iter().any(|(name, _)| name == BOOK_FOLDER);
        for (name, value) in &self.options {
            // If there is a `BookDir`, `BookFile` is the name of a file in it.
            let in_book_folder = has_book_folder && name == BOOK_FILE;
            if value.is_empty() || value.starts_with('<') || in_book_folder {
                continue;
            }
            let here = user.join(value);
            let made_here = value.contains(is_separator)
                && here.parent().is_some_and(Path::is_dir)
                && !self.folder.join(value).exists();
            if Path::new(value).is_relative() && (here.exists() || made_here) {
                self.paths.insert(name.clone(), here.components().collect());
            }
        }
    }
}

const BOOK_FOLDER: &str = "BookDir";
const BOOK_FILE: &str = "BookFile";

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Result<EngineSpec, String> {
        EngineSpec::from_words(words.split(' ')).map_err(|error| error.to_string())
    }

    #[test]
    fn words_make_an_engine() {
        let spec = read("cmd=/opt/e/engine hash=64 threads=2 ponder=on byoyomi=1000 dir=/tmp").unwrap();
        assert_eq!(spec.name, "engine");
        assert_eq!(spec.folder, Path::new("/tmp"));
        assert_eq!(spec.options.len(), 2);
        assert!(spec.ponder && !spec.restart);
        assert_eq!(spec.time.byoyomi, 1000);
        assert_eq!(read("cmd=/opt/e/engine nodes=1").unwrap().folder, Path::new("/opt/e"));
        assert_eq!(read("cmd=a option.X=1 option.X=2").unwrap().options, [("X".into(), "2".into())]);
    }

    #[test]
    fn paths_are_those_of_the_user() {
        let user = tempfile::tempdir().unwrap();
        let own = tempfile::tempdir().unwrap();
        for folder in ["nets/a", "1", "logs"] {
            std::fs::create_dir_all(user.path().join(folder)).unwrap();
        }
        std::fs::create_dir_all(own.path().join("logs/old")).unwrap();
        std::fs::write(user.path().join("x.db"), "").unwrap();
        let found = |words: &str| {
            let mut spec = read(&format!("cmd=/e dir={} {words}", own.path().display())).unwrap();
            spec.paths.clear();
            spec.find_paths(user.path());
            let paths = spec.paths.into_iter();
            let local = |path: PathBuf| path.strip_prefix(user.path()).unwrap().display().to_string();
            paths.map(|(name, path)| format!("{name}={}", local(path))).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(found("option.EvalDir=nets/a"), "EvalDir=nets/a");
        assert_eq!(found("option.EvalDir=./nets/a/"), "EvalDir=nets/a");
        assert_eq!(found("option.EvalDir=nets/b option.LogFile=logs/new"), "EvalDir=nets/b LogFile=logs/new");
        assert_eq!(found("option.LogDir=logs/old option.EvalDir=eval option.EvalFile=/abs option.Dir="), "");
        assert_eq!(found("option.EvalDir=<material> option.BookFile=no_book"), "");
        assert_eq!(found("option.BookFile=x.db"), "BookFile=x.db");
        assert_eq!(found("option.BookFile=x.db option.BookDir=book"), "", "a name inside BookDir");
    }

    #[test]
    fn what_is_refused() {
        for (words, message) in [
            ("name=A", "`cmd=` is missing: the program of the engine"),
            ("cmd=a nodes=many", "`nodes=many`: expected a number"),
            ("cmd=a ponder=maybe", "`ponder=maybe`: expected `on` or `off`"),
            ("cmd=a nodes", "`nodes`: expected `KEY=VALUE`"),
        ] {
            assert_eq!(read(words).unwrap_err(), message);
        }
        assert!(read("cmd=a colour=red").unwrap_err().starts_with("unknown key `colour`"));
    }
}
