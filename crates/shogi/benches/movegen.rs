//! Wall time of everything a search asks a position for. `make bench` runs it.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::{perft, perft_making_leaves};
use shogi::{Move, MoveList, MoveSet, Position, Promotions};

fn main() {
    divan::main();
}

const NAMES: [&str; 3] = ["startpos", "matsuri", "maxmoves"];

fn position(name: &str) -> Position {
    let sfen = match name {
        "startpos" => shogi::STARTPOS_SFEN,
        "matsuri" => "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "maxmoves" => "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "in_check" => "4k4/9/9/9/9/9/9/4r4/4K4 b RB4G4S4N4L18P 1",
        "in_check_far" => "4k4/9/9/4r4/9/9/9/9/4K4 b RB4G4S4N4L18P 1",
        other => unreachable!("no position {other}"),
    };
    Position::from_sfen(sfen).expect("a valid SFEN")
}

/// Times one set; the count is moves, so that divan prints moves per second.
fn generate(bencher: Bencher, name: &str, set: MoveSet, promotions: Promotions) {
    let position = position(name);
    let mut moves = MoveList::new();
    position.generate(set, promotions, &mut moves);
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        moves.clear();
        black_box(&position).generate(set, promotions, &mut moves);
        black_box(&moves).len()
    });
}

#[divan::bench_group]
mod generating {
    use super::{Bencher, MoveSet, NAMES, Promotions, generate};

    #[divan::bench(args = NAMES)]
    fn legal(bencher: Bencher, name: &str) {
        generate(bencher, name, MoveSet::Legal, Promotions::All);
    }

    #[divan::bench(args = NAMES)]
    fn legal_sensible(bencher: Bencher, name: &str) {
        generate(bencher, name, MoveSet::Legal, Promotions::Sensible);
    }

    #[divan::bench(args = NAMES)]
    fn captures(bencher: Bencher, name: &str) {
        generate(bencher, name, MoveSet::Captures, Promotions::Sensible);
    }

    #[divan::bench(args = NAMES)]
    fn quiets(bencher: Bencher, name: &str) {
        generate(bencher, name, MoveSet::Quiets, Promotions::Sensible);
    }

    #[divan::bench(args = NAMES)]
    fn drops(bencher: Bencher, name: &str) {
        generate(bencher, name, MoveSet::Drops, Promotions::Sensible);
    }

    #[divan::bench(args = NAMES)]
    fn checks(bencher: Bencher, name: &str) {
        generate(bencher, name, MoveSet::Checks, Promotions::All);
    }

    #[divan::bench(args = ["in_check", "in_check_far"])]
    fn evasions(bencher: Bencher, name: &str) {
        generate(bencher, name, MoveSet::Evasions, Promotions::Sensible);
    }
}

/// Times `judge` over all legal moves; the count is moves.
fn each_move<T>(bencher: Bencher, name: &str, mut judge: impl FnMut(&mut Position, Move) -> T) {
    let mut position = position(name);
    let moves = position.legal_moves();
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        for &m in black_box(&moves).iter() {
            black_box(judge(&mut position, m));
        }
    });
}

#[divan::bench_group]
mod each_legal_move {
    use super::{Bencher, NAMES, each_move};

    #[divan::bench(args = NAMES)]
    fn do_and_undo(bencher: Bencher, name: &str) {
        each_move(bencher, name, |position, m| {
            position.do_move(m);
            position.undo_move();
        });
    }

    #[divan::bench(args = NAMES)]
    fn is_legal(bencher: Bencher, name: &str) {
        each_move(bencher, name, |position, m| position.is_legal(m));
    }

    #[divan::bench(args = NAMES)]
    fn gives_check(bencher: Bencher, name: &str) {
        each_move(bencher, name, |position, m| position.gives_check(m));
    }

    #[divan::bench(args = NAMES)]
    fn exchange_at_least(bencher: Bencher, name: &str) {
        each_move(bencher, name, |position, m| position.exchange_at_least(m, 0));
    }
}

/// Neither has one, so that the whole work is done.
#[divan::bench(args = ["startpos", "matsuri"])]
fn mate_in_one(bencher: Bencher, name: &str) {
    let mut position = position(name);
    bencher.bench_local(|| black_box(&mut position).mate_in_one());
}

#[divan::bench_group]
mod text {
    use super::{Bencher, NAMES, black_box, position};
    use shogi::Position;

    #[divan::bench(args = NAMES)]
    fn read(bencher: Bencher, name: &str) {
        let text = position(name).sfen();
        bencher.bench(|| Position::from_sfen(black_box(&text)));
    }

    #[divan::bench(args = NAMES)]
    fn write(bencher: Bencher, name: &str) {
        let position = position(name);
        bencher.bench(|| black_box(&position).sfen());
    }
}

const TREES: [(&str, u32, u64); 3] =
    [("startpos", 4, 719_731), ("matsuri", 3, 4_809_015), ("maxmoves", 2, 105_677)];

#[divan::bench_group(sample_count = 10, sample_size = 1)]
mod tree {
    use super::{Bencher, ItemsCount, TREES, perft, perft_making_leaves, position};

    #[divan::bench(args = TREES)]
    fn list_at_the_leaves(bencher: Bencher, (name, depth, nodes): (&str, u32, u64)) {
        let mut position = position(name);
        bencher
            .counter(ItemsCount::new(nodes))
            .bench_local(|| assert_eq!(perft(&mut position, depth), nodes));
    }

    #[divan::bench(args = TREES)]
    fn making_the_leaves(bencher: Bencher, (name, depth, nodes): (&str, u32, u64)) {
        let mut position = position(name);
        bencher
            .counter(ItemsCount::new(nodes))
            .bench_local(|| assert_eq!(perft_making_leaves(&mut position, depth), nodes));
    }
}
