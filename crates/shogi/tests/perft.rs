//! Counts agreed by several independent programs (`testdata/perft/shogi.json`).

mod support;

use serde_json::Value;
use shogi::Position;

/// What plain tests walk; the rest takes minutes and is run by hand.
const QUICK: u64 = 2_000_000;

fn check(range: std::ops::Range<u64>) {
    let data: Value = serde_json::from_str(&support::testdata("perft/shogi.json")).expect("valid JSON");
    let mut checked = 0;
    for (name, entry) in data["positions"].as_object().expect("positions") {
        let mut position = Position::from_sfen(entry["sfen"].as_str().expect("sfen")).expect("valid SFEN");
        for (depth, count) in entry["perft"].as_object().expect("counts") {
            let count = count.as_u64().expect("a number");
            if range.contains(&count) {
                let depth = depth.parse().expect("a number");
                assert_eq!(game::perft(&mut position, depth), count, "{name} depth {depth}");
                checked += 1;
            }
        }
    }
    assert!(checked > 0, "nothing in {range:?}");
}

#[test]
fn shallow_counts() {
    check(0..QUICK);
}

#[test]
#[ignore = "takes minutes; run with --release"]
fn deep_counts() {
    check(QUICK..u64::MAX);
}
