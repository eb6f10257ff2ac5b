//! Any game with its text and its moves as boards see it.

use super::notes::{outcome_words, to_move};
use super::record::{ReadRecord, WriteStep, WrittenText};
use super::{AnyGame, Line, Shown, sfen, typed};
use crate::protocol::{
    Cell, Choice, Edited, EditedPosition, Expansion, Missing, NamedMove, Origin, Refusal, RefusalCode, Rules,
    Scene, SceneOutcome, Side, Target, Words, side_words,
};
use ::record::{Format, encoding::Encoding};
use game::{Declaration, MoveTextError, Position};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

type MoveOf<G> = <<G as game::Game>::Position as Position>::Move;

/// A game and what stays the same in it.
pub(super) struct GameAdapter<G: Shown> {
    game: G,
    rules: Arc<Rules>,
}

impl<G: Shown> GameAdapter<G> {
    pub(super) fn new(game: G) -> Self {
        let palette = game.palette();
        let rules =
            Rules { game: game.about(), palette, sides: [side_words(Side::Black), side_words(Side::White)] };
        Self { game, rules: Arc::new(rules) }
    }

    fn played_line(&self, position: G::Position) -> PlayedLine<G> {
        PlayedLine { game: self.game.clone(), rules: self.rules.clone(), position, played: Vec::new() }
    }

    fn position(&self, text: &str) -> Result<G::Position, String> {
        match text.trim() {
            "" | "startpos" => Ok(self.game.startpos()),
            text => {
                let text = text.strip_prefix("sfen ").unwrap_or(text);
                self.game.position(text).map_err(|error| error.to_string())
            }
        }
    }

    /// Pieces that the start position has and this one lacks.
    fn missing(&self, cells: &[Option<Cell>], hands: &[Vec<crate::protocol::Held>; 2]) -> Vec<Missing> {
        let mut counts: BTreeMap<String, i32> = BTreeMap::new();
        let start = self.played_line(self.game.startpos()).scene();
        let mut count = |kind: &str, by: i32| {
            *counts.entry(kind.trim_start_matches('+').to_owned()).or_default() += by;
        };
        for (cells, hands, sign) in [(&start.cells[..], &start.hands, 1), (cells, hands, -1)] {
            cells.iter().flatten().for_each(|cell| count(&cell.kind, sign));
            hands.iter().flatten().for_each(|held| count(&held.kind, sign * held.count as i32));
        }
        let missing = counts.into_iter().filter(|(_, count)| *count != 0);
        missing.map(|(kind, count)| Missing { kind, count }).collect()
    }
}

impl<G: Shown> AnyGame for GameAdapter<G> {
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn line(&self, start: &str) -> Result<Box<dyn Line>, Refusal> {
        let position = self.position(start).map_err(|error| Refusal::new(RefusalCode::Position, error))?;
        Ok(Box::new(self.played_line(position)))
    }

    fn start(&self) -> String {
        self.game.startpos().to_text()
    }

    fn compose(&self, position: &EditedPosition) -> Edited {
        let squares = usize::from(self.rules.game.files) * usize::from(self.rules.game.ranks);
        if position.cells.len() != squares {
            let problem = format!("{} squares: {} has {squares}", position.cells.len(), self.rules.game.game);
            return Edited { problem: Some(problem), ..Edited::default() };
        }
        let mut edited = self.examine(&self.game.compose(position));
        edited.missing = self.missing(&position.cells, &position.hands);
        edited
    }

    fn examine(&self, text: &str) -> Edited {
        match self.position(text) {
            Ok(position) => {
                let scene = self.played_line(position).scene();
                let missing = self.missing(&scene.cells, &scene.hands);
                Edited { text: Some(scene.text.clone()), scene: Some(scene), missing, ..Edited::default() }
            }
            Err(problem) => Edited {
                text: Some(text.to_owned()),
                problem: Some(problem),
                problem_ja: self.game.problem_ja(text),
                ..Edited::default()
            },
        }
    }

    fn read(&self, bytes: &[u8], promised: Option<Format>) -> Result<Vec<ReadRecord>, Refusal> {
        self.game.read_records(bytes, promised)
    }

    fn write(
        &self,
        start: &str,
        header: &[[String; 2]],
        steps: &[WriteStep<'_>],
        format: Format,
        encoding: Encoding,
    ) -> Result<WrittenText, Refusal> {
        self.game.write_record(start, header, steps, format, encoding)
    }
}

/// A position and the moves that led to it.
struct PlayedLine<G: Shown> {
    game: G,
    rules: Arc<Rules>,
    position: G::Position,
    played: Vec<MoveOf<G>>,
}

impl<G: Shown> PlayedLine<G> {
    fn named(&self, m: MoveOf<G>) -> NamedMove {
        self.named_at(&self.position, m)
    }

    fn named_at(&self, position: &G::Position, m: MoveOf<G>) -> NamedMove {
        let text = m.to_string();
        let western = self.game.western(position, m);
        let en = western.unwrap_or_else(|| self.western(position, &text));
        NamedMove { ja: self.game.japanese(position, m), en, text }
    }

    /// The move that led here.
    fn last_named(&self) -> Option<NamedMove> {
        let last = *self.played.last()?;
        let mut before = self.position.clone();
        before.undo_move();
        Some(self.named_at(&before, last))
    }

    /// `P-7f`, `Sx3d+`, `G6i-5h`, `P*5e`: Hodges' notation with letters for ranks.
    fn western(&self, position: &G::Position, text: &str) -> String {
        let (from, to) = self.game.ends(text);
        if from.ends_with('*') {
            return text.to_owned();
        }
        let board = position.to_text();
        let size = usize::from(self.rules.game.files) * usize::from(self.rules.game.ranks);
        let cells = sfen::cells(&board, size);
        let at = |square: &str| self.index(square).and_then(|index| cells.get(index)?.as_ref());
        let Some(piece) = at(from) else { return text.to_owned() };
        let mut other = String::new();
        let ambiguous = position.legal_moves().iter().any(|m| {
            other.clear();
            // Writing to a string cannot fail.
            let _ = write!(other, "{m}");
            let (other_from, other_to) = self.game.ends(&other);
            other_to == to && other_from != from && at(other_from).is_some_and(|cell| cell.kind == piece.kind)
        });
        let origin = if ambiguous { from } else { "" };
        let sign = if at(to).is_some() { 'x' } else { '-' };
        let rest = text.find(from).map_or("", |at| &text[at + from.len() + to.len()..]);
        format!("{}{origin}{sign}{to}{rest}", piece.kind)
    }

    /// The place of a square among the cells.
    fn index(&self, square: &str) -> Option<usize> {
        let rank = square.chars().last().filter(char::is_ascii_lowercase)?;
        let file: usize = square[..square.len() - 1].parse().ok()?;
        let (files, ranks) = (usize::from(self.rules.game.files), usize::from(self.rules.game.ranks));
        let row = (rank as usize).checked_sub('a' as usize).filter(|row| *row < ranks)?;
        Some(row * files + files.checked_sub(file)?)
    }

    fn find(&self, text: &str) -> Result<MoveOf<G>, Refusal> {
        let text = text.trim();
        match self.position.parse_move(text) {
            Ok(m) => Ok(m),
            Err(MoveTextError::Illegal(word)) => {
                let reason =
                    self.position.why_illegal(&word).map_or_else(String::new, |why| format!(": {why}"));
                Err(Refusal::new(RefusalCode::Illegal, format!("`{word}` is illegal here{reason}"))
                    .ja(format!("{word} はこの局面では指せません。")))
            }
            Err(MoveTextError::Syntax(_)) => {
                let legal = self.position.legal_moves();
                let named = legal.iter().map(|m| (*m, self.named(*m)));
                typed::find(text, named)
            }
        }
    }

    fn legal(&self) -> Vec<Origin> {
        let mut origins: Vec<Origin> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        if self.position.outcome().is_some() {
            return origins;
        }
        let mut text = String::new();
        for m in self.position.legal_moves().iter() {
            text.clear();
            // Writing to a string cannot fail.
            let _ = write!(text, "{m}");
            let (from, to) = self.game.ends(&text);
            let place = places.get(from).copied().unwrap_or_else(|| {
                places.insert(from.to_owned(), origins.len());
                origins.push(Origin { from: from.to_owned(), to: Vec::new() });
                origins.len() - 1
            });
            let targets = &mut origins[place].to;
            match targets.iter_mut().rev().find(|target| target.to == to) {
                Some(target) => target.play = None,
                None => targets.push(Target { to: to.to_owned(), play: Some(text.clone()) }),
            }
        }
        origins
    }

    fn say(&self, outcome: Option<&SceneOutcome>, check: bool) -> Words {
        let side = Side::from(self.position.side());
        let mut say = match self.last_named() {
            Some(m) => {
                let mover = side_words(side.other());
                Words::new(
                    format!("{} {}。", mover.ja, m.ja.replace('\u{3000}', "")),
                    format!("{}: {}. ", mover.en, m.en),
                )
            }
            None => Words::default(),
        };
        if let Some(outcome) = outcome {
            say.ja += &outcome.say.ja;
            say.en += &outcome.say.en;
        } else {
            if check {
                say.ja += "王手。";
                say.en += "Check. ";
            }
            let next = to_move(side);
            say.ja += &next.ja;
            say.en += &next.en;
        }
        say
    }
}

impl<G: Shown> Line for PlayedLine<G> {
    fn scene(&self) -> Scene {
        let about = &self.rules.game;
        let (files, ranks) = (usize::from(about.files), usize::from(about.ranks));
        let text = self.position.to_text();
        let outcome = self.outcome();
        let last = self.played.last().map_or_else(Vec::new, |m| {
            let text = m.to_string();
            let (from, to) = self.game.ends(&text);
            let squares = [to, from].into_iter().filter(|end| self.index(end).is_some());
            squares.map(str::to_owned).collect()
        });
        let mut scene = Scene {
            node: 0,
            files: (1..=files).rev().map(|file| file.to_string()).collect(),
            ranks: (0..ranks).map(|rank| char::from(b'a' + rank as u8).to_string()).collect(),
            cells: sfen::cells(&text, files * ranks),
            hands: sfen::hands(&text),
            side: self.position.side().into(),
            ply: self.position.ply(),
            check: self.game.checked(&self.position),
            last,
            legal: self.legal(),
            declare: self.may_declare(),
            say: self.say(outcome.as_ref(), self.position.in_check()),
            text,
            outcome,
            ..Scene::default()
        };
        self.game.decorate(&self.position, &mut scene);
        scene
    }

    fn side(&self) -> Side {
        self.position.side().into()
    }

    fn text(&self) -> String {
        self.position.to_text()
    }

    fn outcome(&self) -> Option<SceneOutcome> {
        self.position.outcome().map(outcome_words)
    }

    fn may_declare(&self) -> bool {
        matches!(self.position.declaration(), Some(Declaration::Win))
    }

    fn name(&self, text: &str) -> Result<NamedMove, Refusal> {
        self.find(text).map(|m| self.named(m))
    }

    fn play(&mut self, text: &str) -> Result<NamedMove, Refusal> {
        if let Some(outcome) = self.outcome() {
            let refusal = Refusal::new(RefusalCode::Illegal, format!("the game is over: {}", outcome.say.en));
            return Err(refusal.ja(format!("対局は終わっています：{}", outcome.say.ja)));
        }
        let m = self.find(text)?;
        let named = self.named(m);
        self.position.do_move(m);
        self.played.push(m);
        Ok(named)
    }

    fn replay(&mut self, text: &str) -> Result<(), Refusal> {
        let m = self.find(text)?;
        self.position.do_move(m);
        self.played.push(m);
        Ok(())
    }

    fn undo(&mut self) {
        if self.played.pop().is_some() {
            self.position.undo_move();
        }
    }

    fn expand(&self, base: &str) -> Result<Expansion, Refusal> {
        let legal = self.position.legal_moves();
        let mut choices = Vec::new();
        for m in legal.iter() {
            let text = m.to_string();
            let (from, to) = self.game.ends(&text);
            if base.strip_prefix(from) != Some(to) {
                continue;
            }
            let named = self.named(*m);
            let mut choice = Choice {
                promotes: text.starts_with('+') || text[from.len() + to.len()..].starts_with('+'),
                name: Words::new(named.ja, named.en),
                text,
                ..Choice::default()
            };
            self.game.describe(&self.position, *m, &mut choice);
            choices.push(choice);
        }
        if choices.is_empty() {
            let shown: String = base.chars().take(20).collect();
            let refusal = Refusal::new(RefusalCode::Illegal, format!("`{shown}`: no legal move begins so"));
            return Err(refusal.ja("そこからは指せません。"));
        }
        Ok(Expansion { base: base.to_owned(), choices })
    }
}
