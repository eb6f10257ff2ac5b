//! Records read and written.

use crate::request::{RecordedGame, WrittenGame};
use crate::states;
use record::encoding::{Encoding, LineEnd, decode};
use record::notation::{self, FindVariant, LoadedGame, Notation};
use record::{Format, GameResult, IllegalMoves, ReadOptions, WriteOptions};
use std::sync::Arc;

/// How records are read.
pub struct Reading {
    notation: Arc<dyn Notation>,
    options: ReadOptions,
}

impl Reading {
    /// As records of this game, or of the one that each of them names.
    pub fn new(game: Option<&str>, variants: Option<String>, keep_illegal: bool) -> Result<Self, String> {
        let illegal = if keep_illegal { IllegalMoves::Keep } else { IllegalMoves::Cut };
        // A bad variants.ini is reported at once.
        states::variant("", variants.as_deref())?;
        let find: FindVariant =
            Box::new(move |name| states::variant(name, variants.as_deref()).ok().flatten());
        let notation = match game {
            None | Some("shogi" | "freeze" | "binarsi") => notation::choose(game, None, illegal, find),
            Some(name) if find(name).is_none() => {
                return Err(format!("no game `{name}`: games() lists them"));
            }
            Some(_) => notation::choose(game, None, illegal, find),
        };
        let options = ReadOptions { illegal, ..ReadOptions::default() };
        Ok(Self { notation: notation.map_err(|error| error.to_string())?, options })
    }

    fn games(&self, bytes: &[u8]) -> Result<Vec<Box<dyn LoadedGame>>, String> {
        let games = self.notation.read_file(bytes, &self.options).into_iter();
        let games: Result<Vec<_>, _> = games.collect();
        let games = games.map_err(|error| error.to_string())?;
        if games.is_empty() { Err("no game in any format that is known".to_owned()) } else { Ok(games) }
    }

    /// What the games of a file say.
    pub fn read(&self, bytes: &[u8]) -> Result<Vec<RecordedGame>, String> {
        self.games(bytes)?.iter().map(|game| told(game.as_ref())).collect()
    }

    /// The games of a file in another format, and their bytes one after the other.
    pub fn convert(
        &self,
        bytes: &[u8],
        to: &str,
        encoding: Option<&str>,
    ) -> Result<(Vec<WrittenGame>, Vec<u8>), String> {
        let format: Format = to.parse().map_err(|error| format!("to `{to}`: {error}"))?;
        let encoding: Option<Encoding> =
            encoding.map(str::parse).transpose().map_err(|error| format!("{error}"))?;
        let options = WriteOptions { encoding, line_end: Some(LineEnd::Lf), ..WriteOptions::new(format) };
        let options = self.notation.write_options(options).map_err(|error| error.to_string())?;
        let (mut games, mut all) = (Vec::new(), Vec::new());
        for game in self.games(bytes)? {
            let written = game.write(&options).map_err(|error| error.to_string())?;
            let losses = written.losses.iter().filter(|loss| !loss.is_expected(format));
            let notices = game.notices().into_iter().map(|notice| notice.text);
            games.push(WrittenGame {
                length: written.bytes.len(),
                notices: notices.chain(losses.map(|loss| format!("not in {format}: {loss}"))).collect(),
            });
            all.extend(written.bytes);
        }
        Ok((games, all))
    }
}

fn told(game: &dyn LoadedGame) -> Result<RecordedGame, String> {
    let options = WriteOptions {
        encoding: Some(Encoding::Utf8),
        line_end: Some(LineEnd::Lf),
        ..WriteOptions::new(Format::Usi)
    };
    let written = game.write(&options).map_err(|error| error.to_string())?;
    let line = String::from_utf8_lossy(&written.bytes).trim().to_owned();
    let position = line.strip_prefix("position ").unwrap_or(&line).to_owned();
    let (start, moves) = position.split_once(" moves ").unwrap_or((&position, ""));
    Ok(RecordedGame {
        game: game.game_name().to_owned(),
        header: game.header().iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        start: start.to_owned(),
        moves: moves.split_ascii_whitespace().map(str::to_owned).collect(),
        ending: game.ending().map(|ending| ending.kif().to_owned()),
        result: match game.result() {
            GameResult::Win(color) => Some(color.index().to_string()),
            GameResult::Draw => Some("draw".to_owned()),
            GameResult::Unknown => None,
        },
        notices: game.notices().into_iter().map(|notice| notice.text).collect(),
        position,
    })
}

/// The format that a record seems to have.
pub fn detect(bytes: &[u8]) -> Option<String> {
    record::detect(&decode(bytes).text, None).map(|format| format.name().to_owned())
}
