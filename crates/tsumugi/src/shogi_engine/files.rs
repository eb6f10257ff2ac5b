//! `test evalsave` and `test evalconvert`: evaluation files, written.

use super::ShogiEngine;
use eval::Saved;
use eval::kppt::{KpptFormat, Losses, Progress, convert};
use std::path::PathBuf;
use usi::options::{Folders, Options};

pub(super) const USAGE: [&str; 2] = ["evalsave [FORMAT]", "evalconvert FORMAT DIR FORMAT DIR"];

impl ShogiEngine {
    /// Saves the evaluation in memory to `EvalSaveDir`.
    pub(super) fn save(
        &mut self,
        format: Option<&str>,
        options: &Options,
        say: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        let format = format.map(parse_format).transpose()?;
        let folder = self.save_folder(options)?;
        let saved = self
            .inner
            .evaluation()
            .save(&folder, format, report("evalsave", say))
            .map_err(|error| format!("evalsave: {error}"))?;
        // The folder may be EvalDir.
        self.loaded = None;
        match saved {
            Saved::Network => say(&format!("evalsave: saved nn.bin to {}", folder.display())),
            Saved::Tables(format, losses) => {
                say(&format!("evalsave: saved {format} to {}{}", folder.display(), told(losses)));
            }
        }
        Ok(())
    }

    /// Where `EvalSaveDir` is.
    pub(super) fn save_folder(&self, options: &Options) -> Result<PathBuf, String> {
        let ids = self.options.ok_or("the options are not declared")?;
        Ok(target(&self.folders, ids.save_dir(options)))
    }

    /// Converts tables from one folder to another.
    pub(super) fn convert(
        &mut self,
        [from, source, to, into]: [&str; 4],
        say: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        let (from, to) = (parse_format(from)?, parse_format(to)?);
        let candidates = self.folders.candidates(source);
        let Some(source) = candidates.iter().find(|folder| KpptFormat::is_in(folder)) else {
            let tried: Vec<String> = candidates.iter().map(|folder| folder.display().to_string()).collect();
            return Err(format!("evalconvert: no KPPT tables in {}", tried.join(" or ")));
        };
        let target = target(&self.folders, into);
        let losses = convert((from, source), (to, &target), report("evalconvert", say))
            .map_err(|error| format!("evalconvert: {error}"))?;
        self.loaded = None;
        say(&format!(
            "evalconvert: {from} in {} is now {to} in {}{}",
            source.display(),
            target.display(),
            told(losses)
        ));
        Ok(())
    }
}

fn parse_format(word: &str) -> Result<KpptFormat, String> {
    word.parse().map_err(|error| format!("{error}"))
}

/// Where a folder is written: where it is already, or in the current folder.
fn target(folders: &Folders, path: &str) -> PathBuf {
    let mut candidates = folders.candidates(path);
    let found = candidates.iter().position(|folder| folder.is_dir());
    candidates.swap_remove(found.unwrap_or(candidates.len() - 1))
}

/// Tells every tenth of the way.
fn report<'a>(command: &'a str, say: &'a mut dyn FnMut(&str)) -> impl FnMut(Progress) + 'a {
    let mut told = 0;
    move |progress| {
        let tenths = 10 * progress.done / progress.total;
        if tenths > told {
            told = tenths;
            say(&format!("{command}: {}0 %, {}", tenths, progress.table.file_name()));
        }
    }
}

/// What a format had no room for.
fn told(losses: Losses) -> String {
    let counted =
        |count: u64, what: &str| if count > 0 { format!("; {count} {what}") } else { String::new() };
    counted(losses.saturated, "numbers did not fit and are the nearest that do")
        + &counted(losses.dropped_turns, "turn bonuses were left out")
}
