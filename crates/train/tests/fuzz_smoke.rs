//! Short runs of the fuzz targets' own functions (`fuzz/src/`) over their seeds and changes of them.

#[path = "../../../fuzz/src/float_net.rs"]
mod float_net;
#[path = "../../../fuzz/src/training_data.rs"]
mod training_data;

use platform::Random;
use std::fs;

/// Tries each seed, cut and with some of its first bytes changed, where what is read says how to go on.
fn try_changed(target: &str, rounds: usize, entry: fn(&[u8])) {
    let folder = format!("{}/../../fuzz/seeds/{target}", env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut random = Random::new(5);
    for path in paths {
        let seed = fs::read(path).unwrap();
        entry(&seed);
        for _ in 0..rounds {
            let mut changed = seed.clone();
            for _ in 0..=random.below(3) {
                let place = random.below(changed.len().min(200));
                changed[place] = random.next() as u8;
            }
            entry(&changed[..random.below(changed.len() + 1)]);
            entry(&changed);
        }
    }
}

#[test]
fn float_nets() {
    let seed = |name: &str| {
        fs::read(format!("{}/../../fuzz/seeds/float_net/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    };
    for name in ["classic", "stacked"] {
        let seed = seed(name);
        assert!(train::fit::FloatNet::read(&seed[..], seed.len() as u64).is_ok(), "{name}");
    }
    try_changed("float_net", 60, float_net::float_net);
}

#[test]
fn training_data_of_all_kinds() {
    try_changed("training_data", 300, training_data::training_data);
}
