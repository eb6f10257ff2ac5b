//! What players of each level do, at fixed seeds.

use eval::{Material, MaterialLevel};
use search::{BestMove, Settings, Task, Unlimited};
use shogi::{Move, Position, Shogi};
use usi::options::{Folders, Options};
use usi::{Captured, Engine, Level, SearchEngine, Session};

type Player = SearchEngine<Shogi, Material>;

fn player() -> Player {
    SearchEngine::new("levels", "test", Material::new(MaterialLevel::Squares), &mut Options::new())
}

fn chosen(player: &mut Player, level: &str, position: &Position, seed: u64) -> Move {
    let (task, settings) = (Task::new(position.clone()), Settings::default());
    let level = Level::parse(level).unwrap();
    player.new_game();
    let found = player.levels().unwrap().think_at(level, seed, &task, &settings, &Unlimited);
    let BestMove::Play { best, report, .. } = found else { panic!("{found:?}") };
    assert_eq!(report.lines[0].moves[0], best);
    assert!(position.is_legal(best));
    best
}

/// Positions in which nothing hangs and nothing can be taken for nothing.
const QUIET: [&str; 6] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 4",
    "ln1g1g1nl/1ks1r2b1/1pppp1spp/p4pp2/9/P1PPP3P/1P1S1PPP1/1BK2S1R1/LN1G1G1NL b - 25",
    "lnsg3nl/1r3kg2/p1pppsbpp/5pp2/1p7/2P1P4/PPBPSPPPP/2G2RK2/LNS2G1NL w - 20",
    "l3k2nl/1r1sg1gb1/p1npppspp/1pp3p2/7P1/P1P1P1P2/1PSP1P2P/1BG2S1R1/LN1GK2NL b - 23",
    "lr5nl/3g1kgs1/p1npp1npp/2psbpp2/1p7/2PPSPP2/PPSGP1N1P/2GB3R1/LN1K4L b - 35",
];

/// How much material the opponent can take at once after a move, by exchanges.
fn hangs(position: &Position, m: Move) -> i32 {
    let mut after = position.clone();
    after.do_move(m);
    let captures = after.legal_moves();
    let wins = |threshold: i32| {
        captures
            .iter()
            .any(|capture| after.is_capture(*capture) && after.exchange_at_least(*capture, threshold))
    };
    [1500, 1000, 700, 500, 300, 150, 90].into_iter().find(|threshold| wins(*threshold)).unwrap_or(0)
}

#[test]
fn a_dan_player_hangs_nothing_and_a_beginner_does() {
    let mut player = player();
    let mut hung = |level: &str, seeds: u64| {
        let mut count = 0;
        for text in QUIET {
            let position = Position::from_sfen(text).unwrap();
            let calm = position.legal_moves().iter().any(|m| hangs(&position, *m) < 300);
            assert!(calm, "{text}: something hangs whatever is played");
            for seed in 0..seeds {
                let m = chosen(&mut player, level, &position, seed);
                count += u32::from(hangs(&position, m) >= 300);
            }
        }
        count
    };
    assert_eq!(hung("初段", 25), 0);
    assert!(hung("10k", 25) > 0);
}

#[test]
fn the_same_seed_makes_the_same_choice() {
    let mut player = player();
    let position = Position::from_sfen(QUIET[2]).unwrap();
    for level in ["15k", "10k", "1k", "1d", "5d"] {
        let mut moves = |seed| chosen(&mut player, level, &position, seed);
        let first: Vec<Move> = (1..6).map(&mut moves).collect();
        let again: Vec<Move> = (1..6).map(&mut moves).collect();
        assert_eq!(first, again, "{level}");
        if level == "15k" {
            assert!(first.iter().any(|m| *m != first[0]), "one move only");
        }
    }
}

/// The moves of higher levels are better, measured by a deeper search with the same evaluation.
#[test]
fn higher_levels_play_better_moves() {
    let mut player = player();
    let mut judge = player_of_reference();
    let mut losses = Vec::new();
    for level in ["15k", "8k", "2k", "3d"] {
        let mut loss = 0;
        for text in QUIET {
            let position = Position::from_sfen(text).unwrap();
            let values = judge.values(&position);
            let best = values.iter().map(|(_, value)| *value).max().unwrap();
            for seed in 0..12 {
                let m = chosen(&mut player, level, &position, seed);
                let value = values.iter().find(|(known, _)| *known == m).map_or(best - 2000, |(_, v)| *v);
                loss += (best - value).clamp(0, 2000);
            }
        }
        losses.push(loss / (12 * QUIET.len() as i32));
    }
    assert!(losses.windows(2).all(|pair| pair[0] > pair[1]), "{losses:?}");
}

struct Judge(search::Searcher<Position, Material>);

fn player_of_reference() -> Judge {
    Judge(search::Searcher::new(Material::new(MaterialLevel::Squares), 8).unwrap())
}

impl Judge {
    /// All moves with their values.
    fn values(&mut self, position: &Position) -> Vec<(Move, i32)> {
        self.0.clear(1);
        let task = Task { depth: Some(4), ..Task::new(position.clone()) };
        let settings = Settings { multi_pv: 600, ..Settings::default() };
        match self.0.think(&task, &settings, &Unlimited, |_| ()) {
            BestMove::Play { report, .. } => {
                report.lines.iter().map(|line| (line.moves[0], line.value.get())).collect()
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Problems by their length, from a file whose lines are JSON.
fn problems(plies: u32) -> Vec<Position> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/mate/problems.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let field = |line: &str, name: &str| {
        let rest = line.split_once(&format!("\"{name}\": "))?.1;
        Some(rest.trim_start_matches('"').split(['"', ',']).next()?.to_owned())
    };
    let is = |line: &&str| {
        field(line, "rule").as_deref() == Some("tsume")
            && field(line, "result").as_deref() == Some("mate")
            && field(line, "strict_len") == Some(plies.to_string())
    };
    let sfens = text.lines().filter(is).filter_map(|line| field(line, "sfen"));
    sfens.filter_map(|sfen| Position::from_sfen(&sfen).ok()).collect()
}

#[test]
fn mates_are_seen_by_level() {
    let mut player = player();
    let mut seen = |level: &str, plies: u32| {
        let all = problems(plies);
        assert!(!all.is_empty(), "{plies}");
        let mates = |position: &Position| {
            let m = chosen(&mut player, level, position, 1);
            let mut after = position.clone();
            after.do_move(m);
            after.in_check() && is_mated_within(&after, plies - 1)
        };
        let found = all.iter().map(mates).filter(|found| *found).count();
        (found, all.len())
    };
    for (level, plies) in [("10k", 1), ("5k", 1), ("5k", 3), ("1k", 5), ("9d", 5)] {
        let (found, all) = seen(level, plies);
        assert!(found * 10 >= all * 9, "{level}, mates in {plies}: {found} of {all}");
    }
    // What a beginner finds, he finds by chance.
    let (found, all) = seen("15k", 3);
    assert!(found * 2 < all, "{found} of {all}");
}

/// Whether each reply is answered by a mate in time.
fn is_mated_within(position: &Position, plies: u32) -> bool {
    if plies == 0 {
        return position.legal_moves().is_empty();
    }
    position.legal_moves().iter().all(|reply| {
        let mut after = position.clone();
        after.do_move(*reply);
        let limits = search::ForcedLimits {
            nodes: Some(100_000),
            plies: Some(plies - 1),
            bytes: 16 << 20,
            stop: &|| false,
            report: &mut |_| (),
        };
        matches!(search::solve_forced(&after, limits), search::ForcedMate::Mate(_))
    })
}

fn session(input: &str) -> Vec<String> {
    let said = Captured::default();
    let engine = |options: &mut Options| {
        SearchEngine::new("levels", "test", Material::new(MaterialLevel::Pieces), options)
    };
    let nowhere = Folders::new("/nonexistent", "/nonexistent");
    let mut session = Session::with_folders(Shogi::default(), engine, said.output(), nowhere);
    session.run(std::io::Cursor::new(input.to_owned())).unwrap();
    drop(session);
    said.lines()
}

#[test]
fn the_options_choose_one_ladder() {
    let usi = session("usi\n");
    let words: Vec<String> =
        (1..=15).rev().map(|k| format!("var {k}k")).chain((1..=9).map(|d| format!("var {d}d"))).collect();
    let line = format!("option name USI_Level type combo default full {} var full", words.join(" "));
    assert!(usi.contains(&line), "{usi:?}");
    for (given, shown) in [("初段", "1d"), ("15級", "15k"), ("10級", "10k"), ("24", "9d"), ("最強", "full")]
    {
        let said = session(&format!("setoption name USI_Level value {given}\ngetoption USI_Level\n"));
        assert!(said[0].ends_with(&format!(" = {shown}")), "{given}: {said:?}");
    }
    let said = session("setoption name USI_Level value 16k\ngetoption USI_Level\n");
    assert!(
        said[0].starts_with("info string Error! USI_Level: expected one of 15k 14k ")
            && said[1].ends_with(" = full"),
        "{said:?}"
    );

    // The same seed, the same answer, whichever option names the level.
    let (least, _) = Level::elo_range();
    let answer = |options: &str| {
        let position = "position startpos moves 7g7f 3c3d 2g2f 4c4d";
        let said = session(&format!(
            "LevelSeed 7\nThreads 1\n{options}\nisready\n{position}\ngo nodes 3000\nwait\n"
        ));
        said.last().unwrap().split(" ponder").next().unwrap().to_owned()
    };
    let weakest = answer("USI_Level 15k");
    assert!(weakest.starts_with("bestmove "), "{weakest}");
    for same in [
        "SkillLevel 0".to_owned(),
        format!("UCI_LimitStrength true\nUCI_Elo {least}"),
        "USI_Level 15k\nSkillLevel 15".to_owned(),
    ] {
        assert_eq!(answer(&same), weakest, "{same}");
    }
    // Without the switch UCI_Elo says nothing.
    assert_eq!(answer(&format!("UCI_Elo {least}")), answer(""));
}
