//! The games of this program, with their engines.
//!
//! To add a game: its crate, a line in [`Catalogue::visit`], and its name in [`NAMES`].

use crate::binarsi_engine::BinarsiEngine;
use crate::freeze_engine::{self, FreezeEngine};
use crate::shogi_engine::ShogiEngine;
use crate::{AUTHOR, NAME};
use arena::GameFiles;
use binarsi::Binarsi;
use fairy::{FairyGame, Handcraft, Library, Report};
use freeze::Freeze;
use shogi::Shogi;
use std::path::{Path, PathBuf};
use usi::options::{FileError, Folders, Options};
use usi::{AnySession, Engine, Extension, Games, SearchEngine, Session, SessionContext};

/// The games whose rules are written in Rust, the default first.
const NAMES: [&str; 3] = ["shogi", "freeze", "binarsi"];

/// An operation on a game chosen by name; it is compiled for each game.
pub trait Visitor {
    /// The result.
    type Output;

    /// Runs the operation. `engine` creates the game's engine and declares its options.
    fn visit<G: GameFiles, E: Engine<G>>(
        self,
        game: G,
        engine: impl FnOnce(&G, &mut Options) -> E,
    ) -> Self::Output;
}

/// All games that can be played.
pub struct Catalogue {
    /// The games defined in files.
    variants: Library,
}

/// Larger files of variants are refused.
const MOST_BYTES: u64 = 4 << 20;

impl Default for Catalogue {
    fn default() -> Self {
        Self { variants: Library::shipped() }
    }
}

impl Catalogue {
    /// Runs an operation on the game of that name; returns the visitor if there is none.
    pub fn visit<V: Visitor>(&self, name: &str, visitor: V) -> Result<V::Output, V> {
        Ok(match name {
            "shogi" => visitor.visit(Shogi::default(), |_, options| ShogiEngine::new(options)),
            "freeze" => visitor.visit(Freeze::default(), |_, options| FreezeEngine::new(options)),
            "binarsi" => visitor.visit(Binarsi, |_, options| BinarsiEngine::new(options)),
            _ => match self.variants.game(name) {
                Some(game) => visitor.visit(game, |game, options| {
                    SearchEngine::new(NAME, AUTHOR, Handcraft::new(game.variant().clone()), options)
                }),
                None => return Err(visitor),
            },
        })
    }

    /// The names of all games, the default first.
    #[must_use]
    pub fn game_names(&self) -> Vec<String> {
        let variants = self.variants.names().filter(|name| !NAMES.contains(name));
        NAMES.into_iter().chain(variants).map(str::to_owned).collect()
    }

    /// The game of that name defined in a file.
    #[must_use]
    pub fn variant(&self, name: &str) -> Option<FairyGame> {
        self.variants.game(name)
    }

    /// Reads a file of variants; returns its path and the report on its sections.
    pub fn read(&mut self, path: &str, folders: &Folders) -> Result<(PathBuf, Report), FileError> {
        let file = folders.read(path, MOST_BYTES)?;
        let report = self.variants.read_file(&file.path.to_string_lossy(), &file.text);
        Ok((file.path, report))
    }
}

/// Reads the text of a file of variants.
pub fn read_variants_file(path: &Path) -> Result<String, FileError> {
    Ok(Folders::of_process().read(path, MOST_BYTES)?.text)
}

impl Games for Catalogue {
    fn names(&self) -> Vec<String> {
        self.game_names()
    }

    fn open(&self, name: &str, context: Box<SessionContext>) -> Result<AnySession, Box<SessionContext>> {
        self.visit(name, Open(context)).map_err(|Open(context)| context)
    }

    fn extensions(&self) -> Vec<Extension> {
        vec![freeze_engine::extension()]
    }

    fn load(&mut self, path: &str, folders: &Folders, say: &mut dyn FnMut(&str)) -> Vec<String> {
        let (path, report) = match self.read(path, folders) {
            Ok(read) => read,
            Err(error) => {
                say(&format!("Error! VariantPath: {error}"));
                return Vec::new();
            }
        };
        let path = path.display();
        for message in &report.messages {
            say(&format!("{path}: {message}"));
        }
        say(&format!("{path}: {} variants: {}", report.added.len(), report.added.join(" ")));
        report.changed
    }
}

/// Opens a session.
struct Open(Box<SessionContext>);

impl Visitor for Open {
    type Output = AnySession;

    fn visit<G: GameFiles, E: Engine<G>>(
        self,
        game: G,
        engine: impl FnOnce(&G, &mut Options) -> E,
    ) -> AnySession {
        let rules = game.clone();
        Session::at(game, |options| engine(&rules, options), *self.0).of_any_game()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl Visitor for Name {
        type Output = String;
        fn visit<G: GameFiles, E: Engine<G>>(self, game: G, _: impl FnOnce(&G, &mut Options) -> E) -> String {
            game.name().to_owned()
        }
    }

    #[test]
    fn every_game_answers_to_its_name() {
        let games = Catalogue::default();
        for name in games.names() {
            assert_eq!(games.visit(&name, Name).ok().as_ref(), Some(&name));
        }
        assert!(games.visit("chess", Name).is_err());
    }
}
