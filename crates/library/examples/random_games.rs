//! Writes games of random legal moves behind the openings of a list: `cargo run --example random_games -- OPENINGS.sfen COUNT > OUT.usi`.
//!
//! They are 60 to 160 moves long, 110 on average.

use platform::Random;
use shogi::{Move, Position};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = || io::Error::other("random_games OPENINGS.sfen COUNT");
    let openings = std::fs::read_to_string(arguments.next().ok_or_else(usage)?)?;
    let count: u64 = arguments.next().and_then(|count| count.parse().ok()).ok_or_else(usage)?;
    let openings: Vec<Vec<Move>> = openings
        .lines()
        .map(|line| line.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect())
        .collect();
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut random = Random::new(31);
    let mut line = String::new();
    for _ in 0..count {
        let opening = &openings[(random.next() % openings.len() as u64) as usize];
        let length = 60 + random.next() % 101;
        let mut position = Position::startpos();
        line.clear();
        line.push_str("startpos moves");
        for ply in 0..length {
            let m = if let Some(m) = opening.get(ply as usize) {
                *m
            } else {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                moves[(random.next() % moves.len() as u64) as usize]
            };
            // Writing to a string cannot fail.
            let _ = write!(line, " {m}");
            position.do_move(m);
        }
        line.push_str([" resign", " rep_draw", ""][(random.next() % 8).saturating_sub(5) as usize]);
        writeln!(out, "{line}")?;
    }
    out.flush()
}
