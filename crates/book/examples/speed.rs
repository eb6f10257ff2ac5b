//! Times the workshop without the program around it: `speed sort|merge|convert|games|minmax IN… OUT`.

use book::{
    MergePolicy, MinMaxOptions, PlayedBook, WorkOptions, convert_book, merge_books, minmax, sort_book,
    write_played,
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
            let mut book = PlayedBook::new(options.limits.clone());
            book.insert_list(Path::new(input), 24, None, &mut |_, _, _| {})?;
            println!("read: {:.3} s", start.elapsed().as_secs_f64());
            write_played(Path::new(output), book, 1, &options)?;
        }
        ["minmax", input, output] => {
            minmax(Path::new(input), Path::new(output), &MinMaxOptions::default(), &|_, _| ())?;
        }
        _ => return Err("usage: speed sort|convert|games|minmax IN OUT, or speed merge A B OUT".into()),
    }
    println!("{:.3} s", start.elapsed().as_secs_f64());
    Ok(())
}
