//! What a session drives.

use crate::go::MateLimits;
use crate::numa_option::NumaOption;
use crate::options::{CheckId, DEFAULT_HASH, Options};
use crate::workshop::{Errand, WorkError, Workshop};
#[cfg(feature = "tuning")]
use crate::{options::TextId, parameter_log::ParameterLog};
use game::{Evaluation, Game, Position, Searchable};
use mate::{ForcedLimits, ForcedMate, ForcedProgress};
use search::{BestMove, MakeMateProbe, Next, Progress, Report, Searcher, Settings, Task, Timer};
use std::time::Duration;

/// The move of a game.
pub type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A player that a [`Session`](crate::Session) can put behind the protocol.
///
/// Only [`Engine::think`] is needed; it may be as simple as picking a random move. The session takes care of
/// everything around it: words, options, clocks, pondering, `stop`, and one `bestmove` for each `go`.
pub trait Engine<G: Game>: Send + 'static {
    /// The name that hosts show.
    fn name(&self) -> String;

    /// Who made it.
    fn author(&self) -> String;

    /// Declares the engine's own options, after those of the session.
    fn declare_options(&mut self, options: &mut Options) {
        let _ = options;
    }

    /// Gets ready to think (`isready`): loads what must be loaded and has changed, as long as it takes; `note` says
    /// something to the user. An engine that can play, but not quite as the options ask for, notes it with a message that
    /// begins with `Error!`. One that must not play says why by the error: the session ends with that message.
    fn prepare(&mut self, options: &Options, note: &mut dyn FnMut(&str)) -> Result<(), String> {
        let _ = (options, note);
        Ok(())
    }

    /// A new game begins.
    fn new_game(&mut self) {}

    /// A game has ended: `win`, `lose` or `draw`, as the host says. `note` says something to the user.
    fn game_over(&mut self, result: &str, note: &mut dyn FnMut(&str)) {
        let _ = (result, note);
    }

    /// Thinks until the task's limits are reached or the timer says stop; `report` may be called any number of
    /// times.
    fn think(
        &mut self,
        task: &Task<G::Position, MoveOf<G>>,
        settings: &Settings,
        timer: &dyn Timer,
        report: &mut dyn FnMut(&Report<MoveOf<G>>),
    ) -> BestMove<MoveOf<G>>;

    /// Looks the position up in an opening book before thinking about it: the move to play at once, and the reply that
    /// is expected. `say` shows whole lines to the host.
    fn consult_book(
        &mut self,
        task: &Task<G::Position, MoveOf<G>>,
        say: &mut dyn FnMut(&str),
    ) -> Option<(MoveOf<G>, Option<MoveOf<G>>)> {
        let _ = (task, say);
        None
    }

    /// Makes books, evaluations or teachers, until it is done or the user wants it to end.
    fn work(&mut self, workshop: Workshop, errand: Errand<'_>) -> Result<(), WorkError> {
        let _ = errand;
        Err(WorkError::Failed(format!("this engine has no {workshop}")))
    }

    /// Looks for a forced mate; `report` may be called any number of times.
    fn solve_mate(
        &mut self,
        position: &G::Position,
        limits: &MateLimits,
        timer: &dyn Timer,
        report: &mut dyn FnMut(MateReport<MoveOf<G>>),
    ) -> Mate<MoveOf<G>> {
        let _ = (position, limits, timer, report);
        Mate::NotImplemented
    }

    /// Static value of a position for the side to move, in the unit of the evaluation; `None` if there is none.
    fn evaluate(&mut self, position: &G::Position) -> Option<i32> {
        let _ = position;
        None
    }

    /// What [`Report`]s' values call 100 centipawns.
    fn hundred_centipawns(&self) -> i32 {
        100
    }

    /// Makes the engine's table about so large (`bench`); without a table there is nothing to do.
    fn set_table_size(&mut self, megabytes: usize) {
        let _ = megabytes;
    }

    /// Ways of `test` that only this engine knows, as a message lists them.
    fn tests(&self) -> &'static [&'static str] {
        &[]
    }

    /// `test WORDS`, where the session does not know the first word; `None` if the engine does not know it either.
    /// `say` shows a line to the user while it lasts.
    fn test(
        &mut self,
        words: &str,
        options: &Options,
        say: &mut dyn FnMut(&str),
    ) -> Option<Result<(), String>> {
        let _ = (words, options, say);
        None
    }

    /// The command `user`: for whatever its author wants; each line is shown to the user.
    fn user(&mut self, position: &G::Position, words: &str) -> Vec<String> {
        let _ = (position, words);
        Vec::new()
    }
}

/// What a search for a mate says while it lasts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateReport<M> {
    /// How far it has come.
    Progress {
        /// Positions searched.
        nodes: u64,
        /// Time since `go`.
        elapsed: Duration,
        /// Thousandths of the table in use.
        table_fullness: usize,
        /// Plies of the mate found so far.
        found: Option<u32>,
        /// What is being looked at.
        line: Vec<M>,
    },
    /// A remark for the user.
    Note(String),
}

/// The answer to `go mate`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mate<M> {
    /// It mates, like this.
    Found(Vec<M>),
    /// There is no mate.
    NoMate,
    /// Time or nodes ran out.
    Timeout,
    /// This engine does not solve mates.
    NotImplemented,
}

/// The search of this project as an [`Engine`], with any evaluation.
pub struct SearchEngine<G: Game, E>
where
    G::Position: Searchable,
{
    name: String,
    author: String,
    evaluation: E,
    searcher: Searcher<G::Position, E>,
    /// The option `Threads`, as it was when the engine got ready.
    threads: usize,
    /// How many of them the system could start.
    startable: usize,
    /// The option `LargePageEnable`.
    large_pages: Option<CheckId>,
    numa: NumaOption,
    /// What was last said about large pages.
    said: Option<bool>,
    /// The option `USI_Hash`, which `go mate` keeps to as well.
    megabytes: usize,
    #[cfg(feature = "tuning")]
    parameters: (Option<TextId>, ParameterLog),
}

impl<G, E> SearchEngine<G, E>
where
    G: Game,
    G::Position: Searchable + Sync,
    E: Evaluation<G::Position> + Clone + 'static,
{
    /// The evaluation.
    pub fn evaluation(&self) -> &E {
        &self.evaluation
    }

    /// How many threads search: as many as the option `Threads` says, if the system could start them when the engine got
    /// ready.
    pub fn startable_threads(&self) -> usize {
        self.startable
    }

    /// Takes another evaluation from the next search on.
    pub fn set_evaluation(&mut self, evaluation: E) {
        *self.searcher.evaluation_mut() = evaluation.clone();
        self.evaluation = evaluation;
    }

    /// Has somebody help the search to see forced wins, or nobody.
    pub fn set_mate_probe(&mut self, make: Option<MakeMateProbe<G::Position>>) {
        self.searcher.set_mate_probe(make);
    }

    /// An engine of this name.
    pub fn new(name: impl Into<String>, author: impl Into<String>, evaluation: E) -> Self {
        // The table grows to its real size when the engine gets ready.
        let searcher = Searcher::new(evaluation.clone(), 1).expect("there is a megabyte of memory");
        Self {
            name: name.into(),
            author: author.into(),
            evaluation,
            searcher,
            threads: 1,
            startable: 1,
            large_pages: None,
            numa: NumaOption::new(),
            said: None,
            megabytes: 16,
            #[cfg(feature = "tuning")]
            parameters: (None, ParameterLog::new()),
        }
    }

    /// Sets the numbers of the search for the next game.
    #[cfg(feature = "tuning")]
    fn set_parameters(&mut self) {
        let values = self.parameters.1.next_game();
        search::PARAMETERS.iter().zip(values).for_each(|(parameter, value)| parameter.set(*value));
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

    fn declare_options(&mut self, options: &mut Options) {
        self.large_pages = Some(options.check(
            "LargePageEnable",
            true,
            "the transposition table on large pages where the system has them",
        ));
        self.numa.declare(options);
        #[cfg(feature = "tuning")]
        for p in search::PARAMETERS {
            options.spin(
                p.name,
                p.default.into(),
                p.min.into()..=p.max.into(),
                "a number of the search, to be tuned",
            );
        }
        #[cfg(feature = "tuning")]
        {
            let help =
                "each game is played with other numbers of the search, which are logged here with its result";
            self.parameters.0 = Some(options.string("PARAMETERS_LOG_FILE_PATH", "", help));
        }
    }

    fn prepare(&mut self, options: &Options, note: &mut dyn FnMut(&str)) -> Result<(), String> {
        let megabytes = options.parsed("USI_Hash").unwrap_or(16);
        self.megabytes = megabytes;
        self.threads = options.parsed("Threads").unwrap_or(1);
        #[cfg(feature = "tuning")]
        {
            let set =
                search::PARAMETERS.iter().map(|p| options.parsed(p.name).unwrap_or(p.default)).collect();
            let path = self.parameters.0.map_or("", |id| options.get(id));
            if let Some(remark) = self.parameters.1.prepare(path, set) {
                note(&remark);
            }
            self.set_parameters();
        }
        let placement = self.numa.placement(options, self.threads, note);
        self.searcher.place_threads(placement.clone());
        let large = self.large_pages.is_none_or(|id| options.get(id));
        if let Err(error) = self.searcher.resize_table(megabytes, large) {
            // A fresh engine has next to no table: the default serves better.
            if self.searcher.table().megabytes() < DEFAULT_HASH as usize {
                let _ = self.searcher.resize_table(DEFAULT_HASH as usize, large);
            }
            let used = self.searcher.table().megabytes();
            note(&format!("Error! no memory for USI_Hash {megabytes}: {error}; {used} MB are used"));
        }
        let searching = self.searcher.get_ready(self.threads);
        self.startable = searching;
        if searching < self.threads {
            note(&format!(
                "Error! Threads {}: only {searching} could be started (memory, or a limit of the system); {searching} search",
                self.threads
            ));
        }
        let large_pages = self.searcher.table().uses_large_pages();
        if self.said.replace(large_pages) != Some(large_pages) {
            note(if large_pages { "Large Pages are used." } else { "Large Pages are not used." });
        }
        Ok(())
    }

    fn new_game(&mut self) {
        #[cfg(feature = "tuning")]
        self.set_parameters();
        self.searcher.clear(self.threads);
    }

    #[cfg(feature = "tuning")]
    fn game_over(&mut self, result: &str, note: &mut dyn FnMut(&str)) {
        if let Err(message) = self.parameters.1.game_over(result) {
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
        match mate::solve_forced(position, limits) {
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

    fn evaluate(&mut self, position: &G::Position) -> Option<i32> {
        self.evaluation.refresh(position);
        Some(self.evaluation.value(position))
    }

    fn hundred_centipawns(&self) -> i32 {
        E::HUNDRED_CENTIPAWNS
    }

    fn set_table_size(&mut self, megabytes: usize) {
        // The old table serves as well if there is not so much memory.
        let large_pages = self.searcher.table().uses_large_pages();
        let _ = self.searcher.resize_table(megabytes, large_pages);
    }
}

/// A timer that stops after a fixed time, for benchmarks and self-play.
#[derive(Clone, Copy, Debug)]
pub struct FixedTime {
    /// When thinking began.
    pub start: std::time::Instant,
    /// How long it may take.
    pub time: Duration,
}

impl Timer for FixedTime {
    fn must_stop(&self) -> bool {
        self.start.elapsed() >= self.time
    }

    fn after_iteration(&self, _: &Progress) -> Next {
        if self.must_stop() { Next::Stop } else { Next::Deeper }
    }
}
