//! What every search must keep to, whatever it finds.

use game::Evaluation;
use search::{BestMove, Report, Searcher, Settings, Task, Unlimited, Value};
use shogi::{Change, Move, Position};

#[path = "../../game/tests/tic_tac_toe.rs"]
mod tic_tac_toe;

mod searchable_tic_tac_toe;

#[cfg(feature = "wide-keys")]
mod colliding;

#[derive(Clone)]
struct Material;

impl Evaluation<Position> for Material {
    fn refresh(&mut self, _: &Position) {}
    fn push(&mut self, _: &[Change]) {}
    fn pop(&mut self) {}
    fn value(&mut self, position: &Position) -> i32 {
        if position.side() == shogi::Color::Black { position.material() } else { -position.material() }
    }
}

const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
const POSITIONS: [&str; 4] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "1+P3g1ns/4g1k2/l1pp1p1pp/4p1p2/5P3/4S2+B1/P3PGPPP/2+s3SK1/L+r5NL b G2NLPrb3p 71",
    MATSURI,
];

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("a valid SFEN")
}

/// All reports of a search, and how it ended.
fn think(task: &Task<Position, Move>, settings: &Settings) -> (Vec<Report<Move>>, BestMove<Move>) {
    let mut searcher = Searcher::new(Material, 4).expect("there is a little memory");
    let mut reports = Vec::new();
    let end = searcher.think(task, settings, &Unlimited, |report| reports.push(report.clone()));
    (reports, end)
}

#[test]
fn lines_are_legal_and_begin_differently() {
    let settings = Settings { multi_pv: 3, report_fails: true, ..Settings::default() };
    for sfen in POSITIONS {
        let task = Task { nodes: Some(20_000), ..Task::new(position(sfen)) };
        let (reports, end) = think(&task, &settings);
        let BestMove::Play { report, best, .. } = end else { panic!("{sfen}: there are moves") };
        assert_eq!(report.lines[0].moves[0], best);
        for report in reports.iter().chain([&report]) {
            let mut firsts: Vec<Move> = report.lines.iter().map(|line| line.moves[0]).collect();
            firsts.sort();
            firsts.dedup();
            assert_eq!(firsts.len(), report.lines.len(), "{sfen}");
            for line in &report.lines {
                let mut position = task.position.clone();
                for &m in &line.moves {
                    assert!(position.is_legal(m), "{sfen}: {m} in {:?}", line.moves);
                    position.do_move(m);
                }
            }
        }
    }
}

#[test]
fn one_thread_repeats_itself_exactly() {
    for sfen in POSITIONS {
        let task = Task { nodes: Some(15_000), ..Task::new(position(sfen)) };
        let signature = |(reports, _): (Vec<Report<Move>>, _)| -> Vec<_> {
            reports.into_iter().map(|report| (report.depth, report.nodes, report.lines)).collect()
        };
        let settings = Settings::default();
        assert_eq!(signature(think(&task, &settings)), signature(think(&task, &settings)), "{sfen}");
    }
}

#[test]
fn node_limits_hold() {
    let task = Task { nodes: Some(10_000), ..Task::new(Position::startpos()) };
    let (_, end) = think(&task, &Settings::default());
    let BestMove::Play { report, .. } = end else { panic!("there are moves") };
    assert_eq!(report.nodes, 10_000);

    let (_, end) = think(&task, &Settings { threads: 3, ..Settings::default() });
    let BestMove::Play { report, .. } = end else { panic!("there are moves") };
    assert!(report.nodes >= 10_000);
}

#[test]
fn a_mate_is_found_and_the_mated_resigns() {
    let mut mate = position("7nk/9/7GP/9/9/9/9/9/4K4 b G 1");
    let task = Task { depth: Some(8), ..Task::new(mate.clone()) };
    let (_, end) = think(&task, &Settings::default());
    let BestMove::Play { best, report, .. } = end else { panic!("there are moves") };
    assert_eq!(report.lines[0].value, Value::mate_in(1), "{best}");
    mate.do_move(best);
    assert!(matches!(think(&Task::new(mate), &Settings::default()).1, BestMove::Resign));
}

#[test]
fn only_the_moves_that_were_asked_for() {
    // The search itself never declines this promotion.
    let position = position("4k4/9/9/4P4/9/9/9/9/4K4 b - 1");
    let only: Vec<Move> = ["5d5c", "5i5h"].map(|text| text.parse().expect("a move")).to_vec();
    let task = Task { only: only.clone(), nodes: Some(3000), ..Task::new(position) };
    let (reports, _) = think(&task, &Settings { multi_pv: 5, ..Settings::default() });
    assert!(!reports.is_empty());
    for report in reports {
        assert_eq!(report.lines.len(), 2);
        assert!(report.lines.iter().all(|line| only.contains(&line.moves[0])));
    }
}

#[derive(Clone)]
struct Nothing;

impl<P: game::Searchable> Evaluation<P> for Nothing {
    fn refresh(&mut self, _: &P) {}
    fn push(&mut self, _: &[P::Change]) {}
    fn pop(&mut self) {}
    fn value(&mut self, _: &P) -> i32 {
        0
    }
}

/// Who wins tic-tac-toe, after moves by their place among the legal ones.
fn solve<P: game::Searchable + Default + Sync>() {
    let mut searcher = Searcher::new(Nothing, 1).expect("there is a little memory");
    let mut value = |moves: &[usize]| {
        let mut board = P::default();
        for &index in moves {
            let m = board.legal_moves()[index];
            board.do_move(m);
        }
        let task = Task { depth: Some(20), ..Task::new(board) };
        match searcher.think(&task, &Settings::default(), &Unlimited, |_| ()) {
            BestMove::Play { report, .. } => report.lines[0].value,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(value(&[]).plies_to_mate(), None, "nobody wins");
    assert_eq!(value(&[0, 3]).plies_to_mate(), None, "the middle answers a corner");
    assert_eq!(value(&[0, 0]).plies_to_mate(), Some(5), "nothing else does");
}

#[test]
fn a_game_without_captures_and_checks_is_solved() {
    solve::<tic_tac_toe::Board>();
}

#[test]
#[cfg(feature = "wide-keys")]
fn wide_keys_do_without_the_narrow_ones() {
    solve::<colliding::Colliding>();
}

#[test]
fn a_searcher_that_gets_ready_again_remembers_and_one_that_is_cleared_does_not() {
    let mut searcher = Searcher::new(Material, 4).expect("there is a little memory");
    let nodes = |searcher: &mut Searcher<Position, Material>| {
        let task = Task { depth: Some(6), ..Task::new(Position::startpos()) };
        match searcher.think(&task, &Settings::default(), &Unlimited, |_| ()) {
            BestMove::Play { report, .. } => report.nodes,
            other => panic!("{other:?}"),
        }
    };
    searcher.get_ready(1);
    let first = nodes(&mut searcher);
    searcher.get_ready(1);
    assert!(nodes(&mut searcher) < first, "the table knows the answer");
    for _ in 0..2 {
        searcher.clear(1);
    }
    assert_eq!(nodes(&mut searcher), first);
    searcher.get_ready(2);
    searcher.get_ready(1);
    assert_eq!(nodes(&mut searcher), first, "other threads, other memory");
}

/// Counts how often it is asked.
#[derive(Clone)]
struct Asked(std::sync::Arc<std::sync::atomic::AtomicUsize>);

impl Evaluation<Position> for Asked {
    fn refresh(&mut self, _: &Position) {}
    fn push(&mut self, _: &[Change]) {}
    fn pop(&mut self) {}
    fn value(&mut self, position: &Position) -> i32 {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Material.value(position)
    }
}

#[test]
fn a_new_evaluation_reaches_all_threads_however_many_there_are() {
    let asked = |of: &Asked| of.0.load(std::sync::atomic::Ordering::Relaxed);
    let mut old = Asked(std::sync::Arc::default());
    let mut searcher = Searcher::new(old.clone(), 4).expect("there is a little memory");
    for threads in [1, 4, 2, 3] {
        searcher.get_ready(threads);
        let before = asked(&old);
        let new = Asked(std::sync::Arc::default());
        *searcher.evaluation_mut() = new.clone();
        for sfen in POSITIONS {
            let task = Task { nodes: Some(2000), ..Task::new(position(sfen)) };
            let settings = Settings { threads, ..Settings::default() };
            let end = searcher.think(&task, &settings, &Unlimited, |_| ());
            let BestMove::Play { report, .. } = end else { panic!("{sfen}: there are moves") };
            assert!(report.nodes >= 2000);
        }
        assert!(asked(&new) > 0 && asked(&old) == before);
        old = new;
    }
}

#[test]
#[cfg(target_os = "linux")]
fn threads_on_processors_of_their_own_search_and_let_go() {
    use platform::numa::{NumaPolicy, Topology};
    let Some(topology) = Topology::of_this_machine() else { return };
    let before = std::fs::read_to_string("/proc/thread-self/status").expect("Linux tells");
    let list = before.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).expect("processors");
    let policy: NumaPolicy = list.trim().parse().expect("Linux's own list");
    let placement = topology.placement(&policy).expect("they are there");
    assert_eq!(placement.threads_per_node(2), [2]);
    let mut searcher = Searcher::new(Material, 4).expect("there is a little memory");
    searcher.place_threads(placement);
    searcher.clear(2);
    let task = Task { nodes: Some(5000), ..Task::new(Position::startpos()) };
    let settings = Settings { threads: 2, ..Settings::default() };
    let end = searcher.think(&task, &settings, &Unlimited, |_| ());
    assert!(matches!(end, BestMove::Play { .. }));
    let after = std::fs::read_to_string("/proc/thread-self/status").expect("Linux tells");
    assert!(after.lines().any(|line| line.strip_prefix("Cpus_allowed_list:") == Some(list)));
}
