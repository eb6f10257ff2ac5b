//! The tables during training.

use super::lowered::{self, Lowered, PAIRS};
use eval::BonaPiece;
use eval::kppt::{KpptFormat, KpptParameters};
use rayon::prelude::*;
use shogi::{Color, Position, Square};

/// Numbers are in this fraction of a point (1/32).
pub(super) const SCALE: f32 = 32.0;
/// Numbers of the largest table have 16 bits.
const LIMIT: f32 = 32_767.0;
/// Keeps the first steps finite.
const EPSILON: f32 = 1e-9;

/// A value and its turn bonus.
type Pair = [f32; 2];

/// Weight, sum of squared gradients, and gradient, for value and turn bonus. Plain numbers, because untouched zero
/// pages take no memory.
type Entry = [[f32; 2]; 3];
const WEIGHT: usize = 0;
const GRADIENT: usize = 2;

/// Updates weights by `AdaGrad`.
fn update(entry: &mut Entry, eta: f32) {
    let [weights, squares, gradients] = entry;
    for ((weight, square), gradient) in weights.iter_mut().zip(squares).zip(gradients) {
        let gradient = std::mem::take(gradient);
        *square += gradient * gradient;
        // A square that was never changed has the bits of 0.
        if square.to_bits() != 0 {
            *weight = (*weight - eta * gradient / (*square + EPSILON).sqrt()).clamp(-LIMIT, LIMIT);
        }
    }
}

fn is_zero(pair: Pair) -> bool {
    pair.iter().all(|number| number.abs() == 0.0)
}

/// A part of the entries, with marks for those that have a gradient.
#[derive(Clone, Debug)]
struct Part {
    entries: Vec<Entry>,
    touched: Vec<u32>,
}

impl Part {
    fn zeroed(length: usize) -> Self {
        Self { entries: vec![[[0.0; 2]; 3]; length], touched: Vec::new() }
    }

    fn add(&mut self, index: usize, gradient: Pair) {
        let sum = &mut self.entries[index][GRADIENT];
        if is_zero(*sum) {
            self.touched.push(index as u32);
        }
        sum[0] += gradient[0];
        sum[1] += gradient[1];
    }

    fn update(&mut self, eta: f32) {
        for index in self.touched.drain(..) {
            update(&mut self.entries[index as usize], eta);
        }
    }
}

/// All three tables, each number once.
///
/// Initially zero: only material counts.
///
/// ```
/// use eval::kppt::{Kppt, KpptFormat};
/// use shogi::Position;
/// use train::kppt::LearningTables;
/// let tables = LearningTables::zeroed(KpptFormat::Kppt32);
/// assert_eq!(tables.value(&Position::startpos()), 0.0);
/// ```
#[derive(Clone, Debug)]
pub struct LearningTables {
    format: KpptFormat,
    /// One part for each square of the king on files 1 to 5.
    king_piece_piece: Vec<Part>,
    king_king_piece: Part,
    king_king: Part,
}

/// A position in the form that the learner needs.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    pub(super) side: Color,
    kings: [Square; 2],
    /// From Black's and White's point of view.
    views: [Vec<u16>; 2],
    material: i32,
}

impl Pieces {
    /// `None` without both kings.
    pub(super) fn new(position: &Position) -> Option<Self> {
        let [Some(black), Some(white)] = Color::ALL.map(|color| position.king(color)) else { return None };
        let views = Color::ALL.map(|view| {
            let mut list = vec![BonaPiece::ZERO.index() as u16; BonaPiece::absent(position)];
            BonaPiece::for_each(position, view, |piece| list.push(piece.index() as u16));
            list
        });
        Some(Self { side: position.side(), kings: [black, white], views, material: position.material() })
    }

    /// A player's king from that player's point of view.
    fn king(&self, view: Color) -> Square {
        match view {
            Color::Black => self.kings[0],
            Color::White => self.kings[1].flip(),
        }
    }

    /// The sign of a value of a player's pieces for the side to move.
    fn sign(&self, view: Color) -> f32 {
        if view == self.side { 1.0 } else { -1.0 }
    }

    /// Visits all pairs of a player, by part and index.
    fn for_each_pair(&self, view: Color, mut visit: impl FnMut(usize, usize)) {
        let (king, list) = (self.king(view), &self.views[view.index()]);
        for (count, first) in list.iter().enumerate() {
            for second in &list[..count] {
                let number = lowered::king_piece_piece(king, *first, *second);
                visit(number / PAIRS, number % PAIRS);
            }
        }
    }

    /// The part of the largest table with a player's pairs.
    fn part(&self, view: Color) -> usize {
        let king = self.king(view).index();
        if king < 45 { king } else { (8 - king / 9) * 9 + king % 9 }
    }

    fn for_each_with_kings(&self, mut visit: impl FnMut(Lowered)) {
        let [black, white] = self.kings;
        for piece in &self.views[0] {
            visit(lowered::king_king_piece(black, white, *piece));
        }
    }

    fn both_kings(&self) -> Lowered {
        lowered::king_king(self.kings[0], self.kings[1])
    }

    /// Signs of value and turn bonus of an entry with both kings.
    fn signs(&self, entry: Lowered) -> Pair {
        [f32::from(entry.sign) * self.sign(Color::Black), 1.0]
    }
}

impl LearningTables {
    /// Zero tables.
    #[must_use]
    pub fn zeroed(format: KpptFormat) -> Self {
        Self {
            format,
            king_piece_piece: (0..lowered::KPP / PAIRS).map(|_| Part::zeroed(PAIRS)).collect(),
            king_king_piece: Part::zeroed(lowered::KKP),
            king_king: Part::zeroed(lowered::KK),
        }
    }

    /// Copies other tables; of entries that are images of each other, one is used.
    #[must_use]
    pub fn from_parameters(format: KpptFormat, parameters: &impl KpptParameters) -> Self {
        let mut tables = Self::zeroed(format);
        let pieces = || 0..BonaPiece::KING as u16;
        let real = |numbers: [i32; 2]| numbers.map(|number| number as f32);
        tables.king_piece_piece.par_iter_mut().enumerate().for_each(|(king, part)| {
            let king = Square::from_index(king as u8).expect("45 squares");
            for first in pieces() {
                for second in 0..=first {
                    let weight = real(parameters.king_piece_piece(king, first, second));
                    if !is_zero(weight) {
                        part.entries[lowered::king_piece_piece(king, first, second) % PAIRS][WEIGHT] = weight;
                    }
                }
            }
        });
        for (black, white) in Square::all().flat_map(|black| Square::all().map(move |white| (black, white))) {
            for piece in pieces() {
                let weight = real(parameters.king_king_piece(black, white, piece));
                let entry = lowered::king_king_piece(black, white, piece);
                if !is_zero(weight) && entry.sign >= 0 {
                    tables.king_king_piece.entries[entry.index][WEIGHT] = weight;
                }
            }
            let entry = lowered::king_king(black, white);
            if entry.sign >= 0 {
                tables.king_king.entries[entry.index][WEIGHT] = real(parameters.king_king(black, white));
            }
        }
        tables
    }

    /// The format of their files.
    #[must_use]
    pub fn format(&self) -> KpptFormat {
        self.format
    }

    /// The value of a position for the side to move; that of the material if a king is missing.
    #[must_use]
    pub fn value(&self, position: &Position) -> f32 {
        match Pieces::new(position) {
            Some(pieces) => self.value_of(&pieces),
            None => position.material() as f32 * if position.side() == Color::Black { 1.0 } else { -1.0 },
        }
    }

    pub(super) fn value_of(&self, pieces: &Pieces) -> f32 {
        let mut sum = pieces.material as f32 * SCALE * pieces.sign(Color::Black);
        for view in Color::ALL {
            let mut pairs = [0.0; 2];
            pieces.for_each_pair(view, |part, place| {
                let weight = self.king_piece_piece[part].entries[place][WEIGHT];
                pairs[0] += weight[0];
                pairs[1] += weight[1];
            });
            sum += pieces.sign(view) * pairs[0] + pairs[1];
        }
        let mut add = |part: &Part, entry: Lowered| {
            let (weight, signs) = (part.entries[entry.index][WEIGHT], pieces.signs(entry));
            sum += weight[0] * signs[0] + weight[1] * signs[1];
        };
        pieces.for_each_with_kings(|entry| add(&self.king_king_piece, entry));
        add(&self.king_king, pieces.both_kings());
        sum / SCALE
    }

    /// Trains on a batch: positions with the derivatives of the loss by their values. Sums are in the order of the
    /// positions, for any number of threads.
    pub(super) fn learn(&mut self, batch: &[(&Pieces, f32)], eta: f32, freeze: Freeze) {
        let has_turns = self.format != KpptFormat::KppKkpt32;
        let mut by_part: Vec<Vec<(usize, Color)>> = vec![Vec::new(); self.king_piece_piece.len()];
        for (index, (pieces, _)) in batch.iter().enumerate() {
            for view in Color::ALL {
                by_part[pieces.part(view)].push((index, view));
            }
        }
        let pairs = || {
            self.king_piece_piece.par_iter_mut().zip(&by_part).for_each(|(part, items)| {
                for (index, view) in items {
                    let (pieces, slope) = batch[*index];
                    let gradient = [slope * pieces.sign(*view), if has_turns { slope } else { 0.0 }];
                    pieces.for_each_pair(*view, |_, place| part.add(place, gradient));
                }
                part.update(eta);
            });
        };
        let (with_kings, kings) = (&mut self.king_king_piece, &mut self.king_king);
        let mut others = || {
            for (pieces, slope) in batch {
                let gradient = |entry| pieces.signs(entry).map(|sign| slope * sign);
                if !freeze.king_king_piece {
                    pieces.for_each_with_kings(|entry| with_kings.add(entry.index, gradient(entry)));
                }
                if !freeze.king_king {
                    let entry = pieces.both_kings();
                    kings.add(entry.index, gradient(entry));
                }
            }
            with_kings.update(eta);
            kings.update(eta);
        };
        if freeze.king_piece_piece {
            others();
        } else {
            rayon::join(pairs, others);
        }
    }
}

/// Tables that are not trained (`freeze_kk`, `freeze_kkp`, `freeze_kpp`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs, reason = "see above")]
pub struct Freeze {
    pub king_king: bool,
    pub king_king_piece: bool,
    pub king_piece_piece: bool,
}

impl KpptParameters for LearningTables {
    fn king_king(&self, black_king: Square, white_king: Square) -> [i32; 2] {
        whole(&self.king_king, lowered::king_king(black_king, white_king))
    }

    fn king_king_piece(&self, black_king: Square, white_king: Square, piece: u16) -> [i32; 2] {
        whole(&self.king_king_piece, lowered::king_king_piece(black_king, white_king, piece))
    }

    fn king_piece_piece(&self, king: Square, first: u16, second: u16) -> [i32; 2] {
        let number = lowered::king_piece_piece(king, first, second);
        self.king_piece_piece[number / PAIRS].entries[number % PAIRS][WEIGHT]
            .map(|weight| weight.round() as i32)
    }
}

fn whole(part: &Part, entry: Lowered) -> [i32; 2] {
    let [value, turn] = part.entries[entry.index][WEIGHT].map(|weight| weight.round() as i32);
    [i32::from(entry.sign) * value, turn]
}
