//! Splits a variants file into sections, and those into keys with values.

use crate::definition::message::{Message, Severity};

/// Longer files are refused.
const MOST_BYTES: usize = 4 << 20;
/// Longer lines are refused.
const MOST_LINE: usize = 4096;
/// Longer names are refused, because hosts show them in lists.
const MOST_NAME: usize = 64;

/// `[name:parent]` with what follows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Section {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) parent: Option<String>,
    pub(crate) entries: Vec<Entry>,
}

/// `key = value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) line: usize,
    pub(crate) key: String,
    pub(crate) value: String,
}

/// Splits a text into sections. Lines before the first section are ignored.
pub(crate) fn sections(text: &str, messages: &mut Vec<Message>) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    if text.len() > MOST_BYTES {
        let much = format!("more than {MOST_BYTES} bytes; nothing was read");
        messages.push(Message::new(Severity::Error, 1, "", "", much));
        return sections;
    }
    // Lines after a malformed section head are skipped.
    let mut lost = true;
    for (index, line) in text.split('\n').enumerate() {
        let number = index + 1;
        let line = line.trim_end_matches('\r');
        if line.starts_with(['#', ';']) || line.trim().is_empty() {
            continue;
        }
        if let Some(head) = line.trim_start().strip_prefix('[') {
            match section(head, number) {
                Ok(section) => {
                    sections.push(section);
                    lost = false;
                }
                Err(text) => {
                    messages.push(Message::new(Severity::Error, number, "", "", text));
                    lost = true;
                }
            }
            continue;
        }
        let Some(section) = sections.last_mut().filter(|_| !lost) else { continue };
        match entry(line, number) {
            Ok(entry) => section.entries.push(entry),
            Err(text) => messages.push(Message::new(Severity::Warning, number, &section.name, "", text)),
        }
    }
    sections
}

fn section(head: &str, line: usize) -> Result<Section, String> {
    let (inside, _) =
        head.split_once(']').ok_or("a section `[name]` or `[name:parent]` was begun but not ended by `]`")?;
    let (name, parent) = match inside.split_once(':') {
        Some((name, parent)) => (name.trim(), Some(parent.trim())),
        None => (inside.trim(), None),
    };
    for word in [Some(name), parent].into_iter().flatten() {
        if word.is_empty() || word.len() > MOST_NAME || !word.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(format!(
                "the name of a section is one word of at most {MOST_NAME} letters, found `{}`",
                shown(word)
            ));
        }
    }
    Ok(Section { line, name: name.to_owned(), parent: parent.map(str::to_owned), entries: Vec::new() })
}

fn entry(line: &str, number: usize) -> Result<Entry, String> {
    if line.len() > MOST_LINE {
        return Err(format!("more than {MOST_LINE} bytes; ignored"));
    }
    let (key, value) = line
        .split_once('=')
        .ok_or_else(|| format!("expected `key = value`, found `{}`; ignored", shown(line)))?;
    let value = value.find(" #").map_or(value, |comment| &value[..comment]);
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() {
        return Err("no key before `=`; ignored".to_owned());
    }
    Ok(Entry { line: number, key: shown(key), value: value.to_owned() })
}

/// The beginning of a text for messages; a text may be of any length.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(60).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        let mut messages = Vec::new();
        let text = "ignored\n[a]\r\n# comment\r\n; too\nkey=value = 3 # remark\r\n  x  =\n[b:a]\nnonsense\n=1\n[c\nlost = 1\n[ :x]\n";
        let sections = sections(text, &mut messages);
        assert_eq!(sections.len(), 2);
        let entry = |line, key: &str, value: &str| Entry { line, key: key.into(), value: value.into() };
        assert_eq!(sections[0].entries, [entry(5, "key", "value = 3"), entry(6, "x", "")]);
        assert_eq!((sections[1].line, sections[1].parent.as_deref()), (7, Some("a")));
        assert!(sections[1].entries.is_empty());
        assert_eq!(messages.iter().map(|m| m.line).collect::<Vec<_>>(), [8, 9, 10, 12]);
    }
}
