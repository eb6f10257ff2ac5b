//! Binarsi: boards, codes, certificates and whole sessions of its console.

use binarsi::{Board, Certificate, Code, Console, Player, Thought};
use platform::Language;
use std::time::Duration;

/// Plays the first move it sees.
struct First;

impl Player for First {
    fn think(&mut self, board: &Board) -> Thought {
        Thought { info: Vec::new(), best: board.state().distinct_moves()[0] }
    }
}

type Screen = Console<Vec<u8>, First>;

fn answer(console: &mut Screen, line: &str) -> Vec<u8> {
    let before = console.output().len();
    let _ = console.obey(line).expect("memory can be written");
    console.output()[before..].to_vec()
}

/// Any bytes are read or refused; what was read survives being written and read; a refusal changes nothing.
pub fn binarsi(data: &[u8]) {
    if let Ok(certificate) = Certificate::from_bytes(data) {
        assert_eq!(Certificate::from_bytes(&certificate.to_bytes()), Ok(certificate));
    }
    let text = String::from_utf8_lossy(data);
    let mut console = Console::new("Fuzz", First, Vec::new(), Language::English, Duration::ZERO);
    for line in text.lines() {
        if let Ok(board) = line.parse::<Board>() {
            assert_eq!(board.to_string().parse(), Ok(board));
            let listed = board.state().listed_moves();
            assert_eq!(listed.len(), board.state().move_count() as usize);
            assert!(board.state().ending().is_some() || !listed.is_empty());
        }
        if let Ok(code) = line.parse::<Code>() {
            assert_eq!(code.to_string(), line);
        }
        // Many games take long and tell nothing new.
        if line.trim_start().starts_with("selfmatch") && line.trim().len() > "selfmatch 1".len() {
            continue;
        }
        let before = answer(&mut console, "sfen");
        let said = String::from_utf8(answer(&mut console, line)).expect("the console writes text");
        let changes = ["position", "usinewgame", "do", "play", "undo", "selfmatch"];
        let command = line.split_whitespace().next().unwrap_or_default();
        if said.contains("illegal move") || said.contains("Error!") || !changes.contains(&command) {
            assert_eq!(answer(&mut console, "sfen"), before, "{line}");
        }
    }
}
