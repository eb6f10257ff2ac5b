//! The folders that `learn` saves to: `0`, `1` … and `final` in `EvalSaveDir`.

use super::{Command, ConsoleError, Learn};
use std::path::{Path, PathBuf};

/// The folder of the last save.
pub(super) const FINAL: &str = "final";

/// A point of the training at which it may be saved.
pub(super) struct Milestone {
    /// Positions so far.
    pub(super) positions: u64,
    /// Number of complete loops, if one has just ended.
    pub(super) loop_done: Option<u32>,
    /// Whether it is the best so far on held-out positions.
    pub(super) better: bool,
}

/// The folders of saves.
pub(super) struct Saves<'a> {
    folder: &'a Path,
    command: &'a Command,
    numbered: u32,
    /// Whether `final` has been written.
    finished: bool,
}

impl<'a> Saves<'a> {
    pub(super) fn new(learn: &'a Learn<'_>, command: &'a Command) -> Self {
        Self { folder: &learn.folder, command, numbered: 0, finished: false }
    }

    fn last(&self) -> PathBuf {
        self.folder.join(FINAL)
    }

    /// Saves to the next numbered folder and, with newbob, to `final`, which then contains the best so far; without an
    /// improvement nothing is saved. Returns a message.
    pub(super) fn save(
        &mut self,
        milestone: &Milestone,
        mut write: impl FnMut(&Path) -> Result<(), ConsoleError>,
    ) -> Result<String, ConsoleError> {
        let when = match milestone.loop_done {
            Some(number) => format!("learn: loop {number} of {} done, ", self.command.settings.loops),
            None => "learn: ".to_owned(),
        };
        let positions = milestone.positions;
        if self.command.newbob() && !milestone.better {
            return Ok(format!(
                "{when}not saved after {positions} positions: no better on held-out positions than the best so far"
            ));
        }
        let mut names = Vec::new();
        if !self.command.save_once {
            let folder = self.folder.join(self.numbered.to_string());
            write(&folder)?;
            self.numbered += 1;
            names.push(folder.display().to_string());
        }
        if self.command.newbob() {
            write(&self.last())?;
            self.finished = true;
            names.push(self.last().display().to_string());
        }
        if names.is_empty() {
            return Ok(format!("{when}{positions} positions (save_only_once: saved at the end)"));
        }
        Ok(format!("{when}saved to {} after {positions} positions", names.join(" and ")))
    }

    /// Saves to `final`, unless newbob has already put the best there.
    pub(super) fn finish(
        &self,
        write: impl FnOnce(&Path) -> Result<(), ConsoleError>,
    ) -> Result<String, ConsoleError> {
        let folder = self.last();
        if self.finished {
            return Ok(format!("learn: {} has the best on held-out positions", folder.display()));
        }
        write(&folder)?;
        Ok(format!("learn: saved to {}", folder.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::Evaluator;

    fn saved(words: &str, betters: &[bool]) -> (Vec<PathBuf>, Vec<String>) {
        let evaluation = Evaluator::default();
        let learn = Learn { evaluation: &evaluation, folder: "e".into(), threads: 1, stopped: &|| false };
        let command: Command = words.parse().unwrap();
        let mut saves = Saves::new(&learn, &command);
        let (mut written, mut said) = (Vec::new(), Vec::new());
        for (number, better) in (1..).zip(betters) {
            let milestone = Milestone { positions: 7, loop_done: Some(number), better: *better };
            let line = saves.save(&milestone, |folder| {
                written.push(folder.to_owned());
                Ok(())
            });
            said.push(line.unwrap());
        }
        let line = saves.finish(|folder| {
            written.push(folder.to_owned());
            Ok(())
        });
        said.push(line.unwrap());
        (written, said)
    }

    #[test]
    fn every_loop_is_saved_or_says_that_it_is_not() {
        let paths =
            |names: &[&str]| -> Vec<PathBuf> { names.iter().map(|name| Path::new("e").join(name)).collect() };
        let (written, said) = saved("loop 2", &[true, false]);
        assert_eq!(written, paths(&["0", "1", "final"]));
        assert_eq!(said[2], format!("learn: saved to {}", written[2].display()));
        // With newbob, `final` contains the best.
        let (written, said) = saved("loop 2 newbob_decay 0.5", &[true, false]);
        assert_eq!(written, paths(&["0", "final"]));
        assert!(said[1].starts_with("learn: loop 2 of 2 done, not saved after 7 positions: "), "{}", said[1]);
        let (written, said) = saved("loop 2 save_only_once", &[true, true]);
        assert_eq!(written, paths(&["final"]));
        assert!(said[0].ends_with("(save_only_once: saved at the end)"), "{}", said[0]);
        let (written, _) = saved("loop 3 save_only_once newbob_decay 0.5", &[true, true, false]);
        assert_eq!(written, paths(&["final", "final"]));
    }
}
