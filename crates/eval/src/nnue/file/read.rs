//! Reading network files.

use crate::nnue::file::leb128;
use crate::nnue::file::source::Source;
use crate::nnue::shape::architecture::PROGRESS_HASH;
use crate::nnue::{
    Architecture, ArchitectureError, Facts, HashMismatch, Model, NetworkError, Parameters, VERSION,
};
use std::io::Read;

/// A network read from a file, with warnings.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The network.
    pub parameters: Parameters,
    /// Hashes that are not those of the shape; worth a warning.
    pub mismatches: Vec<HashMismatch>,
}

/// Longer descriptions are not read.
const LONGEST_DESCRIPTION: u64 = 1 << 16;

const HEADER: &str = "the header";
const TRANSFORMER: &str = "the feature transformer";
const PROGRESS: &str = "the progress table";
const LAYERS: &str = "the layers";

impl Parameters {
    /// Reads a network from a file of known length. Memory is allocated only after the length has been found to match
    /// the architecture in the header.
    ///
    /// ```
    /// use eval::nnue::{Architecture, Features, Parameters};
    /// let shape = Architecture::classic(Features::Kp, 32, 8, 8);
    /// let mut file = Vec::new();
    /// Parameters::random(&shape, 1).write(&mut file)?;
    /// let loaded = Parameters::read(&file[..], file.len() as u64)?;
    /// assert_eq!(*loaded.parameters.architecture(), shape);
    /// assert!(loaded.mismatches.is_empty());
    /// let cut = Parameters::read(&file[..5000], 5000).unwrap_err();
    /// assert!(cut.to_string().starts_with("the file is truncated"), "{cut}");
    /// # Ok::<(), eval::nnue::NetworkError>(())
    /// ```
    pub fn read(reader: impl Read, length: u64) -> Result<Loaded, NetworkError> {
        let mut source = Source::new(reader, length);
        let mut mismatches = Vec::new();
        let (shape, facts) = read_header(&mut source, &mut mismatches)?;
        check_length(&shape, &source, length)?;
        let mut parameters = Self { facts, ..Self::try_zeroed(&shape)? };
        let mut check = |section, expected, found| {
            if expected != found {
                mismatches.push(HashMismatch { section, expected, found });
            }
        };
        check(TRANSFORMER, shape.transformer_hash(), source.u32(TRANSFORMER)?);
        parameters.read_transformer(&mut source)?;
        if let Some(progress) = &mut parameters.progress {
            check(PROGRESS, PROGRESS_HASH, source.u32(PROGRESS)?);
            progress.bias = source.i32(PROGRESS)?;
            source.i32s(PROGRESS, &mut progress.weights)?;
        }
        for stack in &mut parameters.stacks {
            check(LAYERS, shape.network_hash(), source.u32(LAYERS)?);
            for layer in &mut stack.0 {
                source.i32s(LAYERS, &mut layer.bias)?;
                source.i8s(LAYERS, &mut layer.weights)?;
                let (inputs, row) = (layer.inputs, layer.inputs.next_multiple_of(32));
                // Padding of a row has no input.
                layer.weights.chunks_exact_mut(row).for_each(|row| row[inputs..].fill(0));
            }
        }
        parameters.keep_shards();
        if source.left() > 0 {
            let expected = length - source.left();
            return Err(NetworkError::TooLong { shape: Box::new(shape), expected, found: length });
        }
        Ok(Loaded { parameters, mismatches })
    }

    fn read_transformer<R: Read>(&mut self, source: &mut Source<R>) -> Result<(), NetworkError> {
        let transformer = &mut self.transformer;
        let width = transformer.width;
        match self.shape.model {
            Model::Classic => {
                // In the order of the file: the network is not prepared for evaluation yet.
                source.i16s(TRANSFORMER, &mut transformer.bias[..width])?;
                for row in transformer.weights.chunks_exact_mut(transformer.stride) {
                    source.i16s(TRANSFORMER, &mut row[..width])?;
                }
            }
            Model::Stacked(_) => {
                let (half, half_stride, stride) =
                    (transformer.half, transformer.half_stride, transformer.stride);
                let column = |index| if index < half { index } else { index - half + half_stride };
                let bias = &mut transformer.bias;
                leb128::read(source, TRANSFORMER, width, |index, value| {
                    bias[column(index)] = value.wrapping_mul(2);
                })?;
                let weights = &mut transformer.weights;
                let count = width * self.shape.features.dimensions();
                leb128::read(source, TRANSFORMER, count, |index, value| {
                    weights[index / width * stride + column(index % width)] = value.wrapping_mul(2);
                })?;
            }
        }
        Ok(())
    }
}

fn read_header<R: Read>(
    source: &mut Source<R>,
    mismatches: &mut Vec<HashMismatch>,
) -> Result<(Architecture, Facts), NetworkError> {
    let version = source.u32(HEADER)?;
    if version != VERSION {
        return Err(NetworkError::Version { found: version });
    }
    let hash = source.u32(HEADER)?;
    let length = u64::from(source.u32(HEADER)?);
    if length > LONGEST_DESCRIPTION {
        return Err(NetworkError::Description(length));
    }
    source.need(HEADER, length)?;
    let mut text = vec![0; length as usize];
    source.fill(HEADER, &mut text)?;
    let parsed = match str::from_utf8(&text) {
        Ok(text) => {
            let (shape, facts) = Facts::split(text.trim_end_matches('\0'));
            shape.parse().map(|shape| (shape, facts)).map_err(NetworkError::from)
        }
        Err(_) => Err(NetworkError::Description(length)),
    };
    // If the text says nothing, the hash may.
    let (shape, facts) = parsed
        .or_else(|error| Architecture::from_hash(hash).map(|shape| (shape, Facts::default())).ok_or(error))?;
    if shape.hash() != hash {
        mismatches.push(HashMismatch { section: HEADER, expected: shape.hash(), found: hash });
    }
    Ok((shape, facts))
}

/// Larger networks are refused, even if the file is as long as its header claims: the largest in use has 0.6 GB.
const MOST_BYTES: u64 = 4 << 30;

fn check_length<R: Read>(shape: &Architecture, source: &Source<R>, length: u64) -> Result<(), NetworkError> {
    let (plain, compressed) = shape.parameter_bytes();
    if plain + 2 * compressed > MOST_BYTES {
        return Err(ArchitectureError::Size(shape.to_string()).into());
    }
    // A compressed number takes one to three bytes; each of the two blocks has a header of 21 bytes.
    let (least, most) =
        if compressed == 0 { (plain, plain) } else { (plain + compressed + 42, plain + 3 * compressed + 42) };
    source.need("the network", least)?;
    if source.left() > most {
        let expected = length - source.left() + most;
        return Err(NetworkError::TooLong { shape: Box::new(*shape), expected, found: length });
    }
    Ok(())
}
