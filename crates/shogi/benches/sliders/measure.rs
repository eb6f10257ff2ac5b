//! Timing.

use crate::board::samples;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Nanoseconds per call.
pub struct Times {
    pub hot: f64,
    pub chained: f64,
    pub cold: f64,
}

/// Few enough to stay in the nearest cache together with small tables.
const SAMPLES: usize = 512;
const ROUNDS: usize = 60;
const REPEATS: usize = 40;
const COLD_CALLS: usize = 8;
const COLD_BATCHES: usize = 600;
const EVICTING_BYTES: usize = 8 << 20;

pub fn measure(attacks: impl Fn(usize, u128) -> u128 + Copy) -> Times {
    let attacks = move |square: usize, occupied| {
        // SAFETY: samples have squares below 81. Engines know it from the type, so no candidate pays for it.
        unsafe { std::hint::assert_unchecked(square < 81) };
        attacks(square, occupied)
    };
    let samples = samples(SAMPLES, 0x1234_5678_9abc);
    Times { hot: hot(attacks, &samples), chained: chained(attacks, &samples), cold: cold(attacks) }
}

/// The machine has other things to do, too: the best round is the truest.
fn best(calls: usize, mut round: impl FnMut()) -> f64 {
    let mut time = || {
        let start = Instant::now();
        round();
        start.elapsed()
    };
    let best = (0..ROUNDS).map(|_| time()).min().unwrap_or_default();
    best.as_nanos() as f64 / calls as f64
}

fn hot(attacks: impl Fn(usize, u128) -> u128, samples: &[(usize, u128)]) -> f64 {
    best(REPEATS * samples.len(), || {
        for _ in 0..REPEATS {
            let sum = |sum: u128, (square, occupied): &(usize, u128)| sum ^ attacks(*square, *occupied);
            black_box(black_box(samples).iter().fold(0, sum));
        }
    })
}

fn chained(attacks: impl Fn(usize, u128) -> u128, samples: &[(usize, u128)]) -> f64 {
    // Nothing of the last result is used, but only the compiler's blindfold knows.
    let none = black_box(0u128);
    best(REPEATS * samples.len(), || {
        let mut last = 0;
        for _ in 0..REPEATS {
            for (square, occupied) in samples {
                last = attacks(*square, *occupied ^ last & none);
            }
        }
        black_box(last);
    })
}

fn cold(attacks: impl Fn(usize, u128) -> u128) -> f64 {
    let mut other_data = vec![1u64; EVICTING_BYTES / 8];
    let samples = samples(COLD_CALLS * COLD_BATCHES, 0xc01d);
    let mut batch_time = |calls: bool, batch: &[(usize, u128)]| -> Duration {
        for line in other_data.chunks_mut(8) {
            line[0] = line[0].wrapping_add(1);
        }
        black_box(&other_data);
        // The arguments themselves are at hand.
        let batch: [(usize, u128); COLD_CALLS] = black_box(batch.try_into().expect("a whole batch"));
        let start = Instant::now();
        let sum = batch.iter().fold(0, |sum, (square, occupied)| {
            sum ^ if calls { attacks(*square, *occupied) } else { *occupied }
        });
        black_box(sum);
        start.elapsed()
    };
    // The mean of the middle half: a median alone would show the steps of the clock.
    let mut typical = |calls| {
        let mut times: Vec<Duration> =
            samples.chunks_exact(COLD_CALLS).map(|batch| batch_time(calls, batch)).collect();
        times.sort_unstable();
        let middle = &times[times.len() / 4..times.len() * 3 / 4];
        middle.iter().sum::<Duration>().as_nanos() as f64 / middle.len() as f64
    };
    // What the clock itself takes is in both.
    (typical(true) - typical(false)) / COLD_CALLS as f64
}
