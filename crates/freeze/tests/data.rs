//! Every position, command and game of `testdata/freeze` comes out as two other programs have it.

use freeze::{Acceptance, Freeze, Position};
use game::{Game, Position as _, PositionCommandError};
use serde_json::Value;

fn testdata(name: &str) -> String {
    let path = format!("{}/../../testdata/freeze/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(name: &str) -> Vec<Value> {
    serde_json::from_str(&testdata(name)).expect("valid JSON")
}

fn json_lines(name: &str) -> Vec<Value> {
    testdata(name).lines().map(|line| serde_json::from_str(line).expect("valid JSON")).collect()
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect()
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} in {value}"))
}

fn game() -> Freeze {
    Freeze { acceptance: Acceptance::Ok, ..Freeze::default() }
}

fn legal(position: &Position) -> Vec<String> {
    let mut moves: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    moves.sort_unstable();
    moves
}

/// The first 16 hexadecimal digits of SHA-1.
#[allow(clippy::many_single_char_names, reason = "the letters of the standard")]
fn sha1(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let bits = bytes.len() as u64 * 8;
    bytes.push(0x80);
    bytes.resize((bytes.len() + 8).next_multiple_of(64), 0);
    let end = bytes.len();
    bytes[end - 8..].copy_from_slice(&bits.to_be_bytes());
    let mut state: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for block in bytes.chunks(64) {
        let mut w = [0_u32; 80];
        for (word, four) in w.iter_mut().zip(block.chunks(4)) {
            *word = u32::from_be_bytes(four.try_into().expect("four bytes"));
        }
        for i in 16..80 {
            w[i] = (w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]).rotate_left(1);
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (i, word) in w.iter().enumerate() {
            let (f, k) = match i / 20 {
                0 => (b & c | !b & d, 0x5a82_7999),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => (b & c | b & d | c & d, 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6),
            };
            let next = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k).wrapping_add(*word);
            (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
        }
        for (sum, part) in state.iter_mut().zip([a, b, c, d, e]) {
            *sum = sum.wrapping_add(part);
        }
    }
    format!("{:08x}{:08x}", state[0], state[1])
}

#[test]
fn sha1_is_sha1() {
    assert_eq!(sha1("abc"), "a9993e364706816a");
    assert_eq!(sha1(&"a".repeat(63)), "03f09f5b158a7a8c");
    assert_eq!(sha1(&"a".repeat(119)), "ee971065aaa017e0");
}

#[test]
fn curated_positions() {
    for case in json("curated_shared.json") {
        let name = text(&case, "name");
        let mut position =
            game().position(text(&case, "sfen")).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(position.to_text(), text(&case, "canonical"), "{name}");
        assert_eq!(position.in_check(), case["in_check"], "{name}");
        assert_eq!(legal(&position), strings(&case["legal"]), "{name}");
        for (depth, count) in (1..).zip(case["perft"].as_array().expect("a list")) {
            assert_eq!(game::perft(&mut position, depth), count.as_u64().unwrap(), "{name}, depth {depth}");
        }
    }
}

#[test]
fn position_commands() {
    for case in json("usi_position_shared.json") {
        let mut game = Freeze::default();
        for (name, value) in case["options"].as_object().expect("options") {
            game.set_option(name, value.as_str().expect("a text")).expect("a legal value");
        }
        let command = text(&case, "command");
        let arguments = command.strip_prefix("position ").expect("the word position");
        let mut warnings = 0;
        let result = game.position_command_remarked(arguments, &mut |_| warnings += 1);
        let expected = &case["expect"];
        match (result, expected["error"].as_str()) {
            (Ok(position), None) => {
                assert_eq!(position.to_text(), text(expected, "sfen"), "{command}");
                assert_eq!(expected["warnings"], warnings, "{command}");
            }
            (Err(PositionCommandError::IllegalMove { number, .. }), Some(error)) => {
                let index = error.strip_prefix("illegal-move ").and_then(|rest| rest.split(':').next());
                assert_eq!(index, Some((number - 1).to_string().as_str()), "{command}: {error}");
            }
            (Err(error), Some(expected)) => {
                let said = error.to_string();
                assert!(said.starts_with(expected), "{command}: {said}, not {expected}");
            }
            (result, expected) => {
                panic!("{command}: {:?} instead of {expected:?}", result.map(|p| p.to_text()))
            }
        }
    }
}

#[test]
fn games() {
    for game_record in json_lines("games_shared.jsonl") {
        let id = text(&game_record, "id");
        let mut position = game().position(text(&game_record, "start")).expect("a position");
        let sfens = strings(&game_record["sfens"]);
        let moves = strings(&game_record["moves"]);
        let hashes = strings(&game_record["legal_sha1"]);
        for (ply, sfen) in sfens.iter().enumerate() {
            assert_eq!(position.to_text(), *sfen, "{id}, ply {ply}");
            assert_eq!(position.in_check(), game_record["in_check"][ply], "{id}, ply {ply}");
            let legal = legal(&position);
            assert_eq!(game_record["legal_counts"][ply], legal.len(), "{id}, ply {ply}");
            assert_eq!(sha1(&legal.join(" ")), hashes[ply], "{id}, ply {ply}");
            if let Some(m) = moves.get(ply) {
                position.do_move(
                    position.parse_move(m).unwrap_or_else(|error| panic!("{id}, ply {ply}: {error}")),
                );
            }
        }
        for _ in &moves {
            position.undo_move();
        }
        assert_eq!(position.to_text(), sfens[0], "{id} taken back");
    }
}

#[test]
fn perft() {
    for case in json_lines("perft_shared.jsonl") {
        let sfen = text(&case, "sfen");
        let command = format!("sfen {} moves {}", text(&case, "start"), strings(&case["moves"]).join(" "));
        let mut position =
            game().position_command(&command).unwrap_or_else(|error| panic!("{command}: {error}"));
        assert_eq!(position.to_text(), sfen);
        assert_eq!(sha1(&legal(&position).join(" ")), text(&case, "legal_sha1"), "{sfen}");
        for (depth, count) in (1..).zip(case["perft"].as_array().expect("a list")) {
            assert_eq!(game::perft(&mut position, depth), count.as_u64().unwrap(), "{sfen}, depth {depth}");
        }
    }
}
