//! The table of messages: an English text with placeholders, and its Japanese translation.

use std::sync::OnceLock;

const TABLE: &str = include_str!("messages.txt");

/// The placeholder for a number.
const NUMBER: &str = "{n}";
/// The placeholders.
const HOLES: [&str; 2] = ["{}", NUMBER];

/// How deep the texts in placeholders are translated.
const DEPTH: usize = 4;

/// A message of the table.
struct Message {
    /// The English text, split at its placeholders.
    english: Vec<&'static str>,
    /// Whether each placeholder is for a number.
    numbers: Vec<bool>,
    japanese: &'static str,
}

/// The table.
pub struct Messages(Vec<Message>);

impl Messages {
    /// The table from English to Japanese.
    pub fn japanese() -> &'static Self {
        static MESSAGES: OnceLock<Messages> = OnceLock::new();
        MESSAGES.get_or_init(|| {
            Self(pairs().map(|(english, japanese)| Message::new(english, japanese)).collect())
        })
    }

    /// A text translated line by line, as far as the table has it.
    pub fn text(&self, text: &str) -> String {
        text.split('\n').map(|line| self.line(line, DEPTH)).collect::<Vec<_>>().join("\n")
    }

    fn line(&self, line: &str, depth: usize) -> String {
        let start = line.len() - line.trim_start().len();
        let (blank, text) = line.split_at(start);
        self.known(text, depth).map_or_else(|| line.to_owned(), |translated| format!("{blank}{translated}"))
    }

    fn known(&self, text: &str, depth: usize) -> Option<String> {
        if depth == 0 || text.is_empty() {
            return None;
        }
        let whole = self.0.iter().find_map(|message| Some((message, message.holes(text)?)));
        if let Some((message, holes)) = whole {
            let holes: Vec<_> = holes.iter().map(|hole| self.line(hole, depth - 1)).collect();
            return Some(message.fill(&holes));
        }
        // Causes follow a colon, further remarks a semicolon; a list begins with a comma.
        if let Some(list) = text.strip_prefix(", ") {
            let items = list.split(", ").map(|item| self.line(item, depth - 1));
            return Some(items.fold(String::new(), |list, item| list + "、" + &item));
        }
        let at = text.find(": ").into_iter().chain(text.find("; ")).min()?;
        let (left, right) = (&text[..at], &text[at + 2..]);
        Some(self.line(left, 1) + &text[at..at + 2] + &self.line(right, depth))
    }
}

impl Message {
    fn new(english: &'static str, japanese: &'static str) -> Self {
        let (mut pieces, mut numbers, mut rest) = (Vec::new(), Vec::new(), english);
        while let Some((at, hole)) = HOLES.iter().filter_map(|hole| Some((rest.find(hole)?, *hole))).min() {
            pieces.push(&rest[..at]);
            numbers.push(hole == NUMBER);
            rest = &rest[at + hole.len()..];
        }
        pieces.push(rest);
        Self { english: pieces, numbers, japanese }
    }

    /// The texts in the placeholders, if `text` is this message.
    fn holes<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let (first, rest) = self.english.split_first()?;
        let mut text = text.strip_prefix(first)?;
        let Some((last, between)) = rest.split_last() else { return text.is_empty().then(Vec::new) };
        let mut holes = Vec::new();
        for piece in between {
            let (hole, behind) = text.split_once(piece)?;
            holes.push(hole);
            text = behind;
        }
        holes.push(text.strip_suffix(last)?);
        let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.');
        let fits = holes.iter().zip(&self.numbers).all(|(hole, number)| !number || is_number(hole));
        fits.then_some(holes)
    }

    /// The Japanese text with its placeholders filled: `{}` in order, `{2}` by number.
    fn fill(&self, holes: &[String]) -> String {
        let mut text = String::new();
        let mut next = 0;
        let mut rest = self.japanese;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((number, behind)) = after.split_once('}') else { break };
            let index = if number.is_empty() {
                next
            } else {
                number.parse().map_or(next, |number: usize| number - 1)
            };
            next += 1;
            text += before;
            text += holes.get(index).map_or("", String::as_str);
            rest = behind;
        }
        text + rest
    }
}

/// The lines of the table, two by two.
fn pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    std::iter::from_fn(move || Some((lines.next()?, lines.next()?.trim_start())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// All sources as one text, literals over several lines joined, and every `{…}` without what is in it.
    fn sources() -> String {
        fn add(folder: &Path, all: &mut String) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    add(&path, all);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    all.push_str(&std::fs::read_to_string(path).unwrap());
                }
            }
        }
        let mut all = String::new();
        for room in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap() {
            add(&room.unwrap().path().join("src"), &mut all);
        }
        let mut text = String::new();
        for (number, part) in all.split("\\\n").enumerate() {
            text += if number == 0 { part } else { part.trim_start() };
        }
        emptied(&text)
    }

    /// `{name:>6}` as `{}`.
    fn emptied(text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for (number, part) in text.split('{').enumerate() {
            match part.split_once('}') {
                Some((inside, rest)) if number > 0 && !inside.contains([' ', '\n', '{']) => {
                    out += "{}";
                    out += rest;
                }
                _ if number > 0 => {
                    out.push('{');
                    out += part;
                }
                _ => out += part,
            }
        }
        out
    }

    #[test]
    fn both_languages_have_the_same_holes() {
        let mut seen = BTreeSet::new();
        for (english, japanese) in pairs() {
            assert!(seen.insert(english), "twice: {english}");
            assert!(!english.starts_with(' ') && !japanese.is_ascii(), "out of step: {english} / {japanese}");
            let holes = HOLES.iter().map(|hole| english.matches(hole).count()).sum::<usize>();
            let filled = Message::new(english, japanese).fill(&vec!["\u{1}".to_owned(); holes]);
            // `game{}` is the English plural.
            let plurals = english.matches("game{}").count();
            assert_eq!(filled.matches('\u{1}').count(), holes - plurals, "{english} / {japanese}");
        }
        assert!(seen.len() > 60);
    }

    #[test]
    fn every_english_text_is_in_the_sources() {
        let sources = sources();
        let own = TABLE.split("# The words of clap").next().unwrap();
        let system =
            ["{} (os error {})", "No such file", "Permission denied", "Is a directory", "Not a directory"];
        let system = |text: &str| {
            system
                .iter()
                .chain(&["No space left", "Address already", "error: {}", "warning: {}"])
                .any(|word| text.starts_with(word))
        };
        for (english, _) in
            pairs().filter(|(english, _)| own.contains(&format!("\n{english}\n")) && !system(english))
        {
            let english = english.replace(NUMBER, "{}");
            let short = english.strip_prefix("{} ").unwrap_or(&english);
            let short = short.strip_suffix("{}").unwrap_or(short);
            let quoted = short.replace('"', "\\\"");
            assert!(sources.contains(&quoted), "no source says: {english}");
        }
    }

    #[test]
    fn holes_are_translated_too() {
        let messages = Messages::japanese();
        for (english, japanese) in [
            (
                "a.kif: No such file or directory (os error 2)",
                "a.kif: ファイルまたはフォルダーがありません（OS エラー 2）",
            ),
            ("5 of 7 positions are known already", "7局面のうち5局面は解析済みです"),
            ("1 game read, 1 written", "1局を読み込み、1局を書き出しました"),
            ("5 games read, 3 written, 2 failed", "5局を読み込み、3局を書き出しました、失敗 2件"),
            ("  tip: a similar argument exists: '--to'", "  近いもの: --to"),
            ("#1: mate in exactly 1 ply (2 positions, 0.143 s)", "#1: 詰み、ちょうど1手（2局面、0.143秒）"),
            ("  G*5b", "  G*5b"),
            ("the engine failed", "the engine failed"),
            ("bestmove 7g7f", "bestmove 7g7f"),
            ("", ""),
        ] {
            assert_eq!(messages.text(english), japanese);
        }
    }
}
