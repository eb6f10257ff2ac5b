//! A short run of the fuzz targets' own function (`fuzz/src/record.rs`) over their seeds and changes of them.

#[path = "../../../fuzz/src/record.rs"]
mod entry;

use proptest::prelude::*;
use record::Format;
use std::path::Path;
use std::sync::LazyLock;

/// Every target with its seeds.
static SEEDS: LazyLock<Vec<(Option<Format>, Vec<u8>)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let formats = Format::ALL.into_iter().filter(|format| *format != Format::Csa3);
    let targets = formats
        .map(|f| (Some(f), format!("record_{f}")))
        .chain(["record_any", "record_freeze"].map(|target| (None, target.to_owned())));
    let mut seeds = Vec::new();
    for (format, target) in targets {
        for entry in std::fs::read_dir(folder.join(&target)).expect(&target) {
            seeds.push((format, std::fs::read(entry.expect("an entry").path()).expect("a seed")));
        }
    }
    seeds
});

#[test]
fn seeds() {
    for (format, data) in SEEDS.iter() {
        entry::record(*format, data);
    }
}

/// Something done to some bytes.
#[derive(Clone, Debug)]
enum Change {
    Cut(prop::sample::Index),
    Insert(prop::sample::Index, u8),
    Flip(prop::sample::Index, u8),
    /// Copies a stretch to another place.
    Copy(prop::sample::Index, prop::sample::Index, usize),
    Remove(prop::sample::Index, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        at().prop_map(Change::Cut),
        (at(), any::<u8>()).prop_map(|(i, b)| Change::Insert(i, b)),
        (at(), 0..8u8).prop_map(|(i, b)| Change::Flip(i, b)),
        (at(), at(), 1..40usize).prop_map(|(a, b, n)| Change::Copy(a, b, n)),
        (at(), 1..20usize).prop_map(|(i, n)| Change::Remove(i, n)),
    ]
}

fn apply(data: &mut Vec<u8>, change: &Change) {
    if data.is_empty() {
        return;
    }
    let len = data.len();
    match change {
        Change::Cut(at) => data.truncate(at.index(len)),
        Change::Insert(at, byte) => data.insert(at.index(len), *byte),
        Change::Flip(at, bit) => data[at.index(len)] ^= 1 << bit,
        Change::Copy(from, to, n) => {
            let from = from.index(len);
            let part = data[from..(from + n).min(len)].to_vec();
            let to = to.index(len);
            data.splice(to..to, part);
        }
        Change::Remove(at, n) => {
            let at = at.index(len);
            data.drain(at..(at + n).min(len));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn changed_seeds(seed in any::<prop::sample::Index>(), changes in prop::collection::vec(change(), 1..6)) {
        let (format, mut data) = SEEDS[seed.index(SEEDS.len())].clone();
        for change in &changes {
            apply(&mut data, change);
        }
        entry::record(format, &data);
    }

    #[test]
    fn any_bytes(data in prop::collection::vec(any::<u8>(), 0..120)) {
        for format in Format::ALL.into_iter().map(Some).chain([None]) {
            entry::record(format, &data);
        }
    }
}
