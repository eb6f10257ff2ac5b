//! The page: results and boards as data, and a script that draws them. It asks nothing of any server.

use super::{Head, Run};
use crate::assess::Assessed;
use crate::stages::Picture;
use game::Color;
use record::notation::{Cell, Diagram, Fact};
use serde::Serialize;
use serde_json::{Value, json};

const TEMPLATE: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Lines of play are shown up to so many moves.
const MOST_MOVES: usize = 16;

#[derive(Serialize)]
struct Page<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    games: Vec<Value>,
}

/// The page with all games; `pictures` gives the boards of one.
pub fn html(
    run: &Run<'_>,
    pictures: impl Fn(&Assessed) -> Vec<Picture>,
) -> Result<String, serde_json::Error> {
    let games = run.games.iter().map(|game| drawn(game, &pictures(game))).collect::<Result<_, _>>()?;
    let data = serde_json::to_string(&Page { head: Head::of(run), games })?;
    // Inside a script nothing may look like markup.
    let data = data.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
    // The data is put in last: it may hold any words.
    let page = TEMPLATE.replace("/*STYLE*/", STYLE).replace("/*SCRIPT*/", SCRIPT);
    Ok(page.replacen("/*DATA*/", &data, 1))
}

/// A game with its boards: the first one whole, then what changes.
fn drawn(game: &Assessed, pictures: &[Picture]) -> Result<Value, serde_json::Error> {
    let mut value = serde_json::to_value(game)?;
    if let Some(positions) = value["positions"].as_array_mut() {
        for line in
            positions.iter_mut().filter_map(|position| position["candidates"].as_array_mut()).flatten()
        {
            for list in ["pv", "text"] {
                if let Some(words) = line[list].as_array_mut() {
                    words.truncate(MOST_MOVES);
                }
            }
        }
    }
    let first = pictures.first().map(|picture| &picture.diagram);
    let mut before: Vec<Option<Cell>> = Vec::new();
    let mut boards = Vec::new();
    for Picture { diagram, touched } in pictures {
        before.resize(diagram.cells.len(), None);
        let changes = diagram.cells.iter().enumerate().zip(&before).filter(|((_, now), old)| now != old);
        let changes: Vec<Value> = changes.map(|((index, cell), _)| change(index, cell.as_ref())).collect();
        before.clone_from(&diagram.cells);
        boards.push(json!({
            "d": changes,
            "h": hands(diagram),
            "t": touched,
            "s": diagram.state.iter().map(|(fact, text)| json!([name(*fact), text])).collect::<Vec<_>>(),
            "f": if diagram.stones { json!([diagram.files, diagram.ranks]) } else { Value::Null },
        }));
    }
    value["board"] = json!({
        "files": first.map(|diagram| &diagram.files),
        "ranks": first.map(|diagram| &diagram.ranks),
        "stones": first.is_some_and(|diagram| diagram.stones),
        "steps": boards,
    });
    Ok(value)
}

/// `[square, sign, flags]`: 1 is White's, 2 promoted, 4 frozen; `[square]` for an empty one.
fn change(index: usize, cell: Option<&Cell>) -> Value {
    match cell {
        None => json!([index]),
        Some(Cell { text, color, promoted, frozen }) => {
            let flags = u8::from(*color == Color::White) | u8::from(*promoted) << 1 | u8::from(*frozen) << 2;
            json!([index, text, flags])
        }
    }
}

fn hands(diagram: &Diagram) -> Value {
    json!(diagram.hands)
}

const fn name(fact: Fact) -> &'static str {
    match fact {
        Fact::Frozen => "frozen",
        Fact::FreezesLeft => "freezes",
        Fact::Setup => "setup",
        Fact::Locked => "locked",
        Fact::Targets => "targets",
        Fact::Checks => "checks",
    }
}
