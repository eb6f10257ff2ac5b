//! The rules of all games, as a library needs them.

use crate::LibraryError;
use game::{Color, Game, Position};
use record::notation::{Catalogue, GameVisitor, Notation, Readable};
use std::sync::Arc;

/// The rules of all games.
#[derive(Clone, Copy)]
pub struct Rules<'a>(pub &'a Catalogue);

/// A position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The name of the game, as `USI_Variant` takes it.
    pub variant: String,
    /// What follows the word `position` in USI: `startpos moves …`, `sfen …`.
    pub command: String,
}

/// A position, looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Looked {
    pub key: u64,
    pub text: String,
    pub side: Color,
}

/// Looks up what was played in a position, by its key.
pub(crate) type Ask<'a, T> = dyn FnMut(u64) -> Vec<(String, T)> + 'a;

/// A move that was played, what was asked about it, and what was played after it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Grown<T> {
    pub m: String,
    pub text: String,
    pub value: T,
    pub after: Vec<Grown<T>>,
}

/// The key of a position in the index: spread evenly, different for each game.
pub(crate) fn index_key(salt: u64, key: u64) -> u64 {
    let mut z = key ^ salt;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// What makes the keys of a game differ from those of others: FNV-1a of its name.
pub(crate) fn salt(variant: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    variant.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

impl Rules<'_> {
    fn ask<V: GameVisitor>(self, variant: &str, visitor: V) -> Result<V::Output, LibraryError> {
        self.0.visit(variant, visitor).ok_or_else(|| LibraryError::UnknownVariant(variant.to_owned()))
    }

    /// The notation of a game.
    pub(crate) fn notation(self, variant: &str) -> Result<Arc<dyn Notation>, LibraryError> {
        self.0.by_name(variant).ok_or_else(|| LibraryError::UnknownVariant(variant.to_owned()))
    }

    /// The sign of the rules and keys of a game: another one means that positions are to be indexed anew.
    pub(crate) fn sign(self, variant: &str) -> Result<u64, LibraryError> {
        self.ask(variant, Sign)
    }

    /// Looks at a position; `option` is what the user gave it by.
    pub(crate) fn look(self, place: &Place, option: &'static str) -> Result<Looked, LibraryError> {
        let looked = self.ask(&place.variant, Look { command: &place.command })?;
        let key = |looked: Looked| Looked { key: index_key(salt(&place.variant), looked.key), ..looked };
        looked.map(key).map_err(|reason| LibraryError::Position { option, reason })
    }

    /// The keys of the positions of a game, as far as its moves can be played.
    pub(crate) fn keys(self, variant: &str, start: &str, moves: &str) -> Result<Vec<u64>, LibraryError> {
        let keys = self.ask(variant, Keys { start, moves })?;
        Ok(keys.into_iter().map(|key| index_key(salt(variant), key)).collect())
    }

    /// What was played from a position on, `depth` moves deep.
    pub(crate) fn grow<T>(
        self,
        place: &Place,
        depth: u32,
        ask: &mut Ask<'_, T>,
    ) -> Result<Vec<Grown<T>>, LibraryError> {
        let salt = salt(&place.variant);
        let grown = self.ask(&place.variant, Grow { command: &place.command, depth, salt, ask })?;
        grown.map_err(|reason| LibraryError::Position { option: "--position", reason })
    }

    /// Plays the moves of a game and calls `each` with the number of moves and the text of each position.
    pub(crate) fn texts(
        self,
        variant: &str,
        start: &str,
        moves: &str,
        each: &mut dyn FnMut(u32, &str) -> bool,
    ) -> Result<(), LibraryError> {
        self.ask(variant, Texts { start, moves, each })
    }
}

/// The start of a game: the text, or the ordinary one where it is empty.
fn start<G: Game>(game: &G, text: &str) -> Option<G::Position> {
    if text.is_empty() { Some(game.startpos()) } else { game.position(text).ok() }
}

struct Sign;

/// So many moves of a game are the sample for the sign.
const SAMPLE: usize = 24;

impl GameVisitor for Sign {
    type Output = u64;

    fn visit<G: Readable>(self, game: G) -> u64 {
        let mut position = game.startpos();
        let mut sign = position.key();
        for ply in 0..SAMPLE {
            let moves = position.legal_moves();
            let mut texts: Vec<_> = moves.iter().map(|m| (m.to_string(), *m)).collect();
            // In the order of their texts, which no change of the generator changes.
            texts.sort_by(|a, b| a.0.cmp(&b.0));
            let Some((_, m)) = texts.get(ply * 7 % texts.len().max(1)) else { break };
            position.do_move(*m);
            sign = index_key(sign, position.key());
        }
        sign
    }
}

struct Look<'a> {
    command: &'a str,
}

impl GameVisitor for Look<'_> {
    type Output = Result<Looked, String>;

    fn visit<G: Readable>(self, game: G) -> Self::Output {
        let position = game.position_command(self.command).map_err(|error| error.to_string())?;
        Ok(Looked { key: position.key(), text: position.to_text(), side: position.side() })
    }
}

struct Keys<'a> {
    start: &'a str,
    moves: &'a str,
}

impl GameVisitor for Keys<'_> {
    type Output = Vec<u64>;

    fn visit<G: Readable>(self, game: G) -> Vec<u64> {
        let Some(mut position) = start(&game, self.start) else { return Vec::new() };
        let mut keys = vec![position.key()];
        for word in self.moves.split_ascii_whitespace() {
            let Ok(m) = position.parse_move(word) else { break };
            position.do_move(m);
            keys.push(position.key());
        }
        keys
    }
}

struct Grow<'a, 'b, T> {
    command: &'a str,
    depth: u32,
    salt: u64,
    ask: &'a mut Ask<'b, T>,
}

impl<T> GameVisitor for Grow<'_, '_, T> {
    type Output = Result<Vec<Grown<T>>, String>;

    fn visit<G: Readable>(self, game: G) -> Self::Output {
        let mut position = game.position_command(self.command).map_err(|error| error.to_string())?;
        Ok(grow::<G, T>(&mut position, self.depth, self.salt, self.ask))
    }
}

fn grow<G: Readable, T>(
    position: &mut G::Position,
    depth: u32,
    salt: u64,
    ask: &mut Ask<'_, T>,
) -> Vec<Grown<T>> {
    let mut grown = Vec::new();
    for (word, value) in ask(index_key(salt, position.key())) {
        let Ok(m) = position.parse_move(&word) else { continue };
        let text = G::move_text(position, m);
        let mut after = Vec::new();
        if depth > 1 {
            position.do_move(m);
            after = grow::<G, T>(position, depth - 1, salt, ask);
            position.undo_move();
        }
        grown.push(Grown { m: word, text, value, after });
    }
    grown
}

struct Texts<'a> {
    start: &'a str,
    moves: &'a str,
    each: &'a mut dyn FnMut(u32, &str) -> bool,
}

impl GameVisitor for Texts<'_> {
    type Output = ();

    fn visit<G: Readable>(self, game: G) {
        let Some(mut position) = start(&game, self.start) else { return };
        let mut words = self.moves.split_ascii_whitespace();
        for ply in 0.. {
            if !(self.each)(ply, &position.to_text()) {
                return;
            }
            let next = words.next().and_then(|word| position.parse_move(word).ok());
            let Some(m) = next else { return };
            position.do_move(m);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::freeze::NoteStyle;
    use std::collections::HashSet;

    fn catalogue() -> (Vec<String>, Catalogue) {
        let shipped = fairy::Library::shipped();
        let names = ["shogi", "freeze", "binarsi"].into_iter().chain(shipped.names()).map(str::to_owned);
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        names.dedup();
        (names, Catalogue { style: NoteStyle::default(), find: Box::new(move |name| shipped.game(name)) })
    }

    #[test]
    fn each_game_has_its_sign_and_keys() {
        let (names, catalogue) = catalogue();
        let rules = Rules(&catalogue);
        let signs: HashSet<_> = names.iter().map(|name| rules.sign(name).unwrap()).collect();
        assert!(signs.len() > names.len() / 2, "games share few signs: those that differ in what ends them");
        let start = |name: &str| {
            let place = Place { variant: name.to_owned(), command: "startpos".to_owned() };
            rules.look(&place, "--position").unwrap().key
        };
        let keys: HashSet<_> = names.iter().map(|name| start(name)).collect();
        assert_eq!(keys.len(), names.len());
        assert!(rules.sign("chess").is_err());
    }

    #[test]
    fn keys_are_those_of_the_looked_at() {
        let (_, catalogue) = catalogue();
        let rules = Rules(&catalogue);
        let moves = "7g7f 3c3d 2g2f";
        let keys = rules.keys("shogi", "", moves).unwrap();
        let command = format!("startpos moves {moves}");
        let looked = rules.look(&Place { variant: "shogi".into(), command }, "--moves").unwrap();
        assert_eq!((keys.len(), keys.last()), (4, Some(&looked.key)));
    }
}
