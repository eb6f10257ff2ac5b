//! What differs between two versions of a board.

use super::document::{Document, Node};
use crate::protocol::Change;
use std::sync::Arc;

/// More changed nodes than this are sent as a whole board.
const MOST: usize = 2000;

/// The changes that lead from one version to another; `None` where the whole board has to be sent.
pub(super) fn between(old: &Document, new: &Document) -> Option<Vec<Change>> {
    if old.start != new.start || old.game.rules().game.game != new.game.rules().game.game {
        return None;
    }
    let slots = old.slots().len().max(new.slots().len());
    let slot =
        |document: &Document, id: usize| -> Option<Arc<Node>> { document.slots().get(id).cloned().flatten() };
    let mut put = Vec::new();
    let mut children = Vec::new();
    for id in 0..slots {
        let (before, after) = (slot(old, id), slot(new, id));
        let Some(after) = after else { continue };
        let same = before.as_ref().is_some_and(|before| Arc::ptr_eq(before, &after));
        if same {
            continue;
        }
        if put.len() + children.len() > MOST {
            return None;
        }
        if before.as_ref().is_none_or(|before| before.shown != after.shown) {
            put.push(after.shown.clone());
        }
        if before.is_none_or(|before| before.children != after.children) && !after.children.is_empty()
            || old
                .find(id as u32)
                .is_some_and(|before| !before.children.is_empty() && after.children.is_empty())
        {
            children.push(Change::Children { node: id as u32, children: after.children.clone() });
        }
    }
    let mut changes = Vec::new();
    if !put.is_empty() {
        // A parent comes before its children.
        put.sort_by_key(|node| node.ply);
        changes.push(Change::Put { nodes: put });
    }
    changes.extend(children);
    if old.header != new.header {
        changes.push(Change::Header { header: new.header.to_vec() });
    }
    Some(changes)
}
