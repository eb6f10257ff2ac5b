//! Games for property tests (proptest chooses the start and the moves, and shrinks both) and test data.
#![allow(dead_code, reason = "each test uses its part")]

use proptest::collection::vec;
use proptest::prelude::*;
use shogi::{Handicap, Position};

/// Starts that lead to different kinds of play: even, handicap, crowded hands, entering kings, tsume.
pub const STARTS: [&str; 14] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "4+P1K1+S/2G6/1+R7/9/9/9/1p2k+b3/9/9 b G2P4l9pr 1",
    "lnsg1gsnl/4k4/ppppppppp/9/9/9/PPPPPPPPP/4K4/LNSG1GSNL b RBrb 1",
    "9/9/4k4/9/4S4/9/9/9/9 b R2GS3NL8P 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 1",
    // Diagrams that break the rules: dead pawn, two pawns on a file, opponent in check, pieces too many.
    "7Pk/6R2/9/9/9/9/9/9/4K4 b G 1",
    "4k4/P8/P8/9/9/9/9/9/4K4 b 2Rb 1",
    "k8/G8/9/9/9/9/9/9/9 b G2r2b4g4s4n4l18p 1",
    "4K4/2sP1Ps2/9/4r4/9/9/9/9/4k4 w 3p 1",
    "4k4/3RGB3/9/4N4/9/9/9/9/4K4 b GS2P 1",
    "S8/KkS5S/8B/9/9/9/9/9/1L1L1L3 b RBGSNLP 1",
    "4k4/9/9/9/9/9/9/4r4/4K4 b RB4GS4N4L19P 999990",
];

/// A position reached by up to `plies` moves from one of the starts.
pub fn positions(plies: usize) -> impl Strategy<Value = Position> {
    (starts(), vec(any::<u16>(), 0..plies)).prop_map(|(start, choices)| {
        let mut position = start;
        walk(&mut position, &choices, |_, _| ());
        position
    })
}

/// One of the starts or a handicap.
pub fn starts() -> impl Strategy<Value = Position> {
    let fixed = STARTS.iter().map(|sfen| Position::from_sfen(sfen).expect("a valid SFEN"));
    let handicaps = Handicap::ALL.into_iter().map(Position::handicap);
    prop::sample::select(fixed.chain(handicaps).collect::<Vec<_>>())
}

/// Plays the chosen moves until the choices or the legal moves run out; `visit` sees the position before each.
pub fn walk(position: &mut Position, choices: &[u16], mut visit: impl FnMut(&mut Position, shogi::Move)) {
    for choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let m = moves[usize::from(*choice) % moves.len()];
        visit(position, m);
        position.do_move(m);
    }
}

/// The text of a file under `testdata/`.
pub fn testdata(name: &str) -> String {
    let path = format!("{}/../../testdata/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The objects of a JSON-lines file under `testdata/`.
pub fn json_lines(name: &str) -> Vec<serde_json::Value> {
    testdata(name).lines().map(|line| serde_json::from_str(line).expect("valid JSON")).collect()
}
