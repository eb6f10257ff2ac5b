//! Notes of trees that are gone, for those to come.
//!
//! Files hold one for every few moves; asking for their memory and giving it back took an eighth of the time of reading.

use crate::Note;
use std::cell::RefCell;

/// A thread keeps so many.
const MOST: usize = 1024;

/// Longer ones, in bytes, are given back.
const LONG: usize = 1024;

#[allow(clippy::vec_box, reason = "the memory of the boxes is what is used again")]
type Notes = Vec<Box<Note>>;

thread_local! {
    static SPARE: RefCell<Notes> = const { RefCell::new(Vec::new()) };
}

/// An empty note.
#[allow(clippy::unnecessary_box_returns, reason = "nodes hold notes in boxes")]
pub(super) fn take() -> Box<Note> {
    SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten().unwrap_or_default()
}

/// Leaves notes to whoever comes next.
pub(super) fn leave(notes: impl Iterator<Item = Box<Note>>) {
    // A thread that ends keeps nothing any more.
    let _ = SPARE.try_with(|spare| {
        let mut spare = spare.borrow_mut();
        for mut note in notes {
            if spare.len() < MOST && note.clear() <= LONG {
                spare.push(note);
            }
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
