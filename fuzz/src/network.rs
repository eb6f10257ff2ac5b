//! Network files.

use eval::nnue::Parameters;

/// A file is refused in few words, or it is written again as it was: byte for byte but for the hashes, the
/// description and what pads rows.
///
/// Networks in use are too large for a fuzzer, so the numbers of a network are made up: what the bytes say stops
/// somewhere, and zeros follow up to a length that their first two bytes choose.
pub fn network(data: &[u8]) {
    let Some((zeros, file)) = data.split_at_checked(2) else { return };
    let zeros = 16 * usize::from(u16::from_le_bytes([zeros[0], zeros[1]]));
    let mut file = file.to_vec();
    file.resize(file.len() + zeros, 0);
    match Parameters::read(&file[..], file.len() as u64) {
        Ok(loaded) => {
            let mut again = Vec::new();
            loaded.parameters.write(&mut again).expect("memory can be written");
            let length = again.len() as u64;
            let once_more = Parameters::read(&again[..], length).expect("what was written can be read");
            assert!(once_more.mismatches.is_empty(), "{:?}", once_more.mismatches);
            let mut third = Vec::new();
            once_more.parameters.write(&mut third).expect("memory can be written");
            assert_eq!(again, third);
            assert_eq!(loaded.parameters.facts(), once_more.parameters.facts());
            let shape = loaded.parameters.architecture();
            let layers = loaded.parameters.layers();
            let built = Parameters::from_layers(shape, &layers).expect("what was taken apart fits");
            assert_eq!(built.layers(), layers);
            let position = shogi::Position::startpos();
            assert_eq!(loaded.parameters.evaluate(&position), once_more.parameters.evaluate(&position));
        }
        Err(error) => assert!(error.to_string().len() < 1500, "a long message: {error}"),
    }
    // A length that is not the file's: nothing is read beyond either.
    for length in [0, 1, file.len() as u64 / 2, file.len() as u64 + 1, u64::MAX] {
        if length != file.len() as u64 {
            let _ = Parameters::read(&file[..], length);
        }
    }
}
