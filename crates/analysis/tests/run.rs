//! Whole runs with an engine that values moves in a way known beforehand.

use analysis::{Effort, Job, Limit, Progress, RunError, Summary, run};
use arena::EngineSpec;
use engines::Catalogue;
use record::convert::Input;
use record::freeze::NoteStyle;
use record::notation;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

const GAME: &str = "手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n   1 ７六歩(77)\n*よい手\n   2 ３四歩(33)\n   3 投了\n";

#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Progress for Heard {
    fn total(&self, positions: usize, known: usize) {
        self.0.lock().unwrap().push(format!("{known} of {positions}"));
    }

    fn advance(&self) {}

    fn warn(&self, message: &str) {
        self.0.lock().unwrap().push(message.to_owned());
    }
}

fn analyse(
    inputs: &[&Path],
    out: &Path,
    arguments: &str,
    formats: &[record::Format],
) -> (Result<Summary, RunError>, Vec<String>) {
    let catalogue = Catalogue::default();
    let notation = notation::Catalogue {
        style: NoteStyle::default(),
        find: Box::new(|name| Catalogue::default().variant(name)),
    };
    let words = [format!("cmd={}", env!("CARGO_BIN_EXE_dying_engine")), format!("args={arguments}")];
    let job = Job {
        inputs: inputs.iter().map(|path| Input::Path(path.to_path_buf())).collect(),
        out: out.to_owned(),
        notation: &notation,
        catalogue: &catalogue,
        engine: EngineSpec::from_words(words.iter().map(String::as_str)).unwrap(),
        mate_engine: None,
        preferences: Vec::new(),
        variant_path: None,
        effort: Effort { limit: Limit::Nodes(7), lines: 2, mate_nodes: 0 },
        jobs: 2,
        formats: formats.to_vec(),
    };
    let heard = Heard::default();
    let done = run(&job, &heard);
    (done, heard.0.into_inner().unwrap())
}

fn read(out: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(out.join("analysis.json")).unwrap()).unwrap()
}

#[test]
fn a_game_is_annotated_and_known_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("a.kifu"), folder.path().join("out"));
    fs::write(&file, GAME).unwrap();
    let (done, heard) = analyse(&[&file], &out, "", &[]);
    let done = done.unwrap();
    assert_eq!((done.games, done.positions, done.failed, done.files.len()), (1, 3, 0, 3));
    assert_eq!(heard, ["0 of 3"]);

    let record = fs::read_to_string(out.join("a.kifu")).unwrap();
    let (_, rest) = record.split_once("７六歩(77)").unwrap();
    let (first, _) = rest.split_once("３四歩(33)").unwrap();
    for line in ["*#評価値=-40", "*#深さ=2", "*#ノード数=7", "*#エンジン=Dying", "*よい手"] {
        assert!(first.lines().any(|own| own.trim() == line), "{line} in {first}");
    }
    assert!(
        first.contains("*#読み筋=△") && first.contains("*候補2 深さ 2 ノード数 7 評価値 50 読み筋 △"),
        "{first}"
    );

    let json = read(&out);
    assert_eq!(json["engine"], "Dying");
    let game = &json["games"][0];
    assert_eq!(
        (&game["black"], &game["result"], &game["ending"]),
        (&"甲".into(), &"white".into(), &"投了".into())
    );
    let positions = game["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 3);
    // 40 for the side to move before the move and after it: the mover falls from 51.7 % to 48.3 %.
    let played = &positions[0]["played"];
    assert_eq!(
        (&played["move"], &played["loss"], &played["class"]),
        (&"7g7f".into(), &0.0334.into(), &"good".into())
    );
    assert_eq!(positions[1]["black_win_rate"], 0.4833);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    // The name of SVG is no request.
    assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("://"));

    let (done, heard) = analyse(&[&file], &out, "", &[]);
    assert_eq!(heard, ["3 of 3"]);
    assert_eq!(done.unwrap().files.len(), 3);
    assert_eq!(fs::read_to_string(out.join("a.kifu")).unwrap(), record);
    assert_eq!(read(&out), json);
}

#[test]
fn every_format_that_has_comments_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("a.usi"), folder.path().join("out"));
    fs::write(&file, "startpos moves 7g7f 3c3d resign\nstartpos moves 2g2f\n").unwrap();
    let formats = ["kif", "csa", "csa3", "jkf", "ki2"].map(|name| name.parse().unwrap());
    let (done, _) = analyse(&[&file], &out, "", &formats);
    let files: Vec<String> = done
        .unwrap()
        .files
        .iter()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(files, ["report.html", "analysis.json", "a.kifu", "a.csa", "a-2.csa", "a.jkf", "a.ki2u"]);
    let csa = fs::read_to_string(out.join("a.csa")).unwrap();
    assert!(csa.contains("+7776FU\n'** -40 -"), "{csa}");
    assert!(csa.contains("\n/\n"), "two games in one file: {csa}");
    assert!(fs::read_to_string(out.join("a-2.csa")).unwrap().contains(" #7\n"));
    for file in ["a.kifu", "a.csa", "a.jkf", "a.ki2u"] {
        let bytes = fs::read(out.join(file)).unwrap();
        let games: Vec<_> =
            record::read_all(&bytes, record::ReadOptions::default()).map(Result::unwrap).collect();
        assert_eq!(
            games.iter().map(|game| game.record.moves().count()).collect::<Vec<_>>(),
            [2, 1],
            "{file}"
        );
        let record = &games[0].record;
        let id = record.tree.main_line().next().unwrap();
        let before = record::Board::from(&record.start);
        let mut after = before.clone();
        after.play("7g7f".parse().unwrap());
        let found = record::analysis::find(record.tree.note(id), &before, &after);
        assert_eq!(found[0].score, Some(record::analysis::Score::Value(-40)), "{file}");
        assert_eq!(found[0].line.len(), 1, "{file}");
    }
}

#[test]
fn openings_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("a.usi"), folder.path().join("out"));
    fs::write(&file, "startpos moves 7g7f 3c3d 2h6h 8c8d 5i4h\n").unwrap();
    analyse(&[&file], &out, "", &[]).0.unwrap();
    let openings = &read(&out)["games"][0]["openings"];
    assert_eq!((&openings[0][0], &openings[1][0]), (&"四間飛車".into(), &"対振り飛車".into()));
}

#[test]
fn an_engine_that_dies_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("a.kif"), folder.path().join("out"));
    fs::write(&file, GAME).unwrap();
    let mark = folder.path().join("mark");
    let (done, heard) = analyse(&[&file], &out, &format!("die-once={}", mark.display()), &[]);
    assert_eq!(done.unwrap().failed, 0);
    assert_eq!(heard, ["0 of 3"]);

    // A position that kills it every time is left out, the others are not; the next run tries it again.
    let out = folder.path().join("other");
    let at = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL";
    let (done, heard) = analyse(&[&file], &out, &format!("die-at={at}"), &[]);
    assert_eq!(done.unwrap().failed, 1);
    assert!(heard[1].contains("ended: this is too much (tried 2 times)"), "{heard:?}");
    let json = read(&out);
    assert_eq!(json["games"][0]["positions"][1]["score"], Value::Null);
    assert_eq!(json["games"][0]["positions"][2]["score"], 40);
    let (_, heard) = analyse(&[&file], &out, &format!("die-at={at}"), &[]);
    assert_eq!(heard[0], "2 of 3");
}

#[test]
fn what_cannot_be_read_is_named_and_nothing_foreign_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("empty")).unwrap();
    let (done, _) = analyse(&[&path("empty")], &path("out"), "", &[]);
    assert!(matches!(done, Err(RunError::NoGame)));
    assert!(!path("out").exists());

    fs::create_dir(path("games")).unwrap();
    fs::write(path("games/good.kifu"), GAME).unwrap();
    fs::write(path("games/bad.kif"), [0xff, 0, 1, 2]).unwrap();
    let (done, heard) = analyse(&[&path("games"), &path("missing.kif")], &path("out"), "", &[]);
    let done = done.unwrap();
    assert_eq!((done.games, done.unreadable), (1, 2));
    assert!(heard[0].contains("bad.kif: ") && heard[1].contains("missing.kif: "), "{heard:?}");

    let (done, _) = analyse(&[&path("games/good.kifu")], &path("games"), "", &[]);
    assert!(done.unwrap_err().to_string().contains("good.kifu: not replaced"));
    fs::create_dir(path("mine")).unwrap();
    fs::write(path("mine/good.kifu"), "precious").unwrap();
    let (done, _) = analyse(&[&path("games/good.kifu")], &path("mine"), "", &[]);
    assert!(matches!(done, Err(RunError::Exists(_))));
    assert_eq!(fs::read_to_string(path("mine/good.kifu")).unwrap(), "precious");
    // Results inside a folder that is analysed are not analysed again.
    let (done, _) = analyse(&[&path("games")], &path("games/out"), "", &[]);
    assert_eq!(done.unwrap().games, 1);
    let (done, _) = analyse(&[&path("games")], &path("games/out"), "", &[]);
    assert_eq!(done.unwrap().games, 1);
}
