//! The files of shogi's engine: the evaluation in `EvalDir` and the books in `BookDir`.

use super::books::Books;
use super::eval_options::{EvalOptions, Wanted};
use book::Plies;
use eval::kppt::AnyKppt;
use eval::{EmbeddedNet, Evaluator, EvaluatorError, Material};
use std::path::PathBuf;
use usi::options::{Folders, Options, PlaySettings};

/// Evaluation files and books, according to the options.
pub(crate) struct ShogiFiles {
    pub(super) folders: Folders,
    options: EvalOptions,
    /// The evaluation if `EvalDir` has no files.
    embedded: Option<EmbeddedNet>,
    /// What is loaded; loading the same again would change nothing.
    loaded: Option<Wanted>,
    pub(crate) books: Books,
}

impl ShogiFiles {
    /// Declares the options.
    pub(crate) fn declare(options: &mut Options, folders: Folders, embedded: Option<EmbeddedNet>) -> Self {
        let books = Books::declare(options, &folders);
        Self { folders, options: EvalOptions::declare(options), embedded, loaded: None, books }
    }

    /// Opens the books named by the options.
    pub(crate) fn open_books(
        &mut self,
        settings: &PlaySettings,
        options: &Options,
        note: &mut dyn FnMut(&str),
    ) {
        self.books.prepare(settings, options, &self.folders, note);
    }

    /// Candidates for the folder `BookDir`.
    pub(super) fn book_folders(&self, options: &Options) -> Vec<PathBuf> {
        self.folders.candidates(self.books.folder(options))
    }

    /// `IgnoreBookPly`.
    pub(super) fn book_plies(&self, options: &Options) -> Plies {
        self.books.plies(options)
    }

    /// The folder `EvalSaveDir`.
    pub(super) fn save_folder(&self, options: &Options) -> PathBuf {
        self.target(self.options.save_dir(options))
    }

    /// Where a folder is written: where it exists, else in the current folder.
    pub(super) fn target(&self, path: &str) -> PathBuf {
        let mut candidates = self.folders.candidates(path);
        let found = candidates.iter().position(|folder| folder.is_dir());
        candidates.swap_remove(found.unwrap_or(candidates.len() - 1))
    }

    /// Makes the next `isready` load the evaluation again, because files were written.
    pub(super) fn forget_loaded(&mut self) {
        self.loaded = None;
    }

    /// Loads the evaluation if the options name another one than the current one. Fails if none of the permitted ones
    /// can be loaded.
    pub(crate) fn load_evaluation(
        &mut self,
        options: &Options,
        note: &mut dyn FnMut(&str),
    ) -> Result<Option<Evaluator>, String> {
        let wanted = self.options.wanted(options);
        if self.loaded.as_ref() == Some(&wanted) {
            return Ok(None);
        }
        let (evaluator, as_wanted) = match self.find(&wanted, note) {
            Ok(Some(evaluator)) => (evaluator, true),
            Ok(None) if wanted.skip_loading => (zero_cleared(&self.nothing_in(&wanted), note), true),
            Ok(None) if wanted.is_default() => (self.built_in(&wanted, note)?, true),
            Ok(None) => (self.instead(&wanted, &self.nothing_in(&wanted), note)?, false),
            Err(fault) if wanted.skip_loading => (zero_cleared(&fault, note), true),
            Err(fault) => (self.instead(&wanted, &fault, note)?, false),
        };
        // After an error, the next `isready` tries again.
        self.loaded = as_wanted.then_some(wanted);
        Ok(Some(evaluator))
    }

    /// The evaluation used if the files in `EvalDir` cannot be: none if the option was set.
    fn instead(&self, wanted: &Wanted, fault: &str, note: &mut dyn FnMut(&str)) -> Result<Evaluator, String> {
        let other = if self.embedded.is_some() { "the built-in network" } else { "the material evaluation" };
        if !(wanted.is_default() || wanted.fallback) {
            return Err(format!(
                "{fault}: set EvalDir to a folder with nn.bin or KPPT tables, or EvalFallback true to play with {other}"
            ));
        }
        let evaluator = self.built_in(wanted, note)?;
        note(&format!("Error! {fault}; {other} plays"));
        Ok(evaluator)
    }

    /// A message with the folders that have no evaluation.
    fn nothing_in(&self, wanted: &Wanted) -> String {
        let tried = self.folders.candidates(&wanted.eval_dir);
        let tried: Vec<String> = tried.iter().map(|folder| folder.display().to_string()).collect();
        format!("EvalDir {}: no nn.bin or KPPT tables in {}", wanted.eval_dir, tried.join(" or "))
    }

    /// Loads the evaluation in `EvalDir`, if there is one.
    fn find(&self, wanted: &Wanted, note: &mut dyn FnMut(&str)) -> Result<Option<Evaluator>, String> {
        let folders = match wanted.eval_dir.as_str() {
            Evaluator::MATERIAL => vec![Evaluator::MATERIAL.into()],
            folder => self.folders.candidates(folder),
        };
        for folder in folders {
            let loaded = Evaluator::load(&folder, wanted.load).map_err(|error| {
                let file = folder.join(eval::nnue::FILE_NAME);
                let about = match error {
                    EvaluatorError::Network(_) if file.exists() => &file,
                    _ => &folder,
                };
                format!("EvalDir {}: {error}", about.display())
            })?;
            if let Some((evaluator, remarks)) = loaded {
                note(&format!("EvalDir {}: {}", folder.display(), remarks.join("; ")));
                return Ok(Some(evaluator));
            }
        }
        Ok(None)
    }

    /// The evaluation without files.
    fn built_in(&self, wanted: &Wanted, note: &mut dyn FnMut(&str)) -> Result<Evaluator, String> {
        let Some(embedded) = &self.embedded else {
            return Ok(Evaluator::Material(Material::new(wanted.load.material)));
        };
        let evaluation = embedded.unpack(wanted.load.isa).map_err(|error| error.to_string())?;
        note(&format!(
            "built-in network {} ({}), FV_SCALE {}",
            evaluation.network().architecture(),
            evaluation.network().isa(),
            embedded.fv_scale()
        ));
        Ok(Evaluator::Nnue(Box::new(evaluation)))
    }
}

/// Zero tables, if there are none to load (`SkipLoadingEval`).
fn zero_cleared(reason: &str, note: &mut dyn FnMut(&str)) -> Evaluator {
    note(&format!("{reason}; zero-cleared KPPT tables are used"));
    Evaluator::Kppt(Box::new(AnyKppt::zero()))
}
