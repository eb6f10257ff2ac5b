//! Connections that break, engines that break: the games are kept, and the client is back.

mod table;

use csa::client::{self, ClientSummary};
use csa::files::GameEntry;
use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;

/// A short game, as the server says it; our moves are White's.
const GAME: [&str; 37] = [
    "LOGIN:me OK",
    "BEGIN Game_Summary",
    "Protocol_Version:1.2",
    "Format:Shogi 1.0",
    "Game_ID:cut+game",
    "Name+:other",
    "Name-:me",
    "Your_Turn:-",
    "To_Move:+",
    "BEGIN Time",
    "Time_Unit:1sec",
    "Total_Time:100",
    "Byoyomi:0",
    "END Time",
    "BEGIN Position",
    "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY",
    "P2 * -HI *  *  *  *  * -KA * ",
    "P3-FU-FU-FU-FU-FU-FU-FU-FU-FU",
    "P4 *  *  *  *  *  *  *  *  * ",
    "P5 *  *  *  *  *  *  *  *  * ",
    "P6 *  *  *  *  *  *  *  *  * ",
    "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU",
    "P8 * +KA *  *  *  *  * +HI * ",
    "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY",
    "+",
    "END Position",
    "END Game_Summary",
    "START:cut+game",
    "+7776FU,T1",
    "-3334FU,T1",
    "+2726FU,T1",
    "-8384FU,T1",
    "+2625FU,T1",
    "-8485FU,T1",
    "%TORYO,T1",
    "#RESIGN",
    "#WIN",
];
const MOVES: &str = "moves x,3c3d,x,8c8d,x,8d8e";

/// After these lines of the server the client says something first.
fn waits_after(line: &str) -> bool {
    line == "END Game_Summary" || (line.starts_with('+') && line.len() > 7)
}

/// Says the first lines of the game and hears what belongs between them.
fn say(side: &mut table::Side, lines: &[&str]) {
    table::hear(&mut side.1).unwrap();
    for (index, line) in lines.iter().enumerate() {
        side.0.write_all(format!("{line}\n").as_bytes()).unwrap();
        if index + 1 < lines.len() && waits_after(line) {
            table::hear(&mut side.1).unwrap();
        }
    }
}

fn entries(out: &Path) -> Vec<GameEntry> {
    let text = fs::read_to_string(out.join("games.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_connection_that_is_cut_after_any_line() {
    let started = GAME.iter().position(|line| line.starts_with("START")).unwrap();
    std::thread::scope(|scope| {
        for lines in 0..GAME.len() {
            scope.spawn(move || {
                let listener = TcpListener::bind("127.0.0.1:0").unwrap();
                let config = table::config(listener.local_addr().unwrap().port(), "me", table::engine(MOVES));
                let place = tempfile::tempdir().unwrap();
                let out = place.path().join("run");
                let (summary, entries) = std::thread::scope(|scope| {
                    scope.spawn(|| {
                        let mut first = table::accept(&listener).unwrap();
                        say(&mut first, &GAME[..lines]);
                        drop(first);
                        let mut second = table::accept(&listener).unwrap();
                        say(&mut second, &GAME);
                        table::hear(&mut second.1);
                    });
                    let summary = client::play(&config, "secret", &out, 1, &mut |_: &str| {}).unwrap();
                    (summary, entries(&out))
                });
                let cut = u64::from(lines > started);
                let expected = ClientSummary { games: 1, wins: 1, cuts: cut, ..ClientSummary::default() };
                assert_eq!(summary, expected, "{lines}");
                assert_eq!(entries.len() as u64, 1 + cut, "{lines}");
                let whole = entries.last().unwrap();
                assert_eq!(whole.moves.split(' ').count(), 6, "{lines}");
                if cut == 1 {
                    assert_eq!(entries[0].detail.as_deref(), Some("cut"), "{lines}");
                    let played = GAME[..lines]
                        .iter()
                        .filter(|line| line.len() > 7 && line.starts_with(['+', '-']))
                        .count();
                    assert_eq!(entries[0].moves.split_whitespace().count(), played, "{lines}");
                }
                // The server gives both games the same name: both are kept.
                let csa =
                    |entry: &GameEntry| fs::read_to_string(out.join(format!("{}.csa", entry.file))).unwrap();
                assert!(csa(whole).contains("%TORYO"), "{lines}");
                for game in entries.iter().filter(|entry| entry.is_cut()) {
                    assert!(csa(game).contains("%CHUDAN") && game.file != whole.file, "{lines}");
                }
            });
        }
    });
}

/// One connection on which the whole game is played, whatever the client's last word is.
fn with_engine(arguments: &str, lines: &[&str], last: &[&str]) -> (Vec<String>, GameEntry) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut config = table::config(listener.local_addr().unwrap().port(), "me", table::engine(arguments));
    config.patience_ms = 5_000;
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("run");
    std::thread::scope(|scope| {
        let heard = scope.spawn(|| {
            let mut side = table::accept(&listener).unwrap();
            let mut heard = vec![table::hear(&mut side.1).unwrap()];
            for line in lines {
                side.0.write_all(format!("{line}\n").as_bytes()).unwrap();
                if waits_after(line) {
                    heard.push(table::hear(&mut side.1).unwrap());
                }
            }
            side.0.write_all((last.join("\n") + "\n").as_bytes()).unwrap();
            heard
        });
        client::play(&config, "secret", &out, 1, &mut |_: &str| {}).unwrap();
        (heard.join().unwrap(), entries(&out).remove(0))
    })
}

fn position_of(line: &str) -> usize {
    GAME.iter().position(|known| *known == line).unwrap()
}

#[test]
fn engines_that_break_are_started_again_while_there_is_time() {
    for (fault, what) in [("die@1", "has ended"), ("flood@1", "floods")] {
        // Every process breaks at its first move: three more are tried.
        let (heard, entry) = with_engine(
            &format!("{MOVES} {fault}"),
            &GAME[..=position_of("+7776FU,T1")],
            &["#TIME_UP", "#LOSE"],
        );
        assert_eq!(heard.last().map(String::as_str), Some("%TORYO"), "{fault}");
        assert_eq!(
            entry.faults.iter().filter(|text| text.contains(what)).count(),
            4,
            "{fault}: {:?}",
            entry.faults
        );
    }
}

#[test]
fn answers_that_cannot_be_sent_resign() {
    for (fault, what) in [("garbage@2", "bestmove 5e5e+"), ("win@2", "bestmove win")] {
        let (heard, entry) = with_engine(
            &format!("{MOVES} {fault}"),
            &GAME[..=position_of("+2726FU,T1")],
            &["%TORYO,T1", "#RESIGN", "#LOSE"],
        );
        assert_eq!(heard.last().map(String::as_str), Some("%TORYO"), "{fault}");
        assert!(entry.faults[0].contains(what), "{:?}", entry.faults);
        assert_eq!(entry.moves, "7g7f 3c3d 2g2f");
    }
}

#[test]
fn a_refused_login_is_tried_three_times() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let config = table::config(listener.local_addr().unwrap().port(), "me", table::engine(MOVES));
    let place = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..3 {
                let mut side = table::accept(&listener).unwrap();
                assert_eq!(table::hear(&mut side.1).as_deref(), Some("LOGIN me secret"));
                side.0.write_all(b"LOGIN:incorrect\n").unwrap();
            }
        });
        let error =
            client::play(&config, "secret", &place.path().join("run"), 0, &mut |_: &str| {}).unwrap_err();
        assert!(error.to_string().contains("refused the login of `me` three times"), "{error}");
    });
}

#[test]
fn hostile_servers_end_a_connection_and_nothing_else() {
    let endless = vec![b'x'; 1 << 18];
    let keys = format!("LOGIN:me OK\nBEGIN Game_Summary\n{}", "Remark:x\n".repeat(5000));
    let noise: Vec<u8> = {
        let mut random = platform::Random::new(1);
        (0..50_000).map(|_| random.next() as u8).collect()
    };
    let unasked = b"START:x\n+7776FU,T1\nLOGIN:me OK\nSTART:y\n#WIN\n".to_vec();
    let attacks = [endless, keys.into_bytes(), noise, unasked];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let config = table::config(listener.local_addr().unwrap().port(), "me", table::engine(MOVES));
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("run");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for attack in &attacks {
                let mut side = table::accept(&listener).unwrap();
                let _ = side.0.write_all(attack);
            }
            let mut last = table::accept(&listener).unwrap();
            say(&mut last, &GAME);
            table::hear(&mut last.1);
        });
        let summary = client::play(&config, "secret", &out, 1, &mut |_: &str| {}).unwrap();
        assert_eq!((summary.games, summary.wins), (1, 1));
    });
}
