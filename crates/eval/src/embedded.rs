//! The network that is part of the program.

use crate::nnue::{Isa, Network, NetworkError, NnueEvaluation, Parameters};
use std::borrow::Cow;
use std::io::Read;
use std::sync::Arc;

/// A network compressed with zstd, as the folder `nets` holds one when the program is built.
///
/// ```
/// use eval::EmbeddedNet;
/// use eval::nnue::Isa;
/// if let Some(net) = EmbeddedNet::of_build() {
///     net.unpack(Isa::best()).expect("it was tried when it was built in");
/// }
/// ```
#[derive(Clone, Debug)]
pub struct EmbeddedNet {
    compressed: Cow<'static, [u8]>,
    fv_scale: i32,
}

/// An embedded network that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedNetError {
    /// It is not compressed with zstd, or damaged.
    #[error("the embedded network cannot be unpacked: {0}")]
    Compression(String),
    /// It is longer than any network.
    #[error("the embedded network unpacks to more than {LONGEST} bytes")]
    TooLong,
    /// What it unpacks to is no network.
    #[error("the embedded network: {0}")]
    Network(#[from] NetworkError),
}

/// More than the largest network in use has: `HalfKPE9` needs 578 MB.
const LONGEST: u64 = 1 << 30;

impl EmbeddedNet {
    /// The network of this build, if it has one.
    #[must_use]
    pub fn of_build() -> Option<Self> {
        /// Empty where there was none.
        static COMPRESSED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/nn.bin.zst"));
        const FV_SCALE: &str = env!("TSUMUGI_NET_FV_SCALE");
        // The build script has read the number before.
        (!COMPRESSED.is_empty()).then(|| Self::new(COMPRESSED, FV_SCALE.parse().unwrap_or(16)))
    }

    /// A file compressed with zstd whose values are divided by `fv_scale`.
    #[must_use]
    pub fn new(compressed: impl Into<Cow<'static, [u8]>>, fv_scale: i32) -> Self {
        Self { compressed: compressed.into(), fv_scale }
    }

    /// What its values are divided by.
    #[must_use]
    pub fn fv_scale(&self) -> i32 {
        self.fv_scale
    }

    /// Unpacks it and makes it ready for an instruction set.
    pub fn unpack(&self, isa: Isa) -> Result<NnueEvaluation, EmbeddedNetError> {
        let damaged = |error: &dyn std::fmt::Display| EmbeddedNetError::Compression(error.to_string());
        let decoder = ruzstd::decoding::StreamingDecoder::new(self.compressed.as_ref());
        let mut file = Vec::new();
        let length = decoder
            .map_err(|error| damaged(&error))?
            .take(LONGEST + 1)
            .read_to_end(&mut file)
            .map_err(|error| damaged(&error))?;
        if length as u64 > LONGEST {
            return Err(EmbeddedNetError::TooLong);
        }
        let loaded = Parameters::read(&file[..], length as u64)?;
        Ok(NnueEvaluation::new(Arc::new(Network::with_isa(loaded.parameters, isa)), self.fv_scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{Architecture, Features, scale};
    use game::Evaluation;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use shogi::Position;

    fn compressed(parameters: &Parameters) -> Vec<u8> {
        let mut file = Vec::new();
        parameters.write(&mut file).unwrap();
        compress_to_vec(&file[..], CompressionLevel::Fastest)
    }

    #[test]
    fn it_unpacks_to_the_same_network() {
        let parameters = Parameters::random(&Architecture::classic(Features::Kp, 32, 8, 8), 3);
        let mut evaluation = EmbeddedNet::new(compressed(&parameters), 24).unpack(Isa::best()).unwrap();
        let position = Position::startpos();
        evaluation.refresh(&position);
        assert_eq!(evaluation.value(&position), scale(parameters.evaluate(&position), 24));
    }

    #[test]
    fn damage_is_told() {
        let parameters = Parameters::random(&Architecture::classic(Features::Kp, 32, 8, 8), 3);
        let whole = compressed(&parameters);
        let refused =
            |bytes: &[u8]| EmbeddedNet::new(bytes.to_owned(), 16).unpack(Isa::Plain).unwrap_err().to_string();
        for bytes in [&[][..], b"nothing of the kind", &whole[..whole.len() / 2]] {
            let message = refused(bytes);
            assert!(message.starts_with("the embedded network cannot be unpacked: "), "{message}");
        }
        let message = refused(&compress_to_vec(&b"hello"[..], CompressionLevel::Fastest));
        assert!(message.starts_with("the embedded network: "), "{message}");
    }
}
