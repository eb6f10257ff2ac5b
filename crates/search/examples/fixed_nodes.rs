//! Searches three positions, or those of a file, for so many nodes each, and tells the seconds it took: a small program for profilers, quicker to build than the engine.
//!
//! `[FV_SCALE=16] cargo run --release -p tsumugi-search --example fixed_nodes -- EVAL_DIR [NODES [FILE_OF_SFENS]]`

use eval::{Evaluator, LoadOptions};
use search::{Searcher, Settings, Task, Unlimited};
use shogi::Position;
use std::error::Error;
use std::time::Instant;

/// The start, and two middle games (those of `tools/kernel_speed.py`).
const POSITIONS: [&str; 3] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "1+P3g1ns/4g1k2/l1pp1p1pp/4p1p2/5P3/4S2+B1/P3PGPPP/2+s3SK1/L+r5NL b G2NLPrb3p 71",
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().ok_or("a folder with an evaluation is needed, or <material>")?;
    let nodes = arguments.get(1).map_or(Ok(40_000), |text| text.parse())?;
    let positions = match arguments.get(2) {
        Some(file) => std::fs::read_to_string(file)?.lines().map(str::to_owned).collect(),
        None => POSITIONS.map(str::to_owned).to_vec(),
    };
    let fv_scale = std::env::var("FV_SCALE").map_or(Ok(24), |text| text.parse())?;
    let options = LoadOptions { fv_scale, ..LoadOptions::default() };
    let (evaluator, _) = Evaluator::load(folder.as_ref(), options)?.ok_or("there is no evaluation")?;
    let mut searcher = Searcher::new(evaluator, 16)?;
    let settings = Settings::default();
    searcher.get_ready(1);
    let start = Instant::now();
    for sfen in positions {
        let task = Task { nodes: Some(nodes), ..Task::new(Position::from_sfen(&sfen)?) };
        let mut last = String::new();
        searcher.think(&task, &settings, &Unlimited, |report| {
            let line = &report.lines[0];
            let moves: Vec<String> = line.moves.iter().map(ToString::to_string).collect();
            last =
                format!("depth {} nodes {} {:?} {}", report.depth, report.nodes, line.value, moves.join(" "));
        });
        println!("{last}");
    }
    println!("{:.3} s", start.elapsed().as_secs_f64());
    Ok(())
}
