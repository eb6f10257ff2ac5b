//! Start positions: handicaps by name and diagrams.

use crate::ReadError;
use crate::text::kanji::{digit, hand, kanji_number, piece, rank_name};
use shogi::{Color, File, Hand, HandPiece, Handicap, Piece, Rank, Setup, Square};
use std::fmt::Write;

/// Accumulates the start position from the lines of a file.
pub(super) struct Start {
    /// `None` is an empty board.
    base: Option<Handicap>,
    /// Rows of a diagram, by rank.
    rows: [Option<[Option<Piece>; 9]>; 9],
    next_row: usize,
    hands: [Hand; 2],
    side: Option<Color>,
    ply: u32,
}

/// The handicap with this name, in any customary spelling.
pub(crate) fn handicap(name: &str) -> Option<Handicap> {
    const DIGITS: [(char, char); 18] = [
        ('1', '一'),
        ('2', '二'),
        ('3', '三'),
        ('4', '四'),
        ('5', '五'),
        ('6', '六'),
        ('7', '七'),
        ('8', '八'),
        ('9', '九'),
        ('１', '一'),
        ('２', '二'),
        ('３', '三'),
        ('４', '四'),
        ('５', '五'),
        ('６', '六'),
        ('７', '七'),
        ('８', '八'),
        ('９', '九'),
    ];
    if name == Handicap::Even.name() {
        return Some(Handicap::Even);
    }
    let plain = name.trim().replace("１０", "十").replace("10", "十");
    let plain: String =
        plain.chars().map(|c| DIGITS.iter().find(|(d, _)| *d == c).map_or(c, |(_, kanji)| *kanji)).collect();
    let plain = plain.strip_suffix('ち').unwrap_or(&plain);
    let known = |wanted: &str| {
        Handicap::ALL.into_iter().find(|h| h.name().strip_suffix('ち').unwrap_or(h.name()) == wanted)
    };
    match plain {
        "飛落" => Some(Handicap::Rook),
        "左香落" => Some(Handicap::Lance),
        "飛車香落" | "飛香車落" => Some(Handicap::RookLance),
        "飛角落" => Some(Handicap::TwoPieces),
        "右五枚落" => Some(Handicap::FivePieces),
        "七枚落" => Some(Handicap::LeftSevenPieces),
        "トンボ落" | "とんぼ" => Some(Handicap::Dragonfly),
        plain => known(plain),
    }
}

impl Start {
    pub fn new() -> Self {
        Self {
            base: Some(Handicap::Even),
            rows: [None; 9],
            next_row: 0,
            hands: [Hand::EMPTY; 2],
            side: None,
            ply: 1,
        }
    }

    /// A name after 手合割. Unknown ones (詰将棋 and others) are ignored; a diagram follows.
    pub fn handicap(&mut self, name: &str) {
        if name.starts_with("その他") {
            self.base = None;
        } else if let Some(handicap) = handicap(name) {
            self.base = Some(handicap);
        }
    }

    pub fn hand(&mut self, color: Color, text: &str, line: usize) -> Result<(), ReadError> {
        let wrong = || ReadError::line(line, "pieces in hand such as 飛　歩二", text);
        for (kind, count) in hand(text).ok_or_else(wrong)? {
            let held = &mut self.hands[color.index()];
            if held.count(kind) + count > Hand::max_count(kind) {
                return Err(ReadError::line(line, "fewer pieces in hand", text));
            }
            (0..count).for_each(|_| held.add(kind));
        }
        Ok(())
    }

    pub fn turn(&mut self, color: Color) {
        self.side = Some(color);
    }

    pub fn played(&mut self, count: u32) {
        self.ply = count.saturating_add(1).min(MAX_PLY);
    }

    /// A row: nine times a mark and a piece, then the number of the rank (without it, the next rank).
    pub fn row(&mut self, text: &str, line: usize) -> Result<(), ReadError> {
        let wrong = || ReadError::line(line, "a row of nine squares such as `| ・ ・v歩 … ・|一`", text);
        let mut chars = text.trim_start_matches('|').chars();
        let mut row = [None; 9];
        for square in &mut row {
            let (mark, kind) = (chars.next().ok_or_else(wrong)?, chars.next().ok_or_else(wrong)?);
            if mark == '|' || kind == '|' {
                return Err(wrong());
            }
            let color = if "vVｖＶ↓".contains(mark) { Color::White } else { Color::Black };
            *square = piece(kind).map(|kind| Piece::new(color, kind));
        }
        let rank = chars.filter(|c| *c != '|').find_map(digit).map_or(self.next_row, |n| usize::from(n) - 1);
        *self.rows.get_mut(rank).ok_or_else(wrong)? = Some(row);
        self.next_row = rank + 1;
        Ok(())
    }

    /// The resulting position.
    pub fn setup(&self) -> Setup {
        let mut setup = self.base.map_or(Setup::EMPTY, Handicap::setup);
        for (rank, row) in Rank::ALL.into_iter().zip(&self.rows) {
            let Some(row) = row else { continue };
            for (file, piece) in File::ALL.into_iter().rev().zip(row) {
                setup.board[Square::new(file, rank).index()] = *piece;
            }
        }
        for color in Color::ALL {
            let diagram = self.rows.iter().any(Option::is_some);
            let mut held = self.hands[color.index()];
            // A handicap's own hand (歩三兵) counts only if no diagram is given.
            if !diagram && held.is_empty() {
                held = setup.hands[color.index()];
            }
            setup.hands[color.index()] = held;
        }
        setup.side = self.side.unwrap_or(setup.side);
        setup.ply = self.ply;
        setup
    }
}

/// The largest number in SFEN.
const MAX_PLY: u32 = 999_999;

/// The handicap whose start position this is.
pub(crate) fn handicap_of(start: &Setup) -> Option<Handicap> {
    Handicap::ALL.into_iter().find(|handicap| handicap.setup() == *start)
}

/// A diagram as BOD files show it, every line ended by `end`.
pub(super) fn write_diagram(out: &mut String, setup: &Setup, end: &str) {
    let hand_line = |out: &mut String, color: Color, name: &str| {
        let _ = write!(out, "{name}の持駒：{}{end}", hand_text(setup.hands[color.index()]));
    };
    hand_line(out, Color::White, "後手");
    let _ = write!(out, "  ９ ８ ７ ６ ５ ４ ３ ２ １{end}+---------------------------+{end}");
    for rank in Rank::ALL {
        out.push('|');
        for file in File::ALL.into_iter().rev() {
            match setup.piece_at(Square::new(file, rank)) {
                None => out.push_str(" ・"),
                Some(piece) => {
                    out.push(if piece.color() == Color::White { 'v' } else { ' ' });
                    out.push(piece.kind().kanji());
                }
            }
        }
        let _ = write!(out, "|{}{end}", rank_name(rank));
    }
    let _ = write!(out, "+---------------------------+{end}");
    hand_line(out, Color::Black, "先手");
    out.push_str(if setup.side == Color::Black { "先手番" } else { "後手番" });
    out.push_str(end);
}

fn hand_text(hand: Hand) -> String {
    let mut text = String::new();
    for piece in HandPiece::SFEN_ORDER {
        let count = hand.count(piece);
        if count > 0 {
            text.push(piece.kind().kanji());
            if count > 1 {
                text.push_str(&kanji_number(count));
            }
            text.push('　');
        }
    }
    if text.is_empty() { "なし".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_handicaps() {
        for known in Handicap::ALL {
            assert_eq!(handicap(known.name()), Some(known));
        }
        for (name, known) in [
            ("飛落ち", Handicap::Rook),
            ("2枚落ち", Handicap::TwoPieces),
            ("１０枚落ち", Handicap::TenPieces),
            ("10枚落", Handicap::TenPieces),
            ("角落", Handicap::Bishop),
            ("七枚落ち", Handicap::LeftSevenPieces),
        ] {
            assert_eq!(handicap(name), Some(known), "{name}");
        }
        assert_eq!(handicap("詰将棋"), None);
    }

    #[test]
    fn diagrams_read_back() {
        for sfen in [
            "8k/2rrl4/2n2ln2/g3pp2p/3l4n/2lp5/g5p2/9/7+p1 b 2B2GN4s12p 1",
            "+L+N+S+P1+p+s+n+l/9/4+R4/4+b4/9/9/9/9/4K3k w 18P 1",
            shogi::STARTPOS_SFEN,
        ] {
            let setup: Setup = sfen.parse().unwrap();
            let mut text = String::new();
            write_diagram(&mut text, &setup, "\n");
            let mut start = Start::new();
            for line in text.lines() {
                match super::super::line::classify(line) {
                    super::super::line::Line::Row(row) => start.row(row, 1).unwrap(),
                    super::super::line::Line::Hand(color, text) => start.hand(color, text, 1).unwrap(),
                    super::super::line::Line::Turn(color) => start.turn(color),
                    _ => {}
                }
            }
            assert_eq!(start.setup(), setup, "{text}");
        }
    }

    #[test]
    fn bad_diagrams_are_refused() {
        let mut start = Start::new();
        assert!(start.row("| ・v玉|", 3).is_err());
        assert!(start.hand(Color::Black, "歩百", 1).is_err());
        assert!(start.hand(Color::Black, "歩99", 1).is_err());
        assert!(start.hand(Color::Black, "飛四", 1).is_err());
    }
}
