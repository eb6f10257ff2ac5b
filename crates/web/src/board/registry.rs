//! All boards.

use super::store::{self, Save};
use super::{Board, Document};
use crate::games::Games;
use crate::protocol::{BoardEntry, Refusal, RefusalCode};
use crate::tab::TabId;
use platform::Random;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many boards are kept; the oldest ones go first.
const MOST_BOARDS: usize = 200;

/// A board that tabs share.
pub type SharedBoard = Arc<Mutex<Board>>;

/// All boards, and where they are kept.
pub struct Boards {
    by_id: Mutex<HashMap<String, SharedBoard>>,
    folder: PathBuf,
    random: Mutex<Random>,
}

/// A lock that a panic elsewhere does not take away.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a text may be the name of a board.
pub(super) fn is_id(text: &str) -> bool {
    (4..=16).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

impl Boards {
    /// The boards of a folder.
    #[must_use]
    pub fn load(data: &Path, games: &Games) -> Self {
        let folder = data.join("boards");
        let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let boards = files.filter_map(|file| store::read(&file.path(), games));
        let boards = boards.map(|board| (board.id.clone(), Arc::new(Mutex::new(board)))).collect();
        Self { by_id: Mutex::new(boards), folder, random: Mutex::new(Random::new(Random::fresh_seed())) }
    }

    /// A new board.
    pub fn add(&self, document: Document) -> SharedBoard {
        let mut boards = lock(&self.by_id);
        let id = loop {
            let id = self.fresh_id();
            if !boards.contains_key(&id) {
                break id;
            }
        };
        let board = Arc::new(Mutex::new(Board::new(id.clone(), document)));
        boards.insert(id, board.clone());
        self.forget_oldest(&mut boards);
        board
    }

    fn forget_oldest(&self, boards: &mut HashMap<String, SharedBoard>) {
        while boards.len() > MOST_BOARDS {
            let ages = boards.iter().filter_map(|(id, board)| {
                // A board that is in use is not old.
                let board = board.try_lock().ok()?;
                (board.tabs() == 0 && !board.is_playing()).then(|| (board.changed, id.clone()))
            });
            let Some((_, oldest)) = ages.min() else { return };
            boards.remove(&oldest);
            // A file that cannot be removed comes back at the next start, which is all.
            let _ = std::fs::remove_file(self.path(&oldest));
        }
    }

    fn fresh_id(&self) -> String {
        const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
        let mut bits = lock(&self.random).next();
        let mut id = String::new();
        for _ in 0..8 {
            id.push(char::from(LETTERS[(bits & 31) as usize]));
            bits >>= 5;
        }
        id
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    /// The board of this name.
    pub fn get(&self, id: &str) -> Result<SharedBoard, Refusal> {
        lock(&self.by_id).get(id).cloned().ok_or_else(|| {
            let shown: String = id.chars().take(40).collect();
            Refusal::new(RefusalCode::Unknown, format!("no board `{shown}`: it may have been removed"))
                .ja("盤が見つかりません。削除されたようです。")
        })
    }

    /// Removes a board and its file.
    pub fn remove(&self, id: &str) -> Result<SharedBoard, Refusal> {
        let board = self.get(id)?;
        lock(&self.by_id).remove(id);
        match std::fs::remove_file(self.path(id)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Refusal::new(RefusalCode::File, format!("{}: {error}", self.path(id).display())))
            }
            _ => Ok(board),
        }
    }

    /// All boards, the one that changed last first.
    #[must_use]
    pub fn entries(&self) -> Vec<BoardEntry> {
        let boards: Vec<SharedBoard> = self.all();
        let mut entries: Vec<BoardEntry> = boards.iter().map(|board| lock(board).entry()).collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.changed));
        entries
    }

    /// All boards.
    #[must_use]
    pub fn all(&self) -> Vec<SharedBoard> {
        lock(&self.by_id).values().cloned().collect()
    }

    /// A tab goes.
    pub fn unsubscribe(&self, tab: TabId) {
        self.all().iter().for_each(|board| lock(board).unsubscribe(tab));
    }

    /// Writes the boards that changed; each error names its file.
    pub fn save(&self) -> Vec<String> {
        let mut errors = Vec::new();
        for board in self.all() {
            let save = {
                let mut board = lock(&board);
                if !std::mem::take(&mut board.dirty) {
                    continue;
                }
                Save::of(&board)
            };
            if let Err(error) = save.write(&self.folder) {
                lock(&board).dirty = true;
                errors.push(error.to_string());
            }
        }
        errors
    }
}
