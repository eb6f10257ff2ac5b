//! Positions searched for a book.

use super::net::{LoadedNet, Net};
use super::{json, read, share};
use crate::blobs::BlobCache;
use crate::envelope::Job;
use crate::kind::{Craft, Failure, Kind, Pulse};
use book::{BookMove, Effort, OwnThinker};
use search::{Next, Progress, Timer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shogi::Position;

/// The word of this kind.
pub const NAME: &str = "think";

/// How positions are searched.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThinkSettings {
    /// The evaluation.
    pub net: Net,
    /// Megabytes of the table.
    pub megabytes: usize,
    /// Maximum depth.
    pub depth: u32,
    /// Maximum number of nodes.
    pub nodes: Option<u64>,
    /// Number of moves.
    pub multi_pv: usize,
}

impl ThinkSettings {
    fn effort(&self) -> Effort {
        Effort { depth: self.depth, nodes: self.nodes, multi_pv: self.multi_pv }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Work {
    settings: ThinkSettings,
    positions: Vec<String>,
}

/// The moves of each position as lines of books.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Output(Vec<Vec<String>>);

/// Positions to be searched.
pub struct Think<'a> {
    /// How.
    pub settings: ThinkSettings,
    /// Which.
    pub positions: &'a [Position],
}

impl Think<'_> {
    fn positions(&self, n: u64) -> &[Position] {
        let share = share(self.positions.len());
        let first = (n as usize).saturating_mul(share).min(self.positions.len());
        &self.positions[first..(first + share).min(self.positions.len())]
    }

    /// The positions of a job with their moves.
    pub fn moves(&self, n: u64, output: &[u8]) -> Result<Vec<(&Position, Vec<BookMove>)>, String> {
        let Output(lists) = serde_json::from_slice(output).map_err(|error| error.to_string())?;
        let positions = self.positions(n);
        if lists.len() != positions.len() {
            return Err(format!("{} positions instead of {}", lists.len(), positions.len()));
        }
        let one = |(position, lines): (_, Vec<String>)| Ok((position, self.checked(position, &lines)?));
        positions.iter().zip(lists).map(one).collect()
    }

    /// Moves that the rules allow, with values and depths that a search can have.
    fn checked(&self, position: &Position, lines: &[String]) -> Result<Vec<BookMove>, String> {
        let legal = position.legal_moves().len();
        if lines.len() > self.settings.multi_pv.min(legal) {
            return Err(format!("{} moves, at most {} were asked for", lines.len(), self.settings.multi_pv));
        }
        let mut moves = Vec::new();
        for line in lines {
            let found = BookMove::parse(line.as_bytes()).map_err(|fault| format!("`{line}`: {fault}"))?;
            let play = found.play.ok_or_else(|| format!("`{line}`: no move"))?;
            if !position.is_legal(play) || moves.iter().any(|m: &BookMove| m.play == Some(play)) {
                return Err(format!("`{line}`: an illegal or repeated move in {}", position.sfen()));
            }
            if let Some(reply) = found.reply {
                let mut after = position.clone();
                after.do_move(play);
                if !after.is_legal(reply) {
                    return Err(format!("`{line}`: an illegal reply in {}", position.sfen()));
                }
            }
            let depth = i64::from(found.depth);
            if found.value.abs() > LARGEST || !(0..=i64::from(self.settings.depth)).contains(&depth) {
                return Err(format!("`{line}`: no search gives this value or depth"));
            }
            moves.push(found);
        }
        Ok(moves)
    }
}

/// The largest value: a mate.
const LARGEST: i32 = 32_000;

impl Kind for Think<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn jobs(&self) -> u64 {
        self.positions.len().div_ceil(share(self.positions.len())) as u64
    }

    fn work(&self, n: u64) -> Value {
        let positions = self.positions(n).iter().map(Position::sfen).collect();
        json(Work { settings: self.settings.clone(), positions })
    }

    fn check(&self, n: u64, output: &[u8]) -> Result<(), String> {
        self.moves(n, output).map(|_| ())
    }

    fn is_deterministic(&self) -> bool {
        true
    }
}

/// Searches positions.
#[derive(Default)]
pub struct ThinkCraft {
    net: LoadedNet,
    thinker: Option<(ThinkSettings, OwnThinker)>,
}

/// Stops a search with its slot.
struct Watch<'a>(&'a Pulse);

impl Timer for Watch<'_> {
    fn must_stop(&self) -> bool {
        self.0.must_stop()
    }

    fn after_iteration(&self, _: &Progress) -> Next {
        Next::Deeper
    }
}

impl ThinkCraft {
    fn thinker(
        &mut self,
        settings: &ThinkSettings,
        blobs: &BlobCache<'_>,
    ) -> Result<&mut OwnThinker, Failure> {
        if self.thinker.as_ref().is_none_or(|(old, _)| old != settings) {
            let evaluation = self.net.get(&settings.net, blobs)?;
            let thinker = OwnThinker::new(evaluation, settings.megabytes, settings.effort());
            let thinker = thinker.map_err(|error| Failure::Failed(error.to_string()))?;
            self.thinker = Some((settings.clone(), thinker));
        }
        // It was set above.
        self.thinker.as_mut().map(|(_, thinker)| thinker).ok_or(Failure::Stopped)
    }
}

impl Craft for ThinkCraft {
    fn work(&mut self, job: &Job, blobs: &BlobCache<'_>, pulse: &Pulse) -> Result<Vec<u8>, Failure> {
        let Work { settings, positions } = read(&job.work)?;
        let thinker = self.thinker(&settings, blobs)?;
        let mut found = Vec::new();
        for sfen in &positions {
            let position =
                Position::from_sfen(sfen).map_err(|error| Failure::Failed(format!("{sfen}: {error}")))?;
            let moves = thinker.search(&position, &Watch(pulse));
            if pulse.is_stopped() {
                return Err(Failure::Stopped);
            }
            found.push(moves.iter().map(ToString::to_string).collect());
        }
        Ok(json(Output(found)).to_string().into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_search_cannot_have_found_is_refused() {
        let net = Net::BuiltIn;
        let settings = ThinkSettings { net, megabytes: 1, depth: 9, nodes: Some(100), multi_pv: 2 };
        let positions = [Position::startpos()];
        let think = Think { settings, positions: &positions };
        assert_eq!(think.jobs(), 1);
        let check = |output: &str| think.check(0, output.as_bytes());
        assert_eq!(check(r#"[["7g7f 3c3d 52 8 10","2g2f none 40 8 10"]]"#), Ok(()));
        assert_eq!(check("[[]]"), Ok(()));
        for lie in [
            r#"[["7g7e 3c3d 52 8 10"]]"#,
            r#"[["7g7f 3c3e 52 8 10"]]"#,
            r#"[["7g7f 3c3d 52000 8 10"]]"#,
            r#"[["7g7f 3c3d 52 80 10"]]"#,
            r#"[["7g7f 3c3d 52 8 10","7g7f 3c3d 52 8 10"]]"#,
            r#"[["7g7f none 52 8 10","2g2f none 2 8 10","6g6f none 1 8 10"]]"#,
            r#"[["none none 52 8 10"]]"#,
            "[]",
            "[[",
        ] {
            assert!(check(lie).is_err(), "{lie}");
        }
    }

    #[test]
    fn many_positions_make_larger_jobs() {
        let positions = vec![Position::startpos(); 25_001];
        let net = Net::BuiltIn;
        let settings = ThinkSettings { net, megabytes: 1, depth: 9, nodes: None, multi_pv: 1 };
        let think = Think { settings, positions: &positions };
        let sizes: Vec<usize> = (0..think.jobs()).map(|n| think.positions(n).len()).collect();
        assert_eq!((sizes.len(), sizes[0], sizes.iter().sum::<usize>()), (8334, 3, 25_001));
        assert!(think.positions(99_999).is_empty());
    }
}
