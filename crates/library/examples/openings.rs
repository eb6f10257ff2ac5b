//! Prints what each game of a list is taken for: `cargo run --example openings -- LIST.sfen`.

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).ok_or(io::ErrorKind::InvalidInput)?;
    let mut out = io::stdout().lock();
    for line in std::fs::read_to_string(path)?.lines() {
        let (game, note) = line.split_once('#').unwrap_or((line, ""));
        let moves =
            game.trim().trim_start_matches("startpos").trim_start().trim_start_matches("moves").trim();
        let sides = library::recognise(None, moves);
        let told: Vec<_> = sides
            .iter()
            .map(|side| format!("{} | {}", side.openings.join(" "), side.castles.join(" ")))
            .collect();
        writeln!(out, "{}\t{}", told.join("\t"), note.trim())?;
    }
    Ok(())
}
