//! Variants through the real binary: the console, `variants`, `perft` and `match`.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tsumugi"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // It may quit before it has read everything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8(output.stdout.clone()).unwrap().lines().map(str::to_owned).collect()
}

/// What a console says that plays `variant`.
fn console(variant: &str, input: &str) -> Vec<String> {
    let quick = "setoption name Threads value 1\nsetoption name USI_Hash value 1\n";
    let output = run(&[], &format!("setoption name USI_Variant value {variant}\n{quick}{input}quit\n"));
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    lines(&output)
}

#[test]
fn the_list_is_offered() {
    let said = lines(&run(&[], "usi\nquit\n"));
    let combo = said.iter().find(|line| line.starts_with("option name USI_Variant ")).unwrap();
    assert!(combo.contains("type combo default shogi var shogi "), "{combo}");
    for name in ["66shogi", "66shogi-free", "minishogi", "torishogi", "antiminishogi"] {
        assert!(combo.split(' ').any(|word| word == name), "{name}: {combo}");
    }
}

#[test]
fn setup_and_play() {
    let said = console("66shogi", "moves\nposition startpos moves K*1f K*1a\nsfen\ngo perft 2\n");
    assert_eq!(
        said[0],
        "info string variant 66shogi startpos 6/pppppp/6/6/PPPPPP/6 b KRBGSNLkrbgsnl 1 setup:bw"
    );
    assert_eq!(said[1].split(' ').count(), 42);
    assert_eq!(said[2], "5k/pppppp/6/6/PPPPPP/5K b RBGSNLrbgsnl 3 setup:bw");
    assert_eq!(said.last().unwrap(), "Nodes searched: 900");
}

#[test]
fn searches_answer_in_every_variant() {
    let names = lines(&run(&["variants", "list"], ""));
    assert!(names.len() >= 17, "{names:?}");
    let search = |line: &String| {
        let name = line.split_whitespace().next().unwrap();
        format!("setoption name USI_Variant value {name}\nisready\ngo nodes 300\nwait\n")
    };
    let input: String = names.iter().map(search).collect();
    let said = console("minishogi", &input);
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), names.len());
    assert!(!said.iter().any(|line| line.contains("Error") || line.contains("resign")), "{said:?}");
}

#[test]
fn perft_of_a_variant() {
    let output = run(&["perft", "--variant", "dobutsu", "4"], "");
    assert!(lines(&output)[0] == "Nodes searched: 976", "{output:?}");
    let output = run(&["perft", "--variant", "nothing", "4"], "");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success()
            && error.starts_with("error: unknown variant 'nothing'; expected one of shogi ")
    );
}

#[test]
fn files_are_checked_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.ini");
    let bad = folder.path().join("bad.ini");
    std::fs::write(&good, "[knights:minishogi]\ncustomPiece1 = n:N\nstartFen = nbsgk/4p/5/P4/KGSBN w 0 1\n")
        .unwrap();
    std::fs::write(&bad, b"[a:minishogi]\nmaxRank = 40\n[b:minishogi]\nfoo = 1\n\xff\xfe\n").unwrap();
    let (good, bad) = (good.to_str().unwrap(), bad.to_str().unwrap());

    let output = run(&["variants", "check", good], "");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(lines(&output), [format!("{good}: 1 variants can be played")]);
    let output = run(&["variants", "check", bad], "");
    assert!(!output.status.success());
    let said = lines(&output);
    assert_eq!(
        said[0],
        format!("{bad}: line 2: error: [a] maxRank: expected a number from 1 to 10, found `40`")
    );
    assert_eq!(said[1], format!("{bad}: line 4: warning: [b] foo: unknown key; ignored"));
    assert!(said[2].starts_with(&format!("{bad}: line 5: warning: [b] expected `key = value`")), "{said:?}");
    assert_eq!(said[3], format!("{bad}: 1 variants can be played"));

    let path = |path: &str| format!("setoption name VariantPath value {path}\n");
    let said =
        console("minishogi", &format!("{}setoption name USI_Variant value knights\nmoves\nd\n", path(good)));
    assert_eq!(said[1], format!("info string {good}: 1 variants: knights"));
    assert_eq!(said[2], "info string variant knights startpos nbsgk/4p/5/P4/KGSBN b - 1");
    assert!(said[3].split(' ').any(|m| m == "1e2c"), "{said:?}");
    assert!(said[4].starts_with("knights: "));

    let said = console(
        "minishogi",
        &format!("{}position startpos moves 1e1d\n{}side\nsfen\n", path(bad), path("/nowhere.ini")),
    );
    assert!(said[1].contains("line 2: error: [a] maxRank"), "{said:?}");
    assert!(said.iter().any(|line| line.contains("File Not Found")), "{said:?}");
    assert_eq!(said[said.len() - 2..], ["white", "rbsgk/4p/5/P3R/KGSB1 w - 2"]);
}

#[test]
fn a_match_of_a_variant() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_tsumugi"));
    let arguments = [
        "match",
        "--variant",
        "dobutsu",
        "--engine",
        "name=A",
        &program,
        "--engine",
        "name=B",
        &program,
        "--each",
        "nodes=50",
        "threads=1",
        "hash=1",
        "--games",
        "2",
        "--max-moves",
        "60",
        "--out",
        out.to_str().unwrap(),
    ];
    let output = run(&arguments, "");
    assert!(output.status.success(), "{output:?}");
    let games = std::fs::read_to_string(out.join("games.jsonl")).unwrap();
    assert_eq!(games.lines().count(), 2, "{games}");
    assert!(!games.contains("illegal") && !games.contains("crash"), "{games}");
}
