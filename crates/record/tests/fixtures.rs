//! Small files written for these tests, one dialect or quirk in each: `testdata/records`.

use record::encoding::{Encoding, LineEnd};
use record::{Ending, Field, Format, Games, IllegalMoves, Loaded, NodeId, ReadOptions, Record, WriteOptions};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/records")
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).expect(name)
}

fn load(name: &str) -> Loaded {
    record::read(&bytes(name), &ReadOptions::default()).expect(name)
}

/// The game without a fault.
fn game(name: &str) -> Record {
    let loaded = load(name);
    assert!(loaded.faults.is_empty(), "{name}: {:?}", loaded.faults);
    loaded.record
}

fn moves(record: &Record) -> String {
    record.moves().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
}

/// Every line from the start to its end.
fn lines(record: &Record) -> Vec<String> {
    let leaves = record.tree.walk().filter(|id| record.tree.next(*id).is_none());
    leaves
        .map(|leaf| {
            let mut steps: Vec<String> = std::iter::successors(Some(leaf), |id| record.tree.parent(*id))
                .filter_map(|id| match record.tree[id].step()? {
                    record::Step::Move(m) => Some(m.to_string()),
                    record::Step::End(ending) => Some(ending.to_string()),
                })
                .collect();
            steps.reverse();
            steps.join(" ")
        })
        .collect()
}

#[test]
fn a_log_of_a_csa_server_holds_its_games() {
    let bytes = bytes("server.log");
    let games = Games::new(bytes.as_slice(), ReadOptions::default()).expect("a log");
    let games: Vec<Loaded> = games
        .map(|game| record::read(&game.expect("bytes"), &ReadOptions::default()).expect("a game"))
        .collect();
    let [first, second] = games.as_slice() else { panic!("{} games", games.len()) };
    assert!(games.iter().all(|game| game.format == Format::Csa && game.faults.is_empty()));
    let told: Vec<_> = first.record.header.iter().collect();
    assert_eq!(
        told,
        [
            ("棋戦", "club-1"),
            ("先手", "tsumugi"),
            ("後手", "guest"),
            ("最大手数", "512"),
            ("先手持ち時間", "600+30+0"),
            ("後手持ち時間", "900+0+10"),
        ]
    );
    assert_eq!(lines(&first.record), ["3a3b 7g7f 5a4b 2g2f 投了"]);
    let written = record::write(&first.record, &WriteOptions::new(Format::Csa3));
    assert_eq!(written.losses, []);
    let csa3 = String::from_utf8(written.bytes).expect("UTF-8");
    assert!(csa3.ends_with("+2726FU\nT2.5\n'** 1250 -3334FU +2625FU\n%TORYO\nT49\n"), "{csa3}");
    assert_eq!(lines(&second.record), ["2h3h 反則負け"]);
}

#[test]
fn kif_with_branches_in_shift_jis() {
    let loaded = load("branches.kif");
    assert_eq!((loaded.format, loaded.encoding), (Format::Kif, Encoding::ShiftJis));
    let game = loaded.record;
    assert_eq!(
        lines(&game),
        [
            "7g7f 3c3d 8h2b+ 3a2b B*4e 投了",
            "7g7f 3c3d 2g2f 8c8d 2f2e 中断",
            "7g7f 3c3d 2g2f 4c4d",
            "2g2f 千日手",
        ]
    );
    let root = game.tree.note(NodeId::ROOT);
    assert_eq!(root.comments, ["開始前のコメント"]);
    assert_eq!(root.bookmark, Some("はじめ"));
    let first = game.tree.next(NodeId::ROOT).unwrap();
    assert_eq!(game.tree.note(first).comments, ["一手目", "二行目"]);
    let seconds: Vec<u64> =
        game.tree.main_line().filter_map(|id| game.tree[id].time).map(|t| t.as_secs()).collect();
    assert_eq!(seconds, [5, 7, 1, 2, 70, 0]);
    assert_eq!(game.header.get(Field::Event), Some("見本戦"));
    assert_eq!(game.result(), record::GameResult::Win(shogi::Color::Black));
}

#[test]
fn kif_of_other_programs() {
    let game = game("dialects.kifu");
    assert_eq!(moves(&game), "7g7f 3c3d 2g2f 8c8d 2f2e");
    assert_eq!(game.ending(), Some(&Ending::Other("時間切れ".into())));
    let seconds: Vec<Option<u64>> =
        game.tree.main_line().map(|id| game.tree[id].time.map(|t| t.as_secs())).collect();
    assert_eq!(seconds, [Some(1), None, Some(5), Some(1), Some(0), None]);
    assert_eq!(record::convert::rating(&game, shogi::Color::Black), Some(2800.0));
    assert_eq!(record::convert::rating(&game, shogi::Color::White), Some(1500.0));
}

#[test]
fn tsume_with_one_king_and_hands_without_blanks() {
    let game = game("tsume.kif");
    assert_eq!(game.start.to_string(), "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    assert_eq!((moves(&game).as_str(), game.ending()), ("G*1b", Some(&Ending::Mate)));
}

#[test]
fn handicaps_that_others_do_not_know() {
    let game = game("handicap.kif");
    assert_eq!(game.start, shogi::Handicap::ThreePieces.setup());
    assert_eq!(moves(&game), "7a6b 7g7f");
    assert_eq!(game.header.player(shogi::Color::White), Some("甲"));
}

#[test]
fn illegal_moves_are_cut_or_kept() {
    let loaded = load("illegal.kifu");
    assert_eq!(lines(&loaded.record), ["7g7f 3c3d", "7g7f 8c8d"]);
    let told: Vec<String> = loaded.faults.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["move 3 `P*7g`: illegal: there is no such piece in hand"]);
    let options = ReadOptions { illegal: IllegalMoves::Keep, ..ReadOptions::default() };
    let kept = record::read(&bytes("illegal.kifu"), &options).unwrap();
    assert_eq!(lines(&kept.record), ["7g7f 3c3d P*7g 8c8d", "7g7f 8c8d"]);
    assert_eq!(kept.faults.len(), 1);
}

#[test]
fn ki2_with_branches_and_an_impossible_move() {
    let loaded = load("branches.ki2");
    assert_eq!((loaded.format, loaded.encoding), (Format::Ki2, Encoding::ShiftJis));
    assert_eq!(
        lines(&loaded.record),
        ["7g7f 3c3d 8h2b+ 3a2b B*4e 投了", "7g7f 3c3d 2g2f 8c8d 4i5h 中断", "2g2f 8c8d"]
    );
    assert_eq!(loaded.faults[0].to_string(), "line 16: move 3 `▲同歩`: no such piece can go there");
}

#[test]
fn ki2_words_that_tell_pieces_apart() {
    let game = game("modifiers.ki2u");
    assert_eq!(moves(&game), "5i5h 5a5b 7c6b 5b4a 9i9h 4a3a G*6c 3a4a");
    assert_eq!(game.ending(), Some(&Ending::Impasse));
}

#[test]
fn csa_of_both_versions() {
    let game = game("v22.csa");
    assert_eq!(moves(&game), "7g7f 3c3d 8h2b+ 3a2b");
    assert_eq!(game.header.get(Field::End), Some("2024/05/31 10:01:00"));
    assert_eq!(record::convert::rating(&game, shogi::Color::White), Some(2750.5));
    let first = game.tree.next(NodeId::ROOT).unwrap();
    assert_eq!(game.tree.note(first).comments, ["* 58 +7776FU -3334FU"]);
    assert_eq!(game.tree.note(NodeId::ROOT).comments, ["開始前"]);

    let game = self::game("v3.csa");
    assert_eq!(game.start, shogi::Handicap::Even.setup());
    let first = game.tree.next(NodeId::ROOT).unwrap();
    assert_eq!(game.tree[first].time.map(|t| t.as_millis()), Some(1250));
    // White broke the rules, Black is to move.
    assert_eq!(game.result(), record::GameResult::Win(shogi::Color::Black));
}

#[test]
fn many_games_in_one_csa_file() {
    let all = bytes("many.csa");
    let games: Vec<Record> = Games::new(all.as_slice(), ReadOptions::default())
        .unwrap()
        .map(|game| record::read(&game.unwrap(), &ReadOptions::default()).unwrap().record)
        .collect();
    let told: Vec<String> = games.iter().map(|game| lines(game).join("; ")).collect();
    assert_eq!(told, ["6a5b 7g7f 中断", "7g7f 3c3d MATTA", "2c1b 詰み"]);
    assert_eq!(games[0].start, shogi::Handicap::TwoPieces.setup());
    assert_eq!(games[2].start.to_string(), "7Pk/7P1/7G1/9/9/9/9/9/9 b N2r2b3g4s3n4l16p 1");
}

#[test]
fn jkf_with_nested_forks_and_words() {
    let game = game("branches.jkf");
    assert_eq!(lines(&game), ["7g7f 3c3d 投了", "7g7f 8c8d 2g2f", "7g7f 8c8d 中断", "7g7f 6a5b"]);
    assert_eq!(game.tree.note(NodeId::ROOT).bookmark, Some("はじめ"));
    let game = self::game("diagram.jkf");
    assert_eq!(game.start.to_string(), "8k/9/8G/9/9/9/9/9/9 b G17p 1");
    assert_eq!(moves(&game), "G*1b");
}

#[test]
fn usi_usen_and_bod() {
    let games: Vec<String> = Games::new(bytes("games.usi").as_slice(), ReadOptions::default())
        .unwrap()
        .map(|game| lines(&record::read(&game.unwrap(), &ReadOptions::default()).unwrap().record).join("; "))
        .collect();
    assert_eq!(games, ["7g7f 3c3d 2g2f", "7a6b 7g7f 投了", "", "2g2f 8c8d"]);
    assert_eq!(
        lines(&game("branches.usen")),
        [
            "7g7f 3c3d 8h2b+ 3a2b B*4e 投了",
            "7g7f 3c3d 2g2f 8c8d 2f2e 中断",
            "7g7f 3c3d 2g2f 4c4d",
            "2g2f 中断"
        ]
    );
    let loaded = load("diagram.bod");
    assert_eq!(loaded.format, Format::Bod);
    assert_eq!(
        loaded.record.start.to_string(),
        "lnkg2p1R/2s3g2/2pppp1pl/6P1p/p3Pn3/1KPSnS2P/PP1P1P3/1+n2+r4/LNB+s5 w Bgl2p 94"
    );
}

/// Whatever was read is written and read again in each format that holds it.
#[test]
fn round_trips() {
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let first = record::read(&std::fs::read(&path).unwrap(), &ReadOptions::default()).unwrap().record;
        for format in Format::ALL {
            for line_end in [LineEnd::Lf, LineEnd::CrLf] {
                for encoding in [Encoding::Utf8, Encoding::Utf8Bom, Encoding::ShiftJis] {
                    let options = WriteOptions { format, encoding: Some(encoding), line_end: Some(line_end) };
                    let written = record::write(&first, &options);
                    let again = record::read(&written.bytes, &ReadOptions::default());
                    let again =
                        again.unwrap_or_else(|error| panic!("{} as {format}: {error}", path.display()));
                    assert_eq!(
                        again.format == Format::Bod,
                        format == Format::Bod || (first.tree.is_empty() && again.format == Format::Bod),
                        "{} as {format}",
                        path.display()
                    );
                    if written.losses.is_empty() && !matches!(format, Format::Csa | Format::Csa3) {
                        assert_eq!(again.record, first, "{} as {format}", path.display());
                    }
                }
            }
        }
    }
}
