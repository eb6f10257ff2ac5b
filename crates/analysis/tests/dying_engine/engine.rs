//! A USI engine that values every move by its text, and dies or falls silent where its arguments say so:
//! `die-at=PLY`, `die-once=FILE` (when that file does not exist yet, which it makes).

use shogi::Shogi;
use std::fs;
use std::io::{self, BufRead};
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |key: &str| arguments.iter().find_map(|word| word.strip_prefix(key));
    let mut position = String::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if let Some(rest) = line.strip_prefix("position ") {
            rest.clone_into(&mut position);
        }
        match line.split(' ').next() {
            Some("usi") => {
                println!("id name Dying\noption name MultiPV type spin default 1 min 1 max 9\nusiok");
            }
            Some("isready") => println!("readyok"),
            Some("go") => {
                let state = game::Game::position_command(&Shogi::default(), &position).expect("a position");
                let board = state.sfen();
                if value("die-at=").is_some_and(|at| board.starts_with(at)) {
                    eprintln!("this is too much");
                    std::process::exit(3);
                }
                if let Some(mark) = value("die-once=").map(Path::new).filter(|mark| !mark.exists()) {
                    fs::write(mark, "").expect("a mark");
                    std::process::exit(3);
                }
                let moves = state.legal_moves();
                for (index, m) in moves.iter().take(2).enumerate() {
                    let cp = 40 - 90 * index as i32;
                    println!("info depth 2 multipv {} score cp {cp} nodes 7 pv {m}", index + 1);
                }
                println!("bestmove {}", moves[0]);
            }
            Some("quit") => return,
            _ => {}
        }
    }
}
