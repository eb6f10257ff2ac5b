//! Boards and moves of every game in readable form.

use crate::Board;
use crate::format::kif::kif_move;
use crate::format::spoken;
use crate::notation::freeze::marker_text;
use crate::notation::variant::{KifGame, KifMove};
use crate::text::kanji::rank_name;
use binarsi::{Binarsi, Target, Way};
use fairy::FairyGame;
use freeze::{Freeze, Marker};
use game::{Color, Game, Position};
use shogi::{File, HandPiece, Origin, Piece, PieceKind, Rank, Shogi, Square};

/// A move of a game.
pub type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A game with drawings of boards and readable moves. By default moves are those of USI, and there is no drawing.
pub trait Readable: Game {
    /// A legal move as KIF writes it, without the mark of the player: ７六歩(77).
    fn move_text(position: &Self::Position, m: MoveOf<Self>) -> String {
        let _ = position;
        m.to_string()
    }

    /// Parses a move in the notation of records; legality is not checked. USI moves are parsed by the position itself.
    fn read_words(position: &Self::Position, text: &str) -> Option<MoveOf<Self>> {
        let _ = (position, text);
        None
    }

    /// The squares that a move leaves and enters, as indices of [`Diagram::cells`].
    fn touched(position: &Self::Position, m: MoveOf<Self>) -> Vec<usize> {
        let _ = (position, m);
        Vec::new()
    }

    /// The board and the hands.
    fn diagram(position: &Self::Position) -> Diagram {
        let _ = position;
        Diagram::default()
    }
}

/// A board with hands, ready to be drawn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagram {
    /// The names of the files, from left to right.
    pub files: Vec<String>,
    /// The names of the ranks, from top to bottom.
    pub ranks: Vec<String>,
    /// The squares, row after row.
    pub cells: Vec<Option<Cell>>,
    /// Pieces in hand with their counts, Black's first.
    pub hands: [Vec<(String, u32)>; 2],
    /// Whether the pieces are stones without signs.
    pub stones: bool,
    /// Other state: freezes, locks, targets.
    pub state: Vec<(Fact, String)>,
}

/// A kind of information shown beside a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// The frozen kind, for the side to move.
    Frozen,
    /// The remaining freezes of each player.
    FreezesLeft,
    /// The players who are still placing pieces.
    Setup,
    /// Pieces that may not be dropped now.
    Locked,
    /// The targets that have been cleared.
    Targets,
    /// The checks that each player still has to give.
    Checks,
}

/// A piece on a square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Its sign: a kanji, or a letter if there is none.
    pub text: String,
    /// Its owner.
    pub color: Color,
    /// Whether it is promoted.
    pub promoted: bool,
    /// Whether it is frozen.
    pub frozen: bool,
}

impl Diagram {
    /// Number of pieces in hand or promoted, a measure of the progress of a game.
    #[must_use]
    pub fn changed(&self) -> u32 {
        let held: u32 = self.hands.iter().flatten().map(|(_, count)| count).sum();
        held + self.cells.iter().flatten().filter(|cell| cell.promoted).count() as u32
    }

    /// Number of pieces.
    #[must_use]
    pub fn pieces(&self) -> u32 {
        let held: u32 = self.hands.iter().flatten().map(|(_, count)| count).sum();
        held + self.cells.iter().flatten().count() as u32
    }
}

/// The index of a square of shogi in a diagram.
fn cell_of(square: Square) -> usize {
    square.rank() as usize * 9 + (8 - square.file() as usize)
}

fn shogi_diagram(position: &shogi::Position, frozen: Option<PieceKind>) -> Diagram {
    let cell = |piece: Piece| Cell {
        text: piece.kind().kanji().to_string(),
        color: piece.color(),
        promoted: piece.kind().is_promoted(),
        frozen: frozen == Some(piece.kind()) && piece.color() == position.side(),
    };
    let squares = Rank::ALL
        .into_iter()
        .flat_map(|rank| File::ALL.into_iter().rev().map(move |file| Square::new(file, rank)));
    let hand = |color| {
        let hand = position.hand(color);
        let held = HandPiece::SFEN_ORDER.into_iter().filter(|piece| hand.has(*piece));
        held.map(|piece| (piece.kind().kanji().to_string(), hand.count(piece))).collect()
    };
    Diagram {
        files: (1..=9).rev().map(|file| file.to_string()).collect(),
        ranks: Rank::ALL.iter().map(|rank| rank_name(*rank).to_string()).collect(),
        cells: squares.map(|square| position.piece_at(square).map(cell)).collect(),
        hands: Color::ALL.map(hand),
        ..Diagram::default()
    }
}

fn shogi_touched(m: shogi::Move) -> Vec<usize> {
    let from = if let Origin::Board(from) = m.origin() { Some(from) } else { None };
    from.into_iter().chain([m.to()]).map(cell_of).collect()
}

fn shogi_words(position: &shogi::Position, text: &str) -> Option<shogi::Move> {
    let (spoken, rest) = spoken::parse(text)?;
    let last = position.last_move().map(shogi::Move::to);
    spoken.resolve(&Board::from(&position.setup()), last).ok().filter(|_| rest.trim().is_empty())
}

impl Readable for Shogi {
    fn move_text(position: &shogi::Position, m: shogi::Move) -> String {
        kif_move(&Board::from(&position.setup()), m, position.last_move())
    }

    fn read_words(position: &shogi::Position, text: &str) -> Option<shogi::Move> {
        shogi_words(position, text)
    }

    fn touched(_: &shogi::Position, m: shogi::Move) -> Vec<usize> {
        shogi_touched(m)
    }

    fn diagram(position: &shogi::Position) -> Diagram {
        shogi_diagram(position, None)
    }
}

impl Readable for Freeze {
    fn move_text(position: &freeze::Position, m: freeze::Move) -> String {
        let base = Shogi::move_text(position.shogi(), m.base);
        match m.freezes {
            Some(kind) => format!("{base} {}", marker_text(Marker::Freezes(kind))),
            None => base,
        }
    }

    fn read_words(position: &freeze::Position, text: &str) -> Option<freeze::Move> {
        let Some((base, _)) = text.split_once('z') else {
            return shogi_words(position.shogi(), text).map(freeze::Move::bare);
        };
        let base = shogi_words(position.shogi(), base.trim_end())?;
        let marked = PieceKind::ALL.into_iter().find(|kind| {
            text.trim_end().ends_with(&marker_text(Marker::Freezes(*kind)))
                || text.trim_end().ends_with(&format!("z{}", freeze::kind_text(*kind)))
        })?;
        Some(freeze::Move::freezing(base, marked))
    }

    fn touched(_: &freeze::Position, m: freeze::Move) -> Vec<usize> {
        shogi_touched(m.base)
    }

    fn diagram(position: &freeze::Position) -> Diagram {
        let frozen = position.frozen();
        let mut diagram = shogi_diagram(position.shogi(), frozen);
        diagram.state.extend(frozen.map(|kind| (Fact::Frozen, kind.kanji().to_string())));
        let left = position.left();
        let counts = format!("☗{} ☖{}", left.of(Color::Black), left.of(Color::White));
        diagram.state.push((Fact::FreezesLeft, counts));
        diagram
    }
}

/// The index of a square of a variant in a diagram.
fn fairy_cell(position: &fairy::Position, square: fairy::Square) -> usize {
    let files = usize::from(position.variant().rules().files);
    usize::from(square.row()) * files + (files - 1 - usize::from(square.column()))
}

impl Readable for FairyGame {
    fn move_text(position: &fairy::Position, m: fairy::Move) -> String {
        position.kif_move(m)
    }

    fn read_words(position: &fairy::Position, text: &str) -> Option<fairy::Move> {
        match Self::read_kif_move(position, text) {
            KifMove::Move(m, rest) if rest.trim().is_empty() => Some(m),
            _ => None,
        }
    }

    fn touched(position: &fairy::Position, m: fairy::Move) -> Vec<usize> {
        m.from().into_iter().chain([m.to()]).map(|square| fairy_cell(position, square)).collect()
    }

    fn diagram(position: &fairy::Position) -> Diagram {
        let rules = position.variant().rules();
        let (files, ranks) = (rules.files, rules.ranks);
        let cell = |piece: fairy::Piece| Cell {
            text: position.sign(piece.form()).unwrap_or_else(|| piece.text()),
            color: piece.color(),
            promoted: piece.form().is_promoted(),
            frozen: false,
        };
        let squares =
            (0..ranks).flat_map(|row| (0..files).rev().map(move |column| fairy::Square::at(column, row)));
        let hand = |color| {
            let held = position.held(color).into_iter();
            held.map(|(kind, count)| {
                let form = fairy::Form::plain(kind);
                let letter = || kind.letter(Color::Black).to_string();
                (position.sign(form).unwrap_or_else(letter), u32::from(count))
            })
            .collect()
        };
        let text = position.to_text();
        let words = text.split_ascii_whitespace().filter_map(|word| word.split_once(':'));
        let facts = words.filter_map(|(name, value)| {
            let fact = match name {
                "setup" => Fact::Setup,
                "lock" => Fact::Locked,
                "checks" => Fact::Checks,
                _ => return None,
            };
            Some((fact, value.to_owned()))
        });
        Diagram {
            files: (1..=files).rev().map(|file| file.to_string()).collect(),
            ranks: (0..ranks).map(|row| char::from(b'a' + row).to_string()).collect(),
            cells: squares
                .map(|square| square.and_then(|square| position.piece_at(square)).map(cell))
                .collect(),
            hands: Color::ALL.map(hand),
            stones: false,
            state: facts.collect(),
        }
    }
}

impl Readable for Binarsi {
    fn touched(position: &binarsi::Position, m: binarsi::Move) -> Vec<usize> {
        let (before, after) = (position.board(), position.board().after(m));
        let (before, after) = (stones(before), stones(&after));
        (0..before.len()).filter(|cell| before[*cell] != after[*cell]).collect()
    }

    fn diagram(position: &binarsi::Position) -> Diagram {
        let locks = position.state().locks();
        let name = |way: Way| if locks.contains(way) { format!("{way}🔒") } else { way.to_string() };
        let cell = |color| Cell { text: String::new(), color, promoted: false, frozen: false };
        let cleared = position.state().cleared();
        let targets: Vec<_> = cleared.iter().map(Target::name).collect();
        let state = (!targets.is_empty()).then(|| (Fact::Targets, targets.join(" ")));
        Diagram {
            files: Way::all().filter(|way| way.is_file()).map(name).collect(),
            ranks: Way::all().filter(|way| !way.is_file()).map(name).collect(),
            cells: stones(position.board()).into_iter().map(|stone| stone.map(cell)).collect(),
            hands: [Vec::new(), Vec::new()],
            stones: true,
            state: state.into_iter().collect(),
        }
    }
}

/// The stones of Binarsi, row after row.
fn stones(board: &binarsi::Board) -> Vec<Option<Color>> {
    let text = board.to_string();
    let rows = text.split(' ').next().unwrap_or_default();
    let mut stones = Vec::new();
    for letter in rows.chars() {
        match letter {
            'x' => stones.push(Some(Color::Black)),
            'o' => stones.push(Some(Color::White)),
            digit => stones.extend(vec![None; digit.to_digit(10).unwrap_or(0) as usize]),
        }
    }
    stones
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_they_are_written() {
        fn check<G: Readable>(game: &G, plies: usize) {
            let mut position = game.startpos();
            for ply in 0..plies {
                let moves = position.legal_moves();
                let Some(m) = moves.get(ply * 7 % moves.len().max(1)).copied() else { break };
                let text = G::move_text(&position, m);
                let read = G::read_words(&position, &text).or_else(|| position.parse_move(&text).ok());
                assert_eq!(read, Some(m), "{text} in {}", position.to_text());
                let diagram = G::diagram(&position);
                assert_eq!(diagram.cells.len(), diagram.files.len() * diagram.ranks.len());
                assert!(G::touched(&position, m).iter().all(|cell| *cell < diagram.cells.len()));
                position.do_move(m);
            }
        }
        check(&Shogi::default(), 100);
        check(&Freeze::default().for_referee(), 60);
        check(&Binarsi, 20);
        let library = fairy::Library::shipped();
        for name in library.names() {
            check(&library.game(name).unwrap(), 40);
        }
    }

    #[test]
    fn diagrams_show_what_decides() {
        let game = Freeze::default().for_referee();
        let position = game.position_command("startpos moves 7g7fzP").unwrap();
        let diagram = Freeze::diagram(&position);
        assert_eq!(diagram.state[0], (Fact::Frozen, "歩".to_owned()));
        assert_eq!(diagram.cells.iter().flatten().filter(|cell| cell.frozen).count(), 9);
        assert_eq!((diagram.changed(), diagram.pieces()), (0, 40));
        let first = Binarsi::diagram(&Binarsi.startpos());
        assert_eq!((first.files.len(), first.ranks.len(), first.pieces()), (7, 6, 1));
    }
}
