//! Variants through the real binary: the console, `variants`, `perft` and `match`.

mod program;

use program::{feed, tsumugi};
use std::process::Output;

fn run(arguments: &[&str], input: &str) -> Output {
    feed(&mut tsumugi(arguments), input)
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8(output.stdout.clone()).unwrap().lines().map(str::to_owned).collect()
}

/// What a console says that plays `variant`.
fn console(variant: &str, input: &str) -> Vec<String> {
    let quick = "setoption name Threads value 1\nsetoption name USI_Hash value 1\n";
    let output = run(&[], &format!("setoption name USI_Variant value {variant}\n{quick}{input}quit\n"));
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    lines(&output)
}

#[test]
fn the_list_is_offered() {
    let said = lines(&run(&[], "usi\nquit\n"));
    let combo = said.iter().find(|line| line.starts_with("option name USI_Variant ")).unwrap();
    assert!(combo.contains("type combo default shogi var shogi "), "{combo}");
    for name in ["66shogi", "66shogi-free", "minishogi", "torishogi", "antiminishogi"] {
        assert!(combo.split(' ').any(|word| word == name), "{name}: {combo}");
    }
}

#[test]
fn setup_and_play() {
    let said = console("66shogi", "moves\nposition startpos moves K*1f K*1a\nsfen\ngo perft 2\n");
    assert_eq!(
        said[0],
        "info string variant 66shogi startpos 6/pppppp/6/6/PPPPPP/6 b KRBGSNLkrbgsnl 1 setup:bw"
    );
    assert_eq!(said[1].split(' ').count(), 42);
    assert_eq!(said[2], "5k/pppppp/6/6/PPPPPP/5K b RBGSNLrbgsnl 3 setup:bw");
    assert_eq!(said.last().unwrap(), "Nodes searched: 900");
}

#[test]
fn searches_answer_in_every_variant() {
    let names = lines(&run(&["variants", "list"], ""));
    assert!(names.len() >= 17, "{names:?}");
    let search = |line: &String| {
        let name = line.split_whitespace().next().unwrap();
        format!("setoption name USI_Variant value {name}\nisready\ngo nodes 300\nwait\n")
    };
    let input: String = names.iter().map(search).collect();
    let said = console("minishogi", &input);
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), names.len());
    assert!(!said.iter().any(|line| line.contains("Error") || line.contains("resign")), "{said:?}");
}

/// What is answered where the game is over already.
#[test]
fn a_side_that_has_won_never_resigns() {
    for (variant, position, best) in [
        // Who has lost every piece has won.
        ("antiminishogi", "rbsgk/4p/5/5/5 b - 1", "win"),
        ("antiminishogi", "rbsgk/4p/5/5/5 w - 1", "resign"),
        ("antiminishogi", "5/5/5/P4/KGSBR w - 1", "win"),
        ("antiminishogi", "5/5/5/P4/KGSBR b - 1", "resign"),
        // So has who cannot move.
        ("antiminishogi", "P4/5/5/5/4k b - 1", "win"),
        ("minishogi", "4k/3GG/5/5/K4 w - 1", "resign"),
    ] {
        let said = console(variant, &format!("isready\nposition sfen {position}\ngo nodes 300\nwait\n"));
        assert!(!said.iter().any(|line| line.contains("Error")), "{said:?}");
        assert_eq!(said.last().unwrap(), &format!("bestmove {best}"), "{variant} {position}");
    }
}

#[test]
fn perft_of_a_variant() {
    let output = run(&["perft", "--variant", "dobutsu", "4"], "");
    assert!(lines(&output)[0] == "Nodes searched: 976", "{output:?}");
    let output = run(&["perft", "--variant", "nothing", "4"], "");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        !output.status.success()
            && error.starts_with("error: unknown variant 'nothing'; expected one of shogi ")
    );
}

#[test]
fn files_are_checked_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.ini");
    let bad = folder.path().join("bad.ini");
    std::fs::write(&good, "[knights:minishogi]\ncustomPiece1 = n:N\nstartFen = nbsgk/4p/5/P4/KGSBN w 0 1\n")
        .unwrap();
    std::fs::write(&bad, b"[a:minishogi]\nmaxRank = 40\n[b:minishogi]\nfoo = 1\n\xff\xfe\n").unwrap();
    let (good, bad) = (good.to_str().unwrap(), bad.to_str().unwrap());

    let output = run(&["variants", "check", good], "");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(lines(&output), [format!("{good}: 1 variants can be played")]);
    let output = run(&["variants", "check", bad], "");
    assert!(!output.status.success());
    let said = lines(&output);
    assert_eq!(
        said[0],
        format!("{bad}: line 2: error: [a] maxRank: expected a number from 1 to 10, found `40`")
    );
    assert_eq!(said[1], format!("{bad}: line 4: warning: [b] foo: unknown key; ignored"));
    assert!(said[2].starts_with(&format!("{bad}: line 5: warning: [b] expected `key = value`")), "{said:?}");
    assert_eq!(said[3], format!("{bad}: 1 variants can be played"));

    let path = |path: &str| format!("setoption name VariantPath value {path}\n");
    let said =
        console("minishogi", &format!("{}setoption name USI_Variant value knights\nmoves\nd\n", path(good)));
    assert_eq!(said[1], format!("info string {good}: 1 variants: knights"));
    assert_eq!(said[2], "info string variant knights startpos nbsgk/4p/5/P4/KGSBN b - 1");
    assert!(said[3].split(' ').any(|m| m == "1e2c"), "{said:?}");
    assert!(said[4].starts_with("knights: "));

    let said = console(
        "minishogi",
        &format!("{}position startpos moves 1e1d\n{}side\nsfen\n", path(bad), path("/nowhere.ini")),
    );
    assert!(said[1].contains("line 2: error: [a] maxRank"), "{said:?}");
    assert!(said.iter().any(|line| line.contains("File Not Found")), "{said:?}");
    assert_eq!(said[said.len() - 2..], ["white", "rbsgk/4p/5/P3R/KGSB1 w - 2"]);
}

#[test]
fn a_match_of_a_variant() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_tsumugi"));
    let arguments = [
        "match",
        "--variant",
        "dobutsu",
        "--engine",
        "name=A",
        &program,
        "--engine",
        "name=B",
        &program,
        "--each",
        "nodes=50",
        "threads=1",
        "hash=1",
        "--games",
        "2",
        "--max-moves",
        "60",
        "--out",
        out.to_str().unwrap(),
    ];
    let output = run(&arguments, "");
    assert!(output.status.success(), "{output:?}");
    let games = std::fs::read_to_string(out.join("games.jsonl")).unwrap();
    assert_eq!(games.lines().count(), 2, "{games}");
    assert!(!games.contains("illegal") && !games.contains("crash"), "{games}");
}

#[test]
fn mates_are_solved() {
    // A gold mates at once; a lone rook only gives checks; what was asked for too shortly stays open.
    let mate = |position: &str, limit: &str| {
        let output = run(
            &[],
            &format!(
                "setoption name USI_Variant value minishogi\nposition sfen {position}\ngo mate {limit}\nwait\nquit\n"
            ),
        );
        lines(&output).pop().unwrap()
    };
    assert_eq!(mate("4k/5/4P/5/K4 b G 1", "infinite"), "checkmate G*1b");
    assert_eq!(mate("4k/5/5/5/R3K b - 1", "infinite"), "checkmate nomate");
    assert_eq!(mate("4k/5/5/5/K4 w RBGSP 2", "infinite"), "checkmate nomate");
}

#[test]
fn records_of_variants_are_converted_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let games = "startpos moves 3e3d 3a3b 3d2c resign\nsfen 4k/5/4P/5/K4 b G 1 moves G*1b\n";
    std::fs::write(path("games.usi"), games).unwrap();
    let convert = |arguments: &[&str]| {
        let mut all = vec!["convert", "--variant", "minishogi"];
        all.extend(arguments);
        run(&all, "")
    };
    let output = convert(&[&path("games.usi"), "-o", &path("games.kif")]);
    assert!(output.status.success(), "{output:?}");
    let kif = std::fs::read_to_string(path("games.kif")).unwrap();
    for line in
        ["棋種：minishogi", "   1 ３四銀(35)", "   4 投了", "開始局面：4k/5/4P/5/K4 b G 1", "   1 １二金打"]
    {
        assert!(kif.lines().any(|other| other == line), "{line} in {kif}");
    }
    let output = convert(&[&path("games.kif"), "--to", "usi"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), games);
    // Files are not replaced unasked, and other formats are refused.
    assert!(!convert(&[&path("games.usi"), "-o", &path("games.kif")]).status.success());
    let refused = convert(&[&path("games.usi"), "--to", "csa"]);
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(
        message.contains("--to csa: games of a variants.ini and Binarsi are written as kif or usi"),
        "{message}"
    );
    let refused = convert(&[&path("games.usi"), "--sfen", "--keep-illegal"]);
    assert!(!refused.status.success() && refused.stdout.is_empty());
    let long = convert(&[&path("games.usi"), "--sfen", "--min-ply=3"]);
    assert_eq!(String::from_utf8(long.stdout).unwrap(), "startpos moves 3e3d 3a3b 3d2c resign\n");
    let positions = convert(&[&path("games.usi"), "--positions"]);
    assert_eq!(String::from_utf8(positions.stdout).unwrap().lines().count(), 4 + 2);
    // `convert` reads the field 棋種, beside records of shogi in the same folder.
    std::fs::write(path("shogi.usi"), "startpos moves 7g7f\n").unwrap();
    let both = run(&["convert", &path("games.kif"), &path("shogi.usi"), "--to", "usi"], "");
    assert_eq!(String::from_utf8(both.stdout).unwrap(), format!("{games}startpos moves 7g7f\n"));
    std::fs::write(path("other.kif"), "棋種：nosuchgame\n   1 ３四銀(35)\n").unwrap();
    let other = run(&["convert", &path("other.kif"), "--to", "usi"], "");
    let message = String::from_utf8(other.stderr).unwrap();
    assert!(!other.status.success() && message.contains("棋種 nosuchgame: no such game"), "{message}");
    // The record itself says which game it is.
    let shown = String::from_utf8(run(&["show", &path("games.kif")], "").stdout).unwrap();
    assert!(shown.contains("v飛v角v銀v金v玉 a") && shown.contains("   2 △３二銀(31)\n"), "{shown}");
    let shown = run(&["show", "--variant", "minishogi", "--game", "2", "--ply", "1", &path("games.usi")], "");
    assert!(String::from_utf8(shown.stdout).unwrap().contains("金 b\n"));
    let other = run(&["show", "--variant", "judkins", &path("games.kif")], "");
    let message = String::from_utf8(other.stderr).unwrap();
    assert!(message.contains("a record of minishogi, expected judkins"), "{message}");
}

#[test]
fn bad_records_of_variants_keep_what_is_good() {
    let show = |text: &str| {
        let output = run(&["show", "--variant", "minishogi", "-"], text);
        (output.status.success(), lines(&output), String::from_utf8(output.stderr).unwrap())
    };
    let (good, shown, said) = show("startpos moves 3e3d 9z9z");
    assert!(good && shown.iter().any(|line| line == "   1 ▲３四銀(35)"), "{shown:?}");
    assert!(said.contains("move 2 `9z9z`: not a move"), "{said}");
    let (_, _, said) = show("   1 ３四銀(35)\n   2 ５五金(11)\n   3 ３五銀(34)\n");
    assert!(said.contains("line 2: move 2 `５五金(11)`: illegal here"), "{said}");
    let (good, _, said) = show("sfen 9/9/9 b - 1");
    assert!(!good && said.contains("line 1: "), "{said}");
    assert!(!show("").0);
}

/// A file is edited and named again, as a person who writes one does.
#[test]
fn an_edited_file_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("my.ini");
    let set = format!("setoption name VariantPath value {}\n", file.display());
    let mut child = tsumugi(&[])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let mut stdout = std::io::BufReader::new(child.stdout.take().expect("it is piped"));
    // Speaks, and hears everything up to the line that ends with `end`.
    let mut talk = |input: &str, end: &str| {
        use std::io::{BufRead, Write};
        write!(stdin, "{input}").and_then(|()| stdin.flush()).expect("it listens");
        let mut heard = Vec::new();
        while heard.last().is_none_or(|line: &String| !line.ends_with(end)) {
            let mut line = String::new();
            assert!(stdout.read_line(&mut line).expect("text") > 0, "{heard:?}");
            heard.push(line.trim_end().to_owned());
        }
        heard
    };
    std::fs::write(&file, "[mine:minishogi]\n").expect("written");
    talk(&format!("{set}USI_Variant mine\nposition startpos moves 5d5c\nside\n"), "white");
    // Nothing has changed: the game goes on.
    talk(&format!("{set}side\n"), "white");
    std::fs::write(&file, "[mine:gorogoro]\n[more:mine]\n").expect("written");
    let heard = talk(&format!("{set}sfen\n"), "b - 1");
    let again = "info string variant mine startpos sgkgs/5/1ppp1/1PPP1/5/SGKGS b - 1";
    assert!(heard.iter().any(|line| line == again), "{heard:?}");
    let heard = talk("USI_Variant more\nside\n", "black");
    assert!(!heard.iter().any(|line| line.contains("Error")), "{heard:?}");
    // A mistake leaves the former definition.
    std::fs::write(&file, "[mine:gorogoro]\nmaxRank = 99\n").expect("written");
    let heard = talk(&format!("{set}USI_Variant mine\nsfen\n"), "SGKGS b - 1");
    assert!(heard.iter().any(|line| line.contains("line 2: error: [mine] maxRank")), "{heard:?}");
    talk("side\n", "black");
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_bad_section_does_not_block_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("my.ini");
    std::fs::write(&file, "[bad:minishogi]\nmaxRank = 99\n[good:minishogi]\n").expect("written");
    let path = file.to_str().expect("text");
    let counted = run(&["perft", "--variant", "good", "--variant-path", path, "2"], "");
    assert!(counted.status.success(), "{counted:?}");
    assert!(lines(&counted)[0].ends_with(" 181"), "{counted:?}");
    let said = String::from_utf8(counted.stderr).expect("text");
    assert!(said.contains("line 2: error: [bad] maxRank: expected a number from 1 to 10"), "{said}");
    let refused = run(&["perft", "--variant", "bad", "--variant-path", path, "2"], "");
    assert!(!refused.status.success());
    let said = String::from_utf8(refused.stderr).expect("text");
    assert!(said.contains("unknown variant 'bad'") && said.contains("[bad] maxRank"), "{said}");
}

#[test]
fn byte_order_marks_and_utf_16() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "[mine:minishogi]\r\ndropLoop = true\r\n";
    let wide = |unit: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(unit).collect::<Vec<u8>>();
    for (name, bytes) in [
        ("utf8.ini", [b"\xef\xbb\xbf".to_vec(), text.as_bytes().to_vec()].concat()),
        ("little.ini", [vec![0xff, 0xfe], wide(u16::to_le_bytes)].concat()),
        ("big.ini", [vec![0xfe, 0xff], wide(u16::to_be_bytes)].concat()),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).expect("written");
        let path = file.to_str().expect("text");
        let checked = run(&["variants", "check", path], "");
        assert_eq!(lines(&checked), [format!("{path}: 1 variants can be played")], "{name}: {checked:?}");
        assert!(lines(&run(&["variants", "list", path], "")).iter().any(|line| line.starts_with("mine ")));
        let said = console("minishogi", &format!("VariantPath {path}\nUSI_Variant mine\n"));
        assert!(said.iter().any(|line| line.starts_with("info string variant mine ")), "{name}: {said:?}");
    }
}

#[test]
fn odd_values_get_a_remark() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("my.ini");
    let text = "[a:66shogi]\npieceChoiceGroup = options=rb limit=1 required=maybe\n\
                [b:minishogi]\nsetupMustDrop = true\n";
    std::fs::write(&file, text).expect("written");
    let path = file.to_str().expect("text");
    assert_eq!(
        lines(&run(&["variants", "check", path], "")),
        [
            format!(
                "{path}: line 2: warning: [a] pieceChoiceGroup: required is true or false, found `maybe`, which counts \
                 as false"
            ),
            format!("{path}: line 4: warning: [b] setupMustDrop: has no effect without `setupDrops = true`"),
            format!("{path}: 2 variants can be played"),
        ]
    );
}
