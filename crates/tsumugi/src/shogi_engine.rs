//! Shogi's engine: the search with whichever evaluation `EvalDir` holds.

mod book_options;
mod bookshelf;
mod files;
mod mate_probe;
mod mate_thread;
mod mating;
mod options;

use crate::book::makebook;
use crate::games::{AUTHOR, NAME};
use bookshelf::Bookshelf;
use eval::kppt::AnyKppt;
use eval::{EmbeddedNet, Evaluator, EvaluatorError, Material};
use mate_thread::MateThread;
use mating::Mating;
use options::{EvalOptions, Wanted};
use search::{BestMove, Report, Settings, Task, Timer};
use shogi::{Move, Position, Shogi};
use train::console::{ConsoleError, Gensfen, Learn};
use usi::options::{Folders, Options, SpinId};
use usi::{Engine, Errand, Mate, MateLimits, MateReport, SearchEngine, WorkError, Workshop, WrongUsage};

/// The search, and what its evaluation was made from.
pub struct ShogiEngine {
    inner: SearchEngine<Shogi, Evaluator>,
    folders: Folders,
    options: Option<EvalOptions>,
    /// What serves where `EvalDir` holds nothing.
    embedded: Option<EmbeddedNet>,
    /// What is loaded now; loading it again would change nothing.
    loaded: Option<Wanted>,
    books: Bookshelf,
    /// The other engine, for `go mate`.
    mating: Mating,
    /// The same beside the search.
    mate_thread: MateThread,
    /// The option `MateNodes`, and what it was when the search was told.
    mate_nodes: (Option<SpinId>, i64),
}

impl ShogiEngine {
    /// An engine that has loaded nothing yet.
    pub fn new() -> Self {
        Self::with(Folders::of_process(), EmbeddedNet::of_build())
    }

    /// One that plays by material where there are no files, although a network is built in.
    pub fn without_network() -> Self {
        Self::with(Folders::of_process(), None)
    }

    fn with(folders: Folders, embedded: Option<EmbeddedNet>) -> Self {
        Self {
            inner: SearchEngine::new(NAME, AUTHOR, Evaluator::default()),
            folders,
            options: None,
            embedded,
            loaded: None,
            books: Bookshelf::new(),
            mating: Mating::default(),
            mate_thread: MateThread::default(),
            mate_nodes: (None, 0),
        }
    }

    /// Loads the evaluation if another one is wanted. The error says why none of those that may play can be had.
    fn load(&mut self, options: &Options, note: &mut dyn FnMut(&str)) -> Result<(), String> {
        let Some(ids) = self.options else { return Ok(()) };
        let wanted = ids.wanted(options);
        if self.loaded.as_ref() == Some(&wanted) {
            return Ok(());
        }
        let (evaluator, as_wanted) = match self.find(&wanted, note) {
            Ok(Some(evaluator)) => (evaluator, true),
            Ok(None) if wanted.skip_loading => (zero_cleared(&self.nothing_in(&wanted), note), true),
            Ok(None) if wanted.is_default() => (self.built_in(&wanted, note)?, true),
            Ok(None) => (self.instead(&wanted, &self.nothing_in(&wanted), note)?, false),
            Err(fault) if wanted.skip_loading => (zero_cleared(&fault, note), true),
            Err(fault) => (self.instead(&wanted, &fault, note)?, false),
        };
        self.inner.set_evaluation(evaluator);
        // Files that were bad may have been mended by the next `isready`.
        self.loaded = as_wanted.then_some(wanted);
        Ok(())
    }

    /// What plays where the files in `EvalDir` cannot be used: nothing, if somebody asked for them.
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

    /// Says where there is no evaluation.
    fn nothing_in(&self, wanted: &Wanted) -> String {
        let tried = self.folders.candidates(&wanted.eval_dir);
        let tried: Vec<String> = tried.iter().map(|folder| folder.display().to_string()).collect();
        format!("EvalDir {}: no nn.bin or KPPT tables in {}", wanted.eval_dir, tried.join(" or "))
    }

    /// The evaluation in `EvalDir`, if there is one.
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

    /// What this program has without files.
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

/// What games share that are shogi underneath.
impl ShogiEngine {
    /// The evaluation that is loaded.
    pub fn evaluation(&self) -> &Evaluator {
        self.inner.evaluation()
    }

    /// Declares the options on evaluation files and books only.
    pub fn declare_files(&mut self, options: &mut Options) {
        self.books.declare(options, &self.folders);
        self.options = Some(EvalOptions::declare(options));
    }

    /// Loads the evaluation and opens the books that the options ask for; says whether the evaluation is another one now.
    pub fn prepare_files(&mut self, options: &Options, note: &mut dyn FnMut(&str)) -> Result<bool, String> {
        self.books.prepare(options, &self.folders, note);
        let before = self.loaded.clone();
        self.load(options, note)?;
        Ok(self.loaded != before)
    }

    /// The move of the book, and the reply that is expected.
    pub fn book_move(
        &mut self,
        position: &Position,
        only: &[Move],
        say: &mut dyn FnMut(&str),
    ) -> Option<(Move, Option<Move>)> {
        self.books.choose(position, only, say)
    }
}

fn work_error(error: ConsoleError) -> WorkError {
    match error {
        ConsoleError::Usage(message) => WrongUsage(message).into(),
        error => WorkError::Failed(error.to_string()),
    }
}

/// Tables that know nothing, where there are none to load (`SkipLoadingEval`).
fn zero_cleared(reason: &str, note: &mut dyn FnMut(&str)) -> Evaluator {
    note(&format!("{reason}; zero-cleared KPPT tables are used"));
    Evaluator::Kppt(Box::new(AnyKppt::zero()))
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
        self.books.declare(options, &self.folders);
        self.options = Some(EvalOptions::declare(options));
        self.mating.declare(options);
        self.mate_thread.declare(options);
        self.mate_nodes.0 = Some(options.spin(
            "MateNodes",
            0,
            0..=1_000_000,
            "positions that the mate engine may look at for each node of the best line; 0 is not to ask it",
        ));
    }

    fn prepare(&mut self, options: &Options, note: &mut dyn FnMut(&str)) -> Result<(), String> {
        self.books.prepare(options, &self.folders, note);
        self.mate_thread.prepare(options, note);
        let nodes = self.mate_nodes.0.map_or(0, |id| options.get(id));
        if nodes != self.mate_nodes.1 {
            self.inner.set_mate_probe(mate_probe::maker(nodes.unsigned_abs()));
            self.mate_nodes.1 = nodes;
        }
        self.inner.prepare(options, note)?;
        self.mating.prepare(options, self.inner.startable_threads());
        self.load(options, note)
    }

    fn consult_book(
        &mut self,
        task: &Task<Position, Move>,
        say: &mut dyn FnMut(&str),
    ) -> Option<(Move, Option<Move>)> {
        self.books.choose(&task.position, &task.only, say)
    }

    fn work(&mut self, workshop: Workshop, errand: Errand<'_>) -> Result<(), WorkError> {
        let Errand { words, options, stopped, say } = errand;
        let threads = options.parsed("Threads").unwrap_or(1);
        let evaluation = self.inner.evaluation();
        let done = match workshop {
            Workshop::Book => {
                let folders = self.folders.candidates(self.books.folder(options));
                makebook::Workshop { evaluation, options, folders, stopped }.obey(words, say)
            }
            Workshop::School => {
                let folder = self.save_folder(options).map_err(WorkError::Failed)?;
                let done = Learn { evaluation, folder, threads, stopped }.run(words, say);
                // The folder may be EvalDir.
                self.loaded = None;
                return done.map_err(work_error);
            }
            Workshop::Teachers => {
                return Gensfen { evaluation, threads, stopped }.run(words, say).map_err(work_error);
            }
        };
        done.map_err(|error| {
            let message = format!("{error:#}");
            if error.is::<WrongUsage>() { WrongUsage(message).into() } else { WorkError::Failed(message) }
        })
    }

    fn game_over(&mut self, result: &str, note: &mut dyn FnMut(&str)) {
        self.inner.game_over(result, note);
    }

    fn new_game(&mut self) {
        self.inner.new_game();
        self.mating.give_back();
        self.mate_thread.new_game();
    }

    fn think(
        &mut self,
        task: &Task<Position, Move>,
        settings: &Settings,
        timer: &dyn Timer,
        report: &mut dyn FnMut(&Report<Move>),
    ) -> BestMove<Move> {
        let Self { inner, mate_thread, .. } = self;
        mate_thread.beside(task, settings.lines, timer, |timer| inner.think(task, settings, timer, report))
    }

    fn solve_mate(
        &mut self,
        position: &Position,
        limits: &MateLimits,
        timer: &dyn Timer,
        report: &mut dyn FnMut(MateReport<Move>),
    ) -> Mate<Move> {
        self.mating.solve(position, limits, timer, report)
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

    fn tests(&self) -> &'static [&'static str] {
        &files::USAGE
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

#[cfg(test)]
mod tests {
    use super::*;
    use eval::MaterialLevel;
    use eval::nnue::{Architecture, Features, Parameters, scale};
    use game::Evaluation;
    use usi::{Captured, Session};

    /// What a session with an embedded network and no files says.
    fn session(embedded: EmbeddedNet, commands: &str) -> String {
        let nowhere = Folders::new("/nonexistent", "/nonexistent");
        let engine = ShogiEngine::with(nowhere.clone(), Some(embedded));
        let said = Captured::default();
        let mut session = Session::with_folders(Shogi::default(), engine, said.output(), nowhere);
        session.run(std::io::Cursor::new(commands.to_owned())).expect("memory can be read");
        drop(session);
        said.text()
    }

    #[test]
    fn an_embedded_network_serves_where_there_are_no_files() {
        let parameters = Parameters::random(&Architecture::classic(Features::Kp, 32, 8, 8), 5);
        let mut file = Vec::new();
        parameters.write(&mut file).unwrap();
        let embedded = EmbeddedNet::compress(&file, 24);
        let cut = embedded.compressed()[..100].to_owned();
        let said = session(
            embedded,
            "isready\neval\nMaterialLevel 1\neval\nEvalDir <material>\nisready\neval\nEvalDir eval\nisready\neval\nEvalDir evla\nisready\neval\n",
        );
        let value = scale(parameters.evaluate(&Position::startpos()), 24);
        assert!(said.contains("info string built-in network Features=K+P[1710->32x2]"), "{said}");
        assert_eq!(said.matches(&format!("eval = {value}\n")).count(), 3, "{said}");
        assert!(said.contains("info string Error! EvalDir evla: no nn.bin or KPPT tables in "), "{said}");
        assert!(said.ends_with("EvalFallback true to play with the built-in network\n"), "{said}");
        // Asked for by name, the material evaluation serves although there is a network.
        let pieces = Material::new(MaterialLevel::Pieces).value(&Position::startpos());
        assert!(said.contains("info string EvalDir <material>: material, level 1\n"), "{said}");
        assert!(said.contains(&format!("eval = {pieces}\n")), "{said}");

        let said = session(EmbeddedNet::new(cut, 24), "isready\neval\n");
        assert!(said.contains("info string Error! the embedded network cannot be unpacked: "), "{said}");
        assert!(!said.contains("readyok") && !said.contains("eval = "), "{said}");
    }
}
