//! Records of any shape survive being written and read.

use proptest::prelude::*;
use record::encoding::Encoding;
use record::{Ending, Format, NodeId, ReadOptions, Record, Step, WriteOptions};
use shogi::{Handicap, Position};
use std::time::Duration;

/// What is done at each step of making a record.
#[derive(Clone, Debug)]
struct Act {
    /// From which node the next one grows, counted from the last; mostly the last itself.
    back: usize,
    /// Which of the legal moves is played.
    choice: prop::sample::Index,
    ending: Option<Ending>,
    seconds: Option<u64>,
    comment: Option<Vec<String>>,
    bookmark: Option<String>,
}

fn act() -> impl Strategy<Value = Act> {
    let ending = prop_oneof![
        12 => Just(None),
        1 => Just(Some(Ending::Resign)),
        1 => Just(Some(Ending::Interrupt)),
        1 => Just(Some(Ending::IllegalBefore)),
        1 => Just(Some(Ending::Timeout)),
        1 => Just(Some(Ending::Declaration)),
        1 => Just(Some(Ending::Other("五手詰".into()))),
    ];
    let word = "[a-z&#*'+0-9 一-三７六歩▲]{0,12}";
    (
        prop_oneof![3 => Just(0usize), 1 => 0..30usize],
        any::<prop::sample::Index>(),
        ending,
        prop::option::of(0..20_000u64),
        prop::option::weighted(0.2, prop::collection::vec(word, 1..4)),
        prop::option::weighted(0.1, "[a-zあ-う]{1,8}"),
    )
        .prop_map(|(back, choice, ending, seconds, comment, bookmark)| Act {
            back,
            choice,
            ending,
            seconds,
            comment,
            bookmark,
        })
}

/// The position at a node.
fn position_at(record: &Record, id: NodeId) -> Position {
    let mut moves: Vec<_> = std::iter::successors(Some(id), |id| record.tree.parent(*id))
        .filter_map(|id| record.tree[id].played().copied())
        .collect();
    moves.reverse();
    let mut position = Position::try_from(record.start.clone()).unwrap();
    for m in moves {
        position.do_move(m);
    }
    position
}

fn grow(handicap: Handicap, acts: &[Act]) -> Record {
    let mut record = Record::new(handicap.setup());
    record.header.set("先手", "甲");
    record.header.set("棋戦詳細", "a：b:c");
    // Nodes that may have children.
    let mut open = vec![NodeId::ROOT];
    for act in acts {
        let parent = open[open.len() - 1 - act.back.min(open.len() - 1)];
        let step = if let Some(ending) = &act.ending {
            Step::End(ending.clone())
        } else {
            let legal = position_at(&record, parent).legal_moves();
            if legal.is_empty() {
                continue;
            }
            Step::Move(legal[act.choice.index(legal.len())])
        };
        if record.tree.children(parent).any(|id| record.tree[id].step() == Some(&step)) {
            continue;
        }
        let ends = matches!(step, Step::End(_));
        let id = record.tree.add(parent, step);
        record.tree[id].time = act.seconds.map(Duration::from_secs);
        if let Some(lines) = &act.comment {
            record.tree.note_mut(id).comments = lines.iter().collect();
        }
        if act.bookmark.is_some() {
            record.tree.note_mut(id).bookmark.clone_from(&act.bookmark);
        }
        if !ends {
            open.push(id);
        }
    }
    record
}

fn again(record: &Record, format: Format) -> Record {
    let options = WriteOptions { encoding: Some(Encoding::Utf8), ..WriteOptions::new(format) };
    let bytes = record::write(record, &options).bytes;
    let loaded = record::read(&bytes, &ReadOptions::default()).unwrap();
    assert!(loaded.faults.is_empty(), "{:?}\n{}", loaded.faults, String::from_utf8_lossy(&bytes));
    loaded.record
}

/// JKF keeps bookmarks among comments and knows no empty comment; times and comments are compared elsewhere.
fn plain(record: &Record, times: bool, notes: bool) -> Record {
    let mut record = record.clone();
    let nodes: Vec<NodeId> = std::iter::once(NodeId::ROOT).chain(record.tree.walk()).collect();
    for id in nodes {
        if !times {
            record.tree[id].time = None;
        }
        let note = record.tree.note_mut(id);
        // A comment that looks like a bookmark would be read as one.
        note.comments.retain(|line| !line.starts_with('&'));
        if !notes || note.comments.iter().all(str::is_empty) {
            note.comments.clear();
        }
        if !notes {
            note.bookmark = None;
        }
    }
    record
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_tree(handicap in prop::sample::select(&Handicap::ALL[..]), acts in prop::collection::vec(act(), 0..60)) {
        let record = plain(&grow(handicap, &acts), true, true);
        prop_assert_eq!(&again(&record, Format::Kif), &record);
        prop_assert_eq!(plain(&again(&record, Format::Jkf), true, true), record.clone());
        prop_assert_eq!(plain(&again(&again(&record, Format::Jkf), Format::Kif), true, true), record.clone());
        let silent = plain(&record, false, true);
        prop_assert_eq!(&again(&silent, Format::Ki2), &silent);
        for format in [Format::Csa, Format::Csa3, Format::Usi, Format::Usen] {
            prop_assert!(again(&record, format).moves().eq(record.moves()), "{}", format);
        }
    }
}

/// Each branch begins inside the one before.
#[test]
fn branches_within_branches() {
    let mut record = Record::default();
    let mut parent = NodeId::ROOT;
    for _ in 0..2000 {
        let legal = position_at(&record, parent).legal_moves();
        let Some(last) = legal.last() else { break };
        if legal.len() > 1 {
            record.tree.add(parent, Step::Move(legal[0]));
        }
        parent = record.tree.add(parent, Step::Move(*last));
        if record.tree[parent].ply() >= 400 {
            break;
        }
    }
    assert!(record.tree.leaves() > 300, "{}", record.tree.leaves());
    for format in [Format::Kif, Format::Ki2, Format::Jkf, Format::Usen] {
        assert_eq!(again(&record, format), record, "{format}");
    }
}
