//! Files in the current folder that speak for the user.

use crate::folder::Folder;
use std::fs;

/// Everything that a program started in `folder` says until it ends.
fn session(folder: &Folder, arguments: &[&str], input: &str) -> Vec<String> {
    let mut host = folder.start(arguments);
    if !input.is_empty() {
        host.send(input);
    }
    host.close_input();
    assert!(host.exit_status().success());
    host.heard().map(str::to_owned).collect()
}

const AFTER_7G7F: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";

#[test]
fn engine_options_override_and_fix() {
    let folder = Folder::new().with(
        "engine_options.txt",
        "option name Threads type spin default 2 min 1 max 512\r\nUSI_Hash 3\nMultiPV=4\n\
         EnteringKingRule TryRule\n\nNoSuchOption 1\nDepthLimit nonsense\n",
    );
    let mut host = folder.start(&[]);
    host.send("usi");
    let heard = host.until("usiok");
    // The defaults that hosts hear of are those of the file; of a fixed value there is only the one.
    for line in [
        "option name Threads type spin default 2 min 1 max 512",
        "option name USI_Hash type spin default 3 min 3 max 3",
        "option name MultiPV type spin default 4 min 4 max 4",
        "option name EnteringKingRule type combo default TryRule var TryRule",
    ] {
        assert!(heard.contains(&line.to_owned()), "{line}: {heard:?}");
    }
    host.send("setoption name USI_Hash value 1\nsetoption name Threads value 600");
    let heard = host.get_ready();
    let begin = heard.iter().position(|line| line.starts_with("info string read engine options, path = "));
    let heard = &heard[begin.expect("the file is named")..];
    assert!(heard[0].ends_with("engine_options.txt"), "{heard:?}");
    for (name, value) in [("Threads", 2), ("USI_Hash", 3), ("MultiPV", 4)] {
        let message = format!("info string engine option override. name = {name} , value = {value}");
        assert!(heard.contains(&message), "{heard:?}");
        // A value alone cannot be changed by the host, a default within its bounds can.
        host.send(&format!("setoption name {name} value 1"));
        assert_eq!(host.option(name), if name == "Threads" { 1 } else { value }.to_string());
    }
    assert_eq!(heard.iter().filter(|line| line.contains("Error")).count(), 2, "{heard:?}");
    host.get_ready();
    assert_eq!(host.option("Threads"), "1", "the file does not take back what the host has set");
    // Another file holds from the next `isready` on.
    let folder = folder.with("engine_options.txt", "MultiPV 2\n");
    host.get_ready();
    host.send("setoption name USI_Hash value 1\nsetoption name Threads value 1");
    assert_eq!((host.option("MultiPV"), host.option("USI_Hash")), ("2".to_owned(), "1".to_owned()));
    host.send("position startpos\ngo depth 2");
    assert!(host.best_move().before.iter().any(|line| line.contains(" multipv 2 ")));
    host.quit();
    drop(folder);
}

#[test]
fn eval_options_go_with_their_evaluation() {
    let folder = Folder::new().with("a/eval_options.txt", "FV_SCALE 24\n").with("b/readme.txt", "");
    let mut host = folder.start(&[]);
    host.send("setoption name EvalFallback value true\nsetoption name EvalDir value a");
    host.get_ready();
    host.send("setoption name FV_SCALE value 20");
    assert_eq!(host.option("FV_SCALE"), "24");
    // Another evaluation: what belonged to the former one is forgotten at once.
    host.send("setoption name EvalDir value b");
    assert_eq!(host.option("FV_SCALE"), "16");
    host.send("setoption name FV_SCALE value 20");
    host.get_ready();
    assert_eq!(host.option("FV_SCALE"), "20");
    host.send("setoption name EvalDir value a");
    host.get_ready();
    assert_eq!(host.option("FV_SCALE"), "24");
    host.quit();
}

#[test]
fn the_game_of_the_options_file_is_played_from_the_start() {
    let folder = Folder::new().with("engine_options.txt", "USI_Variant minishogi\n");
    let heard = session(&folder, &["sfen"], "usi\nisready\nside");
    let sfen = "rbsgk/4p/5/P4/KGSBR b - 1";
    assert_eq!(heard[..2], [format!("info string variant minishogi startpos {sfen}"), sfen.to_owned()]);
    let variant = "option name USI_Variant type combo default minishogi var minishogi";
    assert!(heard.iter().any(|line| line == variant), "{heard:?}");
    assert_eq!(heard.iter().filter(|line| line.contains(" variant ")).count(), 1, "{heard:?}");
}

/// The book of the documents is used where it is there and no other one is chosen.
#[test]
fn a_standard_book_is_used_if_it_is_there() {
    const BOOK: &str = "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n9g9f 1c1d 0 32 1\n";
    let folder = Folder::new().with("book/standard_book.db", BOOK);
    let mut host = folder.start(&[]);
    let heard = host.get_ready();
    assert!(heard.iter().any(|line| line.ends_with("number of positions = 1")), "{heard:?}");
    host.send("position startpos\ngo depth 1");
    assert_eq!(host.best_move().best, "9g9f");
    host.send("setoption name BookFile value no_book");
    host.get_ready();
    host.send("position startpos\ngo depth 1");
    assert_ne!(host.best_move().best, "9g9f");
    host.quit();
    // Without one there is nothing to say; a book that was chosen and is missing is an error.
    let mut host = Folder::new().start(&[]);
    host.get_ready_quietly();
    host.send("setoption name BookFile value user_book1.db");
    assert!(host.get_ready().iter().any(|line| line.starts_with("info string Error! : can't read file : ")));
    host.quit();
}

#[test]
fn engine_name() {
    let folder = Folder::new().with("engine_name.txt", "My Engine 1.0\r\nMe and You\r\n");
    assert_eq!(session(&folder, &[], "usi")[..2], ["id name My Engine 1.0", "id author Me and You"]);
    let folder = folder.with("engine_name.txt", "Alone");
    assert_eq!(session(&folder, &[], "usi")[..2], ["id name Alone", "id author default author"]);
}

#[test]
fn startup_info_is_shown_before_anything_else() {
    let folder = Folder::new().with("startup_info.txt", "hello\n\n  world\n");
    assert_eq!(session(&folder, &["side"], "sfen 9/9\n")[..4], ["hello", "", "  world", "black"]);
    assert_eq!(session(&folder, &[], ""), ["hello", "", "  world"]);
}

#[test]
fn startup_commands_follow_those_of_the_command_line() {
    let folder = Folder::new().with("startup.txt", "sfen\r\n\r\nsetoption name Threads value 1\nThreads\n");
    let heard = session(&folder, &["position", "startpos", "moves", "7g7f"], "side");
    assert_eq!(heard[0], AFTER_7G7F);
    assert!(heard[1].ends_with(" 1"), "{heard:?}");
    assert_eq!(heard[2], "white");
    let folder = Folder::new().with("startup.txt", "side\nquit\n");
    assert_eq!(session(&folder, &[], ""), ["black"]);
}

#[test]
fn f_obeys_a_file() {
    let folder = Folder::new()
        .with("game.txt", "position startpos moves 7g7f\nf inner\nside\n")
        .with("inner.txt", "sfen");
    let heard = session(&folder, &[], "f game\nmated\nf nothing");
    assert!(heard[0].starts_with("info string USI Commands from File = "), "{heard:?}");
    assert!(heard[0].ends_with("game.txt") && heard[1].ends_with("inner.txt"), "{heard:?}");
    assert_eq!(heard[2..5], [AFTER_7G7F, "white", "0"]);
    assert!(heard[5].starts_with("info string Error! File Not Found, tried "), "{heard:?}");
    assert!(heard[5].contains("nothing.txt"), "{heard:?}");
}

#[test]
fn a_file_that_calls_itself_is_stopped() {
    let folder = Folder::new().with("again.txt", "f again\nsfen\n");
    let heard = session(&folder, &[], "f again\nside");
    assert_eq!(heard.iter().filter(|line| line.starts_with("info string Error! ")).count(), 1);
    assert_eq!(heard.last().map(String::as_str), Some("black"));
}

#[test]
fn file_on_the_command_line() {
    let folder = Folder::new().with("cmd.txt", "position startpos moves 7g7f\n\nsfen\r\n");
    assert_eq!(session(&folder, &["file", "cmd.txt"], "side"), [AFTER_7G7F, "white"]);
    // Everything is in the file: nothing else of the line counts, and the input goes on.
    let folder = folder.with("quit.txt", "side\nquit\n");
    assert_eq!(session(&folder, &["file", "quit.txt"], ""), ["black"]);
    // A file that is missing is a failure; the input goes on.
    let mut host = folder.start(&["file", "missing.txt"]);
    let heard = host.so_far();
    assert!(heard[0].starts_with("info string Error! File Not Found, tried "), "{heard:?}");
    host.close_input();
    assert_eq!(host.exit_status().code(), Some(1));
}

#[test]
fn the_log_has_both_directions() {
    for name in ["DebugLogFile", "WriteDebugLog"] {
        let folder = Folder::new();
        session(
            &folder,
            &[],
            &format!("setoption name {name} value io.txt\nside\nsetoption name {name} value \nsfen"),
        );
        let log = fs::read_to_string(folder.path().join("io.txt")).expect("there is a log");
        assert_eq!(log.lines().take(2).collect::<Vec<_>>(), ["> side", "< black"], "{log}");
        assert!(!log.contains("sfen"), "{log}");
    }
    let folder = Folder::new();
    session(&folder, &[], "log\nside");
    assert_eq!(
        fs::read_to_string(folder.path().join("io_log.txt")).expect("there is a log"),
        "> side\n< black\n"
    );
    let heard = session(&folder, &[], "setoption name DebugLogFile value no/such/folder/io.txt\nside");
    assert!(heard[0].starts_with("info string Error! cannot write the log: "), "{heard:?}");
    assert_eq!(heard[1], "black");
}
