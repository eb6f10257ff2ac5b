//! `games find`: positions, with all transpositions, and patterns.

use super::print::{COUNTS_HEAD, counts_text, game_line, print_json};
use super::wanted::{RulesArgs, WantedArgs};
use crate::words::cores;
use anyhow::bail;
use library::{
    Explored, GameInfo, HandWish, Hit, Library, Pattern, Place, Played, Rules, SquareWish, TreeMove,
};
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// Find the games that reach a position, by any order of moves, and the moves played there; or the games with a
/// pattern.
///
///     tsumugi games --db my.games find --moves "7g7f 3c3d"
///     tsumugi games --db my.games find --position "sfen lnsgkgsnl/… w - 2" --tree 3 --min-games 5
///     tsumugi games --db my.games find --piece 7g=S --piece 8h=K --hand B
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
pub struct FindArgs {
    /// The position: startpos, or an SFEN, optionally followed by moves MOVE...
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Moves from there (from the start position without --position), in USI.
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Show the tree of moves N plies deep instead of the games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64), conflicts_with_all = ["piece", "hand"])]
    tree: Option<u32>,
    /// Leave moves of fewer games out of the tree.
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_games: u64,
    /// Only positions with this piece on this square: 7g=P, 5a=k (White's), 2h=+R, 5e=. (empty), 5e=* (any); may be given more than once.
    #[arg(long, value_name = "SQUARE=PIECE", conflicts_with_all = ["position", "moves"])]
    piece: Vec<SquareWish>,
    /// Only positions with these pieces in hand, at least: B, `R2Pb` (capital letters are Black's).
    #[arg(long, value_name = "PIECES", conflicts_with_all = ["position", "moves"])]
    hand: Vec<HandWish>,
    #[command(flatten)]
    wanted: WantedArgs,
    #[command(flatten)]
    rules: RulesArgs,
    /// Show at most so many games.
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// As JSON.
    #[arg(long)]
    json: bool,
}

/// A matching game.
#[derive(Serialize)]
struct FoundGame {
    /// The number of moves before the position.
    ply: u32,
    #[serde(flatten)]
    game: GameInfo,
}

#[derive(Serialize)]
struct Found {
    #[serde(flatten)]
    explored: Explored,
    /// The first games, up to the limit.
    found: Vec<FoundGame>,
}

#[derive(Serialize)]
struct FoundPattern {
    games: usize,
    found: Vec<FoundGame>,
}

#[derive(Serialize)]
struct FoundTree {
    #[serde(flatten)]
    explored: Explored,
    tree: Vec<TreeMove>,
}

impl FindArgs {
    pub fn run(&self, library: &Library) -> anyhow::Result<()> {
        let catalogue = self.rules.catalogue()?;
        let rules = Rules(&catalogue);
        let pattern = Pattern { squares: self.piece.clone(), hands: self.hand.clone() };
        if !pattern.is_empty() {
            return self.patterns(library, rules, &pattern);
        }
        if self.position.is_none() && self.moves.is_none() {
            bail!("what is to be found? give --position, --moves, --piece or --hand");
        }
        // The index knows the game of a position; to ask for it again would only cost time.
        let mut filter = self.wanted.filter();
        let variant = filter.variant.take().unwrap_or_else(|| "shogi".to_owned());
        let place = Place { variant, command: self.command() };
        let explored = library.explore(rules, &place, &filter)?;
        if let Some(depth) = self.tree {
            let tree = library.tree(rules, &place, &filter, depth, self.min_games)?;
            return if self.json {
                print_json(&FoundTree { explored, tree })
            } else {
                print_tree(&explored, &tree)
            };
        }
        let hits = library.games_at(rules, &place, &filter)?;
        let found = self.infos(library, &hits);
        if self.json { print_json(&Found { explored, found }) } else { print_found(&explored, &found) }
    }

    fn command(&self) -> String {
        let position = self.position.as_deref().unwrap_or("startpos").trim();
        match self.moves.as_deref() {
            None => position.to_owned(),
            Some(moves) if position.contains(" moves ") => format!("{position} {moves}"),
            Some(moves) => format!("{position} moves {moves}"),
        }
    }

    fn infos(&self, library: &Library, hits: &[Hit]) -> Vec<FoundGame> {
        let info = |hit: &Hit| Some(FoundGame { ply: hit.ply, game: library.game(hit.number)? });
        hits.iter().take(self.limit).filter_map(info).collect()
    }

    fn patterns(&self, library: &Library, rules: Rules<'_>, pattern: &Pattern) -> anyhow::Result<()> {
        let filter = self.wanted.filter();
        let hits = library.games_like(rules, pattern, &filter, cores())?;
        let found = self.infos(library, &hits);
        if self.json {
            return print_json(&FoundPattern { games: hits.len(), found });
        }
        let mut out = BufWriter::new(io::stdout().lock());
        writeln!(out, "{} games", hits.len())?;
        print_games(&mut out, &found)?;
        Ok(out.flush()?)
    }
}

fn print_games(out: &mut impl Write, found: &[FoundGame]) -> io::Result<()> {
    found.iter().try_for_each(|FoundGame { ply, game }| writeln!(out, "{}  (move {ply})", game_line(game)))
}

fn print_head(out: &mut impl Write, explored: &Explored) -> io::Result<()> {
    writeln!(out, "{}", explored.position)?;
    writeln!(out, "{COUNTS_HEAD}")?;
    writeln!(out, "{}", counts_text(&explored.counts))?;
    if explored.ended > 0 {
        writeln!(out, "{:>8}  end here", explored.ended)?;
    }
    Ok(())
}

fn print_found(explored: &Explored, found: &[FoundGame]) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    print_head(&mut out, explored)?;
    for Played { usi, text, counts } in &explored.moves {
        writeln!(out, "{}  {usi:5}  {text}", counts_text(counts))?;
    }
    if !found.is_empty() {
        writeln!(out)?;
        print_games(&mut out, found)?;
    }
    Ok(out.flush()?)
}

fn print_tree(explored: &Explored, tree: &[TreeMove]) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    print_head(&mut out, explored)?;
    print_branches(&mut out, tree, 0)?;
    Ok(out.flush()?)
}

fn print_branches(out: &mut impl Write, tree: &[TreeMove], depth: usize) -> io::Result<()> {
    for TreeMove { played, moves } in tree {
        let indent = "  ".repeat(depth);
        writeln!(out, "{}  {indent}{:5}  {}", counts_text(&played.counts), played.usi, played.text)?;
        print_branches(out, moves, depth + 1)?;
    }
    Ok(())
}
