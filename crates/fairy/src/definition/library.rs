//! All known variants: those that come with the program, and those read from files.

use crate::definition::ini::{self, Section};
use crate::definition::keys::{self, Fault, Round};
use crate::definition::message::{Message, Severity};
use crate::definition::rules::Rules;
use crate::fairy_game::FairyGame;
use crate::position::Position;
use crate::variant::Variant;
use game::Color;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// The file that is compiled in.
const SHIPPED: &str = include_str!("variants.ini");

/// Sections from which others may inherit, but which another crate plays.
const ABSTRACT: [&str; 1] = ["shogi"];

/// The known variants by name.
///
/// ```
/// use fairy::Library;
/// let mut library = Library::shipped();
/// assert!(library.names().any(|name| name == "66shogi"));
/// let report = library.read("[mine:minishogi]\ndropLoop = true\n[bad:mine]\nmaxRank = 99\n");
/// assert_eq!(report.added, ["mine"]);
/// assert_eq!(
///     report.messages[0].to_string(),
///     "line 4: error: [bad] maxRank: expected a number from 1 to 10, found `99`"
/// );
/// assert!(library.game("mine").is_some() && library.game("bad").is_none());
/// ```
#[derive(Clone, Default)]
pub struct Library {
    entries: BTreeMap<String, Known>,
    /// Names in the order of definition.
    order: Vec<String>,
}

#[derive(Clone)]
struct Known {
    rules: Rules,
    /// Built on first use: that takes 30 times as long as reading the rules, and the program comes with many variants.
    game: OnceLock<FairyGame>,
    source: Source,
}

/// The origin of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Source {
    Shipped,
    /// A text without a file name.
    Text,
    /// A file, which may be read again.
    File(String),
}

impl Known {
    /// Whether a section from `source` may replace this one.
    fn may_become(&self, source: &Source) -> bool {
        self.source == Source::Shipped || matches!(source, Source::File(_)) && self.source == *source
    }
}

/// The result of reading a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The variants defined, in the order of the file.
    pub added: Vec<String>,
    /// Those of them that are new or have other rules than before.
    pub changed: Vec<String>,
    /// Remarks, by line.
    pub messages: Vec<Message>,
}

impl Report {
    /// Whether a section was refused.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.messages.iter().any(|message| message.severity == Severity::Error)
    }
}

impl Library {
    /// The variants that come with the program.
    #[must_use]
    pub fn shipped() -> Self {
        let mut library = Self::default();
        let report = library.take_in(SHIPPED, &Source::Shipped);
        debug_assert!(report.messages.is_empty(), "{:?}", report.messages);
        library
    }

    /// Names of the playable variants, in the order of definition.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str).filter(|name| !ABSTRACT.contains(name))
    }

    /// The variant of that name.
    #[must_use]
    pub fn game(&self, name: &str) -> Option<FairyGame> {
        let known = self.entries.get(name)?;
        // Cannot fail: only shipped variants are built this late, and a test builds all of those.
        let make =
            || build(name, &known.rules).unwrap_or_else(|(key, text)| panic!("[{name}] {key}: {text}"));
        Some(known.game.get_or_init(make).clone())
    }

    /// Reads the sections of a text. An invalid section is refused; the others are defined.
    pub fn read(&mut self, text: &str) -> Report {
        self.take_in(text, &Source::Text)
    }

    /// Reads the sections of a file likewise. Sections that the same file defined before are redefined; a section that
    /// is now invalid or missing stays as it was.
    ///
    /// ```
    /// use fairy::Library;
    /// let mut library = Library::shipped();
    /// library.read_file("my.ini", "[mine:minishogi]\n");
    /// let report = library.read_file("my.ini", "[mine:judkins]\n");
    /// assert_eq!((report.added, report.messages), (vec!["mine".to_owned()], vec![]));
    /// assert_eq!(library.game("mine").unwrap().variant().rules().ranks, 6);
    /// ```
    pub fn read_file(&mut self, name: &str, text: &str) -> Report {
        self.take_in(text, &Source::File(name.to_owned()))
    }

    fn take_in(&mut self, text: &str, source: &Source) -> Report {
        let mut report = Report::default();
        let sections = ini::sections(text, &mut report.messages);
        for (place, section) in sections.iter().enumerate() {
            let rules =
                self.section(section, &sections[place..], source, &report.added, &mut report.messages);
            let known = rules.and_then(|rules| known(section, rules, source, &mut report.messages));
            if let Some(known) = known {
                let before = self.entries.get(&section.name);
                if before.is_none() {
                    self.order.push(section.name.clone());
                }
                if before.is_none_or(|before| before.rules != known.rules) {
                    report.changed.push(section.name.clone());
                }
                self.entries.insert(section.name.clone(), known);
                report.added.push(section.name.clone());
            }
        }
        report.messages.sort_by_key(|message| message.line);
        report
    }

    /// Parses a section to rules, or explains why that fails.
    fn section(
        &self,
        section: &Section,
        later: &[Section],
        source: &Source,
        added: &[String],
        messages: &mut Vec<Message>,
    ) -> Option<Rules> {
        let name = &section.name;
        let mut refuse = |line: usize, key: &str, text: String| {
            messages.push(Message::new(Severity::Error, line, name, key, text));
        };
        if let Some(known) = self.entries.get(name) {
            let reason = if added.contains(name) {
                Some("defined twice in this file; the first definition stays")
            } else if !known.may_become(source) || ABSTRACT.contains(&name.as_str()) {
                Some("known already; the former definition stays")
            } else {
                None
            };
            if let Some(reason) = reason {
                refuse(section.line, "", reason.to_owned());
                return None;
            }
        }
        let parent = section.parent.as_ref().map(|parent| (parent, self.entries.get(parent)));
        let mut rules = match parent {
            None => Rules::default(),
            Some((_, Some(known))) => known.rules.clone(),
            Some((parent, None)) => {
                refuse(section.line, "", unknown_parent(name, parent, later));
                return None;
            }
        };
        let mut good = true;
        let mut entries: Vec<&ini::Entry> = section.entries.iter().collect();
        entries.sort_by_key(|entry| keys::round(&entry.key));
        for (place, entry) in entries.iter().enumerate() {
            let mut say =
                |severity, text| messages.push(Message::new(severity, entry.line, name, &entry.key, text));
            let again = |others: &[&ini::Entry]| {
                keys::round(&entry.key) != Round::Unknown && others.iter().any(|other| other.key == entry.key)
            };
            if again(&entries[..place]) {
                say(Severity::Warning, "given twice; the last value counts".to_owned());
            }
            if again(&entries[place + 1..]) {
                continue;
            }
            match keys::apply(&mut rules, entry) {
                Ok(()) => {}
                Err(Fault::Warning(text)) => say(Severity::Warning, text),
                Err(Fault::Error(text)) => {
                    say(Severity::Error, text);
                    good = false;
                }
            }
        }
        if let Some(entry) = entries.iter().find(|entry| entry.key == "setupMustDrop")
            && rules.setup.must_drop
            && !rules.setup.drops
        {
            let text = "has no effect without `setupDrops = true`".to_owned();
            messages.push(Message::new(Severity::Warning, entry.line, name, &entry.key, text));
        }
        good.then_some(rules)
    }
}

/// Builds the variant of a section, or explains why that fails. Shipped variants are built on first use.
fn known(section: &Section, rules: Rules, source: &Source, messages: &mut Vec<Message>) -> Option<Known> {
    let game = OnceLock::new();
    if *source != Source::Shipped {
        match build(&section.name, &rules) {
            Ok(made) => drop(game.set(made)),
            Err((key, text)) => {
                let entry = section.entries.iter().rev().find(|entry| entry.key.starts_with(key));
                let line = entry.map_or(section.line, |entry| entry.line);
                messages.push(Message::new(Severity::Error, line, &section.name, key, text));
                return None;
            }
        }
    }
    Some(Known { rules, game, source: source.clone() })
}

fn unknown_parent(name: &str, parent: &str, later: &[Section]) -> String {
    match later.iter().find(|section| section.name == parent) {
        Some(_) if name == parent => format!("`{parent}` cannot be its own parent"),
        Some(section) => {
            format!("its parent `{parent}` comes later, at line {}: parents come first", section.line)
        }
        None => format!("its parent `{parent}` is not known"),
    }
}

/// Builds a game; the error names the key that contradicts the others.
fn build(name: &str, rules: &Rules) -> Result<FairyGame, (&'static str, String)> {
    if rules.pieces.iter().all(Option::is_none) {
        return Err(("", "no pieces".to_owned()));
    }
    if !rules.has_goal() {
        let text = "missing, and neither extinctionPieceTypes nor flagRegion decides the game";
        return Err(("king", text.to_owned()));
    }
    let variant = Arc::new(Variant::new(name, rules));
    if rules.start.is_empty() {
        return Err(("startFen", "missing".to_owned()));
    }
    let start = Position::start(&variant, &rules.start).map_err(|error| ("startFen", error.to_string()))?;
    if rules.setup.drops {
        for color in Color::ALL {
            let setup = &variant.setup[color.index()];
            let room = setup.region.without(start.core().occupied()).len();
            let pieces = variant.setup_drops_of(color, &start.hands()[color.index()]);
            if pieces > room {
                let text = format!("{color} has to place {pieces} pieces on {room} squares");
                return Err(("setupDropRegion", text));
            }
        }
    }
    Ok(FairyGame::new(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages of a file, and what it added.
    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let report = Library::shipped().read(text);
        (report.messages.iter().map(ToString::to_string).collect(), report.added)
    }

    #[test]
    fn what_is_shipped_is_sound() {
        let mut library = Library::default();
        let report = library.read(SHIPPED);
        assert!(report.messages.is_empty(), "{:?}", report.messages);
        let names: Vec<&str> = library.names().collect();
        for name in [
            "66shogi",
            "66shogi-free",
            "minishogi",
            "kyotoshogi",
            "micro",
            "dobutsu",
            "gorogoro",
            "gorogoroplus",
            "judkins",
            "torishogi",
            "euroshogi",
            "yarishogi",
            "okisakishogi",
            "cannonshogi",
            "checkshogi",
            "shoshogi",
            "antiminishogi",
        ] {
            assert!(names.contains(&name), "{name}");
        }
        assert!(!names.contains(&"shogi") && library.game("shogi").is_some());
    }

    #[test]
    fn what_is_shipped_is_made_when_it_is_played() {
        let library = Library::shipped();
        let made =
            |library: &Library| library.entries.values().filter(|known| known.game.get().is_some()).count();
        assert!(library.names().count() >= 17);
        assert_eq!(made(&library), 0);
        for (number, name) in library.names().enumerate() {
            assert_eq!(
                library.game(name).map(|game| game.variant().name().to_owned()).as_deref(),
                Some(name)
            );
            assert_eq!(made(&library), number + 1);
        }
    }

    #[test]
    fn bad_files_name_the_line_and_leave_the_rest() {
        for (text, message) in [
            (
                "[a:b]\n[b:a]\n",
                "line 1: error: [a] its parent `b` comes later, at line 2: parents come first",
            ),
            ("[a:a]\n", "line 1: error: [a] `a` cannot be its own parent"),
            ("[a:nowhere]\n", "line 1: error: [a] its parent `nowhere` is not known"),
            ("[a]\n", "line 1: error: [a] no pieces"),
            ("[a]\nking = k\n", "line 1: error: [a] startFen: missing"),
            (
                "[a:minishogi]\nking = -\nstartFen = rbsg1/5/5/5/1GSBR w 0 1\n",
                "line 2: error: [a] king: missing, and neither extinctionPieceTypes nor flagRegion decides the game",
            ),
            (
                "[a]\ngold = g\nstartFen = 8/8/8/8/8/8/8/G6g w 0 1\n",
                "line 1: error: [a] king: missing, and neither extinctionPieceTypes nor flagRegion decides the game",
            ),
            (
                "[a:minishogi]\nmaxFile = 13\n",
                "line 2: error: [a] maxFile: expected a number from 1 to 12, found `13`",
            ),
            ("[a:minishogi]\nmaxRank = 6\n", "line 1: error: [a] startFen: expected 6 ranks, found 5"),
            (
                "[a:minishogi]\nstartFen = 5/5/5/5/K4 w 0 1\n",
                "line 2: error: [a] startFen: white has no king",
            ),
            (
                "[a:minishogi]\nstartFen = kk3/5/5/5/K4 w 0 1\n",
                "line 2: error: [a] startFen: white has more than one king",
            ),
            (
                "[a:minishogi]\n\npromotionRegionWhite = *9\n",
                "line 3: error: [a] promotionRegionWhite: `*9` lies outside the board of 5 files and 5 ranks",
            ),
            (
                "[a:66shogi]\nsetupDropRegionWhite = a1 b1\n",
                "line 2: error: [a] setupDropRegion: black has to place 6 pieces on 2 squares",
            ),
            (
                "[a:minishogi]\ncustomPiece1 = x:fQx\n",
                "line 2: error: [a] customPiece1: `fQx`: `x` is neither a modifier nor an atom of Betza's notation",
            ),
            (
                "[a:minishogi]\npieceDrops = yes\n",
                "line 2: error: [a] pieceDrops: expected true or false, found `yes`",
            ),
            (
                "[a:minishogi]\npromotedPieceType = p:z\n",
                "line 2: error: [a] promotedPieceType: no piece has the letter `z`",
            ),
            ("[shogi]\n", "line 1: error: [shogi] known already; the former definition stays"),
            (
                "[a:shogi\nx=1\n",
                "line 1: error: a section `[name]` or `[name:parent]` was begun but not ended by `]`",
            ),
        ] {
            let (messages, added) = read(&format!("{text}[good:minishogi]\n"));
            assert_eq!(messages[0], message, "{text}");
            assert!(added.contains(&"good".to_owned()), "{text}: {added:?}");
            assert!(!added.contains(&"a".to_owned()), "{text}: {added:?}");
        }
    }

    #[test]
    fn warnings_do_not_refuse() {
        let (messages, added) = read(
            "[a:66shogi]\nwallingRule = duck\npieceChoiceGroup = options=rb limit=0; options=rb limit=1 required=1\n\
             dropLoop = true\ndropLoop = false\n",
        );
        assert_eq!(added, ["a"]);
        assert_eq!(messages.len(), 3, "{messages:?}");
        assert!(messages.iter().all(|message| message.contains(": warning: [a] ")), "{messages:?}");
    }

    #[test]
    fn shipped_variants_may_be_redefined_once() {
        let (messages, added) = read("[minishogi:judkins]\n[minishogi:judkins]\n");
        assert_eq!(added, ["minishogi"]);
        assert_eq!(
            messages,
            ["line 2: error: [minishogi] defined twice in this file; the first definition stays"]
        );
    }

    #[test]
    fn keys_take_effect_in_any_order() {
        let library = |text: &str| {
            let mut library = Library::shipped();
            let report = library.read(text);
            assert!(report.messages.is_empty(), "{:?}", report.messages);
            library.game("a").unwrap().variant().rules().clone()
        };
        let one = library(
            "[a:66shogi]\nsetupDropRegion = *1\nsetupDropRegionBlack = *6\ncustomPiece1 = x:K\npromotedPieceType = x:g\n",
        );
        let two = library(
            "[a:66shogi]\npromotedPieceType = x:g\ncustomPiece1 = x:K\nsetupDropRegionBlack = *6\nsetupDropRegion = *1\n",
        );
        assert_eq!(one, two);
    }
}
