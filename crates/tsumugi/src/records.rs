//! `tsumugi convert` and `tsumugi show`.

use crate::game_filters::GameFilters;
use crate::variant_records::{self, VariantChoice};
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use record::convert::{Content, Destination, Input, Job, Played, Progress};
use record::encoding::{Encoding, LineEnd};
use record::freeze::NoteStyle;
use record::{Format, IllegalMoves, ReadOptions, ShowOptions, WriteOptions};
use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Convert game records: KIF, KI2, CSA, JKF, USI, USEN and BOD, in UTF-8 or `Shift_JIS`.
///
/// Format and encoding of what is read are found out from its contents. Moves against the rules end their line,
/// with a warning; whatever the new format cannot hold is told, never dropped in silence.
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
    /// One file for all games, or a folder (existing, or with a / at the end) with a file for each; standard
    /// output without this.
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// kif, ki2, csa, csa3, jkf, usi, usen or bod; else what the name of OUT says.
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Read everything as this format, whatever it looks like.
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// utf-8, utf-8-bom or shift-jis; by default what readers of the format expect (KIF, KI2, BOD: shift-jis).
    #[arg(long, value_name = "ENCODING")]
    encoding: Option<Encoding>,
    /// Ends of lines; by default what readers of the format expect (KIF, KI2, BOD: crlf).
    #[arg(long, value_enum, value_name = "END")]
    eol: Option<Eol>,
    /// One `startpos moves ...` line for each game, as book tools want them: the same as --to usi.
    #[arg(long, conflicts_with_all = ["to", "positions"])]
    sfen: bool,
    /// Every position of every main line as SFEN, one to a line.
    #[arg(long, conflicts_with = "to")]
    positions: bool,
    /// The games are of Freeze shogi: what their notes say is frozen is part of the moves (KIF, KI2, USI). KIF is written
    /// with the notes as comments, or inline: on the lines of the moves.
    #[arg(
        long,
        value_enum,
        value_name = "NOTES",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "comments",
        conflicts_with = "keep_illegal"
    )]
    freeze: Option<Notes>,
    #[command(flatten)]
    variant: VariantChoice,
    /// Keep moves against the rules.
    #[arg(long)]
    keep_illegal: bool,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
    /// Only games with a player whose name contains this; may be given more than once.
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    player: Vec<String>,
    #[command(flatten)]
    filters: GameFilters,
    /// Number of threads; by default one for each core.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// No progress bar, no warnings, no summary; only what failed.
    #[arg(short, long)]
    quiet: bool,
}

/// Where notes on freezes are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Notes {
    Comments,
    Inline,
}

/// How lines end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Eol {
    Lf,
    Crlf,
}

/// Show a game record: header, moves, comments, branches and diagrams.
#[derive(clap::Args, PartialEq, Eq, Debug)]
pub struct ShowArgs {
    /// The file; - is standard input.
    file: PathBuf,
    /// Number of the game in files with more than one.
    #[arg(long, default_value = "1")]
    game: NonZeroUsize,
    /// Show only the position after so many moves.
    #[arg(long, value_name = "N")]
    ply: Option<u32>,
    /// Show a diagram after every N moves; 0 for the first and the last only.
    #[arg(long, value_name = "N", default_value_t = 0)]
    every: u32,
    /// Read as this format, whatever it looks like.
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// The game is one of Freeze shogi.
    #[arg(long, conflicts_with = "keep_illegal")]
    freeze: bool,
    #[command(flatten)]
    variant: VariantChoice,
    /// Keep moves against the rules.
    #[arg(long)]
    keep_illegal: bool,
}

fn illegal_moves(keep: bool) -> IllegalMoves {
    if keep { IllegalMoves::Keep } else { IllegalMoves::Cut }
}

impl ConvertArgs {
    /// Records of variants are read and written whole, in UTF-8; nothing that is asked for may be left out silently.
    fn refuse_what_shogi_only_has(&self) -> anyhow::Result<()> {
        let filtered = !self.player.is_empty() || self.filters != GameFilters::default();
        let asked = [
            (self.positions, "--positions"),
            (self.keep_illegal, "--keep-illegal"),
            (self.encoding.is_some_and(|encoding| encoding != Encoding::Utf8), "--encoding"),
            (self.eol == Some(Eol::Crlf), "--eol crlf"),
            (filtered, "filters"),
        ];
        match asked.iter().find(|(asked, _)| *asked) {
            Some((_, option)) => bail!("{option}: not for games of a variants.ini"),
            None => Ok(()),
        }
    }

    fn job(&self) -> anyhow::Result<Job> {
        let destination = self.destination();
        let named = match &destination {
            Destination::File(path) => Format::of_path(path),
            _ => None,
        };
        let format = match (self.to, named) {
            _ if self.sfen || self.positions => Format::Usi,
            (Some(format), _) | (None, Some(format)) => format,
            (None, None) => bail!("which format? give --to kif, ki2, csa, csa3, jkf, usi, usen or bod"),
        };
        let input = |path: &PathBuf| {
            if path == Path::new("-") { Input::Stdin } else { Input::Path(path.clone()) }
        };
        let line_end = self.eol.map(|eol| match eol {
            Eol::Lf => LineEnd::Lf,
            Eol::Crlf => LineEnd::CrLf,
        });
        let played = self.freeze.map_or(Played::Shogi, |notes| {
            Played::Freeze(match notes {
                Notes::Comments => NoteStyle::Comments,
                Notes::Inline => NoteStyle::Inline,
            })
        });
        Ok(Job {
            played,
            inputs: self.inputs.iter().map(input).collect(),
            destination,
            content: if self.positions { Content::Positions } else { Content::Record },
            read: ReadOptions {
                format: self.from,
                promised: None,
                illegal: illegal_moves(self.keep_illegal),
            },
            write: WriteOptions { format, encoding: self.encoding, line_end },
            filter: self.filters.filter(&self.player),
            threads: self
                .threads
                .or_else(|| std::thread::available_parallelism().ok())
                .map_or(1, NonZeroUsize::get),
            force: self.force,
        })
    }

    fn destination(&self) -> Destination {
        match &self.output {
            None => Destination::Stdout,
            Some(path) if path == Path::new("-") => Destination::Stdout,
            Some(path) if path.is_dir() || path.to_string_lossy().ends_with(['/', '\\']) => {
                Destination::Folder(path.clone())
            }
            Some(path) => Destination::File(path.clone()),
        }
    }
}

/// Converts as the command line says.
pub fn convert(args: &ConvertArgs) -> anyhow::Result<()> {
    let report = Report::new(args.quiet);
    if let Some(game) = args.variant.game(&[])? {
        args.refuse_what_shogi_only_has()?;
        let to = if args.sfen { Some(Format::Usi) } else { args.to };
        let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
        let count =
            variant_records::convert(&game, &args.inputs, args.from, to, output, args.force, &report)?;
        report.rest();
        if output.is_some() && !args.quiet {
            note(&format!("{count} games converted"));
        }
        return Ok(());
    }
    let job = args.job()?;
    let summary = record::convert::convert(&job, &report)?;
    report.bar.finish_and_clear();
    report.rest();
    if !args.quiet {
        note(&summary.to_string());
    }
    if summary.failed > 0 {
        bail!("{} of the inputs could not be converted", summary.failed);
    }
    Ok(())
}

/// A line on standard error; nobody is left to be told when that fails.
fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// More warnings than this are only counted.
const SHOWN_WARNINGS: usize = 100;

/// Progress and warnings on standard error.
struct Report {
    bar: ProgressBar,
    quiet: bool,
    warnings: AtomicUsize,
}

impl Report {
    fn new(quiet: bool) -> Self {
        // A bar is for people; logs and pipes get none.
        let bar =
            if quiet || !io::stderr().is_terminal() { ProgressBar::hidden() } else { ProgressBar::new(0) };
        let template = "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, quiet, warnings: AtomicUsize::new(0) }
    }

    /// Says how many warnings were not shown.
    fn rest(&self) {
        let hidden = self.warnings.load(Ordering::Relaxed).saturating_sub(SHOWN_WARNINGS);
        if hidden > 0 && !self.quiet {
            note(&format!("warning: {hidden} more warnings"));
        }
    }
}

impl Progress for Report {
    fn wants_total(&self) -> bool {
        !self.bar.is_hidden()
    }

    fn total(&self, bytes: u64) {
        self.bar.set_length(bytes);
    }

    fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    fn warn(&self, message: &str) {
        if self.quiet || self.warnings.fetch_add(1, Ordering::Relaxed) >= SHOWN_WARNINGS {
            return;
        }
        self.bar.suspend(|| note(&format!("warning: {message}")));
    }

    fn fail(&self, message: &str) {
        self.bar.suspend(|| note(&format!("error: {message}")));
    }
}

/// Shows one game.
pub fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let name = args.file.display().to_string();
    let bytes = variant_records::bytes(&args.file)?;
    let shown = ShowOptions { ply: args.ply, every: args.every };
    if let Some(game) = args.variant.game(&bytes)? {
        return variant_records::show(&game, (&args.file, &bytes), args.from, args.game, &shown);
    }
    let options = ReadOptions {
        format: args.from,
        promised: Format::of_path(&args.file),
        illegal: illegal_moves(args.keep_illegal),
    };
    let mut games = record::Games::new(bytes.as_slice(), options)?;
    let Some(game) = games.nth(args.game.get() - 1) else {
        bail!("{name}: there is no game {}", args.game);
    };
    let game = game?;
    let (text, faults, oddities, moves) = if args.freeze {
        let loaded = record::freeze::read(&game, options.format).with_context(|| name.clone())?;
        let moves = loaded.record.moves().count();
        (record::freeze::show(&loaded.record, &shown), loaded.faults, loaded.warnings, moves)
    } else {
        let loaded = record::read(&game, &options).with_context(|| name.clone())?;
        let moves = loaded.record.moves().count();
        (record::show(&loaded.record, &shown), loaded.faults, Vec::new(), moves)
    };
    let faults = faults.iter().map(ToString::to_string);
    for fault in faults.chain(oddities.iter().map(ToString::to_string)) {
        note(&format!("warning: {name}: {fault}"));
    }
    if args.ply.is_some_and(|ply| ply as usize > moves) {
        note(&format!("warning: {name}: the game ends after {moves} moves; this is its last position"));
    }
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}
