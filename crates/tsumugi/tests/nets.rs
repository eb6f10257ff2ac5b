//! `tsumugi net …` through the real binary.

use eval::nnue::{Architecture, Features, Parameters};
use shogi::Position;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Runs `tsumugi net` with these words in a folder.
fn net(folder: &TempDir, words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tsumugi"))
        .arg("net")
        .args(words.split_whitespace())
        .current_dir(folder.path())
        .output()
        .expect("the program can be started")
}

fn good(folder: &TempDir, words: &str) -> String {
    let output = net(folder, words);
    assert!(output.status.success() && output.stderr.is_empty(), "{words}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &TempDir, words: &str) -> String {
    let output = net(folder, words);
    assert!(!output.status.success() && output.stdout.is_empty(), "{words}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn zoned() -> Parameters {
    let mut parameters = Parameters::random(&Architecture::stacked(Features::MIRRORED, 32, 15, 32), 5);
    parameters.facts_mut().set("data", "none; made up");
    parameters.facts_mut().set("fv_scale", 20);
    parameters
}

fn read(path: &Path) -> Parameters {
    let file = fs::read(path).unwrap();
    Parameters::read(&file[..], file.len() as u64).unwrap().parameters
}

/// A folder with `a.bin`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    zoned().save_as(&folder.path().join("a.bin")).unwrap();
    folder
}

#[test]
fn info_tells_shape_and_facts() {
    let folder = folder();
    let said = good(&folder, "info a.bin");
    for line in [
        "architecture   ModelType=SFNNWithoutPsqt;Features=HalfKA_hm2_zones(000",
        "layers         2 x 32 (products of halves), 15 and a shortcut, 32, 1; 9 stacks",
        "hashes         0x3c203b32: first layer 0x5f134ab8, the others 0x6333718a",
        "FV_SCALE       20",
        "  data         none; made up",
    ] {
        assert!(said.lines().any(|told| told.starts_with(line)), "{line}: {said}");
    }
    let hash = platform::sha256(&fs::read(folder.path().join("a.bin")).unwrap());
    assert!(said.contains(&format!("SHA-256        {hash}\n")), "{said}");
}

#[test]
fn info_says_why_a_file_is_refused() {
    let folder = folder();
    let whole = fs::read(folder.path().join("a.bin")).unwrap();
    let long = [&whole[..], &[0]].concat();
    for (name, contents, complaint) in [
        ("cut", &whole[..whole.len() - 3], "error: cut is refused: the file is truncated: "),
        ("long", &long, "error: long is refused: the file is too long: "),
        (
            "text",
            b"hello, world",
            "error: text is refused: not an NNUE file: it begins with version 0x6c6c6568",
        ),
        ("zst", b"\x28\xb5\x2f\xfd....", "error: zst is refused: the embedded network cannot be unpacked: "),
    ] {
        fs::write(folder.path().join(name), contents).unwrap();
        let said = refused(&folder, &format!("info {name}"));
        assert!(said.starts_with(complaint) && said.lines().count() == 1, "{said}");
    }
    assert!(refused(&folder, "info nowhere").starts_with("error: cannot read nowhere: "));
}

#[test]
fn exports_value_every_position_the_same() {
    let folder = folder();
    zoned().upright().save_as(&folder.path().join("upright.bin")).unwrap();
    let said = good(&folder, "export upright.bin out/nn.bin --as halfka-hm2");
    assert!(said.contains("Features=HalfKA_hm2(Friend)[73305->32x2]"), "{said}");
    let (small, large) = (zoned().upright(), read(&folder.path().join("out/nn.bin")));
    assert_eq!(large.facts(), small.facts());
    let mut position = Position::startpos();
    for ply in 0..60 {
        assert_eq!(large.evaluate(&position), small.evaluate(&position));
        let moves = position.legal_moves();
        position.do_move(moves[ply * 37 % moves.len()]);
    }
    // What other engines do not do is left out, and told.
    let output = net(&folder, "export a.bin leant.bin --as halfka-hm2");
    assert!(
        String::from_utf8_lossy(&output.stderr).starts_with("note: boards with a king on the middle file")
    );
    assert_eq!(read(&folder.path().join("leant.bin")).layers(), large.layers());
    let said = refused(&folder, "export a.bin k-p.bin --as k-p");
    assert!(
        said.starts_with("error: a.bin cannot be exported: ") && said.contains("so values would change"),
        "{said}"
    );
    assert!(!folder.path().join("k-p.bin").exists());
    assert!(refused(&folder, "export a.bin b.bin --as kkpp").contains("no features of that name"));
}

#[test]
fn differences_are_shown() {
    let folder = folder();
    let sfens = "startpos moves 7g7f\n# a remark\nsfen 4k4/9/9/9/9/9/9/9/4K4 b RB2G 1\n4k4/9/9/9/9/9/9/9/4K4 w rb2g 1\n";
    fs::write(folder.path().join("sfens"), sfens).unwrap();
    let said = good(&folder, "diff a.bin a.bin sfens");
    assert!(said.contains("positions        3\n") && said.contains("correlation      1.0000\n"), "{said}");
    let said = good(&folder, "diff a.bin <material> sfens --show 1");
    assert!(said.contains("\nopposed signs    ") && said.lines().count() == 7, "{said}");
    fs::write(folder.path().join("bad"), "startpos\nnonsense\n").unwrap();
    assert!(refused(&folder, "diff a.bin a.bin bad").starts_with("error: bad, line 2: bad position"));
    fs::write(folder.path().join("none"), "").unwrap();
    assert_eq!(refused(&folder, "diff a.bin a.bin none"), "error: none: no positions\n");
}

#[test]
fn a_slot_for_the_build_is_filled() {
    let folder = folder();
    let said = good(&folder, "embed a.bin");
    assert!(
        said.starts_with("nets/nn.bin.zst: ") && said.contains(" bytes, FV_SCALE 20; complete nets/CARD.md"),
        "{said}"
    );
    let card = fs::read_to_string(folder.path().join("nets/CARD.md")).unwrap();
    assert!(card.contains("\n## Data\n\nnone; made up\n"), "{card}");
    assert!(card.contains("\n## Seeds\n\n(to be told: of data and training)\n"), "{card}");
    assert_eq!(fs::read_to_string(folder.path().join("nets/fv_scale.txt")).unwrap(), "20\n");
    // What is there stays, unless it is said otherwise.
    assert_eq!(
        refused(&folder, "embed a.bin"),
        "error: nets/nn.bin.zst exists already: give --force to replace it\n"
    );
    good(&folder, "embed a.bin --force --fv-scale 24");
    assert_eq!(fs::read_to_string(folder.path().join("nets/fv_scale.txt")).unwrap(), "24\n");
    // The compressed file is as good as the other.
    assert!(good(&folder, "info nets/nn.bin.zst").contains(", compressed "));
    good(&folder, "export nets/nn.bin.zst b.bin --as same");
    assert!(fs::read(folder.path().join("b.bin")).unwrap() == fs::read(folder.path().join("a.bin")).unwrap());

    // Facts go into the header and onto the card.
    good(&folder, "embed a.bin --force --fact seeds=7;8 --fact fv_scale=18");
    assert_eq!(fs::read_to_string(folder.path().join("nets/fv_scale.txt")).unwrap(), "18\n");
    assert!(good(&folder, "info nets/nn.bin.zst").contains("7;8"));
    let card = fs::read_to_string(folder.path().join("nets/CARD.md")).unwrap();
    assert!(card.contains("\n## Seeds\n\n7;8\n"), "{card}");
    assert!(refused(&folder, "embed a.bin --force --fact seeds").contains("expected NAME=VALUE"));

    Parameters::zeroed(&Architecture::classic(Features::Kp, 8, 8, 8))
        .save_as(&folder.path().join("c.bin"))
        .unwrap();
    let said = refused(&folder, "embed c.bin --to other");
    assert_eq!(said, "error: no FV_SCALE in c.bin: give --fv-scale N\n");
    assert!(!folder.path().join("other").exists());
}
