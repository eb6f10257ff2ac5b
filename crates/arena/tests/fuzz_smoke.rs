//! A short run of the fuzz target's own function (`fuzz/src/arena.rs`) over its seeds and mutations of them.

#[path = "../../../fuzz/src/arena.rs"]
mod entry;

use proptest::prelude::*;
use std::fs;

fn seeds() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/arena");
    fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect()
}

#[test]
fn the_seeds() {
    let seeds = seeds();
    assert!(seeds.len() >= 6);
    for seed in &seeds {
        entry::arena(seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Seeds with a piece replaced by a piece of another seed or by chance.
    #[test]
    fn mutations(
        first in prop::sample::select(seeds()),
        second in prop::sample::select(seeds()),
        cuts in prop::array::uniform4(any::<prop::sample::Index>()),
        noise in prop::collection::vec(any::<u8>(), 0..6),
    ) {
        let at = cuts.map(|cut| cut.index(first.len().min(second.len()).max(1)));
        let mut data = first[..at[0].min(first.len())].to_vec();
        data.extend_from_slice(&noise);
        data.extend_from_slice(&second[at[1].min(second.len())..]);
        entry::arena(&data);
    }
}
