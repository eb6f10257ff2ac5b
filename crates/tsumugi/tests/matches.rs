//! `tsumugi match` from the outside: killed and resumed, and what it says to wrong arguments.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tsumugi");

const OPENINGS: &str = "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\nstartpos moves 2g2f 3c3d\n";

/// A match between two tsumugis of different depth of thought, always the same for the same folder of openings.
fn command(folder: &Path, out: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    let openings = folder.join("openings.txt");
    fs::write(&openings, OPENINGS).unwrap();
    command
        .current_dir(folder)
        .args(["match", "--engine", "name=A", &format!("cmd={PROGRAM}"), "nodes=150"])
        .args(["--engine", "name=B", &format!("cmd={PROGRAM}"), "--each", "nodes=80", "threads=1", "hash=1"])
        .args(["--games", "12", "--concurrency", "2", "--max-moves", "60", "--shuffle", "--seed", "7"])
        .args(["--openings", &openings.display().to_string(), "--out", out])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The games in order, without what the clock saw.
fn games(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let mut games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for game in &mut games {
        let game = game.as_object_mut().unwrap();
        game.remove("ms");
        game.remove("lag_ms");
    }
    games.sort_by_key(|game| game["game"].as_u64());
    games
}

fn lines(folder: &Path) -> usize {
    fs::read_to_string(folder.join("games.jsonl")).map_or(0, |text| text.lines().count())
}

#[test]
fn a_killed_match_goes_on_as_if_nothing_had_happened() {
    let folder = tempfile::tempdir().unwrap();
    assert!(command(folder.path(), "whole").status().unwrap().success());
    let expected = games(&folder.path().join("whole"));
    assert_eq!(expected.len(), 12);

    let cut = folder.path().join("cut");
    for stop_after in [1, 4, 7] {
        let mut child = command(folder.path(), "cut").spawn().unwrap();
        while lines(&cut) < stop_after && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // However quick the machine was, something is left to do; and half a line, as a full disk leaves it.
    let journal = cut.join("games.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let mut torn: String = text.lines().take(8).map(|line| line.to_owned() + "\n").collect();
    torn += "{\"game\":3,\"rou";
    fs::write(&journal, torn).unwrap();

    let resumed = Command::new(PROGRAM)
        .current_dir(folder.path())
        .args(["match", "--resume", "cut", "--concurrency", "1"])
        .output()
        .unwrap();
    assert!(resumed.status.success(), "{}", String::from_utf8_lossy(&resumed.stderr));
    assert_eq!(games(&cut), expected);
    let files = fs::read_dir(cut.join("games")).unwrap().count();
    assert_eq!(files, 24, "a KIF and a CSA file for each game, and no half ones");
}

fn refused(arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let Output { status, stderr, .. } =
        Command::new(PROGRAM).current_dir(folder.path()).args(arguments).output().unwrap();
    assert!(!status.success());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing may be left behind");
    String::from_utf8(stderr).unwrap()
}

#[test]
fn wrong_arguments_are_explained() {
    let cmd = format!("cmd={PROGRAM}");
    for (arguments, expected) in [
        (vec!["match"], "error: a match needs two engines, found 0"),
        (
            vec!["match", "--engine", "name=A"],
            "error: --engine number 1: `cmd=` is missing: the program of the engine",
        ),
        (
            vec!["match", "--engine", "name=A", &cmd, "--engine", "name=A", &cmd, "--each", "nodes=1"],
            "error: two engines are called `A`; give them different `name=`",
        ),
        (
            vec!["match", "--engine", "name=A", &cmd, "--engine", "name=B", &cmd],
            "error: nothing ends the thinking of `A`",
        ),
        (
            vec![
                "match", "--engine", "name=A", &cmd, "--engine", "name=B", &cmd, "--each", "nodes=1",
                "--games", "3",
            ],
            "error: expected an even number of games",
        ),
        (
            vec![
                "match",
                "--engine",
                "name=A",
                &cmd,
                "--engine",
                "name=B",
                &cmd,
                "--each",
                "nodes=1",
                "--openings",
                "x",
            ],
            "error: x: cannot read the openings",
        ),
        (vec!["match", "--resume", "nowhere"], "error: nowhere/config.json"),
        (
            vec!["sprt", "llr", "--penta", "1,2,3", "--elo0", "0", "--elo1", "5"],
            "error: invalid value '1,2,3'",
        ),
    ] {
        let message = refused(&arguments);
        assert!(message.starts_with(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn the_ratio_is_the_last_word() {
    let arguments = ["sprt", "llr", "--penta", "3,6,8,2,1", "--elo0", "0", "--elo1", "5", "--model"];
    for (model, expected) in
        [("logistic", -0.184_982_703_713_182_8), ("normalized", -0.147_981_550_112_832_98)]
    {
        let output = Command::new(PROGRAM).args(arguments).arg(model).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let last: f64 = text.split_whitespace().next_back().unwrap().parse().unwrap();
        assert!((last - expected).abs() < 1e-6, "{text}");
    }
}
