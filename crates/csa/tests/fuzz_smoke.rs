//! A short run of the fuzz targets' own functions (`fuzz/src/csa.rs`) over their seeds and mutations of them.

#[path = "../../../fuzz/src/csa.rs"]
mod entry;

use proptest::prelude::*;
use std::fs;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = format!("{}/../../fuzz/seeds/{target}", env!("CARGO_MANIFEST_DIR"));
    fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect()
}

#[test]
fn the_seeds() {
    assert!(seeds("csa_server").len() >= 5 && seeds("csa_client").len() >= 4);
    for seed in seeds("csa_server") {
        entry::csa_server(&seed);
    }
    for seed in seeds("csa_client") {
        entry::csa_client(&seed);
    }
}

/// A seed with a piece replaced by a piece of another seed or by chance.
fn mutations(target: &str) -> impl Strategy<Value = Vec<u8>> {
    let seed = prop::sample::select(seeds(target));
    let cuts = prop::array::uniform3(any::<prop::sample::Index>());
    let noise = prop::collection::vec(any::<u8>(), 0..6);
    (seed.clone(), seed, cuts, noise).prop_map(|(first, second, cuts, noise)| {
        let [from, to] = [cuts[0].index(first.len()), cuts[1].index(first.len())];
        let piece = &second[cuts[2].index(second.len())..];
        [&first[..from], &noise[..], &piece[..piece.len().min(40)], &first[to..]].concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn what_servers_say(data in mutations("csa_server")) {
        entry::csa_server(&data);
    }

    #[test]
    fn what_clients_say(data in mutations("csa_client")) {
        entry::csa_client(&data);
    }
}
