//! The option `NumaPolicy`.

use crate::options::{Options, TextId};
use platform::numa::{NumaError, NumaPolicy, Placement, Topology};

/// The option and the policy in force.
pub(crate) struct NumaOption {
    id: TextId,
    policy: NumaPolicy,
    placement: Placement,
    /// The last message shown.
    said: String,
}

impl NumaOption {
    pub(crate) fn declare(options: &mut Options) -> Self {
        let help = "which threads run on which processors where memory has nodes: none, system, auto, hardware or a list \
                    such as 0-15:16-31";
        let id = options.string("NumaPolicy", "auto", help);
        Self { id, policy: NumaPolicy::default(), placement: Placement::free(), said: String::new() }
    }

    /// The placement of threads. If a policy cannot be applied, the former placement stays; `note` shows that once.
    pub(crate) fn placement(
        &mut self,
        options: &Options,
        threads: usize,
        note: &mut dyn FnMut(&str),
    ) -> &Placement {
        let said = match self.follow(options.get(self.id), Topology::of_this_machine().as_ref()) {
            Ok(()) => describe(&self.placement.threads_per_node(threads)),
            Err(message) => format!("Error! NumaPolicy: {message}; {} is kept", self.policy),
        };
        if self.said != said {
            if !said.is_empty() {
                note(&said);
            }
            self.said = said;
        }
        &self.placement
    }

    fn follow(&mut self, wanted: &str, topology: Option<&Topology>) -> Result<(), String> {
        let policy: NumaPolicy = wanted.parse().map_err(|error| format!("{error}"))?;
        let placement = match topology {
            Some(topology) => topology.placement(&policy),
            None if matches!(policy, NumaPolicy::Auto | NumaPolicy::None) => Ok(Placement::free()),
            None => Err(NumaError::Unknown),
        };
        self.placement = placement.map_err(|error| error.to_string())?;
        self.policy = policy;
        Ok(())
    }
}

/// Empty if the system places the threads.
fn describe(per_node: &[usize]) -> String {
    let counts: Vec<String> = per_node.iter().map(ToString::to_string).collect();
    match counts.as_slice() {
        [] => String::new(),
        [one] => format!("NUMA: {one} threads bound to one set of processors"),
        many => format!("NUMA: threads bound to {} nodes: {}", many.len(), many.join(" + ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_up() -> (Options, NumaOption) {
        let mut options = Options::new();
        let option = NumaOption::declare(&mut options);
        (options, option)
    }

    fn notes(option: &mut NumaOption, options: &Options) -> Vec<String> {
        let mut notes = Vec::new();
        option.placement(options, 4, &mut |note| notes.push(note.to_owned()));
        notes
    }

    #[test]
    fn a_bad_policy_is_noted_once_and_changes_nothing() {
        let (mut options, mut option) = set_up();
        options.set(option.id, "none").unwrap();
        assert_eq!(notes(&mut option, &options), [""; 0]);
        options.set(option.id, "0-1,x:3").unwrap();
        let message = "Error! NumaPolicy: expected processors such as 0-15,32-47 with numbers below 1024, \
                       found `0-1,x`; none is kept";
        assert_eq!(notes(&mut option, &options), [message]);
        assert_eq!(notes(&mut option, &options), [""; 0]);
        assert_eq!(option.policy, NumaPolicy::None);
    }

    #[test]
    fn where_nodes_are_unknown_only_policies_that_need_them_are_refused() {
        let (_, mut option) = set_up();
        for harmless in ["none", "auto"] {
            assert_eq!(option.follow(harmless, None), Ok(()));
        }
        for policy in ["system", "hardware", "0:1"] {
            assert!(option.follow(policy, None).is_err());
        }
        assert_eq!(option.policy, NumaPolicy::Auto);
    }

    #[test]
    fn bound_threads_are_described() {
        assert_eq!(describe(&[]), "");
        assert_eq!(describe(&[4]), "NUMA: 4 threads bound to one set of processors");
        assert_eq!(describe(&[3, 2]), "NUMA: threads bound to 2 nodes: 3 + 2");
    }
}
