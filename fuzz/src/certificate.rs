//! Certificates of mates.

use mate::Certificate;

/// Bytes are refused in few words, or read; what is read survives being written, and checking it comes to an end.
pub fn certificate(data: &[u8]) {
    match Certificate::from_bytes(data) {
        Ok(certificate) => {
            let again = Certificate::from_bytes(&certificate.to_bytes());
            assert_eq!(again.as_ref(), Ok(&certificate));
            if let Err(error) = certificate.verify() {
                assert!(error.to_string().len() < 500, "a long message: {error}");
            }
        }
        Err(error) => assert!(error.to_string().len() < 500, "a long message: {error}"),
    }
}
