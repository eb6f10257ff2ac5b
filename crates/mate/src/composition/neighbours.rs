//! Positions one change away from a problem, for improving and generating problems.

use shogi::{Color, HandPiece, Piece, PieceKind, Position, Setup, Square};
use std::fmt;

/// One change of a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edit {
    /// A piece of the board goes to the defender's hand.
    Remove(Square, Piece),
    /// A piece of the attacker's hand goes to the defender's.
    RemoveHeld(HandPiece),
    /// A piece of the defender's hand goes to the board.
    Add(Square, Piece),
    /// A piece of the defender's hand goes to the attacker's.
    AddHeld(HandPiece),
    /// A piece moves to another square.
    Move(Square, Square, Piece),
    /// Another piece stands on the square.
    Replace(Square, Piece, Piece),
    /// Everything moves by some files and ranks.
    Shift(i8, i8),
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Remove(square, piece) => write!(f, "remove {} {square}", name(*piece)),
            Self::RemoveHeld(held) => write!(f, "remove {} in hand", held.kind().letter()),
            Self::Add(square, piece) => write!(f, "add {} {square}", name(*piece)),
            Self::AddHeld(held) => write!(f, "add {} in hand", held.kind().letter()),
            Self::Move(from, to, piece) => write!(f, "move {} {from} to {to}", name(*piece)),
            Self::Replace(square, old, new) => write!(f, "replace {} {square} by {}", name(*old), name(*new)),
            Self::Shift(files, ranks) => write!(f, "shift by {files:+} files, {ranks:+} ranks"),
        }
    }
}

/// A piece as SFEN writes it: capitals are Black's.
fn name(piece: Piece) -> String {
    let letter = piece.kind().unpromoted().letter();
    let letter = if piece.color() == Color::White { letter.to_ascii_lowercase() } else { letter };
    if piece.kind().is_promoted() { format!("+{letter}") } else { letter.to_string() }
}

/// Kinds that replace or are added.
const KINDS: [PieceKind; 9] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Horse,
    PieceKind::Dragon,
];

/// The problem after a change, if that is a proper diagram: no piece too many, none that could not move, no two pawns
/// on a file, the defender not in check.
#[must_use]
pub fn apply(position: &Position, attacker: Color, edit: Edit) -> Option<Position> {
    let mut setup = Setup { ply: 1, ..position.setup() };
    let defender = !attacker;
    let give = |setup: &mut Setup, piece: Piece| {
        if let Some(held) = piece.kind().to_hand() {
            setup.hands[defender.index()].add(held);
        }
    };
    let take = |setup: &mut Setup, piece: Piece| {
        let held = piece.kind().to_hand()?;
        let hand = &mut setup.hands[defender.index()];
        hand.has(held).then(|| hand.remove(held))
    };
    match edit {
        Edit::Remove(square, piece) => {
            setup.board[square.index()] = None;
            give(&mut setup, piece);
        }
        Edit::RemoveHeld(held) => {
            if !setup.hands[attacker.index()].has(held) {
                return None;
            }
            setup.hands[attacker.index()].remove(held);
            setup.hands[defender.index()].add(held);
        }
        Edit::Add(square, piece) => {
            if setup.board[square.index()].is_some() {
                return None;
            }
            take(&mut setup, piece)?;
            setup.board[square.index()] = Some(piece);
        }
        Edit::AddHeld(held) => {
            take(&mut setup, Piece::new(attacker, held.kind()))?;
            setup.hands[attacker.index()].add(held);
        }
        Edit::Move(from, to, piece) => {
            if setup.board[to.index()].is_some() {
                return None;
            }
            setup.board[from.index()] = None;
            setup.board[to.index()] = Some(piece);
        }
        Edit::Replace(square, old, new) => {
            give(&mut setup, old);
            take(&mut setup, new)?;
            setup.board[square.index()] = Some(new);
        }
        Edit::Shift(files, ranks) => {
            let mut board = [None; Square::COUNT];
            for (square, piece) in setup.pieces() {
                board[shifted(square, files, ranks)?.index()] = Some(piece);
            }
            setup.board = board;
        }
    }
    proper(setup, attacker)
}

fn shifted(square: Square, files: i8, ranks: i8) -> Option<Square> {
    let (file, rank) = (square.file() as i8 + files, square.rank() as i8 + ranks);
    let is_inside = (0..9).contains(&file) && (0..9).contains(&rank);
    is_inside.then(|| Square::from_index((file * 9 + rank) as u8)).flatten()
}

/// The position, if it is a proper diagram.
pub(crate) fn proper(setup: Setup, attacker: Color) -> Option<Position> {
    let mut pawns = [[false; 9]; 2];
    let mut counts = [0; PieceKind::ALL.len()];
    for (square, piece) in setup.pieces() {
        if shogi::attacks::on_empty_board(piece, square).is_empty() {
            return None;
        }
        if let Some(held) = piece.kind().to_hand() {
            counts[held.index()] += 1;
        }
        if piece.kind() == PieceKind::Pawn {
            let has_pawn = &mut pawns[piece.color().index()][square.file() as usize];
            if std::mem::replace(has_pawn, true) {
                return None;
            }
        }
    }
    for held in HandPiece::ALL {
        let all = counts[held.index()] + setup.hands[0].count(held) + setup.hands[1].count(held);
        if all > held.set_size() {
            return None;
        }
    }
    let position = Position::try_from(setup).ok()?;
    let king = position.king(!attacker)?;
    let side = position.side();
    let exposed = position.king(!side).unwrap_or(king);
    (!position.is_attacked(exposed, side, position.occupied())).then_some(position)
}

/// All single changes of a problem.
#[must_use]
pub fn edits(position: &Position, attacker: Color) -> Vec<Edit> {
    let setup = position.setup();
    let mut edits = Vec::new();
    let is_fixed = |piece: Piece| piece.kind() == PieceKind::King && piece.color() != attacker;
    for (square, piece) in setup.pieces().filter(|(_, piece)| !is_fixed(*piece)) {
        edits.push(Edit::Remove(square, piece));
        for kind in KINDS.into_iter().filter(|kind| *kind != piece.kind() && piece.kind() != PieceKind::King)
        {
            edits.push(Edit::Replace(square, piece, Piece::new(piece.color(), kind)));
        }
    }
    for held in HandPiece::ALL {
        if position.hand(attacker).has(held) {
            edits.push(Edit::RemoveHeld(held));
        }
        if position.hand(!attacker).has(held) {
            edits.push(Edit::AddHeld(held));
        }
    }
    let shifts = (-2..=2).flat_map(|files| (-2..=2).map(move |ranks| (files, ranks)));
    edits.extend(shifts.filter(|shift| *shift != (0, 0)).map(|(files, ranks)| Edit::Shift(files, ranks)));
    for (square, piece) in setup.pieces() {
        let targets = shogi::attacks::king(square).into_iter().filter(|to| position.piece_at(*to).is_none());
        edits.extend(targets.map(|to| Edit::Move(square, to, piece)));
    }
    let king = position.king(!attacker);
    let is_near = |square: Square| {
        king.is_some_and(|king| {
            (king.file() as i32 - square.file() as i32).abs() <= 3
                && (king.rank() as i32 - square.rank() as i32).abs() <= 3
        })
    };
    for square in Square::all().filter(|square| position.piece_at(*square).is_none() && is_near(*square)) {
        for color in Color::ALL {
            edits.extend(KINDS.into_iter().map(|kind| Edit::Add(square, Piece::new(color, kind))));
        }
    }
    edits
}
