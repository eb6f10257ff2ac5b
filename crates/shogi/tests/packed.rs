//! Packed positions and records against what cshogi wrote (`tools/make_packed_vectors.py`).

mod support;

use serde_json::Value;
use shogi::{
    Color, GameResult, HandPiece, Handicap, HcpeRecord, HuffmanCodedPos, Move, PackError, Packed,
    PackedFormat, PackedSfen, PackedSfenValue, Piece, PieceKind, PlainReader, Position, Setup, Square,
    UnpackError,
};

struct Vector(Value);

impl Vector {
    fn all() -> Vec<Self> {
        support::json_lines("packed/cshogi.jsonl").into_iter().map(Self).collect()
    }

    fn bytes<const N: usize>(&self, name: &str) -> [u8; N] {
        let hex = self.0[name].as_str().unwrap();
        assert_eq!(hex.len(), N * 2);
        std::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap())
    }

    /// As a packed position keeps it: without the move number.
    fn setup(&self) -> Setup {
        Setup { ply: 1, ..self.0["sfen"].as_str().unwrap().parse().unwrap() }
    }
}

fn assert_same<F: PackedFormat>(theirs: [u8; 32], setup: &Setup) {
    let packed = Packed::<F>::from(theirs);
    assert_eq!(packed.unpack().as_ref(), Ok(setup), "{setup}");
    let ours = Packed::<F>::try_from(setup).unwrap();
    assert_eq!(ours.bytes(), &theirs, "{setup}");
}

#[test]
fn positions_are_those_of_cshogi_to_the_bit() {
    let vectors = Vector::all();
    assert!(vectors.len() >= 400);
    for vector in vectors {
        assert_same::<shogi::Yaneuraou>(vector.bytes("psfen"), &vector.setup());
        assert_same::<shogi::Apery>(vector.bytes("hcp"), &vector.setup());
    }
}

fn teacher_record(vector: &Vector) -> PackedSfenValue {
    PackedSfenValue::from_bytes(&vector.bytes("psv")).unwrap()
}

#[test]
fn records_are_those_of_cshogi_to_the_bit() {
    for vector in Vector::all() {
        let field = |name: &str| vector.0[name].as_i64().unwrap();
        let best_move = vector.0["move"].as_str().map(|text| text.parse::<Move>().unwrap());

        let record = teacher_record(&vector);
        assert_eq!(record.position.bytes(), &vector.bytes("psfen"));
        assert_eq!(record.best_move(), best_move);
        assert_eq!(i64::from(record.score), field("score"));
        assert_eq!(i64::from(record.ply), field("ply"));
        assert_eq!(i64::from(record.result.code()), field("result"));
        assert_eq!(record.to_bytes(), vector.bytes("psv"));
        assert_eq!(record.setup().unwrap().to_string(), vector.0["sfen"].as_str().unwrap());

        let hcpe = HcpeRecord::from_bytes(&vector.bytes("hcpe")).unwrap();
        assert_eq!(hcpe.position.bytes(), &vector.bytes("hcp"));
        assert_eq!(hcpe.best_move(), best_move);
        assert_eq!(best_move.map(Move::apery_bits), Some(hcpe.move_bits));
        assert_eq!(hcpe.score, record.score);
        assert_eq!(GameResult::for_side(vector.setup().side, hcpe.winner), record.result);
        assert_eq!(record.result.winner(vector.setup().side), hcpe.winner);
        assert_eq!(hcpe.to_bytes(), vector.bytes("hcpe"));
    }
}

#[test]
fn records_keep_bits_without_meaning() {
    let mut random = Random(3);
    for _ in 0..1000 {
        let mut bytes: [u8; 40] = std::array::from_fn(|_| random.next() as u8);
        bytes[38] = [0, 1, 255][random.below(3)];
        assert_eq!(PackedSfenValue::from_bytes(&bytes).unwrap().to_bytes(), bytes);
        let mut bytes: [u8; 38] = std::array::from_fn(|_| random.next() as u8);
        bytes[36] &= !1;
        assert_eq!(HcpeRecord::from_bytes(&bytes).unwrap().to_bytes(), bytes);
    }
}

#[test]
fn records_round_trip_through_text() {
    let mut records: Vec<PackedSfenValue> = Vector::all().iter().map(teacher_record).collect();
    for (record, bits) in records.iter_mut().zip([0, 129, 258, 387]) {
        record.move_bits = bits;
    }
    let text: String = records.iter().map(|record| record.to_plain().unwrap()).collect();
    assert!(text.contains("\nmove none\n") && text.contains("\nmove win\n"));
    for text in [text.replace('\n', "\r\n"), text] {
        let read: Vec<PackedSfenValue> = PlainReader::new(text.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(read, records);
    }
}

#[test]
fn wrong_text_is_refused_and_reading_goes_on() {
    let good = "score 1\n\nresult 0\nnodes 5\nsfen 4k4/9/9/9/9/9/9/9/4K4 b G 7\nmove G*5b\ne\n";
    let long = "x".repeat(5000);
    for (bad, message) in [
        ("move 7g7g\ne\n", "line 1: a move looks like 7g7f, 8h2b+ or P*5e"),
        ("sfen 9/9 b - 1\nmove 9\ne\n", "line 1: SFEN board: expected 9 rows, found 2"),
        ("score 32768\ne\n", "line 1: `score` needs a number from -32768 to 32767"),
        ("ply -1\ne\n", "line 1: `ply` needs a number from 0 to 65535"),
        ("result 2\ne\n", "line 1: `result` needs a number from -1 to 1"),
        ("\n\ne\n", "line 3: the record has no `sfen`"),
        ("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\ne\n", "line 2: the record has no `score`"),
        ("sfen 9/9/9/9/9/9/9/9/9 b - 1\ne\n", "line 2: impossible position: there is no king on the board"),
        (&format!("{long}\ne\n"), "line 1: the line is longer than 1024 bytes"),
    ] {
        let text = format!("{bad}{good}");
        let mut reader = PlainReader::new(text.as_bytes());
        assert_eq!(reader.next().unwrap().unwrap_err().to_string(), message);
        assert_eq!(reader.next().unwrap().unwrap().ply, 7, "{bad}");
        assert!(reader.next().is_none());
    }
    let mut reader = PlainReader::new(&b"score 1\n"[..]);
    assert_eq!(reader.next().unwrap().unwrap_err().to_string(), "line 1: the record has no `e`");
    assert!(reader.next().is_none());
    let mut reader = PlainReader::new(&b"score \xff\n"[..]);
    assert_eq!(reader.next().unwrap().unwrap_err().to_string(), "line 1: the line is not UTF-8");
    assert!(reader.next().is_none());
}

/// An encoder of its own for what writers do not write any more: a string of bits, no absent pieces.
fn old_packed_sfen(setup: &Setup, order: &str) -> [u8; 32] {
    let word = |letter| match letter {
        'P' => "01",
        'L' => "0011",
        'N' => "1011",
        'S' => "0111",
        'B' => "011111",
        'R' => "111111",
        _ => "01111",
    };
    let first_bit_first = |text: &str| text.chars().rev().collect::<String>();
    let flag = |is: bool| if is { "1" } else { "0" };
    let mut bits = flag(setup.side == Color::White).to_string();
    for color in Color::ALL {
        let king = setup.pieces().find(|(_, p)| *p == Piece::new(color, PieceKind::King));
        bits += &first_bit_first(&format!("{:07b}", king.map_or(81, |(square, _)| square.index())));
    }
    for piece in Square::all().map(|square| setup.piece_at(square)) {
        match piece {
            None => bits += "0",
            Some(piece) if piece.kind() == PieceKind::King => {}
            Some(piece) => {
                bits += &first_bit_first(word(piece.kind().letter()));
                if piece.kind() != PieceKind::Gold {
                    bits += flag(piece.kind().is_promoted());
                }
                bits += flag(piece.color() == Color::White);
            }
        }
    }
    for color in Color::ALL {
        for letter in order.chars() {
            let piece = PieceKind::from_letter(letter).and_then(PieceKind::to_hand).unwrap();
            for _ in 0..setup.hands[color.index()].count(piece) {
                bits += &first_bit_first(word(letter))[1..];
                bits += if letter == 'G' { "" } else { "0" };
                bits += flag(color == Color::White);
            }
        }
    }
    let mut bytes = [0; 32];
    for (i, _) in bits.chars().enumerate().filter(|(_, bit)| *bit == '1') {
        // The bit that a missing king pushes out is lost in the files, too.
        if let Some(byte) = bytes.get_mut(i / 8) {
            *byte |= 1 << (i % 8);
        }
    }
    bytes
}

fn absent(setup: &Setup, piece: HandPiece) -> u32 {
    let on_board = setup.pieces().filter(|(_, p)| p.kind().to_hand() == Some(piece)).count() as u32;
    piece.set_size() - on_board - setup.hands.iter().map(|hand| hand.count(piece)).sum::<u32>()
}

#[test]
fn every_old_order_of_hands_is_read() {
    let (mut read, mut ambiguous) = (0, 0);
    for setup in Vector::all().iter().map(Vector::setup) {
        // Absent pawns cannot be told from pawns in Black's hand when nothing follows them.
        let nothing_follows =
            setup.hands[1].is_empty() && setup.hands[0].iter().all(|(p, _)| p == HandPiece::Pawn);
        if absent(&setup, HandPiece::Pawn) > 0 && nothing_follows {
            ambiguous += 1;
            continue;
        }
        for order in ["PLNSBRG", "PLNSGBR", "PRBGSNL"] {
            let packed = PackedSfen::from(old_packed_sfen(&setup, order));
            assert_eq!(packed.unpack().as_ref(), Ok(&setup), "{order} {setup}");
        }
        // Without zeros at the end pawns need not come first.
        if HandPiece::ALL.iter().all(|piece| absent(&setup, *piece) == 0) {
            let packed = PackedSfen::from(old_packed_sfen(&setup, "RBGSNLP"));
            assert_eq!(packed.unpack().as_ref(), Ok(&setup), "{setup}");
        }
        read += 1;
    }
    assert!(read > 380 && ambiguous > 0, "{read} {ambiguous}");
}

#[test]
fn old_handicap_starts_are_read() {
    for handicap in Handicap::ALL.into_iter().filter(|handicap| *handicap != Handicap::NakedKing) {
        let packed = PackedSfen::from(old_packed_sfen(&handicap.setup(), "PLNSBRG"));
        assert_eq!(packed.unpack(), Ok(handicap.setup()), "{handicap:?}");
    }
}

/// A small generator is random enough here (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }
}

fn assert_round_trip<F: PackedFormat>(position: &Position) {
    let packed = Packed::<F>::try_from(position).unwrap();
    let unpacked = Position::try_from(packed.unpack().unwrap()).unwrap();
    assert!(unpacked == *position, "{}", position.sfen());
}

#[test]
fn random_games_round_trip() {
    let mut random = Random(1);
    for round in 0..4 {
        for handicap in Handicap::ALL {
            let mut position = Position::handicap(handicap);
            for _ in 0..200 - round {
                assert_round_trip::<shogi::Yaneuraou>(&position);
                assert_round_trip::<shogi::Apery>(&position);
                let moves: Vec<Move> = position.legal_moves().iter().copied().collect();
                if moves.is_empty() {
                    break;
                }
                position.do_move(moves[random.below(moves.len())]);
            }
        }
    }
}

#[test]
fn any_bytes_are_read_or_refused() {
    let mut random = Random(2);
    let (mut positions, mut errors) = (0, 0);
    let mut check = |bytes: [u8; 32]| {
        for setup in [PackedSfen::from(bytes).unpack(), HuffmanCodedPos::from(bytes).unpack()] {
            if let Ok(setup) = setup {
                positions += 1;
                // What was read has few enough pieces to be written again, and is then the same.
                if let Ok(packed) = PackedSfen::try_from(&setup) {
                    assert_eq!(packed.unpack(), Ok(setup));
                }
            } else {
                errors += 1;
            }
        }
    };
    for _ in 0..100_000 {
        check(std::array::from_fn(|_| random.next() as u8));
    }
    // Damaged positions go further than noise.
    let vectors = Vector::all();
    for _ in 0..100_000 {
        let name = if random.below(2) == 0 { "psfen" } else { "hcp" };
        let mut bytes: [u8; 32] = vectors[random.below(vectors.len())].bytes(name);
        for _ in 0..=random.below(3) {
            bytes[random.below(32)] ^= 1 << random.below(8);
        }
        check(bytes);
    }
    // Sparse bytes reach the hands, and their end.
    for _ in 0..100_000 {
        let mut bytes = [0; 32];
        bytes[0] = random.next() as u8;
        bytes[1] = random.next() as u8;
        for _ in 0..random.below(60) {
            bytes[2 + random.below(30)] |= 1 << random.below(8);
        }
        check(bytes);
    }
    assert!(positions > 1000 && errors > 1000, "{positions} {errors}");
}

#[test]
fn errors_say_what_is_wrong() {
    let start = *PackedSfen::try_from(&Position::startpos()).unwrap().bytes();
    let unpack = |change: fn(&mut [u8; 32])| {
        let mut bytes = start;
        change(&mut bytes);
        PackedSfen::from(bytes).unpack().unwrap_err().to_string()
    };
    assert_eq!(unpack(|b| b[0] = 82 << 1), "black's king is on square 82 of 0 to 80 (81 if missing)");
    assert_eq!(unpack(|b| *b = [0; 32]), "both kings are on 1a");
    assert_eq!(unpack(|b| b[2..].fill(0xff)), "impossible position: too many of the piece R: 2 at most");

    // Black's only pawn in hand is in the last three bits, first as a lance, then as nothing at all.
    let setup = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/1PPPPPPPP/1B5R1/LNSGKGSNL b P 1".parse::<Setup>().unwrap();
    let mut bytes = *HuffmanCodedPos::try_from(&setup).unwrap().bytes();
    bytes[31] |= 1 << 5;
    assert_eq!(HuffmanCodedPos::from(bytes).unpack(), Err(UnpackError::RanOut));
    bytes[31] ^= 7 << 5;
    assert_eq!(HuffmanCodedPos::from(bytes).unpack(), Err(UnpackError::BadCode(253)));

    let pack = |sfen: &str| PackedSfen::try_from(&sfen.parse::<Setup>().unwrap()).map_err(|e| e.to_string());
    assert_eq!(
        pack("4k4/9/9/9/9/9/9/9/4KK3 b - 1"),
        Err("impossible position: black has more than one king".into())
    );
    assert_eq!(
        pack("RRR1k4/9/9/9/9/9/9/9/4K4 b - 1"),
        Err("impossible position: too many of the piece R: 2 at most".into())
    );
    // Whose the last rook is would be in the bit that is lost.
    let last_rook = "4k4/9/9/9/9/9/9/9/9 b R2B4G4S4N4L18Pr 1".parse::<Setup>().unwrap();
    assert_eq!(PackedSfen::try_from(&last_rook), Err(PackError::DoesNotFit));
}
