//! Values from scratch against those of an independent program, `tools/nnue_reference.py`.

use eval::nnue::{Architecture, Parameters};
use serde_json::Value;
use shogi::Position;
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
