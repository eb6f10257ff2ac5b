//! A description of a network, for `net info` and for its card.

use super::NetFile;
use crate::nnue::{Architecture, Model};
use platform::sha256;
use std::fmt;

impl NetFile {
    /// Size, hashes, shape and scale: names and values, in the order for readers.
    #[must_use]
    pub fn description(&self) -> Vec<(&'static str, String)> {
        let parameters = &self.loaded.parameters;
        let shape = parameters.architecture();
        let mut facts = vec![("bytes", bytes(self)), ("SHA-256", sha256(&self.bytes))];
        facts.push(("architecture", shape.to_string()));
        facts
            .push(("features", format!("{}, {} inputs", shape.features.name(), shape.features.dimensions())));
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
            match (self.fv_scale, parameters.estimated_fv_scale()) {
                (Some(known), _) => known.to_string(),
                (None, Some(estimate)) => {
                    format!("not in the file; estimated from its values of pieces: {estimate}")
                }
                (None, None) => "not in the file, and values do not grow with pieces".to_owned(),
            },
        ));
        facts
    }
}

/// The description, warnings and facts, as `net info` shows them.
impl fmt::Display for NetFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (name, value) in self.description() {
            write!(f, "\n{name:<14} {value}")?;
        }
        for mismatch in &self.loaded.mismatches {
            write!(f, "\n{:<14} {mismatch}", "warning")?;
        }
        let facts = self.loaded.parameters.facts();
        if facts.is_empty() {
            write!(f, "\n{:<14} none: the file does not tell how it was made", "facts")?;
        }
        facts.iter().try_for_each(|(name, value)| write!(f, "\n  {name:<12} {value}"))
    }
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
