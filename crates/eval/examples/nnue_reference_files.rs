//! Writes what `tools/nnue_reference.py` compares itself with.
//!
//! `nnue_reference_files networks FOLDER` writes the random networks of `testdata/nnue`, which must equal those of
//! `nnue_reference.py write`; `nnue_reference_files values NN.BIN FV_SCALE < SFENS > VALUES` prints `sfen<TAB>value` of each
//! position for `nnue_reference.py compare`.

use eval::nnue::{Architecture, Parameters, scale};
use serde_json::Value;
use shogi::Position;
use std::error::Error;
use std::io::BufRead;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["networks", folder] => networks(Path::new(folder)),
        ["values", network, fv_scale] => values(Path::new(network), fv_scale.parse()?),
        _ => Err("usage: nnue_reference_files networks FOLDER | values NN.BIN FV_SCALE < SFENS".into()),
    }
}

fn networks(folder: &Path) -> Result<(), Box<dyn Error>> {
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/nnue"))? {
        let path = entry?.path();
        let text = std::fs::read_to_string(&path)?;
        let head: Value = serde_json::from_str(text.lines().next().ok_or("an empty file")?)?;
        let shape: Architecture = head["shape"].as_str().ok_or("no shape")?.parse()?;
        let mut file = Vec::new();
        Parameters::random(&shape, head["seed"].as_u64().ok_or("no seed")?).write(&mut file)?;
        std::fs::write(folder.join(path.file_stem().ok_or("no file name")?), file)?;
    }
    Ok(())
}

fn values(network: &Path, fv_scale: i32) -> Result<(), Box<dyn Error>> {
    let file = std::fs::read(network)?;
    let loaded = Parameters::read(&file[..], file.len() as u64)?;
    for line in std::io::stdin().lock().lines() {
        let position = Position::from_sfen(&line?)?;
        println!("{}\t{}", position.sfen(), scale(loaded.parameters.evaluate(&position), fv_scale));
    }
    Ok(())
}
