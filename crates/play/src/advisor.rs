//! Hints and analysis on request, at full strength.

use crate::words::Words;
use analysis::{Candidate, Effort, Limit, Rulebook, Thinker};
use arena::{EngineSpec, Score};
use engines::Catalogue;
use game::Color;
use platform::Language;

/// Milliseconds for a hint, and for an analysis.
const HINT: u64 = 1000;
const ANALYSIS: u64 = 2000;
/// Lines of an analysis.
const LINES: usize = 3;
/// Moves that are shown of each line.
const MOVES: usize = 8;

/// An engine that is asked for advice.
pub struct Advisor {
    thinker: Thinker,
    catalogue: Catalogue,
    variant: String,
}

impl Advisor {
    /// An engine that is started when it is asked for the first time.
    #[must_use]
    pub fn new(spec: EngineSpec, catalogue: Catalogue, variant: &str) -> Self {
        let no_book = vec![("USI_OwnBook".to_owned(), "false".to_owned())];
        Self { thinker: Thinker::new(spec, no_book, None), catalogue, variant: variant.to_owned() }
    }

    /// The best lines in a position, each as its value and its moves in Japanese.
    fn lines(
        &mut self,
        command: &str,
        text: &str,
        effort: &Effort,
    ) -> Result<Vec<(Score, Vec<String>)>, String> {
        let command = command.strip_prefix("position ").unwrap_or(command);
        let found = self.thinker.think(command, effort).map_err(|error| error.to_string())?;
        let lines: Vec<Vec<String>> = found.iter().map(|candidate| candidate.pv.clone()).collect();
        let spoken = Rulebook(&self.catalogue)
            .spoken(&self.variant, text, &lines)
            .map_err(|error| error.to_string())?;
        let moves =
            |line: Vec<(String, String)>| line.into_iter().map(|(_, text)| text).take(MOVES).collect();
        let values = found.into_iter().map(|Candidate { score, .. }| score);
        Ok(values.zip(spoken.into_iter().map(moves)).collect())
    }

    /// A good move; `command` leads to the position, `text` is its SFEN.
    pub fn hint(&mut self, command: &str, text: &str, words: Words) -> Result<String, String> {
        let effort = Effort { limit: Limit::Movetime(HINT), lines: 1, mate_nodes: 0 };
        let lines = self.lines(command, text, &effort)?;
        let first = lines.first().and_then(|(_, moves)| moves.first()).cloned();
        let none = || words.say("no move is better than resigning", "よい手が見つかりません").to_owned();
        Ok(first.unwrap_or_else(none))
    }

    /// The value of a position and the best lines.
    pub fn analyse(
        &mut self,
        command: &str,
        text: &str,
        side: Color,
        words: Words,
    ) -> Result<String, String> {
        let effort = Effort { limit: Limit::Movetime(ANALYSIS), lines: LINES, mate_nodes: 0 };
        let lines = self.lines(command, text, &effort)?;
        let shown =
            lines.iter().map(|(score, moves)| format!("{}  {}", value(*score, side, words), moves.concat()));
        let head = words.say("values from Black's view", "評価値は先手から見た値").to_owned();
        Ok(std::iter::once(head).chain(shown).collect::<Vec<_>>().join("\n"))
    }
}

/// `+120`, `先手の5手詰`: from Black's view.
fn value(score: Score, side: Color, words: Words) -> String {
    match score {
        Score::Centipawns(value) => format!("{:+}", if side == Color::Black { value } else { -value }),
        Score::Mate(plies) => {
            let winner = words.side(if plies > 0 { side } else { !side });
            let plies = plies.unsigned_abs();
            match words.0 {
                Language::English => format!("{winner} mates in {plies}"),
                Language::Japanese => format!("{winner}の{plies}手詰"),
            }
        }
    }
}
