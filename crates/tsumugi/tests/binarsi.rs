//! Binarsi through the real binary: the console of the original, the ordinary session, the solver.

mod program;

use program::{feed, tsumugi};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &str) -> Output {
    feed(&mut tsumugi(arguments), input)
}

fn lines(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap().lines().map(str::to_owned).collect()
}

/// A position with 12 plies left that black wins, by `bn` only.
const LATE: &str = "startpos moves dn eno 3s1 4n dnL 4nL cnH 2no es2 2nH";

#[test]
fn the_console_of_the_original() {
    let input = "usi\nisready\nposition startpos\nlegal_moves\nplay 4n\nplay 4n\nsfen\nquit\nboard\n";
    let said = lines(&run(&["binarsi", "--time", "0.05"], input));
    assert!(said[0].starts_with("id name Tsumugi") && said.contains(&"usiok".to_owned()));
    assert!(said.contains(&"|       4|  4| play dn ".to_owned()));
    assert!(said.contains(&"[ 1 moves | moved 4n | next white]".to_owned()));
    let answered = said.iter().filter(|line| line.starts_with("[ 2 moves | moved")).count();
    assert_eq!(answered, 1);
    // The second `4n` is illegal whatever the computer played.
    assert!(said.contains(&"illegal move".to_owned()));
    assert!(said.last().unwrap().starts_with("[from present]"));
}

#[test]
fn the_console_mates_and_speaks_japanese() {
    let input = "position sfen xxo4/oox4/xxo4/xox4/xxo4/xox4 b 3bd 5//9/4// 10\ngo\nmate1\ngameover win\n";
    let said = lines(&run(&["binarsi", "--lang", "ja"], input));
    assert!(said[0].contains("score mate 1 pv"), "{said:?}");
    assert!(said[1].starts_with("bestmove "));
    assert_eq!(&said[2..4], ["MATE IN 1 MOVE", "--------------"]);
    assert!(said[5].contains("勝った"));
}

#[test]
fn the_console_lets_the_original_play() {
    let said = lines(&run(&["binarsi", "--time", "0.05"], "usi\n"));
    assert!(
        said.contains(&"option name Player type combo default Tsumugi var Tsumugi var Original".to_owned())
    );
    // The original sees a win at once, and else thinks nothing: it says no score.
    let ask = "position startpos moves 4n\ngo\n";
    let said = lines(&run(
        &["binarsi", "--time", "0.05"],
        &format!("setoption name Player value Original\n{ask}setoption name Player value Tsumugi\n{ask}"),
    ));
    let info: Vec<&String> = said.iter().filter(|line| line.starts_with("info ")).collect();
    assert!(info[0].starts_with("info depth 0 ") && info[0].contains(" nodes 0 "), "{said:?}");
    assert!(!info[1].contains(" nodes 0 "), "{said:?}");
    let refused =
        lines(&run(&["binarsi"], "setoption name Player value Deep\nsetoption name Threads value 2\n"));
    assert_eq!(
        refused,
        [
            "info string Error! Player is Tsumugi or Original",
            "info string No such option: Threads (usi lists them)"
        ]
    );
}

#[test]
fn the_console_speaks_one_language() {
    let input = "help\nundo\nposition startpos\nplay 3n\nplay 9z\nposition sfen 7/7 b\nbord\ndo\nundo\n";
    let said = lines(&run(&["binarsi", "--lang", "ja"], input));
    let commands = said.iter().filter(|line| line.contains("  ") && !line.starts_with(' ')).count();
    assert!(commands >= 20, "{said:?}");
    let told = said.iter().filter(|line| line.starts_with("info string"));
    let told: Vec<&String> = told.collect();
    assert_eq!(told.len(), 7, "{told:?}");
    for line in told {
        assert!(!line.is_ascii(), "{line}");
    }
    let english = lines(&run(&["binarsi"], input));
    assert!(english.iter().all(|line| line.is_ascii()), "{english:?}");
    assert!(english.contains(&"info string unknown command: bord (try help)".to_owned()), "{english:?}");
}

#[test]
fn undo_takes_back_a_whole_play() {
    let input = "position startpos\ndo 4n\nplay cs1\nhistory\nundo\nsfen\nundo\nsfen\n";
    let said = lines(&run(&["binarsi", "--time", "0.05"], input));
    let present: Vec<&String> = said.iter().filter(|line| line.starts_with("[from present]")).collect();
    // After each change, and when asked.
    assert_eq!(present.len(), 7, "{present:?}");
    assert_eq!(present[3], present[0], "the answer and the move are gone: {present:?}");
    assert_eq!(present[5].as_str(), "[from present]   sfen startpos");
}

/// Whole games with their ends.
const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/binarsi/games_shared.jsonl");

/// The end shows who won, why, and the points with White's half.
#[test]
fn the_end_is_explained() {
    let games = std::fs::read_to_string(GAMES).expect("part of the repository");
    let game = |reason: &str| -> serde_json::Value {
        let games = games.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        games.into_iter().find(|game| game["reason"] == reason).expect("there is one")
    };
    for (reason, text, japanese) in [
        ("targets", "three targets", "三つのターゲットを達成"),
        ("full", "nothing is left to play, points decide", "指せる手がないので点数勝負"),
        ("simultaneous", "both got three targets at once, points decide", "同時に三つ達成したので点数勝負"),
    ] {
        let game = game(reason);
        let moves: Vec<&str> = game["moves"].as_str().expect("moves").split(' ').collect();
        let (last, before) = moves.split_last().expect("moves");
        let input = format!("position startpos moves {}\ndo {last}\n", before.join(" "));
        let said = lines(&run(&["binarsi"], &input));
        let winner = if game["winner"] == "b" { "Black" } else { "White" };
        let points =
            format!("POINTS Black {}.0 / White {}.5 (komi 0.5 for White)", game["black"], game["white"]);
        assert_eq!(said[said.len() - 2..], [format!("RESULT {winner} wins: {text}"), points], "{reason}");
        let said = lines(&run(&["binarsi", "--lang", "ja"], &input));
        assert!(said[said.len() - 2].contains(japanese), "{said:?}");
        assert!(said[said.len() - 1].starts_with("点数：黒 "), "{said:?}");
    }
}

#[test]
fn the_ordinary_session() {
    let input = format!(
        "usi\nsetoption name USI_Variant value binarsi\nisready\nposition {LATE}\nsfen\nmoves\ngo perft 1\n\
         position startpos moves 4n 9z\nposition startpos moves 4n cs1\nsfen\ngo perft 2\nd\nquit\n"
    );
    let said = lines(&run(&[], &input));
    let has = |text: &str| said.iter().any(|line| line == text);
    assert!(has("7/7/1xox3/1oxo3/1xoo3/7 b 234cde ///8// 10"), "{said:#?}");
    assert!(has("Nodes searched: 28"), "{said:#?}");
    assert!(has("7/7/2xo3/7/7/7 b c - 2"), "{said:#?}");
    assert!(has("# | . . 1 0 . . . |"), "{said:#?}");
    assert!(said.iter().any(|line| line.contains("Error!") && line.contains("9z")), "{said:#?}");
}

/// 200 games to their end, 50 of them decided by points: the side to move says who has won.
#[test]
fn a_side_that_has_won_never_resigns() {
    let text = std::fs::read_to_string(GAMES).unwrap();
    let games: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for player in ["Tsumugi", "Original"] {
        let ask = |game: &serde_json::Value| {
            format!("position {}\nside\ngo byoyomi 1000\nwait\n", game["final_sfen"].as_str().unwrap())
        };
        let asked = games.iter().map(ask).collect::<Vec<_>>().concat();
        let quick = "setoption name Threads value 1\nsetoption name USI_Hash value 1\n";
        let player = format!("setoption name Player value {player}\n");
        let said = lines(&run(
            &[],
            &format!("setoption name USI_Variant value binarsi\n{quick}{player}isready\n{asked}quit\n"),
        ));
        let sides = said.iter().filter(|line| ["black", "white"].contains(&line.as_str()));
        let answers = said.iter().filter_map(|line| line.strip_prefix("bestmove "));
        let answered: Vec<(&String, &str)> = sides.zip(answers).collect();
        assert_eq!(answered.len(), games.len(), "{said:#?}");
        for (game, (side, answer)) in games.iter().zip(answered) {
            let won = game["winner"].as_str() == side.get(..1);
            assert_eq!(answer, if won { "win" } else { "resign" }, "{}", game["final_sfen"]);
        }
    }
}

#[test]
fn proven_results_are_mates() {
    let input = format!(
        "setoption name USI_Variant value binarsi\nsetoption name Threads value 1\nsetoption name USI_Hash value 64\n\
         isready\nposition {LATE}\ngo nodes 2000000\nwait\nquit\n"
    );
    let said = lines(&run(&[], &input));
    assert!(said.iter().any(|line| line.contains("score mate ")), "{said:#?}");
    assert!(said.iter().any(|line| line.starts_with("bestmove bn")), "{said:#?}");
}

fn solve(folder: &Path, more: &[&str]) -> Vec<String> {
    let file = folder.join("proof");
    let mut arguments = vec!["binarsi", "solve", "--memory", "64", "--threads", "2", "--checkpoint"];
    arguments.push(file.to_str().unwrap());
    arguments.extend(more);
    arguments.extend(LATE.split(' '));
    lines(&run(&arguments, ""))
}

#[test]
fn a_killed_proof_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let first = solve(folder.path(), &["--nodes", "3000"]);
    assert_eq!(first[0], "not decided");
    assert!(folder.path().join("proof").exists());
    let second = solve(folder.path(), &[]);
    assert_eq!(second[0], "black wins");
    assert!(second.contains(&"bn: black wins".to_owned()), "{second:?}");
    // A third run has nothing left to do.
    let third = solve(folder.path(), &[]);
    assert!(third.last().unwrap().starts_with("nodes 0,"), "{third:?}");
}

#[test]
fn bad_arguments_say_why() {
    for (arguments, expected) in [
        (&["binarsi", "solve", "startpos", "moves", "9z"][..], "`9z` is not a move"),
        (&["binarsi", "solve", "sfen", "7/7"], "5 fields"),
        (&["binarsi", "solve", "--memory", "0"], "--memory"),
        (&["binarsi", "--time", "x"], "number of seconds"),
        (&["binarsi", "solve", "sfen", "x1o4/7/7/7/7/7", "b", "-", "-", "0"], "rectangle"),
    ] {
        let output = run(arguments, "");
        assert!(!output.status.success(), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
}

#[test]
fn a_proof_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof");
    let arguments = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tsumugi"));
        command.args(["binarsi", "solve", "--memory", "32", "--threads", "2", "--interval", "1"]);
        command.arg("--checkpoint").arg(&file).args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    // The start position takes longer than anyone waits here.
    let mut child = arguments(&[]).spawn().unwrap();
    // Until a checkpoint holds some positions.
    while std::fs::metadata(&file).map_or(0, |file| file.len()) < 1000 {
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert_eq!(child.try_wait().unwrap(), None);
    }
    // SIGKILL: it cannot say goodbye.
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = arguments(&["--nodes", "1000"]).output().unwrap();
    assert!(resumed.status.success(), "{resumed:?}");
    let said = String::from_utf8(resumed.stderr).unwrap();
    let count = said.split_once("resumed: ").and_then(|(_, rest)| rest.split_once(" positions")).unwrap().0;
    assert!(count.parse::<u64>().unwrap() > 0, "{said}");
    assert_eq!(String::from_utf8(resumed.stdout).unwrap().lines().next(), Some("not decided"));
}

#[test]
fn certificates_are_written_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("certificate");
    let file = path.to_str().unwrap();
    solve(folder.path(), &["--certificate", file]);
    let said = lines(&run(&["binarsi", "verify", file], ""));
    assert!(said[0].starts_with("black wins `sfen 7/7/1xox3/1oxo3/1xoo3/7 b 234cde ///8// 10`"), "{said:?}");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.pop();
    std::fs::write(&path, bytes).unwrap();
    let refused = run(&["binarsi", "verify", file], "");
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("bytes of entries"), "{refused:?}");
}

#[test]
fn several_lines_and_pondering() {
    let input = format!(
        "setoption name USI_Variant value binarsi\nisready\nposition {LATE}\n\
         go ponder btime 100000 wtime 100000 byoyomi 20000\nponderhit\nwait\n\
         setoption name MultiPV value 3\ngo depth 3\nwait\nquit\n"
    );
    let said = lines(&run(&[], &input));
    assert!(said.iter().any(|line| line.contains("multipv 3")), "{said:#?}");
    // Three plies of search do not see it; that it was proven before counts.
    let played: Vec<&String> = said.iter().filter(|line| line.starts_with("bestmove ")).collect();
    assert_eq!(played.len(), 2, "{said:#?}");
    assert!(played.iter().all(|line| line.split(' ').nth(1) == Some("bn")), "{said:#?}");
}

#[test]
fn a_match_against_the_player_of_the_original() {
    let folder = tempfile::tempdir().unwrap();
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_tsumugi"));
    let out = folder.path().join("run");
    let played = Command::new(env!("CARGO_BIN_EXE_tsumugi"))
        .args(["match", "--variant", "binarsi", "--records", "none", "--games", "2"])
        .args(["--engine", "name=ours", &program, "nodes=2000", "threads=1", "hash=16"])
        .args(["--engine", "name=original", &program, "nodes=1", "option.Player=Original", "--out"])
        .arg(&out)
        .output()
        .unwrap();
    assert!(played.status.success(), "{played:?}");
    let games = std::fs::read_to_string(out.join("games.jsonl")).unwrap();
    assert_eq!(games.lines().count(), 2, "{games}");
}
