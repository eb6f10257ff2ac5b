//! Games of any moves.

use shogi::{Move, MoveList, MoveSet, Position, Promotions};

/// Starts that lead to different kinds of play: even, many moves, full hands, entering kings, tsume.
const STARTS: [&str; 8] = [
    shogi::STARTPOS_SFEN,
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "4+P1K1+S/2G6/1+R7/9/9/9/1p2k+b3/9/9 b G2Pr4l9p 1",
    "kl7/ln7/1G7/9/9/9/9/9/8K b P 1",
    "4k4/9/9/9/9/9/9/4r4/4K4 b RB4G4S4N4L18P 1",
    "9/9/4k4/9/4S4/9/9/9/9 b R2GS3NL8P 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 1",
];

/// Longer games would only make the fuzzer slow.
const MAX_PLIES: usize = 300;

/// The first byte chooses the start. Each further pair of bytes is a move as a hash table or a book might hold
/// it: `is_legal` must know whether it is in the list. If it is not, it stands for one that is, so that almost
/// any bytes are a game. In the end everything is taken back.
pub fn game(data: &[u8]) {
    let Some((start, choices)) = data.split_first() else { return };
    let start = STARTS[usize::from(*start) % STARTS.len()];
    let mut position = Position::from_sfen(start).expect("a valid SFEN");
    let mut before = Vec::new();
    for bits in choices.as_chunks().0.iter().take(MAX_PLIES).map(|pair| u16::from_le_bytes(*pair)) {
        let legal = position.legal_moves();
        let wanted = judge(&position, bits, &legal);
        let Some(m) = wanted.or_else(|| legal.get(usize::from(bits) % legal.len().max(1)).copied()) else {
            assert!(position.is_mated() || position.king(position.side()).is_none() || !position.in_check());
            break;
        };
        before.push(snapshot(&position));
        let said = position.gives_check(m);
        position.do_move(m);
        assert_eq!(position.in_check(), said, "check by {m}: {}", position.sfen());
        position.assert_consistent();
        let _ = (position.outcome(), position.repetition(before.len()), position.declaration());
    }
    while let Some(snapshot_before) = before.pop() {
        position.undo_move();
        assert_eq!(snapshot(&position), snapshot_before);
    }
    assert_eq!(position.sfen(), start);
    position.assert_consistent();
}

/// The move that `bits` say, if it is legal; the three ways to tell must agree.
fn judge(position: &Position, bits: u16, legal: &MoveList) -> Option<Move> {
    let m = Move::from_bits(bits)?;
    let listed = legal.contains(&m);
    assert_eq!(position.is_legal(m), listed, "{m} in {}", position.sfen());
    let mut parts = MoveList::new();
    position.generate(MoveSet::Captures, Promotions::All, &mut parts);
    position.generate(MoveSet::Quiets, Promotions::All, &mut parts);
    assert_eq!(parts.len(), legal.len(), "captures and quiets of {}", position.sfen());
    assert_eq!(parts.contains(&m), listed, "{m} in {}", position.sfen());
    listed.then_some(m)
}

type Snapshot = (String, u128, i32, Option<Move>, usize);

fn snapshot(position: &Position) -> Snapshot {
    let p = position;
    (p.sfen(), p.key128(), p.material(), p.last_move(), p.occurrences())
}
