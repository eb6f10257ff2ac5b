//! Makes up full-size KPPT files and evaluates positions with them, to compare with other programs by hand.
//!
//! `kppt_files make kppt32 FOLDER` writes files of made-up numbers; `kppt_files eval FOLDER < SFENS` prints the
//! value of each position for the side to move; `kppt_files speed FOLDER < SFENS` evaluates all moves of each
//! position; `kppt_files convert FORMAT FOLDER FORMAT FOLDER` converts.

use eval::kppt::{AnyKppt, KpptFormat, KpptParameters, convert, save};
use game::Evaluation;
use shogi::{Position, Square};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// Numbers that are a hash of where they stand, small enough for every format.
struct MadeUp;

fn numbers(places: [usize; 4], limit: i32) -> [i32; 2] {
    let [table, a, b, c] = places.map(|place| place as u64);
    let mut x = table << 48 | a << 32 | b << 16 | c;
    for _ in 0..2 {
        x = (x ^ x >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    [x as i32 % limit, (x >> 32) as i32 % (limit / 8)]
}

impl KpptParameters for MadeUp {
    fn king_king(&self, black_king: Square, white_king: Square) -> [i32; 2] {
        numbers([1, black_king.index(), white_king.index(), 0], 30_000)
    }

    fn king_king_piece(&self, black_king: Square, white_king: Square, piece: u16) -> [i32; 2] {
        numbers([2, black_king.index(), white_king.index(), piece.into()], 3000)
    }

    fn king_piece_piece(&self, king: Square, first: u16, second: u16) -> [i32; 2] {
        if first == second && first > 0 {
            // No piece is there twice; other programs rely on these entries being zero.
            return [0; 2];
        }
        numbers([3, king.index(), first.min(second).into(), first.max(second).into()], 600)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match *arguments.as_slice() {
        ["make", format, folder] => {
            save(&MadeUp, format.parse()?, Path::new(folder), |_| ())?;
        }
        ["convert", from, source, to, target] => {
            let from: (KpptFormat, &Path) = (from.parse()?, source.as_ref());
            let losses = convert(from, (to.parse()?, target.as_ref()), |_| ())?;
            println!("{losses:?}");
        }
        ["eval", folder] => {
            let mut evaluation = AnyKppt::open(Path::new(folder))?;
            for line in std::io::stdin().lines() {
                let position = Position::from_sfen(&line?)?;
                evaluation.refresh(&position);
                println!("{}", evaluation.value(&position));
            }
        }
        ["speed", folder] => {
            let mut evaluation = AnyKppt::open(Path::new(folder))?;
            let mut positions = Vec::new();
            for line in std::io::stdin().lines() {
                positions.push(Position::from_sfen(&line?)?);
            }
            // The first round brings the pages in.
            for _ in 0..3 {
                let start = Instant::now();
                let count: usize = positions.iter_mut().map(|p| all_moves(&mut evaluation, p)).sum();
                println!(
                    "{count} evaluations, {:.0} per second",
                    count as f64 / start.elapsed().as_secs_f64()
                );
            }
        }
        _ => {
            return Err(
                "make FORMAT FOLDER, eval FOLDER, speed FOLDER, or convert FORMAT FOLDER FORMAT FOLDER"
                    .into(),
            );
        }
    }
    Ok(())
}

/// Makes, evaluates and takes back every legal move; returns how many there are.
fn all_moves(evaluation: &mut AnyKppt, position: &mut Position) -> usize {
    evaluation.refresh(position);
    evaluation.value(position);
    let mut changes = Vec::new();
    let moves = position.legal_moves();
    for m in &moves {
        changes.clear();
        position.do_move_observed(m, |change| changes.push(change));
        evaluation.push(&changes);
        std::hint::black_box(evaluation.value(position));
        position.undo_move();
        evaluation.pop();
    }
    moves.len()
}
