//! `manifest.json` of a series of games.

use super::{Openings, Recipe};
use platform::{AtPath, FileError, atomic_file};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The settings of a series; another run may only continue it with the same ones.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    program: String,
    evaluation: String,
    openings: String,
    first_game: u64,
    recipe: Recipe,
}

/// Why a series cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// A file error.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is invalid.
    #[error("{}: {error}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// Why.
        error: serde_json::Error,
    },
    /// The series has other settings.
    #[error("{} was made with other settings ({differences}); choose another folder or the same settings", folder.display())]
    Other {
        /// The folder, with a separator at its end.
        folder: PathBuf,
        /// The differences: settings there and now.
        differences: String,
    },
}

impl Manifest {
    /// The manifest of these settings; `evaluation` identifies the evaluation.
    #[must_use]
    pub fn new(evaluation: String, openings: &Openings, first_game: u64, recipe: Recipe) -> Self {
        let program = format!("tsumugi {}", env!("CARGO_PKG_VERSION"));
        Self { program, evaluation, openings: openings.identity(), first_game, recipe }
    }

    /// Writes it to a folder (created if missing), or compares it with the existing one.
    pub fn agree(&self, folder: &Path) -> Result<(), ManifestError> {
        std::fs::create_dir_all(folder).at_path(folder)?;
        let path = folder.join("manifest.json");
        let at_path = |error| ManifestError::Json { path: path.clone(), error };
        let Ok(text) = std::fs::read(&path) else {
            let text = serde_json::to_string_pretty(self).map_err(at_path)? + "\n";
            return Ok(atomic_file::write(&path, text.as_bytes())?);
        };
        let old: Self = serde_json::from_slice(&text).map_err(at_path)?;
        if old == *self {
            return Ok(());
        }
        let value = |manifest| serde_json::to_value(manifest).map_err(at_path);
        let mut differences = Vec::new();
        differ("", &value(&old)?, &value(self)?, &mut differences);
        Err(ManifestError::Other { folder: folder.join(""), differences: differences.join(", ") })
    }
}

/// Lists the differences.
fn differ(name: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    if let (Some(old), Some(new)) = (old.as_object(), new.as_object()) {
        for (key, value) in old {
            differ(key, value, new.get(key).unwrap_or(&Value::Null), found);
        }
    } else if old != new {
        found.push(format!("{name}: {old} there, {new} now"));
    }
}
