//! Engines, cores and rules from the words of a command line.

use crate::engine::EngineSpec;
use crate::referee::{Adjudication, Rule};
use crate::stats::{SPRT_WORDS, Sprt};
use crate::words::WordError;
use freeze::{Acceptance, Freeze};
use platform::{AtPath, FileError};
use std::path::Path;

/// The game that every engine plays without being told.
pub const SHOGI: &str = "shogi";
/// Freeze shogi has an option of its own.
const FREEZE: &str = "freeze";
/// The option that names a `variants.ini`.
pub const VARIANT_PATH: &str = "VariantPath";

/// What is wrong with the words.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// A list of cores.
    #[error("--pin: expected cores such as 0-7,9, found `{0}`")]
    Pin(String),
    /// A system on which programs cannot be kept on a core.
    #[error("--pin: only on Linux; here the system chooses the cores: leave it out")]
    CannotPin,
    /// An engine.
    #[error("--engine number {number}")]
    Engine {
        /// From 1.
        number: usize,
        /// What is wrong.
        source: WordError,
    },
    /// A sequential test.
    #[error("--sprt ({SPRT_WORDS})")]
    Sprt(#[source] WordError),
    /// A rule of adjudication.
    #[error("{flag}")]
    Rule {
        /// `--resign` or `--draw`.
        flag: &'static str,
        /// What is wrong.
        source: WordError,
    },
    /// A `variants.ini` that is not there.
    #[error("--variant-path {0}")]
    VariantPath(FileError),
}

/// The cores of a list such as `0-7,9`.
pub fn cores(text: &str) -> Result<Vec<usize>, SetupError> {
    let mut cores = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        match (first.parse::<usize>(), last.parse::<usize>()) {
            (Ok(first), Ok(last)) if first <= last && last < 4096 => cores.extend(first..=last),
            _ => return Err(SetupError::Pin(text.to_owned())),
        }
    }
    if !platform::numa::CAN_PIN {
        return Err(SetupError::CannotPin);
    }
    Ok(cores)
}

/// The engines, each with `each` before its own words: of the same key the last word counts.
pub fn engines(each: &[String], engines: &[Vec<String>]) -> Result<Vec<EngineSpec>, SetupError> {
    let spec = |(index, own): (usize, &Vec<String>)| {
        let words = each.iter().chain(own).map(String::as_str);
        EngineSpec::from_words(words).map_err(|source| SetupError::Engine { number: index + 1, source })
    };
    engines.iter().enumerate().map(spec).collect()
}

/// A sequential test; none without words.
pub fn sprt(words: &[String]) -> Result<Option<Sprt>, SetupError> {
    let sprt = (!words.is_empty()).then(|| Sprt::from_words(words.iter().map(String::as_str)));
    sprt.transpose().map_err(SetupError::Sprt)
}

/// Adjudication of wins and draws; none without words.
pub fn adjudication(resign: &[String], draw: &[String]) -> Result<Adjudication, SetupError> {
    let rule = |words: &[String], flag| {
        let rule = (!words.is_empty()).then(|| Rule::from_words(words.iter().map(String::as_str)));
        rule.transpose().map_err(|source| SetupError::Rule { flag, source })
    };
    Ok(Adjudication { win: rule(resign, "--resign")?, draw: rule(draw, "--draw")? })
}

/// Puts the options that choose the game before those of each engine; none for shogi. Engines that play Freeze shogi know
/// the option FREEZE, and need not know `USI_Variant`.
pub fn choose_variant(
    engines: &mut [EngineSpec],
    variant: &str,
    variant_path: Option<&Path>,
) -> Result<(), SetupError> {
    // Absolute, since engines run in folders of their own.
    let path = variant_path.map(|path| path.canonicalize().at_path(path)).transpose();
    let path = path.map_err(SetupError::VariantPath)?;
    for engine in engines {
        let mut options = Vec::new();
        if let Some(path) = &path {
            options.push((VARIANT_PATH.to_owned(), path.display().to_string()));
        }
        if variant == FREEZE {
            if !engine.options.iter().any(|(name, _)| name == Freeze::OPTION) {
                options.push((Freeze::OPTION.to_owned(), Acceptance::Ok.word().to_owned()));
            }
        } else if variant != SHOGI {
            options.push(("USI_Variant".to_owned(), variant.to_owned()));
        }
        engine.options.splice(0..0, options);
    }
    Ok(())
}
