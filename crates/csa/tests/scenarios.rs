//! The 34 scenarios of `ShogiHome`'s bridge, and our own: what client and engine say, byte for byte.

mod table;

use csa::client::{self, ClientConfig, Mode, Ponder};
use csa::clock::ResumeClock;
use record::{Ending, Field, Record};
use std::fs;
use std::net::TcpListener;
use std::path::Path;

/// The option values and switches of a scenario's `bridge-config.yaml`.
struct Bridge {
    options: Vec<(String, String)>,
    lines: Vec<String>,
}

impl Bridge {
    fn read(text: &str) -> Self {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut options: Vec<(String, String)> = Vec::new();
        let inside = lines.iter().skip_while(|line| line.as_str() != "  options:").skip(1);
        for line in inside.take_while(|line| line.starts_with("    ")) {
            let (key, value) = line.trim().split_once(':').unwrap();
            if !line.starts_with("      ") {
                options.push((key.to_owned(), String::new()));
            } else if key == "value" {
                value.trim().clone_into(&mut options.last_mut().unwrap().1);
            }
        }
        // Buttons have no value.
        options.retain(|(_, value)| !value.is_empty());
        Self { options, lines }
    }

    fn says(&self, line: &str) -> bool {
        self.lines.iter().any(|known| known.trim() == line)
    }
}

fn configured(bridge: &Bridge, number: u32, port: u16, log: &Path, outcome: &Path) -> ClientConfig {
    let mut engine = table::engine(&format!("replay {} {}", log.display(), outcome.display()));
    engine.options.clone_from(&bridge.options);
    engine.restart = bridge.says("restartPlayerEveryGame: true");
    let ponders = bridge.options.contains(&("USI_Ponder".to_owned(), "true".to_owned()));
    engine.ponder = ponders;
    let mut config = table::config(port, "usi-csa-bridge", engine);
    config.ponder = match ponders {
        true if bridge.says("enableEarlyPonder: true") => Ponder::Early,
        true => Ponder::On,
        false => Ponder::Off,
    };
    config.mode = if bridge.says("protocolVersion: v121") { Mode::Csa } else { Mode::Floodgate };
    // Where the bridge does otherwise than we do unless told so.
    match number {
        1 | 22 => config.mate_scores = false,
        4 => config.trust_win = true,
        17 => config.resume_clock = ResumeClock::Spec,
        _ => {}
    }
    config
}

fn run(folder: &Path, number: u32) -> Result<(), String> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    let bridge = Bridge::read(&read("bridge-config.yaml")?);
    let steps = table::script(&read("csa.log")?);
    let place = tempfile::tempdir().unwrap();
    let outcome = place.path().join("outcome");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let config = configured(&bridge, number, port, &folder.join("usi.log"), &outcome);
    let out = place.path().join("run");
    let games = if bridge.says("repeat: 2") { 2 } else { 1 };
    let mut reports = Vec::new();
    let (served, played) = std::thread::scope(|scope| {
        let server = scope.spawn(move || table::serve(&listener, &steps));
        let played =
            client::play(&config, "test", &out, games, &mut |line: &str| reports.push(line.to_owned()));
        (server.join().unwrap(), played)
    });
    served.map_err(|error| format!("server: {error}; {reports:?}"))?;
    let summary = played.map_err(|error| error.to_string())?;
    let engine = fs::read_to_string(&outcome).unwrap();
    if engine != "ok" {
        return Err(format!("engine: {engine}"));
    }
    if summary.games != games {
        return Err(format!("{summary:?}"));
    }
    compare_records(folder, &place.path().join("run"), number)
}

fn loaded(path: &Path) -> Record {
    let bytes = fs::read(path).unwrap();
    record::read(&bytes, &record::ReadOptions::default())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .record
}

/// Moves, whole seconds and ending.
fn told(record: &Record) -> (Vec<String>, Vec<u64>, Option<Ending>) {
    let moves = record.moves().map(|m| m.to_string()).collect::<Vec<_>>();
    let times = record.tree.main_line().filter(|id| record.tree[*id].played().is_some());
    let times = times.map(|id| record.tree[id].time.unwrap_or_default().as_secs()).collect();
    (moves, times, record.ending().cloned())
}

fn compare_records(folder: &Path, out: &Path, number: u32) -> Result<(), String> {
    for name in ["record.kifu", "record-1.kifu", "record-2.kifu"] {
        let path = folder.join(name);
        if !path.exists() {
            continue;
        }
        let expected = loaded(&path);
        let id = expected.header.named("表題").unwrap().to_owned();
        let name = platform::file_name(&id);
        for extension in ["kifu", "csa"] {
            let ours = loaded(&out.join(format!("{name}.{extension}")));
            let (mut theirs, mut found) = (told(&expected), told(&ours));
            // The bridge has no word for the limit of moves, and CSA none for a foul of the side before.
            if number == 11 || (extension == "csa" && theirs.2 == Some(Ending::IllegalBefore)) {
                (theirs.2, found.2) = (None, None);
            }
            if theirs != found {
                return Err(format!("{name}.{extension}: {found:?} instead of {theirs:?}"));
            }
            if ours.header.get(Field::Event) != Some(id.as_str()) {
                return Err(format!("{name}.{extension}: {:?}", ours.header));
            }
        }
    }
    let games = fs::read_to_string(out.join("games.jsonl")).unwrap();
    let entry: serde_json::Value = serde_json::from_str(games.lines().next().unwrap()).unwrap();
    let traffic = fs::read_dir(out.join("traffic")).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&traffic).unwrap();
    if !text.contains("> LOGIN usi-csa-bridge *****\n") || text.contains("bridge test") {
        return Err("the password is in the log".to_owned());
    }
    // The log of the traffic is a record, too.
    let moves: Vec<_> = loaded(&traffic).moves().map(|m| m.to_string()).collect();
    if moves.is_empty() && !entry["moves"].as_str().unwrap().is_empty() {
        return Err("the log of the traffic has no moves".to_owned());
    }
    Ok(())
}

#[test]
fn the_scenarios_of_shogihomes_bridge() {
    let Some(folder) = table::public("usi_csa_scenarios") else { return };
    let failures: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> = (1..=34)
            .map(|number| (number, folder.join(number.to_string())))
            .map(|(number, folder)| (number, scope.spawn(move || run(&folder, number))))
            .collect();
        let ended = all
            .into_iter()
            .map(|(number, test)| (number, test.join().unwrap_or_else(|_| Err("panicked".into()))));
        ended
            .filter_map(|(number, result)| result.err().map(|error| format!("scenario {number}: {error}")))
            .collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn our_own_scenarios() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/csa");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.join("csa.log").is_file() {
            run(&path, 0).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            count += 1;
        }
    }
    assert!(count >= 3, "{count}");
}
