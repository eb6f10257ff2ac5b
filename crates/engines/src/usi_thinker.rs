//! Searches positions for books with any USI engine.

use arena::{EngineSpec, Info, Score, SearchInfo, Session, StartError, WordError};
use book::{BookMove, Effort, Thinker, version_count};
use platform::process::Heard;
use shogi::{Move, Position};
use std::time::{Duration, Instant};

/// A USI engine as a thinker.
pub struct UsiThinker {
    session: Session,
    effort: Effort,
}

/// Why an engine cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum UsiThinkerError {
    /// Wrong words for the engine.
    #[error(transparent)]
    Words(#[from] WordError),
    /// It does not start.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// An engine that is silent this long is given up.
const PATIENCE: Duration = Duration::from_hours(1);

impl UsiThinker {
    /// Starts an engine, described by words as for matches: `cmd=… option.NAME=…`.
    pub fn start(words: &str, effort: Effort) -> Result<Self, UsiThinkerError> {
        let mut spec = EngineSpec::from_words(words.split_whitespace())?;
        spec.set_option("MultiPV", &effort.multi_pv.to_string());
        let mut session = Session::start(&spec, Duration::from_mins(1), None)?;
        session.new_game()?;
        Ok(Self { session, effort })
    }

    /// An engine that has been started.
    pub fn of_session(mut session: Session, effort: Effort) -> Result<Self, UsiThinkerError> {
        session.set_options(&[("MultiPV".to_owned(), effort.multi_pv.to_string())])?;
        Ok(Self { session, effort })
    }
}

impl Thinker for UsiThinker {
    fn think(&mut self, position: &Position) -> Result<Vec<BookMove>, String> {
        let limit = match self.effort.nodes {
            Some(nodes) => format!("go nodes {nodes}"),
            None => format!("go depth {}", self.effort.depth),
        };
        self.session.new_game().map_err(|error| error.to_string())?;
        let deadline = Instant::now() + PATIENCE;
        let text = format!("position sfen {}\n{limit}\n", position.sfen());
        self.session.process.send(&text, deadline).map_err(|error| error.to_string())?;
        let mut lines: Vec<Option<BookMove>> = vec![None; self.effort.multi_pv];
        loop {
            match self.session.process.listen(deadline, None).map_err(|error| error.to_string())? {
                Heard::Line(line) if line.text.starts_with("bestmove") => break,
                Heard::Line(line) => {
                    if let Some((number, found)) = read_info(&line.text, position)
                        && let Some(slot) = lines.get_mut(number)
                    {
                        *slot = Some(found);
                    }
                }
                Heard::Silence => return Err("the engine has been silent for an hour".to_owned()),
                Heard::Closed => return Err("the engine has ended".to_owned()),
            }
        }
        Ok(lines.into_iter().flatten().collect())
    }
}

/// The index of the line that an `info` is about, from 0, and its move. Engines that report no depth have depth 0.
fn read_info(text: &str, position: &Position) -> Option<(usize, BookMove)> {
    let Info { line, search_info: SearchInfo { score, depth, pv, .. }, .. } = Info::read(text)?;
    let value = match score? {
        Score::Centipawns(value) => value,
        Score::Mate(plies) if plies > 0 => MATE - plies.min(MATE / 2),
        Score::Mate(plies) => -MATE - plies.max(-MATE / 2),
    };
    let play: Move = pv.first()?.parse().ok().filter(|play| position.is_legal(*play))?;
    let reply = pv.get(1).and_then(|word| word.parse().ok());
    let (depth, count) = (depth.unwrap_or(0) as i32, version_count());
    Some((line.checked_sub(1)?, BookMove { reply, value, depth, count, ..BookMove::new(play) }))
}

/// The mate value of books.
const MATE: i32 = 32_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_engines_say() {
        let start = Position::startpos();
        let read = |text: &str| {
            read_info(text, &start).map(|(line, m)| (line, m.play.unwrap().to_string(), m.value, m.depth))
        };
        assert_eq!(
            read("info depth 3 multipv 2 score cp -20 nodes 9 pv 7g7f 3c3d"),
            Some((1, "7g7f".to_owned(), -20, 3))
        );
        assert_eq!(read("info score mate -3 pv 7g7f"), Some((0, "7g7f".to_owned(), -31_997, 0)));
        assert_eq!(read("info score mate + pv 7g7f"), Some((0, "7g7f".to_owned(), 31_999, 0)));
        for other in
            ["info string score cp 3 pv 7g7f", "info depth 3", "info score cp 5 pv 1a1b", "bestmove 7g7f"]
        {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
