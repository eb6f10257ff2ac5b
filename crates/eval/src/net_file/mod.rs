//! Network files on disk or compiled in, compressed or not.

mod compare;
mod embed;
mod facts;

pub use compare::{Comparison, ComparisonError};
pub use embed::{EmbedError, Embedding};

use crate::nnue::{FILE_NAME, Features, FeaturesError, Loaded, NetworkError, Parameters};
use crate::{EmbeddedNet, EmbeddedNetError};
use std::io;
use std::path::Path;

/// A network file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NetFileError {
    /// It cannot be read.
    #[error("cannot read {name}: {error}")]
    Read {
        /// The file.
        name: String,
        /// Why not.
        error: io::Error,
    },
    /// There is no network in this program.
    #[error("no network is built into this program: name a file")]
    NoneBuiltIn,
    /// It cannot be unpacked.
    #[error("{name} is refused: {error}")]
    Compressed {
        /// The file.
        name: String,
        /// What is wrong.
        error: EmbeddedNetError,
    },
    /// It is not a network that is known.
    #[error("{name} is refused: {error}")]
    Refused {
        /// The file.
        name: String,
        /// What is wrong.
        error: NetworkError,
    },
    /// It cannot be written with other features.
    #[error("{name} cannot be exported: {error}")]
    Export {
        /// The file.
        name: String,
        /// Why not.
        error: FeaturesError,
    },
}

/// A network file and what is in it.
pub struct NetFile {
    /// Its path, or "the built-in network".
    pub name: String,
    /// Unpacked.
    pub bytes: Vec<u8>,
    /// Bytes of the compressed file, if it is one.
    pub compressed: Option<usize>,
    /// The network.
    pub loaded: Loaded,
    /// The divisor of its values, if the file states it.
    pub fv_scale: Option<i32>,
}

impl NetFile {
    /// A file, or `nn.bin` of a folder.
    pub fn read(path: &Path) -> Result<Self, NetFileError> {
        let path = if path.is_dir() { &path.join(FILE_NAME) } else { path };
        let name = path.display().to_string();
        match std::fs::read(path) {
            Ok(bytes) => Self::from_bytes(name, bytes),
            Err(error) => Err(NetFileError::Read { name, error }),
        }
    }

    /// The network that is part of this program.
    pub fn built_in() -> Result<Self, NetFileError> {
        let net = EmbeddedNet::of_build().ok_or(NetFileError::NoneBuiltIn)?;
        let file = Self::from_bytes("the built-in network".to_owned(), net.compressed().to_vec())?;
        Ok(Self { fv_scale: Some(net.fv_scale()), ..file })
    }

    /// The same file with more facts in its header.
    pub fn with_facts(mut self, facts: &[(String, String)]) -> Result<Self, NetFileError> {
        for (name, value) in facts {
            self.loaded.parameters.facts_mut().set(name, value);
        }
        let mut bytes = Vec::new();
        match self.loaded.parameters.write(&mut bytes) {
            Ok(()) => Self::from_bytes(self.name, bytes),
            Err(error) => Err(NetFileError::Refused { name: self.name, error }),
        }
    }

    /// Converts the network to other features without changing the value of any position. The second result is whether
    /// boards with a king on the middle file are no longer mirrored, which does change the values of such positions.
    pub fn export(self, features: Features) -> Result<(Parameters, bool), NetFileError> {
        let parameters = self.loaded.parameters;
        let leant = parameters.architecture().features.lean();
        match parameters.upright().with_features(features) {
            Ok(exported) => Ok((exported, leant)),
            Err(error) => Err(NetFileError::Export { name: self.name, error }),
        }
    }

    fn from_bytes(name: String, bytes: Vec<u8>) -> Result<Self, NetFileError> {
        let compressed = EmbeddedNet::is_compressed(&bytes).then_some(bytes.len());
        let bytes = match compressed {
            Some(_) => match EmbeddedNet::new(bytes, 1).file() {
                Ok(bytes) => bytes,
                Err(error) => return Err(NetFileError::Compressed { name, error }),
            },
            None => bytes,
        };
        let loaded = match Parameters::read(&bytes[..], bytes.len() as u64) {
            Ok(loaded) => loaded,
            Err(error) => return Err(NetFileError::Refused { name, error }),
        };
        let stated = loaded.parameters.facts().get("fv_scale").and_then(|scale| scale.parse().ok());
        let fv_scale = stated.filter(|scale| (1..=128).contains(scale));
        Ok(Self { name, bytes, compressed, loaded, fv_scale })
    }
}
