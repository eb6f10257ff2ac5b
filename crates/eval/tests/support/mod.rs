//! Positions and networks for tests.
#![allow(dead_code, reason = "each test uses its part")]

use eval::nnue::{
    Architecture, Features, HandBuckets, KingBuckets, KingZones, Loaded, Model, Parameters, Shards, Stacks,
};
use shogi::Position;
use std::io::Write;
use std::path::Path;

/// Starts that lead to different kinds of play: even, handicap, crowded hands, entering kings, tsume, pieces
/// too many, a king missing.
pub const STARTS: [&str; 9] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsg1gsnl/4k4/ppppppppp/9/9/9/PPPPPPPPP/4K4/LNSG1GSNL b RBrb 1",
    "9/9/4k4/9/4S4/9/9/9/9 b R2GS3NL8P 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 1",
    "4k4/9/9/9/9/9/9/4r4/4K4 b RB4GS4N4L19P 1",
    "4+P1K1+S/2G6/1+R7/9/9/9/1p2k+b3/9/9 b G2P4l9pr 1",
];

/// Pseudo-random numbers, the same every time.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ z >> 31) % limit as u64) as usize
    }
}

/// Positions of random games from the starts, up to `plies` moves each.
pub fn positions(seed: u64, count: usize, plies: usize) -> Vec<Position> {
    let mut random = Random(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Position::from_sfen(STARTS[random.below(STARTS.len())]).expect("a valid SFEN");
        for _ in 0..random.below(plies) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[random.below(moves.len())]);
            positions.push(position.clone());
        }
    }
    positions.truncate(count);
    positions
}

/// Small networks of every kind of shape.
pub fn small_shapes() -> Vec<Architecture> {
    let mut shapes: Vec<_> = Features::ALL
        .into_iter()
        .map(|features| {
            let width = if features == Features::HalfKpE9 { 8 } else { 16 };
            Architecture::classic(features, width, 8, 16)
        })
        .collect();
    let stacked = |features, width, hidden1, hands, kings, progress, shards| {
        let model = Model::Stacked(Stacks { hands, kings, progress, shards });
        Architecture { features, width, hidden1, hidden2: 8, model }
    };
    shapes.push(Architecture::stacked(Features::HalfKaHm2, 32, 15, 32));
    shapes.push(Architecture::stacked(Features::MIRRORED, 64, 15, 32));
    shapes.push(Architecture::stacked(Features::HalfKaHm2Zones(KingZones::NINE), 32, 15, 32));
    shapes.push(Architecture::classic(Features::MIRRORED, 16, 8, 16));
    shapes.push(Architecture::classic(Features::HalfKaHm2Zones(KingZones::NINE.upright()), 48, 16, 32));
    shapes.push(stacked(Features::HalfKa2, 16, 8, HandBuckets::Hand64, KingBuckets::K9K9, 1, None));
    let shards = Some(Shards { common: 64, shard: 64, groups: 8 });
    shapes.push(stacked(Features::Ka2, 576, 7, HandBuckets::None, KingBuckets::K3K3, 8, shards));
    shapes.push(stacked(Features::Kp, 66, 23, HandBuckets::Hand64Z, KingBuckets::None, 1, None));
    shapes
}

/// The folder of the public K-P network, beside the repository.
pub const SUISHO_PETITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/nets/suisho_petite");

/// The public K-P network, if it is on this machine.
pub fn suisho_petite() -> Option<Loaded> {
    let path = Path::new(SUISHO_PETITE).join("nn.bin");
    let Ok(file) = std::fs::read(&path) else {
        let shared = Path::new(SUISHO_PETITE).ancestors().nth(2).expect("a folder above nets");
        assert!(!shared.is_dir(), "{} is there, but not {}", shared.display(), path.display());
        // Not `eprintln!`: the harness hides what passing tests print.
        let _ = writeln!(std::io::stderr(), "skipped: {} is absent", path.display());
        return None;
    };
    Some(Parameters::read(&file[..], file.len() as u64).expect("a valid network"))
}
