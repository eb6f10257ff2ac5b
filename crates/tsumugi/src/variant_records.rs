//! Which game the records of `tsumugi convert` and `tsumugi show` are of.

use crate::games::{self, Catalogue};
use anyhow::Context;
use binarsi::Binarsi;
use record::convert::Played;
use record::freeze::NoteStyle;
use record::variant::AnyVariant;
use std::sync::{Arc, OnceLock};

/// The game that is chosen, if any is.
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

const SHOGI: &str = "shogi";
const FREEZE: &str = "freeze";
const BINARSI: &str = "binarsi";

impl VariantChoice {
    /// The game of the records; `freeze` chooses Freeze shogi and how its notes are written.
    pub fn played(&self, freeze: Option<NoteStyle>) -> anyhow::Result<Played> {
        let style = freeze.unwrap_or_default();
        let Some(name) = self.variant.as_deref() else {
            return Ok(if freeze.is_some() { Played::Freeze(style) } else { self.as_told(style)? });
        };
        match name {
            SHOGI => Ok(Played::Shogi),
            FREEZE => Ok(Played::Freeze(style)),
            _ => by_name(&games::with_file(self.variant_path.as_deref())?, name)
                .map(Played::Variant)
                .with_context(|| {
                    let known = "shogi, freeze, binarsi or a game that `tsumugi variants list` shows";
                    format!("--variant: expected {known}, found `{name}`")
                }),
        }
    }

    fn as_told(&self, style: NoteStyle) -> anyhow::Result<Played> {
        let path = self.variant_path.as_deref();
        let read = path.map(|path| games::with_file(Some(path))).transpose()?;
        let games = read.map_or_else(OnceLock::new, OnceLock::from);
        let find = move |name: &str| by_name(games.get_or_init(Catalogue::default), name);
        Ok(Played::AsTold(style, Arc::new(find)))
    }
}

fn by_name(games: &Catalogue, name: &str) -> Option<Arc<dyn AnyVariant>> {
    match name {
        BINARSI => Some(Arc::new(Binarsi)),
        _ => games.variant(name).map(|game| Arc::new(game) as Arc<dyn AnyVariant>),
    }
}
