//! QR codes for the terminal: an address with its token, so that a phone need not have it typed in.
//!
//! Byte mode at level L in versions 1 to 5 (ISO/IEC 18004), which are one block of codewords each: up to 106 bytes.

/// Codewords of data and of correction, by version.
const VERSIONS: [(usize, usize); 5] = [(19, 7), (34, 10), (55, 15), (80, 20), (108, 26)];
/// Light modules around the code.
const QUIET: usize = 2;

/// A square of modules, `None` where nothing has been decided.
struct Matrix {
    size: usize,
    modules: Vec<Option<bool>>,
}

impl Matrix {
    fn at(&self, row: usize, column: usize) -> bool {
        self.modules[row * self.size + column].unwrap_or(false)
    }

    fn set(&mut self, row: usize, column: usize, dark: bool) {
        self.modules[row * self.size + column] = Some(dark);
    }

    fn is_free(&self, row: usize, column: usize) -> bool {
        self.modules[row * self.size + column].is_none()
    }
}

/// A text as a QR code of half blocks, dark on light whatever the terminal's colours; `None` if it is too long.
#[must_use]
pub fn qr_code(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    // Four bits of mode and eight of length come first.
    let version = VERSIONS.iter().position(|(data, _)| bytes.len() + 2 <= *data)?;
    let codewords = codewords(bytes, VERSIONS[version]);
    let frame = frame(version + 1);
    let best = (0..8).map(|mask| filled(&frame, &codewords, mask)).min_by_key(penalty)?;
    Some(drawn(&best))
}

fn codewords(bytes: &[u8], (data, correction): (usize, usize)) -> Vec<u8> {
    let mut bits: Vec<bool> = Vec::with_capacity(8 * data);
    let mut push = |value: u32, count: u32| bits.extend((0..count).rev().map(|bit| value >> bit & 1 == 1));
    push(0b0100, 4);
    push(bytes.len() as u32, 8);
    for byte in bytes {
        push(u32::from(*byte), 8);
    }
    // The end, as far as there is room for it: mode and length have left half a byte.
    push(0, 4);
    let mut words: Vec<u8> =
        bits.chunks(8).map(|byte| byte.iter().fold(0, |word, bit| word << 1 | u8::from(*bit))).collect();
    let pads = [0xEC, 0x11].into_iter().cycle().take(data - words.len());
    words.extend(pads.collect::<Vec<u8>>());
    let remainder = remainder(&words, correction);
    words.extend(remainder);
    words
}

/// The product in the field of 256 elements by x⁸ + x⁴ + x³ + x² + 1.
fn product(a: u8, b: u8) -> u8 {
    let mut result = 0;
    for bit in (0..8).rev() {
        result = (result << 1) ^ (u8::from(result >> 7 == 1) * 0x1D);
        if b >> bit & 1 == 1 {
            result ^= a;
        }
    }
    result
}

/// The codewords of correction by Reed and Solomon.
fn remainder(words: &[u8], degree: usize) -> Vec<u8> {
    let mut divisor = vec![0; degree];
    divisor[degree - 1] = 1;
    let mut root = 1;
    for _ in 0..degree {
        for place in 0..degree {
            let next = divisor.get(place + 1).copied().unwrap_or(0);
            divisor[place] = product(divisor[place], root) ^ next;
        }
        root = product(root, 2);
    }
    let mut remainder = vec![0; degree];
    for word in words {
        let factor = word ^ remainder.remove(0);
        remainder.push(0);
        for (place, value) in remainder.iter_mut().enumerate() {
            *value ^= product(divisor[place], factor);
        }
    }
    remainder
}

/// Everything that does not depend on the text: finders, timing, alignment; room for the format.
fn frame(version: usize) -> Matrix {
    let size = 17 + 4 * version;
    let mut matrix = Matrix { size, modules: vec![None; size * size] };
    for (top, left) in [(0, 0), (0, size - 7), (size - 7, 0)] {
        for row in top.saturating_sub(1)..(top + 8).min(size) {
            for column in left.saturating_sub(1)..(left + 8).min(size) {
                let ring = row.abs_diff(top + 3).max(column.abs_diff(left + 3));
                matrix.set(row, column, !matches!(ring, 2 | 4));
            }
        }
    }
    if version > 1 {
        let centre = size - 7;
        for row in centre - 2..=centre + 2 {
            for column in centre - 2..=centre + 2 {
                matrix.set(row, column, row.abs_diff(centre).max(column.abs_diff(centre)) != 1);
            }
        }
    }
    for place in 8..size - 8 {
        matrix.set(6, place, place % 2 == 0);
        matrix.set(place, 6, place % 2 == 0);
    }
    for (row, column) in format_places(size).into_iter().flatten() {
        matrix.set(row, column, false);
    }
    matrix.set(size - 8, 8, true);
    matrix
}

/// Both places of each of the fifteen bits of the format, the lowest first.
fn format_places(size: usize) -> [[(usize, usize); 2]; 15] {
    std::array::from_fn(|bit| {
        let first = match bit {
            0..=5 => (bit, 8),
            6 => (7, 8),
            7 => (8, 8),
            8 => (8, 7),
            _ => (8, 14 - bit),
        };
        let second = if bit < 8 { (8, size - 1 - bit) } else { (size - 15 + bit, 8) };
        [first, second]
    })
}

/// The code with its data under a mask.
fn filled(frame: &Matrix, codewords: &[u8], mask: u32) -> Matrix {
    let size = frame.size;
    let mut matrix = Matrix { size, modules: frame.modules.clone() };
    let mut bits = codewords.iter().flat_map(|word| (0..8).rev().map(move |bit| word >> bit & 1 == 1));
    // Pairs of columns from the right, up and down in turns; the column of the timing is left out.
    for (turn, right) in (1..size).rev().step_by(2).map(|c| if c <= 6 { c - 1 } else { c }).enumerate() {
        for step in 0..size {
            let row = if turn % 2 == 0 { size - 1 - step } else { step };
            for column in [right, right - 1] {
                if frame.is_free(row, column) {
                    let bit = bits.next().unwrap_or(false);
                    matrix.set(row, column, bit ^ masked(mask, row, column));
                }
            }
        }
    }
    // Level L is 01; the code of the format is that of Bose, Chaudhuri and Hocquenghem.
    let format = 0b01 << 3 | mask;
    let check = (0..10).fold(format, |rest, _| (rest << 1) ^ ((rest >> 9) * 0x537));
    let word = (format << 10 | check) ^ 0x5412;
    for (bit, places) in format_places(size).into_iter().enumerate() {
        for (row, column) in places {
            matrix.set(row, column, word >> bit & 1 == 1);
        }
    }
    matrix
}

fn masked(mask: u32, row: usize, column: usize) -> bool {
    let value = match mask {
        0 => (row + column) % 2,
        1 => row % 2,
        2 => column % 3,
        3 => (row + column) % 3,
        4 => (row / 2 + column / 3) % 2,
        5 => row * column % 2 + row * column % 3,
        6 => (row * column % 2 + row * column % 3) % 2,
        _ => ((row + column) % 2 + row * column % 3) % 2,
    };
    value == 0
}

/// How hard a code is to read: long runs and squares of one colour.
fn penalty(matrix: &Matrix) -> usize {
    let size = matrix.size;
    let mut penalty = 0;
    for line in 0..size {
        for across in [true, false] {
            let mut run = 0;
            for place in 0..size {
                let at = |place: usize| if across { matrix.at(line, place) } else { matrix.at(place, line) };
                run = if place > 0 && at(place) == at(place - 1) { run + 1 } else { 1 };
                penalty += match run {
                    5 => 3,
                    6.. => 1,
                    _ => 0,
                };
            }
        }
    }
    for row in 1..size {
        for column in 1..size {
            let dark = matrix.at(row, column);
            let square = [(row - 1, column), (row, column - 1), (row - 1, column - 1)];
            penalty +=
                3 * usize::from(square.into_iter().all(|(row, column)| matrix.at(row, column) == dark));
        }
    }
    penalty
}

/// Two rows of modules to a line of text.
fn drawn(matrix: &Matrix) -> String {
    let size = matrix.size;
    let is_dark = |row: usize, column: usize| {
        let inside = (QUIET..size + QUIET).contains(&row) && (QUIET..size + QUIET).contains(&column);
        inside && matrix.at(row - QUIET, column - QUIET)
    };
    let mut text = String::new();
    for row in (0..size + 2 * QUIET).step_by(2) {
        text += "\x1b[30;107m";
        for column in 0..size + 2 * QUIET {
            text.push(match (is_dark(row, column), is_dark(row + 1, column)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        text += "\x1b[0m\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of the standard's Annex I: `01234567` in version 1 at level M has these words of correction.
    #[test]
    fn words_of_correction() {
        let data =
            [0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11];
        let expected = [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55];
        assert_eq!(remainder(&data, 10), expected);
    }

    #[test]
    fn sizes() {
        let address = format!("http://192.168.100.100:7680/?t={}", "0123456789abcdef".repeat(2));
        let code = qr_code(&address).unwrap();
        assert_eq!(code.lines().count(), (17 + 4 * 4 + 2 * QUIET).div_ceil(2));
        assert!(qr_code(&"x".repeat(106)).is_some() && qr_code(&"x".repeat(107)).is_none());
    }
}
