//! Networks of real numbers.

use train::fit::{FloatNet, parse_shape};

/// Bytes are refused in few words, or read; what is read survives being written, and can be quantised.
pub fn float_net(data: &[u8]) {
    match FloatNet::read(data, data.len() as u64) {
        Ok(net) => {
            let mut written = Vec::new();
            net.write(&mut written).expect("memory takes everything");
            assert!(FloatNet::read(&written[..], written.len() as u64).is_ok_and(|again| again == net));
            assert_eq!(net.quantise().architecture(), net.architecture());
        }
        Err(error) => assert!(error.to_string().len() < 1000, "a long message: {error}"),
    }
    // The first line as a shape on a command line.
    let line = data.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if let Some(shape) = str::from_utf8(line).ok().and_then(|text| parse_shape(text).ok()) {
        assert_eq!(shape.to_string().parse(), Ok(shape));
    }
}
