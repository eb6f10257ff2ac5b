//! Values from scratch against those of an independent program, `tools/nnue_reference.py`.

mod support;

use eval::nnue::{Architecture, Parameters, scale};
use serde_json::Value;
use shogi::Position;
use std::fmt::Write;
use std::path::Path;

/// Each file of `testdata/nnue` names a shape and a seed, then positions with their values.
#[test]
fn values_of_random_networks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/nnue");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let head = lines.next().unwrap();
        let shape: Architecture = head["shape"].as_str().unwrap().parse().unwrap();
        let parameters = Parameters::random(&shape, head["seed"].as_u64().unwrap());
        for line in lines {
            let sfen = line["sfen"].as_str().unwrap();
            let position = Position::from_sfen(sfen).unwrap();
            let expected = line["value"].as_i64().unwrap();
            assert_eq!(i64::from(parameters.evaluate(&position)), expected, "{}: {sfen}", path.display());
        }
        files += 1;
    }
    assert!(files >= 20);
}

/// Writes the networks of `testdata/nnue`, to be compared with those that `nnue_reference.py write` writes.
#[test]
#[ignore = "by hand: NNUE_FOLDER=DIR cargo test -p tsumugi-eval --test nnue_values networks -- --ignored"]
fn write_networks_for_the_reference() {
    let folder = std::env::var("NNUE_FOLDER").expect("NNUE_FOLDER names the folder to write to");
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/nnue")).unwrap()
    {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let head: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let shape: Architecture = head["shape"].as_str().unwrap().parse().unwrap();
        let mut file = Vec::new();
        Parameters::random(&shape, head["seed"].as_u64().unwrap()).write(&mut file).unwrap();
        std::fs::write(Path::new(&folder).join(path.file_stem().unwrap()), file).unwrap();
    }
}

/// Writes `sfen<TAB>value` of 10,000 positions for `nnue_reference.py compare`.
#[test]
#[ignore = "by hand: NNUE_VALUES=FILE cargo test -p tsumugi-eval --test nnue_values -- --ignored"]
fn write_values_for_the_reference() {
    let Some(loaded) = support::suisho_petite() else { return };
    let path = std::env::var("NNUE_VALUES").expect("NNUE_VALUES names the file to write");
    let mut text = String::new();
    for position in support::positions(2026, 10_000, 120) {
        let value = scale(loaded.parameters.evaluate(&position), 24);
        writeln!(text, "{}\t{value}", position.sfen()).unwrap();
    }
    std::fs::write(path, text).unwrap();
}
