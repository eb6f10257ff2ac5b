//! Notes of trees that are gone, for those to come.
//!
//! Files hold one for every few moves; asking for their memory and giving it back took an eighth of the time of reading.

use crate::Note;
use std::cell::RefCell;

/// A thread keeps so many.
const MOST: usize = 512;

/// Longer ones, in bytes, are given back.
const LONG: usize = 4096;

#[allow(clippy::vec_box, reason = "the memory of the boxes is what is used again")]
type Notes = Vec<Box<Note>>;

thread_local! {
    static SPARE: RefCell<Notes> = const { RefCell::new(Vec::new()) };
}

/// The note of a node, if it has one.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept(Option<Box<Note>>);

impl Kept {
    pub const NONE: Self = Self(None);

    #[inline]
    pub fn get(&self) -> Option<&Note> {
        self.0.as_deref()
    }

    /// The note, which is empty if there was none.
    #[inline]
    pub fn get_mut(&mut self) -> &mut Note {
        self.0.get_or_insert_with(take)
    }
}

impl Drop for Kept {
    #[inline]
    fn drop(&mut self) {
        if let Some(note) = self.0.take() {
            leave(note);
        }
    }
}

/// An empty note.
#[allow(clippy::unnecessary_box_returns, reason = "nodes hold notes in boxes")]
fn take() -> Box<Note> {
    SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten().unwrap_or_default()
}

/// Leaves a note to whoever comes next.
fn leave(mut note: Box<Note>) {
    // A thread that ends keeps nothing any more.
    let _ = SPARE.try_with(|spare| {
        let mut spare = spare.borrow_mut();
        if spare.len() < MOST && note.clear() <= LONG {
            spare.push(note);
        }
    });
}

#[cfg(test)]
mod tests {
    use crate::{NodeId, Note, Step, Tree};

    #[test]
    fn what_is_left_is_empty_and_small() {
        for round in 0..3 {
            let mut tree = Tree::new();
            for number in 0..2 * super::MOST {
                let id = tree.add(NodeId::ROOT, Step::Move(number));
                let note = tree[id].note_mut();
                assert_eq!(*note, Note::EMPTY, "round {round}");
                note.comments.push(&"長".repeat(number));
                note.bookmark = Some("栞".to_owned());
                note.remarks.push("短");
            }
        }
        let spare: Vec<_> = std::iter::repeat_with(super::take).take(super::MOST).collect();
        assert!(spare.iter().all(|note| **note == Note::EMPTY && note.room() <= super::LONG));
    }
}
