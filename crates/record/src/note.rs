//! What people and programs write beside the moves.

/// Notes at one node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// Comment for the reader, line by line.
    pub comments: Vec<String>,
    /// Name under which the reader can jump here (`&` in KIF).
    pub bookmark: Option<String>,
    /// What programs tell programs: `#` lines of KIF, plain `'` lines of CSA.
    pub remarks: Vec<String>,
}

impl Note {
    /// Nothing noted.
    pub const EMPTY: Self = Self { comments: Vec::new(), bookmark: None, remarks: Vec::new() };
}
