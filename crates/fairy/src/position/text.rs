//! Positions as SFEN and FEN.

use super::Position;
use super::core::{Core, Hand};
use crate::board::kind::{Form, Kind, Piece};
use crate::board::square::{Square, Squares};
use crate::definition::ini::shown;
use crate::variant::{Kinds, Variant};
use game::Color;
use std::fmt::Write;
use std::sync::Arc;

/// Why a text is not a position of the variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TextError {
    /// No text.
    #[error("expected BOARD SIDE HAND [PLY], found nothing")]
    Empty,
    /// The number of ranks is wrong.
    #[error("expected {expected} ranks, found {found}")]
    Ranks {
        /// By the rules.
        expected: u8,
        /// In the text.
        found: usize,
    },
    /// A rank that is too short or too long.
    #[error("rank {rank} `{text}`: expected {expected} squares")]
    Files {
        /// From the top, from 1.
        rank: usize,
        /// As it was given.
        text: String,
        /// By the rules.
        expected: u8,
    },
    /// A letter without a piece in the variant.
    #[error("`{0}` is no piece of this variant")]
    Piece(String),
    /// A side that is neither `b` nor `w`.
    #[error("side to move: expected `b` or `w`, found `{0}`")]
    Side(String),
    /// A malformed hand.
    #[error("hand `{0}`: expected `-` or pieces with their numbers, at most {MOST_IN_HAND} of each")]
    Hand(String),
    /// A malformed number.
    #[error("move number: expected a number from 1 to {MOST_PLIES}, found `{0}`")]
    Ply(String),
    /// An unexpected field.
    #[error("`{0}` was not expected")]
    Token(String),
    /// More than one king.
    #[error("{0} has more than one king")]
    Kings(Color),
    /// No king where there must be one.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A king that could be captured.
    #[error("{0}, whose turn it is not, is in check")]
    Check(Color),
    /// A piece on a square where it may not stand.
    #[error("{piece} may not stand on {square}")]
    Place {
        /// The piece.
        piece: String,
        /// The square.
        square: Square,
    },
}

/// Maximum number of a kind in hand.
const MOST_IN_HAND: u8 = 99;
/// Maximum move number.
const MOST_PLIES: u32 = 100_000;

/// The letters that come first in a hand, in the order of shogi.
const HAND_ORDER: &str = "krbgsnlp";

/// The fields of a text.
struct Fields<'a> {
    board: &'a str,
    side: Color,
    hand: &'a str,
    ply: u32,
    rest: Vec<&'a str>,
    checks: Option<[u8; 2]>,
}

/// A board as written, before the rules are applied.
struct Parsed {
    core: Core,
    ply: u32,
    setup: Option<[bool; 2]>,
    lock: Option<[Kinds; 2]>,
}

impl Position {
    /// Reads a position as SFEN, or as FEN if it begins with the word `fen` or has its hand in brackets.
    pub(crate) fn from_text(
        variant: &Arc<Variant>,
        start: &[Hand; 2],
        text: &str,
    ) -> Result<Self, TextError> {
        let Parsed { mut core, ply, setup, lock } = parse(variant, text)?;
        validate(variant, &core)?;
        resume_setup(variant, &mut core, start, ply, setup, lock);
        Ok(Self::from_core(variant.clone(), core, ply))
    }

    /// Reads the start position of a variant.
    pub(crate) fn start(variant: &Arc<Variant>, fen: &str) -> Result<Self, TextError> {
        let Parsed { mut core, ply, .. } = parse(variant, &format!("fen {fen}"))?;
        validate(variant, &core)?;
        if let Some(king) = variant.king {
            for color in Color::ALL {
                if core.count_with_hand(color, king) == 0 {
                    return Err(TextError::NoKing(color));
                }
            }
        }
        core.begin_setup(variant);
        Ok(Self::from_core(variant.clone(), core, ply))
    }

    pub(crate) fn hands(&self) -> [Hand; 2] {
        self.core.hands
    }

    /// As SFEN.
    pub(crate) fn sfen(&self) -> String {
        let core = &self.core;
        let mut text = format!(
            "{} {} {} {}",
            self.board_text(),
            core.side.letter(),
            self.hand_text(),
            self.ply_number()
        );
        let active: String = Color::ALL
            .into_iter()
            .filter(|color| core.setup[color.index()].active)
            .map(Color::letter)
            .collect();
        if !active.is_empty() {
            let _ = write!(text, " setup:{active}");
        }
        let locked: String = Color::ALL
            .into_iter()
            .flat_map(|color| core.locked(&self.variant, color).iter().map(move |kind| kind.letter(color)))
            .collect();
        if !locked.is_empty() {
            let _ = write!(text, " lock:{locked}");
        }
        if self.variant.rules.check_counting && core.checks_left != [1; 2] {
            let _ = write!(text, " checks:{}+{}", core.checks_left[0], core.checks_left[1]);
        }
        text
    }

    /// As FEN in the terms of variants.ini: White is the first player.
    #[must_use]
    pub fn fen(&self) -> String {
        let pocket: String = Color::ALL
            .into_iter()
            .flat_map(|color| hand_kinds(&self.variant).into_iter().map(move |kind| (color, kind)))
            .flat_map(|(color, kind)| {
                std::iter::repeat_n(kind.letter(color), usize::from(self.in_hand(color, kind)))
            })
            .collect();
        let pocket = if pocket.is_empty() { "-".to_owned() } else { pocket };
        let side = if self.core.side == Color::Black { 'w' } else { 'b' };
        let number = self.ply_number().div_ceil(2);
        format!("{}[{pocket}] {side} {} {number}", self.board_text(), self.state().quiet_moves)
    }

    fn board_text(&self) -> String {
        let rules = &self.variant.rules;
        let rank = |row: u8| {
            let mut text = String::new();
            let mut empty = 0;
            for column in (0..rules.files).rev() {
                match Square::at(column, row).and_then(|square| self.core.piece_at(square)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text += &empty.to_string();
                            empty = 0;
                        }
                        text += &piece.text();
                    }
                }
            }
            if empty > 0 { text + &empty.to_string() } else { text }
        };
        (0..rules.ranks).map(rank).collect::<Vec<_>>().join("/")
    }

    fn hand_text(&self) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for kind in hand_kinds(&self.variant) {
                match self.in_hand(color, kind) {
                    0 => {}
                    1 => text.push(kind.letter(color)),
                    count => drop(write!(text, "{count}{}", kind.letter(color))),
                }
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }
}

/// Kinds in the order in which hands list them.
pub(crate) fn hand_kinds(variant: &Variant) -> Vec<Kind> {
    let mut kinds = variant.kinds.clone();
    kinds.sort_by_key(|kind| {
        let letter = kind.letter(Color::White);
        (HAND_ORDER.find(letter).unwrap_or(HAND_ORDER.len()), letter)
    });
    kinds
}

fn parse(variant: &Variant, text: &str) -> Result<Parsed, TextError> {
    let text = text.trim();
    let (text, is_fen) = match text.strip_prefix("fen ") {
        Some(rest) => (rest, true),
        None => (text, text.split_whitespace().next().is_some_and(|board| board.contains('['))),
    };
    let fields = if is_fen { fen_fields(text)? } else { sfen_fields(text)? };
    let mut core = Core::empty();
    core.side = fields.side;
    read_board(variant, &mut core, fields.board)?;
    if is_fen {
        read_pocket(variant, &mut core, fields.hand)?;
    } else {
        read_hand(variant, &mut core, fields.hand)?;
    }
    if let Some(checks) = fields.checks {
        core.checks_left = checks;
    }
    let (mut setup, mut lock) = (None, None);
    for token in fields.rest {
        let bad = || TextError::Token(shown(token));
        if let Some(sides) = token.strip_prefix("setup:") {
            setup = Some(match sides {
                "-" => [false; 2],
                "b" => [true, false],
                "w" => [false, true],
                "bw" | "wb" => [true; 2],
                _ => return Err(bad()),
            });
        } else if let Some(letters) = token.strip_prefix("lock:") {
            let mut kinds = [Kinds::default(); 2];
            for letter in letters.chars().filter(|letter| *letter != '-') {
                let kind = Kind::of(letter).filter(|kind| variant.has(*kind)).ok_or_else(bad)?;
                kinds[usize::from(letter.is_ascii_lowercase())].insert(kind);
            }
            lock = Some(kinds);
        } else if let Some(checks) = token.strip_prefix("checks:") {
            core.checks_left = read_checks(checks).ok_or_else(bad)?;
        } else {
            return Err(bad());
        }
    }
    Ok(Parsed { core, ply: fields.ply, setup, lock })
}

fn read_checks(text: &str) -> Option<[u8; 2]> {
    let (black, white) = text.split_once('+')?;
    Some([black.parse().ok()?, white.parse().ok()?])
}

fn read_ply(text: &str) -> Result<u32, TextError> {
    let ply = text.parse().ok().filter(|ply| *ply <= MOST_PLIES);
    // Some programs count from 0.
    ply.map(|ply: u32| ply.max(1)).ok_or_else(|| TextError::Ply(shown(text)))
}

fn sfen_fields(text: &str) -> Result<Fields<'_>, TextError> {
    let mut words = text.split_whitespace().peekable();
    let board = words.next().ok_or(TextError::Empty)?;
    let side = match words.next() {
        None | Some("b") => Color::Black,
        Some("w") => Color::White,
        Some(other) => return Err(TextError::Side(shown(other))),
    };
    let hand = words.next_if(|word| !word.contains(':')).unwrap_or("-");
    let ply = words.next_if(|word| !word.contains(':')).map_or(Ok(1), read_ply)?;
    Ok(Fields { board, side, hand, ply, rest: words.collect(), checks: None })
}

fn fen_fields(text: &str) -> Result<Fields<'_>, TextError> {
    let mut words = text.split_whitespace();
    let board = words.next().ok_or(TextError::Empty)?;
    let (board, hand) = match board.split_once('[') {
        Some((board, hand)) => (board, hand.strip_suffix(']').ok_or_else(|| TextError::Hand(shown(hand)))?),
        None => (board, "-"),
    };
    let side = match words.next() {
        None | Some("w") => Color::Black,
        Some("b") => Color::White,
        Some(other) => return Err(TextError::Side(shown(other))),
    };
    let (tokens, words): (Vec<&str>, Vec<&str>) = words.partition(|word| word.contains(':'));
    let checks = words.iter().find_map(|word| read_checks(word));
    // Castling and en passant fields, which shogi variants lack, may precede the counters.
    let numbers: Vec<&str> =
        words.into_iter().filter(|word| word.bytes().all(|b| b.is_ascii_digit())).collect();
    let full_moves = numbers.get(1).map_or(Ok(1), |word| read_ply(word))?;
    let ply = full_moves * 2 - u32::from(side == Color::Black);
    Ok(Fields { board, side, hand, ply, rest: tokens, checks })
}

fn read_board(variant: &Variant, core: &mut Core, text: &str) -> Result<(), TextError> {
    let (files, ranks) = (variant.rules.files, variant.rules.ranks);
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != usize::from(ranks) {
        return Err(TextError::Ranks { expected: ranks, found: rows.len() });
    }
    for (row, text) in rows.into_iter().enumerate() {
        let wrong = || TextError::Files { rank: row + 1, text: shown(text), expected: files };
        let mut column = files;
        let mut number: u32 = 0;
        let mut promoted = false;
        for letter in text.chars() {
            if let Some(digit) = letter.to_digit(10) {
                number = number * 10 + digit;
                if promoted || number > u32::from(files) {
                    return Err(wrong());
                }
                continue;
            }
            column = column.checked_sub(number as u8).ok_or_else(wrong)?;
            number = 0;
            if letter == '+' && !promoted {
                promoted = true;
                continue;
            }
            let unknown =
                || TextError::Piece(format!("{}{}", if promoted { "+" } else { "" }, letter.escape_debug()));
            let kind = Kind::of(letter).ok_or_else(unknown)?;
            let form = if promoted { Form::promoted(kind) } else { Form::plain(kind) };
            if !variant.has_form(form) {
                return Err(unknown());
            }
            promoted = false;
            column = column.checked_sub(1).ok_or_else(wrong)?;
            let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
            let square = Square::at(column, row as u8).ok_or_else(wrong)?;
            core.put(variant, Piece::new(color, form), square);
        }
        if promoted || u32::from(column) != number {
            return Err(wrong());
        }
    }
    Ok(())
}

fn read_hand(variant: &Variant, core: &mut Core, text: &str) -> Result<(), TextError> {
    let wrong = || TextError::Hand(shown(text));
    if text == "-" {
        return Ok(());
    }
    let mut number: Option<u32> = None;
    for letter in text.chars() {
        if let Some(digit) = letter.to_digit(10) {
            number = Some(number.unwrap_or(0) * 10 + digit).filter(|n| *n <= u32::from(MOST_IN_HAND));
            number.ok_or_else(wrong)?;
            continue;
        }
        add_to_hand(variant, core, letter, number.take().unwrap_or(1)).ok_or_else(wrong)?;
    }
    if number.is_some() { Err(wrong()) } else { Ok(()) }
}

fn read_pocket(variant: &Variant, core: &mut Core, text: &str) -> Result<(), TextError> {
    for letter in text.chars().filter(|letter| *letter != '-') {
        add_to_hand(variant, core, letter, 1).ok_or_else(|| TextError::Hand(shown(text)))?;
    }
    Ok(())
}

fn add_to_hand(variant: &Variant, core: &mut Core, letter: char, number: u32) -> Option<()> {
    let kind = Kind::of(letter).filter(|kind| variant.has(*kind))?;
    let color = usize::from(letter.is_ascii_lowercase());
    let sum = u32::from(core.hands[color][kind.index()]) + number;
    core.hands[color][kind.index()] = u8::try_from(sum).ok().filter(|sum| *sum <= MOST_IN_HAND)?;
    Some(())
}

/// Refuses positions under which the rules could not continue.
fn validate(variant: &Variant, core: &Core) -> Result<(), TextError> {
    for color in Color::ALL {
        for square in core.of_color(color) {
            let Some(piece) = core.piece_at(square) else { continue };
            if !variant.movement(color, variant.kind(piece.form())).region.contains(square) {
                return Err(TextError::Place { piece: piece.text(), square });
            }
        }
        if let Some(king) = variant.king
            && core.count_with_hand(color, king) > 1
        {
            return Err(TextError::Kings(color));
        }
    }
    let waiting = !core.side;
    if let Some(king) = variant.king
        && let Some(square) = core.of_kind(waiting, king).first()
        && core.is_attacked(variant, square, core.occupied(), core.side, Squares::EMPTY)
    {
        return Err(TextError::Check(waiting));
    }
    Ok(())
}

/// Restores the setup's state from a text: stated, or derived from hands and ply.
fn resume_setup(
    variant: &Variant,
    core: &mut Core,
    start: &[Hand; 2],
    ply: u32,
    setup: Option<[bool; 2]>,
    lock: Option<[Kinds; 2]>,
) {
    if !variant.has_setup() {
        return;
    }
    let rules = &variant.rules.setup;
    let inferred = rules.drops && rules.must_drop && ply - 1 < variant.setup_drops(start);
    for color in Color::ALL {
        let goes_on = setup.map_or(inferred, |active| active[color.index()]);
        if goes_on {
            core.continue_setup(variant, color, &start[color.index()]);
        } else {
            core.setup[color.index()].active = false;
        }
        if let Some(locked) = lock {
            core.lock(variant, color, locked[color.index()]);
        }
    }
}
