//! Boards and texts as rows of coloured words; a plain terminal leaves the colours out.

use game::Color;
use record::notation::{Cell, Diagram};

/// What a word means; the colours are chosen where it is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// Ordinary text.
    Plain,
    /// Less important.
    Faint,
    /// Black's pieces.
    Black,
    /// White's pieces.
    White,
    /// Promoted pieces.
    Promoted,
    /// Pieces that may not be moved now.
    Frozen,
    /// Something is wrong, or has ended.
    Alert,
    /// Something that was asked for.
    Good,
}

/// What marks a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mark {
    /// Nothing.
    #[default]
    None,
    /// The last move touched it.
    Last,
    /// The chosen piece can go there.
    Target,
    /// The piece there is chosen.
    Chosen,
    /// The cursor is there.
    Cursor,
}

/// A part of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The words.
    pub text: String,
    /// What they mean.
    pub tone: Tone,
    /// What marks the square that they are.
    pub mark: Mark,
}

/// A row of the screen.
pub type Row = Vec<Span>;

/// A row of one kind of words.
#[must_use]
pub fn line(text: &str, tone: Tone) -> Row {
    vec![Span { text: text.to_owned(), tone, mark: Mark::None }]
}

/// Columns that a character takes on terminals.
#[must_use]
pub fn width(text: &str) -> usize {
    text.chars().map(|c| if (c as u32) < 0x1100 || ('☀'..='⛿').contains(&c) { 1 } else { 2 }).sum()
}

/// A text cut into rows of so many columns.
#[must_use]
pub fn wrapped(text: &str, columns: usize, tone: Tone) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in text.split('\n') {
        let (mut row, mut used) = (String::new(), 0);
        for word in words(part) {
            let wide = width(&word);
            if used > 0 && used + wide > columns {
                rows.push(line(row.trim_end(), tone));
                (row, used) = (String::new(), 0);
            }
            if used == 0 && wide > columns {
                for c in word.chars() {
                    let wide = width(&c.to_string());
                    if used + wide > columns {
                        rows.push(line(&row, tone));
                        (row, used) = (String::new(), 0);
                    }
                    row.push(c);
                    used += wide;
                }
            } else {
                used += wide;
                row += &word;
            }
        }
        rows.push(line(row.trim_end(), tone));
    }
    rows
}

/// Words with the blanks behind them; Japanese may break anywhere.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for c in text.chars() {
        let joins = words
            .last()
            .and_then(|word| word.chars().next_back())
            .is_some_and(|last| c == ' ' || (last.is_ascii() && c.is_ascii() && last != ' '));
        match words.last_mut().filter(|_| joins) {
            Some(word) => word.push(c),
            None => words.push(c.to_string()),
        }
    }
    words
}

/// How a board is seen.
pub struct Look<'a> {
    /// The board.
    pub diagram: &'a Diagram,
    /// The mark of each square.
    pub marks: &'a dyn Fn(usize) -> Mark,
    /// Whether White sits below.
    pub flipped: bool,
    /// Whether marks must be signs, for screens without colours.
    pub signs: bool,
}

impl Look<'_> {
    /// The squares row by row, as they are seen.
    fn order(&self, count: usize) -> Vec<usize> {
        if self.flipped { (0..count).rev().collect() } else { (0..count).collect() }
    }

    /// The board with the names of files and ranks.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        let Diagram { files, ranks, cells, .. } = self.diagram;
        let (columns, lines) = (self.order(files.len()), self.order(ranks.len()));
        let head = columns.iter().map(|column| format!("{:>3}", short(&files[*column])));
        let head = head.collect::<Vec<_>>().concat();
        let mut rows = vec![line(&head, Tone::Faint)];
        for row in lines {
            let mut spans: Row = Vec::new();
            for column in &columns {
                let index = row * files.len() + column;
                spans.push(self.cell(cells.get(index).and_then(Option::as_ref), (self.marks)(index)));
            }
            spans.push(Span {
                text: format!(" {}", short(&ranks[row])),
                tone: Tone::Faint,
                mark: Mark::None,
            });
            rows.push(spans);
        }
        rows
    }

    fn cell(&self, cell: Option<&Cell>, mark: Mark) -> Span {
        let sign = match mark {
            Mark::Last if self.signs => '*',
            Mark::Target if self.signs => '+',
            Mark::Chosen | Mark::Cursor if self.signs => '>',
            _ => ' ',
        };
        let Some(Cell { text, color, promoted, frozen }) = cell else {
            let dot = if self.diagram.stones { " ." } else { "・" };
            return Span { text: format!("{sign}{dot}"), tone: Tone::Faint, mark };
        };
        let (is_white, stones) = (*color == Color::White, self.diagram.stones);
        let text = if stones { if is_white { "0" } else { "1" } } else { text };
        let owner = if is_white && !stones { 'v' } else { sign };
        let pad = " ".repeat(2usize.saturating_sub(width(text)));
        let tone = match (frozen, promoted, color) {
            (true, ..) => Tone::Frozen,
            (_, true, _) => Tone::Promoted,
            (_, _, Color::Black) => Tone::Black,
            (_, _, Color::White) => Tone::White,
        };
        // Three columns: the owner's mark, and a kanji or letters.
        let owner = if width(text) > 2 { String::new() } else { owner.to_string() };
        Span { text: format!("{owner}{pad}{text}"), tone, mark }
    }

    /// The pieces in the hand of a player.
    #[must_use]
    pub fn hand(&self, color: Color) -> String {
        let held = self.diagram.hands[color.index()].iter();
        let held = held.map(|(text, count)| if *count > 1 { format!("{text}{count}") } else { text.clone() });
        held.collect::<Vec<_>>().join(" ")
    }
}

/// A locked way of Binarsi is a `#`.
fn short(name: &str) -> String {
    if name.ends_with('🔒') { "#".to_owned() } else { name.to_owned() }
}

/// A row without colours.
#[must_use]
pub fn plain(row: &Row) -> String {
    row.iter().map(|span| span.text.as_str()).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;
    use record::notation::Readable;
    use shogi::Shogi;

    #[test]
    fn boards_fit_forty_columns() {
        let position = Shogi::default().startpos();
        let diagram = Shogi::diagram(&position);
        let marks = |index: usize| if index == 60 { Mark::Last } else { Mark::None };
        let look = Look { diagram: &diagram, marks: &marks, flipped: false, signs: true };
        let rows: Vec<String> = look.rows().iter().map(plain).collect();
        assert_eq!(rows.len(), 10);
        assert_eq!(rows[1], "v香v桂v銀v金v玉v金v銀v桂v香 一");
        assert!(rows[7].contains("*歩"), "{}", rows[7]);
        assert!(rows.iter().all(|row| width(row) <= 40));
        let flipped = Look { flipped: true, signs: true, ..look };
        assert!(plain(&flipped.rows()[1]).ends_with('九'));
    }

    #[test]
    fn long_texts_are_cut_where_words_end() {
        let rows = |text, columns| wrapped(text, columns, Tone::Plain).iter().map(plain).collect::<Vec<_>>();
        assert_eq!(rows("one two three", 8), ["one two", "three"]);
        assert_eq!(rows("凍結の残り", 6), ["凍結の", "残り"]);
        assert_eq!(rows("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(rows("a\n\nb", 9), ["a", "", "b"]);
    }
}
