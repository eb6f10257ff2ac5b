//! `test evalsave` and `test evalconvert`: write evaluation files.

use super::ShogiEngine;
use eval::Saved;
use eval::kppt::{KpptFormat, Losses, Progress, convert};
use usi::EngineTests;
use usi::options::Options;

const USAGE: [&str; 2] = ["evalsave [FORMAT]", "evalconvert FORMAT DIR FORMAT DIR"];

impl ShogiEngine {
    /// Saves the evaluation in memory to `EvalSaveDir`.
    fn save(
        &mut self,
        format: Option<&str>,
        options: &Options,
        say: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        let format = format.map(parse_format).transpose()?;
        let folder = self.files.save_folder(options);
        let saved = self
            .inner
            .evaluation()
            .save(&folder, format, report("evalsave", say))
            .map_err(|error| format!("evalsave: {error}"))?;
        self.files.forget_loaded();
        match saved {
            Saved::Network => say(&format!("evalsave: saved nn.bin to {}", folder.display())),
            Saved::Tables(format, losses) => {
                say(&format!("evalsave: saved {format} to {}{}", folder.display(), describe(losses)));
            }
        }
        Ok(())
    }

    /// Converts tables from one folder to another.
    fn convert(
        &mut self,
        [from, source, to, into]: [&str; 4],
        say: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        let (from, to) = (parse_format(from)?, parse_format(to)?);
        let candidates = self.files.folders.candidates(source);
        let Some(source) = candidates.iter().find(|folder| KpptFormat::is_in(folder)) else {
            let tried: Vec<String> = candidates.iter().map(|folder| folder.display().to_string()).collect();
            return Err(format!("evalconvert: no KPPT tables in {}", tried.join(" or ")));
        };
        let target = self.files.target(into);
        let losses = convert((from, source), (to, &target), report("evalconvert", say))
            .map_err(|error| format!("evalconvert: {error}"))?;
        self.files.forget_loaded();
        say(&format!(
            "evalconvert: {from} in {} is now {to} in {}{}",
            source.display(),
            target.display(),
            describe(losses)
        ));
        Ok(())
    }
}

impl EngineTests for ShogiEngine {
    fn usage(&self) -> &'static [&'static str] {
        &USAGE
    }

    fn test(
        &mut self,
        words: &str,
        options: &Options,
        say: &mut dyn FnMut(&str),
    ) -> Option<Result<(), String>> {
        let words: Vec<&str> = words.split_whitespace().collect();
        match *words.as_slice() {
            ["evalsave"] => Some(self.save(None, options, say)),
            ["evalsave", format] => Some(self.save(Some(format), options, say)),
            ["evalconvert", from, source, to, target] => Some(self.convert([from, source, to, target], say)),
            _ => None,
        }
    }
}

fn parse_format(word: &str) -> Result<KpptFormat, String> {
    word.parse().map_err(|error| format!("{error}"))
}

/// Reports progress in tenths.
fn report<'a>(command: &'a str, say: &'a mut dyn FnMut(&str)) -> impl FnMut(Progress) + 'a {
    let mut reported = 0;
    move |progress| {
        let tenths = 10 * progress.done / progress.total;
        if tenths > reported {
            reported = tenths;
            say(&format!("{command}: {}0 %, {}", tenths, progress.table.file_name()));
        }
    }
}

/// A message about information that a format could not store.
fn describe(losses: Losses) -> String {
    let counted =
        |count: u64, what: &str| if count > 0 { format!("; {count} {what}") } else { String::new() };
    counted(losses.saturated, "numbers did not fit and are the nearest that do")
        + &counted(losses.dropped_turns, "turn bonuses were left out")
}
