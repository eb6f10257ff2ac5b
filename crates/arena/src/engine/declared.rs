use super::spec::EngineSpec;
use std::collections::BTreeMap;

/// The options declared by an engine in answer to `usi`, with their types (`string`, `filename`, `spin` …).
#[derive(Clone, Debug, Default)]
pub(crate) struct Declared(BTreeMap<String, String>);

impl Declared {
    /// Parses a line of the answer; ignores all but `option name NAME type TYPE …`.
    pub(crate) fn hear(&mut self, line: &str) {
        let Some(option) = line.strip_prefix("option name ") else { return };
        let (name, rest) = option.split_once(" type ").unwrap_or((option, ""));
        let kind = rest.split_ascii_whitespace().next().unwrap_or_default();
        self.0.insert(name.trim().to_owned(), kind.to_owned());
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// All names, for messages.
    pub(crate) fn names(&self) -> String {
        self.0.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// Whether the values of an option are paths: it is declared as `filename`, or as `string` (or not at all) with a
    /// name that ends in Dir, File or Path.
    pub(crate) fn takes_path(&self, name: &str) -> bool {
        let ends = |end: &&str| {
            let split = name.len().saturating_sub(end.len());
            name.get(split..).is_some_and(|last| last.eq_ignore_ascii_case(end))
        };
        match self.0.get(name).map(String::as_str) {
            Some("filename") => true,
            Some("string") | None => ["dir", "file", "path"].iter().any(ends),
            _ => false,
        }
    }

    /// The options of an engine as sent, with absolute paths.
    pub(crate) fn resolved(&self, spec: &EngineSpec) -> Vec<(String, String)> {
        let value = |(name, value): &(String, String)| {
            let path = spec.paths.get(name).filter(|_| self.takes_path(name));
            let sent = path.map_or_else(|| value.clone(), |path| path.display().to_string());
            (name.clone(), sent)
        };
        spec.options.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_says_what_is_a_path() {
        let mut declared = Declared::default();
        for line in [
            "id name x",
            "option name EvalDir type string default eval",
            "option name Eval_File type string",
            "option name LOG_PATH type string default a b",
            "option name Model type filename default <empty>",
            "option name BookFile type combo default no_book var no_book",
            "option name Threads type spin default 1 min 1 max 2",
            "option name Dirt type string default x",
        ] {
            declared.hear(line);
        }
        let paths = ["EvalDir", "Eval_File", "LOG_PATH", "Model"];
        assert!(paths.iter().all(|name| declared.takes_path(name)));
        let others = ["BookFile", "Threads", "Dirt", "Nothing", "é"];
        assert!(!others.iter().any(|name| declared.takes_path(name)));
    }
}
