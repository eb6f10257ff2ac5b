//! Generates problems: random small positions, improved step by step until the custom finds nothing wrong.

use crate::composition::{Custom, Examination, Theme, pieces, problem_key};
use crate::composition::{Edit, apply, count_flaws, edits, exact_mate, examined_sound, proper};
use crate::{NoMemory, Solver};
use platform::Random;
use shogi::{Color, Hand, HandPiece, Piece, PieceKind, Position, Setup, Square};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Size of the table.
const MEGABYTES: usize = 16;
/// Changes tried before a new start.
const CHANGES: usize = 250;
/// Flaws after which counting ends.
const MOST_FLAWS: u32 = 6;

/// What is generated.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Number of plies.
    pub plies: RangeInclusive<u32>,
    /// The custom that must find nothing wrong.
    pub custom: Custom,
    /// Themes that the main line must show, by their English or Japanese name.
    pub themes: Vec<String>,
    /// Number of pieces on the board and in the attacker's hand at most.
    pub most_pieces: u32,
}

/// A generated problem.
pub struct Generated {
    /// The problem.
    pub position: Position,
    /// Its examination: sound.
    pub examination: Examination,
}

/// Generates problems without end. Every one is sound by the custom, and no piece can be removed without making it
/// unsound or changing its length.
pub struct Generator {
    solver: Solver,
    random: Random,
    wanted: Wanted,
    seen: HashSet<String>,
    /// Positions tried so far.
    tried: u64,
}

impl Generator {
    /// A generator; the same seed gives the same problems.
    pub fn new(seed: u64, wanted: Wanted) -> Result<Self, NoMemory> {
        let solver = Solver::with_megabytes(MEGABYTES)?;
        Ok(Self { solver, random: Random::new(seed), wanted, seen: HashSet::new(), tried: 0 })
    }

    /// Problems that must not come again, mirrored or with other colours.
    pub fn avoid<'a>(&mut self, known: impl IntoIterator<Item = &'a Position>) {
        self.seen.extend(known.into_iter().map(problem_key));
    }

    /// Positions tried so far.
    #[must_use]
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// The next problem, or nothing if `stop` says so; it gets the number of positions tried.
    pub fn next_problem(&mut self, mut stop: impl FnMut(u64) -> bool) -> Option<Generated> {
        loop {
            if stop(self.tried) {
                return None;
            }
            let Some(position) = self.climb() else { continue };
            let Some(generated) = self.polish(position) else { continue };
            if self.seen.insert(problem_key(&generated.position)) {
                return Some(generated);
            }
        }
    }

    /// Changes a random position until it looks right.
    fn climb(&mut self) -> Option<Position> {
        let mut best = self.random_position()?;
        let mut badness = self.badness(&best)?;
        for _ in 0..CHANGES {
            if badness == 0 {
                return Some(best);
            }
            let edits = edits(&best, Color::Black);
            let edit = edits[self.random.below(edits.len())];
            // Shifts and more pieces are no progress by themselves.
            if matches!(edit, Edit::Shift(..)) || matches!(edit, Edit::Add(..)) && self.random.below(4) > 0 {
                continue;
            }
            let Some(next) = apply(&best, Color::Black, edit) else { continue };
            if pieces(&next) > self.wanted.most_pieces {
                continue;
            }
            if let Some(new) = self.badness(&next)
                && new <= badness
            {
                (best, badness) = (next, new);
            }
        }
        None
    }

    /// How far a position is from what is wanted; nothing without a mate of known length.
    fn badness(&mut self, position: &Position) -> Option<u32> {
        self.tried += 1;
        let mate = exact_mate(&mut self.solver, position)?;
        let plies = mate.length.plies();
        let (least, most) = (*self.wanted.plies.start(), *self.wanted.plies.end());
        let distance = least.saturating_sub(plies) + plies.saturating_sub(most);
        Some(3 * distance + count_flaws(&mut self.solver, position, &mate, MOST_FLAWS))
    }

    /// Removes what is not needed, and examines the rest.
    fn polish(&mut self, position: Position) -> Option<Generated> {
        let examination = self.examined(&position)?;
        let mut best = Generated { position, examination };
        while let Some(smaller) = self.smaller(&best) {
            best = smaller;
        }
        let shows = |name: &String| {
            let themes = best.examination.themes.iter();
            themes.clone().any(|theme: &Theme| theme.english() == name || theme.japanese() == name)
        };
        let fits = self.wanted.plies.contains(&(best.examination.line.len() as u32));
        (fits && self.wanted.themes.iter().all(shows)).then_some(best)
    }

    /// The problem without one piece, if it is as long and sound.
    fn smaller(&mut self, problem: &Generated) -> Option<Generated> {
        let is_removal = |edit: &Edit| matches!(edit, Edit::Remove(..) | Edit::RemoveHeld(_));
        for edit in edits(&problem.position, Color::Black).into_iter().filter(is_removal) {
            let Some(position) = apply(&problem.position, Color::Black, edit) else { continue };
            let length = problem.examination.line.len();
            let Some(mate) = exact_mate(&mut self.solver, &position) else { continue };
            if mate.line.len() == length
                && let Some(examination) = self.examined(&position)
                && examination.line.len() == length
            {
                return Some(Generated { position, examination });
            }
        }
        None
    }

    fn examined(&mut self, position: &Position) -> Option<Examination> {
        examined_sound(&mut self.solver, position, self.wanted.custom)
    }

    /// A king near an edge, some pieces around it, some in hand. The defender holds the rest.
    fn random_position(&mut self) -> Option<Position> {
        use PieceKind::{Bishop, Dragon, Gold, Horse, Knight, Lance, Pawn, ProPawn, Rook, Silver};
        const ATTACKING: [PieceKind; 14] = [
            Gold, Silver, Knight, Pawn, Pawn, ProPawn, Rook, Bishop, Horse, Dragon, Lance, Silver, Pawn,
            Knight,
        ];
        const DEFENDING: [PieceKind; 8] = [Pawn, Lance, Knight, Silver, Gold, Pawn, Pawn, Bishop];
        const HELD: [HandPiece; 8] = [
            HandPiece::Gold,
            HandPiece::Silver,
            HandPiece::Knight,
            HandPiece::Pawn,
            HandPiece::Lance,
            HandPiece::Rook,
            HandPiece::Bishop,
            HandPiece::Gold,
        ];
        let random = &mut self.random;
        let mut setup = Setup::EMPTY;
        let king = Square::from_index((random.below(5) * 9 + random.below(4)) as u8)?;
        setup.board[king.index()] = Some(Piece::new(Color::White, PieceKind::King));
        // What is not used stays with the defender.
        let mut rest = HandPiece::ALL
            .into_iter()
            .fold(Hand::EMPTY, |hand, piece| hand.with_count(piece, piece.set_size()));
        let mut take = |kind: PieceKind| {
            let held = kind.to_hand().filter(|held| rest.has(*held))?;
            rest.remove(held);
            Some(())
        };
        for (color, kinds, number) in [
            (Color::Black, &ATTACKING[..], 2 + random.below(4)),
            (Color::White, &DEFENDING[..], random.below(5)),
        ] {
            for _ in 0..number {
                let file = (king.file() as usize + random.below(6)).checked_sub(3);
                let rank = (king.rank() as usize + random.below(7)).checked_sub(3);
                let (Some(file @ 0..9), Some(rank @ 0..9)) = (file, rank) else { continue };
                let kind = kinds[random.below(kinds.len())];
                let square = &mut setup.board[file * 9 + rank];
                if square.is_none() && take(kind).is_some() {
                    *square = Some(Piece::new(color, kind));
                }
            }
        }
        for _ in 0..random.below(4) {
            let held = HELD[random.below(HELD.len())];
            if take(held.kind()).is_some() {
                setup.hands[Color::Black.index()].add(held);
            }
        }
        setup.hands[Color::White.index()] = rest;
        proper(setup, Color::Black)
    }
}
