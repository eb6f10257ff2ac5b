//! Legal moves of sampled positions against cshogi's (`tools/diff_cshogi.py` compares hundreds of thousands).

mod support;

use shogi::Position;

#[test]
fn legal_moves_equal_cshogis() {
    let sample = support::json_lines("movegen/cshogi.jsonl");
    assert!(sample.len() >= 300);
    for entry in sample {
        let sfen = entry["sfen"].as_str().expect("sfen");
        let position = Position::from_sfen(sfen).expect("a valid SFEN");
        let mut moves: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
        moves.sort();
        assert_eq!(moves.join(" "), entry["moves"].as_str().expect("moves"), "{sfen}");
    }
}

#[test]
fn pawn_drop_mates_are_left_out() {
    for (sfen, drop, legal) in [
        // The textbook case: king in the corner, nothing can take the pawn.
        ("7lk/9/8G/9/9/9/9/9/8K b P 1", "P*1b", false),
        // The lance is gone and the king can step aside.
        ("8k/9/8G/9/9/9/9/9/8K b P 1", "P*1b", true),
        // A gold takes the pawn if it is near enough.
        ("6glk/9/8G/9/9/9/9/9/8K b P 1", "P*1b", false),
        ("7gk/9/8G/9/9/9/9/9/8K b P 1", "P*1b", true),
        // Found by the peers' differential tests: a family that standard perft positions miss.
        ("1g3rs2/P2+b4l/np1pps1pp/lg4kS1/2NP5/2N1Kp1RP/pP2l+p2L/1+B7/G3P1gN1 b Ps4p 1", "P*3e", false),
    ] {
        let position = Position::from_sfen(sfen).expect("a valid SFEN");
        let m = drop.parse().expect("a move");
        assert_eq!(position.is_legal(m), legal, "{drop} in {sfen}");
        assert_eq!(position.legal_moves().contains(&m), legal, "{drop} in {sfen}");
    }
}
