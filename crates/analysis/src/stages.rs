//! A game cut into its positions, by the rules of whichever game it is.

use arena::GameFiles;
use engines::{Catalogue, Visitor};
use game::{Color, Game, Outcome, Position};
use record::notation::Diagram;
use std::collections::HashSet;
use usi::Engine;
use usi::options::Options;

/// One position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stage {
    /// Its text (SFEN).
    pub text: String,
    /// The text for an engine: `sfen …`, with the moves where the game has come back to a position.
    pub command: String,
    /// Who is to move.
    pub side: Color,
    /// How the game has ended by its rules, if it has.
    pub outcome: Option<Outcome>,
    /// The move that is played here, as USI has it and in Japanese; none at the end.
    pub played: Option<(String, String)>,
    /// How many pieces are in hand or promoted, and how many there are.
    pub changed: (u32, u32),
}

/// A board to draw, and the squares that the move before it has touched.
pub struct Picture {
    /// The board.
    pub diagram: Diagram,
    /// Numbers of its squares.
    pub touched: Vec<usize>,
}

/// Why a game cannot be analysed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StageError {
    /// The game is not in the catalogue.
    #[error("no game is called `{0}`")]
    NoSuchGame(String),
    /// What the record says cannot be played.
    #[error("{0}")]
    Unplayable(String),
}

/// The rules of all games, as an analysis needs them.
pub struct Rulebook<'a>(pub &'a Catalogue);

impl Rulebook<'_> {
    /// The positions of a game that is given as USI has it: `startpos moves …`.
    pub fn stages(&self, variant: &str, line: &str) -> Result<Vec<Stage>, StageError> {
        self.ask(variant, Cut { line })
    }

    /// The boards of the same positions.
    pub fn pictures(&self, variant: &str, line: &str) -> Result<Vec<Picture>, StageError> {
        self.ask(variant, Draw { line })
    }

    /// Lines of play from a position: their legal moves as USI has them and in Japanese, with the marks of the players.
    pub fn spoken(
        &self,
        variant: &str,
        text: &str,
        lines: &[Vec<String>],
    ) -> Result<Vec<Vec<(String, String)>>, StageError> {
        self.ask(variant, Speak { text, lines })
    }

    fn ask<T, V>(&self, variant: &str, visitor: V) -> Result<T, StageError>
    where
        V: Visitor<Output = Result<T, StageError>>,
    {
        let unknown = |_| Err(StageError::NoSuchGame(variant.to_owned()));
        self.0.visit(variant, visitor).unwrap_or_else(unknown)
    }
}

/// The mark of a player before a move.
#[must_use]
pub const fn mark(side: Color) -> char {
    match side {
        Color::Black => '▲',
        Color::White => '△',
    }
}

/// The position at the start of a line, and the words of its moves up to the one for its ending.
fn begin<'a, G: Game>(game: &G, line: &'a str) -> Result<(G::Position, Vec<&'a str>), StageError> {
    let (start, moves) = line.split_once(" moves").unwrap_or((line, ""));
    let position = game.position_command(start).map_err(|error| StageError::Unplayable(error.to_string()))?;
    Ok((position, moves.split_ascii_whitespace().collect()))
}

/// The number of the move, where it is the fourth field of a SFEN, makes no difference to what is found.
fn without_number(text: &str) -> String {
    let mut fields: Vec<&str> = text.split(' ').collect();
    if let Some(number) = fields.get_mut(3).filter(|field| field.bytes().all(|b| b.is_ascii_digit())) {
        *number = "1";
    }
    fields.join(" ")
}

struct Cut<'a> {
    line: &'a str,
}

impl Visitor for Cut<'_> {
    type Output = Result<Vec<Stage>, StageError>;

    fn visit<G: GameFiles, E: Engine<G>>(
        self,
        game: G,
        _: impl FnOnce(&G, &mut Options) -> E,
    ) -> Self::Output {
        let game = game.for_referee();
        let (mut position, words) = begin(&game, self.line)?;
        let first = without_number(&position.to_text());
        let (mut seen, mut repeated, mut past) = (HashSet::new(), false, String::new());
        let mut stages = Vec::with_capacity(words.len() + 1);
        let mut words = words.into_iter();
        loop {
            let text = position.to_text();
            repeated |= !seen.insert(without_number(&text));
            let command = if repeated {
                format!("sfen {first} moves{past}")
            } else {
                format!("sfen {}", without_number(&text))
            };
            let next = words.next().and_then(|word| position.parse_move(word).ok());
            let diagram = G::diagram(&position);
            stages.push(Stage {
                command,
                text,
                side: position.side(),
                outcome: position.outcome(),
                played: next.map(|m| (m.to_string(), G::move_text(&position, m))),
                changed: (diagram.changed(), diagram.pieces()),
            });
            let Some(m) = next else { return Ok(stages) };
            past = past + " " + &m.to_string();
            position.do_move(m);
        }
    }
}

struct Draw<'a> {
    line: &'a str,
}

impl Visitor for Draw<'_> {
    type Output = Result<Vec<Picture>, StageError>;

    fn visit<G: GameFiles, E: Engine<G>>(
        self,
        game: G,
        _: impl FnOnce(&G, &mut Options) -> E,
    ) -> Self::Output {
        let game = game.for_referee();
        let (mut position, words) = begin(&game, self.line)?;
        let mut pictures = vec![Picture { diagram: G::diagram(&position), touched: Vec::new() }];
        for word in words {
            let Ok(m) = position.parse_move(word) else { break };
            let touched = G::touched(&position, m);
            position.do_move(m);
            pictures.push(Picture { diagram: G::diagram(&position), touched });
        }
        Ok(pictures)
    }
}

struct Speak<'a> {
    text: &'a str,
    lines: &'a [Vec<String>],
}

impl Visitor for Speak<'_> {
    type Output = Result<Vec<Vec<(String, String)>>, StageError>;

    fn visit<G: GameFiles, E: Engine<G>>(
        self,
        game: G,
        _: impl FnOnce(&G, &mut Options) -> E,
    ) -> Self::Output {
        let game = game.for_referee();
        let start = game.position(self.text).map_err(|error| StageError::Unplayable(error.to_string()))?;
        let speak = |line: &Vec<String>| {
            let mut position = start.clone();
            let mut spoken = Vec::with_capacity(line.len());
            for word in line {
                let Ok(m) = position.parse_move(word) else { break };
                let text = format!("{}{}", mark(position.side()), G::move_text(&position, m));
                spoken.push((word.clone(), text));
                position.do_move(m);
            }
            spoken
        };
        Ok(self.lines.iter().map(speak).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_every_kind_are_cut() {
        let catalogue = Catalogue::default();
        let rules = Rulebook(&catalogue);
        for (variant, line, plies) in [
            ("shogi", "startpos moves 7g7f 3c3d 8h2b+ resign", 3),
            ("shogi", "startpos", 0),
            ("freeze", "startpos moves 7g7fzP 8b7b", 2),
            ("minishogi", "startpos moves 3e3d 3a3b", 2),
            ("binarsi", "startpos moves 4n cs1", 2),
        ] {
            let stages = rules.stages(variant, line).unwrap();
            assert_eq!(stages.len(), plies + 1, "{variant} {line}");
            assert_eq!(rules.pictures(variant, line).unwrap().len(), plies + 1);
            for (stage, next) in stages.iter().zip(stages.iter().skip(1)) {
                let (word, text) = stage.played.clone().unwrap();
                let spoken = rules.spoken(variant, &stage.text, &[vec![word.clone()]]).unwrap();
                assert_eq!(spoken, [[(word, format!("{}{text}", mark(stage.side)))]]);
                assert_ne!(stage.text, next.text);
            }
        }
        let stages = rules.stages("shogi", "startpos moves 7g7f 3c3d 8h2b+ resign").unwrap();
        assert_eq!(stages[2].played.as_ref().unwrap().1, "２二角成(88)");
        assert!(stages[2].command.ends_with(" b - 1"), "{}", stages[2].command);
        assert!(rules.stages("chess", "startpos").is_err());
        assert!(rules.stages("shogi", "sfen x").is_err());
    }

    #[test]
    fn where_a_game_comes_back_the_engine_is_told_the_way() {
        let catalogue = Catalogue::default();
        let line = "startpos moves 2h3h 8b7b 3h2h 7b8b 7g7f";
        let stages = Rulebook(&catalogue).stages("shogi", line).unwrap();
        assert!(!stages[3].command.contains("moves"));
        assert!(stages[4].command.ends_with("moves 2h3h 8b7b 3h2h 7b8b"), "{}", stages[4].command);
        assert!(stages[5].command.ends_with("7b8b 7g7f"));
    }
}
