//! A game that was read, ready to be stored.

use crate::format::row::{TEXTS, Text};
use crate::openings;
use crate::rules::{index_key, salt};
use game::Color;
use record::notation::{LoadedGame, Notice, PlayedLine};
use record::{Field, GameResult, Header};

/// A game with everything that is kept of it.
pub(crate) struct Prepared {
    pub texts: [String; TEXTS],
    pub moves: String,
    pub plies: u32,
    pub ratings: [f32; 2],
    pub result: GameResult,
    pub first: Color,
    /// The keys of its positions in the index.
    pub keys: Vec<u64>,
    /// What was odd about it.
    pub notices: Vec<Notice>,
}

/// Positions behind so many moves are not found.
const INDEXED_PLIES: usize = u16::MAX as usize;

impl Prepared {
    /// Takes what is kept of a game; the error says why no game can begin so.
    pub fn new(game: &dyn LoadedGame) -> Result<Self, String> {
        let PlayedLine { start, first, moves, mut keys } = game.line().map_err(|error| error.to_string())?;
        let plies = (keys.len() - 1) as u32;
        let variant = game.game_name();
        let salt = salt(variant);
        keys.truncate(INDEXED_PLIES);
        for key in &mut keys {
            *key = index_key(salt, *key);
        }
        let header = game.header();
        let mut texts: [String; TEXTS] = Default::default();
        let mut set = |text: Text, value: &str| value.trim().clone_into(&mut texts[text as usize]);
        set(Text::Variant, variant);
        set(Text::Start, start.as_deref().unwrap_or_default());
        set(Text::Black, header.player(Color::Black).unwrap_or_default());
        set(Text::White, header.player(Color::White).unwrap_or_default());
        set(Text::Event, first_of(header, &[Field::Event, Field::Title]));
        set(Text::Site, header.get(Field::Site).unwrap_or_default());
        set(Text::TimeControl, &time_control(header));
        set(Text::Date, header.date().unwrap_or_default());
        set(Text::Ending, game.ending().map_or("", record::Ending::kif));
        set(Text::GivenOpening, header.get(Field::Opening).unwrap_or_default());
        if variant == "shogi" {
            let [black, white] = openings::recognise(start.as_deref(), &moves);
            set(Text::BlackOpening, &black.openings.join(" "));
            set(Text::WhiteOpening, &white.openings.join(" "));
            set(Text::BlackCastle, &black.castles.join(" "));
            set(Text::WhiteCastle, &white.castles.join(" "));
        }
        let ratings = Color::ALL.map(|color| game.rating(color).map_or(f32::NAN, |rating| rating as f32));
        let (result, notices) = (game.result(), game.notices());
        Ok(Self { texts, moves, plies, ratings, result, first, keys, notices })
    }
}

fn first_of<'a>(header: &'a Header, fields: &[Field]) -> &'a str {
    let given = fields.iter().find_map(|field| header.get(*field).filter(|value| !value.trim().is_empty()));
    given.unwrap_or_default()
}

/// 持ち時間, with 秒読み behind it where that stands alone.
fn time_control(header: &Header) -> String {
    let fields = [Field::TimeLimit, Field::BlackTimeLimit, Field::Byoyomi];
    let given: Vec<_> = fields.into_iter().filter_map(|field| header.get(field)).map(str::trim).collect();
    given.join(" ")
}
