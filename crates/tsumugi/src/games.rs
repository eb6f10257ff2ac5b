//! The games of this program and what plays them.
//!
//! A new game is a crate, a line in [`Catalogue::visit`] and its name in [`NAMES`].

use crate::binarsi::BinarsiEngine;
use crate::freeze_engine::FreezeEngine;
use crate::shogi_engine::ShogiEngine;
use anyhow::Context;
use arena::GameFiles;
use binarsi::Binarsi;
use fairy::{FairyGame, Handcraft, Library, Report};
use freeze::Freeze;
use shogi::Shogi;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use usi::options::{FileError, Folders};
use usi::{AnySession, Desk, Engine, Extension, Games, SearchEngine, Session};

/// The name that hosts show.
pub const NAME: &str = concat!("Tsumugi ", env!("CARGO_PKG_VERSION"));
/// Who made it.
pub const AUTHOR: &str = "the Tsumugi contributors";

/// The games whose rules are written in Rust, the default first.
const NAMES: [&str; 3] = ["shogi", "freeze", "binarsi"];

/// Something to do with whichever game was chosen: it is compiled for each of them.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it; `engine` makes the game's player, if one is needed.
    fn visit<G: GameFiles, E: Engine<G>>(self, game: G, engine: impl FnOnce(&G) -> E) -> Self::Output;
}

/// All games that can be played.
pub struct Catalogue {
    /// Those that files describe.
    variants: Library,
}

/// Longer files of variants are not read.
const MOST_BYTES: u64 = 4 << 20;

impl Default for Catalogue {
    fn default() -> Self {
        Self { variants: Library::shipped() }
    }
}

impl Catalogue {
    /// Does something with the game of that name; gives the visitor back if there is none.
    pub fn visit<V: Visitor>(&self, name: &str, visitor: V) -> Result<V::Output, V> {
        Ok(match name {
            "shogi" => visitor.visit(Shogi::default(), |_| ShogiEngine::new()),
            "freeze" => visitor.visit(Freeze::default(), |_| FreezeEngine::new()),
            "binarsi" => visitor.visit(Binarsi, |_| BinarsiEngine::new()),
            _ => match self.variants.game(name) {
                Some(game) => visitor.visit(game, |game| {
                    SearchEngine::new(NAME, AUTHOR, Handcraft::new(game.variant().clone()))
                }),
                None => return Err(visitor),
            },
        })
    }

    /// The game of that name that a file describes.
    pub fn variant(&self, name: &str) -> Option<FairyGame> {
        self.variants.game(name)
    }

    /// Reads a file of variants; returns where it was found and what came of it.
    fn read(&mut self, path: &str, folders: &Folders) -> Result<(PathBuf, Report), FileError> {
        let file = folders.read(path, MOST_BYTES)?;
        let report = self.variants.read_file(&file.path.to_string_lossy(), &file.text);
        Ok((file.path, report))
    }
}

/// All games, and those of a file for commands that play one. What is wrong with the file is said; sections without
/// fault can be played.
pub fn with_file(path: Option<&str>) -> anyhow::Result<Catalogue> {
    let mut games = Catalogue::default();
    if let Some(path) = path {
        let (path, report) = games.read(path, &Folders::of_process()).context("--variant-path")?;
        for message in &report.messages {
            // Nothing can be done about an error stream that is closed.
            let _ = writeln!(io::stderr(), "{}: {message}", path.display());
        }
    }
    Ok(games)
}

/// The text of a file of variants.
pub fn variants_file(path: &Path) -> anyhow::Result<String> {
    Ok(Folders::of_process().read(path, MOST_BYTES)?.text)
}

impl Games for Catalogue {
    fn names(&self) -> Vec<String> {
        let variants = self.variants.names().filter(|name| !NAMES.contains(name));
        NAMES.into_iter().chain(variants).map(str::to_owned).collect()
    }

    fn open(&self, name: &str, desk: Box<Desk>) -> Result<AnySession, Box<Desk>> {
        self.visit(name, Open(desk)).map_err(|Open(desk)| desk)
    }

    fn extensions(&self) -> Vec<Extension> {
        vec![crate::freeze_engine::extension()]
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

/// Sits down to play.
struct Open(Box<Desk>);

impl Visitor for Open {
    type Output = AnySession;

    fn visit<G: GameFiles, E: Engine<G>>(self, game: G, engine: impl FnOnce(&G) -> E) -> AnySession {
        let engine = engine(&game);
        Session::at(game, engine, *self.0).of_any_game()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Name;

    impl Visitor for Name {
        type Output = String;
        fn visit<G: GameFiles, E: Engine<G>>(self, game: G, _: impl FnOnce(&G) -> E) -> String {
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
