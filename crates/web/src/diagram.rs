//! A position as an SVG picture for books and messages: letters are text, so that it is small and can be read aloud.

use crate::protocol::{Held, Rules, Scene, Side};
use platform::svg::escape;
use std::fmt::Write;

/// The side of a square.
const SQUARE: usize = 40;
/// Around the board.
const MARGIN: usize = 30;
/// Beside the board, for hands.
const HAND: usize = 60;

/// Draws a position.
#[must_use]
pub fn draw(scene: &Scene, rules: &Rules) -> String {
    let (files, ranks) = (scene.files.len(), scene.ranks.len());
    let has_hands = scene.hands.iter().any(|hand| !hand.is_empty());
    let hand = if has_hands { HAND } else { 0 };
    let (left, top) = (MARGIN + hand, MARGIN);
    let (width, height) = (2 * (MARGIN + hand) + files * SQUARE, 2 * MARGIN + ranks * SQUARE);
    // Writing to a string cannot fail.
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"'Noto Serif CJK JP','Hiragino Mincho ProN','Yu Mincho',serif\" \
         text-anchor=\"middle\"><title>{}</title><rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
        escape(&scene.text)
    );
    let square = |index: usize| (left + index % files * SQUARE, top + index / files * SQUARE);
    for last in scene.last.iter().take(1) {
        let place = (0..scene.cells.len())
            .find(|index| format!("{}{}", scene.files[index % files], scene.ranks[index / files]) == *last);
        if let Some((x, y)) = place.map(square) {
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"#e6d9b8\"/>"
            );
        }
    }
    let _ = write!(svg, "<path fill=\"none\" stroke=\"#222\" d=\"");
    for column in 0..=files {
        let _ = write!(svg, "M{} {top}v{}", left + column * SQUARE, ranks * SQUARE);
    }
    for row in 0..=ranks {
        let _ = write!(svg, "M{left} {}h{}", top + row * SQUARE, files * SQUARE);
    }
    svg += "\"/>\n<g font-size=\"13\" fill=\"#444\">";
    for (column, name) in scene.files.iter().enumerate() {
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{}\">{name}</text>",
            left + column * SQUARE + SQUARE / 2,
            top - 8
        );
    }
    for (row, name) in scene.ranks.iter().enumerate() {
        let x = left + files * SQUARE + 12;
        let _ = write!(
            svg,
            "<text x=\"{x}\" y=\"{}\">{}</text>",
            top + row * SQUARE + SQUARE / 2 + 5,
            rank(name, rules)
        );
    }
    svg += "</g>\n<g font-size=\"28\">\n";
    for (index, cell) in scene.cells.iter().enumerate() {
        let Some(cell) = cell else { continue };
        let (x, y) = square(index);
        let (x, y) = (x + SQUARE / 2, y + SQUARE / 2);
        if rules.game.game == "binarsi" {
            let (fill, ink) = if cell.side == Side::Black { ("#222", "#fff") } else { ("#fff", "#222") };
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"16\" fill=\"{fill}\" stroke=\"#222\"/><text x=\"{x}\" y=\"{}\" font-size=\"18\" fill=\"{ink}\">{}</text>",
                y + 6,
                cell.kind
            );
            continue;
        }
        let name = glyph(&cell.kind, rules);
        let red = if cell.promoted { " fill=\"#a8321b\"" } else { "" };
        let size = if name.chars().count() > 1 { " font-size=\"20\"" } else { "" };
        let turned = if cell.side == Side::White {
            format!(" transform=\"rotate(180 {x} {y})\"")
        } else {
            String::new()
        };
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\"{red}{size}{turned}>{}</text>", y + 10, escape(&name));
    }
    svg += "</g>\n";
    if has_hands {
        hand_text(&mut svg, &scene.hands[1], rules, (MARGIN + hand / 2 - 10, top + 20), '☖');
        let x = left + files * SQUARE + MARGIN + hand / 2;
        let lines: usize = scene.hands[0].len() + 1;
        let y = (top + ranks * SQUARE).saturating_sub(lines * 24);
        hand_text(&mut svg, &scene.hands[0], rules, (x, y.max(top + 20)), '☗');
    }
    svg + "</svg>\n"
}

fn hand_text(svg: &mut String, hand: &[Held], rules: &Rules, at: (usize, usize), sign: char) {
    let (x, mut y) = at;
    let _ = write!(svg, "<g font-size=\"20\"><text x=\"{x}\" y=\"{y}\">{sign}</text>");
    for held in hand {
        y += 24;
        let count = if held.count > 1 { held.count.to_string() } else { String::new() };
        let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\">{}{count}</text>", escape(&glyph(&held.kind, rules)));
    }
    *svg += "</g>\n";
}

fn glyph(kind: &str, rules: &Rules) -> String {
    let face = rules.palette.pieces.iter().find(|face| face.kind == kind);
    face.and_then(|face| face.glyph.clone()).unwrap_or_else(|| kind.to_owned())
}

/// Ranks in kanji, where the game is played with kanji.
fn rank(name: &str, rules: &Rules) -> String {
    const KANJI: [&str; 10] = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];
    let place = name.bytes().next().and_then(|letter| KANJI.get(usize::from(letter.wrapping_sub(b'a'))));
    match place {
        Some(kanji) if rules.game.game != "binarsi" => (*kanji).to_owned(),
        _ => name.to_owned(),
    }
}
