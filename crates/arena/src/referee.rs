//! The referee: checks moves and claims of the engines by the rules.

use crate::engine::{Answer, Score};
use crate::verdict::{GameResult, Reason, Verdict};
use crate::words::{self, WordError};
use game::{Color, Declaration, Game, MoveTextError, Position};
use serde::{Deserialize, Serialize};

/// When the engines' scores end a game.
///
/// Both engines must agree: a win is given when both have reported the same winner for a number of moves, a draw when
/// both have reported a level game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Adjudication {
    /// Wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win: Option<Rule>,
    /// Draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<Rule>,
}

/// One rule of adjudication.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rule {
    /// Centipawns: minimum for a win, maximum for a draw.
    pub score: i32,
    /// Number of successive moves of each side.
    pub moves: u32,
    /// The first move of the game at which it applies.
    pub from: u32,
}

/// The words that describe a rule, for help texts.
const RULE_WORDS: &str = "score=, moves=, from=";

impl Rule {
    /// Parses a rule from words such as `moves=4 score=1500 from=20`.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, WordError> {
        let (mut score, mut moves, mut from) = (None, None, 0);
        for word in words {
            let (key, value) = words::split(word)?;
            match key {
                "score" => score = Some(words::number(key, value)?),
                "moves" => moves = Some(words::number(key, value)?),
                "from" => from = words::number(key, value)?,
                _ => return Err(WordError::Unknown { key: key.to_owned(), known: RULE_WORDS }),
            }
        }
        let missing = |key, meaning| WordError::Missing { key, meaning };
        Ok(Self {
            score: score.ok_or(missing("score", "how many centipawns"))?,
            moves: moves.ok_or(missing("moves", "for how many moves of each side"))?,
            from,
        })
    }
}

/// The referee's state of a game.
pub struct Referee<G: Game> {
    position: G::Position,
    /// The arguments of `position`.
    command: String,
    adjudication: Adjudication,
    /// Number of successive moves that indicate a win of Black, a win of White, a draw.
    streaks: [u32; 3],
}

/// The ruling on an engine's answer.
pub enum Ruling<M> {
    /// The game goes on with this move.
    Play(M),
    /// The game has ended, with this move where one was played.
    End(Option<M>, Verdict),
}

impl<G: Game> Referee<G> {
    /// A game from `opening`, in the syntax of `position`; the error describes an illegal opening.
    pub fn new(game: &G, opening: &str, adjudication: Adjudication) -> Result<Self, String> {
        let position = game.position_command(opening).map_err(|error| error.to_string())?;
        if let Some(outcome) = position.outcome() {
            return Err(format!("the game is over already ({outcome})"));
        }
        let opening = opening.trim();
        let separator =
            if opening.split_ascii_whitespace().any(|word| word == "moves") { "" } else { " moves" };
        let command = format!("position {opening}{separator}");
        Ok(Self { position, command, adjudication, streaks: [0; 3] })
    }

    /// The current position.
    pub const fn position(&self) -> &G::Position {
        &self.position
    }

    /// The `position` command of the current position.
    pub fn command(&self) -> &str {
        self.command.strip_suffix(" moves").unwrap_or(&self.command)
    }

    /// The `position` command after one more move.
    pub fn command_after(&self, m: &str) -> String {
        format!("{} {m}", self.command)
    }

    /// Rules on an answer of the side to move.
    pub fn judge(&self, answer: &Answer) -> Ruling<<G::Position as Position>::Move> {
        let side = self.position.side();
        match answer.best.as_str() {
            "resign" => Ruling::End(None, Verdict::loss(side, Reason::Resignation, None)),
            "win" if self.position.declaration().is_some() => {
                Ruling::End(None, Verdict::loss(!side, Reason::Declaration, None))
            }
            "win" => Ruling::End(None, Verdict::loss(side, Reason::FalseDeclaration, None)),
            text => match self.position.parse_move(text) {
                Ok(m) if self.position.declaration() == Some(Declaration::Try(m)) => {
                    Ruling::End(Some(m), Verdict::loss(!side, Reason::Declaration, None))
                }
                Ok(m) => Ruling::Play(m),
                Err(error) => {
                    let reason = match error {
                        MoveTextError::Syntax(_) => Reason::Garbage,
                        MoveTextError::Illegal(_) => Reason::IllegalMove,
                    };
                    let shown = text.chars().take(40).collect();
                    Ruling::End(None, Verdict::loss(side, reason, Some(shown)))
                }
            },
        }
    }

    /// Whether `ponder` is legal after `m`.
    pub fn may_expect(&mut self, m: <G::Position as Position>::Move, ponder: &str) -> bool {
        self.position.do_move(m);
        let legal = self.position.parse_move(ponder).is_ok();
        self.position.undo_move();
        legal
    }

    /// Plays a move that was ruled legal; returns the verdict if it ended the game.
    pub fn play(&mut self, m: <G::Position as Position>::Move, score: Option<Score>) -> Option<Verdict> {
        let mover = self.position.side();
        self.position.do_move(m);
        self.command.push(' ');
        self.command += &m.to_string();
        if let Some(outcome) = self.position.outcome() {
            return Some(outcome.into());
        }
        self.adjudge(mover, score)
    }

    fn adjudge(&mut self, mover: Color, score: Option<Score>) -> Option<Verdict> {
        let Adjudication { win, draw } = self.adjudication;
        let value = score.map(Score::centipawns);
        let blacks = value.map(|value| if mover == Color::Black { value } else { -value });
        let speaks = [
            blacks.zip(win).is_some_and(|(value, rule)| value >= rule.score),
            blacks.zip(win).is_some_and(|(value, rule)| value <= -rule.score),
            blacks.zip(draw).is_some_and(|(value, rule)| value.abs() <= rule.score),
        ];
        for (streak, speaks) in self.streaks.iter_mut().zip(speaks) {
            *streak = if speaks { *streak + 1 } else { 0 };
        }
        let ply = self.position.ply();
        let holds = |rule: Rule, streak: u32| streak >= 2 * rule.moves && ply > rule.from;
        if let Some(rule) = win {
            for winner in Color::ALL {
                if holds(rule, self.streaks[winner.index()]) {
                    let result = GameResult::win(winner);
                    return Some(Verdict { result, reason: Reason::ScoreWin, detail: None });
                }
            }
        }
        let level = draw.is_some_and(|rule| holds(rule, self.streaks[2]));
        level.then(|| Verdict::draw(Reason::ScoreDraw))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogi::Shogi;

    fn referee(opening: &str) -> Referee<Shogi> {
        Referee::new(&Shogi::default(), opening, Adjudication::default()).unwrap()
    }

    fn verdict(opening: &str, best: &str) -> Option<String> {
        let mut referee = referee(opening);
        match referee.judge(&Answer { best: best.to_owned(), ponder: None }) {
            Ruling::Play(m) => referee.play(m, None).map(|verdict| verdict.to_string()),
            Ruling::End(_, verdict) => Some(verdict.to_string()),
        }
    }

    #[test]
    fn answers_are_judged() {
        let entered = "sfen 1K+R+R5/+B+B+P+P+P+P3/+P+P+P+P5/9/9/9/9/9/4k4 b 4G4S4N4L 200";
        let shuffle = "2h3h 8b7b 3h2h 7b8b ".repeat(2);
        let nearly = format!("startpos moves {shuffle} 2h3h 8b7b 3h2h");
        for (opening, best, expected) in [
            ("startpos", "7g7f", None),
            ("startpos", "7g7e", Some("white wins, illegal move (7g7e)")),
            ("startpos", "hello", Some("white wins, garbage for a move (hello)")),
            ("startpos", "", Some("white wins, garbage for a move ()")),
            ("startpos moves 7g7f", "resign", Some("black wins, resignation")),
            ("startpos", "win", Some("white wins, false declaration")),
            (entered, "win", Some("black wins, declaration")),
            (nearly.as_str(), "7b8b", Some("draw, repetition")),
            ("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", Some("black wins, no legal move")),
        ] {
            assert_eq!(verdict(opening, best).as_deref(), expected, "{opening} {best}");
        }
    }

    #[test]
    fn openings_must_be_playable() {
        let new = |opening| Referee::new(&Shogi::default(), opening, Adjudication::default()).err();
        assert!(new("startpos moves 7g7e").unwrap().contains("7g7e"));
        assert!(new("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap().contains("over already"));
        assert_eq!(new("startpos"), None);
    }

    #[test]
    fn the_command_grows_with_the_game() {
        let mut referee = referee("startpos");
        assert_eq!(referee.command(), "position startpos");
        let Ruling::Play(m) = referee.judge(&Answer { best: "7g7f".into(), ponder: None }) else { panic!() };
        assert!(
            referee.may_expect(m, "3c3d") && !referee.may_expect(m, "7f7e") && !referee.may_expect(m, "x")
        );
        assert_eq!(referee.play(m, None), None);
        assert_eq!(referee.command(), "position startpos moves 7g7f");
        assert_eq!(referee.command_after("3c3d"), "position startpos moves 7g7f 3c3d");
    }

    #[test]
    fn both_must_agree_for_an_adjudication() {
        let rules = Adjudication {
            win: Some(Rule { score: 1000, moves: 2, from: 0 }),
            draw: Some(Rule { score: 10, moves: 1, from: 4 }),
        };
        let play = |scores: &[i32]| {
            let mut referee = Referee::new(&Shogi::default(), "startpos", rules).unwrap();
            scores.iter().zip(["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"]).find_map(|(&score, text)| {
                let m = text.parse().unwrap();
                referee.play(m, Some(Score::Centipawns(score))).map(|verdict| (text, verdict.to_string()))
            })
        };
        assert_eq!(play(&[2000, -2000, 1000, -1000]), Some(("8c8d", "black wins, adjudged a win".into())));
        assert_eq!(play(&[-2000, 2000, -1000, 1000]), Some(("8c8d", "white wins, adjudged a win".into())));
        assert_eq!(play(&[2000, -2000, 2000, -999, 2000, -2000]), None);
        assert_eq!(play(&[0, 0, 0]), None);
        assert_eq!(play(&[0, 0, 0, 3, 90]), Some(("8c8d", "draw, adjudged a draw".into())));
    }
}
