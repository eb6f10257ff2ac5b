//! `USI_Variant` and `VariantPath`: one game takes the place of another, everything else stays.

#[path = "support/nim.rs"]
mod nim;

use nim::{Blank, Nim};
use search::{BestMove, Report, Settings, Task, Timer};
use shogi::{Move, Position, Shogi};
use std::io::{Cursor, Write};
use usi::options::{Folders, Options};
use usi::{AnySession, Captured, Console, Engine, Games, SearchEngine, Session, SessionContext};

/// Thinks until it is stopped; then it resigns. It has an option of its own.
struct Patient;

impl Patient {
    fn new(options: &mut Options) -> Self {
        options.spin("Patience", 1, 0..=9, "only shogi needs it");
        Self
    }
}

impl Engine<Shogi> for Patient {
    fn name(&self) -> String {
        "Patient".into()
    }
    fn author(&self) -> String {
        "test".into()
    }
    fn think(
        &mut self,
        _: &Task<Position, Move>,
        _: &Settings,
        timer: &dyn Timer,
        _: &mut dyn FnMut(&Report<Move>),
    ) -> BestMove<Move> {
        while !timer.must_stop() {
            std::thread::yield_now();
        }
        BestMove::Resign
    }
}

/// Shogi, nim, and what "files" bring: a file is a list of names for nim.
struct FileGames(Vec<String>);

impl Games for FileGames {
    fn names(&self) -> Vec<String> {
        let built_in = ["shogi", "nim"].map(str::to_owned);
        built_in.into_iter().chain(self.0.clone()).collect()
    }

    fn open(&self, name: &str, context: Box<SessionContext>) -> Result<AnySession, Box<SessionContext>> {
        match name {
            "shogi" => Ok(Session::at(Shogi::default(), Patient::new, *context).of_any_game()),
            "nim" => {
                let engine = |options: &mut Options| SearchEngine::new("Nimble", "test", Blank, options);
                Ok(Session::at(Nim, engine, *context).of_any_game())
            }
            _ => Err(context),
        }
    }

    fn load(&mut self, path: &str, _: &Folders, say: &mut dyn FnMut(&str)) -> Vec<String> {
        let names: Vec<String> = path.split('+').map(str::to_owned).collect();
        say(&format!("{path}: {} games", names.len()));
        self.0.extend(names.iter().filter(|name| *name != "nim").cloned());
        names
    }
}

fn console(input: impl std::io::Read + Send + 'static, out: &Captured, folders: Folders) {
    let mut console = Console::new(FileGames(Vec::new()), SessionContext::new(out.output(), folders));
    console.run(input).unwrap();
}

fn session(input: &str) -> Vec<String> {
    let out = Captured::default();
    console(Cursor::new(input.to_owned()), &out, Folders::new("/nonexistent", "/nonexistent"));
    out.lines()
}

const TO_NIM: &str = "setoption name USI_Variant value nim\n";

#[test]
fn another_game_takes_over() {
    assert_eq!(
        session(&format!(
            "side\nposition startpos moves 7g7f\n{TO_NIM}d\nmoves\nside\nposition 9\nsfen\nUSI_Variant shogi\nside\n"
        )),
        [
            "black",
            "info string variant nim startpos 5",
            "ooooo",
            "sfen 5",
            "1 2 3",
            "black",
            "9",
            "info string Options[USI_Variant] = shogi",
            "info string variant shogi startpos lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "black",
        ]
    );
}

#[test]
fn the_game_can_think_at_once() {
    let lines = session(&format!("{TO_NIM}isready\nposition startpos\ngo depth 9\nwait\nquit\n"));
    assert!(lines.contains(&"readyok".to_owned()), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("bestmove 1"), "{lines:?}");
}

#[test]
fn it_is_listed_after_the_file_that_brings_more() {
    let lines = session("usi\n");
    let place =
        |name: &str| lines.iter().position(|line| line.starts_with(&format!("option name {name} "))).unwrap();
    assert_eq!(
        lines[place("USI_Variant")],
        "option name USI_Variant type combo default shogi var shogi var nim"
    );
    assert_eq!(lines[place("VariantPath")], "option name VariantPath type filename default <empty>");
    assert!(place("VariantPath") < place("USI_Variant"));
}

#[test]
fn options_keep_their_values() {
    let lines = session(&format!(
        "setoption name Threads value 3\nsetoption name Patience value 7\n{TO_NIM}getoption Threads\ngetoption Patience\n\
         setoption name MultiPV value 5\nsetoption name USI_Variant value shogi\ngetoption MultiPV\ngetoption Patience\ngetoption USI_Variant\n"
    ));
    let value = |name: &str| {
        let shown = lines.iter().filter(|line| line.starts_with(&format!("info string Options[{name}]")));
        shown.map(|line| line.rsplit(' ').next().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(value("Threads"), ["3"]);
    assert_eq!(value("MultiPV"), ["5"]);
    assert_eq!(value("Patience"), ["7"], "an option of one game waits for it");
    assert_eq!(value("USI_Variant"), ["shogi"]);
    assert!(lines.contains(&"info string No such option: Patience".to_owned()), "{lines:?}");
}

#[test]
fn a_running_search_answers_first() {
    for go in ["go infinite", "go ponder btime 1000 wtime 1000", "go movetime 3600000"] {
        for choose in [TO_NIM, "USI_Variant = nim\n"] {
            let lines = session(&format!(
                "isready\n{go}\nsetoption name Threads value 2\n{choose}go depth 9\nwait\ngetoption Threads\n"
            ));
            let said =
                |word: &str| lines.iter().position(|line| line.starts_with(word)).unwrap_or(lines.len());
            assert!(said("bestmove resign") < said("info string variant nim"), "{go}: {lines:?}");
            assert!(said("info string variant nim") < said("bestmove 1"), "{go}: {lines:?}");
            assert!(said("bestmove 1") < lines.len(), "{go}: {lines:?}");
            assert!(
                lines.iter().any(|line| line.contains("Options[Threads]") && line.ends_with("= 2")),
                "{lines:?}"
            );
        }
    }
}

#[test]
fn bad_names_change_nothing() {
    let lines = session(&format!(
        "{TO_NIM}position 3\nsetoption name USI_Variant value go\nsetoption name USI_Variant\nsetoption name USI_Variant value nim\nsfen\n"
    ));
    let error = |found: &str| {
        format!("info string Error! USI_Variant: expected one of shogi nim, found {found}; nim is kept")
    };
    assert_eq!(lines[1..], [error("`go`"), error("nothing"), "3".to_owned()]);
}

#[test]
fn files_bring_more_games() {
    let lines = session("setoption name VariantPath value a+b\nusi\nposition startpos moves 7g7f\nside\n");
    assert_eq!(lines[0], "info string a+b: 2 games");
    let combo = "option name USI_Variant type combo default shogi var shogi var nim var a var b";
    assert!(lines.contains(&combo.to_owned()), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "white", "the position stays");

    // A file that changes the game in play begins it anew.
    let lines = session(&format!(
        "{TO_NIM}position 3\nsetoption name VariantPath value nim+c\nsfen\ngetoption VariantPath\n"
    ));
    assert_eq!(lines[1..4], ["info string nim+c: 2 games", "info string variant nim startpos 5", "5"]);
    assert!(lines[4].ends_with("= nim+c"), "{lines:?}");

    // A name that is listed but cannot be played.
    let lines = session("setoption name VariantPath value d\nsetoption name USI_Variant value d\nside\n");
    assert_eq!(lines[1], "info string Error! d cannot be played");
    assert_eq!(lines.last().unwrap(), "black");
}

#[test]
fn files_of_options_choose_the_game() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("engine_options.txt"), "USI_Variant nim\n").unwrap();
    let out = Captured::default();
    let folders = Folders::new(folder.path(), folder.path());
    console(Cursor::new("isready\nd\nsetoption name USI_Variant value shogi\nside\n"), &out, folders);
    let lines: Vec<String> = out.lines().into_iter().filter(|line| !line.contains("Large Pages")).collect();
    assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 1, "{lines:?}");
    assert!(lines.contains(&"ooooo".to_owned()), "{lines:?}");
    let refused = "info string USI_Variant is fixed by an options file; nim is kept";
    assert!(lines.contains(&refused.to_owned()), "{lines:?}");
}

#[test]
fn queued_lines_and_quit_survive() {
    let out = Captured::default();
    let mut context = SessionContext::new(out.output(), Folders::new("/nonexistent", "/nonexistent"));
    context.enqueue([TO_NIM.trim().to_owned(), "sfen".to_owned()]);
    let mut console = Console::new(FileGames(Vec::new()), context);
    console.run(Cursor::new("side\nquit\nsfen\n")).unwrap();
    assert!(console.close(None));
    assert_eq!(out.lines(), ["info string variant nim startpos 5", "5", "black"]);
}

/// Input that arrives while a search runs.
#[test]
fn words_of_the_reading_thread_reach_the_new_game() {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let out = Captured::default();
    let running = {
        let out = out.clone();
        std::thread::spawn(move || console(reader, &out, Folders::new("/nonexistent", "/nonexistent")))
    };
    let wait_for = |line: &str| {
        while !out.lines().iter().any(|l| l.starts_with(line)) {
            std::thread::yield_now();
        }
    };
    writer.write_all(b"isready\ngo infinite\n").unwrap();
    wait_for("readyok");
    writer.write_all(TO_NIM.as_bytes()).unwrap();
    wait_for("info string variant nim");
    writer.write_all(b"position 200\ngo infinite\n").unwrap();
    writer.write_all(b"stop\n").unwrap();
    wait_for("bestmove ");
    writer.write_all(b"quit\n").unwrap();
    running.join().unwrap();
    assert_eq!(out.lines().iter().filter(|line| line.starts_with("bestmove")).count(), 2);
}
