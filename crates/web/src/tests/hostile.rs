//! Messages that no page sends, tabs that do not behave.

use super::{Client, Server};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::Message;

#[test]
fn a_thousand_tabs_that_are_cut_leave_nothing_behind() {
    let server = Server::new();
    let board = server.tab().open("shogi");
    for round in 0..1000 {
        let mut tab = server.tab();
        if round % 3 == 0 {
            tab.ask(json!({"do":"subscribe","board":board}));
        } else {
            tab.send(&json!({"id":1,"do":"subscribe","board":board}).to_string());
        }
        let stream: &TcpStream = tab.socket.get_ref();
        stream.shutdown(std::net::Shutdown::Both).unwrap();
    }
    let until = Instant::now() + Duration::from_secs(30);
    let shared = server.app.boards.get(&board).unwrap();
    while server.app.tabs() > 0 || crate::board::lock(&shared).tabs() > 0 {
        assert!(Instant::now() < until, "{} tabs are left", server.app.tabs());
        std::thread::sleep(Duration::from_millis(20));
    }
    // The server serves on.
    server.tab().ask(json!({"do":"go_to","board":board,"node":1}));
}

#[test]
fn too_much_closes_the_tab() {
    let server = Server::new();
    let mut tab = server.tab();
    // The socket may be closed while we are still writing.
    let _ = tab.socket.send(Message::text("x".repeat(300 << 10)));
    assert!(tab.message().is_none());
    let mut tab = server.tab();
    for _ in 0..1000 {
        if tab.socket.send(Message::text("{\"id\":1,\"do\":\"boards\"}")).is_err() {
            break;
        }
    }
    while let Some(message) = tab.message() {
        assert_eq!(message["id"], 1);
    }
    let mut tab = server.tab();
    tab.socket.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert!(tab.message().is_none());
}

fn some_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0u32..4).prop_map(Value::from),
        "[ -~ぁ-ん０-９\\n]{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "shogi",
            "binarsi",
            "7g7f",
            "P*5e",
            "4n",
            "kif",
            "../..",
            "tsumugi",
            "startpos",
            "9/9 b - 1"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z]{1,6}", inner, 0..3)
                .prop_map(|map| map.into_iter().collect::<Value>()),
        ]
    })
}

const VERBS: [&str; 39] = [
    "about",
    "boards",
    "settings",
    "rules",
    "open",
    "subscribe",
    "go_to",
    "follow",
    "play",
    "add_line",
    "preview",
    "expand",
    "comment",
    "mark",
    "promote_line",
    "delete",
    "undo",
    "redo",
    "header",
    "edit_position",
    "paste",
    "export",
    "resign",
    "takeback",
    "declare",
    "book.open",
    "book.show",
    "runs.watch",
    "tsume.stop",
    "move_now",
    "new_game",
    "analyse_game",
    "book.edit",
    "book.mine",
    "runs.games",
    "runs.open",
    "library.explore",
    "library.games",
    "library.open",
];
const NAMES: [&str; 21] = [
    "board", "node", "move", "moves", "text", "game", "start", "base", "marks", "header", "format",
    "position", "set", "book", "run", "on", "sides", "clock", "number", "library", "player",
];

fn some_ask() -> impl Strategy<Value = Value> {
    let fields = prop::collection::vec((prop::sample::select(&NAMES[..]), some_json()), 0..5);
    (prop::sample::select(&VERBS[..]), fields, any::<bool>(), 0u32..5).prop_map(
        |(verb, fields, known, node)| {
            let mut ask = json!({"do": verb});
            if known {
                ask["board"] = json!("BOARD");
                ask["node"] = json!(node);
            }
            for (name, value) in fields {
                if !(known && (name == "board" || name == "node")) {
                    ask[name] = value;
                }
            }
            ask
        },
    )
}

#[test]
fn random_messages_are_answered() {
    let server = Server::new();
    let mut runner =
        proptest::test_runner::TestRunner::new(ProptestConfig { cases: 600, ..ProptestConfig::default() });
    let tab = std::cell::RefCell::new(server.tab());
    let board = tab.borrow_mut().open("freeze");
    runner
        .run(&some_ask(), |mut ask| {
            if ask["board"] == "BOARD" {
                ask["board"] = json!(board);
            }
            let reply = tab.borrow_mut().reply(ask);
            prop_assert!(reply["ok"].is_null() != reply["error"].is_null());
            Ok(())
        })
        .unwrap();
    let mut garbage =
        proptest::test_runner::TestRunner::new(ProptestConfig { cases: 200, ..ProptestConfig::default() });
    garbage
        .run(&"\\PC{0,60}", |text| {
            std::thread::sleep(Duration::from_millis(6));
            let mut tab = tab.borrow_mut();
            tab.send(&text);
            let reply: Value = loop {
                let message = tab.message().expect("an answer");
                if message["error"].is_object() {
                    break message;
                }
            };
            prop_assert_eq!(&reply["error"]["code"], "message");
            Ok(())
        })
        .unwrap();
    let _: &Client = &tab.borrow();
}
