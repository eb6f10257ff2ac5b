//! A short run of the fuzz target's own function (`fuzz/src/certificate.rs`) over its seeds and changes of them.

#[path = "../../../fuzz/src/certificate.rs"]
mod entry;

use proptest::prelude::*;
use std::fs;

fn seeds() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/certificate");
    fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect()
}

#[test]
fn the_seeds_are_proofs() {
    let seeds = seeds();
    assert!(seeds.len() >= 2);
    for seed in &seeds {
        entry::certificate(seed);
        proof::check(seed).unwrap();
    }
}

proptest! {
    /// One byte is another: it is refused, or what it proves is still true.
    #[test]
    fn changed_bytes(
        seed in prop::sample::select(seeds()),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut data = seed.clone();
        let at = at.index(data.len());
        data[at] = byte;
        entry::certificate(&data);
        entry::certificate(&data[..cut.index(data.len())]);
    }
}
