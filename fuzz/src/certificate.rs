//! Certificates of mates.

/// Bytes are refused in few words, or what they prove is said; checking comes to an end.
pub fn certificate(data: &[u8]) {
    if let Err(error) = proof::check(data) {
        assert!(error.to_string().len() < 500, "a long message: {error}");
    }
}
