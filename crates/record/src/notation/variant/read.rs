//! Reads records of variants.

use super::{GAME, KifGame, KifMove, START, VariantError, VariantLoaded, VariantRecord};
use crate::format::kif::{Line, classify, elapsed, is_move_line};
use crate::model::error::quote;
use crate::text::encoding::is_declaration;
use crate::{Ending, Fault, FaultReason, Format, Header, NodeId, Note, Step};
use game::{MoveTextError, Position};

/// Reads all games of a text: one per line, or KIF, in which 棋種 begins each game.
pub fn read<G: KifGame>(
    game: &G,
    text: &str,
    format: Option<Format>,
) -> Result<Vec<VariantLoaded<G>>, VariantError> {
    let is_kif = match format {
        Some(format) => format == Format::Kif,
        None => crate::text::lines::lines(text).any(|line| {
            is_move_line(line) || matches!(classify(line), Line::Field(GAME | START, _) | Line::Handicap(_))
        }),
    };
    let games = if is_kif { read_kif(game, text) } else { read_usi(game, text) }?;
    if games.is_empty() { Err(VariantError::Nothing) } else { Ok(games) }
}

fn start<G: KifGame>(game: &G, line: usize, text: &str) -> Result<G::Position, VariantError> {
    let text = text.trim();
    match text.strip_prefix("sfen ").unwrap_or(text) {
        "" | "startpos" => Ok(game.startpos()),
        text => game.position(text).map_err(|error| VariantError::Start { line, error: error.to_string() }),
    }
}

fn read_usi<G: KifGame>(game: &G, text: &str) -> Result<Vec<VariantLoaded<G>>, VariantError> {
    let lines = crate::text::lines::lines(text).enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| read_line(game, number, line)).collect()
}

fn read_line<G: KifGame>(game: &G, number: usize, line: &str) -> Result<VariantLoaded<G>, VariantError> {
    let line = line.strip_prefix("position ").unwrap_or(line);
    let (begin, moves) = game::split_moves(line).unwrap_or((line, ""));
    let mut teller = Teller::<G>::new(start(game, number, begin)?);
    for word in moves.split_ascii_whitespace() {
        if let Some(ending) = Ending::from_usi(word) {
            teller.end(ending);
            break;
        }
        let read = teller.position.parse_move(word);
        if let Err(reason) = read.map_err(|error| reason(&error)).map(|m| teller.play(m)) {
            teller.fault(number, word, reason);
            break;
        }
    }
    Ok(teller.finish())
}

fn reason(error: &MoveTextError) -> FaultReason {
    match error {
        MoveTextError::Syntax(_) => FaultReason::NotAMove,
        MoveTextError::Illegal(_) => FaultReason::AgainstTheRules,
    }
}

/// The header and the start position of a game.
struct Beginning<G: KifGame> {
    header: Header,
    note: Note,
    start: Option<G::Position>,
}

impl<G: KifGame> Default for Beginning<G> {
    fn default() -> Self {
        Self { header: Header::default(), note: Note::default(), start: None }
    }
}

fn read_kif<G: KifGame>(game: &G, text: &str) -> Result<Vec<VariantLoaded<G>>, VariantError> {
    let mut games = Vec::new();
    let mut beginning = Beginning::<G>::default();
    let mut telling: Option<Teller<G>> = None;
    let mut named = false;
    for (index, line) in crate::text::lines::lines(text).enumerate() {
        let number = index + 1;
        match classify(line) {
            Line::Field(GAME, name) => {
                if name.trim() != game.name() {
                    let (expected, found) = (game.name().to_owned(), quote(name));
                    return Err(VariantError::OtherGame { line: number, expected, found });
                }
                if std::mem::replace(&mut named, true) {
                    games.push(finished(game, &mut beginning, telling.take()));
                }
            }
            Line::Field(START, text) => beginning.start = Some(start(game, number, text)?),
            Line::Field(name, value) => beginning.header.set(name, value),
            Line::Remark(text) if is_declaration(text) => {}
            Line::Remark(text) => note(&mut beginning, &mut telling).remarks.push(text),
            Line::Comment(text) => note(&mut beginning, &mut telling).comments.push(text),
            Line::Bookmark(text) => note(&mut beginning, &mut telling).bookmark = Some(text.to_owned()),
            Line::Numbered(ply, text) => {
                telling.get_or_insert_with(|| beginning.teller(game)).numbered(number, ply, text);
            }
            _ => {}
        }
    }
    if named || telling.is_some() {
        games.push(finished(game, &mut beginning, telling));
    }
    Ok(games)
}

fn note<'a, G: KifGame>(beginning: &'a mut Beginning<G>, telling: &'a mut Option<Teller<G>>) -> &'a mut Note {
    match telling {
        Some(teller) => {
            let here = teller.here();
            teller.record.tree.note_mut(here)
        }
        None => &mut beginning.note,
    }
}

fn finished<G: KifGame>(
    game: &G,
    beginning: &mut Beginning<G>,
    telling: Option<Teller<G>>,
) -> VariantLoaded<G> {
    let mut loaded = telling.unwrap_or_else(|| beginning.teller(game)).finish();
    loaded.record.header = std::mem::take(beginning).header;
    loaded
}

impl<G: KifGame> Beginning<G> {
    fn teller(&mut self, game: &G) -> Teller<G> {
        let mut teller = Teller::new(self.start.take().unwrap_or_else(|| game.startpos()));
        if self.note != Note::EMPTY {
            *teller.record.tree.note_mut(NodeId::ROOT) = std::mem::take(&mut self.note);
        }
        teller
    }
}

/// The position of a reader in a record, with the position of the game.
struct Teller<G: KifGame> {
    record: VariantRecord<G>,
    position: G::Position,
    path: Vec<NodeId>,
    faults: Vec<Fault>,
    /// Moves from this ply on are skipped until a branch begins before it.
    broken: Option<u32>,
}

type Move<G> = <<G as game::Game>::Position as Position>::Move;

impl<G: KifGame> Teller<G> {
    fn new(start: G::Position) -> Self {
        Self {
            position: start.clone(),
            record: VariantRecord::<G>::new(start),
            path: Vec::new(),
            faults: Vec::new(),
            broken: None,
        }
    }

    fn here(&self) -> NodeId {
        self.path.last().copied().unwrap_or(NodeId::ROOT)
    }

    fn back_to(&mut self, ply: usize) {
        while self.path.len() > ply {
            if self.record.tree[self.here()].played().is_some() {
                self.position.undo_move();
            }
            self.path.pop();
        }
    }

    fn play(&mut self, m: Move<G>) {
        self.step(Step::Move(m));
        self.position.do_move(m);
    }

    fn end(&mut self, ending: Ending) {
        self.step(Step::End(ending));
    }

    fn step(&mut self, step: Step<Move<G>>) {
        let here = self.here();
        let tree = &mut self.record.tree;
        let existing = tree.children(here).find(|id| tree[*id].step() == Some(&step));
        let id = existing.unwrap_or_else(|| tree.add(here, step));
        self.path.push(id);
    }

    fn numbered(&mut self, line: usize, number: u32, text: &str) {
        let ply = number.max(1);
        if self.broken.is_some_and(|broken| ply > broken) {
            return;
        }
        self.broken = None;
        self.back_to(ply as usize - 1);
        if self.record.tree[self.here()].ending().is_some() {
            self.back_to(self.path.len() - 1);
        }
        if (self.path.len() as u32) < ply - 1 {
            return self.fault(line, text, FaultReason::NoBranchPoint);
        }
        let rest = match G::read_kif_move(&self.position, text) {
            KifMove::Move(m, rest) => {
                self.play(m);
                rest
            }
            KifMove::Illegal => return self.fault(line, text, FaultReason::AgainstTheRules),
            KifMove::Other => {
                let word = text.split([' ', '\u{3000}', '\t']).next().unwrap_or_default();
                let rest = &text[word.len()..];
                let word = word.trim_end_matches('+');
                if !word.is_empty() {
                    self.end(Ending::from_kif(word));
                }
                rest
            }
        };
        let here = self.here();
        self.record.tree[here].time = elapsed(rest).or(self.record.tree[here].time);
    }

    fn fault(&mut self, line: usize, text: &str, reason: FaultReason) {
        let ply = self.path.len() as u32 + 1;
        self.broken = Some(ply);
        self.faults.push(Fault { line: Some(line), ply, text: quote(text), reason });
    }

    fn finish(self) -> VariantLoaded<G> {
        VariantLoaded { record: self.record, faults: self.faults }
    }
}
