//! Counts and lists of legal moves that other programs made (`testdata/fairy`, `testdata/66shogi`).

#[path = "support/move_texts.rs"]
mod move_texts;
mod support;

use fairy::{FairyGame, Library};
use game::{Game, Position, perft};
use move_texts::sorted_moves;
use serde_json::Value;
use support::{library_with, numbers, read, strings};

/// Counts above this are left to the slow test.
const QUICK: u64 = if cfg!(debug_assertions) { 20_000 } else { 3_000_000 };

struct Entry {
    game: FairyGame,
    value: Value,
}

impl Entry {
    fn text(&self, key: &str) -> &str {
        self.value[key].as_str().unwrap_or_else(|| panic!("{key} is a text"))
    }

    fn label(&self) -> String {
        format!("{} {}", self.text("section"), self.text("sfen"))
    }

    /// The counts without pawn-drop mates.
    fn counts(&self) -> Vec<u64> {
        let key =
            if self.value["perft_no_drop_pawn_mate"].is_null() { "perft" } else { "perft_no_drop_pawn_mate" };
        numbers(&self.value[key])
    }
}

/// All entries, with the games of the sections that the file holds.
fn entries() -> Vec<Entry> {
    let data: Value = serde_json::from_str(&read("fairy/perft.json")).expect("JSON");
    let sections = data["sections"].as_object().expect("sections").values();
    let text: Vec<&str> = sections.map(|section| section.as_str().expect("a text")).collect();
    // Parents come first.
    let mut text = text;
    text.sort_by_key(|section| section.lines().next().is_some_and(|head| head.contains(':')));
    let library = library_with(&text.join("\n\n"));
    let entries = data["entries"].as_array().expect("entries").clone();
    assert_eq!(entries.len(), 264);
    let game =
        |value: &Value| library.game(value["section"].as_str().expect("a text")).expect("a known section");
    entries.into_iter().map(|value| Entry { game: game(&value), value }).collect()
}

#[test]
fn legal_moves_are_those_of_fairy_stockfish() {
    for entry in entries() {
        let mut expected = strings(&entry.value["legal_usi"]);
        let mates = strings(&entry.value["drop_pawn_mates_usi"]);
        expected.retain(|m| !mates.contains(m));
        expected.sort();
        let position = entry.game.position(entry.text("sfen")).expect("a valid SFEN");
        assert_eq!(sorted_moves(&position), expected, "{}", entry.label());
        let from_fen = entry.game.position(&format!("fen {}", entry.text("fen"))).expect("a valid FEN");
        assert_eq!(sorted_moves(&from_fen), expected, "FEN of {}", entry.label());
        let moves = strings(&entry.value["history_usi"]).join(" ");
        let played = entry.game.position_command(&format!("startpos moves {moves}")).expect("legal moves");
        assert_eq!(sorted_moves(&played), expected, "history of {}", entry.label());
        assert_eq!(played.key(), position.key(), "{}", entry.label());
        if let Some(in_check) =
            entry.value["in_check"].as_bool().filter(|_| !entry.text("section").contains("shoshogi"))
        {
            assert_eq!(position.in_check(), in_check, "{}", entry.label());
        }
        let again = entry.game.position(&position.to_text()).expect("a valid SFEN");
        assert_eq!((again.to_text(), again.key()), (position.to_text(), position.key()));
    }
}

fn count_all(most: u64) {
    for entry in entries() {
        let mut position = entry.game.position(entry.text("sfen")).expect("a valid SFEN");
        for (depth, count) in entry.counts().into_iter().enumerate().filter(|(_, count)| *count <= most) {
            assert_eq!(
                perft(&mut position, depth as u32 + 1),
                count,
                "{} depth {}",
                entry.label(),
                depth + 1
            );
        }
    }
}

#[test]
fn counts_are_those_of_fairy_stockfish() {
    count_all(QUICK);
}

#[test]
#[ignore = "minutes in debug builds"]
fn deep_counts_are_those_of_fairy_stockfish() {
    count_all(u64::MAX);
}

#[test]
fn shipped_variants_count_as_their_sections_in_the_data() {
    let library = Library::shipped();
    let mut seen = 0;
    for entry in entries().iter().filter(|entry| entry.text("label") == "startpos") {
        let Some(game) = entry.text("section").strip_prefix("x-").and_then(|name| library.game(name)) else {
            continue;
        };
        let mut position = game.startpos();
        assert_eq!(position.to_text(), entry.text("sfen"));
        for (depth, count) in entry.counts().into_iter().enumerate().filter(|(_, count)| *count <= QUICK) {
            assert_eq!(perft(&mut position, depth as u32 + 1), count, "{}", game.name());
        }
        seen += 1;
    }
    assert_eq!(seen, 16);
}

/// `odd.ini` uses keys in combinations that no shipped variant has; Fairy-Stockfish has counted (`odd.txt`).
#[test]
fn sections_with_unusual_keys_count_as_in_fairy_stockfish() {
    let library = library_with(&read("fairy/odd.ini"));
    let counts = read("fairy/odd.txt");
    let mut lines = 0;
    let mut wrong = Vec::new();
    for line in counts.lines() {
        let [name, moves, counts] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let game = library.game(name).unwrap_or_else(|| panic!("{name} is known"));
        let mut position = game.position_command(&format!("startpos moves {moves}")).expect("legal moves");
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let ours = perft(&mut position, depth);
            if ours.to_string() != count {
                wrong.push(format!("{name} after {moves}: depth {depth}, expected {count}, found {ours}"));
            }
        }
        lines += 1;
    }
    assert!(lines > 100 && wrong.is_empty(), "{wrong:#?}");
}
