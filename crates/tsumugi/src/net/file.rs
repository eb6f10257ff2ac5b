//! A network file on disk or in this program, compressed or not.

use anyhow::Context;
use eval::EmbeddedNet;
use eval::nnue::{FILE_NAME, Loaded, Parameters};
use std::path::Path;

/// A network file and what is in it.
pub struct NetFile {
    pub name: String,
    /// Unpacked.
    pub bytes: Vec<u8>,
    /// Of the compressed file, if it is one.
    pub compressed: Option<usize>,
    pub loaded: Loaded,
    /// What values are divided by, where that is known for sure.
    pub fv_scale: Option<i32>,
}

impl NetFile {
    /// A file, or `nn.bin` of a folder.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let path = if path.is_dir() { &path.join(FILE_NAME) } else { path };
        let name = path.display().to_string();
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
        Self::from_bytes(name, bytes)
    }

    /// The network that is part of this program.
    pub fn built_in() -> anyhow::Result<Self> {
        let net = EmbeddedNet::of_build().context("no network is built into this program: name a file")?;
        let file = Self::from_bytes("the built-in network".to_owned(), net.compressed().to_vec())?;
        Ok(Self { fv_scale: Some(net.fv_scale()), ..file })
    }

    /// The same with more told in its header.
    pub fn telling(mut self, facts: &[(String, String)]) -> anyhow::Result<Self> {
        for (name, value) in facts {
            self.loaded.parameters.facts_mut().set(name, value);
        }
        let mut bytes = Vec::new();
        self.loaded.parameters.write(&mut bytes)?;
        Self::from_bytes(self.name, bytes)
    }

    fn from_bytes(name: String, bytes: Vec<u8>) -> anyhow::Result<Self> {
        let refused = || format!("{name} is refused");
        let compressed = EmbeddedNet::is_compressed(&bytes).then_some(bytes.len());
        let bytes = match compressed {
            Some(_) => EmbeddedNet::new(bytes, 1).file().with_context(refused)?,
            None => bytes,
        };
        let loaded = Parameters::read(&bytes[..], bytes.len() as u64).with_context(refused)?;
        let told = loaded.parameters.facts().get("fv_scale").and_then(|scale| scale.parse().ok());
        let fv_scale = told.filter(|scale| (1..=128).contains(scale));
        Ok(Self { name, bytes, compressed, loaded, fv_scale })
    }
}
