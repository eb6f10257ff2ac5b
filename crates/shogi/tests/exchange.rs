//! Static exchange evaluation against a simulator that plays the captures on a board, one by one.

mod support;

use proptest::prelude::*;
use shogi::{Color, Move, Origin, Piece, PieceKind, Position, Square, attacks, piece_value};

/// A bare board on which captures are played without regard to legality.
#[derive(Clone)]
struct Simulator {
    board: [Option<Piece>; Square::COUNT],
}

impl Simulator {
    fn occupied(&self) -> shogi::Bitboard {
        Square::all().filter(|s| self.board[s.index()].is_some()).collect()
    }

    fn attackers(&self, to: Square, color: Color) -> impl Iterator<Item = (Square, Piece)> {
        let occupied = self.occupied();
        Square::all().filter_map(|s| Some((s, self.board[s.index()]?))).filter(move |(s, piece)| {
            piece.color() == color && attacks::attacks(*piece, *s, occupied).contains(to)
        })
    }

    /// The best that `color` can gain by capturing on `to`, or 0 if it had better not.
    fn best_gain(&self, to: Square, color: Color) -> i32 {
        let cheapest = self.attackers(to, color).min_by_key(|(_, piece)| piece_value(piece.kind()));
        let Some((from, piece)) = cheapest else { return 0 };
        if piece.kind() == PieceKind::King && self.attackers(to, !color).next().is_some() {
            return 0;
        }
        let gained = self.board[to.index()].map_or(0, |p| piece_value(p.kind()));
        let mut after = self.clone();
        after.board[from.index()] = None;
        after.board[to.index()] = Some(piece);
        i32::max(0, gained - after.best_gain(to, !color))
    }
}

fn simulated_value(position: &Position, m: Move) -> i32 {
    let to = m.to();
    let mut simulator = Simulator { board: position.setup().board };
    let gained = simulator.board[to.index()].map_or(0, |p| piece_value(p.kind()));
    simulator.board[to.index()] = match m.origin() {
        Origin::Board(from) => simulator.board[from.index()].take(),
        Origin::Hand(piece) => Some(Piece::new(position.side(), piece.kind())),
    };
    gained - simulator.best_gain(to, !position.side())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn thresholds_agree_with_the_simulated_value(position in support::positions(120)) {
        for &m in position.legal_moves().iter() {
            let value = simulated_value(&position, m);
            for threshold in [value - 200, value - 1, value, value + 1, value + 200, 0, 1] {
                prop_assert_eq!(
                    position.exchange_at_least(m, threshold), value >= threshold,
                    "{} in {}: value {}, threshold {}", m, position.sfen(), value, threshold
                );
            }
        }
    }
}
