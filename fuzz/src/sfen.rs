//! Text to positions and back.

use shogi::{Move, Position, Setup, Square};
use std::collections::BTreeSet;

/// A text is refused in few words, or everything that can be made from it survives being written and read.
pub fn sfen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for word in text.split_ascii_whitespace() {
        one_word(word);
    }
    match text.parse::<Setup>() {
        Ok(setup) => from_setup(&setup),
        Err(error) => {
            assert!(error.to_string().len() < 500, "a long message: {error}");
            assert_eq!(Position::from_sfen(&text).err(), Some(error), "{text:?}");
        }
    }
}

/// Squares and moves have exactly one spelling.
fn one_word(word: &str) {
    if let Ok(square) = word.parse::<Square>() {
        assert_eq!(square.to_string(), word);
    }
    if let Ok(m) = word.parse::<Move>() {
        assert_eq!(m.to_string(), word);
        assert_eq!(Move::from_bits(m.bits()), Some(m));
    }
}

fn from_setup(setup: &Setup) {
    let canonical = setup.to_string();
    assert_eq!(canonical.parse::<Setup>().as_ref(), Ok(setup), "{canonical}");
    assert_eq!(setup.flip().flip(), *setup, "{canonical}");
    assert_eq!(setup.mirror().mirror(), *setup, "{canonical}");
    match Position::try_from(setup.clone()) {
        Ok(position) => from_position(position, &canonical),
        Err(error) => {
            assert!(Position::from_sfen(&canonical).is_err(), "{canonical}");
            // What cannot be, cannot be from the other side either.
            assert!(Position::try_from(setup.flip()).is_err(), "{error}: {canonical}");
            assert!(Position::try_from(setup.mirror()).is_err(), "{error}: {canonical}");
        }
    }
}

fn from_position(mut position: Position, canonical: &str) {
    position.assert_consistent();
    assert_eq!(position.sfen(), canonical);
    assert_eq!(Position::from_sfen(canonical).as_ref().map(Position::key128), Ok(position.key128()));
    assert!(position.ascii().to_string().is_ascii(), "{canonical}");
    assert!(!position.kanji().to_string().is_empty());
    let _ = (position.outcome(), position.declaration());

    let legal = position.legal_moves();
    let unique: BTreeSet<Move> = legal.iter().copied().collect();
    assert_eq!(unique.len(), legal.len(), "a move was generated twice: {canonical}");
    assert_eq!(position.has_legal_move(), !legal.is_empty(), "{canonical}");
    for &m in legal.iter() {
        one_word(&m.to_string());
        assert!(position.is_legal(m), "{m} in {canonical}");
        let said = position.gives_check(m);
        position.do_move(m);
        assert_eq!(position.in_check(), said, "check by {m} in {canonical}");
        position.assert_consistent();
        position.undo_move();
    }
    assert_eq!(position.sfen(), canonical);

    let flipped: BTreeSet<Move> = position.flip().legal_moves().iter().map(|m| m.flip()).collect();
    assert_eq!(flipped, unique, "rotated: {canonical}");
    let mirrored: BTreeSet<Move> = position.mirror().legal_moves().iter().map(|m| m.mirror()).collect();
    assert_eq!(mirrored, unique, "mirrored: {canonical}");

    if let Some(m) = position.mate_in_one() {
        assert!(position.is_legal(m), "{m} in {canonical}");
        position.do_move(m);
        assert!(position.in_check() && position.legal_moves().is_empty(), "{m} does not mate in {canonical}");
    }
}
