//! Which thread runs on which node.

use super::Processors;

/// Where the threads of searches run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Placement {
    nodes: Vec<Processors>,
    /// With fewer threads than this, placement is left to the system.
    fewest: usize,
}

impl Placement {
    /// Placement by the system.
    #[must_use]
    pub fn free() -> Self {
        Self::default()
    }

    /// On these nodes, in order.
    pub(super) fn on(nodes: Vec<Processors>) -> Self {
        Self { nodes, fewest: 1 }
    }

    /// On the nodes that have processors, if there are several and `fewest` is reached.
    pub(super) fn over(mut nodes: Vec<Processors>, fewest: usize) -> Self {
        nodes.retain(|node| !node.is_empty());
        if nodes.len() > 1 { Self { nodes, fewest } } else { Self::free() }
    }

    /// How many of `threads` threads run on each node; empty if they are not bound.
    #[must_use]
    pub fn threads_per_node(&self, threads: usize) -> Vec<usize> {
        let seats = self.seats(threads);
        let on = |node| seats.nodes().iter().filter(|of_thread| **of_thread == node).count();
        if seats.are_free() { Vec::new() } else { (0..self.nodes.len()).map(on).collect() }
    }

    /// Each thread goes to the node that it fills least. Where a thread goes does not depend on later ones.
    #[must_use]
    pub fn seats(&self, threads: usize) -> Seats<'_> {
        let mut taken = vec![0; self.nodes.len()];
        let bound = if threads < self.fewest { 0 } else { threads };
        let of_thread = (0..bound).filter_map(|_| {
            // a / b < c / d in integers; the larger node gets the first thread.
            let fuller = |a: &usize, b: &usize| {
                ((taken[*a] + 1) * self.nodes[*b].len()).cmp(&((taken[*b] + 1) * self.nodes[*a].len()))
            };
            let node = (0..self.nodes.len()).min_by(fuller)?;
            taken[node] += 1;
            Some(node)
        });
        let of_thread = of_thread.collect();
        Seats { nodes: &self.nodes, of_thread }
    }
}

/// The places of a number of threads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seats<'a> {
    nodes: &'a [Processors],
    /// The node of each thread; empty if threads are left to the system.
    of_thread: Vec<usize>,
}

impl Seats<'_> {
    /// Whether threads are placed by the system.
    #[must_use]
    pub fn are_free(&self) -> bool {
        self.of_thread.is_empty()
    }

    /// The node of each thread.
    #[must_use]
    pub fn nodes(&self) -> &[usize] {
        &self.of_thread
    }

    /// The threads of each node that has any.
    fn threads_by_node(&self) -> Vec<Vec<usize>> {
        let mut by_node = vec![Vec::new(); self.nodes.len()];
        for (thread, node) in self.of_thread.iter().enumerate() {
            by_node[*node].push(thread);
        }
        by_node.retain(|threads| !threads.is_empty());
        by_node
    }

    /// Distributes memory that all threads share, piece by piece, so that each node gets an equal part.
    pub fn deal<'m>(&self, memory: &'m mut [u8], piece: usize) -> Vec<Vec<&'m mut [u8]>> {
        let by_node = self.threads_by_node();
        let mut parts: Vec<Vec<&mut [u8]>> = self.of_thread.iter().map(|_| Vec::new()).collect();
        for (number, piece) in memory.chunks_mut(piece).enumerate() {
            let threads = &by_node[number % by_node.len()];
            parts[threads[number / by_node.len() % threads.len()]].push(piece);
        }
        parts
    }

    /// Binds the calling thread to the processors of `thread`'s node until the guard is dropped. If the system refuses,
    /// the thread is not bound.
    #[must_use]
    pub fn take(&self, thread: usize) -> Option<Seat> {
        let node = *self.of_thread.get(thread)?;
        Seat::on(&self.nodes[node])
    }
}

/// Binds the calling thread to some processors for its lifetime.
pub struct Seat {
    #[cfg(target_os = "linux")]
    before: rustix::thread::CpuSet,
}

impl Seat {
    #[cfg(target_os = "linux")]
    fn on(processors: &Processors) -> Option<Self> {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let before = sched_getaffinity(None).ok()?;
        let mut set = CpuSet::new();
        processors.iter().for_each(|processor| set.set(processor));
        sched_setaffinity(None, &set).ok()?;
        Some(Self { before })
    }

    #[cfg(not(target_os = "linux"))]
    fn on(_: &Processors) -> Option<Self> {
        None
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        // If the system refuses, the thread stays bound.
        #[cfg(target_os = "linux")]
        let _ = rustix::thread::sched_setaffinity(None, &self.before);
    }
}

/// Whether [`pin_to_core`] does anything on this system.
pub const CAN_PIN: bool = cfg!(target_os = "linux");

/// Binds the calling thread, and the programs it starts, to one core. Best effort: without permission the system
/// chooses.
pub fn pin_to_core(core: usize) {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_setaffinity};
        let mut set = CpuSet::new();
        if core < CpuSet::MAX_CPU {
            set.set(core);
            let _ = sched_setaffinity(None, &set);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = core;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(nodes: &[&str]) -> Placement {
        Placement::on(nodes.iter().map(|node| node.parse().expect("a list")).collect())
    }

    #[test]
    fn threads_fill_nodes_by_their_size() {
        let uneven = placement(&["0-1", "2-7"]);
        assert_eq!(uneven.seats(8).nodes(), [1, 1, 0, 1, 1, 1, 0, 1]);
        assert_eq!(uneven.threads_per_node(8), [2, 6]);
        assert_eq!(uneven.threads_per_node(2), [0, 2]);
        for threads in 0..20 {
            let fewer = uneven.seats(threads);
            assert_eq!(uneven.seats(20).nodes()[..threads], *fewer.nodes());
        }
        assert!(Placement::free().seats(8).are_free());
        assert_eq!(Placement::free().threads_per_node(8), []);
    }

    #[test]
    fn nodes_get_the_same_share_of_memory() {
        // Three threads on two nodes: 0 and 2 on the first.
        let placement = placement(&["0-1", "2-3"]);
        let seats = placement.seats(3);
        assert_eq!(seats.nodes(), [0, 1, 0]);
        let mut memory = vec![0; 81];
        let parts = seats.deal(&mut memory, 10);
        let sizes: Vec<usize> = parts.iter().map(|part| part.iter().map(|piece| piece.len()).sum()).collect();
        assert_eq!(sizes, [21, 40, 20]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_seat_is_taken_and_left() {
        use rustix::thread::sched_getaffinity;
        let here = || sched_getaffinity(None).expect("a thread knows its processors");
        let before = here();
        let Some(first) = (0..Processors::MAX).find(|processor| before.is_set(*processor)) else { return };
        let placement = placement(&[&first.to_string()]);
        let seat = placement.seats(1).take(0);
        assert!(seat.is_some());
        assert!(here().is_set(first) && here().count() == 1);
        drop(seat);
        assert_eq!(here(), before);
        assert!(placement.seats(1).take(1).is_none(), "there is no second thread");
    }
}
