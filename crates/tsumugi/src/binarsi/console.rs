//! `tsumugi binarsi`: the console of the original.

use binarsi::{Board, Console, Language, Player, Position, Thought};
use engines::{BinarsiEngine, NAME, PLAYERS};
use game::Game;
use search::{BestMove, Report, Settings, Task};
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};
use usi::options::Options;
use usi::{Engine, FixedTime};

/// What the original waits between the screens of `play`.
const PAUSE: Duration = Duration::from_millis(700);
const MEGABYTES: usize = 256;

/// The language of the console's texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Japanese.
    Ja,
}

/// The engine with a fixed time for each move.
struct Computer {
    engine: BinarsiEngine,
    time: Duration,
}

impl Player for Computer {
    fn players(&self) -> Vec<&'static str> {
        PLAYERS.to_vec()
    }

    fn choose(&mut self, player: &str) {
        self.engine.choose_player(player);
    }

    fn think(&mut self, board: &Board) -> Thought {
        let timer = FixedTime { start: Instant::now(), time: self.time };
        let task = Task::new(Position::from(*board));
        match self.engine.think(&task, &Settings::default(), &timer, &mut |_| ()) {
            BestMove::Play { best, report, .. } => Thought { info: vec![info(&report)], best },
            // The console asks only while the game goes on, and then there are moves.
            BestMove::Resign | BestMove::Declare => {
                let best = board.state().distinct_moves()[0];
                Thought { info: Vec::new(), best }
            }
        }
    }
}

fn info(report: &Report<binarsi::Move>) -> String {
    let line = &report.lines[0];
    let score = match line.value.plies_to_mate() {
        Some(plies) => format!("mate {plies}"),
        None => format!("cp {}", line.value),
    };
    let moves: Vec<_> = line.moves.iter().map(ToString::to_string).collect();
    format!(
        "info depth {} seldepth {} time {} nodes {} score {score} pv {}",
        report.depth,
        line.selective_depth.max(report.depth),
        report.elapsed.as_millis(),
        report.nodes,
        moves.join(" "),
    )
}

/// Reads commands from standard input until `quit`.
pub fn run(lang: Lang, time: Duration) -> anyhow::Result<()> {
    let mut engine = BinarsiEngine::new(&mut Options::new());
    engine.resize(MEGABYTES, NonZeroUsize::MIN).map_err(anyhow::Error::msg)?;
    let person = io::stdin().is_terminal() && io::stdout().is_terminal();
    let pause = if person { PAUSE } else { Duration::ZERO };
    let language = match lang {
        Lang::En => Language::English,
        Lang::Ja => Language::Japanese,
    };
    let name = format!("{NAME} {}", binarsi::Binarsi.name());
    let mut console = Console::new(name, Computer { engine, time }, io::stdout().lock(), language, pause);
    console.run(io::stdin().lock())?;
    Ok(())
}
