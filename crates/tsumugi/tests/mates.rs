//! `tsumugi mate` as people use it.

use std::process::{Command, Output};

const THREE_PLIES: &str = "9/9/9/9/9/8p/9/8K/2R3b2 w RB4G4S4N4L17P 1";
const ONE_PLY: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
const NO_MATE: &str = "4k4/9/9/9/9/9/9/9/4K4 b P 1";

fn tsumugi(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tsumugi")).args(arguments).output().expect("the program starts")
}

/// What a successful run printed.
fn printed(arguments: &[&str]) -> String {
    let output = tsumugi(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("answers are text")
}

/// What a failing run complained of.
fn complaint(arguments: &[&str]) -> String {
    let output = tsumugi(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("complaints are text")
}

#[test]
fn mates_and_no_mates_are_told_apart() {
    let text = printed(&["mate", ONE_PLY, NO_MATE, "--hash", "16"]);
    assert!(text.contains("#1: mate in exactly 1 ply ("), "{text}");
    assert!(text.contains("\n  G*5b\n"), "{text}");
    assert!(text.contains("#2: no mate"), "{text}");
    assert!(text.contains("problems               2\n"), "{text}");
}

#[test]
fn a_proof_is_written_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let proof = folder.path().join("proof");
    let kif = folder.path().join("solution.kif");
    let (proof, kif) = (proof.to_str().expect("a name"), kif.to_str().expect("a name"));
    printed(&["mate", ONE_PLY, "--hash", "16", "--certificate", proof, "--kif", kif]);
    let text = printed(&["mate", "verify", proof]);
    assert!(text.contains("mate in at most 1 ply, positions checked: 1:"), "{text}");
    assert!(printed(&["convert", kif, "--to", "usi"]).contains("moves G*5b"), "the record cannot be read");
    let mut bytes = std::fs::read(proof).expect("it was written");
    bytes.pop();
    std::fs::write(proof, bytes).expect("it can be written");
    let text = complaint(&["mate", "verify", proof]);
    assert!(text.contains("is not a valid certificate: expected 20 bytes of entries, found 19"), "{text}");
}

#[test]
fn reports_name_cooks_and_what_is_left_over() {
    let text = printed(&["mate", ONE_PLY, "--hash", "16", "--report"]);
    assert!(text.contains("left over at the end (駒余り): G"), "{text}");
    let text = printed(&["mate", THREE_PLIES, "--hash", "16", "--report"]);
    assert!(text.contains("mate in exactly 3 plies") && text.contains("verdict: sound"), "{text}");
    let json = printed(&["mate", THREE_PLIES, "--hash", "16", "--report", "--json"]);
    for line in json.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    }
}

#[test]
fn helpmates_are_counted() {
    let text = printed(&["mate", "--helpmate", "4k4/9/4P4/9/9/9/9/9/9 b G 1"]);
    assert!(text.contains("helpmate in exactly 1 ply, one solution"), "{text}");
}

#[test]
fn problems_come_from_files() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("list.sfen"), format!("# a comment\n{ONE_PLY}\nsfen {NO_MATE}\n"))
        .expect("written");
    let name = folder.path().to_str().expect("a name");
    let text = printed(&["mate", name, "--hash", "16", "--jobs", "2", "--json"]);
    let results: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["result"].to_string())
        .collect();
    assert_eq!(results, ["\"mate\"", "\"nomate\""]);
}

#[test]
fn mistakes_are_explained() {
    let text = complaint(&["mate"]);
    assert!(text.contains("no problem to solve: give"), "{text}");
    let text = complaint(&["mate", "9/9 b - 1"]);
    assert!(text.contains("neither an existing file nor a valid position"), "{text}");
    let text = complaint(&["mate", ONE_PLY, NO_MATE, "--certificate", "x"]);
    assert!(text.contains("give one problem, found 2"), "{text}");
}

#[test]
fn generated_problems_have_the_wanted_length() {
    let text = printed(&["mate", "generate", "--count", "1", "--min", "1", "--max", "5", "--seed", "7"]);
    let solved = printed(&["mate", text.trim(), "--hash", "16"]);
    assert!(
        ["exactly 1", "exactly 3", "exactly 5"].iter().any(|length| solved.contains(length)),
        "{text}{solved}"
    );
}
