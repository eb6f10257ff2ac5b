//! Looks for damage: in a library itself, and in the files that it refers to. Nothing is written.

use crate::change::sources::{known_files, modified};
use crate::format::directory::Section;
use crate::{Library, LibraryError, Rules};
use record::convert::{Input, Origin, Progress, Reading, SourceError};
use record::notation::{Notation, ReadGame};
use record::{IllegalMoves, ReadOptions};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::PathBuf;

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct FileFault {
    /// The file, and the game inside if it is not the first.
    pub place: String,
    /// What is wrong.
    pub fault: String,
    /// Whether a game could not be read at all; otherwise some of it was left out.
    pub broken: bool,
}

impl Library {
    /// Reads the library itself and says what is damaged: checksums, and whether the index is in order. Nothing, if all is well.
    #[must_use]
    pub fn check(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (number, segment) in self.segments().enumerate() {
            let mut fault = |what: &str| faults.push(format!("segment {}: {what}", number + 1));
            for (section, name) in Section::ALL {
                let expected = segment.place.sections[section as usize].checksum;
                if crc32fast::hash(segment.section(section)) != expected {
                    fault(&format!("the checksum of its {name} is wrong"));
                }
            }
            if !segment.positions().is_sound(segment.place.games, segment.place.positions) {
                fault("its index of positions is out of order");
            }
            if segment.rows().count() as u64 != segment.place.live() {
                fault("games are missing");
            }
            let strings = segment.strings();
            if segment.rows().any(|(_, row)| row.texts.iter().any(|text| *text >= strings)) {
                fault("texts are missing");
            }
        }
        faults
    }

    /// Files that the library refers to: those that can be read again, and what is wrong with the others.
    #[must_use]
    pub fn source_files(&self) -> (Vec<PathBuf>, Vec<FileFault>) {
        let (mut there, mut faults) = (Vec::new(), Vec::new());
        let known: BTreeMap<_, _> = known_files(self).into_iter().collect();
        for (stored, file) in known {
            let path = self.found(&stored);
            let fault = match std::fs::metadata(&path) {
                Err(error) => Some(error.to_string()),
                Ok(data) if (data.len(), modified(&data)) != (file.size, file.modified) => {
                    Some("changed since it was added; `games add` reads it again".to_owned())
                }
                Ok(_) => None,
            };
            let broken = fault.is_some() && !path.exists();
            faults.extend(fault.map(|fault| FileFault { place: path.display().to_string(), fault, broken }));
            if !broken {
                there.push(path);
            }
        }
        (there, faults)
    }

    /// Whether the positions of all kinds of games were indexed by the rules that hold now.
    pub fn check_rules(&self, rules: Rules<'_>) -> Result<(), LibraryError> {
        self.directory().signs.keys().try_for_each(|variant| self.check_keys(rules, variant))
    }
}

/// Reads every game of some files and names those that are broken; returns how many games can be read.
pub fn check_files(
    inputs: &[PathBuf],
    notation: &dyn Notation,
    threads: usize,
    progress: &dyn Progress,
    found: &mut dyn FnMut(FileFault),
) -> usize {
    let inputs: Vec<Input> = inputs.iter().map(Input::from).collect();
    let options = ReadOptions { illegal: IllegalMoves::Cut, ..ReadOptions::default() };
    let work = |origin: &Origin, game: Result<ReadGame, SourceError>| {
        let place = match origin.number {
            1 => origin.shown.clone(),
            number => format!("{} game {number}", origin.shown),
        };
        let broken = |fault: String| vec![FileFault { place: place.clone(), fault, broken: true }];
        match game {
            Err(error) => (0, broken(error.to_string())),
            Ok(Err(error)) => (0, broken(error.to_string())),
            Ok(Ok(game)) => {
                if let Err(error) = game.line() {
                    return (0, broken(error.to_string()));
                }
                let odd = |text| FileFault { place: place.clone(), fault: text, broken: false };
                (1, game.notices().into_iter().map(|notice| odd(notice.text)).collect())
            }
        }
    };
    let mut games = 0;
    let reading = Reading { notation, inputs: &inputs, options, threads };
    let Ok(_) = reading.run(progress, &|_| true, &work, |(good, faults): (usize, Vec<FileFault>)| {
        games += good;
        faults.into_iter().for_each(&mut *found);
        Ok::<(), Infallible>(())
    });
    games
}
