//! Repetition, declaration and the end of games, against cshogi's verdicts and by hand.

mod support;

use game::{EndReason, Game, Outcome, Repetition};
use shogi::{Color, Declaration, DeclarationRule, Position, Rules, Shogi};

#[test]
fn first_repetitions_equal_cshogis() {
    let games = support::json_lines("rules/repetition.jsonl");
    assert!(games.len() > 300);
    for entry in games {
        let text = |key: &str| entry[key].as_str().expect("text").to_owned();
        let mut position = Position::from_sfen(&text("sfen")).expect("a valid SFEN");
        for (m, word) in text("moves").split(' ').zip(text("words").split(' ')) {
            position.do_move(m.parse().expect("a move"));
            let found = position.repetition(usize::MAX).map_or("-".to_owned(), |r| r.to_string());
            assert_eq!(found, word, "after {m} in {entry}");
        }
    }
}

#[test]
fn declarations_equal_cshogis() {
    let positions = support::json_lines("rules/declaration.jsonl");
    assert!(positions.len() >= 400);
    for entry in positions {
        let position = Position::from_sfen(entry["sfen"].as_str().expect("sfen")).expect("a valid SFEN");
        let declares = entry["declares"].as_bool().expect("a flag");
        assert_eq!(position.declaration() == Some(Declaration::Win), declares, "{entry}");
    }
}

fn under(rule: DeclarationRule, sfen: &str) -> Option<Declaration<shogi::Move>> {
    let rules = Rules { declaration: rule, max_moves: None };
    Position::from_sfen(sfen).expect("a valid SFEN").with_rules(rules).declaration()
}

#[test]
fn points_of_each_rule() {
    use DeclarationRule::{CsaRule24, CsaRule24H, CsaRule27, CsaRule27H, NoEnteringKing};
    // Black's king in the camp with ten other pieces there; the hand makes up the rest of the points.
    let black = |hand: &str| format!("K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/9/9/8k b {hand} 1");
    for (rule, points, declares) in [
        (CsaRule27, 28, true),
        (CsaRule27, 27, false),
        (CsaRule24, 31, true),
        (CsaRule24, 30, false),
        (NoEnteringKing, 31, false),
        (CsaRule27H, 27, false),
    ] {
        // Ten in the camp, 2R2B = 20 in hand make 30; pawns and golds adjust.
        let hand = match points {
            31 => "2R2BG",
            30 => "2R2B",
            28 => "2RB3G",
            27 => "2RB2G",
            _ => panic!("no hand for {points} points"),
        };
        assert_eq!(under(rule, &black(hand)).is_some(), declares, "{rule} {points}");
    }
    // White needs one point less under the 27-point rule, and the handicap rules credit what is missing.
    let white = |hand: &str| format!("K8/9/9/9/9/9/9/4+p+p+p+p+p/4+p+p+p+pk w {hand} 1");
    assert_eq!(under(CsaRule27, &white("2r2b")), None, "nine pieces in the camp are too few");
    let white = |hand: &str| format!("K8/9/9/9/9/9/9/4+p+p+p+p+p/3+p+p+p+p+pk w {hand} 1");
    assert_eq!(under(CsaRule27, &white("2rb2g")), Some(Declaration::Win));
    assert_eq!(under(CsaRule27, &white("2rbg")), None);
    assert_eq!(under(CsaRule27H, &white("p")), Some(Declaration::Win), "43 of 56 points are missing");
    assert_eq!(under(CsaRule24H, &white("p")), Some(Declaration::Win));
}

#[test]
fn conditions_of_a_declaration() {
    use DeclarationRule::CsaRule27;
    let full = "K+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/9/9/8k b 2R2BG 1";
    assert_eq!(under(CsaRule27, full), Some(Declaration::Win));
    // Outside the camp, in check, nine pieces only, no king at all.
    for sfen in [
        "1+P+P+P+P+P3/+P+P+P+P+P4/9/K8/9/9/9/9/8k b 2R2BG 1",
        "K+P+P+P+P+P3/1+P+P+P+P+P3/9/9/9/9/9/9/r7k b R2B4G 1",
        "K+P+P+P+P+P3/+P+P+P+P5/9/9/9/9/9/9/8k b 2R2B4G 1",
        "1+P+P+P+P+P3/+P+P+P+P+P4/9/9/9/9/9/9/8k b 2R2BG 1",
    ] {
        assert_eq!(under(CsaRule27, sfen), None, "{sfen}");
    }
}

#[test]
fn the_try_rule_gives_the_king_move() {
    let goes = |sfen| under(DeclarationRule::TryRule, sfen);
    let to_5a = Some(Declaration::Try("4b5a".parse().expect("a move")));
    assert_eq!(goes("9/5K3/9/9/9/9/9/9/k8 b - 1"), to_5a);
    // Occupied by an own piece, attacked, or too far away.
    assert_eq!(goes("4G4/5K3/9/9/9/9/9/9/k8 b - 1"), None);
    assert_eq!(goes("9/5K3/9/9/9/9/9/9/k3r4 b - 1"), None);
    assert_eq!(goes("9/9/5K3/9/9/9/9/9/k8 b - 1"), None);
    // Capturing there counts, and so does leaving a check.
    assert_eq!(goes("4g4/5K3/9/9/9/9/9/9/k8 b - 1"), to_5a);
    assert_eq!(goes("9/5K3/9/9/9/9/9/9/k4r3 b - 1"), to_5a);
    let white = Some(Declaration::Try("6h5i".parse().expect("a move")));
    assert_eq!(goes("K8/9/9/9/9/9/9/3k5/9 w - 1"), white);
}

#[test]
fn names_of_the_rules_round_trip() {
    for rule in DeclarationRule::ALL {
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
    assert!("CSARule25".parse::<DeclarationRule>().is_err());
}

/// Plays moves given as text.
fn play(start: &str, moves: &str) -> Position {
    Shogi::default().position_command(&format!("sfen {start} moves {moves}")).expect("legal moves")
}

#[test]
fn the_fourth_occurrence_draws() {
    let cycle = "1i1h 9a9b 1h1i 9b9a ";
    for (times, occurrences, over) in [(1, 2, false), (2, 3, false), (3, 4, true)] {
        let position = play("k8/9/9/9/9/9/9/9/8K b - 1", &cycle.repeat(times));
        assert_eq!(position.occurrences(), occurrences);
        let draw = Outcome::Draw { reason: EndReason::Repetition };
        assert_eq!(position.outcome(), over.then_some(draw));
        assert_eq!(position.fourfold().is_some(), over);
        // Inside a search the first return counts if it lies behind the root, an older one only at the fourth.
        assert_eq!(position.repetition(5), Some(Repetition::Draw));
        assert_eq!(position.repetition(4), over.then_some(Repetition::Draw));
    }
}

#[test]
fn a_cycle_longer_than_peers_look_back_is_seen() {
    // Both kings walk around a square of eight steps each: 16 plies, then 20 by waiting twice.
    let walk = "5i4i 5a6a 4i3i 6a7a 3i3h 7a7b 3h3g 7b7c 3g4g 7c6c 4g5g 6c5c 5g6g 5c4c 6g6h 4c4b 6h6i 4b4a 6i5i 4a5a ";
    let position = play("4k4/9/9/9/9/9/9/9/4K4 b - 1", &walk.repeat(3));
    assert_eq!(position.outcome(), Some(Outcome::Draw { reason: EndReason::Repetition }));
}

#[test]
fn perpetual_check_loses() {
    // The rook checks on every move: 8b, 8a, ...
    let start = "k8/9/9/9/9/9/9/9/1R6K b - 1";
    let cycle = "8i9i 9a8a 9i8i 8a9a ";
    let position = play(start, &cycle.repeat(3));
    assert_eq!(
        position.outcome(),
        Some(Outcome::Win { winner: Color::White, reason: EndReason::PerpetualCheck })
    );
    assert_eq!(position.repetition(5), Some(Repetition::Lose), "Black, to move, has checked all the time");
    let after_check = play(start, &format!("{}8i9i", cycle.repeat(3)));
    assert_eq!(
        after_check.repetition(5),
        Some(Repetition::Win),
        "White, to move, has been checked all the time"
    );
    // One quiet cycle among the three makes it an ordinary draw.
    let mixed = play(start, &format!("{cycle}8i7i 9a9b 7i8i 9b9a {cycle}"));
    assert_eq!(mixed.outcome(), Some(Outcome::Draw { reason: EndReason::Repetition }));
}

#[test]
fn null_moves_cut_the_history() {
    let mut position = play("k8/9/9/9/9/9/9/9/8K b - 1", "1i1h 9a9b");
    position.do_null_move();
    position.do_null_move();
    for m in ["1h1i", "9b9a"] {
        position.do_move(m.parse().expect("a move"));
    }
    assert_eq!(position.occurrences(), 1);
    assert_eq!(position.repetition(usize::MAX), None);
}

#[test]
fn mate_and_move_limit_end_games() {
    let mated = Position::from_sfen("k8/G8/G8/9/9/9/9/9/8K w - 1").expect("a valid SFEN");
    assert!(mated.is_mated());
    assert_eq!(mated.outcome(), Some(Outcome::Win { winner: Color::Black, reason: EndReason::NoLegalMove }));
    let limited = Shogi { rules: Rules { max_moves: std::num::NonZeroU32::new(2), ..Rules::default() } };
    let at = |moves| limited.position_command(moves).expect("legal moves").outcome();
    assert_eq!(at("startpos moves 7g7f"), None);
    assert_eq!(at("startpos moves 7g7f 3c3d"), Some(Outcome::Draw { reason: EndReason::MoveLimit }));
}
