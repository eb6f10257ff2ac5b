//! The options of an engine: declared once, printed for hosts, set from text, read by type.
//!
//! | item | what it is |
//! |---|---|
//! | [`Options`], [`Entry`] | the table, in print order |
//! | [`CheckId`], [`SpinId`], [`ComboId`], [`TextId`], [`ButtonId`] | the typed key that declaring an option returns |
//! | [`Event`] | which option was changed or pressed |
//! | [`SetOption`] | the command `setoption` |
//! | [`Options::shorthand`], [`Options::describe`] | `Threads = 4` and `getoption` |
//! | [`PlayOptions`] | the options that every search engine has |
//!
//! Messages and errors are single lines of ASCII without the words `info string`, which the session puts
//! before them.

mod declare;
mod entry;
mod error;
mod id;
mod name;
mod play;
mod quote;
mod set_option;
mod setting;
mod spoken;
mod table;

pub use entry::Entry;
pub use error::{Expected, OptionError};
pub use id::{Button, Check, Choice, Combo, Id, OptionId, Spin, Text, Valued};
pub use id::{ButtonId, CheckId, ComboId, SpinId, TextId};
pub use play::{Choices, ClockOptions, Features, HostOptions, OutputOptions, PlayOptions, RuleOptions};
pub use play::{SearchOptions, VerdictOptions};
pub use set_option::{NoOptionName, SetOption};
pub use spoken::Answer;
pub use table::{Event, Options};
