//! Parses `position` commands: markers and counts in every place where they are allowed.

use crate::error::FreezeError;
use crate::freeze_game::{Acceptance, Freeze};
use crate::position::{Position, Terms};
use crate::tokens::{Counts, Marker, Token, quote};
use game::{Game, Position as _, PositionCommandError};
use shogi::Color;

type Refusal = PositionCommandError<FreezeError>;

/// A position before the moves, with its marker and counts.
pub(crate) struct Base {
    position: shogi::Position,
    marker: Option<Marker>,
    counts: Option<Counts>,
}

impl Base {
    pub(crate) const fn new(position: shogi::Position) -> Self {
        Self { position, marker: None, counts: None }
    }

    /// Reads the tokens after a position.
    fn with_tokens<'a>(mut self, words: impl Iterator<Item = &'a str>) -> Result<Self, FreezeError> {
        for word in words {
            match Token::read(word) {
                Some(token) => self.add(token?, word)?,
                None => return Err(shogi::SfenError::Extra(quote(word)).into()),
            }
        }
        Ok(self)
    }

    fn add(&mut self, token: Token, word: &str) -> Result<(), FreezeError> {
        let twice = |what| Err(FreezeError::Twice { what, word: quote(word) });
        match token {
            Token::Marker(_) if self.marker.is_some() => twice("markers"),
            Token::Counts(_) if self.counts.is_some() => twice("counts"),
            Token::Marker(marker) => {
                self.marker = Some(marker);
                Ok(())
            }
            Token::Counts(counts) => {
                self.counts = Some(counts);
                Ok(())
            }
        }
    }

    /// The kind frozen by the last move before the position.
    fn frozen(&self) -> Option<shogi::PieceKind> {
        match self.marker {
            Some(Marker::Freezes(kind)) => Some(kind),
            _ => None,
        }
    }
}

/// The position itself, under the options of [`Freeze`].
pub(crate) fn finished(game: &Freeze, base: Base) -> Position {
    let with_counts = base.counts.is_some() || base.marker.is_some() || game.acceptance == Acceptance::Ok;
    let counts = base.counts.unwrap_or(match game.acceptance {
        Acceptance::Ok => game.counts,
        _ => Counts::NONE,
    });
    let frozen = base.frozen();
    let mut position = Position::new(base.position, frozen, counts);
    position.terms = Terms {
        with_counts,
        barred: barred(game, position.side()),
        with_remarks: game.shows_remarks,
        handling: game.handling,
    };
    position
}

/// The side that may not freeze if the engine plays `side`.
fn barred(game: &Freeze, side: Color) -> Option<Color> {
    match game.acceptance {
        Acceptance::AllowFreeze => Some(side),
        Acceptance::CanFreeze => Some(!side),
        Acceptance::None | Acceptance::Ok => None,
    }
}

/// Reads an SFEN with its tokens; refuses those that the option FREEZE does not allow.
pub(crate) fn read_position(game: &Freeze, text: &str) -> Result<Position, FreezeError> {
    let base = read_base(game, text)?;
    if let Some(word) = text.split_ascii_whitespace().find(|word| is_token(word)) {
        check_enabled(game, word)?;
    }
    if let (Acceptance::CanFreeze, Some(kind)) = (game.acceptance, base.frozen()) {
        return Err(FreezeError::OpponentFreezes(Marker::Freezes(kind).to_string()));
    }
    Ok(finished(game, base))
}

/// `startpos` or an SFEN, and the tokens after it.
fn read_base(game: &Freeze, text: &str) -> Result<Base, FreezeError> {
    let mut words = text.split_ascii_whitespace().peekable();
    if words.peek() == Some(&"startpos") {
        words.next();
        return Base::new(game.shogi.startpos()).with_tokens(words);
    }
    // The move number may be missing; an SFEN ends where the first token begins.
    let fields: Vec<&str> = words.by_ref().take(3).collect();
    let number = words.next_if(|word| !is_token(word));
    let sfen: Vec<&str> = fields.into_iter().chain(number).collect();
    Base::new(game.shogi.position(&sfen.join(" "))?).with_tokens(words)
}

fn is_token(word: &str) -> bool {
    word.starts_with(['z', 'Z'])
}

fn check_enabled(game: &Freeze, word: &str) -> Result<(), FreezeError> {
    match game.acceptance {
        Acceptance::None => Err(FreezeError::NotEnabled(quote(word))),
        _ => Ok(()),
    }
}

/// A word of the list of moves, with the marker that followed it separately.
struct Played<'a> {
    word: &'a str,
    marker: Option<Marker>,
}

impl Played<'_> {
    /// Both as one word, which a position can parse.
    fn text(&self) -> String {
        match self.marker {
            Some(marker) => format!("{}{marker}", self.word),
            None => self.word.to_owned(),
        }
    }

    fn freezes(&self) -> bool {
        match self.marker {
            Some(marker) => matches!(marker, Marker::Freezes(_)),
            None => self.word.contains('z'),
        }
    }
}

/// The list of moves and the counts that end it. A marker before the first move belongs to the base.
fn read_moves<'a>(base: &mut Base, list: &'a str) -> Result<(Vec<Played<'a>>, Option<Counts>), FreezeError> {
    let mut played: Vec<Played> = Vec::new();
    let mut counts = None;
    for word in list.split_ascii_whitespace() {
        let token = Token::read(word).transpose()?;
        if counts.is_some() {
            return Err(match token {
                Some(Token::Counts(_)) => FreezeError::Twice { what: "counts", word: quote(word) },
                _ => FreezeError::CountsNotLast(quote(word)),
            });
        }
        match token {
            Some(Token::Counts(given)) => counts = Some(given),
            Some(Token::Marker(marker)) => match played.last_mut() {
                None => base.add(Token::Marker(marker), word)?,
                Some(last) if last.marker.is_some() || last.word.contains(['z', 'Z']) => {
                    return Err(FreezeError::Twice { what: "markers", word: quote(word) });
                }
                Some(last) => last.marker = Some(marker),
            },
            None => {
                check_suffix(word)?;
                played.push(Played { word, marker: None });
            }
        }
    }
    Ok((played, counts))
}

/// Checks the marker at the end of a word, even if the move itself is malformed.
fn check_suffix(word: &str) -> Result<(), FreezeError> {
    match word.find(['z', 'Z']) {
        Some(at) => word[at..].parse::<Marker>().map(|_| ()),
        None => Ok(()),
    }
}

/// Reads what follows the word `position`.
pub(crate) fn read(game: &Freeze, command: &str, remark: &mut dyn FnMut(&str)) -> Result<Position, Refusal> {
    let (start, list) = game::split_moves(command).ok_or(Refusal::Empty)?;
    let text = PositionCommandError::Text;
    let mut base = read_base(game, start).map_err(text)?;
    let (played, after) = read_moves(&mut base, list).map_err(text)?;
    let freeze_word = |word: &&str| word.contains(['z', 'Z']) && !word.contains('/');
    if let Some(word) = start.split_ascii_whitespace().chain(list.split_ascii_whitespace()).find(freeze_word)
    {
        check_enabled(game, word).map_err(text)?;
    }
    let first = base.position.side();
    check_opponent(game, first, base.marker, &played).map_err(text)?;
    let given = base.counts;
    if let Some(after) = after {
        let before = after.before(spent(first, &played)).ok_or(text(FreezeError::TooMany))?;
        if given.is_some_and(|given| given != before) {
            remark(&format!(
                "the counts before the moves do not lead to {after}, which is taken to be right"
            ));
        }
        base.counts = Some(before);
    }
    let mut position = finished(game, base);
    // Past freezes stay legal, whichever side the engine plays.
    position.bar(None);
    position.terms.with_counts |= played.iter().any(Played::freezes);
    for (index, move_played) in played.iter().enumerate() {
        let number = index + 1;
        let m = position.parse_move(&move_played.text()).map_err(|error| match error {
            game::MoveTextError::Syntax(word) => Refusal::MoveSyntax { number, word },
            game::MoveTextError::Illegal(word) => {
                let reason = position.why_illegal(&word);
                Refusal::IllegalMove { number, word, reason }
            }
        })?;
        position.do_move(m);
    }
    position.bar(barred(game, position.side()));
    Ok(position)
}

/// How many of the moves freeze, by player.
fn spent(first: Color, played: &[Played]) -> [usize; 2] {
    let mut spent = [0; 2];
    for (mover, _) in movers(first, played).filter(|(_, played)| played.freezes()) {
        spent[mover.index()] += 1;
    }
    spent
}

fn movers<'a>(first: Color, played: &'a [Played<'a>]) -> impl Iterator<Item = (Color, &'a Played<'a>)> {
    [first, !first].into_iter().cycle().zip(played)
}

/// With `CAN_FREEZE`, the opponent of the side to move must not have frozen anything.
fn check_opponent(
    game: &Freeze,
    first: Color,
    marker: Option<Marker>,
    played: &[Played],
) -> Result<(), FreezeError> {
    if game.acceptance != Acceptance::CanFreeze {
        return Ok(());
    }
    let own = if played.len().is_multiple_of(2) { first } else { !first };
    if let (Some(marker @ Marker::Freezes(_)), true) = (marker, first == own) {
        return Err(FreezeError::OpponentFreezes(marker.to_string()));
    }
    match movers(first, played).find(|(mover, played)| *mover != own && played.freezes()) {
        Some((_, played)) => Err(FreezeError::OpponentFreezes(quote(&played.text()))),
        None => Ok(()),
    }
}
