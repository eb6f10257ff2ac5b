//! Every verb: what it answers, and what it refuses.

use super::Server;
use serde_json::{Value, json};

/// Requests with what is wrong with them.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of requests")]
fn every_verb_refuses_what_is_not_there() {
    let server = Server::new();
    let mut tab = server.tab();
    let board = tab.open("shogi");
    let on_board = |verb: &str, more: Value| {
        let mut ask = json!({"do":verb,"board":board});
        for (name, value) in more.as_object().unwrap() {
            ask[name] = value.clone();
        }
        ask
    };
    let nodes = [
        ("go_to", json!({})),
        ("play", json!({"move":"7g7f"})),
        ("add_line", json!({"moves":["7g7f"]})),
        ("preview", json!({"moves":["7g7f"]})),
        ("expand", json!({"base":"7g7f"})),
        ("comment", json!({"text":"x"})),
        ("mark", json!({"marks":["!"]})),
        ("promote_line", json!({})),
        ("delete", json!({})),
        ("analyse", json!({"on":true})),
        ("analyse_game", json!({"on":true})),
        ("hint", json!({})),
        ("export", json!({"format":"sfen"})),
        ("tsume.solve", json!({})),
        ("tsume.report", json!({})),
        ("tsume.tree", json!({"moves":[]})),
        ("tsume.judge", json!({"move":"7g7f"})),
    ];
    for (verb, more) in nodes {
        let mut ask = on_board(verb, more);
        ask["node"] = json!(99);
        assert_eq!(tab.refusal(ask.clone()), "node", "{verb}");
        ask["board"] = json!("none");
        assert_eq!(tab.refusal(ask), "unknown", "{verb}");
    }
    for verb in [
        "subscribe",
        "unsubscribe",
        "undo",
        "redo",
        "resign",
        "stop_game",
        "declare",
        "takeback",
        "switch_sides",
        "remove_board",
    ] {
        assert_eq!(tab.refusal(json!({"do":verb,"board":"none"})), "unknown", "{verb}");
    }
    for verb in ["undo", "redo", "resign", "stop_game", "declare", "move_now", "takeback", "switch_sides"] {
        assert_eq!(tab.refusal(on_board(verb, json!({}))), "state", "{verb}");
    }
    for (ask, code) in [
        (json!({"do":"rules","game":"chess"}), "unknown"),
        (json!({"do":"open","game":"chess"}), "unknown"),
        (json!({"do":"open","game":"shogi","start":"nonsense"}), "position"),
        (json!({"do":"open","text":"nonsense"}), "position"),
        (on_board("play", json!({"node":1,"move":"7g7e"})), "illegal"),
        (on_board("play", json!({"node":1,"move":"nonsense"})), "illegal"),
        (on_board("play", json!({"node":1,"move":""})), "illegal"),
        (on_board("add_line", json!({"node":1,"moves":["7g7f","7g7f"]})), "illegal"),
        (on_board("expand", json!({"node":1,"base":"5e5d"})), "illegal"),
        (on_board("mark", json!({"node":1,"marks":["#"]})), "message"),
        (on_board("delete", json!({"node":1})), "node"),
        (on_board("comment", json!({"node":1,"text":"x".repeat(70_000)})), "too_much"),
        (on_board("paste", json!({"text":"nonsense"})), "position"),
        (on_board("export", json!({"format":"pdf"})), "unsupported"),
        (on_board("edit_position", json!({})), "message"),
        (json!({"do":"edit_position","text":"startpos"}), "message"),
        (on_board("analyse", json!({"on":true,"node":1,"engine":"none such"})), "unknown"),
        (on_board("analyse", json!({"on":true})), "message"),
        (json!({"do":"new_game","game":"chess","sides":[{"kind":"human"},{"kind":"human"}]}), "unknown"),
        (
            json!({"do":"new_game","game":"shogi","sides":[{"kind":"human"},{"kind":"engine","engine":"x"}]}),
            "unknown",
        ),
        (
            json!({"do":"new_game","game":"shogi","sides":[{"kind":"human"},{"kind":"engine","engine":"tsumugi","level":25}]}),
            "unsupported",
        ),
        (
            json!({"do":"new_game","game":"shogi","sides":[{"kind":"human"},{"kind":"human"}],"clock":{"main":u64::MAX}}),
            "too_much",
        ),
        (json!({"do":"book.open","book":"../x.db"}), "unknown"),
        (json!({"do":"book.open","book":"none.db"}), "unknown"),
        (json!({"do":"book.show","book":"none.db","board":board,"node":1}), "unknown"),
        (json!({"do":"book.edit","book":"none.db","board":board,"node":1,"move":"7g7f"}), "unknown"),
        (json!({"do":"book.save","book":"none.db"}), "unknown"),
        (json!({"do":"book.minmax","book":"none.db"}), "unknown"),
        (json!({"do":"book.mine","book":"none.db","board":board,"node":1}), "unknown"),
        (json!({"do":"runs.watch","run":"../.."}), "unknown"),
        (json!({"do":"runs.watch","run":"none"}), "unknown"),
        (json!({"do":"runs.games","run":"none","count":5}), "unknown"),
        (json!({"do":"runs.open","run":"none","number":0}), "unknown"),
        (json!({"do":"settings","set":{"a":[1]}}), "message"),
        (json!({"do":"nothing"}), "message"),
        (json!({"do":"play"}), "message"),
        (json!({}), "message"),
    ] {
        assert_eq!(tab.refusal(ask.clone()), code, "{ask}");
    }
    let other = tab.open("minishogi");
    assert_eq!(tab.refusal(json!({"do":"tsume.solve","board":other,"node":1})), "unsupported");
    assert_eq!(tab.refusal(json!({"do":"export","board":other,"format":"csa"})), "unsupported");
}

#[test]
fn an_engine_that_does_not_start_says_so() {
    let server = Server::new();
    let mut tab = server.tab();
    let board = tab.open("shogi");
    tab.ask(json!({"do":"subscribe","board":board}));
    assert_eq!(tab.refusal(json!({"do":"hint","board":board})), "engine");
    tab.ask(json!({"do":"analyse","board":board,"node":1,"on":true}));
    loop {
        let event = tab.event("engine");
        if event["state"] == "failed" {
            assert!(event["text"].as_str().unwrap().contains("no such engine"), "{event}");
            break;
        }
    }
    let sides = json!([{"kind":"engine","engine":"tsumugi","level":5},{"kind":"human"}]);
    let opened = tab.ask(json!({"do":"new_game","game":"shogi","sides":sides}));
    let board = opened["board"].as_str().unwrap();
    // The game ends as broken off, with the reason in the record.
    loop {
        let all = tab.ask(json!({"do":"subscribe","board":board}))["all"].clone();
        if all["play"]["over"] == true {
            let last = all["nodes"].as_array().unwrap().last().unwrap().clone();
            assert_eq!(last["ending"], "interrupt");
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn lists_and_settings() {
    let server = Server::new();
    let mut tab = server.tab();
    let about = tab.ask(json!({"do":"about"}));
    let games = about["games"].as_array().unwrap();
    assert!(games.len() > 5 && games[0]["game"] == "shogi");
    assert!(games[0]["starts"].as_array().unwrap().len() >= 19);
    for game in games {
        let rules = tab.ask(json!({"do":"rules","game":game["game"]}));
        assert!(!rules["palette"]["pieces"].as_array().unwrap().is_empty());
        tab.open(game["game"].as_str().unwrap());
    }
    let boards = tab.ask(json!({"do":"boards"}));
    assert_eq!(boards["boards"].as_array().unwrap().len(), games.len());
    let board = boards["boards"][0]["board"].clone();
    tab.ask(json!({"do":"remove_board","board":board}));
    assert_eq!(tab.ask(json!({"do":"boards"}))["boards"].as_array().unwrap().len(), games.len() - 1);
    tab.ask(json!({"do":"settings","set":{"theme":"dark","arrows":true}}));
    assert_eq!(tab.ask(json!({"do":"settings","set":{"arrows":null}}))["settings"], json!({"theme":"dark"}));
    assert_eq!(server.tab().ask(json!({"do":"settings"}))["settings"], json!({"theme":"dark"}));
    assert_eq!(tab.ask(json!({"do":"book.list"}))["books"], json!([]));
    assert_eq!(tab.ask(json!({"do":"runs.list"}))["runs"], json!([]));
    assert!(server.folder.path().join("data/settings.json").exists());
}
