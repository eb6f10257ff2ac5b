//! `tsumugi games` from the outside: killed while it adds, asked and refused.

mod program;

use program::{feed, tsumugi};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

/// How often a run is killed; `TSUMUGI_KILLS` sets another number.
const KILLS: u64 = 12;

fn games(folder: &Path, arguments: &[&str]) -> Output {
    let mut words = vec!["games", "--db", "my.games"];
    words.extend(arguments);
    feed(tsumugi(&words).current_dir(folder), "")
}

fn text(folder: &Path, arguments: &[&str]) -> String {
    let output = games(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&text(folder, arguments)).unwrap()
}

/// A large file, a small one and files of one game each.
fn write_games(folder: &Path) -> u64 {
    let mut random = platform::Random::new(7);
    let line = |random: &mut platform::Random, plies: u32| {
        let mut position = shogi::Position::startpos();
        let mut line = "startpos moves".to_owned();
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[(random.next() % moves.len() as u64) as usize];
            write!(line, " {m}").unwrap();
            position.do_move(m);
        }
        line + "\n"
    };
    fs::create_dir_all(folder.join("games/single")).unwrap();
    let large: String = (0..5500).map(|_| line(&mut random, 40)).collect();
    assert!(large.len() > 1 << 20, "larger files are read game by game");
    fs::write(folder.join("games/large.usi"), large).unwrap();
    let small: String = (0..500).map(|_| line(&mut random, 30)).collect();
    fs::write(folder.join("games/small.usi"), small).unwrap();
    for number in 0..300 {
        fs::write(folder.join(format!("games/single/{number}.usi")), line(&mut random, 50)).unwrap();
    }
    5500 + 500 + 300
}

/// How often each game is in the library, by its file, number and moves.
fn listed(folder: &Path) -> BTreeMap<(String, u64, String), u32> {
    let mut listed = BTreeMap::new();
    for game in json(folder, &["list", "--json"]).as_array().unwrap() {
        let word = |name: &str| game[name].as_str().unwrap().to_owned();
        let key = (word("file"), game["number_in_file"].as_u64().unwrap(), word("moves"));
        *listed.entry(key).or_default() += 1;
    }
    listed
}

#[test]
fn nothing_is_lost_however_often_it_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let count = write_games(here);
    let kills = std::env::var("TSUMUGI_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(KILLS);
    let mut random = platform::Random::new(3);
    let (mut killed, mut before) = (0, BTreeMap::new());
    // The longest wait grows until a run ends by itself.
    for round in 0..kills {
        let mut child = tsumugi(&["games", "--db", "my.games", "add", "games", "--step", "100", "-q"])
            .current_dir(here)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(random.next() % (40 + 20 * round)));
        killed += u64::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        if !here.join("my.games").exists() {
            continue;
        }
        let now = listed(here);
        assert!(now.values().all(|times| *times == 1), "round {round}: a game is there twice");
        let is_there = |key: &&(String, u64, String)| !now.contains_key(*key);
        assert_eq!(before.keys().find(is_there), None, "round {round}: a game was lost");
        before = now;
    }
    assert!(killed > 0, "no run was killed in time");
    let summary = json(here, &["add", "games", "--json"]);
    assert_eq!(summary["games"].as_u64(), Some(count), "{summary}");
    let now = listed(here);
    assert_eq!(now.len() as u64, count);
    assert!(now.values().all(|times| *times == 1));
    assert!(text(here, &["check"]).contains(&format!("{count} games can be read")));
    let mut names: Vec<_> =
        fs::read_dir(here).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["games", "my.games"], "nothing is left lying about");
}

const LINES: &str = "startpos moves 7g7f 3c3d 2g2f 8c8d resign\nstartpos moves 2g2f 3c3d 7g7f 4c4d\n";

#[test]
fn a_library_answers() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("a.usi"), LINES).unwrap();
    fs::write(
        here.join("b.kif"),
        "先手：羽生\n後手：\"佐藤\", 会長\n手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ６八飛(28)\n",
    )
    .unwrap();
    assert!(
        text(here, &["add", "a.usi", "b.kif"]).starts_with("3 games added from 2 files; 3 in the library")
    );
    let found = json(here, &["find", "--moves", "7g7f 3c3d 2g2f", "--json"]);
    assert_eq!((found["games"].as_u64(), found["black"].as_u64()), (Some(2), Some(0)));
    assert_eq!(found["white"].as_u64(), Some(1), "Black is to move and resigns, so White wins: {found}");
    assert_eq!(found["found"][1]["ply"].as_u64(), Some(3));
    let shown = text(here, &["find", "--position", "startpos moves 7g7f", "--moves", "3c3d"]);
    assert!(shown.contains("２六歩(27)") && shown.contains("６八飛(28)"), "{shown}");
    let tree = json(here, &["find", "--position", "startpos", "--tree", "2", "--min-games", "1", "--json"]);
    assert_eq!(tree["tree"][0]["moves"][0]["usi"].as_str(), Some("3c3d"));
    assert_eq!(json(here, &["find", "--piece", "6h=R", "--json"])["games"].as_u64(), Some(1));
    let table = text(here, &["list", "--csv", "--player", "羽生"]);
    assert!(table.contains("\"\"\"佐藤\"\", 会長\"") && table.lines().count() == 2, "{table}");
    assert!(text(here, &["list", "--opening", "四間飛車"]).contains("☗羽生"));
    assert_eq!(json(here, &["stats", "--json"])["all"]["games"].as_u64(), Some(3));
    assert!(text(here, &["stats"]).contains("四間飛車"));
    assert_eq!(json(here, &["dups", "--json"]), Value::Array(Vec::new()));
    assert!(
        text(here, &["export", "-o", "out/", "--to", "csa", "--names", "{number} {black}"])
            .starts_with("3 games")
    );
    assert!(here.join("out/3 羽生.csa").exists());
    let again = games(here, &["export", "-o", "out/", "--to", "csa", "--names", "{number} {black}"]);
    assert_eq!(again.status.code(), Some(1), "files exist");
    assert!(text(here, &["reindex"]).starts_with("3 games"));
    let import = ["book", "import", "--from-library", "my.games", "-o", "b.db", "--moves", "4"];
    let import = tsumugi(&import).current_dir(here).output().unwrap();
    assert!(import.status.success(), "{}", String::from_utf8_lossy(&import.stderr));
    let book = fs::read_to_string(here.join("b.db")).unwrap();
    assert!(book.contains("7g7f 3c3d 0 0 2") && book.contains("2g2f 3c3d 0 0 1"), "{book}");
    let rated = ["book", "import", "--from-library", "my.games", "-o", "c.db", "--min-rating", "2000"];
    assert_eq!(
        tsumugi(&rated).current_dir(here).output().unwrap().status.code(),
        Some(1),
        "none has a rating"
    );
    assert!(!here.join("c.db").exists());
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("a.usi"), LINES).unwrap();
    text(here, &["add", "a.usi"]);
    let before = fs::read(here.join("my.games")).unwrap();
    let refused = |arguments: &[&str], status: i32| {
        let output = games(here, arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {message}");
        message
    };
    assert_eq!(refused(&["find", "--moves", "7g7e"], 1).lines().count(), 1);
    for bad in [
        &["find", "--position", "nonsense"] as &[&str],
        &["find"],
        &["find", "--position", "startpos", "--variant", "chess"],
        &["add", "-"],
        &["add", "missing"],
        &["check", "missing"],
        &["export", "--to", "kif", "--player", "nobody"],
        &["stats", "--top", "0"],
    ] {
        assert!(refused(bad, 1).starts_with("error: "), "{bad:?}");
    }
    for bad in [
        &["find", "--piece", "7g"] as &[&str],
        &["find", "--hand", "2"],
        &["find", "--moves", "7g7f", "--tree", "0"],
        &["list", "--csv", "--json"],
        &["export", "--names", "{x}"],
        &["add"],
    ] {
        refused(bad, 2);
    }
    assert_eq!(fs::read(here.join("my.games")).unwrap(), before, "nothing is changed");
    fs::write(here.join("my.games"), "not a library at all").unwrap();
    for command in ["list", "stats", "check", "dups", "reindex"] {
        assert!(refused(&[command], 1).contains("not a library of games"), "{command}");
    }
    assert!(refused(&["add", "a.usi"], 1).contains("nothing is changed"));
    assert_eq!(fs::read(here.join("my.games")).unwrap(), b"not a library at all");
}
