use crate::time::TimeControl;
use crate::words::{self, WordError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// An engine that takes part: how it is started and what it is told.
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
    /// What tables and records call it.
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
    /// How long it may think.
    pub time: TimeControl,
    /// Whether it thinks on its opponent's time.
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
    /// Reads an engine from words such as `name=A cmd=./a option.Threads=1 nodes=10000`.
    ///
    /// The program's own folder is where it runs, unless `dir=` names another.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, WordError> {
        let mut spec = Self {
            name: String::new(),
            command: PathBuf::new(),
            arguments: Vec::new(),
            folder: PathBuf::new(),
            options: Vec::new(),
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
            // A bare name is looked for in PATH; anything else must survive the change of folder.
            "cmd" if value.contains(std::path::MAIN_SEPARATOR) => self.command = absolute(Path::new(value)),
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

    /// Gives an option a value, in place of an earlier one.
    pub fn set_option(&mut self, name: &str, value: &str) {
        match self.options.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => value.clone_into(old),
            None => self.options.push((name.to_owned(), value.to_owned())),
        }
    }
}

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
