//! The options of an engine: declared once, printed for hosts, set from text, read by type; and the files that override
//! them.
//!
//! | item | what it is |
//! |---|---|
//! | [`Options`], [`Entry`] | the table, in print order |
//! | [`CheckId`], [`SpinId`], [`ComboId`], [`TextId`], [`ButtonId`] | the typed ids that declarations return |
//! | [`Event`] | which option was changed or pressed |
//! | [`SetOption`] | the command `setoption` |
//! | [`Options::shorthand`], [`Options::describe`] | `Threads = 4` and `getoption` |
//! | [`PlayOptions`], [`PlaySettings`] | the options that every search engine has, and their values |
//! | [`Options::read_engine_options`], [`Options::read_eval_options`] | `engine_options.txt`, `eval_options.txt` |
//! | [`EngineName`], [`startup_info`], [`startup_commands`] | `engine_name.txt`, `startup_info.txt`, `startup.txt` |
//! | [`CommandFile`] | `file cmd.txt` and `f NAME` |
//! | [`Folders`] | where files are searched |
//!
//! Messages and errors are single lines of ASCII without the prefix `info string`, which the session adds.

mod declare;
mod entry;
mod error;
mod folders;
mod id;
mod name;
mod overrides;
mod play;
mod play_settings;
mod quote;
mod set_option;
mod setting;
mod spoken;
mod start_files;
mod table;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod scratch;

pub use entry::Entry;
pub use error::{Expected, OptionError};
pub use folders::{FileError, Folders, TextFile};
pub use id::{Button, Check, Choice, Combo, Id, OptionId, Spin, Text, Valued};
pub use id::{ButtonId, CheckId, ComboId, SpinId, TextId};
pub use overrides::Overrides;
pub(crate) use play::DEFAULT_HASH;
pub use play::{Choices, ClockOptions, Features, HostOptions, OutputOptions, PlayOptions, RuleOptions};
pub use play::{SearchOptions, VerdictOptions};
pub use play_settings::PlaySettings;
pub use set_option::{NoOptionName, SetOption};
pub use spoken::Answer;
pub use start_files::{CommandFile, EngineName, startup_commands, startup_info};
pub use table::{Event, Options};
