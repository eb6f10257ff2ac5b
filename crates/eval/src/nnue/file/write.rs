//! Writing network files.

use crate::new_files::NewFiles;
use crate::nnue::file::leb128;
use crate::nnue::shape::architecture::PROGRESS_HASH;
use crate::nnue::{FILE_NAME, Model, NetworkError, Parameters, VERSION};
use std::io::{BufWriter, Write};
use std::path::Path;

impl Parameters {
    /// Writes the network as `nn.bin` of a folder (created if missing), atomically.
    pub fn save(&self, folder: &Path) -> Result<(), NetworkError> {
        self.save_as(&folder.join(FILE_NAME))
    }

    /// Like [`Parameters::save`], under another file name.
    pub fn save_as(&self, path: &Path) -> Result<(), NetworkError> {
        let (mut files, name) = NewFiles::beside(path)?;
        files.write(name, |sink| {
            let mut writer = BufWriter::with_capacity(1 << 16, sink);
            self.write(&mut writer)?;
            Ok::<_, NetworkError>(writer.flush()?)
        })?;
        Ok(files.finish()?)
    }

    /// Writes the network as a file that [`Parameters::read`] and other engines can read. Facts follow the architecture
    /// in the header's text.
    pub fn write(&self, writer: &mut impl Write) -> Result<(), NetworkError> {
        let shape = &self.shape;
        let description = match &self.facts {
            facts if facts.is_empty() => shape.to_string(),
            facts => format!("{shape} {facts}"),
        };
        writer.write_all(&VERSION.to_le_bytes())?;
        writer.write_all(&shape.hash().to_le_bytes())?;
        writer.write_all(&(description.len() as u32).to_le_bytes())?;
        writer.write_all(description.as_bytes())?;
        writer.write_all(&shape.transformer_hash().to_le_bytes())?;
        self.write_transformer(writer)?;
        if let Some(progress) = &self.progress {
            writer.write_all(&PROGRESS_HASH.to_le_bytes())?;
            writer.write_all(&progress.bias.to_le_bytes())?;
            for weight in &progress.weights {
                writer.write_all(&weight.to_le_bytes())?;
            }
        }
        for stack in &self.stacks {
            writer.write_all(&shape.network_hash().to_le_bytes())?;
            for layer in &stack.0 {
                for bias in &layer.bias {
                    writer.write_all(&bias.to_le_bytes())?;
                }
                let weights: Vec<u8> = layer.weights.iter().map(|weight| *weight as u8).collect();
                writer.write_all(&weights)?;
            }
        }
        Ok(())
    }

    fn write_transformer(&self, writer: &mut impl Write) -> Result<(), NetworkError> {
        let transformer = &self.transformer;
        let rows = transformer
            .weights
            .chunks_exact(transformer.stride)
            .flat_map(|row| transformer.in_file_order(row));
        let bias = transformer.in_file_order(&transformer.bias);
        match self.shape.model {
            Model::Classic => {
                for number in bias.chain(rows) {
                    writer.write_all(&number.to_le_bytes())?;
                }
            }
            // Files contain half of the summed numbers.
            Model::Stacked(_) => {
                let bias: Vec<i16> = bias.map(|number| number / 2).collect();
                leb128::write(writer, bias.into_iter())?;
                leb128::write(writer, rows.map(|number| number / 2))?;
            }
        }
        Ok(())
    }
}
