//! What can be said of a network, for `net info` and for its card.

use super::file::NetFile;
use eval::nnue::{Architecture, Model};
use platform::sha256;

/// Names and values, in the order in which they are read.
pub fn facts(file: &NetFile) -> Vec<(&'static str, String)> {
    let parameters = &file.loaded.parameters;
    let shape = parameters.architecture();
    let mut facts = vec![("bytes", bytes(file)), ("SHA-256", sha256(&file.bytes))];
    facts.push(("architecture", shape.to_string()));
    facts.push(("features", format!("{}, {} inputs", shape.features.name(), shape.features.dimensions())));
    facts.push(("layers", layers(shape)));
    facts.push(("numbers", numbers(shape).to_string()));
    facts.push((
        "hashes",
        format!(
            "{:#010x}: first layer {:#010x}, the others {:#010x}",
            shape.hash(),
            shape.transformer_hash(),
            shape.network_hash()
        ),
    ));
    facts.push((
        "FV_SCALE",
        match (file.fv_scale, parameters.estimated_fv_scale()) {
            (Some(known), _) => known.to_string(),
            (None, Some(estimate)) => format!("not told; a guess by what pieces are worth to it: {estimate}"),
            (None, None) => "not told, and values do not grow with pieces".to_owned(),
        },
    ));
    facts
}

fn bytes(file: &NetFile) -> String {
    match file.compressed {
        Some(compressed) => format!("{}, compressed {compressed}", file.bytes.len()),
        None => file.bytes.len().to_string(),
    }
}

fn layers(shape: &Architecture) -> String {
    let Architecture { width, hidden1, hidden2, .. } = shape;
    match shape.model {
        Model::Classic => format!("2 x {width}, {hidden1}, {hidden2}, 1"),
        Model::Stacked(_) => {
            let shortcut = if shape.has_shortcut() { " and a shortcut" } else { "" };
            let stacks = shape.stack_count();
            format!("2 x {width} (products of halves), {hidden1}{shortcut}, {hidden2}, 1; {stacks} stacks")
        }
    }
}

/// All weights and biases.
fn numbers(shape: &Architecture) -> usize {
    let stack: usize = shape.layers().iter().map(|(inputs, outputs)| outputs * (1 + inputs)).sum();
    shape.width * (1 + shape.features.dimensions()) + shape.stack_count() * stack
}
