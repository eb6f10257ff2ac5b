//! Times the workshop without the program around it: `speed sort|merge|convert|games|minmax IN… OUT`.

use book::{
    Collection, MergePolicy, MinMaxOptions, Plies, WorkOptions, convert_book, insert_games, merge_books,
    minmax, sort_book, write_collection,
};
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let options = WorkOptions::default();
    let start = Instant::now();
    match words[..] {
        ["sort", input, output] => {
            sort_book(Path::new(input), Path::new(output), &options, &mut |_| {})?;
        }
        ["merge", a, b, output] => {
            let inputs = [Path::new(a), Path::new(b)];
            let policy = MergePolicy::DepthFirst;
            merge_books(inputs, Path::new(output), policy, &options, &mut |_| {})?;
        }
        ["convert", input, output] => {
            convert_book(Path::new(input), Path::new(output), &options, &mut |_| {})?;
        }
        ["games", input, output] => {
            let mut book = Collection::new(Plies::Matter);
            insert_games(&mut book, Path::new(input), 24, None, &mut |_, _, _| {})?;
            let (line_end, threads) = (options.line_end, options.limits.threads);
            write_collection(&book, Path::new(output), 1, line_end, threads)?;
        }
        ["minmax", input, output] => {
            minmax(Path::new(input), Path::new(output), MinMaxOptions::default(), &|_, _| ())?;
        }
        _ => return Err("usage: speed sort|convert|games|minmax IN OUT, or speed merge A B OUT".into()),
    }
    println!("{:.3} s", start.elapsed().as_secs_f64());
    Ok(())
}
