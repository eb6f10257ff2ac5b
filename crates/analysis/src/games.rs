//! The games that are to be analysed.

use crate::run::JOURNAL;
use crate::stages::{Rulebook, Stage, StageError};
use record::convert::{Input, Place, SourceError, each_game};
use record::notation::{LoadedGame, Notation, NotationError};
use record::{Format, WriteOptions};
use std::path::Path;

/// A game that was read, cut into positions.
pub struct Game {
    /// Where it came from.
    pub place: Place,
    /// The record, to be annotated.
    pub record: Box<dyn LoadedGame>,
    /// As USI has it: `startpos moves …`.
    pub line: String,
    /// Its positions.
    pub stages: Vec<Stage>,
}

impl Game {
    /// The game's name in the catalogue.
    #[must_use]
    pub fn variant(&self) -> &str {
        self.record.game_name()
    }
}

/// Something that is no game, and where.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct Unreadable {
    /// The file, and the number of the game if it is not the first.
    pub place: String,
    /// What is wrong.
    pub fault: GameFault,
}

/// Why a game cannot be analysed.
#[derive(Debug, thiserror::Error)]
pub enum GameFault {
    /// The file cannot be read.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// There is no game in it.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The game cannot be played.
    #[error(transparent)]
    Stages(#[from] StageError),
}

/// What was read.
#[derive(Default)]
pub struct Games {
    /// The games, in the order of the inputs.
    pub games: Vec<Game>,
    /// What is no game.
    pub unreadable: Vec<Unreadable>,
    /// What is odd about games that are analysed all the same.
    pub warnings: Vec<String>,
}

impl Games {
    /// Reads all inputs. What lies in the folder of earlier results is left out, unless it is named itself.
    #[must_use]
    pub fn read(inputs: &[Input], out: &Path, notation: &dyn Notation, rules: &Rulebook<'_>) -> Self {
        let mut all = Self::default();
        let inside = std::path::absolute(out).ok().filter(|out| out.join(JOURNAL).exists());
        each_game(inputs, notation, &mut |place, read| {
            let path = std::path::absolute(&place.shown).ok();
            let is_named = inputs.iter().any(|input| *input == Input::Path(place.shown.clone().into()));
            if !is_named && path.zip(inside.as_ref()).is_some_and(|(path, out)| path.starts_with(out)) {
                return;
            }
            let shown = named(&place);
            let game = read.map_err(GameFault::from).and_then(|game| Ok(game?));
            let staged = game.and_then(|record| {
                let line = line_of(&*record)?;
                let stages = rules.stages(record.game_name(), &line)?;
                Ok((record, line, stages))
            });
            match staged {
                Ok((record, line, stages)) => {
                    let notices = record.notices();
                    all.warnings.extend(notices.iter().map(|notice| format!("{shown}: {}", notice.text)));
                    all.games.push(Game { place, record, line, stages });
                }
                Err(fault) => all.unreadable.push(Unreadable { place: shown, fault }),
            }
        });
        all
    }
}

/// The file, and the number of the game if it is not the first.
fn named(place: &Place) -> String {
    if place.number == 1 { place.shown.clone() } else { format!("{} game {}", place.shown, place.number) }
}

fn line_of(record: &dyn LoadedGame) -> Result<String, NotationError> {
    let written = record.write(&WriteOptions::new(Format::Usi))?;
    let text = String::from_utf8_lossy(&written.bytes);
    Ok(text.lines().next().unwrap_or_default().trim().to_owned())
}
