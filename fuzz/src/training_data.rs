//! Files of training data.

use std::path::Path;
use train::pack::PackReader;
use train::{Hcpe3Reader, TrainingGame, write_hcpe3};

/// A file of games is refused in few words, or its games can be written and are read as they were.
///
/// Checksums would keep a fuzzer out of packs, so the first byte chooses between a file as it is (0), the inside of a
/// block of as many games as the second byte says (1), and dlshogi's games.
pub fn training_data(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else { return };
    match kind {
        0 => packed(rest),
        1 => {
            let Some((games, inside)) = rest.split_first() else { return };
            packed(&pack(inside, u32::from(*games)));
        }
        _ => {
            for game in Hcpe3Reader::new(rest) {
                match game {
                    Ok(game) => written_again(&game),
                    Err(error) => assert!(error.to_string().len() < 500, "a long message: {error}"),
                }
            }
        }
    }
}

fn packed(file: &[u8]) {
    let games = match PackReader::new(Path::new("fuzz"), file) {
        Ok(games) => games,
        Err(error) => return assert!(error.to_string().len() < 500, "a long message: {error}"),
    };
    for game in games {
        match game {
            Ok(game) => {
                game.records().expect("what was packed can be packed");
                written_again(&game);
            }
            Err(error) => assert!(error.to_string().len() < 500, "a long message: {error}"),
        }
    }
}

/// A pack of one block that is not compressed.
fn pack(inside: &[u8], games: u32) -> Vec<u8> {
    let (length, hash) = (inside.len() as u32, train::fingerprint(inside));
    let mut file = b"TSUPACK1".to_vec();
    for number in [length, length, games, (hash ^ hash >> 32) as u32] {
        file.extend_from_slice(&number.to_le_bytes());
    }
    file.extend_from_slice(inside);
    file
}

fn written_again(game: &TrainingGame) {
    let mut bytes = Vec::new();
    // Some positions have more pieces than the code has bits for.
    if write_hcpe3(game, &mut bytes).is_err() {
        return;
    }
    let again = Hcpe3Reader::new(bytes.as_slice()).next().expect("a game").expect("what was written is read");
    assert_eq!(again.moves, game.moves[..game.moves.len().min(usize::from(u16::MAX))]);
    assert_eq!((again.winner, again.start.key()), (game.winner, game.start.key()));
}
