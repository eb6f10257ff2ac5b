//! Problems in bulk: reading them from files, solving, reporting, writing solutions, generating.

mod answer;
mod bench;
mod files;
mod generate;
mod solution_tree;
mod solve;

pub use answer::{Answer, AnswerKind, Finding, Summary};
pub use bench::bench;
pub use files::{Problem, ProblemError, read};
pub use generate::{Generated, Generator, Wanted};
pub use solution_tree::{solution_json, solution_kif};
pub use solve::{Outputs, Report, Settings, SolveError, Working, solve_all, solve_one};
