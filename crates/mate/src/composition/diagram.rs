//! A problem as a diagram for publication: SVG, letters as text.

use platform::svg::escape;
use shogi::{Color, Hand, Position, Square};
use std::fmt::Write;

/// The side of a square, and the space around the board.
const SQUARE: usize = 36;
const MARGIN: usize = 28;
/// Space for the attacker's hand.
const HAND: usize = 44;
const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Draws a problem: the board, and the attacker's hand beside it. The defender holds the rest by convention.
#[must_use]
pub fn diagram_svg(position: &Position, attacker: Color, title: &str) -> String {
    // Composers' diagrams show the attacker from below.
    let seen = if attacker == Color::White { position.flip() } else { position.clone() };
    let board = 9 * SQUARE;
    let (width, height) = (2 * MARGIN + board + HAND, 2 * MARGIN + board);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" text-anchor=\"middle\" \
         font-family=\"'Noto Serif CJK JP','Hiragino Mincho ProN','Yu Mincho',serif\"><title>{}</title>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n<path fill=\"none\" stroke=\"#222\" d=\"",
        escape(title)
    );
    // Writing to a string cannot fail.
    for line in 0..=9 {
        let at = MARGIN + line * SQUARE;
        let _ = write!(svg, "M{at} {MARGIN}v{board}M{MARGIN} {at}h{board}");
    }
    svg += "\"/>\n<g font-size=\"12\" fill=\"#444\">";
    for (index, rank) in RANKS.iter().enumerate() {
        let middle = MARGIN + index * SQUARE + SQUARE / 2;
        let (file, x) = (9 - index, MARGIN + board + 12);
        let _ = write!(svg, "<text x=\"{middle}\" y=\"{}\">{file}</text>", MARGIN - 8);
        let _ = write!(svg, "<text x=\"{x}\" y=\"{}\">{rank}</text>", middle + 4);
    }
    svg += "</g>\n<g font-size=\"25\">\n";
    for square in Square::all() {
        let Some(piece) = seen.piece_at(square) else { continue };
        let x = MARGIN + (8 - square.file() as usize) * SQUARE + SQUARE / 2;
        let y = MARGIN + square.rank() as usize * SQUARE + SQUARE / 2;
        let turn = match piece.color() {
            Color::Black => String::new(),
            Color::White => format!(" transform=\"rotate(180 {x} {y})\""),
        };
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\"{turn}>{}</text>", y + 9, piece.kind().kanji());
    }
    svg += "</g>\n";
    held(&mut svg, seen.hand(Color::Black));
    svg + "</svg>\n"
}

/// The hand, from top to bottom.
fn held(svg: &mut String, hand: Hand) {
    let (x, mut y) = (2 * MARGIN + 9 * SQUARE + HAND / 2, MARGIN + 20);
    *svg += "<g font-size=\"19\">";
    let pieces: Vec<String> = hand
        .iter()
        .map(|(piece, count)| match count {
            1 => piece.kind().kanji().to_string(),
            _ => format!("{}{count}", piece.kind().kanji()),
        })
        .collect();
    let words = if pieces.is_empty() { vec!["なし".to_owned()] } else { pieces };
    for word in ["持", "駒"].into_iter().chain(words.iter().map(String::as_str)) {
        let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\">{word}</text>");
        y += 24;
    }
    *svg += "</g>\n";
}
