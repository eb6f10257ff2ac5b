//! The options of shogi's evaluation.

use eval::LoadOptions;
use eval::nnue::Isa;
use usi::options::{CheckId, ComboId, Options, SpinId, TextId};

/// The declared options.
#[derive(Clone, Copy)]
pub(super) struct EvalOptions {
    eval_dir: TextId,
    fv_scale: SpinId,
    material_level: SpinId,
    eval_fallback: CheckId,
    eval_share: CheckId,
    skip_loading: CheckId,
    save_dir: TextId,
    isa: ComboId,
}

/// The evaluation named by the options.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) eval_dir: String,
    pub(super) load: LoadOptions,
    /// Whether to use zero tables instead of loading any (`SkipLoadingEval`).
    pub(super) skip_loading: bool,
    /// Whether another evaluation may be used if this one cannot be loaded.
    pub(super) fallback: bool,
}

impl Wanted {
    /// Whether `EvalDir` has its default value: files there are loaded, but may be missing.
    pub(super) fn is_default(&self) -> bool {
        self.eval_dir == EvalOptions::DEFAULT_FOLDER
    }
}

/// The value for the fastest instruction set.
const AUTO: &str = "auto";

impl EvalOptions {
    /// The default of `EvalDir`.
    pub(super) const DEFAULT_FOLDER: &str = "eval";

    pub(super) fn declare(options: &mut Options) -> Self {
        let names: Vec<String> = Isa::available().map(|isa| isa.to_string()).collect();
        let choices: Vec<&str> = [AUTO].into_iter().chain(names.iter().map(String::as_str)).collect();
        Self {
            eval_dir: options.string(
                "EvalDir",
                Self::DEFAULT_FOLDER,
                "folder of nn.bin or of KPPT tables, or <material>; without files the built-in network serves",
            ),
            eval_fallback: options.check(
                "EvalFallback",
                false,
                "where another EvalDir than the default cannot be loaded: play with the built-in network instead of ending",
            ),
            fv_scale: options.spin("FV_SCALE", 16, 1..=128, "what values of networks are divided by"),
            material_level: options.spin(
                "MaterialLevel",
                4,
                1..=4,
                "what the material evaluation knows (EvalDir <material>, or no network built in): 1 piece values, 4 everything",
            ),
            eval_share: options.check(
                "EvalShare",
                true,
                "KPPT tables: one copy in memory for all processes instead of one each",
            ),
            skip_loading: options.check(
                "SkipLoadingEval",
                false,
                "where EvalDir holds nothing good, use zero-cleared KPPT tables",
            ),
            save_dir: options.string("EvalSaveDir", "evalsave", "where `test evalsave` and `learn` save evaluations"),
            isa: options.combo(
                "EvalIsa",
                AUTO,
                &choices,
                "instruction set for networks, for tests; all give the same values",
            ),
        }
    }

    pub(super) fn wanted(self, options: &Options) -> Wanted {
        let isa = options.get(self.isa).word.parse().unwrap_or_else(|_| Isa::best());
        // The declared ranges guarantee that the numbers fit.
        let fv_scale = i32::try_from(options.get(self.fv_scale)).unwrap_or(16);
        let material = options.get(self.material_level).to_string().parse().unwrap_or_default();
        Wanted {
            eval_dir: options.get(self.eval_dir).to_owned(),
            load: LoadOptions { fv_scale, share: options.get(self.eval_share), isa, material },
            skip_loading: options.get(self.skip_loading),
            fallback: options.get(self.eval_fallback),
        }
    }

    pub(super) fn save_dir(self, options: &Options) -> &str {
        options.get(self.save_dir)
    }
}
