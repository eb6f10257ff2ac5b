//! The actions of one side that distinguish openings.

use super::castles;
use shogi::{Color, Move, Origin, PieceKind, Position, Square};

/// When something happened for the first time: after so many moves of this side.
pub(super) type When = Option<u32>;

/// A square seen from a side: file and rank in one number, 7六 is 76.
pub(super) type Seen = u8;

/// The history of a side.
pub(super) struct Side {
    pub color: Color,
    /// Moves of this side so far.
    pub moves: u32,
    /// The files on which the rook has stood on its home ranks, with the number of the move.
    pub rook_files: Vec<(u8, u32)>,
    /// Squares on which this side has had something for the first time.
    pub pawn: [When; 100],
    pub silver: [When; 100],
    pub knight: [When; 100],
    pub rook: [When; 100],
    pub bishop: [When; 100],
    pub king: [When; 100],
    pub gold: [When; 100],
    /// The rook took a pawn on 3四 coming from 2四.
    pub pawn_beside: When,
    /// A bishop was dropped, and where.
    pub bishop_drop: Option<(Seen, u32)>,
    /// This side took the other's bishop, and where.
    pub bishop_taken: Option<(Seen, u32)>,
    /// This side's bishop was taken.
    pub bishop_lost: When,
    /// This side's rook was taken.
    pub rook_lost: When,
    /// The pawn of the rook went to 2四, to be exchanged.
    pub rook_pawn_exchanged: When,
    /// The castles, by their numbers in the table, in the order of their coming.
    pub castles: Vec<usize>,
}

/// The square as its player sees it.
fn seen(color: Color, square: Square) -> Seen {
    let square = if color == Color::Black { square } else { square.flip() };
    (square.file() as u8 + 1) * 10 + square.rank() as u8 + 1
}

impl Side {
    pub fn new(color: Color) -> Self {
        const NEVER: [When; 100] = [None; 100];
        Self {
            color,
            moves: 0,
            rook_files: Vec::new(),
            pawn: NEVER,
            silver: NEVER,
            knight: NEVER,
            rook: NEVER,
            bishop: NEVER,
            king: NEVER,
            gold: NEVER,
            pawn_beside: None,
            bishop_drop: None,
            bishop_taken: None,
            bishop_lost: None,
            rook_lost: None,
            rook_pawn_exchanged: None,
            castles: Vec::new(),
        }
    }

    /// This side has made a move.
    pub fn has_moved(
        &mut self,
        position: &Position,
        m: Move,
        moved: Option<PieceKind>,
        captured: Option<PieceKind>,
    ) {
        self.moves += 1;
        let now = self.moves;
        let to = seen(self.color, m.to());
        let from = match m.origin() {
            Origin::Board(square) => Some(seen(self.color, square)),
            Origin::Hand(_) => None,
        };
        let at = usize::from(to);
        let first = |slot: &mut When| *slot = slot.or(Some(now));
        match moved {
            Some(PieceKind::Pawn) => {
                first(&mut self.pawn[at]);
                if to == 24 {
                    first(&mut self.rook_pawn_exchanged);
                }
            }
            Some(PieceKind::Silver) => first(&mut self.silver[at]),
            Some(PieceKind::Knight) => first(&mut self.knight[at]),
            Some(PieceKind::King) => first(&mut self.king[at]),
            Some(PieceKind::Gold) => first(&mut self.gold[at]),
            Some(PieceKind::Bishop) => {
                first(&mut self.bishop[at]);
                if from.is_none() {
                    self.bishop_drop.get_or_insert((to, now));
                }
            }
            Some(PieceKind::Rook) => {
                first(&mut self.rook[at]);
                if from.is_some_and(|from| matches!(from % 10, 8 | 9)) && matches!(to % 10, 8 | 9) {
                    self.rook_files.push((to / 10, now));
                }
                if (from, to, captured) == (Some(24), 34, Some(PieceKind::Pawn)) {
                    first(&mut self.pawn_beside);
                }
            }
            _ => {}
        }
        if captured == Some(PieceKind::Bishop) {
            self.bishop_taken.get_or_insert((to, now));
        }
        let may_complete = matches!(
            moved,
            Some(
                PieceKind::King | PieceKind::Gold | PieceKind::Silver | PieceKind::Knight | PieceKind::Lance
            )
        );
        if may_complete {
            for castle in castles::standing(position, self.color) {
                if !self.castles.contains(&castle) {
                    self.castles.push(castle);
                }
            }
        }
    }

    /// The other side has taken a piece of this one.
    pub fn has_lost(&mut self, captured: PieceKind) {
        let slot = match captured {
            PieceKind::Bishop | PieceKind::Horse => &mut self.bishop_lost,
            PieceKind::Rook | PieceKind::Dragon => &mut self.rook_lost,
            _ => return,
        };
        slot.get_or_insert(self.moves);
    }

    /// The file to which the rook went first, away from its own, early in the game.
    pub fn ranging_file(&self) -> Option<u8> {
        // Later a rook on another file is an attack in the middle game.
        const EARLY: u32 = 20;
        let (file, when) = self.rook_files.iter().find(|(file, _)| *file >= 5)?;
        let undisturbed = self.rook_lost.is_none_or(|lost| lost >= *when);
        (*when <= EARLY && undisturbed && !self.king_went_left(*when)).then_some(*file)
    }

    /// Whether the king stood on the left before a move.
    fn king_went_left(&self, before: u32) -> bool {
        const LEFT: [usize; 4] = [78, 79, 88, 69];
        LEFT.iter().any(|square| self.king[*square].is_some_and(|when| when < before))
    }

    pub fn is_ranging(&self) -> bool {
        self.ranging_file().is_some()
    }

    /// Whether the last early home of the rook is this file.
    pub fn rook_was_on(&self, file: u8, most: u32) -> bool {
        self.rook_files.iter().any(|(on, when)| *on == file && *when <= most)
    }
}
