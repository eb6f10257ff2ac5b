//! Positions that searches visit: the same with any number of threads, and near the games that they come from.

use eval::{Evaluator, Material, MaterialLevel};
use shogi::{Color, GameResult, PackedSfenValue, Position};
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use train::TrainingGame;
use train::generate::{Openings, Player, Recipe};
use train::perturb::{Visited, VisitedOfGame};

fn evaluation() -> Evaluator {
    Evaluator::Material(Material::new(MaterialLevel::Pieces))
}

fn games(count: u64) -> Vec<TrainingGame> {
    let recipe = Recipe { nodes: 20, hash: 1, max_moves: 40, ..Recipe::default() };
    let (openings, never) = (Openings::default(), AtomicBool::new(false));
    let mut player = Player::new(&recipe, &openings, evaluation(), &never).unwrap();
    (0..count).map(|index| player.play(index).unwrap()).collect()
}

fn visit(settings: Visited, games: &[TrainingGame], threads: usize) -> Vec<VisitedOfGame> {
    let mut all = Vec::new();
    let games = games.iter().cloned().map(Ok::<_, String>);
    let done = settings.search(games, &evaluation(), threads, |of_game| {
        all.push(of_game);
        Ok::<_, String>(())
    });
    assert_eq!(done, Ok(()));
    all
}

/// Few nodes, so that no search is deep.
const SETTINGS: Visited = Visited { seed: 1, nodes: 30, each: 4, every: 1, hash: 1 };

#[test]
fn threads_change_nothing_but_the_seed_does() {
    let games = games(12);
    let one = visit(SETTINGS, &games, 1);
    assert_eq!(one.len(), 12);
    assert_eq!(one, visit(SETTINGS, &games, 3));
    assert_ne!(one, visit(Visited { seed: 2, ..SETTINGS }, &games, 1));
    // A game depends on its place alone.
    assert_eq!(one[..5], visit(SETTINGS, &games[..5], 2));
}

#[test]
fn one_position_of_so_many_is_searched() {
    let games = games(6);
    let third = visit(Visited { every: 3, ..SETTINGS }, &games, 1);
    for (game, of_game) in games.iter().zip(third) {
        let whole = game.moves.len() as u64;
        assert!((whole / 3..=whole.div_ceil(3)).contains(&of_game.searches));
        assert!(of_game.nodes >= 30 * of_game.searches.saturating_sub(1));
    }
}

/// The positions of a game and all that `plies` more moves lead to.
fn near(game: &TrainingGame, plies: usize) -> (HashSet<u64>, HashSet<u64>) {
    fn go(position: &mut Position, plies: usize, keys: &mut HashSet<u64>) {
        keys.insert(position.key());
        if plies > 0 {
            for m in &position.legal_moves() {
                position.do_move(m);
                go(position, plies - 1, keys);
                position.undo_move();
            }
        }
    }
    let (mut own, mut all) = (HashSet::new(), HashSet::new());
    let mut position = game.start.clone();
    for scored in &game.moves {
        own.insert(position.key());
        go(&mut position, plies, &mut all);
        position.do_move(scored.played);
    }
    (own, all)
}

fn position_of(record: &PackedSfenValue) -> Position {
    Position::try_from(record.setup().unwrap()).unwrap()
}

#[test]
fn records_are_positions_beside_the_game_that_go_on() {
    let mut games = games(3);
    for game in &mut games {
        game.moves.truncate(12);
    }
    let visited = visit(SETTINGS, &games, 2);
    for (game, of_game) in games.iter().zip(visited) {
        let (own, two_plies) = near(game, 2);
        let mut keys = HashSet::new();
        let mut within = 0;
        for record in &of_game.records {
            let position = position_of(record);
            assert!(position.outcome().is_none(), "{}", position.sfen());
            assert!(!own.contains(&position.key()) && keys.insert(position.key()));
            assert_eq!(record.ply % 2 == 1, position.side() == Color::Black);
            assert_eq!((record.score, record.move_bits, record.result), (0, 0, GameResult::Draw));
            // No search of so few nodes goes far.
            assert!(u32::from(record.ply) > game.start.ply());
            assert!(u32::from(record.ply) < game.start.ply() + 12 + 30);
            within += usize::from(two_plies.contains(&position.key()));
        }
        assert!(of_game.records.len() > 3 * 12, "{}", of_game.records.len());
        assert!(3 * within > of_game.records.len(), "{within} of {}", of_game.records.len());
    }
}

#[test]
fn plies_tell_who_is_to_move_whatever_they_were_counted_from() {
    let mut games = games(1);
    let setup = games[0].start.setup();
    games[0].start = Position::try_from(shogi::Setup { ply: setup.ply + 1, ..setup }).unwrap();
    for record in &visit(SETTINGS, &games, 1)[0].records {
        assert_eq!(record.ply % 2 == 1, position_of(record).side() == Color::Black);
    }
}

#[test]
fn a_game_that_cannot_be_read_ends_it() {
    let games = games(3).into_iter().map(Ok).chain([Err("torn".to_owned())]);
    let mut count = 0;
    let done = SETTINGS.search(games, &evaluation(), 2, |_| {
        count += 1;
        Ok::<_, String>(())
    });
    assert_eq!((done, count), (Err("torn".to_owned()), 3));
}
