//! The evaluation with made-up numbers, along random games and from files.

use super::*;
use crate::BonaPiece;
use game::Evaluation;
use proptest::prelude::*;
use shogi::{Change, Position, Square};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

/// Numbers that are a hash of where they stand.
#[derive(Debug)]
struct Hashed;

fn hash(table: u64, a: usize, b: usize, c: usize) -> u64 {
    let mut x = table << 48 | (a as u64) << 32 | (b as u64) << 16 | c as u64;
    for _ in 0..2 {
        x = (x ^ x >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    x
}

fn entry(hash: u64, limit: i32) -> [i32; 2] {
    [hash as i32 % limit, (hash >> 32) as i32 % (limit / 8)]
}

impl KpptParameters for Hashed {
    fn king_king(&self, black_king: Square, white_king: Square) -> [i32; 2] {
        entry(hash(1, black_king.index(), white_king.index(), 0), 100_000)
    }

    fn king_king_piece(&self, black_king: Square, white_king: Square, piece: u16) -> [i32; 2] {
        entry(hash(2, black_king.index(), white_king.index(), piece.into()), 50_000)
    }

    fn king_piece_piece(&self, king: Square, first: u16, second: u16) -> [i32; 2] {
        let (low, high) = (first.min(second), first.max(second));
        entry(hash(3, king.index(), low.into(), high.into()), 3000)
    }
}

/// Plays by `choices`; each tells the move, whether to ask for a value, and whether to take moves back.
fn follow(mut position: Position, choices: &[u32]) {
    let mut evaluation = Kppt::new(Hashed);
    evaluation.refresh(&position);
    let mut changes: Vec<Change> = Vec::new();
    let mut depth = 0;
    for choice in choices {
        let moves = position.legal_moves();
        if depth > 0 && (choice % 5 == 0 || moves.is_empty()) {
            position.undo_move();
            evaluation.pop();
            depth -= 1;
        } else if moves.is_empty() {
            return;
        } else {
            changes.clear();
            position.do_move_observed(moves[*choice as usize / 16 % moves.len()], |c| changes.push(c));
            evaluation.push(&changes);
            depth += 1;
        }
        if choice % 3 != 0 {
            assert_eq!(
                evaluation.value(&position),
                evaluation.value_from_scratch(&position),
                "{}",
                position.sfen()
            );
        }
    }
}

const MIDDLE_GAME: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
/// Six pieces are absent.
const HANDICAP: &str = "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
/// No king of the attacker.
const PROBLEM: &str = "7nk/9/8P/9/9/9/9/9/9 b GR2r2b3g4s3n4l17p 1";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn incremental_sums_are_the_sums(start in 0..4_usize, choices in prop::collection::vec(any::<u32>(), 1..150)) {
        let position = match [MIDDLE_GAME, HANDICAP, PROBLEM].get(start) {
            Some(sfen) => Position::from_sfen(sfen).unwrap(),
            None => Position::startpos(),
        };
        follow(position, &choices);
    }
}

#[test]
fn null_moves_change_the_turn_only() {
    let mut position = Position::startpos();
    let mut evaluation = Kppt::new(Hashed);
    evaluation.refresh(&position);
    let before = evaluation.value(&position);
    position.do_null_move();
    evaluation.push(&[]);
    assert_ne!(evaluation.value(&position), before);
    evaluation.pop();
    position.undo_move();
    assert_eq!(evaluation.value(&position), before);
}

#[test]
fn the_sum_of_the_documents_written_out() {
    let position = Position::from_sfen(MIDDLE_GAME).unwrap();
    let [black_king, white_king] = shogi::Color::ALL.map(|color| position.king(color).unwrap());
    let lists = shogi::Color::ALL.map(|view| {
        let mut list = vec![0_u16; BonaPiece::absent(&position)];
        BonaPiece::for_each(&position, view, |piece| list.push(piece.index() as u16));
        list
    });
    let mut board = position.material() * 32 + Hashed.king_king(black_king, white_king)[0];
    let mut turn = Hashed.king_king(black_king, white_king)[1];
    for i in 0..38 {
        let [value, bonus] = Hashed.king_king_piece(black_king, white_king, lists[0][i]);
        board += value;
        turn += bonus;
        for j in 0..i {
            let black = Hashed.king_piece_piece(black_king, lists[0][i], lists[0][j]);
            let white = Hashed.king_piece_piece(white_king.flip(), lists[1][i], lists[1][j]);
            board += black[0] - white[0];
            turn += black[1] + white[1];
        }
    }
    // White is to move.
    assert_eq!(Kppt::new(Hashed).value_from_scratch(&position), (turn - board) / 32);
}

#[test]
fn the_zero_cleared_evaluation_is_saved_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("eval_zero");
    AnyKppt::zero().save(KpptFormat::KppKkpt32, &target, |_| ()).unwrap();
    let mut evaluation = AnyKppt::open(&target).unwrap();
    assert_eq!(evaluation.format(), Some(KpptFormat::KppKkpt32));
    let position = Position::from_sfen(MIDDLE_GAME).unwrap();
    evaluation.refresh(&position);
    assert_eq!(evaluation.value(&position), -position.material());
    assert_eq!(std::fs::read_dir(&target).unwrap().count(), 3, "nothing temporary is left");
}

fn put(folder: &Path, table: KpptTable, offset: usize, bytes: &[u8]) {
    let mut file = File::options().write(true).open(folder.join(table.file_name())).unwrap();
    file.seek(SeekFrom::Start(offset as u64)).unwrap();
    file.write_all(bytes).unwrap();
}

/// Full-size files, all holes but for a few numbers.
#[test]
fn files_are_indexed_as_documented() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let position = Position::startpos();
    let (black_king, white_king) = (Square::Sq59.index(), Square::Sq51.index());
    let kings = black_king * 81 + white_king;
    // Black's pawn on 7g and lance on 9i, as Black sees them.
    let [pawn, lance] = [90 + 60, 252 + 80];
    let pair = (black_king * 1548 + pawn) * 1548 + lance;
    let pair_again = (black_king * 1548 + lance) * 1548 + pawn;
    for format in KpptFormat::ALL {
        save_zero(format, folder).unwrap();
        assert_eq!(KpptFormat::detect(folder).unwrap(), format);
        let mut evaluation = AnyKppt::open(folder).unwrap();
        evaluation.refresh(&position);
        assert_eq!(evaluation.value(&position), 0);
        let put_king = |table, index: usize, numbers: [i16; 2]| match format {
            KpptFormat::Kppt16 => put(folder, table, index * 4, &numbers.map(i16::to_le_bytes).concat()),
            _ => put(folder, table, index * 8, &numbers.map(|n| i32::from(n).to_le_bytes()).concat()),
        };
        put_king(KpptTable::KingKing, kings, [3200, 320]);
        put_king(KpptTable::KingKingPiece, kings * 1548 + pawn, [-320, 32]);
        for pair in [pair, pair_again] {
            if format == KpptFormat::KppKkpt32 {
                put(folder, KpptTable::KingPiecePiece, pair * 2, &640_i16.to_le_bytes());
            } else {
                put(
                    folder,
                    KpptTable::KingPiecePiece,
                    pair * 4,
                    &[640_i16, 96].map(i16::to_le_bytes).concat(),
                );
            }
        }
        let mut evaluation = AnyKppt::open_as(format, folder).unwrap();
        evaluation.refresh(&position);
        // The pair counts for both players, but its turn bonus is added and its value cancels out.
        let pair_turn = if format == KpptFormat::KppKkpt32 { 0 } else { 6 };
        assert_eq!(evaluation.value(&position), 100 - 10 + 10 + 1 + pair_turn);
    }
}

#[test]
fn wrong_sizes_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let error = AnyKppt::open(folder).unwrap_err().to_string();
    assert!(error.contains("KK_synthesized.bin"), "{error}");
    save_zero(KpptFormat::Kppt16, folder).unwrap();
    let error = Kppt32::open(folder).unwrap_err().to_string();
    assert!(error.contains("26244 bytes") && error.contains("52488"), "{error}");
    let error = convert((KpptFormat::Kppt32, folder), (KpptFormat::Kppt16, folder), |_| ()).unwrap_err();
    assert!(matches!(error, KpptError::Size { found: 26_244, .. }), "{error}");
    put(folder, KpptTable::KingPiecePiece, 776_402_496, &[0]);
    let error = AnyKppt::open(folder).unwrap_err().to_string();
    assert!(error.contains("776402497"), "{error}");
}

/// Several gigabytes go through the disk: by hand, `cargo test --release -p tsumugi-eval -- --ignored full_size`.
#[test]
#[ignore = "writes gigabytes"]
fn full_size_files_convert_between_all_formats() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    save(&Hashed, KpptFormat::Kppt32, &at("first"), |_| ()).unwrap();
    let position = Position::from_sfen(MIDDLE_GAME).unwrap();
    let value = |folder: &Path| {
        let mut evaluation = AnyKppt::open(folder).unwrap();
        evaluation.refresh(&position);
        evaluation.value(&position)
    };
    assert_eq!(value(&at("first")), Kppt::new(Hashed).value_from_scratch(&position));
    let opened = AnyKppt::open(&at("first")).unwrap();
    assert_eq!(opened.save(KpptFormat::Kppt32, &at("first"), |_| ()).unwrap(), Losses::default());
    assert_eq!(value(&at("first")), Kppt::new(Hashed).value_from_scratch(&position));
    for from in KpptFormat::ALL {
        convert((KpptFormat::Kppt32, &at("first")), (from, &at("from")), |_| ()).unwrap();
        for to in KpptFormat::ALL {
            let losses = convert((from, &at("from")), (to, &at("to")), |_| ()).unwrap();
            eprintln!("{from} {} -> {to} {}: {losses:?}", value(&at("from")), value(&at("to")));
            if losses == Losses::default() {
                assert_eq!(value(&at("from")), value(&at("to")));
            }
            // What the target could hold comes back unchanged.
            convert((to, &at("to")), (from, &at("back")), |_| ()).unwrap();
            assert!(losses != Losses::default() || value(&at("back")) == value(&at("from")));
        }
    }
}

#[test]
fn the_first_process_creates_what_others_share() {
    let folder = tempfile::tempdir().unwrap();
    for table in KpptTable::ALL {
        // Sparse: full size, but nothing on the disk.
        let file = std::fs::File::create(folder.path().join(table.file_name())).unwrap();
        file.set_len(KpptFormat::Kppt16.file_size(table)).unwrap();
    }
    let message = |tables: &AnyKppt| tables.sharing().unwrap().message();
    let first = AnyKppt::open(folder.path()).unwrap();
    let second = AnyKppt::open(folder.path()).unwrap();
    assert_eq!(message(&first), "created shared eval memory.");
    assert_eq!(message(&second), "use shared eval memory.");
    drop((first, second));
    assert_eq!(message(&AnyKppt::open(folder.path()).unwrap()), "created shared eval memory.");
}
