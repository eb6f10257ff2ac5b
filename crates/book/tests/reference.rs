//! Our results against those of the reference programs, byte for byte where the format says the bytes.
//!
//! The files are other people's and are read in place; without them the tests say so and pass.

use book::{
    BUILD_PLIES, Collection, Contempt, DbReader, Entries, EntrySorter, ExtendOptions, LineEnd, MergePolicy,
    MinMaxOptions, PLAYED_DEPTH, PlayedBook, Plies, Problems, SortLimits, WorkOptions, build_tree,
    convert_book, extend_tree, merge_books, minmax, parse_root, sort_book, write_db, write_played,
};
use shogi::Color;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A folder of the shared files, if there is one.
fn shared(folder: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(public) = root.ancestors().map(|above| above.join("shared/public")).find(|path| path.is_dir())
    else {
        // Not `eprintln!`: the harness hides what passing tests print.
        let _ = writeln!(std::io::stderr(), "skipped: there is no shared/public/{folder}");
        return None;
    };
    let found = public.join(folder);
    assert!(found.is_dir(), "{} is there, but not {folder}", public.display());
    Some(found)
}

fn assert_same(ours: &Path, reference: &Path) {
    let (ours, theirs) = (fs::read_to_string(ours).unwrap(), fs::read_to_string(reference).unwrap());
    for (number, (our, their)) in ours.lines().zip(theirs.lines()).enumerate() {
        assert_eq!(our, their, "line {} of {}", number + 1, reference.display());
    }
    assert!(ours == theirs, "{}: lengths {} and {}", reference.display(), ours.len(), theirs.len());
}

fn silent(_: f64) {}

fn write_sorted(entries: impl IntoIterator<Item = book::Entry>, path: &Path) {
    let mut sorter = EntrySorter::new(SortLimits::default());
    sorter.push_all(&mut Entries::new(entries), path).unwrap();
    write_db(path, &mut sorter.finish().unwrap(), LineEnd::CrLf).unwrap();
}

#[test]
fn sort_and_merge() {
    let Some(files) = shared("book_reference") else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.db");
    let whole = WorkOptions::default();
    let tight = SortLimits { memory: 1 << 20, ..SortLimits::default() };
    for options in [whole, WorkOptions { limits: tight, ..WorkOptions::default() }] {
        sort_book(&files.join("a.db"), &out, &options, &mut silent).unwrap();
        assert_same(&out, &files.join("sort.db"));
        let inputs = [files.join("a.db"), files.join("b.db")];
        let inputs = [inputs[0].as_path(), inputs[1].as_path()];
        merge_books(inputs, &out, MergePolicy::DepthFirst, &options, &mut silent).unwrap();
        assert_same(&out, &files.join("merge.db"));
    }
}

/// Four positions whose order, union and min-max values were worked out by hand: always there.
#[test]
fn small_books() {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/books");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.db");
    let options = WorkOptions::default();
    let (small, other) = (files.join("small.db"), files.join("other.db"));
    let expect = |name: &str| {
        // The books are kept with the line ends of the repository, and written with those of the reference program.
        let [ours, expected] = [&out, &files.join(name)].map(|path| fs::read_to_string(path).unwrap());
        assert_eq!(ours.lines().collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>(), "{name}");
    };
    sort_book(&small, &out, &options, &mut silent).unwrap();
    expect("expected_sort.db");
    merge_books([small.as_path(), other.as_path()], &out, MergePolicy::DepthFirst, &options, &mut silent)
        .unwrap();
    expect("expected_merge.db");
    minmax(&small, &out, &MinMaxOptions::default(), &|_, _| ()).unwrap();
    expect("expected_peta.db");
}

/// Lists of games, and whose moves are taken from each.
type Lists = &'static [(&'static str, Option<Color>)];

#[test]
fn from_sfen() {
    let Some(files) = shared("book_reference") else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.db");
    let lists: [(&str, usize, Lists); 3] = [
        ("from_sfen.db", 24, &[("games.sfen", None)]),
        ("from_sfen_bw.db", 16, &[("games.sfen", Some(Color::Black)), ("games_w.sfen", Some(Color::White))]),
        ("from_sfen_nofile.db", 16, &[("games_w.sfen", Some(Color::White))]),
    ];
    for (reference, moves, sources) in lists {
        let mut book = PlayedBook::new(SortLimits::default()).with_depth(PLAYED_DEPTH);
        for (name, side) in sources {
            book.insert_list(&files.join(name), moves, *side, &mut |_, _, _| ()).unwrap();
        }
        write_played(&out, book, 0, &WorkOptions::default()).unwrap();
        assert_same(&out, &files.join(reference));
    }
}

#[test]
fn apery_both_ways() {
    let Some(files) = shared("book_reference") else { return };
    let folder = tempfile::tempdir().unwrap();
    let (bin, db) = (folder.path().join("out.bin"), folder.path().join("out.db"));
    convert_book(&files.join("from_sfen.db"), &bin, &WorkOptions::default(), &mut silent).unwrap();
    assert!(fs::read(&bin).unwrap() == fs::read(files.join("apery.bin")).unwrap(), "apery.bin differs");
    let summary = convert_book(&files.join("apery.bin"), &db, &WorkOptions::default(), &mut silent).unwrap();
    assert_same(&db, &files.join("from_apery.db"));
    // The book was made from games, so that all its positions can be reached.
    assert_eq!((summary.unreachable, summary.collisions), (0, 0));
}

#[test]
fn trees() {
    let Some(files) = shared("book_reference") else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.db");
    let read = |plies| {
        let mut reader = DbReader::open(&files.join("a.db"), Problems::stop()).unwrap();
        Collection::read(&mut reader, plies).unwrap()
    };
    let book = read(BUILD_PLIES);
    for (reference, contempt) in [
        ("build_tree.db", Contempt::default()),
        ("build_tree_c0.db", Contempt { black: 0, white: 0 }),
        ("build_tree_c.db", Contempt { black: 120, white: 30 }),
    ] {
        write_sorted(build_tree(&book, contempt), &out);
        assert_same(&out, &files.join(reference));
    }
    let book = read(Plies::Matter);
    for (reference, options) in [
        ("extend.txt", ExtendOptions::default()),
        ("extend_limits.txt", ExtendOptions { black_limit: -200, white_limit: -300, ..Default::default() }),
        ("extend_range.txt", ExtendOptions { range: Some((-60, 60)), ..Default::default() }),
    ] {
        let roots = fs::read_to_string(files.join("root.txt")).unwrap();
        let roots = roots.lines().map(|line| parse_root(line).unwrap()).collect();
        let lines = extend_tree(&book, roots, options);
        fs::write(&out, lines.join("\n") + "\n").unwrap();
        assert_same(&out, &files.join(reference));
    }
}

#[test]
fn peta_shock() {
    let Some(files) = shared("book_reference") else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.db");
    for (reference, shrink) in [("peta.db", false), ("peta_fast.db", false), ("peta_shrink.db", true)] {
        for threads in [1, 2] {
            let options = MinMaxOptions { shrink, threads, ..MinMaxOptions::default() };
            minmax(&files.join("a.db"), &out, &options, &|_, _| ()).unwrap();
            assert_same(&out, &files.join(reference));
        }
    }
}

#[test]
fn books_of_shogihome() {
    let Some(files) = shared("book_fixtures") else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.db");
    let mut seen = 0;
    for entry in fs::read_dir(&files).unwrap() {
        let path = entry.unwrap().path();
        let summary = convert_book(&path, &out, &WorkOptions::default(), &mut silent);
        let summary = summary.unwrap_or_else(|error| panic!("{error}"));
        assert!(summary.positions > 0, "{}", path.display());
        seen += 1;
    }
    assert!(seen > 10);
}
