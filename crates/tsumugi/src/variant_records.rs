//! `tsumugi convert` and `tsumugi show` for games of a variants.ini.

use crate::games;
use anyhow::{Context, bail};
use fairy::FairyGame;
use record::convert::Progress;
use record::variant::{self, VariantLoaded};
use record::{Format, ShowOptions, encoding};
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Which game the records are of.
#[derive(clap::Args, PartialEq, Eq, Debug, Clone, Default)]
pub struct VariantChoice {
    /// The game, as `USI_Variant` names it; a game of a variants.ini is read from and written to KIF and USI lines.
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// A variants.ini with more games.
    #[arg(long, value_name = "FILE", requires = "variant")]
    variant_path: Option<String>,
}

impl VariantChoice {
    /// The game, if it is not shogi; without a choice the one that the records name.
    pub fn game(&self, records: &[u8]) -> anyhow::Result<Option<FairyGame>> {
        let text = encoding::decode(records).text;
        match self.variant.as_deref().or_else(|| variant::named(&text)) {
            None | Some("shogi") => Ok(None),
            Some(name) => {
                let game = games::with_file(self.variant_path.as_deref())?.variant(name);
                game.map(Some).with_context(|| {
                    format!("--variant: expected shogi or a game that `tsumugi variants list` shows, found `{name}`")
                })
            }
        }
    }
}

/// All bytes of a file; - is standard input.
pub fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).context("standard input")?;
        return Ok(bytes);
    }
    std::fs::read(path).with_context(|| path.display().to_string())
}

/// The games of a file, what is wrong with their moves told as warnings.
fn games_of(
    game: &FairyGame,
    path: &Path,
    bytes: &[u8],
    format: Option<Format>,
    warn: impl Fn(&str),
) -> anyhow::Result<Vec<VariantLoaded>> {
    let name = path.display().to_string();
    let loaded = variant::read(game, &encoding::decode(bytes).text, format).with_context(|| name.clone())?;
    for fault in loaded.iter().flat_map(|game| &game.faults) {
        warn(&format!("{name}: {fault}"));
    }
    Ok(loaded)
}

/// Converts files to one file, or to standard output. Tells how many games there were.
pub fn convert(
    game: &FairyGame,
    inputs: &[PathBuf],
    from: Option<Format>,
    to: Option<Format>,
    output: Option<&Path>,
    force: bool,
    report: &impl Progress,
) -> anyhow::Result<usize> {
    let Some(format) = to.or_else(|| output.and_then(Format::of_path)) else {
        bail!("which format? give --to kif or usi");
    };
    let mut text = String::new();
    let mut count = 0;
    for path in inputs {
        for loaded in games_of(game, path, &bytes(path)?, from, |warning| report.warn(warning))? {
            count += 1;
            match format {
                Format::Kif => text += &variant::write_kif(game, &loaded.record),
                Format::Usi => {
                    text += &variant::write_usi(game, &loaded.record);
                    text.push('\n');
                }
                other => bail!("--to {other}: games of a variants.ini are written as kif or usi"),
            }
        }
    }
    match output {
        None => io::stdout().lock().write_all(text.as_bytes())?,
        Some(path) if path.is_dir() => bail!("{}: expected a file, found a folder", path.display()),
        Some(path) if path.exists() && !force => {
            bail!("{}: exists already; give --force to replace it", path.display());
        }
        Some(path) => {
            record::convert::write_whole(path, text.as_bytes())
                .with_context(|| path.display().to_string())?;
        }
    }
    Ok(count)
}

/// Shows one game of a file.
pub fn show(
    game: &FairyGame,
    (path, bytes): (&Path, &[u8]),
    format: Option<Format>,
    number: NonZeroUsize,
    options: &ShowOptions,
) -> anyhow::Result<()> {
    let warn = |warning: &str| {
        let _ = writeln!(io::stderr(), "warning: {warning}");
    };
    let games = games_of(game, path, bytes, format, warn)?;
    let Some(loaded) = games.get(number.get() - 1) else {
        bail!("{}: there is no game {number}", path.display());
    };
    io::stdout().lock().write_all(variant::show(game, &loaded.record, options).as_bytes())?;
    Ok(())
}
