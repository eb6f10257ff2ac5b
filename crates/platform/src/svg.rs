//! Small charts as SVG, one below the other.

use std::fmt::Write;

/// A point, with half the height of its error bar (0 for none).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Horizontal coordinate.
    pub x: f64,
    /// Vertical coordinate.
    pub y: f64,
    /// Half the error bar.
    pub error: f64,
}

impl Point {
    /// Larger values would overflow when differences of differences are computed.
    fn can_be_drawn(&self) -> bool {
        [self.x, self.y, self.error].iter().all(|number| number.abs() < 1e100)
    }
}

/// Points joined by a line.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    /// The points, from left to right.
    pub points: Vec<Point>,
}

/// One chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// Title, shown above the chart.
    pub title: String,
    /// Unit of the vertical axis.
    pub unit: String,
    /// Its series.
    pub series: Vec<Series>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 180.0;
const MARGIN: f64 = 60.0;
const COLORS: [&str; 3] = ["#1f6fb4", "#c0392b", "#7f8c8d"];
/// A series with fewer points than this gets a dot for each.
const DOTS: usize = 60;

/// The charts as one picture.
#[must_use]
pub fn draw(charts: &[Chart]) -> String {
    let rows = charts.len().max(1) as f64;
    let (width, height) = (WIDTH + 2.0 * MARGIN, rows * (HEIGHT + MARGIN) + MARGIN / 2.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (row, chart) in charts.iter().enumerate() {
        let top = row as f64 * (HEIGHT + MARGIN) + MARGIN / 2.0;
        // Writing to a string cannot fail.
        let _ = writeln!(out, "<g transform=\"translate({MARGIN} {top})\">");
        draw_one(&mut out, chart);
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

fn draw_one(out: &mut String, chart: &Chart) {
    let points =
        || chart.series.iter().flat_map(|series| &series.points).filter(|point| point.can_be_drawn());
    let across = Scale::new(points().map(|p| (p.x, p.x)), 0.0, WIDTH);
    let up = Scale::new(points().map(|p| (p.y - p.error, p.y + p.error)), HEIGHT, 0.0);
    let _ = writeln!(
        out,
        "<text x=\"0\" y=\"-6\" font-weight=\"bold\">{}</text><text x=\"{WIDTH}\" y=\"-6\" \
         text-anchor=\"end\" fill=\"#555\">{}</text>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" \
         stroke=\"#bbb\"/>",
        escape(&chart.title),
        escape(&chart.unit)
    );
    for part in 0..=4 {
        let (x, y) = (across.at(part), up.at(part));
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text><text x=\"-6\" y=\"{:.1}\" \
             text-anchor=\"end\">{}</text>",
            across.place(x),
            HEIGHT + 14.0,
            short(x),
            up.place(y) + 4.0,
            short(y)
        );
    }
    for (series, color) in chart.series.iter().zip(COLORS.iter().cycle()) {
        let placed: Vec<(f64, f64, f64)> = series
            .points
            .iter()
            .filter(|point| point.can_be_drawn())
            .map(|p| (across.place(p.x), up.place(p.y), (up.place(p.y - p.error) - up.place(p.y)).abs()))
            .collect();
        let line: Vec<String> = placed.iter().map(|(x, y, _)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"/>",
            line.join(" ")
        );
        for (x, y, bar) in placed.iter().filter(|_| placed.len() <= DOTS) {
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{color}\"/><line x1=\"{x:.1}\" \
                 x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"{color}\"/>",
                y - bar,
                y + bar
            );
        }
    }
}

/// Maps values to coordinates.
struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(ranges: impl Iterator<Item = (f64, f64)>, from: f64, to: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (a, b) in ranges {
            (low, high) = (low.min(a), high.max(b));
        }
        if !low.is_finite() || !high.is_finite() {
            (low, high) = (0.0, 1.0);
        } else if high - low < 1e-9 * high.abs().max(1.0) {
            let room = (1e-3 * high.abs()).max(0.5);
            (low, high) = (low - room, high + room);
        }
        Self { low, high, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// The value at a number of quarters of the range.
    fn at(&self, quarters: u8) -> f64 {
        self.low + (self.high - self.low) * f64::from(quarters) / 4.0
    }
}

fn short(number: f64) -> String {
    let digits = if number.abs() >= 1000.0 { 0 } else { 2 };
    let text = format!("{number:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Text with `&`, `<` and `>` escaped for SVG and HTML.
#[must_use]
pub fn escape(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_points_are_the_picture_has_numbers_only() {
        let chart = |points: &[(f64, f64)]| Chart {
            title: "a<b\0".to_owned(),
            unit: String::new(),
            series: vec![Series {
                points: points.iter().map(|&(x, y)| Point { x, y, error: 1.0 }).collect(),
            }],
        };
        let picture = draw(&[
            chart(&[(0.0, 1.0), (10.0, 3.0)]),
            chart(&[]),
            chart(&[(5.0, 5.0)]),
            chart(&[(f64::NAN, 1.0), (1.0, f64::INFINITY), (2.0, 2.0)]),
            chart(&[(1e69, 1.0)]),
            chart(&[(1e308, 1.0), (-1e308, -1e308)]),
        ]);
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{picture}");
        assert!(picture.contains("a&lt;b?"));
        assert_eq!(picture.matches("<polyline").count(), 6);
    }

    #[test]
    fn labels() {
        assert_eq!([0.0, 2.5, 50.0, 1234.5, -0.25].map(short), ["0", "2.5", "50", "1234", "-0.25"]);
    }
}
