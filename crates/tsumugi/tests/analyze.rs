//! `tsumugi analyze` from the outside: killed and resumed, and every game.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tsumugi");

const GAMES: &str = "startpos moves 7g7f 3c3d 2g2f 4c4d 3i4h 8c8d 5g5f 8d8e 8h7g 2b3c resign\n\
    startpos moves 7g7f 3c3d 8h2b+ 3a2b 2g2f\n";
/// A mate in one (G*5b) that Black does not see.
const MATE: &str = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*1a 5a4a\n";

fn command(folder: &Path, input: &str, out: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .current_dir(folder)
        .args([
            "analyze",
            input,
            "--nodes",
            "300",
            "--lines",
            "2",
            "--mate-nodes",
            "500",
            "--jobs",
            "1",
            "-o",
            out,
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn positions(folder: &Path) -> usize {
    fs::read_to_string(folder.join("positions.jsonl")).map_or(0, |text| text.lines().count())
}

#[test]
fn a_killed_analysis_goes_on_as_if_nothing_had_happened() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("games.usi"), GAMES).unwrap();
    let whole = command(here, "games.usi", "whole").output().unwrap();
    assert!(whole.status.success(), "{}", String::from_utf8_lossy(&whole.stderr));
    let cut = here.join("cut");
    for stop_after in [2, 7] {
        let mut child = command(here, "games.usi", "cut").spawn().unwrap();
        while positions(&cut) < stop_after && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!cut.join("analysis.json").exists(), "it was killed too late");
    }
    let before = positions(&cut);
    let last = command(here, "games.usi", "cut").output().unwrap();
    let told = String::from_utf8_lossy(&last.stderr);
    assert!(last.status.success() && told.contains("positions are known already"), "{told}");
    assert!(positions(&cut) > before);
    for file in ["analysis.json", "report.html", "games.kifu"] {
        let bytes = |run: &str| fs::read(here.join(run).join(file)).unwrap();
        assert!(bytes("whole") == bytes("cut"), "{file} differs");
    }
}

#[test]
fn missed_mates_are_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mate.usi"), MATE).unwrap();
    assert!(command(folder.path(), "mate.usi", "out").status().unwrap().success());
    let text = fs::read_to_string(folder.path().join("out/analysis.json")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    let first = &json["games"][0]["positions"][0];
    assert_eq!((&first["mate"], &first["score"]["mate"]), (&1.into(), &1.into()));
    assert_eq!(first["candidates"][0]["pv"][0], "G*5b");
    assert_eq!(first["played"]["missed_mate"], true);
    assert_eq!(json["games"][0]["players"][0]["missed_mates"], 1);
    let record = fs::read_to_string(folder.path().join("out/mate.kifu")).unwrap();
    assert!(record.contains("*詰み逃し：▲５二金打"), "{record}");
}

#[test]
fn every_game_is_analysed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::create_dir(here.join("games")).unwrap();
    let kif = |name: &str, moves: &str| format!("棋種：{name}\n手数----指手---------消費時間--\n{moves}");
    fs::write(
        here.join("games/freeze.kif"),
        "手合割：平手\n*Freeze 先手 3回 後手 3回\n   1 ７六歩(77)\n*z歩 先手2回 後手3回\n   2 ７二銀(71)\n",
    )
    .unwrap();
    fs::write(here.join("games/mini.kif"), kif("minishogi", "   1 ３四銀(35)\n   2 ３二銀(31)\n")).unwrap();
    fs::write(here.join("games/sixtysix.kif"), kif("66shogi", "")).unwrap();
    fs::write(here.join("games/binarsi.kif"), kif("binarsi", "   1 4n\n   2 cs1\n   3 5n\n")).unwrap();
    let done = command(here, "games", "out").output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = fs::read_to_string(here.join("out/analysis.json")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    let games = json["games"].as_array().unwrap();
    let variants: Vec<&str> = games.iter().map(|game| game["variant"].as_str().unwrap()).collect();
    assert_eq!(variants, ["binarsi", "freeze", "minishogi", "66shogi"]);
    for game in games {
        for position in game["positions"].as_array().unwrap() {
            assert!(position["black_win_rate"].is_f64(), "{} {position}", game["variant"]);
            assert!(!position["candidates"][0]["text"].as_array().unwrap().is_empty());
        }
    }
    let freeze = fs::read_to_string(here.join("out/freeze.kifu")).unwrap();
    assert!(freeze.contains("*z歩 先手2回 後手3回") && freeze.contains("#評価値="), "{freeze}");
    let again = Command::new(PROGRAM)
        .current_dir(here)
        .args(["convert", "out/freeze.kifu", "--to", "usi"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&again.stdout).trim(), "startpos z3Z3 moves 7g7fzP 7a7b");
}

#[test]
fn wrong_arguments_are_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.usi"), GAMES).unwrap();
    for (words, status, message) in [
        (&["--nodes", "1", "--depth", "1"][..], 2, "cannot be used with"),
        (&["--nodes", "0"], 2, "--nodes"),
        (&["--engine", "nodes=5"], 1, "--engine: the limit of a search"),
        (&["--engine", "cmd=./no-such-engine"], 1, "cannot start"),
    ] {
        let run = Command::new(PROGRAM)
            .current_dir(folder.path())
            .args(["analyze", "games.usi", "-o", "out"])
            .args(words)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(status), "{words:?} {told}");
        assert!(told.contains(message), "{words:?} {told}");
    }
}
