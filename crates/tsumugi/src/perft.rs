//! `tsumugi perft`.

use crate::games::{self, Visitor};
use crate::terminal::print;
use anyhow::Context;
use arena::GameFiles;
use std::time::Instant;
use usi::Engine;
use usi::options::Options;
use usi::perft::{MAX_DEPTH, Perft};

/// Count the lines of play below a position.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct PerftArgs {
    /// Length of the lines in moves.
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_DEPTH)))]
    pub depth: u32,
    /// Count from this position instead of the start position; `moves MOVE...` may follow inside the quotes.
    #[arg(long, conflicts_with = "startpos")]
    pub sfen: Option<String>,
    /// Count from the start position (the default).
    #[arg(long)]
    pub startpos: bool,
    /// The game, as `USI_Variant` names it.
    #[arg(long, default_value = "shogi", value_name = "NAME")]
    pub variant: String,
    /// A variants.ini with more games.
    #[arg(long, value_name = "FILE")]
    pub variant_path: Option<String>,
    /// Also show the count below each move.
    #[arg(long)]
    pub divide: bool,
    /// Also make and unmake the last moves, as a search does; the counts are the same.
    #[arg(long, conflicts_with = "divide")]
    pub make: bool,
}

/// Runs the command.
pub fn run(args: &PerftArgs) -> anyhow::Result<()> {
    let games = games::with_file(args.variant_path.as_deref())?;
    games::visit(&games, &args.variant, Count(args))?
}

/// Runs perft of any game.
struct Count<'a>(&'a PerftArgs);

impl Visitor for Count<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: GameFiles, E: Engine<G>>(
        self,
        game: G,
        _: impl FnOnce(&G, &mut Options) -> E,
    ) -> anyhow::Result<()> {
        let args = self.0;
        // Includes everything that players may agree on, such as the freezes of Freeze shogi.
        let game = game.for_referee();
        let command = args.sfen.as_deref().unwrap_or("startpos");
        let mut position =
            game.position_command(command).with_context(|| format!("bad --sfen '{command}'"))?;
        let perft = if args.make {
            let start = Instant::now();
            let nodes = game::perft_making_leaves(&mut position, args.depth);
            Perft { nodes, elapsed: start.elapsed() }
        } else {
            Perft::count(&mut position, args.depth, |m, count| {
                if args.divide { print(format_args!("{m}: {count}")) } else { Ok(()) }
            })?
        };
        let (seconds, speed) = (perft.elapsed.as_secs_f64(), perft.nodes_per_second());
        print(format_args!("Nodes searched: {}", perft.nodes))?;
        Ok(print(format_args!("Time: {seconds:.3} s, {speed} nodes per second"))?)
    }
}
