use crate::Position;

/// Number of lines of `depth` legal moves, optional promotions counted both ways, repetition ignored.
///
/// The last ply is counted by the length of its move list, without playing its moves.
pub fn perft<P: Position>(position: &mut P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    // Filled in place: a list returned by value would be copied.
    let mut moves = P::Moves::default();
    position.generate_legal(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut count = 0;
    for &m in moves.iter() {
        position.do_move(m);
        count += perft(position, depth - 1);
        position.undo_move();
    }
    count
}

/// The same count, but every move is made and unmade, those of the last ply included, as in a search.
pub fn perft_making_leaves<P: Position>(position: &mut P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = P::Moves::default();
    position.generate_legal(&mut moves);
    let mut count = 0;
    for &m in moves.iter() {
        position.do_move(m);
        count += perft_making_leaves(position, depth - 1);
        position.undo_move();
    }
    count
}

/// The count below each root move, in the order of generation.
pub fn divide<P: Position>(position: &mut P, depth: u32) -> Vec<(P::Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let moves = position.legal_moves();
    moves
        .iter()
        .map(|&m| {
            position.do_move(m);
            let count = perft(position, depth - 1);
            position.undo_move();
            (m, count)
        })
        .collect()
}
