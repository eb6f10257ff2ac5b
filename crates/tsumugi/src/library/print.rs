//! Prints games and counts as text, CSV or JSON.

use library::{Count, Counts, GameInfo, Stats};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Prints a value as indented JSON.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

/// Writes values as a JSON array, one per line.
pub fn json_array(out: &mut impl Write, values: impl Iterator<Item = impl Serialize>) -> anyhow::Result<()> {
    write!(out, "[")?;
    for (index, value) in values.enumerate() {
        write!(out, "{}", if index == 0 { "\n" } else { ",\n" })?;
        serde_json::to_writer(&mut *out, &value)?;
    }
    Ok(writeln!(out, "\n]")?)
}

/// A game as one line of text.
pub fn game_line(game: &GameInfo) -> String {
    let date = game.date.map_or_else(|| "-".to_owned(), |date| date.to_string());
    let result = game.result.to_string();
    let mut line = format!("{:>6}  {date:10}  {result:7}  {:>3}", game.number.0, game.plies);
    let named = |name: &str, rating: Option<f32>| {
        let name = if name.is_empty() { "?" } else { name };
        rating.map_or_else(|| name.to_owned(), |rating| format!("{name} ({rating:.0})"))
    };
    // Writing to a string cannot fail.
    let _ = write!(
        line,
        "  ☗{} ☖{}",
        named(&game.black, game.black_rating),
        named(&game.white, game.white_rating)
    );
    let place = match &game.inner {
        Some(inner) => format!("{}/{inner}", game.file.display()),
        None => game.file.display().to_string(),
    };
    let place =
        if game.number_in_file == 1 { place } else { format!("{place} game {}", game.number_in_file) };
    let variant = if game.variant == "shogi" { "" } else { game.variant.as_str() };
    for part in [variant, &game.opening(), &game.event, &place].into_iter().filter(|part| !part.is_empty()) {
        let _ = write!(line, "  {part}");
    }
    line
}

/// The columns of a table.
const COLUMNS: [&str; 20] = [
    "number",
    "variant",
    "date",
    "black",
    "black_rating",
    "white",
    "white_rating",
    "event",
    "site",
    "time_control",
    "result",
    "ending",
    "plies",
    "black_opening",
    "white_opening",
    "black_castle",
    "white_castle",
    "file",
    "inner",
    "number_in_file",
];

/// The names of the columns.
pub fn csv_names() -> String {
    COLUMNS.join(",")
}

/// A game as a row of a table.
pub fn csv_line(game: &GameInfo) -> String {
    let rating = |rating: Option<f32>| rating.map(|rating| rating.to_string()).unwrap_or_default();
    let fields: [String; 20] = [
        game.number.0.to_string(),
        game.variant.clone(),
        game.date.map(|date| date.to_string()).unwrap_or_default(),
        game.black.clone(),
        rating(game.black_rating),
        game.white.clone(),
        rating(game.white_rating),
        game.event.clone(),
        game.site.clone(),
        game.time_control.clone(),
        game.result.to_string(),
        game.ending.clone(),
        game.plies.to_string(),
        game.black_opening.join(" "),
        game.white_opening.join(" "),
        game.black_castle.join(" "),
        game.white_castle.join(" "),
        game.file.display().to_string(),
        game.inner.clone().unwrap_or_default(),
        game.number_in_file.to_string(),
    ];
    fields.map(|field| csv_field(&field)).join(",")
}

fn csv_field(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Counts in columns: games, wins of Black and White in percent of the games with a result or a draw, draws, rating.
pub fn counts_text(counts: &Counts) -> String {
    let told = counts.black + counts.white + counts.draws;
    let share = |count: u64| if told == 0 { "-".to_owned() } else { percent(count, told) };
    let rating = counts.rating.map_or_else(|| "-".to_owned(), |rating| format!("{rating:.0}"));
    format!(
        "{:>8}  {:>6}  {:>6}  {:>6}  {rating:>6}",
        counts.games,
        share(counts.black),
        share(counts.white),
        share(counts.draws)
    )
}

/// The heading of [`counts_text`].
pub const COUNTS_HEAD: &str = "   games      ☗%      ☖%   draw%  rating";

fn percent(part: u64, all: u64) -> String {
    format!("{:.1}", 100.0 * part as f64 / all as f64)
}

/// The content of a library, as text.
pub fn stats_text(stats: &Stats, top: usize) -> String {
    let mut text = format!(
        "{} games from {} files, {} moves; {} positions in {} bytes ({:.1} for each)\n",
        stats.all.games,
        stats.files,
        stats.plies,
        stats.positions,
        stats.bytes,
        stats.bytes as f64 / stats.positions.max(1) as f64
    );
    let lists = [
        ("games", &stats.variants),
        ("openings", &stats.openings),
        ("castles", &stats.castles),
        ("endings", &stats.endings),
        ("events", &stats.events),
        ("players", &stats.players),
    ];
    let head = COUNTS_HEAD.trim_end_matches("  rating");
    let mut list = |name: &str, counts: &[Count], shown: &mut dyn Iterator<Item = &Count>| {
        if counts.is_empty() {
            return;
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{head}  {name}\n");
        for Count { name, counts } in shown {
            let counts = counts_text(counts);
            let _ = writeln!(text, "{}  {name}", &counts[..counts.len() - "  rating".len()]);
        }
    };
    for (name, counts) in lists {
        list(name, counts, &mut counts.iter().take(top));
    }
    list("years", &stats.years, &mut stats.years.iter().rev().take(top));
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_tables_are_quoted() {
        assert_eq!(csv_field("a"), "a");
        assert_eq!(csv_field("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(csv_names().split(',').count(), COLUMNS.len());
    }

    #[test]
    fn counts_stand_below_their_heads() {
        let counts =
            Counts { games: 1000, black: 500, white: 250, draws: 250, unknown: 0, rating: Some(2000.4) };
        let text = counts_text(&counts);
        assert_eq!(text, "    1000    50.0    25.0    25.0    2000");
        assert_eq!(text.chars().count(), COUNTS_HEAD.chars().count());
    }
}
