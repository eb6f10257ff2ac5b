//! Commands on files of real-valued networks.

use crate::fit::{Activations, FloatNet, FloatNetError, GrowthError, RoundingError, random_positions};
use crate::output::Output;
use eval::nnue::{self, Architecture, NetworkError};
use eval::{NetFile, NetFileError};
use std::path::{Path, PathBuf};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum NetFilesError {
    /// A real-valued network cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Its file.
        path: PathBuf,
        /// Why.
        error: FloatNetError,
    },
    /// A quantised network cannot be read.
    #[error(transparent)]
    NetFile(#[from] NetFileError),
    /// An architecture that cannot be trained.
    #[error("{} has a shape that cannot be trained", .0.display())]
    Untrainable(PathBuf),
    /// The network cannot grow to the architecture.
    #[error(transparent)]
    Growth(#[from] GrowthError),
    /// The number of weights is wrong.
    #[error("{networks} networks, but {shares} shares; expected one for each")]
    Shares {
        /// Number of networks.
        networks: usize,
        /// Number of weights.
        shares: usize,
    },
    /// The networks have no mean.
    #[error("no mean can be computed: expected networks of one shape, and shares with a sum above 0")]
    NoMean,
    /// A file of another kind exists.
    #[error(transparent)]
    Overwrite(#[from] book::BookError),
    /// The result cannot be written.
    #[error(transparent)]
    Write(#[from] FloatNetError),
    /// The quantised network cannot be written.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

fn load(path: &Path) -> Result<FloatNet, NetFilesError> {
    FloatNet::load(path).map_err(|error| NetFilesError::Read { path: path.to_owned(), error })
}

impl FloatNet {
    /// Quantises a file to another file, or to `nn.bin` in a folder, and compares values on random positions. Returns
    /// lines about the rounding error.
    pub fn quantise_file(
        input: &Path,
        out: &Path,
        force: bool,
        positions: usize,
    ) -> Result<Vec<String>, NetFilesError> {
        let net = load(input)?;
        let out = if out.is_dir() { out.join(nnue::FILE_NAME) } else { out.to_owned() };
        Output::Network.check(&out, force)?;
        net.save_quantised(&out)?;
        let (positions, quantised) = (random_positions(positions, 1), net.quantise());
        let mut lines = vec![format!("{}: {}", out.display(), net.architecture())];
        for (what, real, activations) in [
            ("real numbers", &net, Activations::Real),
            ("real numbers rounded alike", &net.rounded(), Activations::Cut),
        ] {
            let error = RoundingError::measure(real, activations, &quantised, &positions);
            lines.push(format!("values differ from {what} {error} of {} random positions", positions.len()));
        }
        Ok(lines)
    }

    /// Writes the real-valued form of a quantised network, grown to an architecture if one is given.
    pub fn unquantise_file(
        input: &Path,
        out: &Path,
        force: bool,
        shape: Option<&Architecture>,
    ) -> Result<Self, NetFilesError> {
        let parameters = NetFile::read(input)?.loaded.parameters;
        let net =
            Self::from_quantised(&parameters).ok_or_else(|| NetFilesError::Untrainable(input.to_owned()))?;
        let net = match shape {
            Some(shape) => net.grow(shape, 1)?,
            None => net,
        };
        net.save_unless_other(out, force)
    }

    /// Writes the weighted mean of files; without weights, all count equally.
    pub fn mean_of_files(
        nets: &[PathBuf],
        shares: &[f32],
        out: &Path,
        force: bool,
    ) -> Result<Self, NetFilesError> {
        if !shares.is_empty() && shares.len() != nets.len() {
            return Err(NetFilesError::Shares { networks: nets.len(), shares: shares.len() });
        }
        let shares = shares.iter().copied().chain(std::iter::repeat(1.0));
        let nets: Vec<_> = nets
            .iter()
            .zip(shares)
            .map(|(path, share)| Ok((load(path)?, share)))
            .collect::<Result<_, NetFilesError>>()?;
        Self::mean(&nets).ok_or(NetFilesError::NoMean)?.save_unless_other(out, force)
    }

    fn save_unless_other(self, out: &Path, force: bool) -> Result<Self, NetFilesError> {
        Output::RealNetwork.check(out, force)?;
        self.save(out)?;
        Ok(self)
    }
}
