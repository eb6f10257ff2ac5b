//! A game under way: the moves, the clocks, how it ended; and its record.

use arena::game_files::Heading;
use arena::tournament::RecordFormat;
use arena::{
    Adjudication, Answer, Clock, GameFiles, Played, PlayedMove, Reason, Referee, Ruling, SearchInfo,
    TimeControl, Verdict, go_words,
};
use game::{Color, Position};
use platform::{FileError, atomic_file};
use record::notation::MoveOf;
use std::path::Path;
use std::time::Duration;

/// A game under way.
pub struct Table<G: GameFiles> {
    game: G,
    /// As `position` takes it, with the moves of a record that was taken up.
    opening: String,
    referee: Referee<G>,
    moves: Vec<PlayedMove>,
    clocks: [Clock; 2],
    /// The clocks before each of the moves.
    before: Vec<[Clock; 2]>,
    verdict: Option<Verdict>,
}

/// Why a game cannot be saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The file.
    #[error(transparent)]
    File(#[from] FileError),
    /// A format that the game does not have.
    #[error("{0}: expected .kifu, .kif, .usi, or for shogi .csa")]
    Format(String),
}

impl<G: GameFiles> Table<G> {
    /// A game from `opening`, as `position` takes it; the error says what is wrong with it.
    pub fn new(game: G, opening: &str, controls: [TimeControl; 2]) -> Result<Self, String> {
        let referee = Referee::new(&game, opening, Adjudication::default())?;
        let clocks = controls.map(Clock::new);
        let opening = opening.trim().to_owned();
        Ok(Self { game, opening, referee, moves: Vec::new(), clocks, before: Vec::new(), verdict: None })
    }

    /// Plays the moves of a record, up to the first word that is none; they take no time.
    pub fn replay(&mut self, moves: &str) {
        for word in moves.split_ascii_whitespace() {
            let Ok(m) = self.position().parse_move(word) else { return };
            if self.verdict.is_some() {
                return;
            }
            self.before.push(self.clocks);
            self.moves.push(PlayedMove {
                text: m.to_string(),
                elapsed: Duration::ZERO,
                search_info: SearchInfo::default(),
            });
            self.verdict = self.referee.play(m, None);
        }
    }

    /// The position now.
    pub const fn position(&self) -> &G::Position {
        self.referee.position()
    }

    /// The `position` command for an engine.
    pub fn command(&self) -> &str {
        self.referee.command()
    }

    /// `go` with the clocks as they are.
    #[must_use]
    pub fn go(&self) -> String {
        format!("go{}", go_words(&self.clocks, self.side()))
    }

    /// Who is to move.
    pub fn side(&self) -> Color {
        self.position().side()
    }

    /// How it ended.
    pub const fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// A player's clock.
    #[must_use]
    pub const fn clock(&self, color: Color) -> &Clock {
        &self.clocks[color.index()]
    }

    /// The moves since the opening.
    #[must_use]
    pub fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }

    /// The last move and the position before it.
    #[must_use]
    pub fn last(&self) -> Option<(G::Position, MoveOf<G>)> {
        let last = self.moves.last().map(|m| m.text.clone()).or_else(|| {
            let (_, moves) = self.opening.split_once(" moves ")?;
            moves.split_ascii_whitespace().next_back().map(str::to_owned)
        })?;
        let mut position = self.position().clone();
        position.can_undo().then(|| position.undo_move())?;
        let m = position.parse_move(&last).ok()?;
        Some((position, m))
    }

    /// Plays a legal move that took so long.
    pub fn play(&mut self, m: MoveOf<G>, elapsed: Duration, search_info: SearchInfo) {
        if self.verdict.is_some() {
            return;
        }
        let score = search_info.score;
        self.before.push(self.clocks);
        let side = self.side();
        self.clocks[side.index()].spend(elapsed);
        self.moves.push(PlayedMove { text: m.to_string(), elapsed, search_info });
        self.verdict = self.referee.play(m, score);
    }

    /// Takes an answer: a move, `resign` or `win`.
    pub fn answer(&mut self, answer: &Answer, elapsed: Duration, search_info: SearchInfo) {
        if self.is_late(elapsed) {
            return self.end(Verdict::loss(self.side(), Reason::Time, None));
        }
        match self.referee.judge(answer) {
            Ruling::Play(m) => self.play(m, elapsed, search_info),
            Ruling::End(m, verdict) => {
                if let Some(m) = m {
                    self.play(m, elapsed, search_info);
                }
                self.end(verdict);
            }
        }
    }

    /// Whether a move that took so long comes too late.
    #[must_use]
    pub fn is_late(&self, elapsed: Duration) -> bool {
        // `movetime` is a request to the engine, not a limit that loses.
        let clock = self.clock(self.side());
        clock.has_clock() && clock.budget().is_some_and(|budget| elapsed > budget)
    }

    /// Ends the game.
    pub fn end(&mut self, verdict: Verdict) {
        self.verdict = Some(verdict);
    }

    /// Takes back so many moves; says how many there were to take back.
    pub fn undo(&mut self, count: usize) -> usize {
        let count = count.min(self.moves.len());
        for _ in 0..count {
            self.moves.pop();
            if let Some(clocks) = self.before.pop() {
                self.clocks = clocks;
            }
        }
        if count > 0 || self.verdict.is_some() {
            let words: Vec<&str> = self.moves.iter().map(|m| m.text.as_str()).collect();
            let separator = if self.opening.contains(" moves") { "" } else { " moves" };
            let line = if words.is_empty() {
                self.opening.clone()
            } else {
                format!("{}{separator} {}", self.opening, words.join(" "))
            };
            // These moves were played before.
            if let Ok(referee) = Referee::new(&self.game, &line, Adjudication::default()) {
                self.referee = referee;
                self.verdict = None;
            }
        }
        count
    }

    /// Writes the record; a game that goes on is marked as interrupted.
    pub fn save(&self, path: &Path, names: [&str; 2]) -> Result<(), SaveError> {
        let shown = || SaveError::Format(path.display().to_string());
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        let format = match extension.as_deref() {
            Some("kif" | "kifu") => RecordFormat::Kif,
            Some("csa") => RecordFormat::Csa,
            Some("usi" | "sfen") => RecordFormat::Usi,
            _ => return Err(shown()),
        };
        let verdict = self.verdict.clone().unwrap_or_else(|| Verdict::draw(Reason::Interrupted));
        let played = Played { moves: self.moves.clone(), verdict, remarks: Vec::new(), lag_ms: [None; 2] };
        let heading = Heading { names, opening: &self.opening, event: String::new() };
        let bytes = self.game.game_file(format, &heading, &played).ok_or_else(shown)?;
        Ok(atomic_file::write(path, &bytes)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogi::Shogi;

    fn table(opening: &str) -> Table<Shogi> {
        let control = TimeControl { main: 10_000, increment: 1000, ..TimeControl::default() };
        Table::new(Shogi::default(), opening, [control; 2]).unwrap()
    }

    fn play(table: &mut Table<Shogi>, word: &str, seconds: u64) {
        let answer = Answer { best: word.to_owned(), ponder: None };
        table.answer(&answer, Duration::from_secs(seconds), SearchInfo::default());
    }

    #[test]
    fn moves_are_taken_back_with_their_time() {
        let mut table = table("startpos moves 7g7f");
        play(&mut table, "3c3d", 4);
        play(&mut table, "2g2f", 2);
        assert_eq!((table.clock(Color::White).left_ms(), table.side()), (7000, Color::White));
        assert_eq!(table.last().unwrap().1.to_string(), "2g2f");
        assert_eq!(table.undo(1), 1);
        assert_eq!(
            (table.clock(Color::Black).left_ms(), table.command()),
            (10_000, "position startpos moves 7g7f 3c3d")
        );
        assert_eq!(table.undo(9), 1);
        assert_eq!(
            (table.clock(Color::White).left_ms(), table.command()),
            (10_000, "position startpos moves 7g7f")
        );
        assert_eq!(table.last().unwrap().1.to_string(), "7g7f");
        play(&mut table, "resign", 1);
        assert_eq!(table.verdict().unwrap().to_string(), "black wins, resignation");
        table.undo(0);
        assert!(table.verdict().is_none());
        play(&mut table, "3c3d", 12);
        assert_eq!(table.verdict().unwrap().reason, Reason::Time);
    }

    #[test]
    fn records_are_written_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let mut table = table("startpos");
        play(&mut table, "7g7f", 1);
        for (name, word) in [("a.kifu", "中断"), ("a.csa", "%CHUDAN"), ("a.usi", "7g7f")] {
            let path = folder.path().join(name);
            table.save(&path, ["甲", "乙"]).unwrap();
            assert!(std::fs::read_to_string(&path).unwrap().contains(word), "{name}");
        }
        assert!(table.save(&folder.path().join("a.txt"), ["", ""]).is_err());
    }
}
