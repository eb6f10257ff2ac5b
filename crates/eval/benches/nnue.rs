//! Evaluations per second: after each of a position's moves (`incremental`), and after
//! `refresh`: from nothing, or from the sums remembered for the king's square where features depend on it.
//!
//! `cargo bench -p tsumugi-eval --bench nnue -- K-P` for one shape. The public K-P network is used where it is
//! on the machine, since random numbers activate more than trained ones.

use divan::Bencher;
use divan::counter::ItemsCount;
use eval::nnue::{Architecture, Features, Isa, Network, NnueEvaluation, Parameters};
use game::Evaluation;
use shogi::{Change, Position};
use std::fmt;
use std::hint::black_box;
use std::sync::{Arc, LazyLock};

fn main() {
    divan::main();
}

#[derive(Clone, Copy)]
enum Shape {
    Kp,
    HalfKp,
    HalfKp1024,
    Sfnn,
    /// What is trained here: pieces on squares, mirrored.
    Mirrored,
}

/// A shape on an instruction set.
struct Case(Shape, Isa);

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = match self.0 {
            Shape::Kp => "K-P_256",
            Shape::HalfKp => "HalfKP_256",
            Shape::HalfKp1024 => "HalfKP_1024-8-64",
            Shape::Sfnn => "SFNN1536",
            Shape::Mirrored => "SFNN512_mirrored",
        };
        write!(f, "{shape}_{}", self.1)
    }
}

fn cases() -> impl Iterator<Item = Case> {
    let shapes = [Shape::Kp, Shape::HalfKp, Shape::HalfKp1024, Shape::Sfnn, Shape::Mirrored];
    shapes.into_iter().flat_map(|shape| Isa::available().map(move |isa| Case(shape, isa)))
}

fn parameters(shape: Shape) -> Parameters {
    let random = |shape| Parameters::random(&shape, 1);
    match shape {
        Shape::Kp => match std::fs::read(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../shared/nets/suisho_petite/nn.bin"
        )) {
            Ok(file) => Parameters::read(&file[..], file.len() as u64).expect("a valid network").parameters,
            Err(_) => random(Architecture::classic(Features::Kp, 256, 32, 32)),
        },
        Shape::HalfKp => random(Architecture::classic(Features::HalfKp, 256, 32, 32)),
        Shape::HalfKp1024 => random(Architecture::classic(Features::HalfKp, 1024, 8, 64)),
        Shape::Sfnn => random(Architecture::SFNN1536),
        Shape::Mirrored => random(Architecture::stacked(Features::MIRRORED, 512, 15, 32)),
    }
}

/// A position and what each of its moves leads to.
struct Node {
    position: Position,
    children: Vec<(Vec<Change>, Position)>,
}

/// Positions of a game whose moves are taken in turn.
static NODES: LazyLock<Vec<Node>> = LazyLock::new(|| {
    let mut position = Position::startpos();
    let mut nodes = Vec::new();
    for ply in 0..80 {
        let moves = position.legal_moves();
        let Some(chosen) = moves.get((ply * 37 + 11) % moves.len().max(1)).copied() else { break };
        let child = |m: &shogi::Move| {
            let mut child = position.clone();
            let mut changes = Vec::new();
            child.do_move_observed(*m, |change| changes.push(change));
            (changes, child)
        };
        let children = moves.iter().map(child).collect();
        nodes.push(Node { position: position.clone(), children });
        position.do_move(chosen);
    }
    nodes
});

fn evaluation(case: &Case) -> NnueEvaluation {
    NnueEvaluation::new(Arc::new(Network::with_isa(parameters(case.0), case.1)), 16)
}

#[divan::bench(args = cases(), sample_count = 20)]
fn incremental(bencher: Bencher, case: &Case) {
    let mut evaluation = evaluation(case);
    let count: usize = NODES.iter().map(|node| node.children.len()).sum();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let mut sum = 0;
        for node in NODES.iter() {
            evaluation.refresh(&node.position);
            for (changes, child) in &node.children {
                evaluation.push(changes);
                sum += evaluation.value(child);
                evaluation.pop();
            }
        }
        black_box(sum)
    });
}

#[divan::bench(args = cases(), sample_count = 20)]
fn refresh(bencher: Bencher, case: &Case) {
    let mut evaluation = evaluation(case);
    bencher.counter(ItemsCount::new(NODES.len())).bench_local(|| {
        let mut sum = 0;
        for node in NODES.iter() {
            evaluation.refresh(&node.position);
            sum += evaluation.value(&node.position);
        }
        black_box(sum)
    });
}
