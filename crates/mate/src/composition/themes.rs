//! What a main line shows: sacrifices, interpositions, declined promotions, mates by dropping a pawn that are avoided.

use super::examine::Examination;
use super::inquiry::{Inquiry, after};
use crate::{Goal, Verdict};
use shogi::{Color, HandPiece, Move, Origin, PieceKind, Position, Square};
use std::fmt;

/// A theme of a main line. The number is the ply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Theme {
    /// 双玉: both kings are on the board.
    TwoKings,
    /// 不成: the promotion would not mate.
    Underpromotion(u32),
    /// 打歩詰: dropping a pawn would mate here, which is illegal.
    PawnDropMate(u32),
    /// 打歩詰回避: a declined promotion, and later a legal drop of a pawn with check.
    PawnDropAvoided(u32),
    /// 合駒: the defender interposes by a drop.
    Interposition(u32),
    /// 中合: the piece is interposed unprotected, away from the king.
    FarInterposition(u32),
    /// 移動合: the defender interposes a piece from the board.
    MovedInterposition(u32),
    /// 逆王手: the defender answers with a check.
    CounterCheck(u32),
    /// 捨駒: the piece is taken at once.
    Sacrifice(u32),
    /// 両王手: two pieces give check.
    DoubleCheck(u32),
    /// 都詰: the king is mated in the centre of the board.
    CentreMate,
}

impl Theme {
    /// Its Japanese name.
    #[must_use]
    pub const fn japanese(self) -> &'static str {
        match self {
            Self::TwoKings => "双玉",
            Self::Underpromotion(_) => "不成",
            Self::PawnDropMate(_) => "打歩詰",
            Self::PawnDropAvoided(_) => "打歩詰回避",
            Self::Interposition(_) => "合駒",
            Self::FarInterposition(_) => "中合",
            Self::MovedInterposition(_) => "移動合",
            Self::CounterCheck(_) => "逆王手",
            Self::Sacrifice(_) => "捨駒",
            Self::DoubleCheck(_) => "両王手",
            Self::CentreMate => "都詰",
        }
    }

    /// Its English name.
    #[must_use]
    pub const fn english(self) -> &'static str {
        match self {
            Self::TwoKings => "two kings",
            Self::Underpromotion(_) => "declined promotion",
            Self::PawnDropMate(_) => "pawn-drop mate in the way",
            Self::PawnDropAvoided(_) => "pawn-drop mate avoided",
            Self::Interposition(_) => "interposition",
            Self::FarInterposition(_) => "far interposition",
            Self::MovedInterposition(_) => "moved interposition",
            Self::CounterCheck(_) => "counter-check",
            Self::Sacrifice(_) => "sacrifice",
            Self::DoubleCheck(_) => "double check",
            Self::CentreMate => "mate in the centre",
        }
    }

    /// The ply at which it appears, from 1; `None` if it belongs to the whole problem.
    #[must_use]
    pub const fn ply(self) -> Option<u32> {
        match self {
            Self::TwoKings | Self::CentreMate => None,
            Self::Underpromotion(ply)
            | Self::PawnDropMate(ply)
            | Self::PawnDropAvoided(ply)
            | Self::Interposition(ply)
            | Self::FarInterposition(ply)
            | Self::MovedInterposition(ply)
            | Self::CounterCheck(ply)
            | Self::Sacrifice(ply)
            | Self::DoubleCheck(ply) => Some(ply),
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.english())
    }
}

/// The themes of the main line, in the order of their plies.
pub(super) fn themes(found: &Examination, inquiry: &mut Inquiry<'_>) -> Vec<Theme> {
    let mut themes = Vec::new();
    let mut board = after(&found.start, &[]);
    if board.king(Color::Black).is_some() && board.king(Color::White).is_some() {
        themes.push(Theme::TwoKings);
    }
    let mut declined = None;
    for (index, &m) in found.line.iter().enumerate() {
        let ply = index as u32 + 1;
        if inquiry.attacks(&board) {
            if is_pawn_drop_mate(&board) {
                themes.push(Theme::PawnDropMate(ply));
            }
            if promotion_fails(inquiry, &mut board, m) {
                themes.push(Theme::Underpromotion(ply));
                declined = declined.or(Some(ply));
            }
            if m.origin() == Origin::Hand(HandPiece::Pawn)
                && let Some(declined) = declined.take()
            {
                themes.push(Theme::PawnDropAvoided(declined));
            }
            if found.line.get(index + 1).is_some_and(|answer| answer.to() == m.to()) {
                themes.push(Theme::Sacrifice(ply));
            }
            board.do_move(m);
            if board.checkers().many() {
                themes.push(Theme::DoubleCheck(ply));
            }
        } else {
            themes.extend(interposition(&board, m, ply));
            board.do_move(m);
            if board.in_check() {
                themes.push(Theme::CounterCheck(ply));
            }
        }
    }
    if board.king(!found.attacker) == Some(Square::Sq55) {
        themes.push(Theme::CentreMate);
    }
    themes.sort_by_key(|theme| theme.ply());
    themes
}

fn promotion_fails(inquiry: &mut Inquiry<'_>, board: &mut Position, m: Move) -> bool {
    let Origin::Board(from) = m.origin() else { return false };
    let twin = Move::board(from, m.to(), true);
    if m.is_promotion() || !board.is_legal(twin) || !board.gives_check(twin) {
        return false;
    }
    board.do_move(twin);
    let verdict = inquiry.mate(board, Goal::Any);
    board.undo_move();
    verdict == Verdict::NoMate
}

/// Whether the side to move may not drop a pawn before the king because that would be mate.
fn is_pawn_drop_mate(board: &Position) -> bool {
    let side = board.side();
    if !board.hand(side).has(HandPiece::Pawn) || board.in_check() {
        return false;
    }
    let Some(king) = board.king(!side) else { return false };
    let pawns = board.pieces_of(PieceKind::Pawn) & board.pieces(side);
    let Some(to) = shogi::attacks::pawn(!side, king).first() else { return false };
    let is_free = board.piece_at(to).is_none() && !pawns.intersects(to.file().into());
    is_free && !board.is_legal(Move::drop(HandPiece::Pawn, to))
}

fn interposition(board: &Position, m: Move, ply: u32) -> Vec<Theme> {
    let Some(king) = board.king(board.side()) else { return Vec::new() };
    let Some(checker) = board.checkers().first() else { return Vec::new() };
    if !shogi::attacks::between(king, checker).contains(m.to()) {
        return Vec::new();
    }
    match m.origin() {
        Origin::Board(from) if from == king => Vec::new(),
        Origin::Board(_) => vec![Theme::MovedInterposition(ply)],
        Origin::Hand(_) => {
            let is_near = shogi::attacks::king(king).contains(m.to());
            let is_protected = board.is_attacked(m.to(), board.side(), board.occupied());
            let mut themes = vec![Theme::Interposition(ply)];
            if !is_near && !is_protected {
                themes.push(Theme::FarInterposition(ply));
            }
            themes
        }
    }
}
