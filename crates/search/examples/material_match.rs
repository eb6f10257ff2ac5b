//! Plays two levels of the material evaluation against each other from random openings.
//!
//! `cargo run --release -p tsumugi-search --example material_match -- LEVEL LEVEL [GAMES] [NODES] [SEED]`

use eval::Material;
use game::Color;
use search::{BestMove, Searcher, Settings, Task, Unlimited};
use shogi::Position;
use std::error::Error;

type Player = Searcher<Position, Material>;

/// Moves after which a game is given up as a draw.
const LONGEST: usize = 320;
/// Random moves at the start of a game; each opening is played twice, with colours reversed.
const OPENING: usize = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, rest @ ..] = arguments.as_slice() else {
        return Err("two levels are needed, such as: material_match 4 1".into());
    };
    let number = |index: usize, default: u64| rest.get(index).map_or(Ok(default), |text| text.parse());
    let (games, nodes, mut seed) = (number(0, 200)?, number(1, 3000)?, number(2, 1)?);
    let player = |text: &str| -> Result<Player, Box<dyn std::error::Error>> {
        Ok(Searcher::new(Material::new(text.parse()?), 8)?)
    };
    let mut players = [player(first)?, player(second)?];
    let mut score = [0_u32; 3];
    for _ in 0..games.div_ceil(2) {
        let opening = random_opening(&mut seed);
        for black in 0..2 {
            let result = match play(&mut players, black, opening.clone(), nodes) {
                Some(color) => (color.index() + black) % 2,
                None => 2,
            };
            score[result] += 1;
        }
        let [wins, losses, draws] = score;
        let percent = (f64::from(wins) + f64::from(draws) / 2.0) * 100.0 / f64::from(wins + losses + draws);
        eprint!("\r+{wins} -{losses} ={draws}  {percent:.1} %   ");
    }
    let [wins, losses, draws] = score;
    println!("\nlevel {} against {}: +{wins} -{losses} ={draws}", arguments[0], arguments[1]);
    Ok(())
}

/// Who wins the game in which `players[black]` has Black.
fn play(players: &mut [Player; 2], black: usize, mut position: Position, nodes: u64) -> Option<Color> {
    players.iter_mut().for_each(|player| player.clear(1));
    for _ in 0..LONGEST {
        if let Some(outcome) = position.outcome() {
            return outcome.winner();
        }
        let side = position.side();
        let player = &mut players[(side.index() + black) % 2];
        let task = Task { nodes: Some(nodes), ..Task::new(position.clone()) };
        match player.think(&task, &Settings::default(), &Unlimited, |_| ()) {
            BestMove::Play { best, .. } => position.do_move(best),
            BestMove::Declare => return Some(side),
            BestMove::Resign => return Some(!side),
        }
    }
    None
}

fn random_opening(seed: &mut u64) -> Position {
    let mut position = Position::startpos();
    for _ in 0..OPENING {
        // Xorshift: any spread of openings will do, as long as it can be repeated.
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        let moves = position.legal_moves();
        position.do_move(moves[(*seed % moves.len() as u64) as usize]);
    }
    position
}
