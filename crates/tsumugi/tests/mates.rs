//! `tsumugi mate` as people use it.

use std::process::{Command, Output};

const THREE_PLIES: &str = "9/9/9/9/9/8p/9/8K/2R3b2 w RB4G4S4N4L17P 1";
const ONE_PLY: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
/// A mate in one, with or without promotion.
const SILVER: &str = "8k/8p/7S1/9/7L1/9/9/9/9 b - 1";
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
fn reports_judge_by_custom() {
    let text = printed(&["mate", ONE_PLY, "--hash", "16", "--report"]);
    assert!(text.contains("verdict (modern): unsound: pieces left in hand (駒余り)"), "{text}");
    assert!(text.contains("  pieces left in hand (駒余り): G\n"), "{text}");
    let text = printed(&["--lang", "ja", "mate", ONE_PLY, "--hash", "16", "--report"]);
    assert!(
        text.contains("作意: ５二金 まで1手詰") && text.contains("判定（modern）: 不完全作: 駒余り"),
        "{text}"
    );
    let text = printed(&["mate", SILVER, "--hash", "16", "--custom", "strict"]);
    assert!(text.contains("verdict (strict): unsound: promotion or not (成不成非限定)"), "{text}");
    let text = printed(&["mate", SILVER, "--hash", "16", "--custom", "modern"]);
    assert!(
        text.contains("verdict (modern): sound, with blemishes: promotion or not (成不成非限定)"),
        "{text}"
    );
    let text = printed(&["mate", SILVER, "--hash", "16", "--forbid", "成不成非限定"]);
    assert!(text.contains("verdict (modern, but forbids promotion): unsound"), "{text}");
    let text = printed(&["mate", NO_MATE, "--hash", "16", "--report"]);
    assert!(text.contains("unsound: no mate (不詰)") && text.contains("  P*5b K-4a escapes"), "{text}");
    let json = printed(&["mate", THREE_PLIES, "--hash", "16", "--report", "--json"]);
    for line in json.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    }
}

#[test]
fn a_folder_of_problems_gets_a_file_for_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a name").to_owned();
    std::fs::write(path("list.sfen"), format!("{ONE_PLY}\n{SILVER}\n")).expect("written");
    let (kif, svg, cert, html) = (path("kif"), path("svg"), path("cert"), path("report.html"));
    let list = path("list.sfen");
    printed(&[
        "mate",
        &list,
        "--hash",
        "16",
        "--kif",
        &kif,
        "--svg",
        &svg,
        "--certificate",
        &cert,
        "--html",
        &html,
        "--diagram",
    ]);
    for number in 1..=2 {
        let text = printed(&["mate", "verify", &format!("{cert}/list.sfen_{number}.cert")]);
        assert!(text.contains("mate in at most 1 ply"), "{text}");
        assert!(
            std::fs::read_to_string(format!("{svg}/list.sfen_{number}.svg"))
                .is_ok_and(|svg| svg.contains("玉"))
        );
        let moves = printed(&["convert", &format!("{kif}/list.sfen_{number}.kif"), "--to", "usi"]);
        assert!(moves.contains(" moves "), "{moves}");
    }
    let page = std::fs::read_to_string(html).expect("written");
    assert!(page.matches("<svg").count() == 4 && page.contains("駒余り"), "{page}");
}

#[test]
fn an_intended_line_is_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("intended.usi");
    let name = path.to_str().expect("a name");
    let intended = |moves: &str| {
        std::fs::write(&path, format!("position sfen {SILVER} moves {moves}\n")).expect("written");
    };
    intended("2c2b");
    let text = printed(&["mate", SILVER, "--hash", "16", "--intended", name]);
    assert!(text.contains("intended line: S-2b"), "{text}");
    intended("2c1b");
    let text = complaint(&["mate", SILVER, "--hash", "16", "--intended", name]);
    assert!(text.contains("the intended line does not end in mate"), "{text}");
    let text = complaint(&["mate", ONE_PLY, "--hash", "16", "--intended", name]);
    assert!(text.contains("begins with another position"), "{text}");
}

#[test]
fn problems_are_improved_and_duplicates_found() {
    let text = printed(&["mate", "improve", SILVER, "--time", "5", "--quiet"]);
    assert!(text.lines().next().is_some_and(|line| line.contains(" plies, ")) || text.is_empty(), "{text}");
    let mirrored = "1SN6/k8/9/9/9/9/9/9/9 b - 1";
    let text = printed(&["mate", "duplicates", "6NS1/8k/9/9/9/9/9/9/9 b - 1", mirrored, ONE_PLY]);
    assert!(text.contains("#1, #2") && text.lines().count() == 1, "{text}");
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
    let text = complaint(&["mate", ONE_PLY, "--forgive", "cooks"]);
    assert!(text.contains("'cooks' is not a rule: use one of no-mate,"), "{text}");
    let text = complaint(&["mate", "generate", "--theme", "beauty"]);
    assert!(text.contains("'beauty' is not a theme: use one of two kings (双玉),"), "{text}");
}

#[test]
fn generated_problems_are_sound_by_the_strict_custom() {
    let generated =
        ["mate", "generate", "--count", "2", "--min", "1", "--max", "3", "--seed", "7", "--quiet"];
    let text = printed(&generated);
    assert_eq!((text.lines().count(), &printed(&generated)), (2, &text), "the seed decides");
    for problem in text.lines() {
        let report = printed(&["mate", problem, "--hash", "16", "--custom", "strict"]);
        assert!(report.contains("verdict (strict): sound: the solution is unique"), "{problem}: {report}");
    }
}
