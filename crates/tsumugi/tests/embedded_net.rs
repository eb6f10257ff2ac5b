//! A program with a network built in.

use eval::EmbeddedNet;
use eval::nnue::{Architecture, Features, Parameters, scale};
use shogi::Position;
use std::path::Path;
use std::process::Command;

/// By hand: `cargo test -p tsumugi --test embedded_net -- --ignored`.
#[test]
#[ignore = "builds the program once more"]
fn a_network_in_the_folder_of_the_build_is_in_the_program() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("embedded-net");
    let nets = folder.join("nets");
    let parameters = Parameters::random(&Architecture::classic(Features::Kp, 32, 8, 8), 6);
    let mut file = Vec::new();
    parameters.write(&mut file).unwrap();
    EmbeddedNet::compress(&file, 24).save(&nets, "").unwrap();

    let target = folder.join("target");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--locked", "-j1", "-p", "tsumugi", "--target-dir"])
        .arg(&target)
        .env("TSUMUGI_NETS", &nets)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .unwrap();
    assert!(built.success());

    let program = target.join("debug").join(format!("tsumugi{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(program).args(["eval", ",", "quit"]).current_dir(&nets).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let value = scale(parameters.evaluate(&Position::startpos()), 24);
    assert!(said.contains("info string built-in network Features=K+P[1710->32x2]"), "{said}");
    assert!(said.contains(&format!("eval = {value}\n")), "{said}");
}
