//! `report.html`: the charts of a training run in one file.

use crate::fit::{Entry, Experiment, FloatNet, RoundingError};
use platform::FileError;
use platform::atomic_file::write_with;
use platform::svg::{self, Chart, Point, Series};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// Writes the report, atomically.
pub fn write(path: &Path, experiment: &Experiment, net: &FloatNet) -> Result<(), FileError> {
    write_with(path, |writer| writer.write_all(html(experiment, net).as_bytes()))
}

fn html(experiment: &Experiment, net: &FloatNet) -> String {
    let state = if experiment.finished.is_some() { "finished" } else { "under way" };
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Training, {state}</title>\n<style>\n\
         body {{ font: 15px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222 }}\n\
         table {{ border-collapse: collapse; font-size: 13px }} td, th {{ padding: 2px 10px; text-align: right }}\n\
         td:first-child, th:first-child {{ text-align: left; padding-left: 0 }} tr {{ border-bottom: 1px solid #ddd }}\n\
         code {{ overflow-wrap: anywhere }}\n</style></head><body>\n\
         <h1>Training, {state}</h1>\n<p><code>{}</code></p>\n",
        svg::escape(&experiment.settings.shape)
    );
    if experiment.is_overfitting() {
        page.push_str(
            "<p><strong>The loss on held-out games rises:</strong> the network learns its training data by heart. \
             More positions, a smaller network or fewer epochs help.</p>\n",
        );
    }
    page.push_str(&svg::draw(&curves(experiment)));
    page.push_str("<h2>Weights</h2>\n");
    page.push_str(&svg::draw(&histograms(net)));
    page.push_str("<h2>Settings</h2>\n<table>\n");
    for (name, value) in facts(experiment) {
        // Writing to a string cannot fail.
        let _ = writeln!(page, "<tr><td>{}</td><td>{}</td></tr>", svg::escape(&name), svg::escape(&value));
    }
    page.push_str(
        "</table>\n<h2>Diary</h2>\n<table>\n<tr><th>epoch</th><th>positions</th><th>learning rate</th>\
        <th>loss</th><th>held-out loss</th><th>right signs</th><th>dead</th><th>saturated</th></tr>\n",
    );
    for entry in &experiment.history {
        let validation =
            entry.validation.map_or(String::from("<td></td><td></td><td></td><td></td>"), |validation| {
                let percent = 100.0 * validation.accuracy;
                format!(
                    "<td>{:.6}</td><td>{percent:.2} %</td><td>{}</td><td>{}</td>",
                    validation.loss, validation.dead, validation.saturated
                )
            });
        let _ = writeln!(
            page,
            "<tr><td>{:.2}</td><td>{}</td><td>{:.2e}</td><td>{:.6}</td>{validation}</tr>",
            entry.epoch, entry.positions, entry.rate, entry.loss
        );
    }
    page.push_str("</table>\n</body></html>\n");
    page
}

fn curves(experiment: &Experiment) -> Vec<Chart> {
    let series = |y: &dyn Fn(&Entry) -> Option<f64>| Series {
        points: experiment
            .history
            .iter()
            .filter_map(|entry| Some(Point { x: entry.epoch, y: y(entry)?, error: 0.0 }))
            .collect(),
    };
    let chart = |title: &str, unit: &str, series: Vec<Series>| Chart {
        title: title.to_owned(),
        unit: unit.to_owned(),
        series,
    };
    vec![
        chart(
            "Loss by epoch: training (blue), held-out games (red)",
            "1000 × mean",
            vec![
                series(&|entry| Some(1000.0 * entry.loss)),
                series(&|entry| entry.validation.map(|validation| 1000.0 * validation.loss)),
            ],
        ),
        chart(
            "Right signs on held-out games",
            "%",
            vec![series(&|entry| entry.validation.map(|validation| 100.0 * validation.accuracy))],
        ),
        chart("Learning rate", "millionths", vec![series(&|entry| Some(1e6 * entry.rate))]),
        chart(
            "Outputs of the first layer: dead (blue), saturated (red)",
            "count",
            vec![
                series(&|entry| entry.validation.map(|validation| validation.dead as f64)),
                series(&|entry| entry.validation.map(|validation| validation.saturated as f64)),
            ],
        ),
    ]
}

/// Histograms of the weights of each layer.
fn histograms(net: &FloatNet) -> Vec<Chart> {
    let layer = |number: usize| -> Vec<f32> {
        net.stacks.iter().flat_map(|stack| stack[number].weights.iter().copied()).collect()
    };
    let histogram = |title: &str, weights: &[f32]| Chart {
        title: title.to_owned(),
        unit: "% of the weights".to_owned(),
        series: vec![Series { points: spread(weights) }],
    };
    vec![
        histogram("First layer", &net.transformer),
        histogram("Second layer", &layer(0)),
        histogram("Third layer", &layer(1)),
        histogram("Last layer", &layer(2)),
    ]
}

/// A histogram of weights, between the limits that contain almost all.
fn spread(weights: &[f32]) -> Vec<Point> {
    const STEPS: usize = 80;
    let mut sorted = weights.to_vec();
    sorted.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let Some(limit) = sorted.get(sorted.len() * 999 / 1000).map(|weight| weight.abs().max(1e-6)) else {
        return Vec::new();
    };
    let mut counts = [0_usize; STEPS];
    for weight in weights {
        let step = (f32::midpoint(weight / limit, 1.0) * STEPS as f32).clamp(0.0, STEPS as f32 - 1.0);
        counts[step as usize] += 1;
    }
    let point = |(step, count): (usize, usize)| Point {
        x: f64::from(limit) * (2.0 * (step as f64 + 0.5) / STEPS as f64 - 1.0),
        y: 100.0 * count as f64 / weights.len() as f64,
        error: 0.0,
    };
    counts.into_iter().enumerate().map(point).collect()
}

/// Settings and outcomes as pairs.
fn facts(experiment: &Experiment) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    for part in [serde_json::to_value(&experiment.settings), serde_json::to_value(&experiment.data)] {
        if let Ok(serde_json::Value::Object(part)) = part {
            facts.extend(part.into_iter().map(|(name, value)| (name.replace('_', " "), value.to_string())));
        }
    }
    facts.push(("from".to_owned(), experiment.from.clone()));
    if let Some(finish) = experiment.finished {
        if let Some(validation) = finish.rounded {
            let words = format!("{:.6}, {:.2} % right signs", validation.loss, 100.0 * validation.accuracy);
            facts.push(("held-out loss as quantised".to_owned(), words));
        }
        let words =
            |error: RoundingError| format!("{:.2} on average, {:.1} at worst", error.mean, error.worst);
        facts.push(("quantised values differ from rounded real numbers by".to_owned(), words(finish.cut)));
        facts.push(("and from real numbers by".to_owned(), words(finish.real)));
    }
    facts
}
