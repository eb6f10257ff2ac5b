//! Conversion of entries between formats.

use super::Losses;
use super::format::Entry;

/// Appends the entries in `source` (whole entries only) to `target` in their new form.
pub(super) fn transcode(source: &[u8], from: Entry, to: Entry, target: &mut Vec<u8>) -> Losses {
    let mut losses = Losses::default();
    if from == to {
        target.extend_from_slice(source);
        return losses;
    }
    for entry in source.chunks_exact(from.bytes()) {
        let turn = if from.numbers == 2 { number(&entry[from.width..]) } else { 0 };
        encode([number(&entry[..from.width]), turn], to, target, &mut losses);
    }
    losses
}

/// Appends an entry.
pub(super) fn encode([value, turn]: [i32; 2], to: Entry, target: &mut Vec<u8>, losses: &mut Losses) {
    put(value, to.width, target, losses);
    if to.numbers == 2 {
        put(turn, to.width, target, losses);
    } else if turn != 0 {
        losses.dropped_turns += 1;
    }
}

/// A number of two or four bytes.
fn number(bytes: &[u8]) -> i32 {
    match *bytes {
        [a, b] => i16::from_le_bytes([a, b]).into(),
        [a, b, c, d] => i32::from_le_bytes([a, b, c, d]),
        _ => unreachable!("numbers have two or four bytes"),
    }
}

fn put(number: i32, width: usize, target: &mut Vec<u8>, losses: &mut Losses) {
    if width == 4 {
        target.extend_from_slice(&number.to_le_bytes());
        return;
    }
    let fitting = number.clamp(i16::MIN.into(), i16::MAX.into());
    losses.saturated += u64::from(fitting != number);
    target.extend_from_slice(&(fitting as i16).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Entry = Entry { width: 4, numbers: 2 };
    const NARROW: Entry = Entry { width: 2, numbers: 2 };
    const SINGLE: Entry = Entry { width: 2, numbers: 1 };

    fn bytes_of<const N: usize>(numbers: &[[u8; N]]) -> Vec<u8> {
        numbers.concat()
    }

    #[test]
    fn numbers_widen_and_narrow() {
        let narrow = bytes_of(&[1_i16, -2, i16::MAX, i16::MIN].map(i16::to_le_bytes));
        let wide = bytes_of(&[1_i32, -2, 32767, -32768].map(i32::to_le_bytes));
        let mut target = Vec::new();
        assert_eq!(transcode(&narrow, NARROW, WIDE, &mut target), Losses::default());
        assert_eq!(target, wide);
        target.clear();
        assert_eq!(transcode(&wide, WIDE, NARROW, &mut target), Losses::default());
        assert_eq!(target, narrow);
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let wide = bytes_of(&[32768_i32, -32769, 5, i32::MIN].map(i32::to_le_bytes));
        let mut target = Vec::new();
        let losses = transcode(&wide, WIDE, NARROW, &mut target);
        assert_eq!(losses, Losses { saturated: 3, dropped_turns: 0 });
        assert_eq!(target, bytes_of(&[i16::MAX, i16::MIN, 5, i16::MIN].map(i16::to_le_bytes)));
    }

    #[test]
    fn turns_come_and_go() {
        let pairs = bytes_of(&[7_i16, 0, -7, 3].map(i16::to_le_bytes));
        let mut single = Vec::new();
        assert_eq!(transcode(&pairs, NARROW, SINGLE, &mut single).dropped_turns, 1);
        assert_eq!(single, bytes_of(&[7_i16, -7].map(i16::to_le_bytes)));
        let mut again = Vec::new();
        assert_eq!(transcode(&single, SINGLE, NARROW, &mut again), Losses::default());
        assert_eq!(again, bytes_of(&[7_i16, 0, -7, 0].map(i16::to_le_bytes)));
    }
}
