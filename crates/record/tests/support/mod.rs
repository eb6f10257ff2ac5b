//! The corpus of real files with expected results, read in place (never committed).
#![allow(dead_code, reason = "each user needs a part")]

use record::{Ending, Format, IllegalMoves, Loaded, NodeId, ReadOptions, Record, Step};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// Where it lies; `None` (with a word) where it is absent.
pub fn corpus() -> Option<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let chosen = std::env::var_os("TSUMUGI_RECORDS").map(PathBuf::from);
    let beside = root.ancestors().map(|folder| folder.join("shared/public/records"));
    let found = chosen.into_iter().chain(beside).find(|folder| folder.join("expected.jsonl").exists());
    if found.is_none() {
        let public =
            root.ancestors().map(|folder| folder.join("shared/public")).find(|public| public.is_dir());
        assert_eq!(public, None, "it is there, but not its records");
        // Not `eprintln!`: the harness hides what passing tests print.
        let _ = writeln!(
            std::io::stderr(),
            "skipped: shared/public/records is nowhere above {} (set TSUMUGI_RECORDS)",
            root.display()
        );
    }
    found
}

/// One line of `expected.jsonl` and the bytes of its file.
pub struct Case {
    pub name: String,
    pub expected: Value,
    pub bytes: Vec<u8>,
}

impl Case {
    pub fn text(&self, key: &str) -> &str {
        self.expected[key].as_str().unwrap_or_default()
    }

    /// The format that the list says the file has.
    pub fn format(&self) -> Format {
        self.text("format").parse().expect("the list names formats we know")
    }

    pub fn load(&self, format: Option<Format>, illegal: IllegalMoves) -> Result<Loaded, record::ReadError> {
        let promised = Some(self.format());
        record::read(&self.bytes, &ReadOptions { format, promised, illegal })
    }
}

pub fn cases(folder: &std::path::Path) -> Vec<Case> {
    let list = std::fs::read_to_string(folder.join("expected.jsonl")).expect("the list can be read");
    let case = |line: &str| {
        let expected: Value = serde_json::from_str(line).expect("a line of JSON");
        let name = expected["file"].as_str().expect("a file name").to_owned();
        let bytes = std::fs::read(folder.join(&name)).expect("the file is there");
        Case { name, expected, bytes }
    };
    list.lines().map(case).collect()
}

/// The list's name of an ending.
pub fn ending_name(ending: &Ending) -> String {
    match ending {
        Ending::Resign => "resign",
        Ending::Interrupt => "interrupt",
        Ending::Repetition => "repetitionDraw",
        Ending::Impasse => "impass",
        Ending::Draw => "draw",
        Ending::MaxMoves => "maxMoves",
        Ending::Mate => "mate",
        Ending::NoMate => "noMate",
        Ending::Timeout => "timeout",
        Ending::IllegalBefore => "foulWin",
        Ending::IllegalHere => "foulLose",
        Ending::Declaration => "enteringOfKing",
        Ending::WinByDefault => "winByDefault",
        Ending::LossByDefault => "loseByDefault",
        Ending::Won | Ending::Lost | Ending::Other(_) => return format!("any:{}", ending.kif()),
    }
    .to_owned()
}

/// `[parent, "7g7f" or "!resign"]` for every node, the main line first.
pub fn tree(record: &Record) -> Vec<(i64, String)> {
    let mut place = BTreeMap::from([(NodeId::ROOT, -1)]);
    let mut list = Vec::new();
    for id in record.tree.walk() {
        let parent = record.tree.parent(id).expect("only the root has none");
        place.insert(id, list.len() as i64);
        let step = match record.tree[id].step() {
            Some(Step::Move(m)) => m.to_string(),
            Some(Step::End(ending)) => format!("!{}", ending_name(ending)),
            None => unreachable!("the root is not walked"),
        };
        list.push((place[&parent], step));
    }
    list
}

/// A position as the list writes it: move number 1.
fn sfen(setup: &shogi::Setup) -> String {
    shogi::Setup { ply: 1, ..setup.clone() }.to_string()
}

pub const ITEMS: [&str; 8] =
    ["start", "main line", "ending", "final", "branches", "times", "comments", "legality"];

/// Item by item, what differs from the list.
pub fn differences(case: &Case, loaded: &Loaded) -> Vec<(&'static str, String)> {
    let (record, expected) = (&loaded.record, &case.expected);
    let mut differing = Vec::new();
    let mut compare = |item, ours: String, theirs: String| {
        if ours != theirs {
            differing.push((item, format!("{ours} instead of {theirs}")));
        }
    };
    compare("start", sfen(&record.start), case.text("init").to_owned());
    let moves: Vec<String> = record.moves().map(|m| m.to_string()).collect();
    let strings = |key: &str| -> Vec<String> {
        let list = expected[key].as_array().into_iter().flatten();
        list.filter_map(|v| v.as_str()).map(str::to_owned).collect()
    };
    compare("main line", moves.join(" "), strings("moves").join(" "));
    compare("ending", record.ending().map(ending_name).unwrap_or_default(), case.text("end").to_owned());
    let last = record.positions().last().map(|setup| sfen(&setup)).unwrap_or_default();
    compare("final", last, case.text("final").to_owned());
    let lines = |key: &str| expected[key].as_u64().unwrap_or(0).to_string();
    compare("branches", record.tree.leaves().to_string(), lines("leaves"));
    compare("branches", record.tree.len().to_string(), lines("nodes"));
    if let Some(list) = expected["tree"].as_array() {
        let theirs: Vec<(i64, String)> = list
            .iter()
            .map(|node| (node[0].as_i64().unwrap_or(-9), node[1].as_str().unwrap_or_default().to_owned()))
            .collect();
        compare("branches", format!("{:?}", tree(record)), format!("{theirs:?}"));
    }
    // Without the key the list does not know: its author could not read times such as `(0:01 / 0:00:01)`.
    if let Some(list) = expected["ms"].as_array() {
        let theirs: Vec<u64> = list.iter().filter_map(Value::as_u64).collect();
        let played = record.tree.main_line().filter(|id| record.tree[*id].played().is_some());
        let ours: Vec<u64> =
            played.map(|id| record.tree[id].time.map_or(0, |t| t.as_millis() as u64)).collect();
        compare("times", format!("{ours:?}"), format!("{theirs:?}"));
    }
    let commented = std::iter::once(NodeId::ROOT).chain(record.tree.walk());
    let commented = commented.filter(|id| !record.tree.note(*id).comments.is_empty()).count();
    compare("comments", commented.to_string(), lines("comments"));
    if !expected["legal_disputed"].as_bool().unwrap_or(false) {
        let on_main_line = |ply: u32, text: &str| {
            record.tree.main_line().any(|id| {
                record.tree[id].ply() == ply
                    && record.tree[id].played().is_some_and(|m| m.to_string() == text)
            })
        };
        let first = loaded.faults.iter().find(|fault| on_main_line(fault.ply, &fault.text));
        compare(
            "legality",
            first.map(|fault| fault.ply.to_string()).unwrap_or_default(),
            expected["first_illegal_ply"].as_u64().map(|n| n.to_string()).unwrap_or_default(),
        );
    }
    differing
}

/// How a reading of the whole corpus went.
#[derive(Default)]
pub struct Score {
    /// By format: files, files read wholly right.
    pub formats: BTreeMap<String, (usize, usize)>,
    /// Item by item, how many files have it right.
    pub items: BTreeMap<&'static str, usize>,
    pub files: usize,
    pub wrong: Vec<String>,
}

/// Whether the list's word on the format is taken, or the contents alone decide.
#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    Declared,
    Detected,
}

pub fn score(cases: &[Case], mode: Mode) -> Score {
    let mut score = Score::default();
    for case in cases {
        score.files += 1;
        let entry = score.formats.entry(case.text("format").to_owned()).or_default();
        entry.0 += 1;
        let format = (mode == Mode::Declared).then(|| case.format());
        let differing = match case.load(format, IllegalMoves::Keep) {
            Ok(loaded) => differences(case, &loaded),
            Err(error) => ITEMS.map(|item| (item, error.to_string())).to_vec(),
        };
        entry.1 += usize::from(differing.is_empty());
        for item in ITEMS {
            *score.items.entry(item).or_default() += usize::from(!differing.iter().any(|(i, _)| *i == item));
        }
        if let Some((item, what)) = differing.first() {
            score.wrong.push(format!(
                "{}: {item}: {}",
                case.name,
                what.chars().take(300).collect::<String>()
            ));
        }
    }
    score
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (format, (files, right)) in &self.formats {
            writeln!(f, "{format:<10} {right:>5} of {files}")?;
        }
        for (item, right) in &self.items {
            writeln!(f, "{item:<10} {right:>5} of {}", self.files)?;
        }
        let right: usize = self.formats.values().map(|(_, right)| right).sum();
        writeln!(f, "{:<10} {right:>5} of {}", "all", self.files)?;
        self.wrong.iter().try_for_each(|line| writeln!(f, "  {line}"))
    }
}
