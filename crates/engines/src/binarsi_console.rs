//! The console of the original Binarsi program, with our engine as the computer.

use crate::{BinarsiEngine, NAME, PLAYERS};
use binarsi::{Binarsi, Board, Console, Player, Position, Thought};
use game::Game;
use platform::Language;
use search::{BestMove, Report, Settings, Task};
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};
use usi::options::Options;
use usi::{Engine, FixedTime};

/// The pause of the original between the screens of `play`.
const PAUSE: Duration = Duration::from_millis(700);
const MEGABYTES: usize = 256;

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
            // Unreachable: the console asks only for positions that have moves.
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
pub fn run_binarsi_console(language: Language, time: Duration) -> io::Result<()> {
    let mut engine = BinarsiEngine::new(&mut Options::new());
    engine.resize(MEGABYTES, NonZeroUsize::MIN).map_err(io::Error::other)?;
    let person = io::stdin().is_terminal() && io::stdout().is_terminal();
    let pause = if person { PAUSE } else { Duration::ZERO };
    let name = format!("{NAME} {}", Binarsi.name());
    let mut console = Console::new(name, Computer { engine, time }, io::stdout().lock(), language, pause);
    console.run(io::stdin().lock())
}
