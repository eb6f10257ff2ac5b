//! The zoo of faulty engines: each fault is caught, named and charged to the right side, and the match goes on.

use arena::stats::Sprt;
use arena::tournament::{
    Display, Format, GAMES, GameRecord, MatchConfig, MatchError, RecordFormat, RunFolder, run_match,
};
use arena::{Adjudication, Conditions, EngineSpec, GameResult, Reason, RemarkKind};
use game::Color;
use shogi::Shogi;
use std::path::Path;

const ENGINE: &str = env!("CARGO_BIN_EXE_faulty_engine");

fn engine(name: &str, fault: &str, time: &str) -> EngineSpec {
    let words = [
        format!("name={name}"),
        format!("cmd={ENGINE}"),
        format!("args={fault}"),
        format!("dir={}", env!("CARGO_TARGET_TMPDIR")),
    ];
    EngineSpec::from_words(words.iter().map(String::as_str).chain(time.split(' '))).unwrap()
}

fn config(engines: Vec<EngineSpec>, games: u64) -> MatchConfig {
    MatchConfig {
        game: "shogi".into(),
        engines,
        format: Format::RoundRobin,
        games,
        declaration: None,
        max_moves: Some(40),
        conditions: Conditions { margin_ms: 50, patience_ms: 60_000, adjudication: Adjudication::default() },
        sprt: None,
        records: vec![RecordFormat::Kif, RecordFormat::Csa],
    }
}

fn play_in(folder: &Path, config: &MatchConfig) -> Result<Vec<GameRecord>, MatchError> {
    let openings = ["startpos".to_owned(), "startpos moves 7g7f".to_owned()];
    let mut run = RunFolder::create_or_resume(folder, GAMES, config, &openings)?;
    run_match(&Shogi::default(), config, &openings, &mut run, 2, Vec::new(), &mut Display::silent())?;
    let mut games = RunFolder::games(folder)?;
    games.sort_by_key(|game| game.game);
    Ok(games)
}

fn play(config: &MatchConfig) -> Vec<GameRecord> {
    let folder = tempfile::tempdir().unwrap();
    play_in(&folder.path().join("run"), config).unwrap()
}

fn faulty_against_good(fault: &str, time: &str) -> Vec<GameRecord> {
    play(&config(vec![engine("bad", fault, time), engine("good", "none", "nodes=1")], 4))
}

/// All games are there, and `bad` lost each of them for this reason.
fn assert_charged(fault: &str, time: &str, reason: Reason) {
    let games = faulty_against_good(fault, time);
    assert_eq!(games.iter().map(|game| game.game).collect::<Vec<_>>(), [0, 1, 2, 3]);
    for game in games {
        let bad = if game.black == "bad" { Color::Black } else { Color::White };
        assert_eq!(game.verdict.reason, reason, "{fault}: {:?}", game.verdict);
        assert_eq!(game.verdict.at_fault(), Some(bad), "{fault}: {:?}", game.verdict);
        // The opening of round 1 has a move of its own; the fault shows at the second move of its owner.
        assert!((2..=4).contains(&game.ms.len()), "{fault}: {}", game.moves);
    }
}

macro_rules! faults {
    ($($test:ident: $fault:literal, $time:literal => $reason:ident;)*) => {
        $(#[test] fn $test() { assert_charged($fault, $time, Reason::$reason); })*
    };
}

faults! {
    crashes: "crash", "nodes=1" => Crash;
    panics: "panic", "nodes=1" => Crash;
    comes_late: "late", "byoyomi=100" => Time;
    hangs: "hang", "byoyomi=100" => Hang;
    does_not_even_listen: "deaf", "movetime=100" => Hang;
    plays_an_illegal_move: "illegal", "nodes=1" => IllegalMove;
    talks_garbage: "garbage", "nodes=1" => Garbage;
    says_nothing_after_bestmove: "empty", "nodes=1" => Garbage;
    floods: "flood", "nodes=1" => Flood;
    never_ends_a_line: "endless-line", "nodes=1" => Flood;
    declares_falsely: "false-win", "nodes=1" => FalseDeclaration;
}

#[test]
#[cfg(unix)]
fn closes_its_output() {
    assert_charged("closes-stdout", "nodes=1", Reason::ClosedOutput);
}

/// The second `bestmove` may be seen at the next turn at the earliest.
#[test]
fn says_bestmove_twice() {
    for game in faulty_against_good("two", "nodes=1") {
        let bad = if game.black == "bad" { Color::Black } else { Color::White };
        assert_eq!(game.verdict.reason, Reason::ExtraBestmove);
        assert_eq!(game.verdict.at_fault(), Some(bad));
    }
}

#[test]
fn answers_while_pondering() {
    let bad = engine("bad", "answers-while-pondering", "nodes=1 ponder=on");
    for game in play(&config(vec![bad, engine("good", "none", "nodes=1")], 2)) {
        let bad = if game.black == "bad" { Color::Black } else { Color::White };
        assert_eq!(game.verdict.reason, Reason::ExtraBestmove);
        assert_eq!(game.verdict.at_fault(), Some(bad));
    }
}

/// Nothing that costs a game, but it is counted for the right side.
#[test]
fn small_sins_are_remarked() {
    for (fault, kind) in [("wrong-ponder", RemarkKind::IllegalPonder), ("stray", RemarkKind::StrayLine)] {
        for game in faulty_against_good(fault, "nodes=1") {
            assert!(!game.verdict.reason.is_fault(), "{:?}", game.verdict);
            let bad = if game.black == "bad" { "black" } else { "white" };
            let [remark] = game.remarks.as_slice() else { panic!("{:?}", game.remarks) };
            assert_eq!((remark.side.as_str(), remark.kind), (bad, kind));
            assert!(remark.times > 1);
        }
    }
}

#[test]
fn an_engine_that_dies_between_games_is_started_again() {
    let mut config =
        config(vec![engine("bad", "dies-between-games", "nodes=1"), engine("good", "none", "nodes=1")], 4);
    config.max_moves = Some(8);
    let games = play(&config);
    assert!(games.iter().all(|game| game.verdict.reason == Reason::MoveLimit), "{games:?}");
    let remarks: Vec<_> = games.iter().flat_map(|game| &game.remarks).collect();
    // Two workers: each starts it afresh once, and again for its second game.
    assert!(
        !remarks.is_empty() && remarks.iter().all(|r| r.kind == RemarkKind::BrokenBetweenGames),
        "{remarks:?}"
    );
}

#[test]
fn pondering_hits_misses_and_ends() {
    for (fault, remarks) in [("none", 0), ("deaf-to-stop", 1)] {
        let ponders = engine("bad", fault, "nodes=1 ponder=on");
        let games = play(&config(vec![ponders, engine("good", "none", "nodes=1 ponder=on")], 2));
        for game in games {
            if remarks == 0 {
                assert!(!game.verdict.reason.is_fault(), "{:?}", game.verdict);
                assert_eq!(game.remarks, []);
            } else {
                // At the first wrong guess, or at the end of a game without one.
                let silent = game.remarks.iter().any(|remark| remark.kind == RemarkKind::SilentAtTheEnd);
                assert!(game.verdict.reason == Reason::Hang || silent, "{game:?}");
            }
        }
    }
}

#[test]
fn what_cannot_start_is_told_before_anything_is_played() {
    let good = || engine("good", "none", "nodes=1");
    let error = |bad: EngineSpec, patience_ms| {
        let folder = tempfile::tempdir().unwrap();
        let mut config = config(vec![bad, good()], 2);
        config.conditions.patience_ms = patience_ms;
        play_in(&folder.path().join("run"), &config).unwrap_err().to_string()
    };
    let mut missing = engine("bad", "none", "nodes=1");
    missing.command = "/nowhere/engine".into();
    assert!(error(missing, 60_000).starts_with("engine `bad` cannot start `/nowhere/engine`"));
    assert_eq!(error(engine("bad", "no-usiok", "nodes=1"), 1000), "engine `bad` no `usiok` within 1 s");
    let mut option = engine("bad", "none", "nodes=1");
    option.set_option("Contempt", "1");
    let expected = "engine `bad` has no option `Contempt`; it has EvalDir, USI_Ponder";
    assert_eq!(error(option, 60_000), expected);
    assert_eq!(
        error(engine("bad", "refuses", "nodes=1"), 60_000),
        "engine `bad` ended before `readyok`: Error! EvalDir x: no such folder"
    );
    assert_eq!(
        error(engine("bad", "dies-at-isready", "nodes=1"), 60_000),
        "engine `bad` ended before `readyok` (exit status: 1): out of memory"
    );
}

/// The engine runs in a folder of its own; what the user names is where the user stands.
#[test]
fn paths_in_options_are_absolute_for_the_engine() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let time = "nodes=1 option.EvalDir=tests/zoo";
    let mut config = config(vec![engine("a", "none", time), engine("b", "none", "nodes=1")], 2);
    config.max_moves = Some(4);
    play_in(&path, &config).unwrap();
    let told = std::fs::read_to_string(path.join("a.stderr.txt")).unwrap();
    let expected = format!("setoption name EvalDir value {}/tests/zoo", env!("CARGO_MANIFEST_DIR"));
    assert!(told.lines().any(|line| line == expected), "{told}");
}

/// An engine that says in the middle of a match why it cannot play ends the match: no game is counted against it.
#[test]
fn what_refuses_to_play_ends_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let fault = format!("refuses 2 {}", folder.path().join("played").display());
    let config = config(vec![engine("bad", &fault, "nodes=1"), engine("good", "none", "nodes=1")], 8);
    let error = play_in(&path, &config).unwrap_err().to_string();
    let expected =
        "engine `bad` ended before `readyok`: Error! EvalDir x: no such folder; the match can be resumed";
    assert_eq!(error, expected);
    let games = RunFolder::games(&path).unwrap();
    assert!(games.iter().all(|game| !game.verdict.reason.is_fault()), "{games:?}");
    assert!(games.len() < 8);
}

#[test]
fn games_are_written_down() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let config = config(vec![engine("a", "none", "nodes=1"), engine("b c", "illegal 3", "nodes=1")], 2);
    let games = play_in(&path, &config).unwrap();
    assert_eq!(games[0].verdict.result, GameResult::Black);
    let kif = std::fs::read_to_string(path.join("games/000001-a-b_c.kifu")).unwrap();
    assert!(kif.contains("手合割：平手") && kif.contains("後手：b c") && kif.contains("*#評価値=0"), "{kif}");
    assert!(kif.ends_with("   6 反則負け\nまで5手で後手の反則負け\n"), "{kif}");
    let csa = std::fs::read_to_string(path.join("games/000001-a-b_c.csa")).unwrap();
    assert!(csa.contains("N-b c\n") && csa.contains("'** 0") && csa.ends_with("%ILLEGAL_MOVE\n"), "{csa}");
    for text in [kif, csa] {
        let loaded = record::read(text.as_bytes(), &record::ReadOptions::default()).unwrap();
        assert!(loaded.faults.is_empty(), "{:?}", loaded.faults);
        assert_eq!(loaded.record.result(), record::GameResult::Win(game::Color::Black));
    }
}

#[test]
fn a_decided_test_ends_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(vec![engine("bad", "crash", "nodes=1"), engine("good", "none", "nodes=1")], 200);
    config.sprt = Some(Sprt { elo1: 50.0, ..Sprt::default() });
    let path = folder.path().join("run");
    let games = play_in(&path, &config).unwrap();
    assert!(games.len() < 100, "{} games", games.len());
    // It stays decided.
    assert_eq!(play_in(&path, &config).unwrap().len(), games.len());
}

#[test]
fn three_engines_meet_each_other() {
    let engines = ["a", "b", "c"].map(|name| engine(name, "none", "nodes=1"));
    let games = play(&config(engines.to_vec(), 2));
    assert_eq!(games.len(), 6);
    let mut players: Vec<_> = games.iter().map(|game| format!("{}{}", game.black, game.white)).collect();
    players.sort();
    assert_eq!(players, ["ab", "ac", "ba", "bc", "ca", "cb"]);
}
