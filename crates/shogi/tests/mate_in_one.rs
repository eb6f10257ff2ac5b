//! Mate in one on published problems, read in place; skipped where the folder is absent.

use serde_json::Value;
use shogi::Position;
use std::collections::BTreeSet;
use std::io::Write;

const PUBLIC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/public");

#[test]
fn finds_every_published_mate() {
    let path = format!("{PUBLIC}/tsume/mate1.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        assert!(!std::path::Path::new(PUBLIC).is_dir(), "{PUBLIC} is there, but not tsume/mate1.jsonl");
        // Not `eprintln!`: the harness hides what passing tests print.
        let _ = writeln!(std::io::stderr(), "skipped: {path} is not here");
        return;
    };
    check(&text);
}

/// Problems of our own; cshogi has listed their mates in one.
#[test]
fn finds_our_own() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/mate/problems.jsonl");
    check(&std::fs::read_to_string(path).expect("it is in the repository"));
}

fn check(text: &str) {
    assert!(text.lines().count() > 0);
    for line in text.lines() {
        let problem: Value = serde_json::from_str(line).expect("valid JSON");
        let sfen = problem["sfen"].as_str().expect("sfen");
        let mut position = Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
        let expected: BTreeSet<String> = problem["mates"]
            .as_array()
            .expect("moves")
            .iter()
            .map(|m| m.as_str().expect("a move").into())
            .collect();
        let mut mates = BTreeSet::new();
        for &m in position.legal_moves().iter() {
            position.do_move(m);
            if position.is_mated() {
                mates.insert(m.to_string());
            }
            position.undo_move();
        }
        assert_eq!(mates, expected, "{sfen}");
        let found = position.mate_in_one().map(|m| m.to_string());
        assert_eq!(found.is_some(), !expected.is_empty(), "{sfen}");
        assert!(found.is_none_or(|m| expected.contains(&m)), "{sfen}");
    }
}
