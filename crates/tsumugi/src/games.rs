//! The games of this program. A new one is one `impl ConsoleGame`.

use crate::console::{ConsoleGame, Script};
use game::Game;
use shogi::{Position, Shogi};

impl ConsoleGame for Shogi {
    fn picture(&self, position: &Position, script: Script) -> String {
        match script {
            Script::Ascii => position.ascii().to_string(),
            Script::Kanji => position.kanji().to_string(),
        }
    }

    fn flip(&self, position: &Position) -> Option<Position> {
        Some(position.flip())
    }

    fn festival(&self) -> Option<Position> {
        self.position(MATSURI_SFEN).ok()
    }
}

/// The move-generation festival (指し手生成祭り), a position with many moves of every sort.
const MATSURI_SFEN: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
