//! `makebook stera`: grows a book at the ends of its best lines with our engine.

use super::{Makebook, Result, Say, Words, close, unknown, with_children};
use crate::{
    BookFormat, BookMove, Effort, GrowingBook, LineEnd, Output, Problems, SteraOptions, SteraTree,
    WorkOptions, open_stream, read_game_lines, read_roots, sort_book,
};
use shogi::Position;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Arguments. A file that is named must exist; one with its default name need not.
struct Given {
    read: Option<PathBuf>,
    write: PathBuf,
    roots: Option<PathBuf>,
    games: Option<PathBuf>,
    /// Number of positions after which the book is saved.
    save_every: usize,
    nodes: u64,
    /// Maximum number of positions to search.
    most: usize,
    options: SteraOptions,
}

/// Searches end by nodes, hardly ever by depth.
const DEPTH: u32 = 32;
/// More moves than any position has.
const ALL_MOVES: usize = 600;

impl Given {
    fn read(words: &mut Words<'_>) -> Result<Self> {
        let mut given = Self {
            read: if_there("book/read_book.db"),
            write: "book/write_book.db".into(),
            roots: if_there("book/root_sfens.txt"),
            games: if_there("book/kif_sfens.txt"),
            save_every: 10_000,
            nodes: 30_000,
            most: 10_000_000,
            options: SteraOptions::default(),
        };
        while let Some(word) = words.next() {
            match word {
                "read_book" => given.read = Some(words.name("a book")?),
                "write_book" => given.write = words.name("the book to write")?,
                "root_sfens_name" => given.roots = Some(words.name("a list of roots")?),
                "kif_sfens_name" => given.games = Some(words.name("a list of games")?),
                "book_save_interval" => given.save_every = words.number(word)?,
                "nodes_limit" => given.nodes = words.number(word)?,
                "think_limit" => given.most = words.number(word)?,
                "ranged_alpha_beta_loop" => given.options.leaves = words.number(word)?,
                "search_delta_on_kif" => given.options.kif_bonus = words.number(word)?,
                other => return unknown(other),
            }
        }
        words.check(&given.write, Output::Book(BookFormat::Db))?;
        Ok(given)
    }
}

impl Makebook<'_> {
    /// Searches the ends of best lines until the limit is reached or none is left.
    pub(super) fn stera(&self, words: &mut Words<'_>, say: Say<'_>) -> Result<()> {
        let given = Given::read(words)?;
        if let Some(read) = given.read.as_ref().filter(|_| !given.write.exists()) {
            sort_book(read, &given.write, &WorkOptions::default(), &mut |_| ())?;
            say(&format!("write {}", given.write.display()));
        }
        let mut growing = GrowingBook::open(&given.write, LineEnd::CrLf)?;
        let mut tree = SteraTree::default();
        let written = Some(&given.write).filter(|path| path.exists());
        for book in given.read.iter().chain(written) {
            tree.read_more(&mut open_stream(book, Problems::stop())?)?;
        }
        // The journal of an interrupted run is only part of the growing book.
        tree.read_more(&mut crate::Entries::new(growing.book().entries()))?;
        if let Some(games) = &given.games {
            mark_games(&mut tree, games)?;
        }
        let roots = match &given.roots {
            Some(path) => read_roots(path)?.into_iter().map(|(position, _)| position).collect(),
            None => with_children(Position::startpos()),
        };
        say(&format!("read {} nodes with all moves , {} roots", tree.len(), roots.len()));
        let effort = Effort { depth: DEPTH, nodes: Some(given.nodes), multi_pv: ALL_MOVES };
        let mut done = 0;
        while done < given.most && !(self.stopped)() {
            let mut leaves: Vec<Position> =
                roots.iter().flat_map(|root| tree.leaves(root, given.options)).collect();
            leaves.truncate(given.most - done);
            if leaves.is_empty() {
                say("no leaf is left");
                break;
            }
            self.think_through(&mut growing, &leaves, effort, Duration::MAX, say)?;
            for leaf in &leaves {
                let moves: Vec<BookMove> =
                    growing.book().find(leaf).map(|entry| entry.moves).unwrap_or_default();
                tree.enter(leaf, &moves);
            }
            done += leaves.len();
            if growing.unsaved() >= given.save_every {
                growing.save()?;
            }
        }
        close(growing, &given.write, say)
    }
}

fn if_there(name: &str) -> Option<PathBuf> {
    Some(PathBuf::from(name)).filter(|path| path.exists())
}

fn mark_games(tree: &mut SteraTree, games: &Path) -> Result<()> {
    read_game_lines(games, usize::MAX, |_, _, game| {
        for position in crate::positions_of_game(&game, 1, usize::MAX, None) {
            tree.mark_kif(&position);
        }
        Ok(())
    })?;
    Ok(())
}
