//! Whatever bytes come in: no panic, only whole ASCII lines out, and a position that stays sound.

use proptest::prelude::*;
use shogi::Shogi;
use tsumugi::console::{Console, Flow};

/// Obeys the lines as a fuzzer does and checks what can be said about any answer.
fn drive(lines: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let mut console = Console::new(Shogi::default()).with_max_perft_depth(1);
    for line in lines {
        let mut out = Vec::new();
        let flow = console.execute(line, &mut out).expect("writing to memory does not fail");
        prop_assert!(out.is_ascii() || line.ends_with(b"kanji"));
        prop_assert!(out.is_empty() || out.ends_with(b"\n"));
        if flow == Flow::Quit {
            break;
        }
    }
    let sfen = console.position().sfen();
    prop_assert_eq!(shogi::Position::from_sfen(&sfen).map(|position| position.sfen()), Ok(sfen));
    Ok(())
}

/// Lines made of words that mean something.
fn sensible_line() -> impl Strategy<Value = Vec<u8>> {
    let word = prop::sample::select(
        &[
            "usi",
            "isready",
            "setoption",
            "name",
            "value",
            "position",
            "startpos",
            "sfen",
            "moves",
            "7g7f",
            "3c3d",
            "8h2b+",
            "B*5e",
            "resign",
            "go",
            "perft",
            "0",
            "1",
            "2",
            "-1",
            "99999999999",
            "mate",
            "infinite",
            "ponder",
            "stop",
            "ponderhit",
            "gameover",
            "d",
            "kanji",
            "key",
            "side",
            "mated",
            "flip",
            "matsuri",
            "help",
            "b",
            "w",
            "-",
            "4k4/9/9/9/9/9/9/9/4K4",
            "9/9/9/9/9/9/9/9/9",
            "2R18P",
            "",
            "\u{feff}",
            "\u{6b69}",
            "\0",
            "\r",
            ",",
        ][..],
    );
    prop::collection::vec(word, 0..8).prop_map(|words| words.join(" ").into_bytes())
}

proptest! {
    #[test]
    fn any_bytes(lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..8)) {
        drive(&lines)?;
    }

    #[test]
    fn any_words(lines in prop::collection::vec(sensible_line(), 0..12)) {
        drive(&lines)?;
    }
}
