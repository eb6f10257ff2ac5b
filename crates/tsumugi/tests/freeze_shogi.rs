//! Freeze shogi through the real binary.

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

/// What a session answers to some lines, Freeze shogi being chosen by `USI_Variant`.
fn session(input: &str) -> Vec<String> {
    fresh(&format!("setoption name USI_Variant value freeze\n{input}")).split_off(1)
}

/// What a fresh session answers.
fn fresh(input: &str) -> Vec<String> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tsumugi"))
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    write!(stdin, "{input}\nquit\n").expect("it listens");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(str::to_owned).collect()
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn options_by_either_way() {
    let said = session("usi");
    for line in [
        "option name FREEZE type combo default NONE var NONE var ALLOW_FREEZE var CAN_FREEZE var OK",
        "option name FREEZENUM type string default z3Z3",
        "option name FREEZE_SHOW_Z type check default false",
    ] {
        assert!(said.iter().any(|said| said == line), "{line} in {said:?}");
    }
    assert_eq!(session("sfen"), [START]);
    let last = |input: &str| session(input).pop().expect("an answer");
    assert_eq!(last("FREEZE OK\nsfen"), format!("{START} z3Z3"));
    assert_eq!(
        last("setoption name FREEZE value OK\nFREEZENUM z1Z2\nposition startpos\nsfen"),
        format!("{START} z1Z2")
    );
    assert_eq!(
        last("FREEZE OK\nFREEZENUM z1Z2\nFREEZENUM\nposition startpos\nsfen"),
        format!("{START} z3Z3")
    );
    let said = session(
        "FREEZE OK\nsetoption name FREEZENUM value z1x\ngetoption FREEZENUM\nposition startpos\nsfen",
    );
    assert!(said.iter().any(|line| line.starts_with("info string Error! FREEZENUM: ")), "{said:?}");
    assert_eq!(said.last(), Some(&format!("{START} z3Z3")));
}

/// Hosts that know Freeze shogi by its own document never set `USI_Variant`.
#[test]
fn the_option_alone_makes_shogi_freeze_shogi() {
    let said = fresh("usi");
    for line in [
        "option name FREEZE type combo default NONE var NONE var ALLOW_FREEZE var CAN_FREEZE var OK",
        "option name FREEZENUM type string default z3Z3",
    ] {
        assert!(said.iter().any(|said| said == line), "{line} in {said:?}");
    }
    let last = |input: &str| fresh(input).pop().expect("an answer");
    for word in ["OK", "ALLOW_FREEZE", "CAN_FREEZE"] {
        for set in [format!("FREEZE {word}"), format!("setoption name FREEZE value {word}")] {
            assert_eq!(
                last(&format!("{set}\nposition startpos z2Z0\nsfen")),
                format!("{START} z2Z0"),
                "{set}"
            );
            assert_eq!(last(&format!("{set}\nsetoption name FREEZE value NONE\nsfen")), START, "{set}");
        }
    }
    assert_eq!(last("FREEZENUM z2Z3\nFREEZE OK\nsfen"), format!("{START} z2Z3"));
    assert_eq!(last("FREEZE OK\nFREEZENUM z1Z2\nFREEZENUM\nsfen"), format!("{START} z3Z3"));
    assert_eq!(last("FREEZENUM z1x\ngetoption FREEZENUM\nFREEZE OK\nsfen"), format!("{START} z3Z3"));
    // A host sends all options, those that shogi alone has and `USI_Variant` unchanged, in whatever order.
    let host = "setoption name FREEZE value OK\nsetoption name USI_Variant value shogi\nsetoption name MateHash value 8";
    assert_eq!(last(&format!("{host}\nsfen")), format!("{START} z3Z3"));
    let said = fresh(&format!("{host}\nFREEZE NONE\ngetoption MateHash\nsfen"));
    assert!(said.iter().any(|line| line.contains("Options[MateHash]") && line.ends_with("= 8")), "{said:?}");
    assert!(!said.iter().any(|line| line.contains("No such option")), "{said:?}");
    // Choosing a game by name is the last word.
    assert_eq!(last("USI_Variant freeze\nFREEZE OK\nUSI_Variant shogi\nsfen"), START);
    assert_eq!(last("FREEZE OK\nUSI_Variant binarsi\nUSI_Variant shogi\nsfen"), START);
    // A search is ended, as by any change of the game.
    let said =
        fresh(&format!("{QUICK}position startpos\ngo infinite\nFREEZE OK\nposition startpos z1Z1\nsfen"));
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{said:?}");
    assert_eq!(said.last(), Some(&format!("{START} z1Z1")));
}

#[test]
fn plain_shogi_says_why_it_refuses_freezes() {
    for command in
        ["position startpos z3Z3", "position startpos moves 7g7fzG", "position startpos moves 7g7f zG"]
    {
        let said = fresh(&format!("{command}\nsfen"));
        assert!(said[0].starts_with("info string Error! freeze not enabled: `"), "{command}: {said:?}");
        assert!(said[0].contains("needs the option FREEZE"), "{command}: {said:?}");
        assert_eq!(said[1..], [START], "{command}");
    }
    let said = session("isready");
    assert!(said.iter().any(|line| line.starts_with("info string FREEZE is NONE: ")), "{said:?}");
}

#[test]
fn illegal_freezes_say_why() {
    for (moves, reason) in [
        (
            "z3Z3 moves 7g7fzP 3c3d",
            "Illegal Input Move : 3c3d (move 2 of the list): P is frozen for this move",
        ),
        (
            "z3Z3 moves 7g7fzG 3c3dzP",
            "Illegal Input Move : 3c3dzP (move 2 of the list): a move made under a freeze may not freeze",
        ),
        (
            "z1Z0 moves 7g7fzG 3c3d 2g2fzK",
            "Illegal Input Move : 2g2fzK (move 3 of the list): black has no freezes left",
        ),
        (
            "z3Z3 moves 7g7f 3c3d 8h2b+ 3a2b B*4ezB+",
            "Illegal Input Move : B*4ezB+ (move 5 of the list): the opponent has no B+ after it",
        ),
        (
            "z3Z3 moves 7g7fzG 3c3dZB",
            "Illegal Input Move : 3c3dZB (move 2 of the list): ZB does not match, G is frozen",
        ),
        ("z3Z3 moves 7g7e", "Illegal Input Move : 7g7e (move 1 of the list)"),
    ] {
        let said = fresh(&format!("FREEZE OK\nposition startpos {moves}"));
        assert_eq!(said.last(), Some(&format!("info string Error! {reason}")), "{moves}");
    }
    let said = fresh("FREEZE OK\nposition startpos z0Z0\ngo searchmoves 7g7fzG depth 1\nwait");
    let refused = "info string searchmoves: `7g7fzG` is illegal here: black has no freezes left";
    assert!(said.iter().any(|line| line == refused), "{said:?}");
}

#[test]
fn position_commands() {
    let path = format!("{}/../../testdata/freeze/usi_position_shared.json", env!("CARGO_MANIFEST_DIR"));
    let cases: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON");
    for case in cases {
        let set = |(name, value): (&String, &Value)| {
            format!("setoption name {name} value {}", value.as_str().expect("a text"))
        };
        let options: Vec<String> = case["options"].as_object().expect("options").iter().map(set).collect();
        let options = options.join("\n");
        // What is refused must leave this in place.
        let before = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 7";
        let command = case["command"].as_str().expect("a text");
        let input = format!("{options}\n{before}\nside\n{command}\nsfen");
        let said = fresh(&input);
        let chosen = session(&input);
        assert_eq!(said.last(), chosen.last(), "USI_Variant changes nothing: {command}");
        let (errors, warnings) = (
            said.iter().filter(|line| line.starts_with("info string Error! ")).count(),
            said.iter().filter(|line| line.starts_with("info string Warning! ")).count(),
        );
        let last = said.last().expect("an answer");
        if let Some(sfen) = case["expect"]["sfen"].as_str() {
            assert_eq!((last.as_str(), errors), (sfen, 0), "{command}: {said:?}");
            assert_eq!(case["expect"]["warnings"], warnings, "{command}: {said:?}");
        } else {
            assert_eq!(errors, 1, "{command}: {said:?}");
            assert!(last.starts_with("4k4/9/9/9/9/9/9/9/4K4 b - 7"), "{command}: {said:?}");
        }
    }
}

#[test]
fn perft_counts_freezes() {
    let said = session("FREEZE OK\nposition startpos\ngo perft 2");
    assert_eq!(said.last().map(String::as_str), Some("Nodes searched: 14400"));
    for (arguments, count) in [(["--sfen", "startpos"], 14400), (["--sfen", "startpos z1Z0"], 7200)] {
        let [said, _] = run(&["perft", "--variant", "freeze", arguments[0], arguments[1], "2"]);
        assert!(said.starts_with(&format!("Nodes searched: {count}\n")), "{arguments:?}: {said}");
    }
}

/// Options with which a search takes no longer than it must.
const QUICK: &str = "setoption name Threads value 1\nsetoption name USI_Hash value 1\nisready\n";

/// Gold takes the pawn that mates, unless it is frozen.
const FREEZE_MATE: &str = "position sfen 7lk/7g1/8G/9/9/9/9/9/4K4 b P 1 z1Z3";

#[test]
fn a_freeze_mate_is_played() {
    let best = |options: &str| {
        let said = session(&format!("{options}\n{QUICK}{FREEZE_MATE}\ngo depth 3\nwait"));
        said.into_iter().find(|line| line.starts_with("bestmove")).expect("a move")
    };
    assert!(best("FREEZE OK").contains('z'), "{}", best("FREEZE OK"));
    assert!(!best("FREEZE ALLOW_FREEZE").contains('z'));
    assert!(best("FREEZE CAN_FREEZE").contains('z'));
}

#[test]
fn a_mate_that_needs_a_freeze_is_proved() {
    let mate = |options: &str, position: &str| {
        let said = session(&format!("{options}\n{QUICK}{position}\ngo mate infinite\nwait"));
        said.into_iter().find(|line| line.starts_with("checkmate")).expect("an answer")
    };
    assert_eq!(mate("FREEZE OK", FREEZE_MATE), "checkmate P*1bzG");
    assert_eq!(mate("FREEZE CAN_FREEZE", FREEZE_MATE), "checkmate P*1bzG");
    assert_eq!(mate("FREEZE ALLOW_FREEZE", FREEZE_MATE), "checkmate nomate");
    assert_eq!(mate("FREEZE OK", &FREEZE_MATE.replace("z1", "z0")), "checkmate nomate");
}

#[test]
fn remarks_are_shown_on_request() {
    let under = "position startpos z3Z3 moves 7g7fzG";
    let best = |options: &str| {
        let said = session(&format!("FREEZE OK\n{options}\n{QUICK}{under}\ngo depth 3\nwait"));
        let best = said.iter().find(|line| line.starts_with("bestmove")).expect("a move");
        best.split(' ').nth(1).expect("a word").to_owned()
    };
    assert!(best("FREEZE_SHOW_Z true").ends_with("ZG"));
    assert!(!best("").contains(['z', 'Z']), "no freeze back");
}

/// Runs a command of the binary and returns what it says on standard output and standard error.
fn run(arguments: &[&str]) -> [String; 2] {
    let output = Command::new(env!("CARGO_BIN_EXE_tsumugi")).args(arguments).output().expect("it starts");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"))
}

#[test]
fn records_are_converted_and_shown() {
    let kif = |name| format!("{}/../../testdata/freeze/kif/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    let comment = kif("comment");
    let [line, _] = run(&["convert", "--freeze", "--quiet", "--to", "usi", &comment]);
    assert!(line.starts_with("startpos z") && line.contains("zS "), "{line}");
    let [inline, _] =
        run(&["convert", "--freeze=inline", "--quiet", "--encoding", "utf-8", "--to", "kif", &comment]);
    assert!(inline.contains(" (z銀 先手"), "{inline}");
    let [positions, _] = run(&["convert", "--freeze", "--quiet", "--positions", &comment]);
    assert!(positions.lines().nth(1).is_some_and(|line| line.contains(" z")), "{positions}");
    let [shown, _] = run(&["show", "--freeze", &comment]);
    assert!(shown.contains("* Freeze 先手 ") && shown.contains("* z銀 先手"), "{shown}");
    // The record itself tells; --variant names it, too.
    for more in [&[][..], &["--variant", "freeze"]] {
        let convert = ["convert", "--quiet", "--to", "usi", &comment];
        assert_eq!(run(&[&convert[..], more].concat())[0], line);
        assert_eq!(run(&[&["show", &comment][..], more].concat())[0], shown);
    }
    let [_, said] = run(&["convert", "--encoding", "utf-8", "--to", "bod", &comment]);
    assert!(said.contains("not written: freezes and their counts"), "{said}");
}

/// What evaluates positions is chosen as in shogi.
#[test]
fn evaluation_files_and_books_are_options() {
    let said = session("usi");
    for name in ["EvalDir", "MaterialLevel", "BookFile", "USI_OwnBook"] {
        assert!(
            said.iter().any(|line| line.starts_with(&format!("option name {name} "))),
            "{name}: {said:?}"
        );
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("freeze_book");
    std::fs::create_dir_all(&folder).expect("a folder");
    let book = format!("#YANEURAOU-DB2016 1.00\nsfen {START}\n1g1f 9c9d 0 32 1\n");
    std::fs::write(folder.join("user_book1.db"), book).expect("a file");
    let with_book = |rest: &str| {
        session(&format!(
            "FREEZE OK\nsetoption name BookDir value {}\nsetoption name BookFile value user_book1.db\nisready\n{rest}",
            folder.display()
        ))
    };
    let said = with_book("position startpos\ngo nodes 100");
    assert!(said.iter().any(|line| line.starts_with("bestmove 1g1f")), "{said:?}");
    let said = with_book(&format!("position sfen {START} zP\ngo nodes 100"));
    assert!(!said.iter().any(|line| line.starts_with("bestmove 1g1f")), "a frozen pawn: {said:?}");
}

#[test]
fn a_match_with_freezes() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_tsumugi"));
    let openings = folder.path().join("openings.txt");
    // Mate in one for the first player, by a freeze only.
    let mate = "sfen 7lk/7g1/8G/9/9/9/9/9/4K4 b 3Pp 1 z1Z3";
    std::fs::write(&openings, format!("{mate}\n")).expect("written");
    let out = folder.path().join("run");
    let played = Command::new(env!("CARGO_BIN_EXE_tsumugi"))
        .args(["match", "--variant", "freeze", "--records", "none", "--games", "2"])
        .args(["--engine", "name=one", &program, "--engine", "name=other", &program])
        .args(["--each", "nodes=200", "threads=1", "hash=16", "--openings"])
        .args([&openings, std::path::Path::new("--out"), &out])
        .output()
        .expect("the program starts");
    assert!(played.status.success(), "{played:?}");
    let games = std::fs::read_to_string(out.join("games.jsonl")).expect("results");
    for game in games.lines() {
        let game: Value = serde_json::from_str(game).expect("JSON");
        assert_eq!(game["result"], "black", "{game}");
        assert_ne!(game["reason"], "illegal-move", "{game}");
        assert!(game["moves"].as_str().is_some_and(|moves| moves.contains('z')), "{game}");
    }
    assert_eq!(games.lines().count(), 2, "{games}");
}
