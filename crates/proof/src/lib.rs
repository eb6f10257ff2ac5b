//! Checks certificates of mates, independently of the solver.
//!
//! A certificate gives, for every position of the attacker that can arise, the check to play and an upper bound of the
//! plies to mate. [`check`] plays every defence against it. Nothing here is shared with the solver or its board: the
//! rules are implemented a second time, short and slow, so that a mistake would have to be made twice.
//!
//! | file | holds |
//! |---|---|
//! | `board` | pieces, reach, legal moves |
//! | `certificate` | the file: header and entries |
//! | `checker` | playing all defences |
//!
//! The file: the line `tsumugi mate certificate 2`, the SFEN, `b` or `w` for the attacker, and the number of entries,
//! each on a line; then the entries, sorted by key, each with 16 bytes of key, 2 of the move and 2 of the plies,
//! little-endian.
//!
//! - **Key:** FNV-1a of 128 bits over 96 bytes: the squares (1a to 1i, then 2a, …), 0 if empty, else the kind (pawn 1, lance,
//!   knight, silver, bishop, rook, gold, king 8; promoted ones 8 more), 16 more if White's; Black's hand from pawn to gold,
//!   White's hand; 0 if Black is to move, else 1. The key only finds entries: two positions with one key are still checked
//!   both.
//! - **Move:** target square in the lower 7 bits; then 7 bits for the origin, 81 and the kind for a drop; then promotion.
//!
//! ```
//! let error = proof::check(b"not a certificate\n").unwrap_err();
//! assert_eq!(error.to_string(), "not a certificate: expected the line `tsumugi mate certificate 2` at the beginning");
//! ```

mod board;
mod certificate;
mod checker;

pub use certificate::{FileError, MAGIC};
pub use checker::{Checked, Refusal, check};
