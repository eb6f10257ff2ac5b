//! From one format to another.

use super::save::Steps;
use super::transcode::transcode;
use super::{KpptError, KpptFormat, KpptTable, Losses, Progress};
use crate::new_files::NewFiles;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Entries converted at a time, which bounds the memory for files of any size.
const ENTRIES_AT_A_TIME: usize = 1 << 17;

/// Converts the files of one folder to another format in another folder (made if there is none; may be the same).
///
/// Old files keep their names until all new ones are written: a failure leaves everything as it was.
///
/// ```no_run
/// use eval::kppt::{KpptFormat, convert};
/// let from = (KpptFormat::Kppt32, "eval/elmo_yane27".as_ref());
/// let to = (KpptFormat::Kppt16, "eval/elmo_apery27".as_ref());
/// let losses = convert(from, to, |progress| eprintln!("{} / {}", progress.done, progress.total))?;
/// println!("{} numbers did not fit", losses.saturated);
/// # Ok::<(), eval::kppt::KpptError>(())
/// ```
pub fn convert(
    (from, source): (KpptFormat, &Path),
    (to, target): (KpptFormat, &Path),
    mut progress: impl FnMut(Progress),
) -> Result<Losses, KpptError> {
    // All sources are checked before anything is written.
    let mut files = Vec::with_capacity(KpptTable::ALL.len());
    for table in KpptTable::ALL {
        files.push(open(source, from, table)?);
    }
    let mut steps = Steps::new();
    let mut losses = Losses::default();
    let mut new_files = NewFiles::new(target);
    let mut buffers = (Vec::new(), Vec::new());
    for (table, file) in KpptTable::ALL.into_iter().zip(&mut files) {
        let entries = [from.entry(table), to.entry(table)];
        let (old, new) = (&mut buffers.0, &mut buffers.1);
        new_files.write(table.file_name(), |sink| -> Result<(), KpptError> {
            let mut left = table.entries();
            while left > 0 {
                let count = left.min(ENTRIES_AT_A_TIME);
                old.resize(count * entries[0].bytes(), 0);
                file.read_exact(old)
                    .map_err(|error| KpptError::Read { path: source.join(table.file_name()), error })?;
                new.clear();
                losses += transcode(old, entries[0], entries[1], new);
                sink.put(new)?;
                left -= count;
                progress(steps.advance(table, count));
            }
            Ok(())
        })?;
    }
    new_files.finish()?;
    Ok(losses)
}

fn open(folder: &Path, format: KpptFormat, table: KpptTable) -> Result<File, KpptError> {
    let path = folder.join(table.file_name());
    let opened = File::open(&path).and_then(|file| Ok((file.metadata()?.len(), file)));
    let (found, file) = opened.map_err(|error| KpptError::Open { path: path.clone(), error })?;
    let expected = format.file_size(table);
    if found != expected {
        return Err(KpptError::Size { path, format, expected, found });
    }
    Ok(file)
}
