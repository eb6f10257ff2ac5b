//! Describes the differences between two configurations.

use serde::Serialize;
use serde_json::Value;

/// Limits of the differences named, and of a value's quote.
const MOST_NAMED: usize = 3;
const MOST_QUOTED: usize = 80;

/// `games is 100 there and 200 here, max_moves …`: the keys whose values differ.
pub(super) fn difference(there: &impl Serialize, here: &impl Serialize) -> String {
    let mut found = Vec::new();
    if let (Ok(there), Ok(here)) = (serde_json::to_value(there), serde_json::to_value(here)) {
        compare("", Some(&there), Some(&here), &mut found);
    }
    let more = found.len().saturating_sub(MOST_NAMED);
    found.truncate(MOST_NAMED);
    match (found.is_empty(), more) {
        (true, _) => "its configuration differs".to_owned(),
        (false, 0) => found.join(", "),
        (false, more) => format!("{} and {more} more", found.join(", ")),
    }
}

/// `line 3 of its openings is … there and … here`.
pub(super) fn different_openings(there: &str, here: &str) -> String {
    let (mut there, mut here) = (there.lines(), here.lines());
    let mut number = 0;
    loop {
        number += 1;
        match (there.next(), here.next()) {
            (None, None) => return "its list of openings differs".to_owned(),
            (there, here) if there == here => {}
            (there, here) => {
                let show = |line: Option<&str>| line.map_or_else(|| "missing".to_owned(), quoted);
                return format!("opening {number} is {} there and {} here", show(there), show(here));
            }
        }
    }
}

fn compare(key: &str, there: Option<&Value>, here: Option<&Value>, found: &mut Vec<String>) {
    match (there, here) {
        (there, here) if there == here => {}
        (Some(Value::Object(there)), Some(Value::Object(here))) => {
            let new = here.keys().filter(|name| !there.contains_key(*name));
            for name in there.keys().chain(new) {
                compare(&joined(key, name), there.get(name), here.get(name), found);
            }
        }
        (Some(Value::Array(there)), Some(Value::Array(here))) if same_names(there, here) => {
            for (index, (there, here)) in there.iter().zip(here).enumerate() {
                match (there, here) {
                    // An option with its value.
                    (Value::Array(there), Value::Array(here)) if there.len() == 2 && here.len() == 2 => {
                        compare(&joined(key, &text(&there[0])), there.get(1), here.get(1), found);
                    }
                    _ => compare(&joined(key, &name_of(there, index)), Some(there), Some(here), found),
                }
            }
        }
        (there, here) => {
            let show =
                |value: Option<&Value>| value.map_or_else(|| "not set".to_owned(), |v| quoted(&text(v)));
            let key = if key.is_empty() { "the configuration" } else { key };
            found.push(format!("{key} is {} there and {} here", show(there), show(here)));
        }
    }
}

/// Whether two lists contain the same things, as far as these have names.
fn same_names(there: &[Value], here: &[Value]) -> bool {
    let names =
        |list: &[Value]| list.iter().enumerate().map(|(at, item)| name_of(item, at)).collect::<Vec<_>>();
    names(there) == names(here)
}

/// The name of a thing in a list, else its index.
fn name_of(value: &Value, index: usize) -> String {
    let name = match value {
        Value::Object(fields) => fields.get("name"),
        Value::Array(pair) if pair.len() == 2 => pair.first(),
        _ => None,
    };
    name.and_then(Value::as_str).map_or_else(|| (index + 1).to_string(), str::to_owned)
}

fn joined(key: &str, name: &str) -> String {
    if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn quoted(text: &str) -> String {
    let mut quoted: String = text.chars().take(MOST_QUOTED).collect();
    if text.chars().count() > MOST_QUOTED {
        quoted.push('…');
    }
    format!("`{quoted}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn keys_are_named_with_both_values() {
        let engine = |nodes: u32, eval: &str| json!({"name": "A", "options": [["Threads", "1"], ["EvalDir", eval]], "time": {"nodes": nodes}});
        let run = |nodes, eval, games| json!({"engines": [engine(nodes, eval)], "games": games});
        assert_eq!(difference(&run(10, "a", 2), &run(10, "a", 4)), "games is `2` there and `4` here");
        assert_eq!(
            difference(&run(10, "a", 2), &run(20, "b", 2)),
            "engines.A.options.EvalDir is `a` there and `b` here, engines.A.time.nodes is `10` there and `20` here"
        );
        let other = json!({"engines": [], "games": 2, "sprt": {"elo0": 0}});
        assert_eq!(
            difference(&json!({"engines": [], "games": 2}), &other),
            "sprt is not set there and `{\"elo0\":0}` here"
        );
        assert_eq!(difference(&1, &2), "the configuration is `1` there and `2` here");
        let many = |n: u32| json!({"a": n, "b": n, "c": n, "d": n});
        assert!(difference(&many(1), &many(2)).ends_with("and 1 more"));
    }

    #[test]
    fn openings_are_compared_line_by_line() {
        assert_eq!(different_openings("a\nb\n", "a\nc\n"), "opening 2 is `b` there and `c` here");
        assert_eq!(different_openings("a\n", "a\nc\n"), "opening 2 is missing there and `c` here");
    }
}
