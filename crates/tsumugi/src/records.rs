//! `tsumugi convert` and `tsumugi show`.

use crate::game_filters::GameFilters;
use crate::variant_records::VariantChoice;
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use record::convert::{Content, Destination, Existing, Input, Job, Played, Progress};
use record::encoding::{Encoding, LineEnd, decode};
use record::freeze::NoteStyle;
use record::variant::AnyVariant;
use record::{Format, IllegalMoves, ReadOptions, ShowOptions, WriteOptions};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

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
    /// The games are of Freeze shogi, as --variant freeze says, too. KIF is written with the notes on freezes as comments, or
    /// inline: on the lines of the moves.
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
    #[arg(long, visible_alias = "force")]
    overwrite: bool,
    /// Leave files that exist as they are and write the others.
    #[arg(long, conflicts_with = "overwrite")]
    skip_existing: bool,
    /// Only games with a player whose name contains this; may be given more than once.
    #[arg(long, value_name = "NAME", help_heading = "Filters")]
    player: Vec<String>,
    #[command(flatten)]
    filters: GameFilters,
    /// Number of threads; by default one for each core.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Write every warning and everything that failed to this file.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
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

impl From<Notes> for NoteStyle {
    fn from(notes: Notes) -> Self {
        match notes {
            Notes::Comments => Self::Comments,
            Notes::Inline => Self::Inline,
        }
    }
}

impl ConvertArgs {
    /// Which game the records are of. Moves against the rules are kept in shogi only.
    fn played(&self) -> anyhow::Result<Played> {
        let played = self.variant.played(self.freeze.map(Into::into))?;
        match played {
            Played::AsTold(..) if self.keep_illegal => Ok(Played::Shogi),
            Played::Freeze(_) | Played::Variant(_) if self.keep_illegal => {
                bail!("--keep-illegal: only for shogi")
            }
            played => Ok(played),
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
        let played = self.played()?;
        let (mut encoding, mut line_end) = (self.encoding, line_end);
        if matches!(played, Played::Variant(_)) {
            if !matches!(format, Format::Kif | Format::Usi) {
                bail!("--to {format}: games of a variants.ini and Binarsi are written as kif or usi");
            }
            // No old program reads them.
            encoding = encoding.or(Some(Encoding::Utf8));
            line_end = line_end.or(Some(LineEnd::Lf));
        }
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
            write: WriteOptions { format, encoding, line_end },
            filter: self.filters.filter(&self.player),
            threads: self
                .threads
                .or_else(|| std::thread::available_parallelism().ok())
                .map_or(1, NonZeroUsize::get),
            existing: match (self.overwrite, self.skip_existing) {
                (true, _) => Existing::Replace,
                (false, true) => Existing::Skip,
                (false, false) => Existing::Refuse,
            },
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
    let job = args.job()?;
    let report = Report::new(args.quiet, args.log.as_deref())?;
    let summary = record::convert::convert(&job, &report)?;
    report.bar.finish_and_clear();
    report.end(args.log.as_deref())?;
    if !args.quiet {
        note(&summary.to_string());
    }
    match (&summary.first_existing, summary.failed) {
        (Some(path), _) if job.existing == Existing::Refuse => bail!(
            "{} of the files exist already, such as {path}: give --skip-existing or --overwrite",
            summary.existing
        ),
        (_, 0) => Ok(()),
        (_, failed) => bail!("{failed} of the inputs could not be converted"),
    }
}

/// A line on standard error; nobody is left to be told when that fails.
fn note(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// More warnings than this are only counted, unless they go to a file.
const SHOWN_WARNINGS: usize = 100;

/// Progress and warnings on standard error, and everything in the file of --log.
struct Report {
    bar: ProgressBar,
    quiet: bool,
    warnings: AtomicUsize,
    log: Option<Mutex<BufWriter<File>>>,
}

impl Report {
    fn new(quiet: bool, log: Option<&Path>) -> anyhow::Result<Self> {
        // A bar is for people; logs and pipes get none.
        let bar =
            if quiet || !io::stderr().is_terminal() { ProgressBar::hidden() } else { ProgressBar::new(0) };
        let template = "{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        let open = |path: &Path| File::create(path).with_context(|| format!("--log {}", path.display()));
        let log = log.map(open).transpose()?.map(|file| Mutex::new(BufWriter::new(file)));
        Ok(Self { bar, quiet, warnings: AtomicUsize::new(0), log })
    }

    fn write(&self, line: &str) {
        if let Some(log) = &self.log {
            // A poisoned lock means that another thread panicked; what fails here fails again when the file is flushed.
            let _ = writeln!(log.lock().unwrap_or_else(PoisonError::into_inner), "{line}");
        }
    }

    /// Says how many warnings were not shown, and completes the log.
    fn end(&self, path: Option<&Path>) -> anyhow::Result<()> {
        let hidden = self.warnings.load(Ordering::Relaxed).saturating_sub(SHOWN_WARNINGS);
        if hidden > 0 && !self.quiet {
            match path {
                None => note(&format!("warning: {hidden} more warnings; --log FILE takes all of them")),
                Some(path) => note(&format!("warning: {hidden} more warnings in {}", path.display())),
            }
        }
        if let (Some(log), Some(path)) = (&self.log, path) {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            log.flush().with_context(|| format!("--log {}", path.display()))?;
        }
        Ok(())
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
        self.write(&format!("warning: {message}"));
        if self.quiet || self.warnings.fetch_add(1, Ordering::Relaxed) >= SHOWN_WARNINGS {
            return;
        }
        self.bar.suspend(|| note(&format!("warning: {message}")));
    }

    fn fail(&self, message: &str) {
        self.write(&format!("error: {message}"));
        self.bar.suspend(|| note(&format!("error: {message}")));
    }
}

/// All bytes of a file; - is standard input.
fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).context("standard input")?;
        return Ok(bytes);
    }
    std::fs::read(path).with_context(|| path.display().to_string())
}

/// A game as people read it.
struct Shown {
    text: String,
    warnings: Vec<String>,
    /// Its moves, as far as they were counted.
    moves: Option<usize>,
}

/// Shows one game.
pub fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let name = args.file.display().to_string();
    let shown = shown(args, &name)?;
    for warning in &shown.warnings {
        note(&format!("warning: {name}: {warning}"));
    }
    if let Some(moves) = shown.moves.filter(|moves| args.ply.is_some_and(|ply| ply as usize > *moves)) {
        note(&format!("warning: {name}: the game ends after {moves} moves; this is its last position"));
    }
    io::stdout().lock().write_all(shown.text.as_bytes())?;
    Ok(())
}

fn shown(args: &ShowArgs, name: &str) -> anyhow::Result<Shown> {
    let bytes = bytes(&args.file)?;
    let shown = ShowOptions { ply: args.ply, every: args.every };
    let none = || format!("{name}: there is no game {}", args.game);
    let of_variant = |variant: &dyn AnyVariant, bytes: &[u8], number: usize| {
        let found = variant.show(&decode(bytes).text, args.from, number, &shown);
        let (text, warnings) = found.with_context(|| name.to_owned())?.with_context(none)?;
        Ok(Shown { text, warnings, moves: None })
    };
    let played = args.variant.played(args.freeze.then(NoteStyle::default))?;
    if let Played::Variant(variant) = &played {
        return of_variant(&**variant, &bytes, args.game.get() - 1);
    }
    let options = ReadOptions {
        format: args.from,
        promised: Format::of_path(&args.file),
        illegal: illegal_moves(args.keep_illegal),
    };
    let game = record::Games::new(bytes.as_slice(), options)?.nth(args.game.get() - 1);
    let game = game.with_context(none)??;
    let played = if args.keep_illegal { Played::Shogi } else { played };
    match played.of(&game).with_context(|| name.to_owned())? {
        Played::Variant(variant) => of_variant(&*variant, &game, 0),
        Played::Freeze(_) => {
            let loaded = record::freeze::read(&game, options.format).with_context(|| name.to_owned())?;
            let faults = loaded.faults.iter().map(ToString::to_string);
            Ok(Shown {
                text: record::freeze::show(&loaded.record, &shown),
                warnings: faults.chain(loaded.warnings.iter().map(ToString::to_string)).collect(),
                moves: Some(loaded.record.moves().count()),
            })
        }
        Played::Shogi | Played::AsTold(..) => {
            let loaded = record::read(&game, &options).with_context(|| name.to_owned())?;
            Ok(Shown {
                text: record::show(&loaded.record, &shown),
                warnings: loaded.faults.iter().map(ToString::to_string).collect(),
                moves: Some(loaded.record.moves().count()),
            })
        }
    }
}
