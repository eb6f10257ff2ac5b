//! Draws the ladder of levels: `level_chart LEVELS.svg < ladder.tsv`, with the table of `tools/level_ladder.py`.

use platform::svg::{self, Chart, Point, Series};
use std::io::Read;
use usi::{Level, Rank};

fn main() -> std::io::Result<()> {
    let path = std::env::args()
        .nth(1)
        .ok_or_else(|| std::io::Error::other("usage: level_chart FILE.svg < ladder.tsv"))?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    // The place of the stronger one, the difference and half its interval.
    let mut steps = Vec::new();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, stronger, _, _, _, _, elo, error] = fields[..] else {
            return Err(std::io::Error::other(format!("not a line of a ladder: {line}")));
        };
        let number = |text: &str| text.parse::<f64>().map_err(std::io::Error::other);
        let place = Rank::parse(stronger).map_or(0, Rank::index);
        steps.push((place as f64, number(elo)?, number(error)?));
    }
    let (mut sum, mut variance) = (0.0, 0.0);
    let mut ladder = vec![Point { x: -1.0, y: 0.0, error: 0.0 }];
    for (x, elo, error) in &steps {
        (sum, variance) = (sum + elo, variance + error * error);
        ladder.push(Point { x: *x, y: sum, error: f64::sqrt(variance) });
    }
    let table = Level::all().enumerate().map(|(place, level)| Point {
        x: place as f64,
        y: level.elo() as f64,
        error: 0.0,
    });
    let differences = steps.iter().map(|(x, y, error)| Point { x: *x, y: *y, error: *error }).collect();
    let charts = [
        Chart {
            title: "Levels: sum of the measured steps (blue), the program's table (red); 0 is 15k, 15 is 1d, 23 is 9d".to_owned(),
            unit: "Elo".to_owned(),
            series: vec![Series { points: ladder }, Series { points: table.collect() }],
        },
        Chart {
            title: "Each level against the one below it".to_owned(),
            unit: "Elo".to_owned(),
            series: vec![Series { points: differences }],
        },
    ];
    std::fs::write(path, svg::draw(&charts))
}
