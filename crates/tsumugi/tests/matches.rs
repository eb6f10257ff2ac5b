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
            "error: engine `A` has no limit",
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
fn one_pair_and_a_sweep_claim_no_more_than_is_known() {
    let elo = |penta: &str| {
        let output = Command::new(PROGRAM).args(["sprt", "elo", "--penta", penta]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(elo("0,0,1,0,0"), "Elo  +0.000 ± 301.278\nnElo +0.000 ± 481.512\nLOS  50.0000 %\n");
    assert!(elo("0,0,0,0,10").starts_with("Elo  at least +279."), "{}", elo("0,0,0,0,10"));
    // Without --model, the default of `match --sprt`.
    let llr = |more: &[&str]| {
        let arguments = ["sprt", "llr", "--penta", "3,6,8,2,1", "--elo0", "0", "--elo1", "5"];
        Command::new(PROGRAM).args(arguments).args(more).output().unwrap().stdout
    };
    assert_eq!(llr(&[]), llr(&["--model", "normalized"]));
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

#[test]
fn a_tuning_is_resumed_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.params");
    fs::write(
        &file,
        "# levels\nMaterialLevel,int,2,1,4,1,0.5\nMaxMovesToDraw,int,50,0,90,10,0.5 [[NOT USED]]\n",
    )
    .unwrap();
    let tune = |iterations: &str| {
        let cmd = format!("cmd={PROGRAM}");
        let mut command = Command::new(PROGRAM);
        command.current_dir(folder.path()).args([
            "tune",
            "--engine",
            &cmd,
            "nodes=30",
            "threads=1",
            "hash=1",
        ]);
        command.args([
            "--params",
            "mine.params",
            "--iterations",
            iterations,
            "--max-moves",
            "20",
            "--out",
            "run",
        ]);
        command.args(["--concurrency", "2"]).output().unwrap()
    };
    let run = folder.path().join("run");
    let journal = run.join("iterations.jsonl");
    for _ in 0..2 {
        let Output { status, stderr, .. } = tune("6");
        assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
        let text = fs::read_to_string(&journal).unwrap();
        assert_eq!(text.lines().count(), 6, "{text}");
        // As if it had been killed after the fourth.
        fs::write(&journal, text.lines().take(4).map(|line| line.to_owned() + "\n").collect::<String>())
            .unwrap();
    }
    let tuned = fs::read_to_string(run.join("tuned.params")).unwrap();
    assert!(tuned.starts_with("# levels\nMaterialLevel,int,"), "{tuned}");
    assert!(tuned.ends_with("MaxMovesToDraw,int,50,0,90,10,0.5 [[NOT USED]]\n"), "{tuned}");
    let picture = fs::read_to_string(run.join("parameters.svg")).unwrap();
    assert!(picture.contains("MaterialLevel") && !picture.contains("MaxMovesToDraw"), "{picture}");
    let another = tune("7");
    let message = String::from_utf8(another.stderr).unwrap();
    let expected =
        "error: run holds another run: iterations is `6` there and `7` here; choose another --out\n";
    assert_eq!(message, expected);
}

#[test]
fn logs_of_tuning_engines_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("param_0.log"), "gameover win\nA:5,B:1,\n\ngameover lose\nA:7,B:1,\n")
        .unwrap();
    fs::write(folder.path().join("param_11.log"), "gameover win\nA:5,B:2,\ngameover draw\nA:10,B:2,\n")
        .unwrap();
    let output = Command::new(PROGRAM)
        .current_dir(folder.path())
        .args(["analyze-log", "param_%%THREAD_NUMBER%%.log", "--svg", "rates.svg"])
        .output()
        .unwrap();
    assert!(output.status.success());
    let expected = "total : 2 - 1 - 1(66.67% R120.41)\n  total : 2 - 1 - 1(66.67% R120.41)\n\
                    A:\n  5 : 2 - 0 - 0(100.0% Rinf)\n  7 : 0 - 0 - 1(0.0% R-inf)\n  10 : 0 - 1 - 0(-% R-)\n\
                    B:\n  1 : 1 - 0 - 1(50.0% R0.0)\n  2 : 1 - 1 - 0(100.0% Rinf)\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert!(fs::read_to_string(folder.path().join("rates.svg")).unwrap().starts_with("<svg "));
}

#[test]
fn this_engine_passes_the_checks_that_no_clock_decides() {
    let output = Command::new(PROGRAM)
        .args([
            "compliance",
            "--only",
            "H2,H3,H6,H9,P1,P3,P4,E1,E2,Q1",
            "--option",
            "USI_Hash=1",
            "--",
            PROGRAM,
        ])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.ends_with("10 passed, 0 to be warned of, 0 failed\n"), "{text}");
    let list = Command::new(PROGRAM).args(["compliance", "--list"]).output().unwrap();
    assert_eq!(String::from_utf8(list.stdout).unwrap().lines().count(), 44);
    let unknown = Command::new(PROGRAM).args(["compliance", "--only", "X9", "--list"]).output().unwrap();
    assert!(String::from_utf8(unknown.stderr).unwrap().starts_with("error: there is no check `X9`"));
}

/// Games other than shogi are written down, too, and what is written is read again.
#[test]
fn records_of_every_game() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let output = Command::new(PROGRAM).current_dir(folder.path()).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let cmd = format!("cmd={PROGRAM}");
    for (game, option) in
        [("freeze", "option.FREEZE=OK"), ("minishogi", "option.USI_Hash=1"), ("binarsi", "option.USI_Hash=1")]
    {
        run(&[
            "match",
            "--variant",
            game,
            "--engine",
            "name=A",
            &cmd,
            option,
            "--engine",
            "name=B",
            &cmd,
            option,
            "--each",
            "nodes=30",
            "threads=1",
            "hash=1",
            "--games",
            "2",
            "--max-moves",
            "40",
            "--out",
            game,
        ]);
        let played = games(&folder.path().join(game));
        for (number, names) in [(0, "000001-A-B"), (1, "000002-B-A")] {
            let file = |extension: &str| format!("{game}/games/{names}.{extension}");
            let line = fs::read_to_string(folder.path().join(file("usi"))).unwrap();
            let moves = played[number]["moves"].as_str().unwrap();
            assert!(!moves.is_empty() && line.contains(moves), "{line}: {moves}");
            let kif = fs::read_to_string(folder.path().join(file("kifu"))).unwrap();
            assert!(kif.contains("先手：") && kif.contains("*#評価値="), "{kif}");
            assert!(game == "freeze" || kif.contains(&format!("棋種：{game}\n")), "{kif}");
            // KIF says which game it is.
            assert_eq!(run(&["convert", &file("kifu"), "--to", "usi", "-q"]), line);
            assert_eq!(run(&["convert", "--variant", game, &file("usi"), "--to", "usi", "-q"]), line);
            assert!(run(&["show", &file("kifu")]).lines().count() > moves.split(' ').count());
        }
    }
    let refused =
        refused(&["match", "--variant", "binarsi", "--engine", &cmd, "--engine", &cmd, "--records", "csa"]);
    assert_eq!(refused, "error: --records csa: games of binarsi are written as kif and usi\n");
}

/// An evaluation that was asked for and cannot be loaded ends the match with the engine's own words, before a game is played.
#[test]
fn a_network_that_is_not_there_ends_the_match() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("nets")).unwrap();
    let cmd = format!("cmd={PROGRAM}");
    let missing =
        ["match", "--engine", "name=A", &cmd, "option.EvalDir=nets/none", "--engine", "name=B", &cmd];
    let more = ["--each", "nodes=10", "threads=1", "hash=1", "--games", "2", "--out", "run"];
    let Output { status, stderr, .. } =
        Command::new(PROGRAM).current_dir(folder.path()).args(missing).args(more).output().unwrap();
    let said = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(1), "{said}");
    let path = fs::canonicalize(folder.path()).unwrap().join("nets/none");
    let expected = format!("error: engine `A` ended before `readyok`: Error! EvalDir {}: ", path.display());
    assert!(said.starts_with(&expected) && said.lines().count() == 1, "{said}");
    assert_eq!(lines(&folder.path().join("run")), 0);
}
