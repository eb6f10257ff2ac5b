//! The records of `testdata/freeze/kif` come out as two other programs have them, and survive being written.

use ::freeze::{Counts, Position};
use game::Position as _;
use record::encoding::Encoding;
use record::freeze::{FreezeRecord, NoteStyle, Warning, is_freeze, positions, read, write};
use record::{Format, Loss, NodeId, WriteOptions};
use serde_json::Value;

const NAMES: [&str; 7] =
    ["branch", "comment", "comment_noZ_remarks", "diagram_active", "diagram_none", "diagram_past", "inline"];

fn file(name: &str) -> Vec<u8> {
    let path = format!("{}/../../testdata/freeze/kif/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text").to_owned()).collect()
}

/// The moves from a node on, always by the first continuation.
fn line_from(record: &FreezeRecord, first: NodeId) -> Vec<String> {
    std::iter::successors(Some(first), |id| record.tree.next(*id))
        .filter_map(|id| record.tree[id].played().map(ToString::to_string))
        .collect()
}

/// The position after the line that goes through `node` to its first end.
fn end_of(record: &FreezeRecord, node: NodeId) -> Position {
    let mut before: Vec<_> = std::iter::successors(record.tree.parent(node), |id| record.tree.parent(*id))
        .filter_map(|id| record.tree[id].played().copied())
        .collect();
    before.reverse();
    let after = std::iter::successors(Some(node), |id| record.tree.next(*id));
    let mut position = record.start.position().expect("possible");
    for m in before.into_iter().chain(after.filter_map(|id| record.tree[id].played().copied())) {
        assert!(position.is_legal(m), "{m} in {}", position.to_text());
        position.do_move(m);
    }
    position
}

fn check(record: &FreezeRecord, expected: &Value, name: &str) {
    assert_eq!(
        record.start.position().expect("possible").to_text(),
        expected["start"].as_str().unwrap(),
        "{name}"
    );
    let moves: Vec<String> = record.moves().map(|m| m.to_string()).collect();
    assert_eq!(moves, strings(&expected["moves"]), "{name}");
    let last = record.tree.main_line().last().unwrap_or(NodeId::ROOT);
    assert_eq!(end_of(record, last).to_text(), expected["final"].as_str().unwrap(), "{name}");
    let branches: Vec<NodeId> = record.tree.walk().filter(|id| !record.tree.is_first(*id)).collect();
    let variations = expected["variations"].as_array().expect("a list");
    assert_eq!(branches.len(), variations.len(), "{name}");
    for (branch, variation) in branches.into_iter().zip(variations) {
        assert_eq!(variation["at"], record.tree[branch].ply(), "{name}");
        assert_eq!(line_from(record, branch), strings(&variation["moves"]), "{name}");
        assert_eq!(end_of(record, branch).to_text(), variation["final"].as_str().unwrap(), "{name}");
    }
}

#[test]
fn records_are_read_and_written() {
    for name in NAMES {
        let expected: Value = serde_json::from_slice(&file(&format!("{name}.json"))).expect("valid JSON");
        let loaded = read(&file(&format!("{name}.kif")), None).expect(name);
        assert!(loaded.faults.is_empty() && loaded.warnings.is_empty(), "{name}: {:?}", loaded.warnings);
        check(&loaded.record, &expected, name);
        for (format, style) in [
            (Format::Kif, NoteStyle::Comments),
            (Format::Kif, NoteStyle::Inline),
            (Format::Ki2, NoteStyle::Comments),
        ] {
            let written = write(&loaded.record, &WriteOptions::new(format), style);
            let again = read(&written.bytes, Some(format)).expect(name);
            let text = String::from_utf8_lossy(&written.bytes);
            assert!(
                again.faults.is_empty() && again.warnings.is_empty(),
                "{name}: {:?}\n{text}",
                again.warnings
            );
            check(&again.record, &expected, name);
        }
    }
}

/// The seed's own sample: the file is believed, with a warning.
#[test]
fn counts_that_do_not_follow_are_believed() {
    let kif = "手合割：平手\n手数----指手---------消費時間--\n\
               1 ７六歩(77)   (0:00/00:00:00) (先手3回 後手2回)      (←通常の指し手)\n\
               2 ３四歩(33)   (0:00/00:00:00) (z金 先手3回 後手2回)  (←フリーズ )\n\
               3 ２六歩(27)   (0:00/00:00:00) (Z銀 先手3回 後手2回)  (←被フリーズ)\n";
    let loaded = read(kif.as_bytes(), None).expect("a record");
    let said = Counts::new(3, 2);
    assert_eq!(
        loaded.warnings,
        [Warning::Counts { ply: 1, said }, Warning::Counts { ply: 2, said }, Warning::Under { ply: 3 }]
    );
    let moves: Vec<String> = loaded.record.moves().map(|m| m.to_string()).collect();
    assert_eq!(moves, ["7g7f", "3c3dzG", "2g2f"]);
    assert_eq!(loaded.record.start.left, Counts::USUAL);
    let left = |record: &FreezeRecord| -> Vec<String> {
        let text = positions(record, record::encoding::LineEnd::Lf);
        text.lines().filter_map(|line| line.rsplit(' ').next()).map(str::to_owned).collect()
    };
    assert_eq!(left(&loaded.record), ["z3Z3", "z3Z2", "z3Z2", "z3Z2"]);
    // It says the same when it is written again.
    let kif = write(&loaded.record, &WriteOptions::new(Format::Kif), NoteStyle::Inline);
    let again = read(&kif.bytes, None).expect("a record").record;
    assert_eq!(left(&again), left(&loaded.record));
    let line = write(&loaded.record, &WriteOptions::new(Format::Usi), NoteStyle::Comments);
    assert_eq!(String::from_utf8_lossy(&line.bytes).trim_end(), "startpos z3Z3 moves 7g7f 3c3dzG 2g2f z3Z2");
}

#[test]
fn a_frozen_piece_does_not_move() {
    let kif = "手合割：平手\n手数----指手---------消費時間--\n\
               1 ７六歩(77)   ( 0:00/00:00:00)\n*z歩 先手2回 後手3回\n2 ３四歩(33)   ( 0:00/00:00:00)\n*a comment\n";
    let loaded = read(kif.as_bytes(), None).expect("a record");
    assert_eq!(loaded.warnings, [Warning::Illegal { ply: 2 }]);
    assert_eq!(loaded.record.moves().count(), 1);
}

#[test]
fn lines_of_usi_are_read_and_written() {
    for (text, again) in [
        ("position startpos z2Z3 moves 7g7fzG 3c3dZG", "startpos z2Z3 moves 7g7fzG 3c3d"),
        ("startpos moves 7g7fzG 3c3d z0Z1 resign", "startpos z1Z1 moves 7g7fzG 3c3d resign"),
        ("startpos", "startpos z3Z3"),
        (
            "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2 zG z2Z3 moves 3c3d",
            "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2 zG z2Z3 moves 3c3d",
        ),
    ] {
        let loaded = read(text.as_bytes(), None).expect(text);
        assert!(loaded.faults.is_empty() && loaded.warnings.is_empty(), "{text}: {:?}", loaded.warnings);
        let written = write(&loaded.record, &WriteOptions::new(Format::Usi), NoteStyle::Comments);
        assert_eq!(String::from_utf8_lossy(&written.bytes).trim_end(), again);
        let kif = write(&loaded.record, &WriteOptions::new(Format::Kif), NoteStyle::Inline);
        let loaded = read(&kif.bytes, None).expect(text);
        let written = write(&loaded.record, &WriteOptions::new(Format::Usi), NoteStyle::Comments);
        let moves = |line: &str| line.trim_end().trim_end_matches(" resign").to_owned();
        assert_eq!(moves(&String::from_utf8_lossy(&written.bytes)), moves(again));
    }
    let odd = read(b"startpos z3Z3 moves 7g7fzG 3c3d z1Z1", None).expect("readable");
    assert_eq!(odd.warnings, [Warning::BothCounts]);
    // The moves before an illegal one are kept: the gold is frozen, a marker is misspelled, nothing can be frozen back.
    for (line, kept) in [
        ("startpos moves 7g7fzG 4a3b 2g2f", "7g7fzG"),
        ("startpos moves 7g7f 3c3dzX 2g2f", "7g7f"),
        ("startpos z1Z0 moves 7g7fzG 3c3dzP", "7g7fzG"),
    ] {
        let loaded = read(line.as_bytes(), None).expect(line);
        assert_eq!(loaded.record.moves().map(|m| m.to_string()).collect::<Vec<_>>(), [kept], "{line}");
        assert_eq!(loaded.warnings, [Warning::Illegal { ply: 2 }], "{line}");
    }
}

/// A record of Freeze shogi is recognised in every format that holds its notes, and nothing else is taken for one.
#[test]
fn records_tell_that_they_freeze() {
    let loaded = read(b"startpos z3Z3 moves 7g7fzG 3c3d 2g2f", None).expect("readable");
    for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf, Format::Usi] {
        for encoding in [Encoding::Utf8, Encoding::ShiftJis] {
            let options = WriteOptions { encoding: Some(encoding), ..WriteOptions::new(format) };
            let written = write(&loaded.record, &options, NoteStyle::Comments);
            assert!(is_freeze(&written.bytes), "{format}: {}", String::from_utf8_lossy(&written.bytes));
            assert!(!written.losses.contains(&Loss::Freezes), "{format}");
        }
    }
    for format in [Format::Bod, Format::Usen] {
        let written = write(&loaded.record, &WriteOptions::new(format), NoteStyle::Comments);
        assert!(written.losses.contains(&Loss::Freezes), "{format}");
    }
    for text in [
        "startpos moves 7g7f",
        "先手：zZ Freeze\n手合割：平手\n   1 ７六歩(77)\n*z は Freeze\n",
        "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves Z*5e",
        "",
    ] {
        assert!(!is_freeze(text.as_bytes()), "{text}");
    }
}

/// The file is believed, also where it lets a player freeze more often than it says at first.
#[test]
fn no_move_is_lost_for_want_of_freezes() {
    let kif = "手合割：平手\n手数----指手---------消費時間--\n*Freeze 先手 0回 後手 0回\n\
               1 ７六歩(77)   ( 0:00/00:00:00)\n*z金 先手2回 後手3回\n\
               2 ３四歩(33)   ( 0:00/00:00:00)\n";
    let loaded = read(kif.as_bytes(), None).expect("readable");
    assert_eq!(loaded.warnings.len(), 1);
    let written = write(&loaded.record, &WriteOptions::new(Format::Kif), NoteStyle::Comments);
    assert_eq!(read(&written.bytes, None).expect("readable").record.moves().count(), 2);
}

#[test]
fn a_diagram_comes_with_what_is_left() {
    let loaded = read(b"startpos moves 7g7fzG 3c3d", None).expect("readable");
    let at = |ply| record::freeze::show(&loaded.record, &record::ShowOptions { ply, every: 0 });
    assert!(at(Some(1)).ends_with("\nFreeze z金 先手 2回 後手 3回\n"));
    assert!(at(None).contains("* z金 先手2回 後手3回") && at(None).contains("* Z金 先手2回 後手3回"));
}
