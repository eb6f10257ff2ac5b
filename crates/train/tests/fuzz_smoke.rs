//! A short run of the fuzz target's own function (`fuzz/src/float_net.rs`) over its seeds and changes of them.

#[path = "../../../fuzz/src/float_net.rs"]
mod entry;

use proptest::prelude::*;
use std::fs;

fn seeds() -> Vec<Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/float_net");
    fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect()
}

#[test]
fn the_seeds_are_networks() {
    let seeds = seeds();
    assert_eq!(seeds.len(), 3);
    let is_net = |seed: &&Vec<u8>| train::fit::FloatNet::read(&seed[..], seed.len() as u64).is_ok();
    assert_eq!(seeds.iter().filter(is_net).count(), 2);
    for seed in &seeds {
        entry::float_net(seed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A byte of the first line is another, or the file is cut.
    #[test]
    fn changed_bytes(
        seed in prop::sample::select(seeds()),
        at in 0..200_usize,
        byte in any::<u8>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut data = seed.clone();
        let at = at % data.len();
        data[at] = byte;
        entry::float_net(&data);
        entry::float_net(&data[..cut.index(data.len())]);
    }
}
