//! Problems in bulk: reading them from files, solving, checking soundness, writing solutions, generating.

mod answer;
mod bench;
mod files;
mod generate;
mod solution_tree;
mod solve;
mod soundness;

pub use answer::{Answer, AnswerKind, Finding, Summary};
pub use bench::bench;
pub use files::{Problem, ProblemError, read};
pub use generate::Generator;
pub use solution_tree::{solution_json, solution_kif};
pub use solve::{Outputs, Settings, SolveError, solve_all, solve_one};
pub use soundness::{Soundness, check_soundness};
