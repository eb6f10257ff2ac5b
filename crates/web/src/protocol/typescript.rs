//! The protocol in TypeScript, made from the types here.

use super::*;
use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::Path;
use ts_rs::{Config, TS, TypeVisitor};

/// Collects a type and all types that it names.
struct Collect<'a> {
    config: &'a Config,
    seen: HashSet<TypeId>,
    declared: BTreeMap<String, String>,
}

impl Collect<'_> {
    fn add<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            self.declared.insert(T::ident(self.config), format!("{docs}export {}", T::decl(self.config)));
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

impl TypeVisitor for Collect<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        self.add::<T>();
    }
}

/// The type of the answer to each verb.
macro_rules! answers {
    ($($verb:literal $answer:ident)*) => {
        const VERBS: &[(&str, &str)] = &[$(($verb, stringify!($answer))),*];
        fn collect_answers(collect: &mut Collect<'_>) { $(collect.add::<$answer>();)* }
    };
}

answers! {
    "about" About "boards" Boards "settings" Settings "rules" Rules "open" Opened "remove_board" Done
    "subscribe" Subscribed "unsubscribe" Done "go_to" Scene "follow" Done "play" Played "add_line" Played
    "preview" Preview "expand" Expansion "comment" Done "mark" Done "promote_line" Done "delete" Deleted
    "undo" Undone "redo" Undone "header" Done "edit_position" Edited "paste" Pasted "export" Exported
    "analyse" Done "analyse_game" Done "new_game" Opened "resign" Done "stop_game" Done "declare" Done
    "move_now" Done "hint" Hint "takeback" Done "switch_sides" Done
    "book.list" Books "book.open" BookOpened "book.show" BookMoves "book.edit" BookMoves "book.save" BookOpened
    "book.minmax" BookOpened "book.mine" Done "book.mine_stop" Done "book.close" Done
    "library.list" Libraries "library.explore" Explored "library.games" LibraryGames "library.open" LibraryGameOpened
    "tsume.solve" Done "tsume.report" Done "tsume.tree" TsumeMoves "tsume.judge" TsumeJudged "tsume.stop" Done
    "runs.list" Runs "runs.watch" RunState "runs.unwatch" Done "runs.games" RunGames "runs.open" Opened
}

fn declarations() -> String {
    let config = Config::new().with_large_int("number");
    let mut collect = Collect { config: &config, seen: HashSet::new(), declared: BTreeMap::new() };
    collect.add::<Ask>();
    collect.add::<Reply>();
    collect.add::<Event>();
    collect_answers(&mut collect);
    let mut text = "// The protocol of `tsumugi web`, made from crates/web/src/protocol by `cargo test -p tsumugi-web`.\n\
                    // Do not edit: TSUMUGI_UPDATE=1 cargo test -p tsumugi-web protocol\n"
        .to_owned();
    for declaration in collect.declared.values() {
        let _ = write!(text, "\n{declaration}\n");
    }
    text += "\n/** The type of the answer to each verb. */\nexport interface Answers {\n";
    for (verb, answer) in VERBS {
        let _ = writeln!(text, "  \"{verb}\": {answer};");
    }
    text + "}\n"
}

#[test]
fn the_declarations_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/protocol.d.ts");
    let made = declarations();
    if std::env::var_os("TSUMUGI_UPDATE").is_some() {
        std::fs::write(&path, &made).expect("the folder is there");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        found == made,
        "ui/protocol.d.ts: stale: run TSUMUGI_UPDATE=1 cargo test -p tsumugi-web protocol"
    );
}

#[test]
fn every_verb_has_an_answer() {
    let config = Config::new().with_large_int("number");
    let declared = Verb::decl(&config);
    let verbs: HashSet<&str> =
        declared.split("\"do\": \"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let answered: HashSet<&str> = VERBS.iter().map(|(verb, _)| *verb).collect();
    assert_eq!(verbs, answered);
}
