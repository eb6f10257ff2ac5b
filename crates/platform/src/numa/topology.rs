//! The memory nodes of the machine and their processors.

use super::{NumaPolicy, Placement, Processors};
use std::path::Path;

/// The processors of each node, and those that the process may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Topology {
    nodes: Vec<Processors>,
    allowed: Processors,
}

/// Why a policy cannot be applied.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NumaError {
    /// A custom policy names a processor that does not exist.
    #[error("this machine has no processor {0}")]
    NoProcessor(usize),
    /// The system does not report its nodes.
    #[error("this system does not report its memory nodes or cannot bind threads")]
    Unknown,
}

impl Topology {
    /// The topology of this machine, if the system reports it.
    #[must_use]
    pub fn of_this_machine() -> Option<Self> {
        Some(Self { nodes: nodes_under(Path::new("/sys/devices/system/node"))?, allowed: allowed()? })
    }

    /// Where threads run under a policy.
    pub fn placement(&self, policy: &NumaPolicy) -> Result<Placement, NumaError> {
        let usable = || self.nodes.iter().map(|node| node.shared_with(&self.allowed)).collect();
        let whole = || self.nodes.iter().filter(|node| !node.is_empty()).cloned().collect();
        Ok(match policy {
            NumaPolicy::None => Placement::free(),
            NumaPolicy::System => Placement::over(usable(), 1),
            NumaPolicy::Auto => {
                let nodes: Vec<Processors> = usable();
                // The system keeps so few threads together better than a fixed placement would.
                let few = nodes.iter().map(Processors::len).max().unwrap_or(0) / 2;
                Placement::over(nodes, few + 1)
            }
            NumaPolicy::Hardware => Placement::over(whole(), 1),
            NumaPolicy::Custom(nodes) => {
                if let Some(missing) = nodes.iter().find_map(|node| node.first_outside(&self.nodes)) {
                    return Err(NumaError::NoProcessor(missing));
                }
                Placement::on(nodes.clone())
            }
        })
    }
}

/// The processors of the nodes, as Linux lists them in a folder for each.
fn nodes_under(folder: &Path) -> Option<Vec<Processors>> {
    let mut nodes = Vec::new();
    for entry in std::fs::read_dir(folder).ok()?.flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix("node")?.parse::<usize>().ok());
        let Some(number) = number else { continue };
        let list = std::fs::read_to_string(entry.path().join("cpulist")).ok()?;
        nodes.push((number, list.parse().ok()?));
    }
    nodes.sort_by_key(|(number, _)| *number);
    (!nodes.is_empty()).then(|| nodes.into_iter().map(|(_, processors)| processors).collect())
}

#[cfg(target_os = "linux")]
fn allowed() -> Option<Processors> {
    let set = rustix::thread::sched_getaffinity(None).ok()?;
    Some((0..Processors::MAX).filter(|processor| set.is_set(*processor)).collect())
}

#[cfg(not(target_os = "linux"))]
fn allowed() -> Option<Processors> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_nodes(allowed: &str) -> Topology {
        let nodes = ["0-3,8-11", "4-7,12-15"].map(|node| node.parse().expect("a list")).to_vec();
        Topology { nodes, allowed: allowed.parse().expect("a list") }
    }

    fn nodes_of(topology: &Topology, policy: &str, threads: usize) -> Vec<usize> {
        let policy: NumaPolicy = policy.parse().expect("a policy");
        topology.placement(&policy).expect("its processors are there").seats(threads).nodes().to_vec()
    }

    #[test]
    fn policies_on_two_nodes() {
        let all = two_nodes("0-15");
        assert_eq!(nodes_of(&all, "none", 16), []);
        assert_eq!(nodes_of(&all, "system", 4), [0, 1, 0, 1]);
        assert_eq!(nodes_of(&all, "auto", 4), [], "they have room on one node");
        assert_eq!(nodes_of(&all, "auto", 5), [0, 1, 0, 1, 0]);
        assert_eq!(nodes_of(&all, "0-1:2-3:4", 5), [0, 1, 0, 1, 2]);
        assert_eq!(nodes_of(&all, "2", 2), [0, 0], "a single set of one's own is kept to");
    }

    #[test]
    fn what_the_process_may_not_use_is_left_alone() {
        let one = two_nodes("0-3");
        assert_eq!(nodes_of(&one, "system", 4), []);
        assert_eq!(nodes_of(&one, "auto", 4), []);
        assert_eq!(nodes_of(&one, "hardware", 4), [0, 1, 0, 1]);
        // Three processors here, one there.
        assert_eq!(nodes_of(&two_nodes("0-2,4"), "system", 8), [0, 0, 0, 1, 0, 0, 0, 1]);
    }

    #[test]
    fn a_processor_that_is_not_there_is_named() {
        let policy = "0-3:4-7,16".parse().expect("a policy");
        let error = two_nodes("0-15").placement(&policy).unwrap_err();
        assert_eq!(error.to_string(), "this machine has no processor 16");
    }

    #[test]
    fn nodes_are_read_in_the_order_of_their_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(nodes_under(folder.path()), None);
        for (name, list) in [("node10", "\n"), ("node2", "4-7\n"), ("node0", "0-3\n"), ("power", "x")] {
            let node = folder.path().join(name);
            std::fs::create_dir(&node).expect("a folder");
            std::fs::write(node.join("cpulist"), list).expect("a file");
        }
        let nodes: Vec<Processors> = ["0-3", "4-7", ""].map(|list| list.parse().expect("a list")).to_vec();
        assert_eq!(nodes_under(folder.path()), Some(nodes));
        std::fs::write(folder.path().join("node2/cpulist"), "4-x").expect("a file");
        assert_eq!(nodes_under(folder.path()), None, "half of the truth is none");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_has_processors() {
        if let Some(topology) = Topology::of_this_machine() {
            assert!(!topology.allowed.is_empty());
        }
    }
}
