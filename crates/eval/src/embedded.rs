//! The network that is compiled into the program.

use crate::WriteError;
use crate::new_files::NewFiles;
use crate::nnue::{Isa, Network, NetworkError, NnueEvaluation, Parameters};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::borrow::Cow;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// A network compressed with zstd, taken from the folder `nets` when the program is built.
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
    /// It does not unpack to a network.
    #[error("the embedded network: {0}")]
    Network(NetworkError),
}

// Not `#[from]`, which would make it a source as well: the text above already contains it.
impl From<NetworkError> for EmbeddedNetError {
    fn from(error: NetworkError) -> Self {
        Self::Network(error)
    }
}

/// More than the size of the largest network in use: `HalfKPE9` needs 578 MB.
const LONGEST: u64 = 1 << 30;

impl EmbeddedNet {
    /// The file that the build looks for in the folder `nets` (`build.rs`).
    pub const FILE_NAME: &str = "nn.bin.zst";
    /// The file with the divisor of the network's values (`FV_SCALE`).
    pub const SCALE_NAME: &str = "fv_scale.txt";
    /// The file that describes the network.
    pub const CARD_NAME: &str = "CARD.md";

    /// Whether a file has the header of zstd.
    #[must_use]
    pub fn is_compressed(file: &[u8]) -> bool {
        file.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
    }

    /// The network of this build, if there is one.
    #[must_use]
    pub fn of_build() -> Option<Self> {
        /// Empty if the build had none.
        static COMPRESSED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/nn.bin.zst"));
        const FV_SCALE: &str = env!("TSUMUGI_NET_FV_SCALE");
        // The build script has checked the number.
        (!COMPRESSED.is_empty()).then(|| Self::new(COMPRESSED, FV_SCALE.parse().unwrap_or(16)))
    }

    /// A file compressed with zstd, and the divisor of its values.
    #[must_use]
    pub fn new(compressed: impl Into<Cow<'static, [u8]>>, fv_scale: i32) -> Self {
        Self { compressed: compressed.into(), fv_scale }
    }

    /// The divisor of its values (`FV_SCALE`).
    #[must_use]
    pub fn fv_scale(&self) -> i32 {
        self.fv_scale
    }

    /// Compresses a file. The program `zstd -19` takes longer and compresses better: the public K-P network becomes a
    /// quarter smaller.
    #[must_use]
    pub fn compress(file: &[u8], fv_scale: i32) -> Self {
        Self::new(compress_to_vec(file, CompressionLevel::Fastest), fv_scale)
    }

    /// The compressed bytes.
    #[must_use]
    pub fn compressed(&self) -> &[u8] {
        &self.compressed
    }

    /// Writes the files that the build looks for in the folder `nets`, and a card that describes the network.
    pub fn save(&self, folder: &Path, card: &str) -> Result<(), WriteError> {
        let mut files = NewFiles::new(folder);
        files.write(Self::FILE_NAME, |sink| sink.put(&self.compressed))?;
        files.write(Self::SCALE_NAME, |sink| sink.put(format!("{}\n", self.fv_scale).as_bytes()))?;
        files.write(Self::CARD_NAME, |sink| sink.put(card.as_bytes()))?;
        files.finish()
    }

    /// The uncompressed network file.
    pub fn file(&self) -> Result<Vec<u8>, EmbeddedNetError> {
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
        Ok(file)
    }

    /// Unpacks it and prepares it for an instruction set.
    pub fn unpack(&self, isa: Isa) -> Result<NnueEvaluation, EmbeddedNetError> {
        let file = self.file()?;
        let loaded = Parameters::read(&file[..], file.len() as u64)?;
        Ok(NnueEvaluation::new(Arc::new(Network::with_isa(loaded.parameters, isa)), self.fv_scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::{Architecture, Features, scale};
    use game::Evaluation;
    use shogi::Position;

    fn compressed(parameters: &Parameters) -> EmbeddedNet {
        let mut file = Vec::new();
        parameters.write(&mut file).unwrap();
        EmbeddedNet::compress(&file, 24)
    }

    #[test]
    fn it_unpacks_to_the_same_network() {
        let parameters = Parameters::random(&Architecture::classic(Features::Kp, 32, 8, 8), 3);
        let mut evaluation = compressed(&parameters).unpack(Isa::best()).unwrap();
        let position = Position::startpos();
        evaluation.refresh(&position);
        assert_eq!(evaluation.value(&position), scale(parameters.evaluate(&position), 24));
    }

    #[test]
    fn damage_is_told() {
        let parameters = Parameters::random(&Architecture::classic(Features::Kp, 32, 8, 8), 3);
        let whole = compressed(&parameters).compressed().to_vec();
        let refused =
            |bytes: &[u8]| EmbeddedNet::new(bytes.to_owned(), 16).unpack(Isa::Plain).unwrap_err().to_string();
        for bytes in [&[][..], b"nothing of the kind", &whole[..whole.len() / 2]] {
            let message = refused(bytes);
            assert!(message.starts_with("the embedded network cannot be unpacked: "), "{message}");
        }
        let message = refused(EmbeddedNet::compress(b"hello", 16).compressed());
        assert!(message.starts_with("the embedded network: "), "{message}");
    }

    #[test]
    fn the_folder_of_the_build() {
        let folder = tempfile::tempdir().unwrap();
        let net = compressed(&Parameters::random(&Architecture::classic(Features::Kp, 32, 8, 8), 3));
        net.save(folder.path(), "a card").unwrap();
        let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
        assert_eq!(read("nn.bin.zst"), net.compressed());
        assert!(EmbeddedNet::is_compressed(&read("nn.bin.zst")));
        assert_eq!((read("fv_scale.txt"), read("CARD.md")), (b"24\n".to_vec(), b"a card".to_vec()));
    }
}
