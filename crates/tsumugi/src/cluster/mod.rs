//! `tsumugi hub`, `tsumugi work`, `tsumugi cluster`, and `--hub` of other commands: the command line of crate `cluster`.

mod control;
mod hub;
mod jobs;
mod work;

pub use control::ClusterArgs;
pub use hub::HubArgs;
pub use jobs::{HubChoice, net, run_jobs};
pub use work::WorkArgs;

pub use control::run as run_cluster;
pub use hub::run as run_hub;
pub use work::run as run_work;
