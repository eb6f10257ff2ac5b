//! The server among clients of ours, clients of others, and attackers.

mod table;

use arena::{Adjudication, Answer, GameResult, Referee, Ruling};
use csa::client::{self, Mode};
use csa::files::GameEntry;
use csa::server::{Pairing, Server, ServerConfig, Standing, TimeWords};
use shogi::{Rules, Shogi};
use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

fn config(time: &str, unit: u64) -> ServerConfig {
    let time: TimeWords = time.parse().unwrap();
    ServerConfig {
        event: "test".to_owned(),
        rule: time.rule(Duration::from_millis(unit)),
        time_name: time.name(),
        pairing: Pairing::Waiting,
        rounds: 1,
        max_moves: 256,
        lenient: false,
        players: Vec::new(),
        absence_ms: 60_000,
    }
}

/// A server in a thread, and where it listens.
struct Hall<'a> {
    port: u16,
    /// How often Ctrl-C came.
    stop: &'a AtomicU32,
}

fn with_server<T>(
    config: ServerConfig,
    openings: &[String],
    users: Option<&[(&str, &str)]>,
    games: u64,
    out: &Path,
    visit: impl FnOnce(&Hall<'_>) -> T,
) -> (T, Vec<Standing>) {
    let users = users
        .map(|users| users.iter().map(|(name, word)| ((*name).to_owned(), (*word).to_owned())).collect());
    let mut server = Server::listen("127.0.0.1:0", config, openings, users).unwrap();
    let port = server.address().unwrap().port();
    let stop = AtomicU32::new(0);
    std::thread::scope(|scope| {
        let serving =
            scope.spawn(|| server.run(out, games, &|| stop.load(Ordering::Relaxed), &mut |_| {}).unwrap());
        let visited = visit(&Hall { port, stop: &stop });
        if games == 0 {
            stop.store(2, Ordering::Relaxed);
        }
        (visited, serving.join().unwrap())
    })
}

impl Hall<'_> {
    fn connect(&self) -> table::Side {
        table::side(TcpStream::connect(("127.0.0.1", self.port)).unwrap())
    }

    fn log_in(&self, name: &str) -> table::Side {
        let mut side = self.connect();
        say(&mut side, &format!("LOGIN {name} word"));
        assert_eq!(table::hear(&mut side.1), Some(format!("LOGIN:{name} OK")));
        side
    }

    /// Two players whose game has begun, Black first.
    fn begin(&self, names: [&str; 2]) -> [table::Side; 2] {
        let mut players = names.map(|name| self.log_in(name));
        for player in &mut players {
            until(player, "END Game_Summary");
            say(player, "AGREE");
        }
        for player in &mut players {
            until(player, "START:");
        }
        players
    }
}

fn say(side: &mut table::Side, line: &str) {
    side.0.write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// Hears lines up to one that begins like this.
fn until(side: &mut table::Side, start: &str) -> Vec<String> {
    let mut heard = Vec::new();
    loop {
        let line = table::hear(&mut side.1).unwrap_or_else(|| panic!("closed before {start}: {heard:?}"));
        heard.push(line);
        if heard.last().unwrap().starts_with(start) {
            return heard;
        }
    }
}

/// A move of one player, which both hear.
fn played(players: &mut [table::Side; 2], who: usize, text: &str) {
    say(&mut players[who], text);
    for player in players {
        until(player, text);
    }
}

fn entries(out: &Path) -> Vec<GameEntry> {
    let text = fs::read_to_string(out.join("games.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("run");
    (place, out)
}

/// Plays games between two of our clients with random movers; returns what the server and the clients kept.
fn two_of_ours(games: u64, pairs: u64, time: &str, engine: &str) -> (Vec<GameEntry>, Vec<Vec<GameEntry>>) {
    let (place, out) = place();
    let openings = ["startpos moves 7g7f 3c3d".to_owned(), "startpos".to_owned()];
    let (clients, standings) = with_server(config(time, 1), &openings, None, games * pairs, &out, |hall| {
        std::thread::scope(|scope| {
            let all: Vec<_> = (0..pairs * 2)
                .map(|number| {
                    let folder = place.path().join(format!("client-{number}"));
                    let mut config = table::config(
                        hall.port,
                        &format!("p{number}"),
                        table::engine(&format!("random {number} {engine}")),
                    );
                    // Pairs stay together.
                    config.game = Some(format!("pair{}", number / 2));
                    config.mode = if number % 3 == 2 { Mode::X1 } else { Mode::Floodgate };
                    scope.spawn(move || {
                        let summary =
                            client::play(&config, "word", &folder, games, &mut |_: &str| {}).unwrap();
                        assert_eq!((summary.games, summary.cuts), (games, 0));
                        entries(&folder)
                    })
                })
                .collect();
            all.into_iter().map(|client| client.join().unwrap()).collect()
        })
    });
    assert_eq!(standings.iter().map(|standing| u64::from(standing.games)).sum::<u64>(), 2 * games * pairs);
    (entries(&out), clients)
}

/// Every game replayed by the referee of local matches: the same end for the same reason.
fn check_by_referee(games: &[GameEntry]) {
    for entry in games {
        let max_moves = NonZeroU32::new(256);
        let game = Shogi { rules: Rules { max_moves, ..Rules::default() } };
        let mut referee = Referee::new(&game, &entry.opening, Adjudication::default()).unwrap();
        let mut verdict = None;
        for text in entry.moves.split_whitespace() {
            assert!(verdict.is_none(), "{}: {text} after the end", entry.id);
            let Ruling::Play(m) = referee.judge(&Answer { best: text.to_owned(), ponder: None }) else {
                panic!("{}: {text}", entry.id)
            };
            verdict = referee.play(m, None);
        }
        if entry.reason == Some(arena::Reason::Time) {
            assert_eq!(entry.result, Some(GameResult::win(!referee.position().side())), "{entry:?}");
            continue;
        }
        // What our random mover says when it is asked.
        let word = if referee.position().declaration().is_some() { "win" } else { "resign" };
        let verdict = match verdict {
            Some(verdict) if verdict.reason != arena::Reason::NoLegalMove => verdict,
            _ => match referee.judge(&Answer { best: word.to_owned(), ponder: None }) {
                Ruling::End(_, verdict) => verdict,
                Ruling::Play(_) => unreachable!("neither word is a move"),
            },
        };
        assert_eq!((entry.result, entry.reason), (Some(verdict.result), Some(verdict.reason)), "{entry:?}");
    }
}

fn check_both_sides(server: &[GameEntry], clients: &[Vec<GameEntry>]) {
    for entry in clients.iter().flatten() {
        let same = server.iter().find(|other| other.id == entry.id).unwrap();
        assert_eq!(
            (&same.moves, &same.ms, same.result, same.reason, same.left_ms),
            (&entry.moves, &entry.ms, entry.result, entry.reason, entry.left_ms)
        );
        assert!(entry.faults.is_empty(), "{entry:?}");
    }
}

#[test]
fn two_of_ours_end_as_the_referee_of_matches_says() {
    let (server, clients) = two_of_ours(5, 2, "60000+100", "");
    assert_eq!(server.len(), 10);
    check_by_referee(&server);
    check_both_sides(&server, &clients);
}

#[test]
#[ignore = "1,000 games at 100 ms a move take minutes"]
fn a_thousand_games_at_100_ms() {
    // How many at a time; a machine that is busy otherwise loses games by time.
    let pairs = std::env::var("TSUMUGI_PAIRS").ok().and_then(|text| text.parse().ok()).unwrap_or(5);
    let (server, clients) = two_of_ours(1000 / pairs, pairs, "0+100", "2");
    let late = server.iter().filter(|entry| entry.reason == Some(arena::Reason::Time)).count();
    let moves: usize = server.iter().map(|entry| entry.ms.len()).sum();
    println!("{} games, {moves} moves, {late} lost by time", server.len());
    check_by_referee(&server);
    check_both_sides(&server, &clients);
}

#[test]
fn names_passwords_and_users() {
    let (_place, out) = place();
    with_server(config("60+5", 1000), &[], Some(&[("alice", "one"), ("bob", "two")]), 0, &out, |hall| {
        for (line, answer) in [
            ("LOGIN alice wrong", "LOGIN:incorrect"),
            ("LOGIN carol one", "LOGIN:incorrect"),
            ("LOGIN alice game-1-0,one", "LOGIN:alice OK"),
        ] {
            let mut side = hall.connect();
            say(&mut side, line);
            assert_eq!(table::hear(&mut side.1).as_deref(), Some(answer), "{line}");
        }
        let mut bob = hall.connect();
        say(&mut bob, "LOGIN bob two x1");
        assert_eq!(until(&mut bob, "##[LOGIN] +OK x1"), ["LOGIN:bob OK", "##[LOGIN] +OK x1"]);
        // The same player once more: the connection that waited is closed.
        let mut again = hall.connect();
        say(&mut again, "LOGIN bob two");
        assert_eq!(table::hear(&mut again.1).as_deref(), Some("LOGIN:bob OK"));
        assert_eq!(table::hear(&mut bob.1), None);
        say(&mut again, "");
        assert_eq!(table::hear(&mut again.1).as_deref(), Some(""));
        say(&mut again, "LOGOUT");
        assert_eq!(table::hear(&mut again.1).as_deref(), Some("LOGOUT:completed"));
        assert_eq!(table::hear(&mut again.1), None);
    });
}

#[test]
fn nobody_takes_the_place_of_a_player() {
    let (_place, out) = place();
    with_server(config("60+5", 1000), &[], None, 0, &out, |hall| {
        let mut players = hall.begin(["a", "b"]);
        let mut thief = hall.connect();
        say(&mut thief, "LOGIN a word");
        assert_eq!(table::hear(&mut thief.1).as_deref(), Some("LOGIN:incorrect"));
        played(&mut players, 0, "+7776FU");
        say(&mut players[1], "-3334FU");
        say(&mut players[1], "%TORYO");
        assert_eq!(until(&mut players[0], "#WIN").last().map(String::as_str), Some("#WIN"));
    });
    assert_eq!(entries(&out)[0].reason, Some(arena::Reason::ExtraBestmove));
}

/// What the real server does with lines that are not quite right.
#[test]
fn line_ends_signs_of_life_and_what_comes_too_early() {
    let (_place, out) = place();
    let lenient = ServerConfig { lenient: true, ..config("60+5", 1000) };
    with_server(lenient, &[], None, 0, &out, |hall| {
        let mut players = hall.begin(["a", "b"]);
        // A blank line is answered by one, a line of blanks by nothing; the next answer is that of the move.
        say(&mut players[0], " ");
        say(&mut players[0], "");
        assert_eq!(table::hear(&mut players[0].1).as_deref(), Some(""));
        say(&mut players[0], "+7776FU\r");
        assert_eq!(table::hear(&mut players[0].1).as_deref(), Some("+7776FU,T0"));
        until(&mut players[1], "+7776FU");
        // Out of turn: the move is played after the opponent's, `%TORYO` resigns a move later.
        say(&mut players[0], "+2726FU");
        say(&mut players[0], "%TORYO");
        say(&mut players[1], "-3334FU");
        until(&mut players[1], "+2726FU,T0");
        say(&mut players[1], "-8384FU");
        assert_eq!(until(&mut players[1], "#WIN").last().map(String::as_str), Some("#WIN"));
    });
    let game = &entries(&out)[0];
    assert_eq!((game.moves.as_str(), game.reason), ("7g7f 3c3d 2g2f 8c8d", Some(arena::Reason::Resignation)));
}

/// Logs in to the extended mode.
fn extended(hall: &Hall<'_>, name: &str) -> table::Side {
    let mut side = hall.connect();
    say(&mut side, &format!("LOGIN {name} word x1"));
    until(&mut side, "##[LOGIN]");
    side
}

#[test]
fn the_extended_mode_asks_for_each_game_and_stays() {
    let (_place, out) = place();
    with_server(config("60+5", 1000), &[], None, 30, &out, |hall| {
        let mut a = extended(hall, "a");
        for game in 0..30 {
            say(&mut a, "%%GAME test-60-5 -");
            // Once more while a game may have begun already: no fault.
            say(&mut a, "%%GAME test-60-5 -");
            let mut b = hall.connect();
            say(&mut b, "LOGIN b test-60-5-B,word");
            for side in [&mut a, &mut b] {
                until(side, "END Game_Summary");
                say(side, "AGREE");
            }
            for side in [&mut a, &mut b] {
                until(side, "START:");
            }
            say(&mut b, "%TORYO");
            assert_eq!(until(&mut a, "#WIN").last().map(String::as_str), Some("#WIN"), "{game}");
        }
    });
    // Both always get the colour that they have asked for.
    assert!(entries(&out).iter().all(|game| game.black == "b" && game.white == "a"));
}

#[test]
fn who_rejects_a_game_goes_and_the_other_waits_for_the_next_one() {
    let (_place, out) = place();
    with_server(config("60+5", 1000), &[], None, 1, &out, |hall| {
        let (mut a, mut b) = (hall.log_in("a"), hall.log_in("b"));
        until(&mut a, "END Game_Summary");
        until(&mut b, "END Game_Summary");
        say(&mut a, "AGREE");
        say(&mut b, "REJECT");
        until(&mut a, "REJECT:");
        until(&mut b, "REJECT:");
        assert_eq!(table::hear(&mut b.1), None);
        let mut c = hall.log_in("c");
        for side in [&mut a, &mut c] {
            until(side, "END Game_Summary");
            say(side, "AGREE");
        }
        for side in [&mut a, &mut c] {
            until(side, "START:");
        }
        say(&mut a, "%TORYO");
        say(&mut c, "%TORYO");
        until(&mut a, "#");
    });
    assert_eq!(entries(&out).len(), 1);
}

#[test]
fn after_the_first_interrupt_games_are_finished_and_none_begin() {
    let (_place, out) = place();
    with_server(config("60+5", 1000), &[], None, 5, &out, |hall| {
        let mut players = hall.begin(["a", "b"]);
        hall.stop.store(1, Ordering::Relaxed);
        let (mut c, mut d) = (hall.log_in("c"), hall.log_in("d"));
        played(&mut players, 0, "+7776FU");
        say(&mut players[1], "%TORYO");
        until(&mut players[0], "#WIN");
        // The server has nothing more to do, and lets everybody go.
        assert_eq!([table::hear(&mut c.1), table::hear(&mut d.1)], [None, None]);
    });
    assert_eq!(entries(&out).len(), 1);
}

/// A player who resigns whenever it is his turn at once, until he has played two games or the server stops. In the game that begins
/// with `interrupted` (by the number of games before) he lets the server be stopped instead.
fn resigner(hall: &Hall<'_>, name: &str, played: &AtomicU32, all: &AtomicU32, interrupted: Option<u32>) {
    while played.load(Ordering::Relaxed) < 2 {
        // The server may be closing just now.
        let mut side = hall.connect();
        let _ = side.0.write_all(format!("LOGIN {name} word\n").as_bytes());
        let mut begins = false;
        loop {
            let Some(line) = table::hear(&mut side.1) else { return };
            match line.as_str() {
                "Your_Turn:+" => begins = true,
                "END Game_Summary" => say(&mut side, "AGREE"),
                "#WIN" | "#LOSE" => break,
                _ if line.starts_with("START:") && begins => {
                    if interrupted == Some(all.fetch_add(1, Ordering::Relaxed)) {
                        hall.stop.store(2, Ordering::Relaxed);
                    } else {
                        say(&mut side, "%TORYO");
                    }
                }
                _ => {}
            }
        }
        played.fetch_add(1, Ordering::Relaxed);
    }
}

/// Three players meet each other; the server is stopped in the second game and goes on afterwards.
#[test]
fn a_tournament_goes_on_where_it_was_stopped() {
    let (_place, out) = place();
    let users = [("a", "word"), ("b", "word"), ("c", "word")];
    let robin = || ServerConfig { pairing: Pairing::Robin, ..config("60+5", 1000) };
    let (played, all) = ([const { AtomicU32::new(0) }; 3], AtomicU32::new(0));
    let serve = |interrupted| {
        let ((), standings) = with_server(robin(), &[], Some(&users), 3, &out, |hall| {
            std::thread::scope(|scope| {
                for ((name, _), played) in users.iter().zip(&played) {
                    scope.spawn(|| resigner(hall, name, played, &all, interrupted));
                }
            });
        });
        standings
    };
    serve(Some(1));
    let first = entries(&out);
    assert_eq!(first.iter().map(GameEntry::is_cut).collect::<Vec<_>>(), [false, true]);
    let standings = serve(None);
    let all = entries(&out);
    assert_eq!(all[..2], first[..]);
    assert_eq!(all.iter().map(|game| game.round).collect::<Vec<_>>(), [1, 2, 2, 3]);
    let pair_of = |game: &GameEntry| {
        let mut names = [game.black.as_str(), game.white.as_str()];
        names.sort_unstable();
        names.concat()
    };
    let mut pairs: Vec<_> = all.iter().filter(|game| !game.is_cut()).map(pair_of).collect();
    pairs.sort();
    assert_eq!(pairs, ["ab", "ac", "bc"]);
    assert_eq!(standings.iter().map(|standing| standing.games).sum::<u32>(), 6);
    assert_eq!(standings.iter().map(|standing| standing.half_points).sum::<u32>(), 6);
}

#[test]
fn who_is_absent_loses_and_the_tournament_ends() {
    let (_place, out) = place();
    let users = [("a", "word"), ("b", "word"), ("c", "word")];
    let robin = ServerConfig { pairing: Pairing::Robin, absence_ms: 300, ..config("60+5", 1000) };
    let ((), standings) = with_server(robin, &[], Some(&users), 100, &out, |hall| {
        let mut a = hall.log_in("a");
        assert_eq!(table::hear(&mut a.1), None);
    });
    let table: Vec<_> = standings.iter().map(|s| (s.name.as_str(), s.games, s.half_points)).collect();
    assert_eq!(table, [("a", 0, 4), ("b", 0, 0), ("c", 0, 0)]);
    assert!(entries(&out).iter().all(|entry| entry.detail.as_ref().unwrap().starts_with("not played: ")));
}

/// A game goes on, move by move, while others do what they can.
fn undisturbed(attack: impl FnOnce(&Hall<'_>) + Send) {
    let (_place, out) = place();
    with_server(config("600+10", 1000), &[], None, 0, &out, |hall| {
        let mut players = hall.begin(["a", "b"]);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                attack(hall);
                done.store(true, Ordering::Relaxed);
            });
            let cycle = [(0, "+2838HI"), (1, "-8272HI"), (0, "+3828HI"), (1, "-7282HI")];
            let lines = [
                (0, "+7776FU"),
                (1, "-3334FU"),
                (0, "+2726FU"),
                (1, "-8384FU"),
                (0, "+2625FU"),
                (1, "-8485FU"),
            ];
            for (who, line) in lines.into_iter().chain(cycle.into_iter().cycle().take(8)) {
                played(&mut players, who, line);
            }
            while !done.load(Ordering::Relaxed) {
                say(&mut players[0], "");
                assert_eq!(table::hear(&mut players[0].1).as_deref(), Some(""));
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        say(&mut players[0], "%TORYO");
        until(&mut players[1], "#WIN");
        assert_eq!(hall.stop.load(Ordering::Relaxed), 0);
    });
    assert_eq!(entries(&out)[0].moves.split(' ').count(), 14);
}

#[test]
fn floods_and_noise_do_not_disturb_a_game() {
    undisturbed(|hall| {
        let mut random = platform::Random::new(7);
        for kind in 0..12 {
            let mut side = hall.connect();
            let bytes: Vec<u8> = match kind % 4 {
                // Lines without meaning, lines without end, noise, moves of somebody who plays nowhere.
                0 => b"hello\n".repeat(5000),
                1 => vec![b'x'; 1 << 18],
                2 => (0..100_000).map(|_| random.next() as u8).collect(),
                _ => b"LOGIN eve word\n+7776FU\n%TORYO\nAGREE\n".repeat(3000),
            };
            // Thrown out in the middle.
            let _ = side.0.write_all(&bytes);
            let mut heard = Vec::new();
            while let Some(line) = table::hear(&mut side.1) {
                heard.push(line);
            }
            assert!(heard.len() < 200, "{kind}: {}", heard.len());
        }
    });
}

#[test]
fn too_many_connections_and_half_open_ones_do_not_disturb_a_game() {
    undisturbed(|hall| {
        let mut sides: Vec<_> = (0..254).map(|_| hall.connect()).collect();
        // All are there, some say half a line and nothing more.
        for side in sides.iter_mut().step_by(3) {
            side.0.write_all(b"LOGI").unwrap();
        }
        for number in [0, 100, 253] {
            let name = format!("guest{number}");
            let rest = if number % 3 == 0 { "N" } else { "LOGIN" };
            // Each asks for a game of its own, so that they do not meet.
            say(&mut sides[number], &format!("{rest} {name} game{number},word"));
            assert_eq!(table::hear(&mut sides[number].1), Some(format!("LOGIN:{name} OK")));
        }
        let mut more: Vec<_> = (0..20).map(|_| hall.connect()).collect();
        let turned_away = more.iter_mut().filter_map(|side| table::hear(&mut side.1)).count();
        assert_eq!(turned_away, 0, "the last ones are closed without a word");
    });
}

#[test]
fn a_round_robin_of_users() {
    let (place, out) = place();
    let users = [("a", "word"), ("b", "word"), ("c", "word")];
    let robin = ServerConfig { pairing: Pairing::Robin, rounds: 2, ..config("60000+100", 1) };
    let begun = Instant::now();
    let ((), standings) = with_server(robin, &[], Some(&users), 6, &out, |hall| {
        std::thread::scope(|scope| {
            for (number, (name, _)) in users.iter().enumerate() {
                let folder = place.path().join(name);
                let mut config = table::config(hall.port, name, table::engine(&format!("random {number}")));
                config.retry_ms = 50;
                scope.spawn(move || client::play(&config, "word", &folder, 4, &mut |_: &str| {}).unwrap());
            }
        });
    });
    assert!(begun.elapsed() < Duration::from_mins(1));
    assert_eq!(standings.iter().map(|standing| standing.games).collect::<Vec<_>>(), [4, 4, 4]);
    assert_eq!(standings.iter().map(|standing| standing.half_points).sum::<u32>(), 12);
    let mut pairs: Vec<_> =
        entries(&out).iter().map(|entry| format!("{}{}", entry.black, entry.white)).collect();
    pairs.sort();
    assert_eq!(pairs, ["ab", "ac", "ba", "bc", "ca", "cb"]);
    check_by_referee(&entries(&out));
}
