//! Libraries in a temporary folder: what was added is found, whatever happens on the way.

use library::{AddJob, AddSummary, GameFilter, Library, LibraryError, Pattern, Place, Rules, add};
use record::convert::Silent;
use record::freeze::NoteStyle;
use record::notation::{self, Catalogue, Notation};
use record::{Format, GameResult, IllegalMoves};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

const KIF: &str = "開始日時：2024/05/31 10:00:00\n棋戦：順位戦\n手合割：平手\n先手：羽生 R2500\n後手：佐藤\n\
                   手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ６八飛(28)\n   4 投了\n";
const CSA: &str = "V2.2\nN+Alice\nN-Bob\n$EVENT:floodgate\n$START_TIME:2020/01/02\n'black_rate:Alice:3000\n'white_rate:Bob:2000\n\
                   PI\n+\n+2726FU\n-3334FU\n+7776FU\n%TORYO\n";
/// The same position after three moves as the CSA game, by other moves; and its copy that goes on.
const LINES: &str = "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 3c3d 2g2f 8c8d\n";

struct Desk {
    folder: TempDir,
    catalogue: Catalogue,
    notation: Arc<dyn Notation>,
}

impl Desk {
    fn new() -> Self {
        let find = || {
            let shipped = fairy::Library::shipped();
            Box::new(move |name: &str| shipped.game(name))
        };
        let catalogue = Catalogue { style: NoteStyle::default(), find: find() };
        let notation = notation::choose(None, None, IllegalMoves::Cut, find()).unwrap();
        Self { folder: tempfile::tempdir().unwrap(), catalogue, notation }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn db(&self) -> PathBuf {
        self.path("my.games")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn try_add(&self, inputs: &[PathBuf], step: usize, prune: bool) -> Result<AddSummary, LibraryError> {
        let rules = Rules(&self.catalogue);
        let job = AddJob { inputs, notation: &*self.notation, rules, threads: 2, prune, step };
        add(&self.db(), &job, &Silent)
    }

    fn add(&self, inputs: &[&str]) -> AddSummary {
        let inputs: Vec<_> = inputs.iter().map(|name| self.path(name)).collect();
        self.try_add(&inputs, 1000, false).unwrap()
    }

    fn open(&self) -> Library {
        let library = Library::open(&self.db()).unwrap();
        assert_eq!(library.check(), Vec::<String>::new());
        library
    }

    fn place(command: &str) -> Place {
        Place { variant: "shogi".to_owned(), command: command.to_owned() }
    }

    /// Games that reach a position, by their numbers.
    fn at(&self, library: &Library, command: &str) -> Vec<u64> {
        let hits = library.games_at(Rules(&self.catalogue), &Self::place(command), &GameFilter::default());
        hits.unwrap().into_iter().map(|hit| hit.number.0).collect()
    }
}

fn desk_with_games() -> Desk {
    let desk = Desk::new();
    desk.write("games/a.kif", KIF);
    desk.write("games/b.csa", CSA);
    desk.write("games/more/c.sfen", LINES);
    desk.write("games/notes.md", "no record");
    desk
}

#[test]
fn games_are_kept_with_what_their_records_say() {
    let desk = desk_with_games();
    let summary = desk.add(&["games"]);
    assert_eq!((summary.added, summary.files, summary.failed, summary.games), (4, 3, 0, 4));
    let library = desk.open();
    let games: Vec<_> = library.list(&GameFilter::default()).collect();
    let kif = &games[0];
    assert_eq!((kif.black.as_str(), kif.white.as_str()), ("羽生 R2500", "佐藤"));
    assert_eq!((kif.black_rating, kif.white_rating), (Some(2500.0), None));
    assert_eq!(kif.date.unwrap().to_string(), "2024-05-31");
    assert_eq!((kif.event.as_str(), kif.ending.as_str(), kif.plies), ("順位戦", "投了", 3));
    assert_eq!(kif.result, GameResult::Win(game::Color::Black));
    assert_eq!(kif.black_opening, ["四間飛車", "振り飛車"]);
    assert_eq!(kif.line(), "startpos moves 7g7f 3c3d 2h6h");
    assert_eq!(kif.file.canonicalize().unwrap(), desk.path("games/a.kif").canonicalize().unwrap());
    assert_eq!((games[3].number_in_file, games[3].plies), (2, 4));
    for (wanted, expected) in [
        (GameFilter { openings: vec!["四間".to_owned()], ..GameFilter::default() }, vec![1]),
        (GameFilter { events: vec!["FLOOD".to_owned()], ..GameFilter::default() }, vec![2]),
        (GameFilter { endings: vec!["投了".to_owned()], ..GameFilter::default() }, vec![1, 2]),
        (GameFilter { files: vec!["c.sfen".to_owned()], ..GameFilter::default() }, vec![3, 4]),
        (GameFilter { variant: Some("freeze".to_owned()), ..GameFilter::default() }, vec![]),
    ] {
        let found: Vec<u64> = library.list(&wanted).map(|game| game.number.0).collect();
        assert_eq!(found, expected, "{wanted:?}");
    }
    let mut rated = GameFilter::default();
    rated.base.min_rating = Some(1500.0);
    assert_eq!(library.list(&rated).count(), 1);
}

#[test]
fn positions_are_found_by_whatever_moves() {
    let desk = desk_with_games();
    desk.add(&["games"]);
    let library = desk.open();
    assert_eq!(desk.at(&library, "startpos"), [1, 2, 3, 4]);
    // 2g2f 3c3d 7g7f and 7g7f 3c3d 2g2f.
    assert_eq!(desk.at(&library, "startpos moves 7g7f 3c3d 2g2f"), [2, 3, 4]);
    assert_eq!(desk.at(&library, "startpos moves 7g7f 8c8d"), Vec::<u64>::new());
    let rules = Rules(&desk.catalogue);
    let explored = library
        .explore(rules, &Desk::place("startpos moves 2g2f 3c3d 7g7f"), &GameFilter::default())
        .unwrap();
    assert_eq!((explored.counts.games, explored.ended), (3, 2));
    assert_eq!((explored.counts.black, explored.counts.unknown), (1, 2));
    // White is to move, and one of the three has a rating.
    assert_eq!(explored.counts.rating, Some(2000.0));
    let moves: Vec<_> =
        explored.moves.iter().map(|m| (m.usi.as_str(), m.text.as_str(), m.counts.games)).collect();
    assert_eq!(moves, [("8c8d", "８四歩(83)", 1)]);
    let tree = library.tree(rules, &Desk::place("startpos"), &GameFilter::default(), 3, 1).unwrap();
    let first: Vec<_> = tree.iter().map(|m| (m.played.usi.as_str(), m.played.counts.games)).collect();
    assert_eq!(first, [("7g7f", 3), ("2g2f", 1)]);
    let third: Vec<_> =
        tree[0].moves[0].moves.iter().map(|m| (m.played.usi.as_str(), m.played.counts.games)).collect();
    assert_eq!(third, [("2g2f", 2), ("2h6h", 1)]);
    for bad in ["startpos moves 7g7e", "nonsense", ""] {
        assert!(library.explore(rules, &Desk::place(bad), &GameFilter::default()).is_err(), "{bad}");
    }
    let unknown = Place { variant: "chess".to_owned(), command: "startpos".to_owned() };
    assert!(library.explore(rules, &unknown, &GameFilter::default()).is_err());
}

#[test]
fn patterns_find_pieces_and_hands() {
    let desk = desk_with_games();
    desk.write("games/d.usi", "startpos moves 7g7f 3c3d 8h2b+ 3a2b\n");
    desk.write("games/e.kif", "棋種：minishogi\n   1 ３四銀(35)\n");
    desk.add(&["games"]);
    let library = desk.open();
    let find = |squares: &[&str], hands: &[&str]| -> Vec<(u64, u32)> {
        let squares = squares.iter().map(|wish| wish.parse().unwrap()).collect();
        let hands = hands.iter().map(|wish| wish.parse().unwrap()).collect();
        let pattern = Pattern { squares, hands };
        let hits = library.games_like(Rules(&desk.catalogue), &pattern, &GameFilter::default(), 2);
        hits.unwrap().into_iter().map(|hit| (hit.number.0, hit.ply)).collect()
    };
    assert_eq!(find(&["6h=R", "3d=p"], &[]), [(1, 3)]);
    let last = library.games();
    assert_eq!(find(&[], &["Bb"]).len(), 1);
    assert_eq!(find(&[], &["B"])[0].1, 3);
    assert_eq!(find(&["3d=S", "3e=."], &[]), [(4, 1)], "another game");
    assert_eq!(find(&["9i=L"], &[]).len() as u64, last - 1, "its board is smaller");
}

#[test]
fn copies_are_found_by_their_moves() {
    let desk = desk_with_games();
    desk.write("games/d.kif", &KIF.replace("羽生", "H"));
    desk.add(&["games"]);
    let library = desk.open();
    let groups = |least| -> Vec<Vec<Vec<u64>>> {
        let numbers = |copies: &library::Copies| copies.games.iter().map(|number| number.0).collect();
        let found = library.duplicates(&GameFilter::default(), least);
        found.iter().map(|group| group.copies.iter().map(numbers).collect()).collect()
    };
    let kif: Vec<u64> = library
        .list(&GameFilter { openings: vec!["四間飛車".to_owned()], ..GameFilter::default() })
        .map(|game| game.number.0)
        .collect();
    let lines: Vec<u64> = library
        .list(&GameFilter { files: vec!["c.sfen".to_owned()], ..GameFilter::default() })
        .map(|game| game.number.0)
        .collect();
    assert_eq!(groups(20), [vec![kif.clone()]]);
    assert_eq!(groups(3), [vec![kif], vec![vec![lines[0]], vec![lines[1]]]]);
}

#[test]
fn only_what_changes_is_read_again() {
    let desk = desk_with_games();
    desk.add(&["games"]);
    let again = desk.add(&["games", "games/a.kif", "games/more/../b.csa"]);
    assert_eq!((again.added, again.files, again.unchanged, again.games), (0, 0, 3, 4));
    desk.write("games/new.usi", "startpos moves 2g2f 8c8d\n");
    desk.write("games/more/c.sfen", "startpos moves 5g5f\nstartpos moves 1g1f\nstartpos moves 9g9f\n");
    let changed = desk.add(&["games"]);
    assert_eq!((changed.added, changed.removed, changed.unchanged, changed.games), (4, 2, 2, 6));
    let library = desk.open();
    assert_eq!(desk.at(&library, "startpos moves 7g7f 3c3d 2g2f").len(), 1);
    assert_eq!(desk.at(&library, "startpos").len(), 6);
    let explored =
        library.explore(Rules(&desk.catalogue), &Desk::place("startpos"), &GameFilter::default()).unwrap();
    assert_eq!(explored.counts.games, 6);
    fs::remove_file(desk.path("games/a.kif")).unwrap();
    let gone = desk.add(&["games"]);
    assert_eq!((gone.gone, gone.removed, gone.games), (1, 0, 6), "games stay unless they are pruned");
    let pruned = desk.try_add(&[desk.path("games")], 1000, true).unwrap();
    assert_eq!((pruned.gone, pruned.removed, pruned.games), (0, 1, 5));
    assert_eq!(desk.at(&desk.open(), "startpos moves 7g7f 3c3d 2h6h"), Vec::<u64>::new());
}

#[test]
fn what_is_broken_is_named_and_known() {
    let desk = desk_with_games();
    desk.write("games/bad.kif", "手合割：平手\nnothing\n");
    desk.write("games/empty.csa", "");
    desk.write("games/half.usi", "startpos moves 7g7f\nsfen nonsense moves 7g7f\nstartpos moves 2g2f\n");
    let summary = desk.add(&["games", "games/missing.kif"]);
    assert_eq!(summary.added, 6 + usize::from(summary.added == 7), "{summary:?}");
    assert!(summary.failed >= 3, "{summary:?}");
    let again = desk.add(&["games"]);
    assert_eq!((again.added, again.failed), (0, 0));
    assert_eq!(again.known_failures, summary.failed - 1, "all but the missing one");
    let mut faults = Vec::new();
    let files = [desk.path("games")];
    let readable = library::check_files(&files, &*desk.notation, 2, &Silent, &mut |fault| faults.push(fault));
    assert_eq!(readable as u64, summary.games);
    for name in ["empty.csa", "half.usi game 2"] {
        assert!(faults.iter().any(|fault| fault.broken && fault.place.ends_with(name)), "{name}: {faults:?}");
    }
    assert!(matches!(desk.try_add(&["-".into()], 10, false), Err(LibraryError::Stdin)));
    desk.write("other.db", "something else");
    for (path, expected) in [("other.db", "not a library"), ("none.db", "no such library")] {
        let error = Library::open(&desk.path(path)).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

/// Random games with a common beginning, so that positions of many games are summed up.
fn many_games(count: u64) -> String {
    let mut random = platform::Random::new(31);
    let mut text = String::new();
    for number in 0..count {
        let mut position = shogi::Position::startpos();
        text += "startpos moves";
        for ply in 0..30 {
            let moves = position.legal_moves();
            let choices = if ply < 4 { 3 } else { moves.len() as u64 };
            let Some(m) = moves.get((random.next() % choices.max(1)) as usize).copied() else { break };
            text += " ";
            text += &m.to_string();
            position.do_move(m);
        }
        text += if number % 3 == 0 { " resign\n" } else { "\n" };
    }
    text
}

#[test]
fn summaries_say_what_all_games_say() {
    let desk = Desk::new();
    let text = many_games(700);
    let (first, second) = text.split_at(text.match_indices('\n').nth(599).unwrap().0 + 1);
    desk.write("a.usi", first);
    desk.write("b.usi", second);
    let summary = desk.try_add(&[desk.path("a.usi"), desk.path("b.usi")], 150, false).unwrap();
    assert_eq!(summary.added, 700);
    // A filter that every game passes keeps summaries from being used.
    let mut all = GameFilter::default();
    all.base.min_ply = Some(1);
    let rules = Rules(&desk.catalogue);
    let check = |library: &Library, expected: u64| {
        for command in ["startpos", "startpos moves 1g1f", "startpos moves 1g1f 1c1d", "startpos moves 7g7f"]
        {
            let open = library.explore(rules, &Desk::place(command), &GameFilter::default()).unwrap();
            assert_eq!(open, library.explore(rules, &Desk::place(command), &all).unwrap(), "{command}");
        }
        let start = library.explore(rules, &Desk::place("startpos"), &GameFilter::default()).unwrap();
        assert_eq!(start.counts.games, expected);
        assert_eq!(start.counts.games, start.moves.iter().map(|m| m.counts.games).sum::<u64>());
        assert!(start.counts.black + start.counts.white > expected / 4);
    };
    check(&desk.open(), 700);
    // Some games go, and summaries of their segment no longer hold.
    desk.write("b.usi", "startpos moves 5g5f\n");
    desk.add(&["a.usi", "b.usi"]);
    check(&desk.open(), 601);
    assert_eq!(library::reindex(&desk.db(), rules, 2).unwrap(), 601);
    check(&desk.open(), 601);
}

#[test]
fn every_game_can_be_added() {
    let desk = Desk::new();
    desk.write("mini.kif", "棋種：minishogi\n   1 ３四銀(35)\n");
    desk.write("freeze.usi", "startpos z3Z3 moves 7g7fzG 4a5b\n");
    desk.write("binarsi.kif", "棋種：binarsi\n");
    desk.write("shogi.usi", "startpos moves 7g7f\n");
    let summary = desk.add(&["mini.kif", "freeze.usi", "binarsi.kif", "shogi.usi"]);
    assert_eq!((summary.added, summary.failed), (4, 0));
    let library = desk.open();
    let mut variants: Vec<_> = library.list(&GameFilter::default()).map(|game| game.variant).collect();
    variants.sort_unstable();
    assert_eq!(variants, ["binarsi", "freeze", "minishogi", "shogi"]);
    for variant in variants {
        let place = Place { variant: variant.clone(), command: "startpos".to_owned() };
        let hits = library.games_at(Rules(&desk.catalogue), &place, &GameFilter::default()).unwrap();
        assert_eq!(hits.len(), 1, "{variant}");
    }
    assert_eq!(library::reindex(&desk.db(), Rules(&desk.catalogue), 1).unwrap(), 4);
    let place = Place { variant: "freeze".to_owned(), command: "startpos moves 7g7fzG".to_owned() };
    assert_eq!(
        desk.open().games_at(Rules(&desk.catalogue), &place, &GameFilter::default()).unwrap().len(),
        1
    );
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    let desk = desk_with_games();
    desk.add(&["games"]);
    let whole = fs::read(desk.db()).unwrap();
    let path = desk.path("damaged.games");
    let mut random = platform::Random::new(5);
    for round in 0..300 {
        let mut bytes = whole.clone();
        let at = (random.next() % bytes.len() as u64) as usize;
        if round % 3 == 0 {
            bytes.truncate(at);
        } else {
            let end = (at + 1 + round % 40).min(bytes.len());
            bytes[at..end].iter_mut().for_each(|byte| *byte = random.next() as u8);
        }
        fs::write(&path, &bytes).unwrap();
        let Ok(library) = Library::open(&path) else { continue };
        assert_ne!(round % 3, 0, "a library that was cut short opens");
        let sound = library.check().is_empty();
        let games: Vec<_> = library.list(&GameFilter::default()).collect();
        // With the slot of the last commit torn a library is what it was before.
        assert!(!sound || [0, 4].contains(&games.len()), "{round}");
        let _ = library.explore(Rules(&desk.catalogue), &Desk::place("startpos"), &GameFilter::default());
        let _ = library.stats(&GameFilter::default());
        let _ = library.duplicates(&GameFilter::default(), 1);
    }
}

#[test]
fn records_are_written_again() {
    let desk = desk_with_games();
    desk.add(&["games"]);
    let library = desk.open();
    let games: Vec<_> = library.list(&GameFilter::default()).collect();
    let out = desk.path("out");
    let export = |games: &[library::GameInfo], format: Format| {
        let job = library::ExportJob {
            games,
            destination: record::convert::Destination::Folder(out.clone()),
            write: record::WriteOptions::new(format),
            existing: record::convert::Existing::Replace,
            names: "{date} {black} - {white}".parse().unwrap(),
            notation: &*desk.notation,
            rules: Rules(&desk.catalogue),
            threads: 2,
        };
        library::export(&job, &Silent).unwrap()
    };
    for format in Format::ALL {
        let exported = export(&games, format);
        assert_eq!((exported.written, exported.from_library, exported.failed), (4, 0, 0), "{format}");
    }
    let names = |out: &Path| {
        let names = fs::read_dir(out).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<Vec<_>>()
    };
    assert!(names(&out).contains(&"2024-05-31 羽生 R2500 - 佐藤.kif".to_owned()), "{:?}", names(&out));
    let read = |name: &str| {
        record::read(&fs::read(out.join(name)).unwrap(), &record::ReadOptions::default()).unwrap()
    };
    let name = "2020-01-02 Alice - Bob.csa";
    assert_eq!(read(name).record.moves().count(), 3);
    // A file that is gone or holds another game now.
    fs::remove_file(desk.path("games/b.csa")).unwrap();
    desk.write("games/a.kif", &KIF.replace("６八飛", "５八飛"));
    let exported = export(&games, Format::Csa);
    assert_eq!((exported.written, exported.from_library), (4, 2));
    let record = read(name).record;
    assert_eq!((record.moves().count(), record.header.player(game::Color::White)), (3, Some("Bob")));
    assert_eq!(record.ending(), Some(&record::Ending::Resign));
}
