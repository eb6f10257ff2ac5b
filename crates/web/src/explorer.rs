//! The opening explorer: what was played in a position, in the games of libraries.

use crate::board::{Document, ROOT};
use crate::games::Games;
use crate::protocol::{
    Explored, ExploredMove, GameCounts, GamesOfLibrary, Libraries, LibraryAt, LibraryEntry, LibraryGame,
    LibraryGames, Refusal, RefusalCode, Side,
};
use engines::Catalogue;
use library::{Counts, GameFilter, GameInfo, GameNumber, Hit, Library, LibraryError, Place, Rules};
use record::freeze::NoteStyle;
use record::{Format, GameResult, WriteOptions};
use std::path::PathBuf;

/// More games are not listed at once.
const MOST_LISTED: usize = 200;

/// The libraries that the server was started with.
pub struct Explorer {
    /// Names and files.
    libraries: Vec<(String, PathBuf)>,
    catalogue: record::notation::Catalogue,
}

fn failed(error: &LibraryError) -> Refusal {
    Refusal::new(RefusalCode::File, error.to_string()).ja(format!("ライブラリーを読めません：{error}"))
}

fn filter(player: Option<&str>) -> GameFilter {
    let mut filter = GameFilter::default();
    filter.base.players =
        player.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).into_iter().collect();
    filter
}

fn counts(counts: Counts) -> GameCounts {
    let Counts { games, black, white, draws, rating, .. } = counts;
    GameCounts { games, black, white, draws, rating }
}

fn place(document: &Document, node: u32) -> Place {
    Place { variant: document.game.rules().game.game.clone(), command: document.command(node) }
}

impl Explorer {
    /// An explorer of the libraries in these files.
    #[must_use]
    pub fn new(files: Vec<PathBuf>) -> Self {
        let mut libraries: Vec<(String, PathBuf)> = Vec::new();
        for file in files {
            let plain = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
            // Two files of one name are distinguished by their folders.
            let taken = libraries.iter().any(|(name, _)| *name == plain);
            libraries.push((if taken { file.display().to_string() } else { plain }, file));
        }
        let variants = Catalogue::default();
        let find = Box::new(move |name: &str| variants.variant(name));
        Self { libraries, catalogue: record::notation::Catalogue { style: NoteStyle::default(), find } }
    }

    fn rules(&self) -> Rules<'_> {
        Rules(&self.catalogue)
    }

    /// Opens a library as it is now: others may add games while the server runs.
    fn open(&self, name: &str) -> Result<Library, Refusal> {
        let known = self.libraries.iter().find(|(known, _)| known == name);
        let (_, path) = known.ok_or_else(|| {
            let shown: String = name.chars().take(80).collect();
            Refusal::new(RefusalCode::Unknown, format!("no library `{shown}`: `library.list` lists them"))
        })?;
        Library::open(path).map_err(|error| failed(&error))
    }

    /// All libraries.
    pub fn list(&self) -> Result<Libraries, Refusal> {
        let entry = |(name, _): &(String, PathBuf)| {
            Ok(LibraryEntry { library: name.clone(), games: self.open(name)?.games() })
        };
        Ok(Libraries { libraries: self.libraries.iter().map(entry).collect::<Result<_, Refusal>>()? })
    }

    /// What was played at a node.
    pub fn explore(&self, args: &LibraryAt, document: &Document) -> Result<Explored, Refusal> {
        let library = self.open(&args.library)?;
        let filter = filter(args.player.as_deref());
        let explore =
            |place: &Place| library.explore(self.rules(), place, &filter).map_err(|error| failed(&error));
        let here = place(document, args.node);
        let explored = explore(&here)?;
        let line = document.line(args.node)?;
        let joint = if document.moves(args.node).is_empty() { " moves " } else { " " };
        let mut moves = Vec::with_capacity(explored.moves.len());
        for played in explored.moves {
            let Ok(name) = line.name(&played.usi) else { continue };
            let command = format!("{}{joint}{}", here.command, played.usi);
            let after = explore(&Place { variant: here.variant.clone(), command })?;
            moves.push(ExploredMove { name, counts: counts(played.counts), reached: after.counts.games });
        }
        Ok(Explored { node: args.node, counts: counts(explored.counts), ended: explored.ended, moves })
    }

    /// Games that reach a node, the last one that was added first.
    pub fn games(&self, args: &GamesOfLibrary, document: &Document) -> Result<LibraryGames, Refusal> {
        let library = self.open(&args.library)?;
        let place = place(document, args.node);
        let hits = library
            .games_at(self.rules(), &place, &filter(args.player.as_deref()))
            .map_err(|error| failed(&error))?;
        let count = usize::try_from(args.count).unwrap_or(MOST_LISTED).min(MOST_LISTED);
        let skip = usize::try_from(args.skip).unwrap_or(usize::MAX);
        let shown = hits.iter().rev().skip(skip).take(count);
        let games = shown.filter_map(|hit| Some(library_game(*hit, &library.game(hit.number)?))).collect();
        Ok(LibraryGames { all: hits.len() as u64, games })
    }

    /// The board of a game, and what could not be taken over.
    pub fn document(
        &self,
        games: &Games,
        name: &str,
        number: u64,
    ) -> Result<(Document, Vec<String>), Refusal> {
        let library = self.open(name)?;
        let game = library.game(GameNumber(number)).ok_or_else(|| {
            Refusal::new(RefusalCode::Unknown, format!("{name}: no game {number}: it may have been removed"))
                .ja("その対局はライブラリーにありません。")
        })?;
        let write = WriteOptions::new(Format::Kif);
        let (bytes, from_file) = library.file(self.rules(), &game, write).map_err(|error| failed(&error))?;
        let records = games.read(&bytes, Some(Format::Kif), &game.variant)?;
        let record = records.first().ok_or_else(|| {
            Refusal::new(RefusalCode::Position, format!("{name}: game {number} cannot be read"))
        })?;
        let (document, mut notices) = Document::of_record(games.get(&record.game)?, record)?;
        if !from_file {
            let file = game.file.display();
            notices
                .push(format!("{file}: gone or changed: header and moves only, as the library knows them"));
        }
        Ok((document, notices))
    }
}

/// The node after so many moves of the main line.
#[must_use]
pub fn node_at(document: &Document, ply: u32) -> u32 {
    let next = |id: &u32| document.find(*id)?.children.first().copied();
    std::iter::successors(Some(ROOT), next).take(ply as usize + 1).last().unwrap_or(ROOT)
}

fn library_game(hit: Hit, game: &GameInfo) -> LibraryGame {
    LibraryGame {
        number: hit.number.0,
        ply: hit.ply,
        moves: game.plies,
        black: game.black.clone(),
        white: game.white.clone(),
        black_rating: game.black_rating.map(f64::from),
        white_rating: game.white_rating.map(f64::from),
        date: game.date.map(|date| date.to_string()),
        event: game.event.clone(),
        opening: game.opening(),
        winner: match game.result {
            GameResult::Win(color) => Some(Side::from(color)),
            GameResult::Draw | GameResult::Unknown => None,
        },
        draw: game.result == GameResult::Draw,
    }
}
