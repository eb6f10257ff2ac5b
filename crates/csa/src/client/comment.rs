//! The comment sent with a move: the score from Black's view and the principal variation after the move.

use crate::files::analysis_of;
use crate::wire::LONGEST_OUT;
use arena::game_files::playable;
use arena::{Score, SearchInfo};
use record::Board;
use record::analysis::Program;
use shogi::{Move, Position};

/// Output of the engine in the current search.
#[derive(Clone, Debug)]
pub(super) struct Notes {
    pub(super) search_info: SearchInfo,
    centipawns: Option<i32>,
}

impl Notes {
    pub(super) const fn new() -> Self {
        let search_info = SearchInfo { score: None, depth: None, nodes: None, time: None, pv: Vec::new() };
        Self { search_info, centipawns: None }
    }

    /// Stores an `info` line.
    pub(super) fn hear(&mut self, line: &str) {
        self.search_info.hear(line);
        if let Some(Score::Centipawns(value)) = self.search_info.score {
            self.centipawns = Some(value);
        }
    }

    /// The comment for `m`, without the leading `'`: `* SCORE PV`. `None` without a score, or if the principal
    /// variation begins with another move.
    pub(super) fn comment(
        &self,
        position: &Position,
        m: Move,
        pv_moves: usize,
        mate_scores: bool,
    ) -> Option<String> {
        let pv = &self.search_info.pv;
        if pv.first().is_some_and(|first| *first != m.to_string()) {
            return None;
        }
        let mut search_info = self.search_info.clone();
        if !mate_scores {
            search_info.score = self.centipawns.map(Score::Centipawns);
        }
        let mut after = position.clone();
        after.do_move(m);
        let rest = pv.get(1..).unwrap_or_default();
        let line = playable(&after, &rest[..rest.len().min(pv_moves)]);
        let board = Board::from(&after.setup());
        let mut text =
            analysis_of(&search_info, position.side(), Program::Floodgate, line).floodgate(&board)?;
        while text.len() > LONGEST_OUT - 16 {
            text.truncate(text.rfind(' ')?);
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(moves: &[&str], lines: &[&str], best: &str, pv_moves: usize, mates: bool) -> Option<String> {
        let mut position = Position::startpos();
        for m in moves {
            position.do_move(m.parse().unwrap());
        }
        let mut notes = Notes::new();
        for line in lines {
            notes.hear(line);
        }
        notes.comment(&position, best.parse().unwrap(), pv_moves, mates)
    }

    #[test]
    fn the_score_is_blacks_and_the_line_begins_behind_the_move() {
        let line = ["info depth 8 score cp 35 multipv 1 pv 8c8d 2f2e 8d8e"];
        let told = |best, moves| comment(&["2g2f"], &line, best, moves, true);
        assert_eq!(told("8c8d", 20).as_deref(), Some("* -35 +2625FU -8485FU"));
        assert_eq!(told("8c8d", 1).as_deref(), Some("* -35 +2625FU"));
        assert_eq!(told("3c3d", 20), None);
        assert_eq!(comment(&[], &[], "7g7f", 20, true), None);
        assert_eq!(comment(&[], &["info score cp 12"], "7g7f", 20, true).as_deref(), Some("* 12"));
        let illegal = ["info score cp 1 pv 7g7f 3c3d 9i1a"];
        assert_eq!(comment(&[], &illegal, "7g7f", 20, true).as_deref(), Some("* 1 -3334FU"));
    }

    #[test]
    fn mates() {
        let lines = ["info score cp 500 pv 2g2f", "info multipv 1 score mate 7 pv 7g7f 3c3d"];
        assert_eq!(comment(&[], &lines, "7g7f", 20, true).as_deref(), Some("* 30000 -3334FU"));
        assert_eq!(comment(&[], &lines, "7g7f", 20, false).as_deref(), Some("* 500 -3334FU"));
        assert_eq!(comment(&[], &lines[1..], "7g7f", 20, false), None);
        let mated = ["info score mate -4 pv 3c3d"];
        assert_eq!(comment(&["7g7f"], &mated, "3c3d", 20, true).as_deref(), Some("* 30000"));
    }
}
