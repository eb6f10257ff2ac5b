//! Games analysed position by position.
//!
//! | to | see |
//! |---|---|
//! | analyse files and write what came out | [`Job`], [`run()`] |
//! | judge moves by win rates | [`judgement`] |
//! | read games of any kind as positions | [`Games`], [`Rulebook`] |
//! | ask an engine, again if it dies | [`Thinker`] |
//! | know what was found before | [`Known`], [`Entry`] |
//! | put it together | [`assess()`] |
//! | write it down | [`annotate()`], [`report`] |

mod annotate;
mod assess;
mod effort;
mod games;
pub mod judgement;
mod known;
mod output;
mod pool;
pub mod report;
mod run;
mod stages;
mod thinker;

pub use annotate::annotate;
pub use assess::{Assessed, Assessment, Line, Phases, Played, assess};
pub use effort::{Effort, Limit};
pub use games::{Game, GameFault, Games, Unreadable};
pub use known::{Candidate, Entry, Found, Known};
pub use run::{Job, Progress, RunError, Summary, run};
pub use stages::{Picture, Rulebook, Stage, StageError, mark};
pub use thinker::{ThinkError, Thinker};
