//! Plays variants against a mover of random moves: a player who knows what the goal is wins nearly always.
//!
//! `cargo run --release -p tsumugi-fairy --example random_match -- [FILE.ini] [NAMES] [GAMES] [NODES] [SEED]`
//!
//! `NAMES` are separated by commas; without them all variants of the file are played, or all that are shipped.

#[path = "../tests/support/random_player.rs"]
mod random_player;

use fairy::Library;
use random_player::{Score, play_random};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut library = Library::shipped();
    let mut names: Vec<String> = library.names().map(str::to_owned).collect();
    let is_file = |word: &&String| std::path::Path::new(word).extension().is_some();
    if let Some(file) = words.first().filter(is_file).cloned() {
        words.remove(0);
        let report = library.read(&std::fs::read_to_string(&file)?);
        for message in &report.messages {
            eprintln!("{file}: {message}");
        }
        names = report.added;
    }
    if let Some(wanted) = words.first().filter(|word| word.parse::<u64>().is_err()).cloned() {
        words.remove(0);
        names = wanted.split(',').map(str::to_owned).collect();
    }
    let number = |place: usize, default: u64| words.get(place).map_or(Ok(default), |word| word.parse());
    let (games, nodes, seed) = (number(0, 100)?, number(1, 1000)?, number(2, 1)?);
    println!("| variant | won | drawn | lost | score |\n|---|---|---|---|---|");
    for name in names {
        let game = library.game(&name).ok_or_else(|| format!("{name} is not known"))?;
        let Score { won, drawn, lost } = play_random(&game, games, nodes, seed);
        let score = (100 * won + 50 * drawn) as f64 / games as f64;
        println!("| {name} | {won} | {drawn} | {lost} | {score:.1} % |");
    }
    Ok(())
}
