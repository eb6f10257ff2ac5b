//! The person at the program: folders, browser, language, Ctrl-C and progress.

mod desktop;
mod interrupts;
mod language;
mod progress_line;

pub use desktop::{data_folder, open_in_browser};
pub use interrupts::{count_interrupts, interrupts};
pub use language::{Language, ParseLanguageError};
pub use progress_line::ProgressLine;
