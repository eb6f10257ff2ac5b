//! The setup phase, against games and counts that two other programs agree on (`testdata/66shogi`).

#[path = "support/move_texts.rs"]
mod move_texts;
mod support;

use fairy::{FairyGame, Library, Position};
use game::{Color, Game, Outcome, Position as _, perft};
use move_texts::sorted_moves;
use serde_json::Value;
use support::{library_with, numbers, read, strings};

const QUICK: u64 = if cfg!(debug_assertions) { 60_000 } else { 2_000_000 };

fn library() -> Library {
    library_with(&read("66shogi/sets.ini"))
}

fn lines(path: &str) -> Vec<Value> {
    read(path).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn game(library: &Library, entry: &Value) -> FairyGame {
    library.game(entry["variant"].as_str().expect("a text")).expect("a known variant")
}

/// The text without the tokens of the setup, and these, as the data has them.
fn parts(position: &Position) -> (String, String, String) {
    let text = position.to_text();
    let words: Vec<&str> = text.split(' ').collect();
    let token = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)).unwrap_or("-").to_owned();
    (words[..4].join(" "), token("setup:"), token("lock:"))
}

#[test]
fn the_table_of_66shogi() {
    let game = library().game("66shogi").expect("it is shipped");
    let mut position = game.startpos();
    let expected =
        &numbers(&lines("66shogi/perft.jsonl")[0]["perft"])[..if cfg!(debug_assertions) { 3 } else { 5 }];
    let counts: Vec<u64> = (1..=expected.len()).map(|depth| perft(&mut position, depth as u32)).collect();
    assert_eq!(counts, expected);
}

#[test]
fn counts() {
    let library = library();
    for entry in lines("66shogi/perft.jsonl").iter().filter(|entry| entry["kind"] == "perft") {
        let game = game(&library, entry);
        let moves = strings(&entry["moves"]).join(" ");
        let mut position = game.position_command(&format!("startpos moves {moves}")).expect("legal moves");
        let sfen = entry["sfen"].as_str().expect("a text");
        let (text, setup, lock) = parts(&position);
        assert_eq!(
            (text.as_str(), Some(setup.as_str()), Some(lock.as_str())),
            (sfen, entry["setup"].as_str(), entry["lock"].as_str())
        );
        let mut legal = strings(&entry["legal"]);
        legal.sort();
        assert_eq!(sorted_moves(&position), legal, "{sfen}");
        assert_eq!(Some(position.in_check()), entry["in_check"].as_bool());
        for (depth, count) in
            numbers(&entry["perft"]).into_iter().enumerate().filter(|(_, count)| *count <= QUICK)
        {
            assert_eq!(perft(&mut position, depth as u32 + 1), count, "{sfen}, depth {}", depth + 1);
        }
    }
}

#[test]
fn whole_games() {
    let library = library();
    let games = lines("66shogi/games.jsonl");
    assert_eq!(games.len(), 44);
    for entry in &games {
        let game = game(&library, entry);
        let id = entry["id"].as_str().expect("a text");
        let mut position = game.startpos();
        let moves = strings(&entry["moves"]);
        let (sfens, setups, locks) =
            (strings(&entry["sfens"]), strings(&entry["setup"]), strings(&entry["lock"]));
        let (counts, hashes) = (numbers(&entry["legal_counts"]), strings(&entry["legal_sha1"]));
        for ply in 0..=moves.len() {
            assert_eq!(
                parts(&position),
                (sfens[ply].clone(), setups[ply].clone(), locks[ply].clone()),
                "{id}, ply {ply}"
            );
            let legal = sorted_moves(&position);
            assert_eq!(legal.len() as u64, counts[ply], "{id}, ply {ply}: {legal:?}");
            assert_eq!(sha1_prefix(&legal.join(" ")), hashes[ply], "{id}, ply {ply}");
            // The whole text brings the whole state back; groups that are not required are not carried.
            let again = game.position(&position.to_text()).expect("a valid SFEN");
            assert_eq!(
                (again.to_text(), again.key()),
                (position.to_text(), position.key()),
                "{id}, ply {ply}"
            );
            assert_eq!(sorted_moves(&again), legal, "{id}, ply {ply}");
            if let Some(m) = moves.get(ply) {
                let m = position.parse_move(m).unwrap_or_else(|error| panic!("{id}: {error}"));
                position.do_move(m);
            }
        }
        check_result(&position, entry, id);
        while position.can_undo() {
            position.undo_move();
        }
        assert_eq!(position.to_text(), game.startpos().to_text());
    }
}

fn check_result(position: &Position, entry: &Value, id: &str) {
    let result = &entry["result"];
    let winner = match (result["winner"].as_str(), result["reason"].as_str()) {
        (Some("b"), _) => Some(Color::Black),
        (Some("w"), _) => Some(Color::White),
        (None, Some("truncated")) => return assert_eq!(position.outcome(), None, "{id}"),
        _ => None,
    };
    assert_eq!(position.outcome().map(Outcome::winner), Some(winner), "{id}: {result}");
}

/// A bare SFEN within the setup is understood by its number of moves.
#[test]
fn bare_sfens_within_the_setup() {
    let library = library();
    for entry in lines("66shogi/games.jsonl") {
        let game = game(&library, &entry);
        let (sfens, counts) = (strings(&entry["sfens"]), numbers(&entry["legal_counts"]));
        let setups = strings(&entry["setup"]);
        for (ply, sfen) in sfens.iter().enumerate().filter(|(ply, _)| setups[*ply] != "-") {
            let position = game.position(sfen).expect("a valid SFEN");
            assert_eq!(position.legal_moves().len() as u64, counts[ply], "{sfen}");
            assert_eq!(parts(&position).1, setups[ply], "{sfen}");
        }
    }
}

/// The first 16 hexadecimal digits of a SHA-1 (FIPS 180-4).
#[allow(clippy::many_single_char_names, reason = "the names of the standard")]
fn sha1_prefix(text: &str) -> String {
    let mut state: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    let mut bytes = text.as_bytes().to_vec();
    let bits = bytes.len() as u64 * 8;
    bytes.push(0x80);
    bytes.resize((bytes.len() + 8).next_multiple_of(64) - 8, 0);
    bytes.extend(bits.to_be_bytes());
    for block in bytes.chunks(64) {
        let mut words: Vec<u32> =
            block.chunks(4).map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]])).collect();
        for i in 16..80 {
            words.push((words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16]).rotate_left(1));
        }
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for (i, word) in words.iter().enumerate() {
            let (f, k) = match i / 20 {
                0 => (b & c | !b & d, 0x5a82_7999),
                1 => (b ^ c ^ d, 0x6ed9_eba1),
                2 => (b & c | b & d | c & d, 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let next = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k).wrapping_add(*word);
            (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        }
        for (sum, part) in state.iter_mut().zip([a, b, c, d, e]) {
            *sum = sum.wrapping_add(part);
        }
    }
    format!("{:08x}{:08x}", state[0], state[1])
}
