//! Kinds of pieces: their names in markers, and sets of them.

use shogi::PieceKind;

/// The name of a kind in markers: its letter, followed by a plus for promoted kinds.
///
/// ```
/// use shogi::PieceKind;
/// assert_eq!(freeze::kind_text(PieceKind::Horse), "B+");
/// assert_eq!(freeze::read_kind("+b"), Some(PieceKind::Horse));
/// assert_eq!(freeze::read_kind("G+"), None);
/// ```
#[must_use]
pub fn kind_text(kind: PieceKind) -> String {
    let mut text = kind.letter().to_string();
    if kind.is_promoted() {
        text.push('+');
    }
    text
}

/// Reads the name of a kind: `G`, `B+`, also `+B` and small letters.
#[must_use]
pub fn read_kind(text: &str) -> Option<PieceKind> {
    let plain = |text: &str| {
        let mut letters = text.chars();
        let kind = PieceKind::from_letter(letters.next()?.to_ascii_uppercase())?;
        letters.next().is_none().then_some(kind)
    };
    match text.strip_prefix('+').or_else(|| text.strip_suffix('+')) {
        Some(rest) => plain(rest)?.promoted(),
        None => plain(text),
    }
}

/// A set of kinds.
///
/// ```
/// use freeze::KindSet;
/// use shogi::PieceKind;
/// let set: KindSet = [PieceKind::Gold, PieceKind::King].into_iter().collect();
/// assert!(set.contains(PieceKind::King) && set.single().is_none());
/// assert_eq!(set.without(PieceKind::King).single(), Some(PieceKind::Gold));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct KindSet(u16);

impl KindSet {
    /// No kind.
    pub const EMPTY: Self = Self(0);

    /// The set with `kind` as well.
    #[inline]
    #[must_use]
    pub const fn with(self, kind: PieceKind) -> Self {
        Self(self.0 | 1 << kind.index())
    }

    /// The set without `kind`.
    #[inline]
    #[must_use]
    pub const fn without(self, kind: PieceKind) -> Self {
        Self(self.0 & !(1 << kind.index()))
    }

    /// Whether `kind` is in it.
    #[inline]
    #[must_use]
    pub const fn contains(self, kind: PieceKind) -> bool {
        self.0 >> kind.index() & 1 != 0
    }

    /// Whether there is nothing in it.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The only kind in it.
    #[inline]
    #[must_use]
    pub const fn single(self) -> Option<PieceKind> {
        if self.0.is_power_of_two() {
            Some(PieceKind::ALL[self.0.trailing_zeros() as usize - 1])
        } else {
            None
        }
    }

    /// Its kinds in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = PieceKind> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let index = rest.trailing_zeros() as usize;
            let kind = PieceKind::ALL.get(index.checked_sub(1)?).copied()?;
            rest &= rest - 1;
            Some(kind)
        })
    }
}

impl FromIterator<PieceKind> for KindSet {
    fn from_iter<I: IntoIterator<Item = PieceKind>>(kinds: I) -> Self {
        kinds.into_iter().fold(Self::EMPTY, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_reads_back() {
        for kind in PieceKind::ALL {
            assert_eq!(read_kind(&kind_text(kind)), Some(kind));
            assert_eq!(read_kind(&kind_text(kind).to_lowercase()), Some(kind));
        }
        for bad in ["", "+", "X", "G+", "+G", "K+", "+B+", "BB", "B++", "歩", "B 1"] {
            assert_eq!(read_kind(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_set_lists_what_went_in() {
        let all: KindSet = PieceKind::ALL.into_iter().collect();
        assert!(all.iter().eq(PieceKind::ALL));
        assert!(KindSet::EMPTY.iter().next().is_none());
    }
}
