//! Logs of CSA servers and clients: read as the programs that played kept their games.
//!
//! The logs lie under `../shared/public` and are read in place; without them the tests pass with a word.

mod support;

use record::{Ending, Games, ReadOptions, Record};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> Option<PathBuf> {
    support::corpus()?.parent().map(|public| public.join(name)).filter(|folder| folder.is_dir())
}

fn games(path: &Path) -> Vec<Record> {
    let bytes = std::fs::read(path).expect("a file");
    let games = Games::new(bytes.as_slice(), ReadOptions::default()).expect("a log");
    let read = |game: std::io::Result<Vec<u8>>| {
        let game = game.expect("bytes");
        record::read(&game, &ReadOptions::default())
            .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
            .record
    };
    games.map(read).collect()
}

/// Moves and their seconds.
fn played(record: &Record) -> Vec<(String, u64)> {
    let nodes = record.tree.main_line().map(|id| &record.tree[id]);
    nodes
        .filter_map(|node| Some((node.played()?.to_string(), node.time.unwrap_or_default().as_secs())))
        .collect()
}

fn comments(record: &Record) -> Vec<&str> {
    record.tree.main_line().flat_map(|id| record.tree.note(id).comments).collect()
}

/// A bridge between a server and an engine logged the one, and wrote its games as KIF.
#[test]
fn logs_of_a_client_tell_what_it_wrote() {
    let Some(folder) = folder("usi_csa_scenarios") else { return };
    let (mut compared, mut scored) = (0, 0);
    for scenario in std::fs::read_dir(folder).expect("a folder") {
        let scenario = scenario.expect("an entry").path();
        let logged = games(&scenario.join("csa.log"));
        let names = [vec!["record.kifu"], vec!["record-1.kifu", "record-2.kifu"]];
        let Some(names) = names.iter().find(|names| scenario.join(names[0]).is_file()) else { continue };
        assert_eq!(logged.len(), names.len(), "{}", scenario.display());
        for (log, name) in logged.iter().zip(names) {
            let path = scenario.join(name);
            let kept = games(&path).remove(0);
            assert_eq!(log.start, kept.start, "{}", path.display());
            assert_eq!(played(log), played(&kept), "{}", path.display());
            // KIF has no word for the limit of moves.
            let ending = log.ending().map(|ending| match ending {
                Ending::MaxMoves => &Ending::Impasse,
                ending => ending,
            });
            assert_eq!(ending, kept.ending(), "{}", path.display());
            for color in shogi::Color::ALL {
                assert_eq!(log.header.player(color), kept.header.player(color), "{}", path.display());
            }
            let noted = comments(log);
            if noted.first() == comments(&kept).first() {
                assert_eq!(noted, comments(&kept), "{}", path.display());
                scored += usize::from(!noted.is_empty());
            }
            compared += 1;
        }
    }
    assert!(compared > 30 && scored > 0, "{compared} games, {scored} with scores");
}

/// Both clients of shogi-server logged the same game, and the server kept it as CSA.
#[test]
fn logs_of_both_sides_tell_what_the_server_kept() {
    let Some(folder) = folder("csa_server_transcripts") else { return };
    for name in ["byoyomi", "illegal", "kachi_bad", "resign", "sennichite"] {
        let [a, b] =
            ["a", "b"].map(|side| games(&folder.join(format!("transcript_{name}_{side}.txt"))).remove(0));
        assert_eq!((played(&a), a.ending(), a.result()), (played(&b), b.ending(), b.result()), "{name}");
        assert!(a.ending().is_some(), "{name}");
        let event = a.header.get(record::Field::Event).expect("the name of the game");
        let kept = games(&folder.join(format!("{event}.csa"))).remove(0);
        assert_eq!((played(&a), &a.start), (played(&kept), &kept.start), "{name}");
        let mut noted = [comments(&a), comments(&b)].concat();
        let mut in_file = comments(&kept);
        noted.sort_unstable();
        in_file.sort_unstable();
        assert_eq!(noted, in_file, "{name}");
    }
}
