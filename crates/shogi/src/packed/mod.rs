//! Packed positions and the records that carry them: the field's files of training data.
//!
//! | item | what it is |
//! |---|---|
//! | [`PackedSfen`] | `YaneuraOu`'s position in 32 bytes |
//! | [`HuffmanCodedPos`] | Apery's and cshogi's: the same idea, other code words |

mod bits;
mod codes;
mod pack;
mod position;
mod stock;
mod unpack;

pub use position::{
    Apery, HuffmanCodedPos, PackError, Packed, PackedFormat, PackedSfen, UnpackError, Yaneuraou,
};
