//! Measures a library: `cargo run --release --example measure -- LIBRARY INPUT...` adds the inputs, then looks positions of its own games up.

use library::{AddJob, GameFilter, GameNumber, Library, Pattern, Place, Rules, STEP, add};
use record::IllegalMoves;
use record::convert::Silent;
use record::freeze::NoteStyle;
use record::notation::{self, Catalogue};
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const LOOKUPS: u64 = 2000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).map(PathBuf::from);
    let path = arguments.next().ok_or("measure LIBRARY INPUT...")?;
    let inputs: Vec<PathBuf> = arguments.collect();
    let find = || {
        let shipped = fairy::Library::shipped();
        Box::new(move |name: &str| shipped.game(name))
    };
    let catalogue = Catalogue { style: NoteStyle::default(), find: find() };
    let notation = notation::choose(None, None, IllegalMoves::Cut, find())?;
    let rules = Rules(&catalogue);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut out = io::stdout().lock();
    let begin = Instant::now();
    let job = AddJob { inputs: &inputs, notation: &*notation, rules, threads, prune: false, step: STEP };
    let summary = add(&path, &job, &Silent)?;
    writeln!(out, "{summary}: {:.1} s", begin.elapsed().as_secs_f64())?;
    let library = Library::open(&path)?;
    let (bytes, positions) = (library.bytes() as f64, library.positions() as f64);
    writeln!(out, "{positions} positions, {:.1} bytes for each", bytes / positions)?;
    for (name, plies) in [
        ("start position", 0..1),
        ("moves 1 to 10", 1..11),
        ("moves 11 to 24", 11..25),
        ("moves 25 to 60", 25..61),
    ] {
        let (mut times, mut games) = (Vec::new(), 0);
        for lookup in 0..LOOKUPS {
            let number = 1 + lookup * 7919 % library.games();
            let Some(game) = library.game(GameNumber(number)) else { continue };
            let ply = plies.start + lookup as usize % plies.len();
            let moves: Vec<&str> = game.moves.split(' ').take(ply).collect();
            let command =
                if ply == 0 { "startpos".to_owned() } else { format!("startpos moves {}", moves.join(" ")) };
            let place = Place { variant: "shogi".to_owned(), command };
            let begin = Instant::now();
            games += library.explore(rules, &place, &GameFilter::default())?.counts.games;
            times.push(begin.elapsed());
        }
        times.sort_unstable();
        let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        writeln!(
            out,
            "{name}: median {:.3} ms, 99 % {:.3} ms, most {:.3} ms; {:.0} games on average",
            milliseconds(at(0.5)),
            milliseconds(at(0.99)),
            milliseconds(at(1.0)),
            games as f64 / LOOKUPS as f64
        )?;
    }
    let place = Place { variant: "shogi".to_owned(), command: "startpos".to_owned() };
    let mut decisive = GameFilter::default();
    decisive.base.min_ply = Some(100);
    let begin = Instant::now();
    let filtered = library.explore(rules, &place, &decisive)?;
    writeln!(
        out,
        "start position, {} games that pass a filter: {:.0} ms",
        filtered.counts.games,
        begin.elapsed().as_secs_f64() * 1e3
    )?;
    let pattern =
        Pattern { squares: vec!["8h=K".parse()?, "7h=G".parse()?, "7g=S".parse()?], hands: Vec::new() };
    let begin = Instant::now();
    let hits = library.games_like(rules, &pattern, &GameFilter::default(), threads)?;
    writeln!(out, "pattern, {} games: {:.1} s", hits.len(), begin.elapsed().as_secs_f64())?;
    let begin = Instant::now();
    let groups = library.duplicates(&GameFilter::default(), 20);
    writeln!(out, "duplicates, {} groups: {:.1} s", groups.len(), begin.elapsed().as_secs_f64())?;
    Ok(())
}
