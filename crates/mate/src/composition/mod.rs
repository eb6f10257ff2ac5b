//! The composer's desk: problems judged by the customs of tsume.
//!
//! `custom` has the kinds of flaws and what each custom forgives; `examine` finds the flaws of a problem, for which
//! `main_line` chooses the main line (作意) and `variations` goes through the other defences; `inquiry` asks the solver
//! within a budget; `themes` says what the main line shows. `report`, `words`, `kif`, `html` and `diagram` are for people.
//! `neighbours` are changes of a problem, which `improve` tries; `quick` rejects most positions early; `duplicates`
//! recognises a problem in another guise.

mod custom;
mod diagram;
mod duplicates;
mod examine;
mod html;
mod improve;
mod inquiry;
mod kif;
mod main_line;
mod neighbours;
mod quick;
mod report;
mod themes;
mod variations;
mod words;

pub use custom::{Custom, FlawKind, ParseCustomError, ParseFlawKindError, Ruling};
pub use diagram::diagram_svg;
pub use duplicates::problem_key;
pub use examine::{Branch, Examination, ExamineSettings, Flaw, Open, Refutation, Soundness, examine, is_end};
pub use html::html_report;
pub use improve::{Improvement, improve, pieces};
pub use kif::examination_kif;
pub(crate) use neighbours::proper;
pub use neighbours::{Edit, apply, edits};
pub(crate) use quick::{count_flaws, exact_mate, examined_sound};
pub use report::{report_json, report_text};
pub use themes::Theme;
pub use variations::Coverage;
pub use words::{spoken_line, spoken_solution, verdict};
