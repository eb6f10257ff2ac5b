//! A short run of the fuzz target's own function (`fuzz/src/freeze.rs`) over its seeds and changes of them.

#[path = "../../../fuzz/src/freeze.rs"]
mod entry;

use proptest::prelude::*;
use std::sync::LazyLock;

static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = format!("{}/../../fuzz/seeds/freeze", env!("CARGO_MANIFEST_DIR"));
    let paths =
        std::fs::read_dir(&folder).expect("there are seeds").map(|entry| entry.expect("an entry").path());
    paths.map(|path| std::fs::read(path).expect("a seed")).collect()
});

#[test]
fn seeds() {
    assert!(!SEEDS.is_empty());
    SEEDS.iter().for_each(|seed| entry::freeze(seed));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn changed_seeds(
        seed in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 0..6),
    ) {
        let mut data = seed.get(&SEEDS[..]).clone();
        for (at, byte, kind) in changes {
            if data.is_empty() {
                break;
            }
            let at = at.index(data.len());
            match kind {
                0 => data[at] = byte,
                1 => data.insert(at, byte % 128),
                _ => drop(data.remove(at)),
            }
        }
        entry::freeze(&data);
    }
}
