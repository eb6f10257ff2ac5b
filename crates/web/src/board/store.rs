//! Boards in files: `DATA/boards/ID.json`.

use super::Board;
use super::document::{Document, ROOT};
use crate::games::Games;
use crate::play::{Game, KeptGame};
use crate::protocol::TreeNode;
use platform::FileError;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// Longer files are not read.
const MOST_BYTES: u64 = 64 << 20;

/// A board as it is kept.
#[derive(Serialize, Deserialize)]
struct Stored {
    /// Counts the formats of these files.
    version: u32,
    game: String,
    start: String,
    header: Vec<[String; 2]>,
    nodes: Vec<TreeNode>,
    changed: u64,
    /// The game in progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game_in_progress: Option<KeptGame>,
}

const VERSION: u32 = 1;

/// What a board writes: prepared under its lock, written without it.
pub(super) struct Save {
    stored: Stored,
    id: String,
}

impl Save {
    pub(super) fn of(board: &Board) -> Self {
        let document = board.document();
        let order = document.preorder();
        let nodes = order.iter().filter_map(|id| document.find(*id)).map(|node| node.shown.clone());
        Self {
            stored: Stored {
                version: VERSION,
                game: document.game.rules().game.game.clone(),
                start: document.start.clone(),
                header: document.header.to_vec(),
                nodes: nodes.collect(),
                changed: board.changed,
                game_in_progress: board.game.as_ref().and_then(Game::kept),
            },
            id: board.id.clone(),
        }
    }

    /// Writes the file anew as a whole.
    pub(super) fn write(&self, folder: &Path) -> Result<(), FileError> {
        let path = folder.join(format!("{}.json", self.id));
        // A stored board is strings and numbers, which JSON always has.
        let bytes = serde_json::to_vec(&self.stored).unwrap_or_default();
        platform::atomic_file::write(&path, &bytes)
    }
}

/// A board from its file; `None` where the file holds none, whatever is in it.
pub(super) fn read(path: &Path, games: &Games) -> Option<Board> {
    let id = path.file_stem()?.to_str()?.to_owned();
    if path.extension()?.to_str()? != "json" || !super::registry::is_id(&id) {
        return None;
    }
    if std::fs::metadata(path).ok()?.len() > MOST_BYTES {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let stored: Stored = serde_json::from_slice(&bytes).ok()?;
    let document = document(&stored, games)?;
    let mut board = Board::new(id, document);
    // A game whose place is gone is over.
    board.game = stored.game_in_progress.and_then(|kept| {
        let side = board.document().line(kept.node).ok()?.side();
        Some(Game::again(kept, side))
    });
    board.changed = stored.changed;
    board.dirty = false;
    Some(board)
}

/// The record of a file, as far as its moves can be played.
fn document(stored: &Stored, games: &Games) -> Option<Document> {
    if stored.version != VERSION {
        return None;
    }
    let game = games.get(&stored.game).ok()?;
    let mut document = Document::new(game, Some(&stored.start)).ok()?;
    document.header = Arc::new(stored.header.clone());
    for node in &stored.nodes {
        let is_root = node.id == ROOT;
        if is_root == node.parent.is_some() || !document.restore(node.clone()) {
            return None;
        }
    }
    Some(document)
}
