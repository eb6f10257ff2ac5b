//! `tsumugi convert` and `tsumugi show`.

use crate::game_filters::GameFilters;
use crate::games::{self, Catalogue};
use crate::terminal::{Bar, warn};
use crate::words::{LINE_ENDS, Words, cores, one_of};
use anyhow::Context;
use record::convert::{Content, Destination, Existing, Input, Job, Report};
use record::encoding::{Encoding, LineEnd};
use record::freeze::NoteStyle;
use record::notation::{self, Notation};
use record::{Format, IllegalMoves, ReadOptions, ShowOptions, WriteOptions};
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Convert game records: KIF, KI2, CSA, JKF, USI, USEN and BOD, in UTF-8 or `Shift_JIS`.
///
/// Format and encoding of the input are detected. Illegal moves end their line, with a warning; information that the
/// new format cannot hold is reported.
///
///     tsumugi convert game.kif --to csa
///     tsumugi convert games/ archive.zip "more/**/*.csa" -o kifu/ --to kif
///     tsumugi convert floodgate/ -o book.sfen --sfen --min-rating 3000 --min-ply 60
#[derive(clap::Args, PartialEq, Debug)]
#[command(verbatim_doc_comment)]
#[allow(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub struct ConvertArgs {
    /// Files, folders (with all below them), zip archives, patterns such as 'games/**/*.kif'; - is standard input.
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
    /// One file for all games, or a folder (existing, or with a / at the end) with a file for each; standard output by
    /// default.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// kif, ki2, csa, csa3, jkf, usi, usen or bod; by default the extension of OUT.
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Read all files as this format instead of detecting it.
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// utf-8, utf-8-bom or shift-jis; by default the usual encoding of the format (KIF, KI2, BOD: shift-jis).
    #[arg(long, value_name = "ENCODING")]
    encoding: Option<Encoding>,
    /// Line ends; by default the usual ones of the format (KIF, KI2, BOD: crlf).
    #[arg(long, value_parser = one_of(LINE_ENDS), value_name = "END")]
    eol: Option<LineEnd>,
    /// One `startpos moves ...` line per game, for book tools: the same as --to usi.
    #[arg(long, conflicts_with_all = ["to", "positions"])]
    sfen: bool,
    /// Every position of every main line as SFEN, one per line.
    #[arg(long, conflicts_with = "to")]
    positions: bool,
    /// The games are of Freeze shogi, as --variant freeze says, too. KIF is written with the notes on freezes as comments, or
    /// inline: on the lines of the moves.
    #[arg(
        long,
        value_parser = one_of(NOTES),
        value_name = "NOTES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "comments",
        conflicts_with = "keep_illegal"
    )]
    freeze: Option<NoteStyle>,
    #[command(flatten)]
    variant: VariantChoice,
    /// Keep illegal moves.
    #[arg(long)]
    keep_illegal: bool,
    /// Replace existing files.
    #[arg(long, visible_alias = "force")]
    overwrite: bool,
    /// Skip existing files.
    #[arg(long, conflicts_with = "overwrite")]
    skip_existing: bool,
    /// Only games with a player whose name contains this; may be repeated.
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    player: Vec<String>,
    #[command(flatten)]
    filters: GameFilters,
    /// Number of threads; by default one per core.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Write all warnings and failures to this file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// No progress bar, warnings or summary; only failures.
    #[arg(short, long)]
    quiet: bool,
}

/// Where notes on freezes are written.
const NOTES: &Words<NoteStyle> = &[("comments", "", NoteStyle::Comments), ("inline", "", NoteStyle::Inline)];

/// Show a game record: header, moves, comments, branches and diagrams.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct ShowArgs {
    /// The file; - is standard input.
    file: PathBuf,
    /// Number of the game in files with several.
    #[arg(long, default_value = "1")]
    game: NonZeroUsize,
    /// Show only the position after this many moves.
    #[arg(long, value_name = "N")]
    ply: Option<u32>,
    /// Show a diagram every N moves; 0 for only the first and the last.
    #[arg(long, value_name = "N", default_value_t = 0)]
    every: u32,
    /// Read as this format instead of detecting it.
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// The game is one of Freeze shogi.
    #[arg(long, conflicts_with = "keep_illegal")]
    freeze: bool,
    #[command(flatten)]
    variant: VariantChoice,
    /// Keep illegal moves.
    #[arg(long)]
    keep_illegal: bool,
}

/// The selected game, if any.
#[derive(clap::Args, PartialEq, Eq, Debug, Clone, Default)]
pub struct VariantChoice {
    /// The game, as `USI_Variant` names it. Without this each record says it: by its field 棋種, by notes on freezes; all others are
    /// of shogi. Games of a variants.ini and Binarsi are read from and written to KIF and USI lines.
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// A variants.ini with more games.
    #[arg(long, value_name = "FILE")]
    variant_path: Option<String>,
}

impl VariantChoice {
    /// As flags say it.
    pub fn of(variant: Option<String>, variant_path: Option<String>) -> Self {
        Self { variant, variant_path }
    }

    /// The name of the game.
    pub fn name(&self) -> Option<&str> {
        self.variant.as_deref()
    }

    /// The file of further games.
    pub fn path(&self) -> Option<&str> {
        self.variant_path.as_deref()
    }

    /// The notation for reading records.
    pub fn notation(
        &self,
        freeze: Option<NoteStyle>,
        illegal: IllegalMoves,
    ) -> anyhow::Result<Arc<dyn Notation>> {
        let path = self.variant_path.as_deref();
        let games = match path {
            Some(_) => OnceLock::from(games::with_file(path)?),
            None => OnceLock::new(),
        };
        let find = move |name: &str| games.get_or_init(Catalogue::default).variant(name);
        Ok(notation::choose(self.variant.as_deref(), freeze, illegal, Box::new(find))?)
    }
}

fn illegal_moves(keep: bool) -> IllegalMoves {
    if keep { IllegalMoves::Keep } else { IllegalMoves::Cut }
}

impl ConvertArgs {
    fn job(&self) -> anyhow::Result<Job> {
        let illegal = illegal_moves(self.keep_illegal);
        let destination = Destination::from(self.output.as_ref());
        let lines = self.sfen || self.positions;
        let format = destination.format(if lines { Some(Format::Usi) } else { self.to })?;
        let notation = self.variant.notation(self.freeze, illegal)?;
        let write =
            notation.write_options(WriteOptions { format, encoding: self.encoding, line_end: self.eol })?;
        Ok(Job {
            notation,
            inputs: self.inputs.iter().map(Input::from).collect(),
            destination,
            content: if self.positions { Content::Positions } else { Content::Record },
            read: ReadOptions { format: self.from, promised: None, illegal },
            write,
            filter: self.filters.filter(&self.player),
            threads: self.threads.map_or_else(cores, NonZeroUsize::get),
            existing: Existing::of_switches(self.overwrite, self.skip_existing),
        })
    }
}

/// Runs `convert`.
pub fn convert(args: &ConvertArgs) -> anyhow::Result<()> {
    let job = args.job()?;
    let report = Report::new(Bar::of_bytes(!args.quiet), args.quiet, args.log.clone())?;
    let summary = record::convert::convert(&job, &report)?;
    report.screen().clear();
    Ok(report.finish(&summary, job.existing)?)
}

/// Runs `show`.
pub fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let name = args.file.display().to_string();
    let mut bytes = Vec::new();
    if args.file == Path::new("-") {
        io::stdin().read_to_end(&mut bytes).context("standard input")?;
    } else {
        bytes = std::fs::read(&args.file).with_context(|| name.clone())?;
    }
    let illegal = illegal_moves(args.keep_illegal);
    let notation = args.variant.notation(args.freeze.then(NoteStyle::default), illegal)?;
    let options = ReadOptions { format: args.from, promised: Format::of_path(&args.file), illegal };
    let game = notation.read_file(&bytes, &options).into_iter().nth(args.game.get() - 1);
    let none = || format!("{name}: there is no game {}", args.game);
    let game = game.with_context(none)?.with_context(|| name.clone())?;
    for notice in game.notices() {
        warn(format_args!("warning: {name}: {}", notice.text));
    }
    let moves = game.move_count();
    if args.ply.is_some_and(|ply| ply as usize > moves) {
        warn(format_args!("warning: {name}: the game ends after {moves} moves; this is its last position"));
    }
    let shown = game.show(&ShowOptions { ply: args.ply, every: args.every });
    Ok(io::stdout().lock().write_all(shown.as_bytes())?)
}
