//! Chooses positions just outside of a book where it should grow.

use crate::grow::collection::Plies;
use crate::minmax::either_key;
use crate::{Collection, Leaf, Library, SolvedBook};
use shogi::{Color, Position};
use std::collections::HashSet;

/// How to choose positions.
pub enum LeafPolicy<'a> {
    /// The ends of the best lines (`peta_shock_next`).
    Next,
    /// Lines whose best searched move loses at least `margin` by min-max.
    Refutation {
        /// The margin.
        margin: i32,
    },
    /// Positions from which one move leads back into the book.
    Rejoin,
    /// Where games leave the book.
    Unsolved {
        /// The games, as positions with their moves played.
        games: &'a [crate::GameLine],
    },
    /// Where another book leaves this one, when this side plays our best moves.
    Opponent {
        /// The other book.
        library: &'a Library,
        /// Our side.
        side: Color,
    },
}

/// Chooses at most `count` positions outside of the book, each once (rotations count as the same). `raw` is the book
/// before min-max, `solved` after it.
#[must_use]
pub fn choose_leaves(
    raw: &Collection,
    solved: &SolvedBook,
    roots: &[(Position, String)],
    policy: &LeafPolicy<'_>,
    count: usize,
) -> Vec<Position> {
    let mut chosen = Chosen { solved, seen: HashSet::new(), positions: Vec::new(), count };
    match policy {
        LeafPolicy::Next => {
            for Leaf { position, .. } in solved.next_leaves(roots, count) {
                chosen.add(&position);
            }
        }
        LeafPolicy::Refutation { margin } => chosen.refutations(raw, *margin),
        LeafPolicy::Rejoin => chosen.rejoins(raw),
        LeafPolicy::Unsolved { games } => chosen.ends_of(games),
        LeafPolicy::Opponent { library, side } => {
            for (root, _) in roots {
                chosen.against(library, *side, root);
            }
        }
    }
    chosen.positions
}

struct Chosen<'a> {
    solved: &'a SolvedBook,
    seen: HashSet<u128>,
    positions: Vec<Position>,
    count: usize,
}

/// Limit of a line's length.
const LONGEST: u32 = 256;

impl Chosen<'_> {
    fn is_full(&self) -> bool {
        self.positions.len() >= self.count
    }

    fn add(&mut self, position: &Position) {
        let open = position.has_legal_move() && !self.solved.has(position);
        if open && !self.is_full() && self.seen.insert(either_key(position)) {
            self.positions.push(position.clone());
        }
    }

    fn refutations(&mut self, raw: &Collection, margin: i32) {
        let mut turned = Vec::new();
        for entry in raw.entries() {
            let Ok(position) = entry.position() else { continue };
            let Some(thought) = entry.moves.iter().max_by_key(|m| m.value) else { continue };
            let Some((best, worth)) = self.solved.best(&position) else { continue };
            let drop = thought.value - i32::from(worth.value);
            if thought.play != Some(best) && drop >= margin {
                turned.push((drop, position));
            }
        }
        turned.sort_by_key(|(drop, position)| (-drop, position.sfen()));
        for (_, mut position) in turned {
            if self.is_full() {
                break;
            }
            // Follow the best line to its end.
            for _ in 0..LONGEST {
                let Some((best, _)) = self.solved.best(&position) else { break };
                if !position.is_legal(best) {
                    break;
                }
                position.do_move(best);
            }
            self.add(&position);
        }
    }

    fn rejoins(&mut self, raw: &Collection) {
        for entry in raw.entries() {
            let Ok(mut position) = entry.position() else { continue };
            for m in entry.moves.iter().filter_map(|m| m.play) {
                if self.is_full() {
                    return;
                }
                if !position.is_legal(m) {
                    continue;
                }
                position.do_move(m);
                if !self.solved.has(&position) && self.leads_back(&mut position) {
                    self.add(&position);
                }
                position.undo_move();
            }
        }
    }

    fn leads_back(&self, position: &mut Position) -> bool {
        position.legal_moves().iter().any(|m| {
            position.do_move(*m);
            let back = self.solved.has(position);
            position.undo_move();
            back
        })
    }

    fn ends_of(&mut self, games: &[crate::GameLine]) {
        for game in games {
            let mut position = game.start.clone();
            let mut moves = game.moves.iter();
            while self.solved.has(&position) {
                let Some(m) = moves.next() else { break };
                position.do_move(*m);
            }
            self.add(&position);
        }
    }

    fn against(&mut self, library: &Library, side: Color, root: &Position) {
        let mut open = vec![root.clone()];
        let mut visited = HashSet::new();
        while let Some(mut position) = open.pop() {
            if self.is_full() {
                return;
            }
            if !visited.insert(position.key128()) || position.ply() > LONGEST {
                continue;
            }
            if !self.solved.has(&position) {
                self.add(&position);
                continue;
            }
            let moves = if position.side() == side {
                self.solved.best(&position).map(|(best, _)| best).into_iter().collect::<Vec<_>>()
            } else {
                // Positions that cannot be read count as having no moves.
                let theirs = library.find(&position, Plies::Ignored, true).unwrap_or_default();
                theirs.iter().rev().filter_map(|m| m.play).collect()
            };
            for m in moves {
                if position.is_legal(m) {
                    position.do_move(m);
                    open.push(position.clone());
                    position.undo_move();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameLine, Loading, OpenBook, Problems, open_stream, parse_root};
    use std::path::Path;

    fn after(moves: &str) -> Position {
        let game = GameLine::parse(moves, 99).unwrap();
        let mut position = game.start;
        for m in game.moves {
            position.do_move(m);
        }
        position
    }

    /// Writes a book of the positions after these moves.
    fn write(path: &Path, positions: &[(&str, &str)]) {
        let mut text = String::new();
        for (moves, listed) in positions {
            text.extend(["sfen ", &after(moves).sfen(), "\n", listed, "\n"]);
        }
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn every_policy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        write(
            &path,
            &[
                ("", "7g7f none 50\n2g2f none 40"),
                ("7g7f", "3c3d none 30\n8c8d none 10"),
                ("2g2f 3c3d", "2f2e none 5"),
            ],
        );
        let raw =
            Collection::read(&mut open_stream(&path, Problems::stop()).unwrap(), Plies::Matter).unwrap();
        let solved = SolvedBook::read(&path, 2, &|_, _| ()).unwrap();
        let roots = [parse_root("startpos").unwrap()];
        let lines: Vec<String> = solved.next_leaves(&roots, 3).into_iter().map(|leaf| leaf.line).collect();
        let expected = ["2g2f", "7g7f 3c3d", "7g7f 8c8d"].map(|line| format!("startpos moves {line}"));
        assert_eq!(lines, expected);
        let chosen = |policy: &LeafPolicy<'_>| -> Vec<String> {
            choose_leaves(&raw, &solved, &roots, policy, 10).iter().map(Position::sfen).collect()
        };
        let sfens = |lines: &[&str]| -> Vec<String> { lines.iter().map(|line| after(line).sfen()).collect() };
        assert_eq!(chosen(&LeafPolicy::Refutation { margin: 5 }), sfens(&["2g2f"]));
        assert!(chosen(&LeafPolicy::Refutation { margin: 100 }).is_empty());
        assert!(chosen(&LeafPolicy::Rejoin).contains(&after("2g2f").sfen()));
        let games = [GameLine::parse("7g7f 3c3d 2g2f", 9).unwrap()];
        assert_eq!(chosen(&LeafPolicy::Unsolved { games: &games }), sfens(&["7g7f 3c3d"]));
        let other = folder.path().join("b.db");
        write(&other, &[("", "7g7f none 0"), ("7g7f", "8c8d none 0")]);
        let mut library = Library::default();
        assert!(matches!(library.add(&other, Loading::Memory), Ok(OpenBook::Text(_))));
        let opponent = |side| LeafPolicy::Opponent { library: &library, side };
        assert_eq!(chosen(&opponent(Color::Black)), sfens(&["2g2f"]));
        assert_eq!(chosen(&opponent(Color::White)), sfens(&["7g7f 3c3d"]));
    }
}
