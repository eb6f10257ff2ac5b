//! Shogi's engine: the search with whichever evaluation `EvalDir` holds.

use crate::games::{AUTHOR, NAME};
use eval::{Evaluator, Material, MaterialLevel};
use search::{BestMove, Report, Settings, Task, Timer};
use shogi::{Move, Position, Shogi};
use usi::options::{CheckId, Folders, Options, SpinId, TextId};
use usi::{Engine, SearchEngine};

/// The search, and what its evaluation was made from.
pub struct ShogiEngine {
    inner: SearchEngine<Shogi, Evaluator>,
    folders: Folders,
    options: Option<EvalOptions>,
    /// What is loaded now; loading it again would change nothing.
    loaded: Option<Wanted>,
}

#[derive(Clone, Copy)]
struct EvalOptions {
    eval_dir: TextId,
    fv_scale: SpinId,
    material_level: SpinId,
    eval_share: CheckId,
}

/// What the options ask for.
#[derive(Clone, PartialEq, Eq)]
struct Wanted {
    eval_dir: String,
    fv_scale: i32,
    material_level: i64,
    eval_share: bool,
}

impl ShogiEngine {
    /// An engine that has loaded nothing yet.
    pub fn new() -> Self {
        Self {
            inner: SearchEngine::new(NAME, AUTHOR, Evaluator::default()),
            folders: Folders::of_process(),
            options: None,
            loaded: None,
        }
    }

    /// Loads the evaluation if another one is wanted; on a fault the former one stays.
    fn load(&mut self, options: &Options, note: &mut dyn FnMut(&str)) -> Result<(), String> {
        let Some(ids) = self.options else { return Ok(()) };
        let wanted = Wanted {
            eval_dir: options.get(ids.eval_dir).to_owned(),
            fv_scale: i32::try_from(options.get(ids.fv_scale)).unwrap_or(16),
            material_level: options.get(ids.material_level),
            eval_share: options.get(ids.eval_share),
        };
        if self.loaded.as_ref() == Some(&wanted) {
            return Ok(());
        }
        let mut found = None;
        for folder in self.folders.candidates(&wanted.eval_dir) {
            let loaded = Evaluator::load(&folder, wanted.fv_scale, wanted.eval_share).map_err(|error| {
                format!("EvalDir {}: {error}; the former evaluation stays", folder.display())
            })?;
            if let Some((evaluator, remarks)) = loaded {
                note(&format!("EvalDir {}: {}", folder.display(), remarks.join("; ")));
                found = Some(evaluator);
                break;
            }
        }
        let evaluator = found.unwrap_or_else(|| {
            let level: MaterialLevel = wanted.material_level.to_string().parse().unwrap_or_default();
            Evaluator::Material(Material::new(level))
        });
        self.inner.set_evaluation(evaluator);
        self.loaded = Some(wanted);
        Ok(())
    }
}

impl Engine<Shogi> for ShogiEngine {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn author(&self) -> String {
        self.inner.author()
    }

    fn declare_options(&mut self, options: &mut Options) {
        self.inner.declare_options(options);
        self.options = Some(EvalOptions {
            eval_dir: options.string("EvalDir", "eval", "folder of nn.bin or of KPPT tables"),
            fv_scale: options.spin("FV_SCALE", 16, 1..=128, "what values of networks are divided by"),
            material_level: options.spin(
                "MaterialLevel",
                4,
                1..=4,
                "evaluation without files: 1 piece values, 4 everything",
            ),
            eval_share: options.check(
                "EvalShare",
                true,
                "KPPT tables: one copy in memory for all processes instead of one each",
            ),
        });
    }

    fn prepare(&mut self, options: &Options, note: &mut dyn FnMut(&str)) -> Result<(), String> {
        self.inner.prepare(options, note)?;
        self.load(options, note)
    }

    fn new_game(&mut self) {
        self.inner.new_game();
    }

    fn think(
        &mut self,
        task: &Task<Position, Move>,
        settings: &Settings,
        timer: &dyn Timer,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> BestMove<Move> {
        self.inner.think(task, settings, timer, report)
    }

    fn evaluate(&mut self, position: &Position) -> Option<i32> {
        self.inner.evaluate(position)
    }

    fn hundred_centipawns(&self) -> i32 {
        self.inner.hundred_centipawns()
    }

    fn set_table_size(&mut self, megabytes: usize) {
        self.inner.set_table_size(megabytes);
    }
}
