//! Evaluation files: loaded, refused, saved, converted.

use crate::folder::Folder;
use crate::host::Host;
use eval::nnue::{Architecture, Features, Isa, Parameters, scale};
use shogi::Position;
use std::fs;

const SHAPE: Architecture = Architecture::classic(Features::Kp, 32, 8, 8);

fn network(seed: u64) -> Parameters {
    Parameters::random(&SHAPE, seed)
}

fn file(parameters: &Parameters) -> Vec<u8> {
    let mut file = Vec::new();
    parameters.write(&mut file).expect("memory can be written");
    file
}

/// What `eval` says about the start position.
fn evaluated(host: &mut Host) -> i32 {
    host.send("position startpos\neval");
    let heard = host.so_far();
    let value = heard.iter().find_map(|line| line.strip_prefix("eval = ")).expect("there is a value");
    value.parse().expect("a number")
}

fn start_value(parameters: &Parameters) -> i32 {
    scale(parameters.evaluate(&Position::startpos()), 16)
}

/// What is said when the engine gets ready after these commands.
fn readied(host: &mut Host, commands: &str) -> Vec<String> {
    host.send(commands);
    host.get_ready()
}

/// What is said to commands that are obeyed at once.
fn said(host: &mut Host, command: &str) -> Vec<String> {
    host.send(command);
    host.so_far()
}

/// Files that are no networks, with what is said of them.
fn bad_networks() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let whole = file(&network(1));
    let changed = |place: usize, byte: u8| {
        let mut file = whole.clone();
        file[place] = byte;
        file
    };
    let random = (0..5000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let version = "not an NNUE file: it begins with version 0x7af32f17, expected 0x7af32f16";
    vec![
        ("cut", whole[..whole.len() - 1].to_vec(), "the file is truncated"),
        ("empty", Vec::new(), "the file is truncated"),
        ("header", file(&network(2))[..100].to_vec(), "the file is truncated"),
        ("long", [&whole[..], &[0]].concat(), "the file is too long"),
        ("version", changed(0, 0x17), version),
        ("random", random, "not an NNUE file"),
        ("shape", changed(12 + 16, b'1'), "unknown features"),
    ]
}

/// What is said before the program ends by itself, which it does with status 1 and without `readyok` or `bestmove`.
fn refused(mut host: Host, commands: &str) -> Vec<String> {
    host.send(commands);
    let heard = host.until_the_end();
    assert_eq!(host.exit_status().code(), Some(1), "{heard:?}");
    let answers = ["readyok", "bestmove", "eval ="];
    assert!(!heard.iter().any(|line| answers.iter().any(|answer| line.starts_with(answer))), "{heard:?}");
    heard.into_iter().filter(|line| line.starts_with("info string Error! ")).collect()
}

const ADVICE: &str = "set EvalDir to a folder with nn.bin or KPPT tables, or EvalFallback true to play with the built-in network";

#[test]
fn an_evaluation_that_was_asked_for_and_cannot_be_loaded_is_an_error() {
    for (name, contents, complaint) in bad_networks() {
        let folder = Folder::new().with("eval/nn.bin", file(&network(1))).with("bad/nn.bin", contents);
        let errors = refused(folder.start(&[]), "setoption name EvalDir value bad\nisready");
        let [error] = &errors[..] else { panic!("{name}: {errors:?}") };
        assert!(error.starts_with("info string Error! EvalDir "), "{error}");
        assert!(error.contains(complaint) && error.ends_with(ADVICE), "{error}");
    }
    // Also one that is not there, tables that are not complete, and an evaluation that a file asks for.
    let folder = Folder::new().with("a/KK_synthesized.bin", "short");
    for (commands, complaint) in [
        ("setoption name EvalDir value nowhere\nisready", "no nn.bin or KPPT tables in "),
        ("EvalDir nowhere\ngo depth 1", "no nn.bin or KPPT tables in "),
        ("EvalDir nowhere\neval", "no nn.bin or KPPT tables in "),
        ("EvalDir a\nisready", "KKP_synthesized.bin"),
        (
            "USI_Variant freeze\nEvalDir nowhere\nisready",
            "EvalFallback true to play with the material evaluation",
        ),
    ] {
        let errors = refused(folder.start(&[]), commands);
        assert!(errors.len() == 1 && errors[0].contains(complaint), "{commands}: {errors:?}");
    }
    let folder = folder.with("engine_options.txt", "EvalDir nowhere");
    assert_eq!(refused(folder.start(&[]), "isready").len(), 1);
}

#[test]
fn an_evaluation_that_nobody_asked_for_gives_way_to_the_built_in_network() {
    let empty = Folder::new();
    let mut host = empty.start(&[]);
    host.get_ready_quietly();
    let built_in = evaluated(&mut host);
    host.quit();
    let tables = ("tables", b"short".to_vec(), "KKP_synthesized.bin");
    for (name, contents, complaint) in bad_networks().into_iter().chain([tables]) {
        let file_name = if name == "tables" { "eval/KK_synthesized.bin" } else { "eval/nn.bin" };
        let folder = Folder::new().with(file_name, contents);
        let mut host = folder.start(&[]);
        let heard = readied(&mut host, "");
        let error = heard.iter().find(|line| line.starts_with("info string Error! EvalDir ")).expect(name);
        assert!(error.contains(complaint) && error.ends_with("; the built-in network plays"), "{error}");
        assert_eq!(evaluated(&mut host), built_in, "{name}");
        host.quit();
    }
}

#[test]
fn another_evaluation_plays_where_that_is_allowed() {
    let folder = Folder::new().with("mended/nn.bin", "garbage");
    let mut host = folder.start(&[]);
    let heard =
        readied(&mut host, "setoption name EvalFallback value true\nsetoption name EvalDir value mended");
    let error = heard.iter().find(|line| line.starts_with("info string Error! EvalDir ")).expect("an error");
    assert!(error.ends_with("; the built-in network plays"), "{error}");
    host.plays("startpos", "go depth 2");
    // Nothing has to be set again once the file is good.
    let folder = folder.with("mended/nn.bin", file(&network(1)));
    host.get_ready_quietly();
    assert_eq!(evaluated(&mut host), start_value(&network(1)));
    host.quit();
    drop(folder);
}

/// Old files have other hashes: a warning.
#[test]
fn hashes_of_old_files_are_mentioned() {
    let mut old = file(&network(1));
    old[4] ^= 1;
    let folder = Folder::new().with("eval/nn.bin", old);
    let mut host = folder.start(&[]);
    let heard = readied(&mut host, "");
    assert!(heard.iter().any(|line| line.contains("hash of the header: expected 0x")), "{heard:?}");
    assert_eq!(evaluated(&mut host), start_value(&network(1)));
    host.quit();
}

#[test]
fn every_instruction_set_gives_the_same_values() {
    let parameters = network(3);
    let folder = Folder::new().with("eval/nn.bin", file(&parameters));
    let mut host = folder.start(&[]);
    host.send("usi");
    let options = host.until("usiok");
    let option = options.iter().find(|line| line.starts_with("option name EvalIsa type combo ")).unwrap();
    for isa in Isa::available() {
        assert!(option.contains(&format!(" var {isa}")), "{option}");
        let heard = readied(&mut host, &format!("setoption name EvalIsa value {isa}"));
        assert!(heard.iter().any(|line| line.ends_with(&format!(" ({isa})"))), "{heard:?}");
        assert_eq!(evaluated(&mut host), start_value(&parameters), "{isa}");
    }
    host.quit();
}

#[test]
fn a_network_is_saved_as_it_was() {
    let bytes = file(&network(4));
    let folder = Folder::new().with("eval/nn.bin", &bytes);
    let mut host = folder.start(&[]);
    let heard = said(&mut host, "test evalsave");
    assert!(heard.iter().any(|line| line.contains("evalsave: saved nn.bin to ")), "{heard:?}");
    assert_eq!(fs::read(folder.path().join("evalsave/nn.bin")).unwrap(), bytes);
    // Over the one that is in use.
    readied(&mut host, "EvalSaveDir eval\ntest evalsave");
    assert_eq!(fs::read(folder.path().join("eval/nn.bin")).unwrap(), bytes);
    assert_eq!(fs::read_dir(folder.path().join("eval")).unwrap().count(), 1);
    assert_eq!(evaluated(&mut host), start_value(&network(4)));
    host.quit();
}

/// The procedure of the documents, word for word, and a conversion of what it makes: files of full size, all holes.
#[test]
fn zero_cleared_tables() {
    let folder = Folder::new();
    let mut host = folder.start(&[]);
    let heard =
        said(&mut host, "EvalDir xyz\nSkipLoadingEval true\nisready\nEvalSaveDir eval_zero\ntest evalsave");
    assert!(heard.iter().any(|line| line.contains("zero-cleared KPPT tables are used")), "{heard:?}");
    let saved = heard.iter().find(|line| line.contains("evalsave: saved kppt32 to "));
    assert!(saved.is_some_and(|line| line.ends_with("eval_zero")), "{heard:?}");
    let sizes = |name: &str| {
        ["KK", "KKP", "KPP"].map(|table| {
            let path = folder.path().join(name).join(format!("{table}_synthesized.bin"));
            fs::metadata(path).expect("it was written").len()
        })
    };
    assert_eq!(sizes("eval_zero"), [52_488, 81_251_424, 776_402_496]);
    let heard = said(&mut host, "test evalconvert kppt32 eval_zero kpp_kkpt32 new/folder");
    assert!(heard.iter().any(|line| line.contains("evalconvert: 100 %, KPP_synthesized.bin")), "{heard:?}");
    assert!(heard.iter().any(|line| line.contains("is now kpp_kkpt32 in ")), "{heard:?}");
    assert_eq!(sizes("new/folder"), [52_488, 81_251_424, 388_201_248]);
    // Over the tables that are in use.
    let heard = readied(&mut host, "EvalDir new/folder");
    assert!(heard.iter().any(|line| line.contains("tables kpp_kkpt32")), "{heard:?}");
    let heard = readied(&mut host, "test evalconvert kppt32 eval_zero kppt16 new/folder");
    assert!(heard.iter().any(|line| line.contains("tables kppt16")), "{heard:?}");
    assert_eq!(sizes("new/folder"), [26_244, 40_625_712, 776_402_496]);
    assert_eq!(evaluated(&mut host), 0);
    host.quit();
}

#[test]
fn what_cannot_be_saved_or_converted() {
    let folder = Folder::new();
    let mut host = folder.start(&[]);
    host.send("EvalDir <material>");
    for (command, complaint) in [
        ("test evalsave", "test evalsave: the material evaluation has no file"),
        ("test evalsave kppt8", "unknown evaluation format \"kppt8\": expected kppt32, kppt16 or kpp_kkpt32"),
        ("test evalconvert kppt32 a kppt16 b", "test evalconvert: no KPPT tables in "),
        ("test evalconvert kppt32 a kppt64 b", "unknown evaluation format \"kppt64\""),
        ("test evalconvert kppt32 a", "`evalconvert FORMAT DIR FORMAT DIR`"),
        ("test", "`evalsave [FORMAT]`"),
    ] {
        let heard = said(&mut host, command);
        let told = |line: &&String| line.starts_with("info string Error! test ") && line.contains(complaint);
        assert!(heard.iter().any(|line| told(&line)), "{command}: {heard:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
    let folder = folder.with("a/KK_synthesized.bin", "short");
    let mut host = folder.start(&[]);
    let heard = said(&mut host, "test evalconvert kppt32 a kppt16 b");
    assert!(heard.iter().any(|line| line.contains("has 5 bytes, but a kppt32 file has 52488")), "{heard:?}");
    host.quit();
}
