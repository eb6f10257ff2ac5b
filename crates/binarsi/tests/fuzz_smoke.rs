//! A short run of the fuzz target's own function (`fuzz/src/binarsi.rs`) over its seeds and mutations of them.

#[path = "../../../fuzz/src/binarsi.rs"]
mod entry;

use proptest::prelude::*;
use std::fs;

fn seeds() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/binarsi");
    fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect()
}

#[test]
fn the_seeds() {
    let seeds = seeds();
    assert!(seeds.len() >= 10);
    for seed in &seeds {
        entry::binarsi(seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Seeds with a piece replaced by a piece of another seed or by chance.
    #[test]
    fn mutations(
        first in prop::sample::select(seeds()),
        second in prop::sample::select(seeds()),
        cuts in prop::array::uniform2(any::<prop::sample::Index>()),
        noise in prop::collection::vec(any::<u8>(), 0..6),
    ) {
        let mut data = first[..cuts[0].index(first.len())].to_vec();
        data.extend_from_slice(&noise);
        data.extend_from_slice(&second[cuts[1].index(second.len())..]);
        entry::binarsi(&data);
    }
}
