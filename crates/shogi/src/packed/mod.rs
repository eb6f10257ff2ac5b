//! Packed positions, and the records of training data that contain them.
//!
//! | item | what it is |
//! |---|---|
//! | [`PackedSfen`] | `YaneuraOu`'s position in 32 bytes |
//! | [`HuffmanCodedPos`] | the packed position of Apery and cshogi: the same idea, other code words |
//! | [`PackedSfenValue`] | a [`PackedSfen`] with score, move and result: 40 bytes |
//! | [`PlainReader`] | the same records as text |
//! | [`HcpeRecord`] | a [`HuffmanCodedPos`] with score, move and result: 38 bytes (`hcpe`) |

mod bits;
mod codes;
mod hcpe;
mod pack;
mod packed_sfen_value;
mod plain;
mod position;
mod result;
mod stock;
mod unpack;

pub use hcpe::HcpeRecord;
pub use packed_sfen_value::PackedSfenValue;
pub use plain::{PlainError, PlainFault, PlainReader};
pub use position::{
    Apery, HuffmanCodedPos, PackError, Packed, PackedFormat, PackedSfen, UnpackError, Yaneuraou,
};
pub use result::{GameResult, ResultCodeError};
