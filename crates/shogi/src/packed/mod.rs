//! Packed positions and the records that carry them: the field's files of training data.
//!
//! | item | what it is |
//! |---|---|
//! | [`PackedSfen`] | `YaneuraOu`'s position in 32 bytes |
//! | [`HuffmanCodedPos`] | Apery's and cshogi's: the same idea, other code words |
//! | [`TeacherRecord`] | a [`PackedSfen`] with score, move and result: 40 bytes (`PackedSfenValue`) |
//! | [`PlainReader`] | the same records as text |
//! | [`HcpeRecord`] | a [`HuffmanCodedPos`] with score, move and result: 38 bytes (`hcpe`) |

mod bits;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "some of it is for wide registers"))]
mod codes;
mod hcpe;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "for wide registers"))]
mod long_runs;
mod pack;
mod plain;
mod position;
mod result;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "some of it is for wide registers"))]
mod stock;
mod teacher;
mod unpack;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "there are none"))]
mod wide;

pub use hcpe::HcpeRecord;
pub use plain::{PlainError, PlainFault, PlainReader};
pub use position::{
    Apery, HuffmanCodedPos, PackError, Packed, PackedFormat, PackedSfen, UnpackError, Unpacker, Yaneuraou,
};
pub use result::{GameResult, ResultCodeError};
pub use teacher::TeacherRecord;
