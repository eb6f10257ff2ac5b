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
    good(folder, "book merge a.db b.db merge2.db --policy depth");
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
    assert_eq!(said, "2 games read, 2 written; 2 positions in all.db\n");
    let first = good(folder, "book probe all.db");
    // It was not searched, so it has no depth.
    assert_eq!(first, "7g7f 8c8d 0 0 2\n");
    good(folder, "book import games -o deep.db --depth 32");
    assert_eq!(good(folder, "book probe deep.db"), "7g7f 8c8d 0 32 2\n");
    assert_eq!(
        good(folder, "book import games -o min.db --min-count 2"),
        "2 games read, 2 written; 1 positions in min.db\n"
    );
    let said = good(folder, "book import games -o alice.db --player alice");
    assert_eq!(said, "2 games read, 1 written, 1 left out by the filters; 1 positions in alice.db\n");
    fs::write(folder.join("more.zip"), zip::zip_of(b"inner/c.usi", b"startpos moves 2g2f 8c8d 2f2e\n"))
        .unwrap();
    let said = good(folder, "book import games more.zip -o zip.db");
    assert_eq!(said, "3 games read, 3 written; 3 positions in zip.db\n");
    assert!(bad(folder, &["book", "import", "nowhere", "-o", "x.db"]).contains("nowhere"));
    let missing = bad(folder, &["book", "sort", "nowhere.db", "x.db"]);
    assert_eq!(missing.matches("No such file").count(), 1, "{missing}");
    assert!(!folder.join("x.db").exists());
}

/// `book import` and `convert` count the same files alike and name each that fails.
#[test]
fn imports_and_conversions_count_alike() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    fs::create_dir(folder.join("games")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join("games").join(name), text).unwrap();
    write("a.csa", "V2.2\nN+Alice\nN-Bob\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n%TORYO\n");
    write("b.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n+7677FU\n%TORYO\n");
    write("c.usi", "startpos moves 7g7f 3c3d\nsfen nonsense moves 7g7f\nstartpos moves 2g2f 8c8d 1a9i\n");
    let counts = |output: &Output| -> (String, String) {
        let said = [&output.stdout[..], &output.stderr].concat();
        let said = String::from_utf8(said).unwrap();
        let line = said.lines().find(|line| line.contains(" read, ")).unwrap_or_else(|| panic!("{said}"));
        let counts = line.split("; ").take(2).collect::<Vec<_>>().join("; ");
        (counts.split(" (").next().unwrap_or_default().to_owned(), said.clone())
    };
    let imported = run(folder, &["book", "import", "games", "-o", "a.db"], "");
    let converted = run(folder, &["convert", "games", "-o", "out", "--to", "kif"], "");
    let ((ours, said), (theirs, _)) = (counts(&imported), counts(&converted));
    assert_eq!(ours, theirs);
    assert_eq!(imported.status.code(), converted.status.code(), "{said}");
    assert!(said.contains("error: games/c.usi"), "{said}");
    assert!(folder.join("a.db").exists());
    // Nothing that could be read is no book.
    write("d.csa", "");
    let error = bad(folder, &["book", "import", "games/d.csa", "-o", "b.db"]);
    assert!(error.contains("no game record found") && !folder.join("b.db").exists(), "{error}");
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
        said.contains(
            "info string BookEvalDiff = 30 , BookEvalBlackLimit = 0 , 2 moves to 1 moves. BookEvalDiff 100 and \
             BookEvalBlackLimit -90 would let all through.\n"
        ),
        "{said}"
    );
    assert!(said.ends_with("bestmove 7g7f ponder 3c3d\n"), "{said}");
    // Turned by 180 degrees, on the fly, and not in answer to another move.
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

/// Books of three formats: the first that has the position answers, or all of them do; lines name their book.
#[test]
fn several_books_are_played_from() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    fs::create_dir(folder.join("book")).unwrap();
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let after = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2";
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    write("book/a.db", format!("{start}\n7g7f none 10 20 1\n"));
    write("b.db", format!("{start}\n2g2f none 40 20 1\n7g7f none 99 20 1\n{after}\n8c8d none 0 20 1\n"));
    write("c.db", format!("{start}\n5g5f none 0 20 3\n"));
    good(folder, "book convert b.db book/b.ybb");
    good(folder, "book convert c.db book/c.bin");
    let play = |books: &str, merge: &str, position: &str| {
        session(
            folder,
            &format!(
                "setoption name BookFile value {books}\nsetoption name BookMerge value {merge}\n\
                 setoption name BookEvalDiff value 99999\nisready\nposition {position}\ngo depth 1\nwait\nquit\n"
            ),
        )
    };
    let said = play("a.db;b.ybb;c.bin", "first", "startpos");
    assert_eq!(said.matches("info string read book file : ").count(), 3, "{said}");
    assert!(said.contains("info string book move 7g7f from a.db\nbestmove 7g7f"), "{said}");
    assert!(
        said.contains("score cp 10 nodes 0 nps 0 hashfull 0 time 0 pv 7g7f (100.00%) (a.db)\n"),
        "{said}"
    );
    let said = play("b.ybb; a.db", "first", "startpos");
    assert!(said.contains("pv 7g7f") && said.contains(" (b.ybb)\n") && !said.contains("(a.db)"), "{said}");
    // What the first book does not have, the second one answers.
    let said = play("a.db;b.ybb", "first", "startpos moves 2g2f");
    assert!(said.contains("info string book move 8c8d from b.ybb\n"), "{said}");
    // Together: the move that two books have has the value of the first of them.
    let said = play("a.db;b.ybb;c.bin", "merge", "startpos");
    for (m, value, book) in [("7g7f", 10, "a.db"), ("2g2f", 40, "b.ybb"), ("5g5f", 0, "c.bin")] {
        let line = said.lines().find(|line| line.contains(&format!(" pv {m} ")) && line.contains("multipv"));
        let line = line.unwrap_or_else(|| panic!("{m}: {said}"));
        assert!(
            line.contains(&format!("score cp {value} ")) && line.ends_with(&format!("({book})")),
            "{line}"
        );
    }
    // One that is missing is named, and the others are played from; one book alone needs no name.
    let said = play("missing.db;a.db", "first", "startpos");
    assert!(said.contains("can't read file : ") && said.ends_with("bestmove 7g7f\n"), "{said}");
    assert!(!said.contains(" from a.db"), "{said}");
    let said = session(
        folder,
        "setoption name BookFile value a.db;b.ybb\nsetoption name BookMerge value all\nusi\nquit\n",
    );
    assert!(
        said.contains("info string Error! BookMerge: expected one of first merge, found `all`"),
        "{said}"
    );
    assert!(said.contains("option name BookFile type combo default standard_book.db var no_book"), "{said}");
}

/// What `book import` and `book mine --out` write is played without any option, and a limit says what it holds back.
#[test]
fn our_own_books_are_played() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    fs::write(folder.join("games.sfen"), "startpos moves 7g7f 3c3d 2g2f 8c8d\n").unwrap();
    good(folder, "book import games.sfen -o book/user_book1.db");
    good(
        folder,
        "book mine raw.db --out book/user_book2.db --rounds 2 --leaves 2 --nodes 500 --threads 1 --hash 1",
    );
    let play = |book: &str, option: &str| {
        // What the mined moves are worth is not what this is about.
        session(
            folder,
            &format!(
                "setoption name BookEvalBlackLimit value -99999\nsetoption name BookFile value {book}\n{option}isready\n\
                 position startpos\ngo depth 1\nwait\nquit\n"
            ),
        )
    };
    let is_searched = |said: &str| said.contains(" seldepth ");
    for book in ["user_book1.db", "user_book2.db"] {
        let said = play(book, "");
        assert!(said.contains("bestmove "), "{book}: {said}");
        assert!(!is_searched(&said), "{book}: {said}");
        let limited = play(book, "setoption name BookDepthLimit value 16\n");
        assert!(is_searched(&limited), "{book}: {limited}");
        let line = limited.lines().find(|line| line.contains("BookDepthLimit = 16 : the book has depth "));
        let hint =
            line.and_then(|line| line.split(". ").nth(1)).and_then(|hint| hint.split(' ').nth(1)).unwrap();
        let said = play(book, &format!("setoption name BookDepthLimit value {hint}\n"));
        assert!(!is_searched(&said), "{book}: BookDepthLimit {hint}: {said}");
    }
}

/// The values of thinking and the counts of games both survive a merge, whichever book is named first.
#[test]
fn merging_keeps_values_and_counts() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    fs::write(folder.join("games.sfen"), "startpos moves 7g7f 3c3d 2g2f\n".repeat(40)).unwrap();
    good(folder, "book import games.sfen -o games.db --moves 1");
    let session_said = session(folder, "makebook from_sfen games.sfen reference.db moves 1\n");
    assert!(session_said.contains("write reference.db\n"), "{session_said}");
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    fs::write(folder.join("book.db"), format!("{start}\n7g7f 8c8d 52 20 10\n2g2f none 48 20 10\n")).unwrap();
    for games in ["games.db", "reference.db"] {
        for [first, second] in [[games, "book.db"], ["book.db", games]] {
            let said = good(folder, &format!("book merge {first} {second} out.db"));
            let expected =
                "1 positions in both books, 0 only in the first, 0 only in the second; nothing dropped\n";
            assert_eq!(said, expected);
            assert_eq!(good(folder, "book probe out.db"), "7g7f 8c8d 52 20 50\n2g2f none 48 20 10\n");
        }
    }
    // What the policy of the reference program drops is counted.
    let said = good(folder, "book merge reference.db book.db out.db --policy depth");
    assert!(said.ends_with("; 2 moves or their values dropped\n"), "{said}");
}

/// A search that is ended by its nodes is entered with the depth that it reached, and does not block a deeper one.
#[test]
fn the_depth_reached_is_what_the_book_says() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    fs::write(folder.join("games.sfen"), "startpos moves 7g7f 3c3d\n").unwrap();
    let depth = || -> i32 {
        let found = good(folder, "book probe a.db");
        found.split(' ').nth(3).unwrap().parse().unwrap()
    };
    let threads = "setoption name Threads value 1\nsetoption name USI_Hash value 16\nisready\n";
    let said = session(folder, &format!("{threads}makebook think games.sfen a.db moves 1 nodes 300\n"));
    assert!(said.ends_with("write a.db\n"), "{said}");
    let reached = depth();
    assert!((1..12).contains(&reached), "{reached}");
    // The same once more goes on where it was, which is at the end.
    let said = session(folder, &format!("{threads}makebook think games.sfen a.db moves 1 nodes 300\n"));
    assert!(said.ends_with("total 0 nodes \nnothing new, a.db stays as it is\n"), "{said}");
    let deeper = reached + 2;
    let said = session(folder, &format!("{threads}makebook think games.sfen a.db moves 1 depth {deeper}\n"));
    assert!(said.contains("total 1 nodes \n") && said.ends_with("write a.db\n"), "{said}");
    assert_eq!(depth(), deeper);
    let said =
        good(folder, &format!("book think games.sfen a.db --moves 1 --depth {deeper} --threads 1 --hash 1"));
    assert_eq!(said, "nothing new to think about, a.db stays as it is\n");
}

/// A file that is nothing that a command writes stays as it is, unless it is forced.
#[test]
fn swapped_arguments_destroy_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let games = "startpos moves 7g7f 3c3d 2g2f\n";
    fs::write(folder.join("g.sfen"), games).unwrap();
    fs::write(folder.join("notes.txt"), "# Notes\n\nDo not lose this.\n").unwrap();
    fs::write(folder.join("notes.db"), "# Notes\n\nDo not lose this.\n").unwrap();
    fs::write(folder.join("nn.bin"), [7u8, 3, 1].repeat(160)).unwrap();
    good(folder, "book synth b.db --positions 50");
    let kept = ["g.sfen", "notes.txt", "notes.db", "nn.bin", "b.db"];
    let read = || kept.map(|name| fs::read(folder.join(name)).unwrap());
    let before = read();
    for words in [
        "from_sfen b.db g.sfen",
        "from_sfen g.sfen notes.db",
        "think b.db g.sfen",
        "think g.sfen notes.txt",
        "merge b.db b.db g.sfen",
        "sort b.db g.sfen",
        "sort b.db notes.txt",
        "convert_to_apery b.db nn.bin",
        "build_tree b.db g.sfen",
        "extend_tree b.db g.sfen b.db",
        "endless_extend_tree b.db g.sfen notes.txt",
        "extract_sfen_from_db b.db notes.txt",
        "extract_sfen_from_sfen g.sfen b.db",
        "stera_convert b.db notes.db",
        "peta_shock b.db notes.db",
        "peta_shock_next b.db g.sfen 3",
        "stera write_book notes.db",
    ] {
        let said = session(folder, &format!("makebook {words}\n"));
        assert!(said.contains("info string Error! makebook: "), "{words}: {said}");
        assert!(!said.contains("write "), "{words}: {said}");
        assert!(read() == before, "{words} has changed a file: {said}");
    }
    for words in [
        "import g.sfen -o notes.db",
        "think g.sfen notes.db",
        "merge b.db b.db notes.db",
        "sort b.db notes.db",
        "minmax b.db notes.db",
        "convert b.db nn.bin",
        "repair b.db notes.db",
        "extend b.db g.sfen b.db",
        "export b.db g.sfen",
        "export b.db notes.txt",
        "synth notes.db --positions 9",
        "mine b.db --rounds 0 --out notes.db",
    ] {
        let arguments: Vec<&str> = ["book"].into_iter().chain(words.split(' ')).collect();
        let error = bad(folder, &arguments);
        assert!(error.contains("the file is there and is not a"), "{words}: {error}");
        assert!(read() == before, "{words} has changed a file");
    }
    let error = bad(folder, &["book", "sort", "notes.db", "--lenient"]);
    assert!(error.contains("notes.db: not a .db book: ") && read() == before, "{error}");
    // Our own books are replaced without further words, others when that is asked for.
    good(folder, "book synth b.db --positions 40");
    good(folder, "book sort b.db notes.db --force");
    assert!(
        session(folder, "makebook extract_sfen_from_db b.db notes.txt force\n")
            .contains("40 positions, write")
    );
    good(folder, "book check notes.db");
}

/// What cannot be done is said, and nothing is called written that was not.
#[test]
fn commands_that_do_nothing_say_why() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    fs::write(folder.join("g.sfen"), "startpos moves 7g7f 3c3d 2g2f\n").unwrap();
    fs::write(folder.join("empty.sfen"), "").unwrap();
    fs::write(folder.join("bad_roots.txt"), "startpos moves 7g7f\nstartpos moves 7g7e\n").unwrap();
    fs::write(folder.join("random.db"), [200u8, 13, 7, 9].repeat(99)).unwrap();
    good(folder, "book synth b.db --positions 20");
    for (words, message) in [
        (
            "think g.sfen x.db cluster 4 3",
            "cluster 4 3: expected the number of this machine and of all, such as 2 3",
        ),
        (
            "think g.sfen x.db startmoves 5 moves 3",
            "startmoves 5 is behind moves 3: no position is between them",
        ),
        ("think g.sfen x.db startmoves 9", "g.sfen: no game has a position from move 9 to move 16"),
        ("think empty.sfen x.db", "empty.sfen: no game has a position from move 1 to move 16"),
        ("from_sfen empty.sfen x.db", "empty.sfen: no games in it; nothing is written"),
        ("extend_tree b.db bad_roots.txt x.txt", "bad_roots.txt:2: not a legal move here: `7g7e`"),
        ("extend_tree b.db empty.sfen x.txt", "empty.sfen: no root in it"),
        ("extend_tree b.db nowhere.txt x.txt", "nowhere.txt: No such file"),
        ("extend_tree nowhere.db g.sfen x.txt", "nowhere.db: No such file"),
        ("endless_extend_tree nowhere.db g.sfen x.txt", "nowhere.db: No such file"),
        ("stera_convert b.db x.db nowhere.txt", "nowhere.txt: No such file"),
        ("stera read_book nowhere.db write_book x.db", "nowhere.db: No such file"),
        ("stera root_sfens_name nowhere.txt write_book x.db", "nowhere.txt: No such file"),
        ("sort random.db x.db", "random.db: not a .db book: "),
    ] {
        let said = session(folder, &format!("makebook {words}\n"));
        assert!(said.contains(&format!("info string Error! makebook: {message}")), "{words}: {said}");
        assert!(said.matches("No such file").count() <= 1, "{words}: {said}");
        assert!(!said.contains("write "), "{words}: {said}");
        assert!(!folder.join("x.db").exists() && !folder.join("x.txt").exists(), "{words}");
    }
    // A book of anything else is refused by name when it is to be played from, too.
    fs::create_dir(folder.join("book")).unwrap();
    fs::copy(folder.join("random.db"), folder.join("book/user_book1.db")).unwrap();
    for fly in ["false", "true"] {
        let options =
            format!("setoption name BookFile value user_book1.db\nsetoption name BookOnTheFly value {fly}\n");
        let said = session(folder, &format!("{options}isready\nquit\n"));
        assert!(said.contains("Error! : ") && said.contains("user_book1.db: not a .db book: "), "{said}");
    }
}

/// `IgnoreBookPly` decides whether a position after another number of moves is in the book.
#[test]
fn extending_honours_ignore_book_ply() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
    fs::write(folder.join("b.db"), format!("sfen {start} 9\n7g7f none 10 5 1\n")).unwrap();
    fs::write(folder.join("roots.txt"), "startpos\n").unwrap();
    for (ignored, expected) in [("false", "startpos moves\n"), ("true", "startpos moves 7g7f\n")] {
        let option = format!("setoption name IgnoreBookPly value {ignored}\n");
        session(folder, &format!("{option}makebook extend_tree b.db roots.txt out.txt\n"));
        assert_eq!(fs::read_to_string(folder.join("out.txt")).unwrap(), expected);
    }
    good(folder, "book extend b.db roots.txt out.txt --ignore-ply");
    assert_eq!(fs::read_to_string(folder.join("out.txt")).unwrap(), "startpos moves 7g7f\n");
}

/// A number that is none is 0, as other programs read it, with a remark.
#[test]
fn numbers_that_are_none_get_a_remark() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path();
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    fs::write(folder.join("a.db"), format!("{start}\n7g7f none abc 5 1\n")).unwrap();
    let remark = "a.db:2: expected a number, found `abc`: 0 is taken\n";
    for (words, wrote) in [
        ("sort a.db b.db", "none 0 5 1"),
        ("minmax a.db b.db", "none 0 0"),
        ("merge a.db a.db b.db", "none 0 5 1"),
    ] {
        let arguments: Vec<&str> = ["book"].into_iter().chain(words.split(' ')).collect();
        let output = run(folder, &arguments, "");
        let warned = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.success() && warned.contains(&format!("warning: {remark}")),
            "{words}: {warned}"
        );
        assert!(fs::read_to_string(folder.join("b.db")).unwrap().contains(wrote), "{words}");
        let said = session(folder, &format!("makebook {}\n", words.replace("minmax", "peta_shock")));
        assert!(said.contains(&format!("info string {remark}")), "{words}: {said}");
    }
    assert!(bad(folder, &["book", "check", "a.db"]).contains("1 bad lines"));
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

/// While a job works on a book no other process may write it; when the job is killed, others may.
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
    let old = "#YANEURAOU-DB2016 1.00\n";
    fs::write(folder.join("out.db"), old).unwrap();
    let killed = killed
        + kill_often(folder, "book merge a.db b.db out.db", 20, took, || {
            let now = fs::read(folder.join("out.db")).unwrap();
            assert!(now == old.as_bytes() || now == whole, "a torn book of {} bytes", now.len());
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
