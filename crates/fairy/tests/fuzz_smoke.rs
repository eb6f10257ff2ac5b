//! A short run of the fuzz targets' own functions (`fuzz/src/variants.rs`, `fuzz/src/variant_positions.rs`) over their
//! seeds and mutations of them.

#[path = "../../../fuzz/src/variants.rs"]
mod entry;
#[path = "../../../fuzz/src/variant_positions.rs"]
mod positions;

use proptest::prelude::*;
use std::fs;

fn seeds() -> Vec<Vec<u8>> {
    seeds_of("variants")
}

fn seeds_of(target: &str) -> Vec<Vec<u8>> {
    let folder = format!("{}/../../fuzz/seeds/{target}", env!("CARGO_MANIFEST_DIR"));
    fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect()
}

#[test]
fn the_seeds() {
    let seeds = seeds();
    assert!(seeds.len() >= 3);
    for seed in &seeds {
        entry::variants(seed);
    }
}

#[test]
fn the_seeds_of_positions() {
    let seeds = seeds_of("variant_positions");
    assert!(seeds.len() >= 7);
    for seed in &seeds {
        positions::variant_positions(seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_seeds(seed in prop::sample::select(seeds()), at in any::<prop::sample::Index>(), with in any::<u8>(), cut in any::<bool>()) {
        let mut data = seed;
        let at = at.index(data.len());
        if cut {
            data.truncate(at);
            data.push(with);
        } else {
            data[at] = with;
        }
        entry::variants(&data);
    }

    #[test]
    fn values_of_other_keys(seed in prop::sample::select(seeds()), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        let text = String::from_utf8(seed).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let value = lines[from.index(lines.len())].split_once('=').map(|(_, value)| value.to_owned());
        let to = to.index(lines.len());
        if let (Some(value), Some((key, _))) = (value, lines[to].clone().split_once('=')) {
            lines[to] = format!("{key}={value}");
        }
        entry::variants(lines.join("\n").as_bytes());
    }

    #[test]
    fn mutated_positions(seed in prop::sample::select(seeds_of("variant_positions")), at in any::<prop::sample::Index>(), with in any::<u8>(), cut in any::<bool>()) {
        let mut data = seed;
        let at = at.index(data.len());
        if cut {
            data.remove(at);
        } else {
            data[at] = with;
        }
        positions::variant_positions(&data);
    }

    #[test]
    fn any_bytes(data in prop::collection::vec(any::<u8>(), 0..200)) {
        entry::variants(&data);
    }
}
