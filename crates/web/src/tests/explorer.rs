//! The opening explorer over a library of games.

use super::Server;
use library::{AddJob, Rules, STEP, add};
use record::IllegalMoves;
use record::convert::Silent;
use record::freeze::NoteStyle;
use record::notation::{Catalogue, choose};
use serde_json::json;
use std::path::{Path, PathBuf};

const KIF: &str = "開始日時：2024/05/31\n棋戦：順位戦\n手合割：平手\n先手：羽生(2500)\n後手：佐藤(2300)\n\
                   手数----指手---------消費時間--\n   1 ７六歩(77)\n*角道を開ける\n   2 ３四歩(33)\n   3 ２六歩(27)\n   4 投了\n";
/// The same position by another order of moves, and a game that leaves it.
const LINES: &str = "startpos moves 2g2f 3c3d 7g7f\nstartpos moves 7g7f 8c8d\n";

/// Adds the games of a folder to a library beside it.
fn make(folder: &Path) -> PathBuf {
    let games = folder.join("games");
    std::fs::create_dir_all(&games).unwrap();
    std::fs::write(games.join("a.kif"), KIF).unwrap();
    std::fs::write(games.join("b.usi"), LINES).unwrap();
    let catalogue = Catalogue { style: NoteStyle::default(), find: Box::new(|_| None) };
    let notation = choose(None, None, IllegalMoves::Cut, Box::new(|_| None)).unwrap();
    let path = folder.join("my.games");
    let job = AddJob {
        inputs: &[games],
        notation: &*notation,
        rules: Rules(&catalogue),
        threads: 1,
        prune: false,
        step: STEP,
    };
    add(&path, &job, &Silent).unwrap();
    path
}

#[test]
fn games_are_found_by_position_and_opened_there() {
    let folder = tempfile::tempdir().unwrap();
    let library = make(folder.path());
    let server = Server::in_folder(folder, |settings| settings.libraries = vec![library]);
    let mut tab = server.tab();
    let listed = tab.ask(json!({"do":"library.list"}));
    assert_eq!(listed["libraries"], json!([{"library":"my.games","games":3}]));
    let board = tab.open("shogi");
    let explore = json!({"do":"library.explore","library":"my.games","board":board,"node":1});
    let start = tab.ask(explore.clone());
    assert_eq!((&start["counts"]["games"], &start["ended"]), (&json!(3), &json!(0)));
    assert_eq!(start["moves"][0]["ja"], "７六歩");
    assert_eq!(start["moves"][0]["en"], "P-7f");
    assert_eq!(start["moves"][0]["counts"], json!({"games":2,"black":1,"white":0,"draws":0,"rating":2500.0}));
    assert_eq!(start["moves"][1]["move"], "2g2f");
    let line = tab.ask(json!({"do":"add_line","board":board,"node":1,"moves":["7g7f","3c3d"]}));
    let node = line["node"].clone();
    let after = tab.ask(json!({"do":"library.explore","library":"my.games","board":board,"node":node}));
    // One game plays 2g2f here; another one reaches the same position by another order.
    assert_eq!(after["moves"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&after["moves"][0]["counts"]["games"], &after["moves"][0]["reached"]),
        (&json!(1), &json!(2))
    );
    let line = tab.ask(json!({"do":"add_line","board":board,"node":node,"moves":["2g2f"]}));
    let at = json!({"do":"library.games","library":"my.games","board":board,"node":line["node"],"count":10});
    let games = tab.ask(at.clone());
    assert_eq!(games["all"], 2);
    let found = games["games"].as_array().unwrap();
    let kif = found.iter().find(|game| game["black"] == "羽生(2500)").unwrap();
    assert_eq!(
        (&kif["ply"], &kif["winner"], &kif["date"]),
        (&json!(3), &json!("black"), &json!("2024-05-31"))
    );
    assert_eq!((&kif["white_rating"], &kif["event"]), (&json!(2300.0), &json!("順位戦")));
    let mut one = at.clone();
    one["skip"] = json!(1);
    assert_eq!(tab.ask(one)["games"].as_array().unwrap(), &found[1..]);
    let mut of_player = at;
    of_player["player"] = json!(" 佐藤 ");
    assert_eq!(tab.ask(of_player)["all"], 1);
    let mut of_player = explore;
    of_player["player"] = json!("佐藤");
    assert_eq!(tab.ask(of_player)["counts"]["games"], 1);

    let open = json!({"do":"library.open","library":"my.games","number":kif["number"],"ply":1});
    let opened = tab.ask(open.clone());
    assert_eq!(opened["notices"], json!([]));
    let all = tab.ask(json!({"do":"subscribe","board":opened["board"]}))["all"].clone();
    let nodes = all["nodes"].as_array().unwrap();
    let shown = nodes.iter().find(|node| node["id"] == opened["node"]).unwrap();
    assert_eq!((&shown["move"], &shown["comment"]), (&json!("7g7f"), &json!("角道を開ける")));
    // What the library knows stays when the file is gone.
    std::fs::remove_file(server.folder.path().join("games/a.kif")).unwrap();
    let again = tab.ask(open);
    assert_eq!(again["notices"].as_array().unwrap().len(), 1);
    let kif = tab.ask(json!({"do":"export","board":again["board"],"format":"kif"}));
    let text = kif["text"].as_str().unwrap();
    assert!(text.contains("先手：羽生") && text.contains("２六歩(27)") && !text.contains("角道"), "{text}");
}

#[test]
fn libraries_refuse_what_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let library = make(folder.path());
    let gone = library.clone();
    let server = Server::in_folder(folder, |settings| settings.libraries = vec![library.clone(), library]);
    let mut tab = server.tab();
    let board = tab.open("shogi");
    let names = tab.ask(json!({"do":"library.list"}));
    assert_ne!(names["libraries"][0]["library"], names["libraries"][1]["library"]);
    for (ask, code) in [
        (json!({"do":"library.explore","library":"other","board":board,"node":1}), "unknown"),
        (json!({"do":"library.explore","library":"my.games","board":board,"node":9}), "node"),
        (json!({"do":"library.games","library":"my.games","board":"none","node":1,"count":1}), "unknown"),
        (json!({"do":"library.open","library":"my.games","number":0,"ply":0}), "unknown"),
        (json!({"do":"library.open","library":"my.games","number":u64::MAX,"ply":0}), "unknown"),
    ] {
        assert_eq!(tab.refusal(ask.clone()), code, "{ask}");
    }
    // A game that the library has none of.
    let other = tab.open("minishogi");
    let none = tab.ask(json!({"do":"library.explore","library":"my.games","board":other,"node":1}));
    assert_eq!((&none["counts"]["games"], &none["moves"]), (&json!(0), &json!([])));
    std::fs::write(gone, "no library").unwrap();
    let ask = json!({"do":"library.explore","library":"my.games","board":board,"node":1});
    assert_eq!(tab.refusal(ask), "file");
}
