//! Short keys that sort like the text of positions.
//!
//! Rows come again and again. Those that a sample of a book has are numbered in the order of their spelling, and a key
//! says two bytes for each row: the number where the row is known, otherwise a number that lies between those of its
//! neighbours, and its text. No row begins another, so that keys compare like the text. They are a third as long.

use crate::board_text::{push_side_and_hands, row_slot, spell_row};
use crate::short::{Ahead, Short};
use crate::slips::{WIDTH, Window, window_of};
use crate::ybb_text::Tail;
use shogi::{Color, Hand, SetupRanks};

/// The text of a row with the slash behind it, zeros, and in the last byte how long it is. As numbers, highest byte
/// first, texts compare like their letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Text([u8; 16]);

impl Text {
    const EMPTY: Self = Self([0; 16]);

    /// `None` if the row is longer than that.
    #[inline]
    fn new(row: &Short<32>) -> Option<Self> {
        let [letters @ .., _] = row.padded::<16>()?;
        let mut text = Self([0; 16]);
        text.0[..15].copy_from_slice(&letters);
        let length = row.as_bytes().len();
        text.0[15] = length as u8;
        (length < 16).then_some(text)
    }

    #[inline]
    fn length(self) -> usize {
        self.0[15].into()
    }

    #[inline]
    fn number(self) -> u128 {
        u128::from_be_bytes(self.0)
    }
}

/// What stands on a row, as [`SetupRanks::ranks`] says it, and below that its code: one number, so that many of them fit
/// into a cache.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Slot(u64);

impl Slot {
    /// No row has so many bits.
    const EMPTY: Self = Self(u64::MAX);

    #[inline(always)]
    fn new(squares: u64, code: u16) -> Self {
        Self(squares << 16 | u64::from(code))
    }

    #[inline(always)]
    fn squares(self) -> u64 {
        self.0 >> 16
    }

    #[inline(always)]
    fn code(self) -> u16 {
        self.0 as u16
    }
}

/// The known rows of a book. Of those with the number `n` in order the code is `2 n + 1`; even codes are for what is
/// between them.
pub(crate) struct RowCodes {
    /// Those that there are not are empty, so that every code has one.
    texts: Box<[Text; MOST + 1]>,
    /// How many there are.
    known: usize,
    slots: Vec<Slot>,
}

/// How often rows are met.
pub(crate) struct RowCounts {
    /// What stands on a row, and below that how often; zero where there is no row yet.
    slots: Vec<u64>,
    used: usize,
}

impl RowCounts {
    /// Half as many rows are counted; further ones are not.
    const SLOTS: usize = 1 << 16;
    /// Bits for how often; more is not counted.
    const COUNT_BITS: usize = 19;
    const MOST: u64 = (1 << Self::COUNT_BITS) - 1;

    pub(crate) fn new() -> Self {
        Self { slots: vec![0; Self::SLOTS], used: 0 }
    }

    pub(crate) fn add(&mut self, setup: &SetupRanks) {
        for squares in setup.ranks {
            self.add_row(squares, 1);
        }
    }

    #[inline]
    fn add_row(&mut self, squares: u64, count: u64) {
        let mut at = row_slot(squares, Self::SLOTS.ilog2());
        while self.slots[at] >> Self::COUNT_BITS != squares && self.slots[at] != 0 {
            at = (at + 1) % Self::SLOTS;
        }
        let slot = self.slots[at];
        if slot != 0 || self.used < Self::SLOTS / 2 {
            self.used += usize::from(slot == 0);
            self.slots[at] = squares << Self::COUNT_BITS | ((slot & Self::MOST) + count).min(Self::MOST);
        }
    }

    /// All rows, and how often.
    fn all(&self) -> impl Iterator<Item = (u64, u64)> {
        let there = self.slots.iter().filter(|slot| **slot != 0);
        there.map(|slot| (slot >> Self::COUNT_BITS, slot & Self::MOST))
    }
}

/// More rows are not known, so that all that has to be looked at fits into a cache.
const MOST: usize = (1 << 15) - 1;
/// As many bits of a number as there are places for them.
const SLOT_BITS: u32 = 16;

/// A key, and what its maker remembers for the next ones.
pub(crate) struct Key {
    bytes: Short<256>,
    /// Side and hands.
    tail: Vec<u8>,
    /// Rows that are not known.
    others: Vec<Other>,
}

/// A row that is not known, what is between its neighbours, and its text.
#[derive(Clone, Copy)]
struct Other {
    slot: Slot,
    text: Text,
}

/// As many bits of a number as such rows are remembered.
const REMEMBERED: u32 = 12;

impl Key {
    pub(crate) fn new() -> Self {
        let nothing = Other { slot: Slot::EMPTY, text: Text::EMPTY };
        Self { bytes: Short::new(), tail: Vec::new(), others: vec![nothing; 1 << REMEMBERED] }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.as_bytes()
    }

    #[inline]
    pub(crate) fn ahead(&self) -> Ahead<'_> {
        self.bytes.ahead()
    }
}

impl RowCodes {
    /// Knows the rows that are most frequent in samples.
    pub(crate) fn new(samples: Vec<RowCounts>) -> Self {
        let mut samples = samples.into_iter();
        let mut all_counts = samples.next().unwrap_or_else(RowCounts::new);
        for (squares, count) in samples.as_slice().iter().flat_map(RowCounts::all) {
            all_counts.add_row(squares, count);
        }
        let mut known: Vec<(u64, u64)> = all_counts.all().map(|(squares, count)| (count, squares)).collect();
        known.sort_unstable_by(|a, b| b.cmp(a));
        known.truncate(MOST);
        let text_of =
            |(number, (_, squares)): (usize, &(u64, u64))| Some((Text::new(&spell_row(*squares))?, number));
        let mut texts: Vec<(Text, usize)> = known.iter().enumerate().filter_map(text_of).collect();
        texts.sort_unstable_by_key(|(text, _)| text.number());
        // Even codes say that a row is not known.
        let mut codes = vec![0; known.len()];
        for (code, (_, number)) in (1u16..).step_by(2).zip(&texts) {
            codes[*number] = code;
        }
        let mut of_codes: Vec<Text> = texts.iter().map(|(text, _)| *text).collect();
        of_codes.resize(MOST + 1, Text::EMPTY);
        let of_codes =
            of_codes.try_into().unwrap_or_else(|_| unreachable!("there are as many as there are codes"));
        let mut all = Self { texts: of_codes, known: texts.len(), slots: vec![Slot::EMPTY; 1 << SLOT_BITS] };
        // The most frequent first, so that they are where they are looked for first.
        for ((_, squares), code) in known.into_iter().zip(codes) {
            if code == 0 {
                continue;
            }
            let mut at = slot_of(squares);
            while all.slots[at] != Slot::EMPTY {
                at = (at + 1) % all.slots.len();
            }
            all.slots[at] = Slot::new(squares, code);
        }
        all
    }

    /// All texts in order.
    fn known(&self) -> &[Text] {
        &self.texts[..self.known]
    }

    /// The code of a row if it is known.
    #[inline(always)]
    fn code(&self, squares: u64) -> Option<u16> {
        let first = self.slots[slot_of(squares)];
        if first.squares() == squares { Some(first.code()) } else { self.code_behind(squares) }
    }

    /// The same for rows that are not where they are looked for first.
    fn code_behind(&self, squares: u64) -> Option<u16> {
        let mut at = slot_of(squares);
        loop {
            let slot = self.slots[at];
            if slot.squares() == squares {
                return Some(slot.code());
            }
            if slot == Slot::EMPTY {
                return None;
            }
            at = (at + 1) % self.slots.len();
        }
    }

    /// Makes the key of a position and tells what it begins with.
    #[inline]
    pub(crate) fn make(&self, setup: &SetupRanks, key: &mut Key) -> Window {
        let codes = setup.ranks.map(|squares| self.code(squares));
        key.bytes.clear();
        let window =
            if let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), Some(g), Some(h), Some(last)] =
                codes
            {
                let four =
                    |codes: [u16; 4]| codes.into_iter().fold(0, |sum, code| sum << 16 | u64::from(code));
                let window = (four([a, b, c, d]), four([e, f, g, h]));
                key.bytes.push_padded(window.0.to_be_bytes(), 8);
                key.bytes.push_padded(window.1.to_be_bytes(), 8);
                key.bytes.push_padded(last.to_be_bytes(), 2);
                Some(window)
            } else {
                self.push_unknown(setup, &codes, key);
                None
            };
        let side = if setup.side == Color::Black { b'b' } else { b'w' };
        if setup.hands == [Hand::EMPTY; 2] {
            key.bytes.push_padded([side, b'-'], 2);
        } else {
            key.tail.clear();
            push_side_and_hands(&mut key.tail, setup.side, setup.hands);
            key.bytes.push(side);
            key.bytes.push_all(&key.tail[BEFORE_HANDS..]);
        }
        window.unwrap_or_else(|| window_of(key.bytes(), 0))
    }

    /// The same for a board with rows that are not known.
    #[inline(never)]
    fn push_unknown(&self, setup: &SetupRanks, codes: &[Option<u16>; 9], key: &mut Key) {
        for (squares, code) in setup.ranks.into_iter().zip(codes) {
            if let Some(code) = code {
                key.bytes.push_padded(code.to_be_bytes(), 2);
                continue;
            }
            let other = &mut key.others[row_slot(squares, REMEMBERED)];
            if other.slot.squares() != squares {
                let row = spell_row(squares);
                let Some(text) = Text::new(&row) else {
                    // Long rows are rare.
                    let known = |text: &Text| &text.0[..text.length()] < row.as_bytes();
                    key.bytes.push_all(&(2 * self.known().partition_point(known) as u16).to_be_bytes());
                    key.bytes.push_all(row.as_bytes());
                    continue;
                };
                let number = text.number();
                let code = 2 * self.known().partition_point(|known| known.number() < number) as u16;
                *other = Other { slot: Slot::new(squares, code), text };
            }
            key.bytes.push_padded(other.slot.code().to_be_bytes(), 2);
            key.bytes.push_padded(other.text.0, other.text.length());
        }
    }

    /// Appends board, side to move and hands as text.
    #[inline(always)]
    pub(crate) fn push_place(&self, out: &mut Tail<'_>, key: &[u8]) {
        if let Some((codes, [side, hands @ ..])) = key.split_first_chunk::<{ 2 * ROWS }>()
            && all_known(codes)
        {
            for code in codes.as_chunks().0 {
                let Text(letters) = self.texts[usize::from(u16::from_be_bytes(*code)) / 2 % (MOST + 1)];
                out.push_letters(letters);
            }
            push_rest(out, *side, hands);
        } else {
            self.push_unknown_place(out, key);
        }
    }

    /// The same where not all rows are known.
    #[inline(never)]
    fn push_unknown_place(&self, out: &mut Tail<'_>, key: &[u8]) {
        let mut rest = key;
        for _ in 0..9 {
            let Some((code, behind)) = rest.split_first_chunk() else { return };
            let code = usize::from(u16::from_be_bytes(*code));
            rest = behind;
            if code % 2 == 1
                && let Some(known) = self.known().get(code / 2)
            {
                out.push(known.0, known.length());
            } else {
                let end =
                    rest.iter().position(|letter| *letter == b'/').map_or(rest.len(), |slash| slash + 1);
                out.push_all(&rest[..end]);
                rest = &rest[end..];
            }
        }
        if let [side, hands @ ..] = rest {
            push_rest(out, *side, hands);
        }
    }
}

/// Rows of a board.
const ROWS: usize = 9;

/// Whether these are codes of known rows: what says that one is not known is even.
#[inline(always)]
fn all_known(codes: &[u8; 2 * ROWS]) -> bool {
    /// The lowest bit of each of eight codes.
    const ODD: u128 = u128::MAX / 0xffff;
    let [eight @ .., _, last] = codes;
    u128::from_be_bytes(*eight) & ODD == ODD && last % 2 == 1
}

/// Appends side to move and hands behind rows; the slash of the last one is one too many.
#[inline(always)]
fn push_rest(out: &mut Tail<'_>, side: u8, hands: &[u8]) {
    out.pop();
    if let [b'-'] = hands {
        out.push([b' ', side, b' ', b'-'], 4);
    } else {
        out.push([b' ', side, b' '], 3);
        out.push_all(hands);
    }
}

/// What the text of side and hands has before the hands.
const BEFORE_HANDS: usize = 3;

const _: () = assert!(WIDTH == 16, "eight rows make a window");

/// Where a row is looked for first.
#[inline(always)]
fn slot_of(squares: u64) -> usize {
    row_slot(squares, SLOT_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board_text::push_place;
    use crate::ybb_text::Page;
    use proptest::prelude::*;
    use shogi::{Position, SetupWords};

    proptest! {
        /// Keys sort like text and become it again, whatever rows are known.
        #[test]
        fn like_text(
            choices in prop::collection::vec(any::<usize>(), 1..300),
            known in 0usize..100,
        ) {
            let mut positions = Vec::new();
            let mut position = Position::startpos();
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() || choice % 40 == 0 {
                    position = Position::startpos();
                    continue;
                }
                position.do_move(moves[choice % moves.len()]);
                positions.push(position.setup());
            }
            let ranks: Vec<_> =
                positions.iter().map(|setup| SetupRanks::from(&SetupWords::from(setup))).collect();
            let mut counts = vec![RowCounts::new(), RowCounts::new()];
            for (number, ranks) in ranks.iter().take(known).enumerate() {
                counts[number % 2].add(ranks);
            }
            let codes = RowCodes::new(counts);
            let mut all = Vec::new();
            for (setup, ranks) in positions.iter().zip(&ranks) {
                let (mut text, mut again, mut key) = (Vec::new(), Page::default(), Key::new());
                push_place(&mut text, setup);
                let window = codes.make(ranks, &mut key);
                prop_assert_eq!(window, window_of(key.bytes(), 0));
                again.write(|tail| codes.push_place(tail, key.bytes()));
                prop_assert_eq!(String::from_utf8_lossy(again.text()), String::from_utf8_lossy(&text));
                all.push((text, key.bytes().to_vec()));
            }
            all.sort();
            prop_assert!(all.is_sorted_by_key(|(_, key)| key));
        }
    }
}
