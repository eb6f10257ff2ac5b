//! The real binary as shells use it: scripts through a pipe, commands as arguments, and what the console adds to the
//! protocol. What hosts do is in `usi/`.

mod program;

use program::{feed, tsumugi};
use std::io::Write;
use std::process::{Output, Stdio};

const STARTPOS: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const AFTER_7G7F: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";

fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    feed(&mut tsumugi(arguments), input)
}

/// What a session on standard input answers; it must end well and have no complaint.
fn session(input: impl AsRef<[u8]>) -> Vec<String> {
    lines(&run(&[], input))
}

fn lines(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(text.is_ascii(), "{text}");
    // What the system says about memory is not the test's business.
    text.lines().filter(|line| !line.contains("Large Pages")).map(str::to_owned).collect()
}

#[test]
fn silent_until_spoken_to() {
    assert!(session("").is_empty());
    assert!(session("\n  \n\t\r\n").is_empty());
}

#[test]
fn the_last_line_needs_no_end() {
    assert_eq!(session("position startpos moves 7g7f\nside"), ["white"]);
}

#[test]
fn positions_and_what_is_shown_of_them() {
    assert_eq!(session("sfen\nside\nmated\n"), [STARTPOS, "black", "0"]);
    assert_eq!(session("position startpos moves 7g7f\nsfen\n"), [AFTER_7G7F]);
    assert_eq!(session(format!("position sfen {STARTPOS} moves 7g7f\nsfen\n")), [AFTER_7G7F]);
    assert_eq!(session(format!("position {AFTER_7G7F}\nsfen\n")), [AFTER_7G7F]);
    assert_eq!(session(format!("sfen {AFTER_7G7F}\nsfen\n")), [AFTER_7G7F]);
    assert_eq!(session("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1\nmated\nmoves\n"), ["1", ""]);
}

#[test]
fn key_is_sixteen_hexadecimal_digits() {
    let keys = session("key\nposition startpos moves 7g7f\nkey\nposition startpos\nkey\n");
    let is_digit = |c: char| c.is_ascii_digit() || ('A'..='F').contains(&c);
    assert!(keys.iter().all(|key| key.len() == 16 && key.chars().all(is_digit)), "{keys:?}");
    assert!(keys[0] == keys[2] && keys[0] != keys[1], "{keys:?}");
}

#[test]
fn moves_are_all_on_one_line() {
    let [line] = &session("moves\n")[..] else { panic!("one line") };
    let moves: Vec<&str> = line.split(' ').collect();
    assert_eq!(moves.len(), 30);
    assert!(moves.contains(&"7g7f"));
    let [line] = &session("position sfen 4k4/9/9/P8/9/9/9/9/4K4 b - 1\nmoves\n")[..] else {
        panic!("one line")
    };
    assert!(line.split(' ').any(|m| m == "9d9c+") && line.split(' ').any(|m| m == "9d9c"), "{line}");
}

#[test]
fn flip_turns_the_board() {
    let flipped = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 2";
    assert_eq!(session("position startpos moves 7g7f\nflip\nsfen\nflip\nsfen\n"), [flipped, AFTER_7G7F]);
}

#[test]
fn display_shows_sfen_and_result() {
    let mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
    let board = session(format!("position sfen {mated}\nd\n"));
    assert!(board.len() > 2);
    assert_eq!(board[board.len() - 2..], [format!("sfen {mated}"), "black wins: no legal move".to_owned()]);
    let kanji = run(&[], "d kanji\n");
    assert!(kanji.status.success() && std::str::from_utf8(&kanji.stdout).is_ok());
}

#[test]
fn perft_counts() {
    for (depth, nodes) in [(1, 30), (2, 900), (3, 25_470), (4, 719_731)] {
        let answer = session(format!("go perft {depth}\nsfen\n"));
        let counts: Vec<(&str, u64)> = answer
            .iter()
            .filter_map(|line| line.split_once(": "))
            .map(|(m, n)| (m, n.parse().unwrap()))
            .collect();
        let (total, roots) = counts.split_last().unwrap();
        assert_eq!(*total, ("Nodes searched", nodes));
        assert_eq!(roots.len(), 30);
        assert_eq!(roots.iter().map(|(_, n)| n).sum::<u64>(), nodes);
        assert_eq!(answer.last().unwrap(), STARTPOS);
    }
    let matsuri = session("matsuri\ngo perft 2\n");
    assert_eq!(matsuri.last().unwrap(), "Nodes searched: 28684");
}

#[test]
fn perft_refuses_nonsense_in_one_line() {
    for words in ["21", "99999999999999999999"] {
        let answer = session(format!("go perft {words}\n"));
        assert!(answer.last().unwrap().starts_with("info string Error! go perft"), "{answer:?}");
    }
    for words in ["", "x"] {
        let answer = session(format!("go perft {words}\n"));
        assert!(answer[0].starts_with("info string go: "), "{answer:?}");
    }
}

#[test]
fn errors_keep_the_position() {
    for (bad, message) in [
        ("position", "position needs `startpos`"),
        ("position foo", "SFEN board"),
        ("position startpos moves 7g7e", "Illegal Input Move : 7g7e (move 1 of the list)"),
        ("position startpos moves 7g7f 3c3d 2b8h", "Illegal Input Move : 2b8h (move 3 of the list)"),
        ("position startpos moves 7g7f hello", "move 2 `hello` is not a move"),
        ("position startpos moves 7g7f \u{6b69}", "move 2 `\\u{6b69}` is not a move"),
        ("position sfen 9/9/9 b - 1", "SFEN board"),
        ("position sfen", "SFEN has no board"),
        ("sfen nonsense", "SFEN board"),
        ("position sfen 9/9/9/9/9/9/9/9/9 b - 1", "impossible position"),
        ("position sfen 4k4/9/9/9/9/9/9/9/4K4 b 99999999999999999999P 1", "SFEN"),
        ("position sfen xx w zz 1 moves 7g7f", "SFEN board"),
    ] {
        let answer = session(format!("position startpos moves 7g7f\n{bad}\nsfen\n"));
        assert_eq!(answer.len(), 2, "{bad}: {answer:?}");
        assert!(answer[0].starts_with(&format!("info string Error! {message}")), "{bad}: {answer:?}");
        assert_eq!(answer[1], AFTER_7G7F, "{bad}");
    }
}

#[test]
fn unknown_words_get_one_line_each() {
    assert_eq!(
        session("foo\nUSI usi\n\u{6b69}\n\u{1}\u{2}\n"),
        [
            "info string unknown command: foo (try help)",
            "info string unknown command: USI (try help)",
            "info string unknown command: \\u{6b69} (try help)",
            "info string unknown command: \\u{1}\\u{2} (try help)",
        ]
    );
    let long = session("x".repeat(20_000) + "\n");
    assert!(long.len() == 1 && long[0].len() < 100, "{long:?}");
}

#[test]
fn bytes_that_are_no_text() {
    let mut answer =
        session(b"\xff\xfe\x00\x80\nposition startpos moves \xc3\x28\nisready\n\xef\xbb\xbfside\n");
    // What `isready` says of the evaluation is not the point, nor the empty lines while it takes long.
    answer.retain(|line| !line.is_empty() && !line.starts_with("info string built-in network "));
    assert_eq!(answer.len(), 4, "{answer:?}");
    assert_eq!(answer.iter().filter(|line| line.starts_with("info string ")).count(), 2, "{answer:?}");
    assert!(answer.contains(&"readyok".to_owned()) && answer.contains(&"black".to_owned()), "{answer:?}");
}

#[test]
fn long_lines() {
    let there_and_back = " 2h3h 8b7b 3h2h 7b8b".repeat(2_500);
    let answer = session(format!("position startpos moves{there_and_back}\nsfen\n"));
    assert_eq!(answer, [STARTPOS.replace(" 1", " 10001")]);
    let answer = session("position startpos moves ".to_owned() + &"7g7f ".repeat(1_000_000) + "\nsfen\n");
    assert_eq!(answer, ["info string Error! a line of more than 1048576 bytes was skipped", STARTPOS]);
}

#[test]
fn commands_as_arguments() {
    let words = ["position", "startpos", "moves", "7g7f", ",", "sfen", ",", "quit", ",", "usi"];
    assert_eq!(lines(&run(&words, "side\n")), [AFTER_7G7F]);
    assert_eq!(lines(&run(&["position startpos moves 7g7f", ",", "sfen"], "side\n")), [AFTER_7G7F, "white"]);
}

/// The exit status of commands given as arguments, and what they say.
fn status(words: &str, input: &str) -> (Option<i32>, String) {
    let output = run(&words.split(' ').collect::<Vec<_>>(), input);
    assert!(output.stderr.is_empty(), "{output:?}");
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn arguments_that_fail_tell_by_the_exit_status() {
    for (words, code) in [
        ("position startpos , d", 0),
        ("makebook", 0),
        ("bench 1 1 1 current depth", 0),
        ("position startpos moves 7g7e", 1),
        ("makebook sort missing.db out.db", 1),
        ("makebook merge a.db b.db c.db , d", 1),
        ("file missing.txt", 1),
        ("f missing", 1),
        ("test evalconvert kppt32 a kppt16 b", 1),
        ("setoption name EvalDir value missing , isready", 1),
        ("uci", 1),
        ("makebook nonsense", 2),
        ("makebook sort", 2),
        ("makebook think a b depth many", 2),
        ("d , nonsense", 2),
        ("setoption name Threads value many", 2),
        ("setoption name Nonsense value 1", 2),
        ("getoption Nonsense", 2),
        ("bench 16 1 1 default furlongs", 2),
        ("bench 16 1025 1", 2),
        ("test nonsense", 2),
    ] {
        let (found, said) = status(words, "");
        assert_eq!(found, Some(code), "{words}: {said}");
        // What a host says afterwards is its own business.
        let (found, said) = status(words, "nonsense\nposition nonsense\nquit\n");
        assert_eq!(found, Some(code), "{words}: {said}");
    }
    let (found, said) = status("bench 16 1025 1", "");
    assert!(
        found == Some(2) && said.contains("expected a whole number from 1 to 1024, found `1025`"),
        "{said}"
    );
}

/// A limit on memory that leaves room for a few threads only: those search, and a line says how many they are.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_cannot_be_started_are_missed_by_nobody() {
    let searches = "position startpos\ngo nodes 20000\nwait\nbench 1 1000 3\ngo mate 1000\nwait\n";
    let shogi = "MateThread true\nMateHash 1\n";
    for (game, checkmate) in [("shogi", "checkmate nomate"), ("binarsi", "checkmate ")] {
        let options = format!("USI_Hash 1\nThreads 1024\nUSI_Variant {game}\n");
        let own = if game == "shogi" { format!("EvalDir <material>\n{shogi}") } else { String::new() };
        let mut command = std::process::Command::new("sh");
        command.args(["-c", "ulimit -v 1500000; exec \"$0\"", env!("CARGO_BIN_EXE_tsumugi")]);
        let output = feed(&mut command, format!("{options}{own}isready\n{searches}quit\n"));
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{said}");
        let told = said.lines().find_map(|line| line.strip_prefix("info string Error! Threads 1024: only "));
        let started: usize = told.and_then(|told| told.split(' ').next()?.parse().ok()).expect("a number");
        assert!((1..1024).contains(&started), "{said}");
        assert!(said.lines().any(|line| line == "readyok"), "{said}");
        assert_eq!(said.lines().filter(|line| line.starts_with("bestmove ")).count(), 1, "{said}");
        assert!(said.contains("Nodes searched  : ") && said.contains(checkmate), "{said}");
        assert!(!said.contains("failed"), "{said}");
    }
}

/// Each part of a message is said once, through all layers that pass it on.
#[test]
fn errors_are_said_once() {
    for words in [
        "book stats missing.db",
        "book sort missing.db out.db",
        "net info missing/nn.bin",
        "train fit --data missing.bin --out nowhere",
        "train learn missing",
        "perft --variant-path missing.ini 1",
        "perft --variant minishogi --variant-path missing.ini 1",
        "perft --sfen 9/9/9/9/9/9/9/9/9 1",
        "bench eval missing",
        "convert missing.kif",
        "mate solve missing.sfen",
        "match --engine cmd=missing --engine cmd=missing --games 2 --openings missing.sfen",
    ] {
        let output = run(&words.split(' ').collect::<Vec<_>>(), "");
        assert!(!output.status.success(), "{words}");
        let said = String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap();
        for line in said.lines() {
            let parts: Vec<&str> = line.split(": ").collect();
            let again = parts.iter().enumerate().find(|(place, part)| parts[..*place].contains(part));
            assert_eq!(again, None, "{words}: {line}");
            assert!(line.matches("rror! ").count() <= 1, "{words}: {line}");
        }
    }
    for words in [
        "makebook sort missing.db out.db",
        "bench 16 1 1 missing.txt",
        "f missing",
        "setoption name VariantPath value missing.ini",
    ] {
        let (code, said) = status(words, "");
        assert_eq!(code, Some(1), "{words}: {said}");
        let errors: Vec<&str> = said.lines().filter(|line| line.contains("rror!")).collect();
        let [error] = errors[..] else { panic!("{words}: {said}") };
        assert_eq!(error.matches("rror!").count(), 1, "{error}");
        let parts: Vec<&str> = error.split(": ").collect();
        assert!((1..parts.len()).all(|place| !parts[..place].contains(&parts[place])), "{error}");
    }
}

#[test]
fn the_build_names_its_version_once() {
    let version = env!("CARGO_PKG_VERSION");
    for command in ["config", "compiler"] {
        let [line] = &session(command)[..] else { panic!("one line") };
        assert!(line.starts_with(&format!("Tsumugi {version}, ")), "{line}");
        assert_eq!(line.matches(version).count(), 1, "{line}");
    }
}

/// What the documents and other engines have under another name.
#[test]
fn names_of_other_programs_get_a_hint() {
    for (line, hint) in [
        ("bench 16 1 1000 default mate", "tsumugi mate bench"),
        ("test genmate loop 10", "tsumugi mate generate"),
        ("test matebench loop 10", "tsumugi mate bench"),
        ("test search", "go depth"),
        ("test evalstat", "`eval`"),
        ("search depth 3", "go depth"),
        ("evalstat", "`eval`"),
        ("user hello", "for engines of your own"),
        ("setoption name Contempt value 30", "DrawValueBlack and DrawValueWhite"),
        ("setoption name SolverType value 64bitNodeSolver", "PostSearchLevel"),
        ("setoption name contempt", "DrawValueBlack"),
    ] {
        let said = session(line);
        let about: Vec<&String> = said.iter().filter(|line| line.contains(hint)).collect();
        assert!(about.len() == 1 && about[0].starts_with("info string "), "{line}: {said:?}");
    }
    // Old names that mean the same simply work.
    for name in ["Hash", "Skill Level", "USI_SkillLevel"] {
        assert_eq!(session(format!("setoption name {name} value 5")), [""; 0], "{name}");
    }
}

#[test]
fn hosts_that_speak_uci_hear_what_to_do() {
    let [line] = &session("uci\n")[..] else { panic!("one line") };
    assert!(line.starts_with("info string Error! this engine speaks USI, not UCI: "), "{line}");
}

#[test]
fn misspelt_arguments_are_explained() {
    let output = run(&["prft", "3"], "usi\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("error: unrecognized command 'prft'"), "{message}");
}

#[test]
fn perft_on_the_command_line() {
    assert_eq!(lines(&run(&["perft", "3"], ""))[0], "Nodes searched: 25470");
    assert_eq!(lines(&run(&["perft", "--startpos", "3"], ""))[0], "Nodes searched: 25470");
    assert_eq!(lines(&run(&["perft", "--make", "3"], ""))[0], "Nodes searched: 25470");
    assert_eq!(lines(&run(&["perft", "--make", "0"], ""))[0], "Nodes searched: 1");
    let divided = lines(&run(&["perft", "--sfen", AFTER_7G7F, "--divide", "2"], ""));
    assert_eq!(divided.iter().filter(|line| line.contains(": ")).count(), 30 + 2);
    let moves = lines(&run(&["perft", "--sfen", "startpos moves 7g7f", "--divide", "2"], ""));
    assert_eq!(divided[..31], moves[..31]);

    let bad = run(&["perft", "--sfen", "9/9", "2"], "");
    assert_eq!(bad.status.code(), Some(1));
    let message = String::from_utf8(bad.stderr).unwrap();
    assert_eq!(message, "error: bad --sfen '9/9': SFEN board: expected 9 rows, found 2\n");
}

#[test]
fn version_and_help() {
    let version = concat!("tsumugi ", env!("CARGO_PKG_VERSION"));
    assert_eq!(lines(&run(&["--version"], "")), [version]);
    let help = lines(&run(&["--help"], "")).join("\n");
    assert!(
        help.contains("perft") && help.contains("tsumugi position startpos moves 7g7f , d , quit"),
        "{help}"
    );
}

#[test]
fn nobody_listens_any_more() {
    for (arguments, input) in [(&[][..], "usi\n"), (&[], "go perft 3\n"), (&["perft", "--divide", "3"], "")] {
        let mut command = tsumugi(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{input}: {output:?}");
    }
}

#[test]
fn problems_of_the_rules_are_solved() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/search/best_moves.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    let problems: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        // The other kinds are a measure of strength.
        .filter(|problem: &serde_json::Value| {
            problem["kind"] == "declaration" || problem["kind"] == "perpetual"
        })
        .collect();
    assert_eq!(problems.len(), 24);
    let script: Vec<String> = problems
        .iter()
        .map(|problem| {
            let position = problem["position"].as_str().map(str::to_owned);
            let position = position.unwrap_or_else(|| format!("sfen {}", problem["sfen"].as_str().unwrap()));
            format!("usinewgame\nposition {position}\ngo nodes 2000\nwait\n")
        })
        .collect();
    let said = session(format!("setoption name USI_Hash value 16\nisready\n{}", script.concat()));
    let found: Vec<&str> =
        said.iter().filter_map(|line| line.strip_prefix("bestmove ")?.split(' ').next()).collect();
    assert_eq!(found.len(), problems.len());
    for (problem, found) in problems.iter().zip(found) {
        let answers = problem["bestmove"].as_array().unwrap();
        assert!(answers.iter().any(|answer| answer == found), "{found}: {problem}");
    }
}
