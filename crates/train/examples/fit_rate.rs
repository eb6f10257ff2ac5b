//! How many positions a second networks of some shapes learn from, for BENCHMARKS.md.
//!
//!     cargo run --release -p tsumugi-train --example fit_rate -- [THREADS [SHAPE...]]

use shogi::{Color, GameResult, PackedSfen, PackedSfenValue, Position};
use std::time::{Duration, Instant};
use train::corpus::Corpus;
use train::fit::{FloatNet, Samples, Settings, Trainer, parse_shape, random_positions};
use train::tensors::Filter;

const SHAPES: [&str; 6] = [
    "mirrored-128-15-32-k3k3",
    "mirrored-256-15-32-k3k3",
    "mirrored-512-15-32-k3k3",
    "zones9-256-15-32-k3k3",
    "halfkahm2-256-15-32-k3k3",
    "halfkp-256x2-32-32",
];
const POSITIONS: usize = 200_000;
const PART: usize = 2000;
const LONG_ENOUGH: Duration = Duration::from_secs(6);

fn record(position: &Position) -> PackedSfenValue {
    let material = position.material();
    let score = if position.side() == Color::Black { material } else { -material };
    PackedSfenValue {
        position: PackedSfen::try_from(position).expect("positions of games fit"),
        score: score.clamp(-2000, 2000) as i16,
        move_bits: 0,
        ply: position.ply() as u16,
        result: if score > 0 { GameResult::Win } else { GameResult::Loss },
        padding: 0,
    }
}

/// Seconds that the processors have worked for this program.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let threads: usize = arguments.next().map_or(Ok(1), |threads| threads.parse())?;
    let named: Vec<String> = arguments.collect();
    let shapes = if named.is_empty() { SHAPES.map(str::to_owned).to_vec() } else { named };
    // In parts, because positions with all that moves need to know are large.
    let records: Vec<_> = (0..POSITIONS / PART)
        .flat_map(|part| random_positions(PART, part as u64))
        .map(|position| record(&position))
        .collect();
    let corpus = Corpus { games: (0..records.len()).step_by(120).collect(), records };
    let filter = Filter { score_limit: u16::MAX, first_ply: 0, skip_checks: false, skip_noisy: false };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    println!("{threads} threads");
    for name in shapes {
        let shape = parse_shape(&name)?;
        let start = Instant::now();
        let (samples, _) = Samples::split(&corpus, &shape, filter, 0)?;
        let ready = start.elapsed().as_secs_f64();
        let settings = Settings { epochs: 1000, ..Settings::new(&shape, 600.0) };
        let net = FloatNet::random(&shape, 1)?;
        pool.install(|| -> Result<(), train::fit::TrainerError> {
            let mut trainer = Trainer::new(settings, &samples, net)?;
            trainer.learn_batch();
            let (start, worked) = (Instant::now(), processor_seconds());
            let mut learned = 0;
            while start.elapsed() < LONG_ENOUGH {
                learned += trainer.learn_batch();
            }
            let wall = learned as f64 / start.elapsed().as_secs_f64() / 1000.0;
            let worked = worked.zip(processor_seconds()).map(|(before, after)| after - before);
            let rate = worked.map_or(f64::NAN, |worked| learned as f64 / worked / 1000.0);
            let made = POSITIONS as f64 / ready / 1000.0;
            println!("{name}: {rate:.0} k a processor second, {wall:.0} k a second; made ready {made:.0} k a second");
            Ok(())
        })?;
    }
    Ok(())
}
