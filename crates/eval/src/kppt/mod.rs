//! KPPT and `KPP_KKPT`: sums over pairs of pieces relative to a king, the evaluation of 2015 to 2018.
//!
//! | item | what it is |
//! |---|---|
//! | [`KpptFormat`], [`KpptTable`] | which files there are, how large, in which order |
//! | [`MappedParameters`], [`ZeroParameters`], [`KpptParameters`] | the numbers |
//! | [`Kppt`] | the evaluation with one kind of numbers, kept incrementally |
//! | [`AnyKppt`] | the evaluation of the files in a folder, in any format |
//! | [`save`], [`save_zero`] | writing files |
//! | [`convert`] | conversion between formats |

mod any;
mod convert;
mod error;
mod evaluation;
mod format;
mod mapped;
mod parameters;
mod piece_list;
mod save;
mod sums;
mod transcode;

pub use any::AnyKppt;
pub use convert::convert;
pub use error::KpptError;
pub use evaluation::Kppt;
pub use format::{KpptFormat, KpptTable, ParseKpptFormatError};
pub use mapped::{KppKkpt32, Kppt16, Kppt32, MappedParameters, Sharing};
pub use parameters::{KpptParameters, ZeroParameters};
pub use save::{Losses, Progress, save, save_zero};

#[cfg(test)]
mod tests;
