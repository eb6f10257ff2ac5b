//! Games that were added twice: with the same moves, or as the beginning of another.

use super::GameFilter;
use crate::format::row::Text;
use crate::store::GameView;
use crate::{GameNumber, Library};
use serde::Serialize;

/// Games with the same moves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Copies {
    /// Number of moves.
    pub plies: u32,
    /// The games, in the order in which they were added.
    pub games: Vec<GameNumber>,
}

/// Games that are the same as far as they go.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DuplicateGroup {
    /// Those with the fewest moves first; each but the first begins with the moves of the first.
    pub copies: Vec<Copies>,
}

impl Library {
    /// Finds games that have the same start and moves, whatever their headers say, and games of `least` moves or more that are
    /// the beginning of a longer one.
    #[must_use]
    pub fn duplicates(&self, filter: &GameFilter, least: u32) -> Vec<DuplicateGroup> {
        let mut views: Vec<_> = self.views().filter(|view| filter.passes(view)).collect();
        // Games that begin with another one stand behind it: a blank comes before every character of a move.
        views.sort_by(|a, b| order(a).cmp(&order(b)).then(a.number.cmp(&b.number)));
        let mut groups: Vec<DuplicateGroup> = Vec::new();
        let mut first: Option<&GameView<'_>> = None;
        for same in views.chunk_by(|a, b| order(a) == order(b)) {
            let copies =
                Copies { plies: same[0].row.plies, games: same.iter().map(|view| view.number).collect() };
            match (&first, groups.last_mut()) {
                (Some(shorter), Some(group)) if shorter.row.plies >= least && begins(shorter, &same[0]) => {
                    group.copies.push(copies);
                }
                _ => {
                    first = Some(&same[0]);
                    groups.push(DuplicateGroup { copies: vec![copies] });
                }
            }
        }
        groups.retain(|group| group.copies.len() > 1 || group.copies[0].games.len() > 1);
        groups.sort_by_key(|group| group.copies[0].games[0]);
        groups
    }
}

fn order<'a>(view: &GameView<'a>) -> (&'a str, &'a str, &'a str) {
    let text = |text| view.segment.text(&view.row, text);
    (text(Text::Variant), text(Text::Start), view.segment.moves(&view.row))
}

/// Whether a game goes on where another ends.
fn begins(shorter: &GameView<'_>, longer: &GameView<'_>) -> bool {
    let (short, long) = (order(shorter), order(longer));
    (short.0, short.1) == (long.0, long.1)
        && long.2.strip_prefix(short.2).is_some_and(|rest| short.2.is_empty() || rest.starts_with(' '))
}
