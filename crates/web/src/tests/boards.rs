//! Boards: moves, branches, undo, two tabs, files, whole games.

use super::{Client, Server};
use platform::Random;
use serde_json::{Value, json};

fn play(tab: &mut Client, board: &str, node: u64, text: &str) -> u64 {
    let played = tab.ask(json!({"do":"play","board":board,"node":node,"move":text}));
    assert_eq!(played["scene"]["node"], played["node"]);
    played["node"].as_u64().unwrap()
}

#[test]
fn two_tabs_share_a_board() {
    let server = Server::new();
    let (mut one, mut two) = (server.tab(), server.tab());
    let board = one.open("shogi");
    let all = two.ask(json!({"do":"subscribe","board":board}));
    let rev = all["rev"].as_u64().unwrap();
    let first = play(&mut one, &board, 1, "7g7f");
    let changed = two.event("changed");
    assert_eq!(changed["rev"], rev + 1);
    assert_eq!(changed["changes"][0]["nodes"][0]["ja"], "７六歩");
    assert_eq!(changed["changes"][0]["nodes"][0]["en"], "P-7f");
    assert_eq!(changed["changes"][1], json!({"change":"children","node":1,"children":[first]}));
    // A tab that lost its connection gets the difference only.
    let again = server.tab().ask(json!({"do":"subscribe","board":board,"rev":rev}));
    assert!(again["all"].is_null() && again["changes"][0]["nodes"][0]["move"] == "7g7f");
    two.ask(json!({"do":"follow","board":board,"on":true}));
    one.ask(json!({"do":"go_to","board":board,"node":first}));
    assert_eq!(two.event("cursor")["node"], first);
}

#[test]
fn branches_and_undo() {
    let server = Server::new();
    let mut tab = server.tab();
    let board = tab.open("shogi");
    let first = play(&mut tab, &board, 1, "76歩");
    assert_eq!(play(&mut tab, &board, 1, "7g7f"), first, "the same move is the same node");
    let second = play(&mut tab, &board, 1, "▲２六歩");
    tab.ask(json!({"do":"promote_line","board":board,"node":second}));
    let line = tab.ask(json!({"do":"add_line","board":board,"node":second,"moves":["8c8d","2f2e","8d8e"]}));
    let end = line["node"].as_u64().unwrap();
    tab.ask(json!({"do":"comment","board":board,"node":end,"text":"相掛かり\n二行目"}));
    tab.ask(json!({"do":"mark","board":board,"node":end,"marks":["!","bookmark"]}));
    let kif = tab.ask(json!({"do":"export","board":board,"format":"kif"}));
    let text = kif["text"].as_str().unwrap();
    assert!(
        text.contains("２六歩(27)") && text.contains("変化：1手") && text.contains("*相掛かり"),
        "{text}"
    );
    // What was written reads back as the same tree.
    let copy = tab.ask(json!({"do":"open","text":text}));
    let copied = tab.ask(json!({"do":"subscribe","board":copy["board"]}));
    let nodes = copied["all"]["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 6);
    assert_eq!(nodes[4]["comment"], "相掛かり\n二行目");
    let deleted = tab.ask(json!({"do":"delete","board":board,"node":second}));
    assert_eq!(deleted["node"], 1);
    let undone = tab.ask(json!({"do":"undo","board":board}));
    assert_eq!(undone["node"], second);
    let scene = tab.ask(json!({"do":"go_to","board":board,"node":end}));
    assert_eq!(scene["ply"], 5);
    tab.ask(json!({"do":"redo","board":board}));
    assert_eq!(tab.refusal(json!({"do":"go_to","board":board,"node":end})), "node");
    // Seven changes: two moves, their order, a line, a comment, marks, a line deleted.
    for _ in 0..7 {
        tab.ask(json!({"do":"undo","board":board}));
    }
    assert_eq!(tab.refusal(json!({"do":"undo","board":board})), "state");
    let all = tab.ask(json!({"do":"subscribe","board":board}))["all"].clone();
    assert_eq!(all["nodes"].as_array().unwrap().len(), 1);
}

#[test]
fn positions_are_edited_and_pasted() {
    let server = Server::new();
    let mut tab = server.tab();
    let board = tab.open("shogi");
    let scene = tab.ask(json!({"do":"go_to","board":board,"node":1}));
    let mut cells = scene["cells"].clone();
    cells[0] = Value::Null;
    let position = json!({"cells":cells,"hands":[[],[]],"side":"white"});
    let tried = tab.ask(json!({"do":"edit_position","game":"shogi","position":position}));
    assert_eq!(tried["text"], "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    assert_eq!(tried["missing"], json!([{"kind":"L","count":1}]));
    tab.ask(json!({"do":"edit_position","board":board,"position":position}));
    assert_eq!(tab.ask(json!({"do":"go_to","board":board,"node":1}))["side"], "white");
    tab.ask(json!({"do":"undo","board":board}));
    let tried = tab.ask(json!({"do":"edit_position","game":"shogi","text":"9/9/9/9/9/9/9/9/9 b - 1"}));
    assert!(tried["problem"].is_string() && tried["problem_ja"] == "盤に玉がありません。", "{tried}");
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
    let pasted = tab.ask(json!({"do":"paste","board":board,"text":sfen}));
    assert_eq!(pasted["node"], 1);
    let bod = tab.ask(json!({"do":"export","board":board,"format":"bod"}));
    let again = tab.ask(json!({"do":"paste","board":board,"text":bod["text"]}));
    assert_eq!(again["node"], 1);
    assert_eq!(tab.ask(json!({"do":"export","board":board,"format":"sfen"}))["text"], sfen);
    let svg = tab.ask(json!({"do":"export","board":board,"format":"svg"}));
    assert!(svg["text"].as_str().unwrap().starts_with("<svg "));
}

#[test]
fn files_in_every_format() {
    let server = Server::new();
    let mut tab = server.tab();
    let board = tab.open("shogi");
    tab.ask(json!({"do":"add_line","board":board,"node":1,"moves":["7g7f","3c3d","8h2b+","3a2b"]}));
    tab.ask(json!({"do":"header","board":board,"header":[["先手","甲"],["後手","乙"]]}));
    for format in ["kif", "ki2", "csa", "csa3", "jkf", "usi", "usen"] {
        let exported = tab.ask(json!({"do":"export","board":board,"format":format}));
        let (code, _, body) = server.post("/api/file", exported["text"].as_str().unwrap());
        assert_eq!(code, 200, "{format}: {body}");
        let opened: Value = serde_json::from_str(&body).unwrap();
        let copy = opened[0]["board"].as_str().unwrap();
        let entry = tab.ask(json!({"do":"subscribe","board":copy}));
        let nodes = entry["all"]["nodes"].as_array().unwrap();
        assert_eq!(nodes.iter().filter(|node| node["move"].is_string()).count(), 4, "{format}");
    }
    // KIF is Shift_JIS by tradition, kifu UTF-8.
    let (code, head, _) = server.get(&format!("/api/board/{board}.kif"));
    assert!(code == 200 && head.contains("content-disposition: attachment"));
    let (_, _, utf8) = server.get(&format!("/api/board/{board}.kifu"));
    assert!(utf8.contains("先手：甲"));
    assert!(server.get(&format!("/api/board/{board}.svg?node=1")).2.starts_with("<svg"));
    for game in ["freeze", "binarsi", "66shogi"] {
        let board = tab.open(game);
        random_game(&mut tab, &board, 12, 7);
        for format in ["kif", "usi"] {
            let exported = tab.ask(json!({"do":"export","board":board,"format":format}));
            let copy = tab.ask(json!({"do":"open","text":exported["text"],"game":game}));
            let (a, b) = (
                tab.ask(json!({"do":"export","board":board,"format":"sfen"})),
                tab.ask(json!({"do":"export","board":copy["board"],"format":"sfen"})),
            );
            assert_eq!(a["text"], b["text"], "{game} {format}");
        }
    }
}

/// Plays random legal moves as the pages do: by origin, target and choice.
fn random_game(tab: &mut Client, board: &str, most: usize, seed: u64) -> Value {
    let mut random = Random::new(seed);
    let mut scene = tab.ask(json!({"do":"go_to","board":board,"node":1}));
    for _ in 0..most {
        if scene["outcome"].is_object() {
            break;
        }
        let origins = scene["legal"].as_array().unwrap();
        let origin = &origins[random.below(origins.len())];
        let targets = origin["to"].as_array().unwrap();
        let target = &targets[random.below(targets.len())];
        let text = if let Some(text) = target["play"].as_str() {
            text.to_owned()
        } else {
            let base = format!("{}{}", origin["from"].as_str().unwrap(), target["to"].as_str().unwrap());
            let expanded = tab.ask(json!({"do":"expand","board":board,"node":scene["node"],"base":base}));
            let choices = expanded["choices"].as_array().unwrap();
            choices[random.below(choices.len())]["move"].as_str().unwrap().to_owned()
        };
        let played = tab.ask(json!({"do":"play","board":board,"node":scene["node"],"move":text}));
        scene = played["scene"].clone();
    }
    scene
}

#[test]
fn a_game_of_each_family_to_its_end() {
    let server = Server::new();
    let mut tab = server.tab();
    for (game, most) in [("dobutsu", 400), ("66shogi", 600), ("binarsi", 200), ("micro", 600)] {
        let mut ended = false;
        for seed in 1..=6 {
            let board = tab.open(game);
            let scene = random_game(&mut tab, &board, most, seed);
            if let Some(outcome) = scene["outcome"].as_object() {
                assert!(!outcome["say"]["ja"].as_str().unwrap().is_empty());
                assert_eq!(scene["legal"], json!([]));
                ended = true;
                break;
            }
        }
        assert!(ended, "{game}");
    }
    // Shogi and Freeze shogi: a short mate.
    for game in ["shogi", "freeze"] {
        let board = tab.open(game);
        let moves = ["7g7f", "3c3d", "8h2b+", "4a5b", "B*4b", "5a4a", "2b3a"];
        let line = tab.ask(json!({"do":"add_line","board":board,"node":1,"moves":moves}));
        let scene = &line["scene"];
        assert_eq!(
            (&scene["check"], &scene["outcome"]["reason"]),
            (&json!(["4a"]), &json!("mate")),
            "{game}"
        );
    }
}

#[test]
fn people_play_on_one_board() {
    let server = Server::new();
    let mut tab = server.tab();
    let sides = json!([{"kind":"human","name":"甲"},{"kind":"human","name":"乙"}]);
    let opened =
        tab.ask(json!({"do":"new_game","game":"shogi","sides":sides,"clock":{"main":60000,"byoyomi":10000}}));
    let board = opened["board"].as_str().unwrap().to_owned();
    tab.ask(json!({"do":"subscribe","board":board}));
    let first = play(&mut tab, &board, 1, "7g7f");
    assert_eq!(tab.refusal(json!({"do":"play","board":board,"node":1,"move":"2g2f"})), "state");
    let clock = tab.event("clock");
    assert_eq!(clock["clocks"]["running"], "white");
    assert_eq!(tab.refusal(json!({"do":"undo","board":board})), "state");
    let second = play(&mut tab, &board, first, "3c3d");
    tab.ask(json!({"do":"takeback","board":board}));
    assert_eq!(tab.refusal(json!({"do":"go_to","board":board,"node":second})), "node");
    tab.ask(json!({"do":"switch_sides","board":board}));
    tab.ask(json!({"do":"resign","board":board}));
    let all = tab.ask(json!({"do":"subscribe","board":board}))["all"].clone();
    let last = all["nodes"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((last["ending"].as_str(), last["ja"].as_str()), (Some("resign"), Some("投了")));
    let scene = tab.ask(json!({"do":"go_to","board":board,"node":last["id"]}));
    assert_eq!(scene["outcome"]["winner"], "black");
    // Time that is used up ends a game.
    let opened = tab.ask(json!({"do":"new_game","game":"shogi","sides":sides,"clock":{"main":50}}));
    tab.ask(json!({"do":"subscribe","board":opened["board"]}));
    loop {
        let changed = tab.event("changed");
        let changes = changed["changes"].as_array().unwrap();
        if changes.iter().any(|change| change["play"]["over"] == true && changed["board"] == opened["board"])
        {
            break;
        }
    }
}

#[test]
fn boards_are_there_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().to_owned();
    let server = Server::in_folder(folder, |_| ());
    let mut tab = server.tab();
    let board = tab.open("minishogi");
    let first = play(&mut tab, &board, 1, "3e3d");
    tab.ask(json!({"do":"comment","board":board,"node":first,"text":"一手"}));
    server.app.save();
    std::fs::write(keep.join("data/boards/torn.json"), "{\"version\":1,").unwrap();
    std::fs::write(keep.join("data/boards/../boards/zzzz.json"), "[]").unwrap();
    let again = Server::with(|settings| settings.data = keep.join("data"));
    let mut tab = again.tab();
    let boards = tab.ask(json!({"do":"boards"}));
    assert_eq!(boards["boards"].as_array().unwrap().len(), 1);
    let all = tab.ask(json!({"do":"subscribe","board":board}))["all"].clone();
    assert_eq!(all["nodes"][1]["comment"], "一手");
    play(&mut tab, &board, first, "3a3b");
}

#[test]
fn a_game_in_progress_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().to_owned();
    let server = Server::in_folder(folder, |_| ());
    let mut tab = server.tab();
    let sides = json!([{"kind":"human","name":"甲"},{"kind":"human","name":"乙"}]);
    let clock = json!({"main":600_000,"byoyomi":10_000});
    let opened = tab.ask(json!({"do":"new_game","game":"minishogi","sides":sides,"clock":clock}));
    let board = opened["board"].as_str().unwrap().to_owned();
    let first = play(&mut tab, &board, 1, "3e3d");
    server.app.save();
    let again = Server::with(|settings| settings.data = keep.join("data"));
    let mut tab = again.tab();
    let state = tab.ask(json!({"do":"subscribe","board":board}))["all"]["play"].clone();
    assert_eq!((&state["node"], &state["over"], &state["sides"]), (&json!(first), &json!(false), &sides));
    let left = state["clocks"]["main"][0].as_u64().unwrap();
    assert!(state["clocks"]["running"] == "white" && (1..600_000).contains(&left), "{state}");
    let second = play(&mut tab, &board, first, "3a3b");
    tab.ask(json!({"do":"resign","board":board}));
    again.app.save();
    let last = Server::with(|settings| settings.data = keep.join("data"));
    let all = last.tab().ask(json!({"do":"subscribe","board":board}))["all"].clone();
    assert!(all["play"].is_null() && all["nodes"][2]["id"] == second, "{all}");
}

#[test]
fn games_on_servers_are_followed() {
    let server = Server::new();
    let folder = server.folder.path().join("runs/floodgate");
    std::fs::create_dir_all(&folder).unwrap();
    let config =
        json!({"host":"wdoor.example","port":4081,"name":"our","game":"floodgate-300-10F","retry_ms":10});
    std::fs::write(folder.join("config.json"), config.to_string()).unwrap();
    let game = |number: u64, black: &str, white: &str, result: Value| {
        let mut line = json!({
            "game":number,"round":0,"id":format!("g{number}"),"black":black,"white":white,
            "opening":"startpos","moves":"7g7f 3c3d 2g2f","result":result,"reason":"resignation",
            "scores":[null,null,null],"nodes":[null,null,null],"ms":[1.0,2.0,3.0],"left_ms":[1.0,1.0],
            "lag_ms":[12.5,null],"started":"2026/11/19 00:00:00",
        });
        if number == 1 {
            line["faults"] = json!(["engine ended"]);
            line["reason"] = Value::Null;
        }
        line.to_string() + "\n"
    };
    let journal = folder.join("games.jsonl");
    let mut text = game(0, "our", "them", json!("black")) + &game(1, "them", "our", Value::Null);
    std::fs::write(&journal, &text).unwrap();
    let mut tab = server.tab();
    let list = tab.ask(json!({"do":"runs.list"}));
    assert_eq!((&list["runs"][0]["kind"], &list["runs"][0]["done"]), (&json!("csa"), &json!(2)));
    let state = tab.ask(json!({"do":"runs.watch","run":"floodgate"}));
    let csa = &state["csa"];
    assert_eq!(csa["players"][0], json!({"name":"our","wins":1,"draws":0,"losses":0}));
    assert_eq!((&csa["cut"], &csa["longest_lag"]), (&json!(1), &json!(12.5)));
    assert_eq!(csa["faults"][0]["reason"], "engine ended");
    assert_eq!(csa["games"][0]["result"], "none");
    text += &game(2, "them", "our", json!("black"));
    std::fs::write(&journal, &text).unwrap();
    assert_eq!(tab.event("run")["csa"]["players"][0]["losses"], 1);
    assert_eq!(tab.ask(json!({"do":"runs.list"}))["runs"][0]["done"], 3);
    let games = tab.ask(json!({"do":"runs.games","run":"floodgate","skip":1,"count":1}));
    assert_eq!(games["games"][0]["number"], 1);
    let opened = tab.ask(json!({"do":"runs.open","run":"floodgate","number":2}));
    let all = tab.ask(json!({"do":"subscribe","board":opened["board"]}));
    assert_eq!(all["all"]["nodes"].as_array().unwrap().len(), 4);
}

#[test]
fn the_list_of_runs_has_the_steps_of_a_training() {
    let server = Server::new();
    let folder = server.folder.path().join("runs/net");
    std::fs::create_dir_all(&folder).unwrap();
    let experiment = json!({"settings":{},"data":{},"history":[{"step":100},{"step":250}],"finished":null});
    std::fs::write(folder.join("experiment.json"), experiment.to_string()).unwrap();
    let list = server.tab().ask(json!({"do":"runs.list"}));
    assert_eq!((&list["runs"][0]["kind"], &list["runs"][0]["done"]), (&json!("train"), &json!(250)));
}

#[test]
fn mates_are_solved_examined_and_judged() {
    let server = Server::new();
    let mut tab = server.tab();
    // The gold on 5b mates with the pawn's support; so does no other move.
    let opened = tab.ask(json!({"do":"open","text":"4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1"}));
    let board = opened["board"].as_str().unwrap().to_owned();
    tab.ask(json!({"do":"subscribe","board":board}));
    tab.ask(json!({"do":"tsume.solve","board":board,"node":1}));
    let result = loop {
        let event = tab.event("tsume");
        if event["state"] != "searching" {
            break event;
        }
    };
    assert_eq!((result["state"].as_str(), result["length"].as_u64()), (Some("mate"), Some(1)));
    assert_eq!(result["line"][0]["ja"], "５二金");
    tab.ask(json!({"do":"tsume.report","board":board,"node":1}));
    let report = tab.event("tsume_report");
    assert_eq!(report["length"], 1);
    assert_eq!(report["left_over"][0]["kind"], "G");
    let right = tab.ask(json!({"do":"tsume.judge","board":board,"node":1,"move":"G*5b"}));
    assert_eq!(right["verdict"], "right");
    let wrong = tab.ask(json!({"do":"tsume.judge","board":board,"node":1,"move":"G*4b"}));
    assert_eq!(wrong["verdict"], "wrong");
    assert!(wrong["answer"]["move"].is_string());
    let quiet = tab.ask(json!({"do":"tsume.judge","board":board,"node":1,"move":"G*1i"}));
    assert_eq!(quiet["verdict"], "no_check");
    let tree = tab.ask(json!({"do":"tsume.tree","board":board,"node":1,"moves":[]}));
    let first = &tree["moves"][0];
    assert_eq!((first["move"].as_str(), first["main"].as_bool()), (Some("G*5b"), Some(true)));
}

#[test]
fn books_are_shown_changed_and_saved() {
    let server = Server::new();
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let text = format!("#YANEURAOU-DB2016 1.00\nsfen {start}\n7g7f 3c3d 50 32 2\n2g2f none 40 30 1\n");
    let path = server.folder.path().join("books/my.db");
    std::fs::write(&path, text).unwrap();
    let mut tab = server.tab();
    let board = tab.open("shogi");
    let list = tab.ask(json!({"do":"book.list"}));
    assert_eq!(list["books"][0]["path"], "my.db");
    let opened = tab.ask(json!({"do":"book.open","book":"my.db"}));
    assert_eq!((opened["format"].as_str(), opened["writable"].as_bool()), (Some("db"), Some(true)));
    let shown = tab.ask(json!({"do":"book.show","book":"my.db","board":board,"node":1}));
    assert_eq!(shown["moves"][0]["ja"], "７六歩");
    assert_eq!(
        (shown["moves"][0]["value"].as_i64(), shown["moves"][0]["depth"].as_i64()),
        (Some(50), Some(32))
    );
    assert_eq!(shown["moves"][0]["reply"]["move"], "3c3d");
    let edited = tab.ask(
        json!({"do":"book.edit","book":"my.db","board":board,"node":1,"move":"5g5f","value":-7,"depth":9}),
    );
    assert_eq!(edited["changed"], true);
    tab.ask(json!({"do":"book.edit","book":"my.db","board":board,"node":1,"move":"2g2f","remove":true}));
    assert_eq!(tab.refusal(json!({"do":"book.minmax","book":"my.db"})), "state");
    tab.ask(json!({"do":"book.save","book":"my.db"}));
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.contains("5g5f none -7 9") && !saved.contains("2g2f"), "{saved}");
    tab.ask(json!({"do":"book.minmax","book":"my.db"}));
    let shown = tab.ask(json!({"do":"book.show","book":"my.db","board":board,"node":1}));
    assert!(shown["moves"].as_array().unwrap().iter().all(|m| m["minmax"].is_number()), "{shown}");
    tab.ask(json!({"do":"book.close","book":"my.db"}));
}
