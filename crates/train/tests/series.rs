//! Series of games: the same with any number of threads, and after any interruption.

use eval::{Evaluator, Material, MaterialLevel};
use proptest::prelude::*;
use shogi::{Color, Position};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use train::generate::{Chance, Limits, Openings, Player, RandomMoves, Recipe, Series, Summary};
use train::pack::{BLOCK_GAMES, PackReader, PackWriter};
use train::{Ending, ScoredMove, TrainingGame, corpus};

/// As quick as games can be.
fn recipe() -> Recipe {
    Recipe { nodes: 20, hash: 1, max_moves: 40, ..Recipe::default() }
}

fn play(folder: &Path, first_game: u64, games: u64, threads: usize) -> Summary {
    let evaluation = Evaluator::Material(Material::new(MaterialLevel::Pieces));
    let openings = Openings::new(["startpos moves 7g7f 3c3d", "startpos moves 2g2f 8c8d"]).unwrap();
    let series =
        Series { folder, name: "s", recipe: &recipe(), openings: &openings, evaluation: &evaluation };
    let limits = Limits { first_game, games, time: None, threads };
    series.play(limits, &AtomicBool::new(false), |_| ()).unwrap()
}

fn bytes(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("s-0000.pack")).unwrap()
}

#[test]
fn threads_change_nothing() {
    let [one, three] = [1, 3].map(|threads| {
        let folder = tempfile::tempdir().unwrap();
        let summary = play(folder.path(), 0, 20, threads);
        assert_eq!(summary.progress.games, 20);
        bytes(folder.path())
    });
    assert!(one == three);
}

#[test]
fn games_with_random_moves_begin_after_the_last_of_them() {
    let lines = Chance::Lines { count: 4, window: 100, depth: Some(2) };
    for by in [Chance::Legal, Chance::Kings { one_in: 1 }, lines] {
        let random_moves = RandomMoves { from: 1, to: 12, count: 4, by };
        let recipe = Recipe { random_moves: Some(random_moves), start_limit: i16::MAX, ..recipe() };
        let evaluation = Evaluator::Material(Material::new(MaterialLevel::Pieces));
        let (openings, never) = (Openings::default(), AtomicBool::new(false));
        let mut player = Player::new(&recipe, &openings, evaluation, &never).unwrap();
        for index in 0..5 {
            let game = player.play(index).unwrap();
            // A king's random move may be answered by another after the twelfth.
            assert!((5..=14).contains(&game.start.ply()), "{}", game.start.ply());
            assert_eq!(player.play(index), Some(game));
        }
    }
}

#[test]
fn a_part_made_elsewhere_is_the_same_games() {
    let (whole, part) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    play(whole.path(), 0, 6, 1);
    play(part.path(), 4, 2, 1);
    let games = |folder: &Path| -> Vec<TrainingGame> {
        PackReader::open(&folder.join("s-0000.pack")).unwrap().map(Result::unwrap).collect()
    };
    assert_eq!(games(whole.path())[4..], games(part.path()));
}

#[test]
fn a_series_cut_anywhere_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), 0, 40, 2);
    let whole = bytes(folder.path());
    for cut in [0, 3, 8, 9, 30, whole.len() / 2, whole.len() - 1] {
        fs::write(folder.path().join("s-0000.pack"), &whole[..cut]).unwrap();
        play(folder.path(), 0, 40, 2);
        assert!(bytes(folder.path()) == whole, "cut at {cut}");
    }
    // A series that was finished with fewer games is a beginning of a longer one.
    let folder = tempfile::tempdir().unwrap();
    for games in [5, BLOCK_GAMES as u64, 21, 40] {
        play(folder.path(), 0, games, 1);
    }
    assert!(bytes(folder.path()) == whole);
}

#[test]
fn the_first_damage_is_told() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), 0, 40, 2);
    let path = folder.path().join("s-0000.pack");
    let mut damaged = bytes(folder.path());
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let games: Vec<_> = PackReader::open(&path).unwrap().collect();
    assert_eq!(games.iter().filter(|game| game.is_ok()).count(), 32);
    let message = games.last().unwrap().as_ref().unwrap_err().to_string();
    assert!(
        message.contains("damaged block at byte ") && message.ends_with("its checksum is wrong"),
        "{message}"
    );
    assert!(corpus::read(&path).is_err());
}

/// A game of legal moves chosen by numbers.
fn game(index: u64, choices: &[(u16, i16)], winner: Option<Color>, ending: Ending) -> TrainingGame {
    let start = Position::startpos();
    let mut position = start.clone();
    let mut moves = Vec::new();
    for (choice, score) in choices {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let played = legal[usize::from(*choice) % legal.len()];
        moves.push(ScoredMove { played, score: *score });
        position.do_move(played);
    }
    // Some begin in the middle.
    let skipped = (index % 5) as usize;
    if skipped >= moves.len() {
        return TrainingGame { index, start, moves, winner, ending };
    }
    let mut position = start;
    for scored in moves.drain(..skipped) {
        position.do_move(scored.played);
    }
    let start = Position::try_from(position.setup()).unwrap();
    TrainingGame { index, start, moves, winner, ending }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn games_come_back_as_they_were(
        games in prop::collection::vec(
            (any::<u64>(), prop::collection::vec((any::<u16>(), any::<i16>()), 0..120), 0..3_usize, 0..Ending::ALL.len()),
            1..40,
        ),
    ) {
        let winners = [None, Some(Color::Black), Some(Color::White)];
        let games: Vec<TrainingGame> = games
            .iter()
            .map(|(index, choices, winner, ending)| game(*index, choices, winners[*winner], Ending::ALL[*ending]))
            .collect();
        let folder = tempfile::tempdir().unwrap();
        let (mut writer, _) = PackWriter::open(folder.path(), "p").unwrap();
        for game in &games {
            writer.push(game).unwrap();
        }
        writer.finish().unwrap();
        let read: Vec<TrainingGame> =
            PackReader::open(&folder.path().join("p-0000.pack")).unwrap().map(Result::unwrap).collect();
        prop_assert_eq!(read, games);
    }
}

#[test]
fn games_come_back_from_every_format() {
    let folder = tempfile::tempdir().unwrap();
    play(folder.path(), 0, 20, 2);
    let pack = folder.path().join("s-0000.pack");
    let games = |path: &Path| -> Vec<TrainingGame> {
        let mut games = Vec::new();
        corpus::read_games(path, |game| {
            games.push(game);
            Ok::<_, corpus::CorpusError>(())
        })
        .unwrap();
        games
    };
    let played = games(&pack);
    assert_eq!(played.len(), 20);
    // Records tell neither numbers nor endings.
    let bare = |games: &[TrainingGame]| -> Vec<TrainingGame> {
        games
            .iter()
            .map(|game| TrainingGame { index: 0, ending: Ending::Adjudicated, ..game.clone() })
            .collect()
    };
    let records: Vec<u8> =
        played.iter().flat_map(|game| game.records().unwrap()).flat_map(|record| record.to_bytes()).collect();
    let psv = folder.path().join("a.bin");
    fs::write(&psv, records).unwrap();
    assert_eq!(bare(&games(&psv)), bare(&played));
    let hcpe3 = folder.path().join("a.hcpe3");
    let mut bytes = Vec::new();
    for game in &played {
        train::write_hcpe3(game, &mut bytes).unwrap();
    }
    fs::write(&hcpe3, bytes).unwrap();
    let read = games(&hcpe3);
    assert_eq!(read.len(), 20);
    for (read, game) in read.iter().zip(&played) {
        assert_eq!((&read.moves, read.winner), (&game.moves, game.winner));
        assert_eq!(read.start.key(), game.start.key());
    }
    // As records, too.
    assert_eq!(corpus::read(&hcpe3).unwrap().games.len(), 20);
}
