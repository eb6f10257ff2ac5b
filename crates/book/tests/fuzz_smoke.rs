//! A short run of the fuzz targets' own functions (`fuzz/src/book.rs`) over their seeds and changes of them.

#[path = "../../../fuzz/src/book.rs"]
mod entry;

use book::{BookMove, Entries, Entry, SortLimits, write_apery, write_ybb};
use proptest::prelude::*;
use shogi::Position;
use std::path::Path;
use std::sync::LazyLock;

type Target = fn(&[u8]);

/// Every target with its seeds; of the binary formats whatever we write ourselves.
static SEEDS: LazyLock<Vec<(Target, Vec<u8>)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let targets: [(&str, Target); 5] = [
        ("book_convert", entry::book_convert),
        ("book_db", entry::book_db),
        ("book_ybb", entry::book_ybb),
        ("book_apery", entry::book_apery),
        ("book_sbk", entry::book_sbk),
    ];
    let mut seeds: Vec<(Target, Vec<u8>)> = Vec::new();
    for (name, target) in targets {
        for file in std::fs::read_dir(folder.join(name)).expect(name) {
            seeds.push((target, std::fs::read(file.expect("an entry").path()).expect("a seed")));
        }
    }
    let start = Entry::of(&Position::startpos(), vec![BookMove::new("7g7f".parse().unwrap())]);
    let scratch = tempfile::tempdir().unwrap();
    let (ybb, bin) = (scratch.path().join("a.ybb"), scratch.path().join("a.bin"));
    write_ybb(&ybb, &mut Entries::new([start.clone()]), SortLimits::default()).unwrap();
    write_apery(&bin, &mut Entries::new([start]), SortLimits::default()).unwrap();
    seeds.push((entry::book_ybb, std::fs::read(ybb).unwrap()));
    seeds.push((entry::book_apery, std::fs::read(bin).unwrap()));
    seeds
});

#[test]
fn seeds() {
    assert!(SEEDS.len() >= 6);
    for (target, data) in SEEDS.iter() {
        target(data);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn changed_seeds(
        seed in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..6),
    ) {
        let (target, data) = seed.get(&SEEDS);
        let mut data = data.clone();
        for (at, byte, how) in changes {
            if data.is_empty() {
                break;
            }
            let at = at.index(data.len());
            match how {
                0 => data[at] = byte,
                1 => data.truncate(at),
                _ => data.insert(at, byte),
            }
        }
        target(&data);
    }
}
