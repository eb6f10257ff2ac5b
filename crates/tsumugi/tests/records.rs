//! `tsumugi convert` and `tsumugi show` as people run them.

mod program;
mod zip;

use program::{feed, tsumugi};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/records")
}

fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    feed(tsumugi(arguments).current_dir(folder), input)
}

fn texts(output: &Output) -> (String, String) {
    (String::from_utf8(output.stdout.clone()).unwrap(), String::from_utf8(output.stderr.clone()).unwrap())
}

/// What a successful run writes to standard output and standard error.
fn good(folder: &Path, arguments: &[&str], input: &[u8]) -> (String, String) {
    let output = run(folder, arguments, input);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    texts(&output)
}

/// What a failing run says.
fn bad(folder: &Path, arguments: &[&str], input: &[u8]) -> String {
    let output = run(folder, arguments, input);
    assert!(!output.status.success(), "{arguments:?}: {output:?}");
    texts(&output).1
}

#[test]
fn one_file_to_standard_output() {
    let (out, err) = good(&samples(), &["convert", "branches.kif", "--to", "usi"], b"");
    assert_eq!(out, "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e\n");
    assert!(err.contains("branches.kif: not written: 3 branches"), "{err}");
    assert!(err.ends_with("header fields of 1 game, remarks of 1 game, times of 1 game\n"), "{err}");
    let (out, _) = good(&samples(), &["convert", "handicap.kif", "--to", "usi", "-q"], b"");
    assert_eq!(out, "sfen lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 7a6b 7g7f\n");
}

#[test]
fn standard_input_to_every_format() {
    let kif = fs::read(samples().join("branches.kif")).unwrap();
    for (format, beginning) in [
        ("kif", "開始日時："),
        ("ki2", "開始日時："),
        ("csa", "V2.2\r\nN+甲\r\n"),
        ("csa3", "'CSA encoding=SHIFT_JIS\r\nV3.0\r\n"),
        ("jkf", "{\"header\":{\"開始日時\":"),
        ("usen", "~0.7ku2jm8rl09kbxo.r~2.6y236e5t2.p~3.2o6.~0.6y2.p\r\n"),
        ("bod", "後手の持駒：角　\r\n"),
    ] {
        let arguments = ["convert", "-", "--to", format, "--encoding", "sjis", "--eol", "crlf", "-q"];
        let output = run(&samples(), &arguments, &kif);
        assert!(output.status.success(), "{output:?}");
        let text = record::encoding::decode(&output.stdout).text.into_owned();
        assert!(text.starts_with(beginning), "{format}: {text}");
    }
}

#[test]
fn folders_archives_and_patterns() {
    let scratch = tempfile::tempdir().unwrap();
    let at = |name: &str| scratch.path().join(name);
    fs::create_dir_all(at("in/sub")).unwrap();
    fs::copy(samples().join("branches.kif"), at("in/a.kif")).unwrap();
    fs::copy(samples().join("many.csa"), at("in/sub/many.csa")).unwrap();
    fs::write(at("in/readme.md"), "not a record").unwrap();
    // An archive with one stored entry, made by hand.
    let contents = b"startpos moves 7g7f\n";
    fs::write(at("in/z.zip"), zip::zip_of(b"inner/b.usi", contents)).unwrap();

    let (out, err) = good(scratch.path(), &["convert", "in", "-o", "out/", "--to", "csa"], b"");
    assert!(out.is_empty());
    assert!(err.contains("5 games read, 5 written"), "{err}");
    for name in ["a.csa", "sub/many.csa", "sub/many-2.csa", "sub/many-3.csa", "z/inner/b.csa"] {
        assert!(at("out").join(name).exists(), "{name}");
    }
    // Nothing is replaced unless asked to.
    let err = bad(scratch.path(), &["convert", "in/a.kif", "-o", "out/", "--to", "csa"], b"");
    let line =
        "error: 1 of the files exist already, such as out/a.csa: give --skip-existing or --overwrite\n";
    assert!(err.ends_with(line), "{err}");
    let skip = ["convert", "in/a.kif", "-o", "out/", "--to", "csa", "--skip-existing"];
    let (_, err) = good(scratch.path(), &skip, b"");
    assert_eq!(err, "1 game read, 0 written, 1 there already\n");
    good(scratch.path(), &["convert", "in/a.kif", "-o", "out/", "--to", "csa", "--force"], b"");

    let (out, _) = good(scratch.path(), &["convert", "out/**/*.csa", "--sfen", "-q"], b"");
    assert_eq!(out.lines().count(), 5);
    // The name of the output tells the format; all games go into the one file and come out again.
    good(scratch.path(), &["convert", "out", "-o", "all.csa", "-q"], b"");
    let (out, _) = good(scratch.path(), &["convert", "all.csa", "--sfen", "-q"], b"");
    assert_eq!(out.lines().count(), 5);
    assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), 3, "no temporary file stays");
}

#[test]
fn filters() {
    let count = |arguments: &[&str]| {
        let all = [&["convert", ".", "--sfen", "-q"], arguments].concat();
        good(&samples(), &all, b"").0.lines().count()
    };
    let all = count(&[]);
    assert_eq!(all, 20);
    assert_eq!(count(&["--player", "甲"]), 5);
    assert_eq!(count(&["--player", "甲", "--player", "ENGINE"]), 6);
    assert_eq!(count(&["--min-rating", "1500"]), 2);
    assert_eq!(count(&["--min-ply", "5"]), 5);
    assert_eq!(count(&["--min-ply", "5", "--max-ply", "5"]), 4);
    assert_eq!(count(&["--result", "draw"]), 1);
    assert_eq!(count(&["--since", "2024-05-31", "--until", "2024/06"]), 3);
    let err = bad(&samples(), &["convert", ".", "--sfen", "--since", "yesterday"], b"");
    assert!(err.contains("expected a date such as 2024, 2024-05 or 2024-05-31"), "{err}");
}

#[test]
fn positions() {
    let (out, _) = good(&samples(), &["convert", "handicap.kif", "--positions", "-q"], b"");
    assert_eq!(
        out,
        "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1\n\
         ln1gkgsn1/3s5/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 2\n\
         ln1gkgsn1/3s5/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 3\n"
    );
}

#[test]
fn illegal_moves() {
    let (out, err) = good(&samples(), &["convert", "illegal.kifu", "--sfen"], b"");
    assert_eq!(out, "startpos moves 7g7f 3c3d\n");
    assert!(err.contains("illegal.kifu: move 3 `P*7g`: illegal: there is no such piece in hand"), "{err}");
    let (out, _) = good(&samples(), &["convert", "illegal.kifu", "--sfen", "--keep-illegal", "-q"], b"");
    assert_eq!(out, "startpos moves 7g7f 3c3d P*7g 8c8d\n");
}

#[test]
fn bad_input_is_told_and_does_not_stop_the_rest() {
    let scratch = tempfile::tempdir().unwrap();
    fs::write(scratch.path().join("bad.kif"), "後手の持駒：x\n   1 ７六歩(77)\n").unwrap();
    fs::write(scratch.path().join("good.kif"), "   1 ７六歩(77)\n").unwrap();
    fs::write(scratch.path().join("broken.zip"), "PK\x03\x04junk").unwrap();
    let output = run(scratch.path(), &["convert", ".", "nowhere.kif", "x*y", "--sfen"], b"");
    assert!(!output.status.success());
    let (out, err) = texts(&output);
    assert_eq!(out, "startpos moves 7g7f\n");
    for told in [
        "error: ./bad.kif: line 1: expected pieces in hand such as 飛　歩二, found `x`",
        "broken.zip: not a zip archive, or a damaged one",
        "nowhere.kif: No such file",
        "x*y: no such file, and no file matches it as a pattern",
        "error: 4 of the inputs could not be converted",
    ] {
        assert!(err.contains(told), "{told}: {err}");
    }
    // Quiet runs still say what failed.
    let err = bad(scratch.path(), &["convert", ".", "--sfen", "-q"], b"");
    assert!(err.starts_with("error: ./bad.kif: line 1") && !err.contains("written"), "{err}");
    let err = bad(scratch.path(), &["convert", "good.kif"], b"");
    assert!(err.contains("no output format: give --to"), "{err}");
    let err = bad(scratch.path(), &["convert", "good.kif", "--to", "pgn"], b"");
    assert!(err.contains("expected kif, ki2, csa, csa3, jkf, usi, usen or bod"), "{err}");
    let err = bad(scratch.path(), &["convert", "-", "--to", "kif"], b"hello\n");
    assert!(err.contains("no game record found"), "{err}");
    assert!(!scratch.path().join("out.kif").exists());
    bad(scratch.path(), &["convert", "bad.kif", "-o", "out.kif"], b"");
    assert!(!scratch.path().join("out.kif").exists(), "a file without games never comes into being");
}

#[test]
fn order_is_kept_over_threads() {
    let games = "startpos moves 7g7f\nstartpos moves 2g2f\nstartpos moves 5g5f\n".repeat(1700);
    let arguments = ["convert", "-", "--sfen", "-q", "--threads", "4"];
    let (out, _) = good(&samples(), &arguments, games.as_bytes());
    assert!(out == games, "the order changed");
}

#[test]
fn show() {
    let (out, err) = good(&samples(), &["show", "branches.kif"], b"");
    assert!(err.is_empty(), "{err}");
    for part in [
        "先手：甲\n",
        "   5 ▲４五角  1:10\n",
        "変化：3手\n",
        "|v歩v歩v歩v歩v歩v歩v歩v歩v歩|三\n",
        "手数＝5\n",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (out, _) = good(&samples(), &["show", "branches.kif", "--ply", "3"], b"");
    assert!(out.contains("手数＝3\n") && !out.contains("甲"), "{out}");
    let (_, err) = good(&samples(), &["show", "branches.kif", "--ply", "999"], b"");
    assert!(err.contains("moves; this is its last position"), "{err}");
    let (out, _) = good(&samples(), &["show", "branches.kif", "--every", "2"], b"");
    assert!(out.contains("手数＝2\n") && out.contains("手数＝4\n"), "{out}");
    let (out, _) = good(&samples(), &["show", "many.csa", "--game", "3"], b"");
    assert!(out.contains("▲１二金"), "{out}");
    let (out, _) = good(&samples(), &["show", "v22.csa"], b"");
    assert!(out.contains("= +58  7g7f 3c3d"), "{out}");
    let err = bad(&samples(), &["show", "many.csa", "--game", "4"], b"");
    assert!(err.contains("there is no game 4"), "{err}");
    let err = bad(&samples(), &["show", "nowhere"], b"");
    assert!(err.contains("nowhere: No such file"), "{err}");
}

/// Web pages and random bytes under the name of a record are not empty games.
#[test]
fn what_is_no_record_is_named() {
    let scratch = tempfile::tempdir().unwrap();
    let page = "<!DOCTYPE html>\n<html><head><title>棋譜：404</title></head>\n<body>先手：見つかりません<br>\n1 行目\n</body></html>\n";
    let random: Vec<u8> = (0..3000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    fs::write(scratch.path().join("page.kif"), page).unwrap();
    fs::write(scratch.path().join("random.kif"), &random).unwrap();
    fs::write(scratch.path().join("random.csa"), &random).unwrap();
    fs::write(scratch.path().join("text.ki2"), "hello\n'quoted'\n").unwrap();
    fs::write(scratch.path().join("empty.kif"), "").unwrap();
    for name in ["page.kif", "random.kif", "random.csa", "text.ki2", "empty.kif"] {
        let expected = format!("error: {name}: no game record found: expected KIF");
        let said = bad(scratch.path(), &["convert", name, "--to", "usi"], b"");
        assert!(said.starts_with(&expected), "{said}");
        assert!(said.contains("\n0 games read, 0 written, 1 failed\n"), "{said}");
        assert!(bad(scratch.path(), &["show", name], b"").contains("no game record found"), "{name}");
    }
}

/// After a hundred warnings the rest is counted; the log has all of them.
#[test]
fn a_log_has_every_warning() {
    let scratch = tempfile::tempdir().unwrap();
    let games: String = (0..150)
        .map(|i| if i % 3 == 0 { "startpos moves 7g7f 7g7f\n" } else { "startpos moves 7g7f xx\n" })
        .collect();
    fs::write(scratch.path().join("games.usi"), games).unwrap();
    let arguments = ["convert", "games.usi", "--to", "usi", "-o", "out.sfen", "--log", "all.txt"];
    let (_, err) = good(scratch.path(), &arguments, b"");
    assert_eq!(err.lines().filter(|line| line.contains("games.usi")).count(), 100, "{err}");
    assert!(err.contains("warning: 50 more warnings in all.txt\n"), "{err}");
    assert!(err.contains("150 games with bad moves (no such piece 50, not a move 100)"), "{err}");
    let log = fs::read_to_string(scratch.path().join("all.txt")).unwrap();
    assert_eq!(log.lines().filter(|line| line.starts_with("warning: games.usi")).count(), 150);
}
