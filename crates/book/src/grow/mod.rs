//! Books that grow: collected in memory, searched, extended and edited.

pub(crate) mod collection;
pub(crate) mod edit;
pub(crate) mod journal;
pub(crate) mod key_table;
pub(crate) mod leaves;
pub(crate) mod lists;
pub(crate) mod lock;
pub(crate) mod mine;
pub(crate) mod own_thinker;
pub(crate) mod stera_tree;
pub(crate) mod think;
pub(crate) mod tree;
