//! Any USI engine as the one that thinks for books.

use arena::{EngineSpec, Session};
use book::{BookMove, Effort, Thinker, version_count};
use platform::process::Heard;
use shogi::{Move, Position};
use std::time::{Duration, Instant};

/// Another engine.
pub struct UsiThinker {
    session: Session,
    effort: Effort,
}

/// An engine that says nothing for so long is given up.
const PATIENCE: Duration = Duration::from_hours(1);

impl UsiThinker {
    /// Starts an engine; `words` describe it as for matches: `cmd=… option.NAME=…`.
    pub fn start(words: &str, effort: Effort) -> anyhow::Result<Self> {
        let mut spec = EngineSpec::from_words(words.split_whitespace())?;
        spec.set_option("MultiPV", &effort.lines.to_string());
        let mut session = Session::start(&spec, Duration::from_mins(1), None)?;
        session.new_game()?;
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
        let mut lines: Vec<Option<BookMove>> = vec![None; self.effort.lines];
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

/// Which line an `info` is about, from 0, and its move. An engine that does not tell its depth has reached 0.
fn read_info(text: &str, position: &Position) -> Option<(usize, BookMove)> {
    let mut words = text.strip_prefix("info ")?.split_ascii_whitespace();
    let (mut number, mut value, mut depth) = (0usize, None, 0);
    while let Some(word) = words.next() {
        match word {
            "string" => return None,
            "depth" => depth = words.next()?.parse().ok()?,
            "multipv" => number = words.next()?.parse::<usize>().ok()?.checked_sub(1)?,
            "score" => {
                let mate = words.next()? == "mate";
                let given = words.next()?;
                value = Some(match (mate, given) {
                    (true, "+") => MATE - 1,
                    (true, "-") => 1 - MATE,
                    (true, plies) => {
                        let plies: i32 = plies.parse().ok()?;
                        if plies > 0 { MATE - plies.min(MATE / 2) } else { -MATE - plies.max(-MATE / 2) }
                    }
                    (false, cp) => cp.parse().ok()?,
                });
            }
            "pv" => break,
            _ => {}
        }
    }
    let play: Move = words.next()?.parse().ok().filter(|play| position.is_legal(*play))?;
    let reply = words.next().and_then(|word| word.parse().ok());
    let count = version_count();
    Some((number, BookMove { reply, value: value?, depth, count, ..BookMove::new(play) }))
}

/// Where books have their mates.
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
