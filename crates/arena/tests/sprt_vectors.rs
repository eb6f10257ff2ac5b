//! The statistics against numbers that other programs computed (`testdata/sprt`).

use arena::stats::{EloModel, Pentanomial, llr};
use serde_json::Value;

/// Relative, or absolute for numbers below 1.
fn agree(ours: f64, theirs: f64) -> bool {
    (ours - theirs).abs() <= 1e-6 * theirs.abs().max(1.0)
}

#[test]
fn all_vectors() {
    let text = include_str!("../../../testdata/sprt/vectors.jsonl");
    let mut count = 0;
    for line in text.lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        let number = |name: &str| vector[name].as_f64().unwrap();
        let counts: Vec<u64> =
            vector["penta"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).collect();
        let pairs = Pentanomial(counts.try_into().unwrap());
        let ratio = |model| llr(&pairs, model, number("elo0"), number("elo1"));
        let elo = pairs.elo();
        for (name, ours) in
            [("llr_logistic", ratio(EloModel::Logistic)), ("llr_normalized", ratio(EloModel::Normalized))]
        {
            assert!(agree(ours, number(name)), "{name}: {ours}, expected {} for {line}", number(name));
        }
        // There a case that never occurred counts as 0.001 pairs.
        assert!((elo.value - number("elo")).abs() < 0.1, "{} for {line}", elo.value);
        // Those are normal approximations: ours must come to the same for many pairs that differ.
        let drawn = pairs.0[2] == pairs.pairs();
        if pairs.pairs() >= 100 && !drawn {
            let near = if pairs.pairs() >= 1000 { 0.002 } else { 0.01 };
            let (ours, theirs) = (elo.error(), number("elo95"));
            assert!((ours - theirs).abs() < near * theirs, "elo95 {ours}, expected {theirs} for {line}");
            assert!((pairs.los() - number("los")).abs() < 0.002, "los {} for {line}", pairs.los());
        }
        count += 1;
    }
    assert_eq!(count, 60);
}
