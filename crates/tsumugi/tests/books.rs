//! `tsumugi book`, `makebook` and playing from books as people use them.

mod program;
mod zip;

use program::{feed, tsumugi};
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = tsumugi(arguments);
    command.current_dir(folder);
    command
}

/// A job that others look at while it goes on.
fn start_job(folder: &Path, arguments: &[&str]) -> std::process::Child {
    let mut command = command(folder, arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn run(folder: &Path, arguments: &[&str], input: &str) -> Output {
    feed(&mut command(folder, arguments), input)
}

/// What a successful run prints.
fn good(folder: &Path, arguments: &str) -> String {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let output = run(folder, &arguments, "");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a failing run says.
fn bad(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments, "");
    assert!(!output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// What a session says.
fn session(folder: &Path, commands: &str) -> String {
    String::from_utf8(run(folder, &[], commands).stdout).unwrap()
}

fn same(folder: &Path, one: &str, other: &str) {
    let read = |name: &str| fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(read(one) == read(other), "{one} and {other} differ");
}

#[test]
fn console_and_command_line_agree() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert_eq!(good(folder, "book synth a.db --positions 500 --seed 1"), "500 positions in a.db\n");
    good(folder, "book synth b.db --positions 500 --seed 2");
    fs::write(
        folder.join("games.sfen"),
        "startpos moves 7g7f 3c3d 2g2f 8c8d\n7g7f 8c8d 2g2f\n2g2f 3c3d 1a1z\n",
    )
    .unwrap();
    let said = session(
        folder,
        "makebook sort a.db sort1.db\nmakebook merge a.db b.db merge1.db\nmakebook from_sfen games.sfen games1.db moves 3\n\
         makebook peta_shock a.db peta1.db\nmakebook convert_to_apery a.db apery1.bin\nmakebook\nmakebook sort x.db y.db\n\
         makebook turn a.db\nmakebook peta_shock_next a.db next.sfen 3 eval_noise 50\n\
         makebook stera write_book tera.db nodes_limit 3000 think_limit 3 ranged_alpha_beta_loop 1\n\
         makebook stera depth 3\n",
    );
    assert!(said.contains("illegal move : line = 3 , 2g2f 3c3d 1a1z , move = 1a1z\n"), "{said}");
    assert!(said.contains("same nodes = "), "{said}");
    assert!(said.contains("> makebook from_sfen GAMES|bw BLACK WHITE BOOK [moves N]\n"), "{said}");
    assert!(said.contains("info string Error! makebook: x.db: No such file"), "{said}");
    assert!(said.contains("info string Error! makebook: unknown way `turn`\n"), "{said}");
    assert!(said.contains("positions, write next.sfen\n"), "{said}");
    assert!(said.contains("info string Error! makebook: Illegal token = depth\n"), "{said}");
    // The start position and two of its children, with all their moves.
    let tera = fs::read_to_string(folder.join("tera.db")).unwrap();
    assert_eq!((tera.matches("sfen ").count(), tera.lines().count()), (3, 1 + 3 + 90), "{said}\n{tera}");
    good(folder, "book sort a.db sort2.db");
    good(folder, "book sort a.db sort3.db --memory 1M");
    good(folder, "book merge a.db b.db merge2.db");
    good(folder, "book minmax a.db peta2.db");
    good(folder, "book convert a.db apery2.bin");
    for name in ["sort", "merge", "peta"] {
        same(folder, &format!("{name}1.db"), &format!("{name}2.db"));
    }
    same(folder, "sort1.db", "sort3.db");
    same(folder, "apery1.bin", "apery2.bin");
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let games = fs::read_to_string(folder.join("games1.db")).unwrap();
    assert!(games.contains(&format!("sfen {start}\r\n7g7f 8c8d 0 32 2\r\n2g2f 3c3d 0 32 1\r\n")), "{games}");
}

#[test]
fn conversions_and_looks() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    good(folder, "book synth a.db --positions 300 --moves 3");
    good(folder, "book sort a.db");
    assert_eq!(good(folder, "book check a.db"), "300 positions, nothing wrong\n");
    good(folder, "book convert a.db a.ybb");
    good(folder, "book convert a.ybb b.db");
    good(folder, "book convert a.db a.sbk");
    good(folder, "book convert a.sbk c.db");
    // A .ybb has no counts, an .sbk no move numbers; values are the same.
    let diff = good(folder, "book diff a.db c.db --count");
    assert_eq!(diff, "300 the same, 0 changed, 0 removed, 0 added\n");
    assert!(good(folder, "book stats a.db").starts_with("300 positions ("));
    let probe = good(folder, "book probe a.db --on-the-fly");
    assert_eq!(probe, good(folder, "book probe a.db"));
    assert_eq!(probe.lines().count(), good(folder, "book probe a.ybb").lines().count());
    assert!(good(folder, "book probe a.db --on-the-fly --bench 1000").contains("1000 probes, 1000 found"));
    assert!(good(folder, "book show a.db --head 1").starts_with("sfen "));
    assert!(
        good(folder, "book export a.db out.sfen --min-value 0 --side black")
            .contains(" positions in out.sfen\n")
    );
    fs::write(folder.join("bad.db"), "sfen nonsense\n7g7f\n").unwrap();
    let error = bad(folder, &["book", "sort", "bad.db"]);
    assert!(error.starts_with("error: bad.db:1: expected a position: "), "{error}");
    assert_eq!(fs::read_to_string(folder.join("bad.db")).unwrap(), "sfen nonsense\n7g7f\n");
    assert!(bad(folder, &["book", "check", "bad.db"]).contains("1 bad lines"));
    assert_eq!(good(folder, "book repair bad.db good.db"), "0 positions in good.db, 0 moves left out\n");
    assert!(
        bad(folder, &["book", "convert", "a.db", "a.txt"])
            .contains("expected a book: .db, .ybb, .bin or .sbk")
    );
}

#[test]
fn games_become_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("games")).unwrap();
    fs::write(folder.join("games/a.csa"), "V2.2\nN+Alice\nN-Bob\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n%TORYO\n")
        .unwrap();
    fs::write(
        folder.join("games/b.kif"),
        "手合割：平手\n先手：Carol\n   1 ７六歩(77)\n   2 ８四歩(83)\n   3 ２六歩(27)\n",
    )
    .unwrap();
    let said = good(folder, "book import games -o all.db --moves 8");
    assert_eq!(said, "2 games, 0 filtered out, 0 unreadable; 2 positions in all.db\n");
    let first = good(folder, "book probe all.db");
    assert_eq!(first, "7g7f 8c8d 0 32 2\n");
    assert_eq!(
        good(folder, "book import games -o min.db --min-count 2"),
        "2 games, 0 filtered out, 0 unreadable; 1 positions in min.db\n"
    );
    let said = good(folder, "book import games -o alice.db --player alice");
    assert_eq!(said, "2 games, 1 filtered out, 0 unreadable; 1 positions in alice.db\n");
    fs::write(folder.join("more.zip"), zip::zip_of(b"inner/c.usi", b"startpos moves 2g2f 8c8d 2f2e\n"))
        .unwrap();
    let said = good(folder, "book import games more.zip -o zip.db");
    assert_eq!(said, "3 games, 0 filtered out, 0 unreadable; 3 positions in zip.db\n");
    assert!(bad(folder, &["book", "import", "nowhere", "-o", "x.db"]).contains("nowhere"));
    assert!(!folder.join("x.db").exists());
}

#[test]
fn a_book_is_played_from() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("book")).unwrap();
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    fs::write(
        folder.join("book/user_book1.db"),
        format!("sfen {start} b - 1\n7g7f 3c3d 10 20 1\n1g1f none -90 20 1\n"),
    )
    .unwrap();
    let book = "setoption name BookFile value user_book1.db\n";
    let said =
        session(folder, &format!("{book}isready\nposition startpos\ngo btime 1000 wtime 1000\nquit\n"));
    assert!(said.contains("info string read book done. number of positions = 1\n"), "{said}");
    let line = "info depth 20 multipv 1 score cp 10 nodes 0 nps 0 hashfull 0 time 0 pv 7g7f 3c3d (50.00%)\n";
    assert!(said.contains(line), "{said}");
    assert!(
        said.contains("info string BookEvalDiff = 30 , BookEvalBlackLimit = 0 , 2 moves to 1 moves.\n"),
        "{said}"
    );
    assert!(said.ends_with("bestmove 7g7f ponder 3c3d\n"), "{said}");
    // Turned by 180 degrees, on the fly, and not when another move is asked for.
    let flipped = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let fly = "setoption name BookOnTheFly value true\n";
    let said = session(folder, &format!("{book}{fly}isready\nposition {flipped}\ngo depth 1\nquit\n"));
    assert!(said.contains("bestmove 3c3d ponder 7g7f\n"), "{said}");
    let said = session(
        folder,
        &format!("{book}isready\nposition startpos\ngo depth 1 searchmoves 2g2f\nwait\nquit\n"),
    );
    assert!(said.contains("bestmove 2g2f"), "{said}");
    let said = session(folder, "setoption name BookFile value user_book2.db\nisready\nquit\n");
    assert!(said.contains("info string Error! : can't read file : "), "{said}");
    // The second set of options.
    fs::write(folder.join("engine_option_profile.txt"), "# books\nBOOK_OPTIONS_V2\n").unwrap();
    let said = session(folder, "usi\nquit\n");
    for option in [
        "option name BookMoves type spin default 200 min 0 max 10000\n",
        "option name BookEvalBlackDiff type spin default 0 min 0 max 99999\n",
        "option name BookDepthWhiteLimit type spin default 5 min 0 max 99999\n",
        "option name IgnoreBookPly type check default true\n",
    ] {
        assert!(said.contains(option), "{option}{said}");
    }
    assert!(!said.contains("NarrowBook") && !said.contains("ConsiderBookMoveCount"), "{said}");
}

#[test]
fn edits_keep_comments() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("a.db"), "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n# why\n7g7f none none none 3\n").unwrap();
    let edit =
        |arguments: &[&str]| run(folder, &[&["book", "edit", "a.db", "startpos"], arguments].concat(), "");
    assert!(edit(&["--set", "2g2f 8c8d 5 6 7"]).status.success());
    let text = fs::read_to_string(folder.join("a.db")).unwrap();
    assert!(text.ends_with("# why\n7g7f none none none 3\n2g2f 8c8d 5 6 7\n"), "{text}");
    assert!(!edit(&["--set", "1a1b"]).status.success());
    assert!(!edit(&[]).status.success());
    assert_eq!(fs::read_to_string(folder.join("a.db")).unwrap(), text);
}

/// While a job works on a book nobody else may write it; when the job is killed, everybody may.
#[test]
fn one_job_at_a_time() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    fs::write(folder.join("games.sfen"), "startpos moves 7g7f 3c3d 2g2f 8c8d\n").unwrap();
    let arguments = ["book", "think", "games.sfen", "a.db", "--depth", "60", "--threads", "1", "--hash", "1"];
    let mut job = start_job(folder, &arguments);
    let begin = Instant::now();
    while !folder.join("a.db.journal").exists() {
        assert!(begin.elapsed() < Duration::from_mins(1) && job.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(10));
    }
    good(folder, "book synth b.db --positions 10");
    for words in [
        ["book", "sort", "b.db", "a.db"].as_slice(),
        &["book", "edit", "a.db", "startpos", "--set", "7g7f"],
        &arguments,
    ] {
        let error = bad(folder, words);
        assert!(error.contains("a.db: another job is changing this book"), "{words:?}: {error}");
    }
    job.kill().unwrap();
    job.wait().unwrap();
    good(folder, "book sort b.db a.db");
}

/// Numbers that look random and are the same each time.
struct Delays(u64);

impl Delays {
    fn below(&mut self, most: Duration) -> Duration {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        most.mul_f64((self.0 >> 33) as f64 / (1u64 << 31) as f64)
    }
}

/// Starts a command and kills it after a while, many times over; tells how many times it was still running.
fn kill_often(
    folder: &Path,
    arguments: &str,
    times: usize,
    most: Duration,
    mut check: impl FnMut(),
) -> usize {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let mut delays = Delays(times as u64);
    let mut killed = 0;
    for _ in 0..times {
        let mut child = start_job(folder, &arguments);
        std::thread::sleep(delays.below(most));
        killed += usize::from(child.try_wait().unwrap().is_none());
        // Already gone is as good.
        let _ = child.kill();
        child.wait().unwrap();
        check();
    }
    killed
}

/// Killed at a hundred moments, no book is ever torn, and what is started again comes to the same end.
#[test]
fn kills_tear_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let games: String = ["7g7f 3c3d 2g2f 8c8d", "2g2f 8c8d 2f2e", "5g5f 3c3d 2h5h", "7g7f 8c8d 6g6f"]
        .map(|game| format!("startpos moves {game}\n"))
        .concat();
    fs::write(folder.join("games.sfen"), games).unwrap();
    let effort = "--depth 5 --nodes 400 --threads 1 --hash 1";
    let timed = |arguments: &str| {
        let begin = Instant::now();
        good(folder, arguments);
        begin.elapsed()
    };

    let think = |book: &str| format!("book think games.sfen {book} {effort} --save-interval 0");
    let took = timed(&think("whole.db"));
    let killed = kill_often(folder, &think("parts.db"), 40, took, || ());
    good(folder, &think("parts.db"));
    same(folder, "whole.db", "parts.db");

    let mine = |book: &str| format!("book mine {book} --rounds 3 --leaves 4 {effort}");
    let took = timed(&mine("mined.db"));
    let killed = killed + kill_often(folder, &mine("often.db"), 20, took, || ());
    good(folder, &mine("often.db"));
    // A job that was done before the last start has been done once more.
    let finished = |book: &str| fs::read(folder.join(book)).unwrap();
    while finished("mined.db").len() < finished("often.db").len() {
        good(folder, &mine("mined.db"));
    }
    same(folder, "mined.db", "often.db");

    good(folder, "book synth a.db --positions 3000 --seed 3");
    good(folder, "book synth b.db --positions 3000 --seed 4");
    let took = timed("book merge a.db b.db merged.db");
    let whole = fs::read(folder.join("merged.db")).unwrap();
    fs::write(folder.join("out.db"), "old").unwrap();
    let killed = killed
        + kill_often(folder, "book merge a.db b.db out.db", 20, took, || {
            let now = fs::read(folder.join("out.db")).unwrap();
            assert!(now == b"old" || now == whole, "a torn book of {} bytes", now.len());
        });

    let before = fs::read(folder.join("a.db")).unwrap();
    let took = timed("book edit a.db startpos --comment first");
    let length = fs::read(folder.join("a.db")).unwrap().len() - before.len();
    let killed = killed
        + kill_often(folder, "book edit a.db startpos --comment again", 20, took, || {
            let now = fs::read(folder.join("a.db")).unwrap();
            assert!((now.len() - before.len()).is_multiple_of(length), "a torn book of {} bytes", now.len());
        });
    eprintln!("killed {killed} of 100 while they were running");
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let end = path.extension().unwrap_or_default().to_string_lossy();
        assert!(
            ["tmp", "run", "journal", "lock", "plan", "db", "sfen"].contains(&&*end),
            "{}",
            path.display()
        );
    }
}
