//! The search of the crate `search` as an [`Engine`].

use crate::engine::{Engine, Mate, MateReport, MateSolver, MoveOf, PlayAtLevel, StaticEval};
use crate::go::MateLimits;
use crate::level::{Level, LevelPlayer};
use crate::numa_option::NumaOption;
use crate::options::{CheckId, DEFAULT_HASH, Options, PlaySettings};
#[cfg(feature = "tuning")]
use crate::{
    options::{SpinId, TextId},
    parameter_log::ParameterLog,
};
use game::{Evaluation, Game, Searchable};
use search::{
    BestMove, ForcedLimits, ForcedMate, ForcedProgress, MakeMateProbe, Report, Searcher, Settings, Task,
    Timer,
};

/// The search of the crate `search` as an [`Engine`], with any evaluation.
pub struct SearchEngine<G: Game, E>
where
    G::Position: Searchable,
{
    name: String,
    author: String,
    evaluation: E,
    searcher: Searcher<G::Position, E>,
    /// Plays instead at levels, once one was wanted.
    level_player: Option<LevelPlayer<G::Position, E>>,
    /// `Threads` at the last [`Engine::prepare`].
    threads: usize,
    /// How many of them could be started.
    startable: usize,
    /// `USI_Hash` at the last [`Engine::prepare`]; also the limit of `go mate`.
    megabytes: usize,
    /// `LargePageEnable`.
    large_pages: CheckId,
    numa: NumaOption,
    /// Whether large pages were in use at the last message about them.
    large_pages_noted: Option<bool>,
    #[cfg(feature = "tuning")]
    parameters: TunedParameters,
}

/// The parameters of the search as options.
#[cfg(feature = "tuning")]
struct TunedParameters {
    /// In the order of [`search::PARAMETERS`].
    values: Vec<SpinId>,
    log_path: TextId,
    log: ParameterLog,
}

#[cfg(feature = "tuning")]
impl TunedParameters {
    fn declare(options: &mut Options) -> Self {
        let declare = |p: &search::Parameter| {
            let range = p.min.into()..=p.max.into();
            options.spin(p.name, p.default.into(), range, "a number of the search, to be tuned")
        };
        let values = search::PARAMETERS.iter().map(declare).collect();
        let help =
            "each game is played with other numbers of the search, which are logged here with its result";
        let log_path = options.string("PARAMETERS_LOG_FILE_PATH", "", help);
        Self { values, log_path, log: ParameterLog::new() }
    }

    fn prepare(&mut self, options: &Options, note: &mut dyn FnMut(&str)) {
        let set = self.values.iter().map(|id| options.get(*id) as i32).collect();
        if let Some(remark) = self.log.prepare(options.get(self.log_path), set) {
            note(&remark);
        }
        self.next_game();
    }

    /// Sets the parameters for the next game.
    fn next_game(&mut self) {
        let values = self.log.next_game();
        search::PARAMETERS.iter().zip(values).for_each(|(parameter, value)| parameter.set(*value));
    }
}

/// The size of the table before the engine is prepared, in MiB.
const FIRST_MEGABYTES: usize = 1;

impl<G, E> SearchEngine<G, E>
where
    G: Game,
    G::Position: Searchable + Sync,
    E: Evaluation<G::Position> + Clone + 'static,
{
    /// Creates an engine and declares its options.
    pub fn new(
        name: impl Into<String>,
        author: impl Into<String>,
        evaluation: E,
        options: &mut Options,
    ) -> Self {
        let searcher =
            Searcher::new(evaluation.clone(), FIRST_MEGABYTES).expect("there is a megabyte of memory");
        Self {
            name: name.into(),
            author: author.into(),
            evaluation,
            searcher,
            level_player: None,
            threads: 1,
            startable: 1,
            megabytes: FIRST_MEGABYTES,
            large_pages: options.check(
                "LargePageEnable",
                true,
                "the transposition table on large pages where the system has them",
            ),
            numa: NumaOption::declare(options),
            large_pages_noted: None,
            #[cfg(feature = "tuning")]
            parameters: TunedParameters::declare(options),
        }
    }

    /// The evaluation.
    pub fn evaluation(&self) -> &E {
        &self.evaluation
    }

    /// Number of search threads: `Threads`, or fewer if the system could not start as many at the last
    /// [`Engine::prepare`].
    pub fn startable_threads(&self) -> usize {
        self.startable
    }

    /// Replaces the evaluation from the next search on.
    pub fn set_evaluation(&mut self, evaluation: E) {
        *self.searcher.evaluation_mut() = evaluation.clone();
        self.level_player = None;
        self.evaluation = evaluation;
    }

    /// Sets the mate solver that probes nodes of the search, or removes it.
    pub fn set_mate_probe(&mut self, make: Option<MakeMateProbe<G::Position>>) {
        self.searcher.set_mate_probe(make);
    }

    fn resize_table(&mut self, megabytes: usize, large: bool, note: &mut dyn FnMut(&str)) {
        if let Err(error) = self.searcher.resize_table(megabytes, large) {
            // A new engine has next to no table: use the default size.
            if self.searcher.table().megabytes() < DEFAULT_HASH as usize {
                let _ = self.searcher.resize_table(DEFAULT_HASH as usize, large);
            }
            let used = self.searcher.table().megabytes();
            note(&format!("Error! no memory for USI_Hash {megabytes}: {error}; {used} MB are used"));
        }
    }
}

impl<G, E> Engine<G> for SearchEngine<G, E>
where
    G: Game,
    G::Position: Searchable + Sync,
    E: Evaluation<G::Position> + Clone + 'static,
{
    fn name(&self) -> String {
        self.name.clone()
    }

    fn author(&self) -> String {
        self.author.clone()
    }

    fn prepare(
        &mut self,
        settings: &PlaySettings,
        options: &Options,
        note: &mut dyn FnMut(&str),
    ) -> Result<(), String> {
        self.megabytes = settings.hash_megabytes;
        self.threads = settings.threads;
        #[cfg(feature = "tuning")]
        self.parameters.prepare(options, note);
        let placement = self.numa.placement(options, self.threads, note);
        self.searcher.place_threads(placement.clone());
        self.resize_table(self.megabytes, options.get(self.large_pages), note);
        self.startable = self.searcher.get_ready(self.threads);
        if self.startable < self.threads {
            note(&format!(
                "Error! Threads {}: only {started} could be started (memory, or a limit of the system); {started} search",
                self.threads,
                started = self.startable,
            ));
        }
        let large_pages = self.searcher.table().uses_large_pages();
        if self.large_pages_noted.replace(large_pages) != Some(large_pages) {
            note(if large_pages { "Large Pages are used." } else { "Large Pages are not used." });
        }
        Ok(())
    }

    fn new_game(&mut self) {
        #[cfg(feature = "tuning")]
        self.parameters.next_game();
        self.searcher.clear(self.threads);
        if let Some(player) = &mut self.level_player {
            player.new_game();
        }
    }

    #[cfg(feature = "tuning")]
    fn game_over(&mut self, result: &str, note: &mut dyn FnMut(&str)) {
        if let Err(message) = self.parameters.log.game_over(result) {
            note(&format!("Error! {message}"));
        }
    }

    fn think(
        &mut self,
        task: &Task<G::Position, MoveOf<G>>,
        settings: &Settings,
        timer: &dyn Timer,
        report: &mut dyn FnMut(&Report<MoveOf<G>>),
    ) -> BestMove<MoveOf<G>> {
        self.searcher.think(task, settings, timer, report)
    }

    fn set_tables(&mut self, megabytes: usize, threads: usize) {
        self.threads = threads;
        // If there is not enough memory, the old table stays.
        let large_pages = self.searcher.table().uses_large_pages();
        let _ = self.searcher.resize_table(megabytes, large_pages);
    }

    fn levels(&mut self) -> Option<&mut dyn PlayAtLevel<G>> {
        Some(self)
    }

    fn mate_solver(&mut self) -> Option<&mut dyn MateSolver<G>> {
        Some(self)
    }

    fn static_eval(&mut self) -> Option<&mut dyn StaticEval<G>> {
        Some(self)
    }
}

impl<G, E> PlayAtLevel<G> for SearchEngine<G, E>
where
    G: Game,
    G::Position: Searchable + Sync,
    E: Evaluation<G::Position> + Clone + 'static,
{
    fn think_at(
        &mut self,
        level: Level,
        seed: u64,
        task: &Task<G::Position, MoveOf<G>>,
        settings: &Settings,
        timer: &dyn Timer,
    ) -> BestMove<MoveOf<G>> {
        if self.level_player.is_none() {
            self.level_player = LevelPlayer::new(self.evaluation.clone()).ok();
        }
        match &mut self.level_player {
            Some(player) => player.think(level, seed, task, settings, timer),
            // Without memory for tables of its own it is too strong, but it plays.
            None => self.searcher.think(task, settings, timer, |_| ()),
        }
    }
}

impl<G, E> MateSolver<G> for SearchEngine<G, E>
where
    G: Game,
    G::Position: Searchable + Sync,
    E: Evaluation<G::Position> + Clone + 'static,
{
    fn solve_mate(
        &mut self,
        position: &G::Position,
        limits: &MateLimits,
        timer: &dyn Timer,
        report: &mut dyn FnMut(MateReport<MoveOf<G>>),
    ) -> Mate<MoveOf<G>> {
        let mut tell = |progress: &ForcedProgress<MoveOf<G>>| {
            report(MateReport::Progress {
                nodes: progress.nodes,
                elapsed: progress.time,
                table_fullness: progress.hashfull,
                found: progress.found,
                line: progress.line.clone(),
            });
        };
        let limits = ForcedLimits {
            nodes: limits.nodes,
            plies: limits.depth,
            bytes: self.megabytes << 20,
            stop: &|| timer.must_stop(),
            report: &mut tell,
        };
        match search::solve_forced(position, limits) {
            ForcedMate::Mate(line) => {
                report(MateReport::Note(format!("mate in at most {} plies", line.len())));
                Mate::Found(line)
            }
            ForcedMate::NoMate => Mate::NoMate,
            ForcedMate::Unknown(why) => {
                report(MateReport::Note(why.to_string()));
                Mate::Timeout
            }
        }
    }
}

impl<G, E> StaticEval<G> for SearchEngine<G, E>
where
    G: Game,
    G::Position: Searchable + Sync,
    E: Evaluation<G::Position> + Clone + 'static,
{
    fn evaluate(&mut self, position: &G::Position) -> i32 {
        self.evaluation.refresh(position);
        self.evaluation.value(position)
    }

    fn hundred_centipawns(&self) -> i32 {
        E::HUNDRED_CENTIPAWNS
    }
}
