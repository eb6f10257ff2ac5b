//! Envelopes of the cluster: jobs, results, events, states.

/// Bytes are read or refused, and what was read is written as it was.
pub fn envelope(data: &[u8]) {
    cluster::envelope::fuzz(data);
}
