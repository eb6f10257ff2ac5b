//! `usi`, `setoption`, `isready`.

use crate::host::Host;
use crate::info::variations;
use std::collections::HashMap;

fn introduction() -> Vec<String> {
    let mut host = Host::start();
    host.send("usi");
    let lines = host.until("usiok");
    host.quit();
    lines
}

/// The option lines, cut at single blanks as hosts do.
fn options(introduction: &[String]) -> impl Iterator<Item = Vec<&str>> {
    introduction.iter().filter(|line| line.starts_with("option ")).map(|line| line.split(' ').collect())
}

#[test]
fn name_author_options_usiok() {
    let lines = introduction();
    let version = concat!("id name Tsumugi ", env!("CARGO_PKG_VERSION"));
    assert_eq!(lines[..2], [version, "id author the Tsumugi contributors"]);
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")), "{lines:?}");
    assert!(lines.contains(&"option name DebugLogFile type string default <empty>".to_owned()), "{lines:?}");
    assert!(lines.iter().all(|line| line.is_ascii() && !line.contains('\r')), "{lines:?}");
}

#[test]
fn option_lines_survive_a_reader_that_cuts_at_blanks() {
    let lines = introduction();
    for words in options(&lines) {
        assert!(!words.contains(&""), "two blanks: {words:?}");
        let ["option", "name", _, "type", kind, ref rest @ ..] = words[..] else { panic!("{words:?}") };
        let pairs: Vec<(&str, &str)> = rest.chunks(2).map(|pair| (pair[0], pair[1])).collect();
        let vars: Vec<&str> =
            pairs.iter().filter(|(key, _)| *key == "var").map(|(_, value)| *value).collect();
        let values: HashMap<&str, &str> = pairs.into_iter().collect();
        let number = |key: &str| values[key].parse::<i64>().unwrap();
        match kind {
            "spin" => {
                assert!((number("min")..=number("max")).contains(&number("default")), "{words:?}");
            }
            "check" => assert!(["true", "false"].contains(&values["default"]), "{words:?}"),
            "combo" => assert!(vars.contains(&values["default"]), "{words:?}"),
            "string" | "filename" => assert!(!values["default"].is_empty(), "{words:?}"),
            "button" => assert!(rest.is_empty(), "{words:?}"),
            _ => panic!("unknown type: {words:?}"),
        }
    }
}

#[test]
fn default_options_get_ready_and_stay_ascii() {
    let mut host = Host::start();
    host.send("usi");
    host.until("usiok");
    host.get_ready();
    assert!(host.heard().all(|line| line.bytes().all(|byte| (b' '..=b'~').contains(&byte))));
    host.quit();
}

#[test]
fn every_default_can_be_sent_back() {
    let mut host = Host::start();
    host.send("usi");
    let lines = host.until("usiok");
    for words in options(&lines) {
        if let Some(at) = words.iter().position(|word| *word == "default") {
            // ShogiHome sends nothing for `<empty>`, so that the line ends in a blank; others send the word.
            let value = words[at + 1];
            for value in [value, value.trim_start_matches("<empty>")] {
                host.send(&format!("setoption name {} value {value}", words[2]));
            }
        }
    }
    // Hosts insist on these two, whether they were offered or not.
    host.send("setoption name USI_Hash value 32\nsetoption name USI_Ponder value true");
    host.get_ready_quietly();
    host.quit();
}

#[test]
fn bad_options_are_ignored() {
    let mut host = Host::start();
    host.send("usi");
    host.until("usiok");
    for bad in [
        "setoption name NoSuchOption value 1",
        "setoption name USI_Hash",
        "setoption name USI_Hash value abc",
        "setoption name Threads value 99999999",
        "setoption name Threads value -1",
        "setoption",
        "setoption name",
        "setoption name Bad Name With Spaces value 3",
    ] {
        host.send(bad);
        let heard = host.so_far();
        assert!(heard.iter().all(|line| line.starts_with("info string ")), "{bad}: {heard:?}");
        assert!(heard.len() <= 1, "{bad}: {heard:?}");
    }
    host.send("setoption name USI_Hash value 1\nsetoption name Threads value 1");
    host.get_ready_quietly();
    host.plays("startpos", "go nodes 100");
    host.quit();
}

#[test]
fn isready_and_the_first_go_without_waiting() {
    let mut host = Host::start();
    host.send("usi\nsetoption name USI_Hash value 1\nsetoption name Threads value 1");
    host.send("isready\nusinewgame\nposition startpos\ngo nodes 500");
    host.until("readyok");
    host.best_move();
    host.quit();
}

#[test]
fn usinewgame_first_and_isready_before_every_search() {
    let mut host = Host::start();
    host.send("usi");
    host.until("usiok");
    host.send("setoption name USI_Hash value 1\nsetoption name Threads value 1\nusinewgame");
    host.get_ready();
    host.send("setoption name MultiPV value 3");
    for position in ["startpos moves ", "startpos moves 7g7f"] {
        host.get_ready();
        let answer = host.plays(position, "go depth 3");
        let ranks: Vec<_> = variations(&answer.before).iter().filter_map(|info| info.multipv).collect();
        assert!(ranks.contains(&3), "MultiPV is forgotten: {ranks:?}");
    }
    host.quit();
}

#[test]
fn windows_line_ends() {
    let mut host = Host::start();
    host.send_bytes(
        b"usi\r\nsetoption name USI_Hash value 1\r\nsetoption name Threads value 1\r\nisready\r\n",
    );
    host.until("usiok");
    host.until("readyok");
    host.send_bytes(b"position startpos moves 7g7f\r\ngo nodes 500\r\n");
    let answer = host.best_move();
    crate::host::assert_legal("startpos moves 7g7f", &[answer.best]);
    host.send_bytes(b"quit\r\n");
    assert!(host.exit_status().success());
}

#[test]
fn isready_again_and_again() {
    let mut host = Host::ready();
    host.send("isready\nisready\nisready");
    for _ in 0..3 {
        host.until("readyok");
    }
    host.quit();
}
