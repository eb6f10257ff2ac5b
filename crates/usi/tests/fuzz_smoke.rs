//! A short run of the fuzz targets' own functions (`fuzz/src`) over their seeds and mutations of them.

#[path = "../../../fuzz/src/lib.rs"]
mod entry;

use platform::Random;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = format!("{}/../../fuzz/seeds/{target}", env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> =
        fs::read_dir(&folder).expect(&folder).map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Changes a seed in one of the ways a fuzzer does.
fn mutate(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut data = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(3) {
        let at = random.below(data.len());
        match random.below(6) {
            0 => data.truncate(at),
            1 => data.insert(at, random.next() as u8),
            2 if !data.is_empty() => drop(data.remove(at)),
            3 if !data.is_empty() => data[at] ^= 1 << random.below(8),
            // Another seed's beginning or end.
            4 => {
                let other = &seeds[random.below(seeds.len())];
                data.truncate(at);
                data.extend_from_slice(&other[random.below(other.len())..]);
            }
            // A byte of another place, so that letters and digits meet.
            _ if !data.is_empty() => data[at] = data[random.below(data.len())],
            _ => {}
        }
    }
    data
}

fn smoke(target: &str, entry: fn(&[u8]), mutations: u64) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "no seeds for {target}");
    let check = |data: &[u8]| {
        let done = catch_unwind(AssertUnwindSafe(|| entry(data)));
        assert!(done.is_ok(), "{target} fails on b\"{}\"", data.escape_ascii());
    };
    for seed in &seeds {
        check(seed);
    }
    for round in 0..mutations {
        let mut random = Random::new(round);
        check(&mutate(&seeds, &mut random));
        let length = random.below(80);
        check(&(0..length).map(|_| random.next() as u8).collect::<Vec<_>>());
    }
}

#[test]
fn sfen() {
    smoke("sfen", entry::sfen, 4_000);
}

#[test]
fn console() {
    smoke("console", entry::console, 4_000);
}

#[test]
fn game() {
    smoke("game", entry::game, 1_500);
}

#[test]
fn network() {
    smoke("network", entry::network, 1_000);
}

#[test]
fn kppt() {
    smoke("kppt", entry::kppt, 150);
}
