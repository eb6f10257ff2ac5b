//! `--lang` and the locale: what people read is in their language, what programs read is the same in both.

mod program;

use program::{feed, tsumugi};

/// Status, standard output and standard error under a locale.
fn run(locale: &str, arguments: &[&str], input: &str) -> (i32, String, String) {
    let output = feed(tsumugi(arguments).env("LC_ALL", locale), input);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

const JAPANESE: &str = "ja_JP.UTF-8";

#[test]
fn help_and_errors_follow_the_locale_and_the_flag() {
    let (status, help, _) = run(JAPANESE, &["play", "--help"], "");
    assert!(
        status == 0 && help.contains("持ち時間（秒）") && help.contains("使い方: tsumugi play"),
        "{help}"
    );
    for arguments in [&["--lang", "en", "play", "--help"][..], &["play", "--lang=en", "--help"]] {
        let (status, help, _) = run(JAPANESE, arguments, "");
        assert!(status == 0 && help.contains("Usage: tsumugi play") && !help.contains("秒"), "{help}");
    }
    let (status, _, error) = run("C", &["convert", "--lang", "ja", "--levl", "3"], "");
    assert!(status == 2 && error.starts_with("エラー: 「--levl」という引数はありません"), "{error}");
    let (status, _, error) = run("C", &["convert", "--lang", "fr", "a.kif"], "");
    assert!(
        status == 2 && error.contains("--lang") && error.contains("en") && error.contains("ja"),
        "{error}"
    );
    let (status, out, error) = run(JAPANESE, &["convert", "missing.kif", "--to", "csa"], "");
    assert!(status == 1 && out.is_empty(), "{out}");
    assert!(error.contains("エラー: ") && !error.contains("error"), "{error}");
    let (status, version, _) = run(JAPANESE, &["--version"], "");
    assert!(status == 0 && version.starts_with("tsumugi "), "{version}");
}

#[test]
fn messages_of_a_command_are_translated_and_json_is_not() {
    let problem = ["mate", "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1"];
    let (status, out, _) = run(JAPANESE, &problem, "");
    assert!(
        status == 0 && out.starts_with("#1: 詰み、ちょうど1手（") && out.contains("\n  ５二金 まで1手詰"),
        "{out}"
    );
    let (_, out, _) = run("C", &problem, "");
    assert!(out.starts_with("#1: mate in exactly 1 ply ("), "{out}");
    let (_, out, _) = run(JAPANESE, &[problem[0], problem[1], "--json"], "");
    assert!(out.contains("\"certainty\":\"exact\"") && out.is_ascii(), "{out}");
}

#[test]
fn hosts_read_the_same_in_both_languages() {
    let commands =
        "usi\nsetoption name MultiPV value x\nposition startpos moves 7g7f\nsfen\nmoves\nwhat\nquit\n";
    let english = run("C", &[], commands);
    assert_eq!(run(JAPANESE, &[], commands), english);
    assert!(english.1.contains("usiok\n") && english.1.contains("info string Error!"), "{}", english.1);
    let (_, help, _) = run(JAPANESE, &[], "help\nquit\n");
    assert!(help.contains("この一覧"), "{help}");
}

#[test]
fn completions_and_manual_pages_are_written() {
    for (shell, word) in [
        ("bash", "complete -F _tsumugi"),
        ("zsh", "#compdef tsumugi"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let (status, script, error) = run(JAPANESE, &["completions", shell], "");
        assert!(status == 0 && script.contains(word) && script.contains("--byoyomi"), "{shell}: {error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man1");
    let (status, out, error) = run("C", &["man", man.to_str().unwrap()], "");
    assert!(status == 0, "{out}{error}");
    for (page, word) in
        [("tsumugi.1", "SYNOPSIS"), ("tsumugi-play.1", "byoyomi"), ("tsumugi-book-import.1", "min")]
    {
        let text = std::fs::read_to_string(man.join(page)).unwrap();
        assert!(text.contains(".TH") && text.contains(word), "{page}");
    }
}
