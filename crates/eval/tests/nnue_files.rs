//! Network files: the public one, round trips, damage.

mod support;

use eval::nnue::{Architecture, Features, Isa, Network, NetworkError, Parameters, VERSION, scale};
use shogi::{Handicap, Position};
use std::path::Path;
use support::{Random, SUISHO_PETITE, small_shapes, suisho_petite};

#[test]
fn values_that_another_engine_prints() {
    let Some(loaded) = suisho_petite() else { return };
    assert_eq!(*loaded.parameters.architecture(), Architecture::classic(Features::Kp, 256, 32, 32));
    assert!(loaded.mismatches.is_empty(), "{:?}", loaded.mismatches);
    let value = |position: &Position| scale(loaded.parameters.evaluate(position), 24);
    for (sfen, expected) in [
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 26),
        ("lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9", 26),
        ("l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1", 98),
        ("6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1", -499),
        ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", -610),
        ("4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1", -3906),
    ] {
        assert_eq!(value(&Position::from_sfen(sfen).unwrap()), expected, "{sfen}");
    }
    assert_eq!(value(&Position::handicap(Handicap::SixPieces)), -2465);
}

#[test]
fn the_public_file_is_written_as_it_was() {
    let Some(loaded) = suisho_petite() else { return };
    let mut written = Vec::new();
    loaded.parameters.write(&mut written).unwrap();
    assert!(written == std::fs::read(Path::new(SUISHO_PETITE).join("nn.bin")).unwrap());
}

#[test]
fn every_shape_round_trips() {
    for shape in small_shapes() {
        let parameters = Parameters::random(&shape, 7);
        let mut written = Vec::new();
        parameters.write(&mut written).unwrap();
        let loaded = Parameters::read(&written[..], written.len() as u64).unwrap();
        assert!(loaded.mismatches.is_empty());
        assert_eq!(*loaded.parameters.architecture(), shape);
        let mut again = Vec::new();
        loaded.parameters.write(&mut again).unwrap();
        assert!(written == again, "{shape}");
    }
}

#[test]
fn facts_are_kept() {
    let shapes =
        [Architecture::classic(Features::Kp, 16, 8, 8), Architecture::stacked(Features::MIRRORED, 16, 7, 8)];
    for shape in shapes {
        let mut parameters = Parameters::random(&shape, 7);
        parameters.facts_mut().set("data", "2,000,000 positions; 5,000 nodes");
        parameters.facts_mut().set("親", "{nn.bin}");
        let mut written = Vec::new();
        parameters.write(&mut written).unwrap();
        let text = format!("{shape} {{data=2,000,000 positions%3B 5,000 nodes; 親=%7Bnn.bin%7D}}");
        assert_eq!(str::from_utf8(&written[12..12 + text.len()]).unwrap(), text);
        let loaded = read(&written).unwrap();
        assert!(loaded.mismatches.is_empty());
        assert_eq!(loaded.parameters.facts(), parameters.facts());
        assert_eq!(*loaded.parameters.architecture(), shape);
    }
}

#[test]
fn folders_and_missing_files() {
    let missing = Network::load(Path::new("/nowhere/at/all"), Isa::best()).unwrap_err();
    assert!(missing.to_string().starts_with("/nowhere/at/all: "), "{missing}");
    if suisho_petite().is_some() {
        let (network, mismatches) = Network::load(Path::new(SUISHO_PETITE), Isa::best()).unwrap();
        assert_eq!(network.architecture().features, Features::Kp);
        assert!(mismatches.is_empty());
    }
}

fn read(file: &[u8]) -> Result<eval::nnue::Loaded, NetworkError> {
    Parameters::read(file, file.len() as u64)
}

#[test]
fn cut_and_long_files() {
    for shape in
        [Architecture::classic(Features::Kp, 16, 8, 8), Architecture::stacked(Features::Kp, 16, 7, 8)]
    {
        let mut file = Vec::new();
        Parameters::random(&shape, 1).write(&mut file).unwrap();
        for length in (0..200).chain((200..file.len()).step_by(997)).chain(file.len() - 50..file.len()) {
            let error = read(&file[..length]).unwrap_err();
            let told = matches!(error, NetworkError::Cut { .. } | NetworkError::Compression { .. });
            assert!(told, "{length}: {error}");
        }
        file.push(0);
        assert!(matches!(read(&file).unwrap_err(), NetworkError::TooLong { .. }));
        // A length that the file does not have is an ordinary error, too.
        assert!(matches!(
            Parameters::read(&file[..100], file.len() as u64 - 1).unwrap_err(),
            NetworkError::Io(_) | NetworkError::Cut { .. } | NetworkError::Architecture(_)
        ));
    }
}

#[test]
fn wrong_heads() {
    let mut file = Vec::new();
    Parameters::random(&Architecture::classic(Features::Kp, 16, 8, 8), 1).write(&mut file).unwrap();
    let changed = |place: usize| {
        let mut file = file.clone();
        file[place] ^= 0x55;
        read(&file)
    };
    assert!(matches!(changed(0).unwrap_err(), NetworkError::Version { .. }));
    assert_eq!(changed(5).unwrap().mismatches.len(), 1);
    assert!(matches!(changed(11).unwrap_err(), NetworkError::Description(_)));
    assert!(matches!(changed(13).unwrap_err(), NetworkError::Architecture(_)));
}

#[test]
fn a_shape_of_gigabytes_is_not_believed() {
    let shape = Architecture::classic(Features::HalfKpE9, 16384, 32, 32).to_string();
    let mut file = [VERSION, 0, shape.len() as u32].map(u32::to_le_bytes).concat();
    file.extend_from_slice(shape.as_bytes());
    file.resize(10_000, 0);
    let error = read(&file).unwrap_err();
    assert!(matches!(error, NetworkError::Architecture(_)), "{error}");
}

#[test]
fn damaged_files_do_not_panic() {
    let mut random = Random(3);
    for shape in
        [Architecture::classic(Features::Kp, 16, 8, 8), Architecture::stacked(Features::Kp, 16, 7, 8)]
    {
        let mut file = Vec::new();
        Parameters::random(&shape, 1).write(&mut file).unwrap();
        for _ in 0..300 {
            let mut file = file.clone();
            for _ in 0..=random.below(8) {
                let range = if random.below(2) == 0 { 220 } else { file.len() };
                let place = random.below(range);
                file[place] = random.below(256) as u8;
            }
            let _ = read(&file);
        }
    }
    for length in [0, 1, 11, 12, 13, 100, 5000] {
        let mut file: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        let _ = read(&file);
        file.iter_mut().zip(VERSION.to_le_bytes()).for_each(|(byte, version)| *byte = version);
        let _ = read(&file);
    }
}
