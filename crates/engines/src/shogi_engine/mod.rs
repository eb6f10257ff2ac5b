//! Shogi's engine: the search with the evaluation in `EvalDir`, books, and the mate solver.

mod book_options;
mod books;
mod eval_files;
mod eval_options;
mod files;
mod mate_probe;
mod mate_solver;
mod mate_thread;

pub(crate) use files::ShogiFiles;

use crate::{AUTHOR, NAME};
use book::{Makebook, MakebookError};
use eval::{EmbeddedNet, Evaluator};
use mate_solver::MateEngine;
use mate_thread::MateThread;
use search::{BestMove, Report, Settings, Task, Timer};
use shogi::{Move, Position, Shogi};
use train::console::{ConsoleError, Gensfen, Learn};
use usi::options::{Folders, Options, PlaySettings, SpinId};
use usi::{BookMoves, CommandContext, CommandFailure, ConsoleCommands, Engine, EngineTests, LongCommand};
use usi::{MateSolver, SearchEngine, WrongUsage};

/// The search, with the source of its evaluation.
pub struct ShogiEngine {
    inner: SearchEngine<Shogi, Evaluator>,
    files: ShogiFiles,
    /// The solver of `go mate`.
    mate_engine: MateEngine,
    /// The solver beside the search.
    mate_thread: MateThread,
    /// `MateNodes`.
    mate_nodes: SpinId,
    /// The value of `MateNodes` that the search uses.
    probed_nodes: i64,
}

impl ShogiEngine {
    /// An engine without loaded files.
    pub fn new(options: &mut Options) -> Self {
        Self::with(options, Folders::of_process(), EmbeddedNet::of_build())
    }

    fn with(options: &mut Options, folders: Folders, embedded: Option<EmbeddedNet>) -> Self {
        Self {
            inner: SearchEngine::new(NAME, AUTHOR, Evaluator::default(), options),
            files: ShogiFiles::declare(options, folders, embedded),
            mate_engine: MateEngine::declare(options),
            mate_thread: MateThread::declare(options),
            mate_nodes: options.spin(
                "MateNodes",
                0,
                0..=1_000_000,
                "positions that the mate engine may look at for each node of the best line; 0 is not to ask it",
            ),
            probed_nodes: 0,
        }
    }
}

impl Engine<Shogi> for ShogiEngine {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn author(&self) -> String {
        self.inner.author()
    }

    fn base(&mut self) -> Option<&mut dyn Engine<Shogi>> {
        Some(&mut self.inner)
    }

    fn prepare(
        &mut self,
        settings: &PlaySettings,
        options: &Options,
        note: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        self.files.open_books(settings, options, note);
        self.mate_thread.prepare(options, note);
        let nodes = options.get(self.mate_nodes);
        if nodes != self.probed_nodes {
            self.inner.set_mate_probe(mate_probe::maker(nodes.unsigned_abs()));
            self.probed_nodes = nodes;
        }
        self.inner.prepare(settings, options, note)?;
        self.mate_engine.prepare(settings, options, self.inner.startable_threads());
        if let Some(evaluation) = self.files.load_evaluation(options, note)? {
            self.inner.set_evaluation(evaluation);
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.inner.new_game();
        self.mate_engine.free();
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
        mate_thread.beside(task, settings.multi_pv, timer, |timer| inner.think(task, settings, timer, report))
    }

    fn book(&mut self) -> Option<&mut dyn BookMoves<Shogi>> {
        Some(&mut self.files.books)
    }

    fn mate_solver(&mut self) -> Option<&mut dyn MateSolver<Shogi>> {
        Some(&mut self.mate_engine)
    }

    fn console_commands(&mut self) -> Option<&mut dyn ConsoleCommands> {
        Some(self)
    }

    fn tests(&mut self) -> Option<&mut dyn EngineTests> {
        Some(self)
    }
}

impl ConsoleCommands for ShogiEngine {
    fn run(&mut self, command: LongCommand, context: CommandContext<'_>) -> Result<(), CommandFailure> {
        let evaluation = self.inner.evaluation();
        let CommandContext { words, settings, options, stopped, .. } = context;
        let threads = settings.threads;
        match command {
            LongCommand::MakeBook => {
                let makebook = Makebook {
                    evaluation,
                    threads,
                    hash: settings.hash_megabytes,
                    multi_pv: settings.multi_pv,
                    plies: self.files.book_plies(options),
                    folders: self.files.book_folders(options),
                    stopped,
                };
                makebook.run(words, context.say).map_err(|error| match error {
                    MakebookError::Usage(message) => WrongUsage(message).into(),
                    error => CommandFailure::Failed(error.to_string()),
                })
            }
            LongCommand::Learn => {
                let folder = self.files.save_folder(options);
                let done = Learn { evaluation, folder, threads, stopped }.run(words, context.say);
                self.files.forget_loaded();
                done.map_err(failure)
            }
            LongCommand::GenSfen => {
                Gensfen { evaluation, threads, stopped }.run(words, context.say).map_err(failure)
            }
        }
    }
}

fn failure(error: ConsoleError) -> CommandFailure {
    match error {
        ConsoleError::Usage(message) => WrongUsage(message).into(),
        error => CommandFailure::Failed(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::nnue::{Architecture, Features, Parameters, scale};
    use eval::{Material, MaterialLevel};
    use game::Evaluation;
    use usi::{Captured, Session};

    /// The output of a session with an embedded network and no files.
    fn session(embedded: EmbeddedNet, commands: &str) -> String {
        let nowhere = Folders::new("/nonexistent", "/nonexistent");
        let no_files = nowhere.clone();
        let engine = |options: &mut Options| ShogiEngine::with(options, no_files, Some(embedded));
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
        // Named by the option, the material evaluation is used although there is a network.
        let pieces = Material::new(MaterialLevel::Pieces).value(&Position::startpos());
        assert!(said.contains("info string EvalDir <material>: material, level 1\n"), "{said}");
        assert!(said.contains(&format!("eval = {pieces}\n")), "{said}");

        let said = session(EmbeddedNet::new(cut, 24), "isready\neval\n");
        assert!(said.contains("info string Error! the embedded network cannot be unpacked: "), "{said}");
        assert!(!said.contains("readyok") && !said.contains("eval = "), "{said}");
    }
}
