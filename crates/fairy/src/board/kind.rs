//! Pieces on the board: kinds of movement, and promoted and unpromoted forms.

use game::Color;

/// A kind of movement, identified by the letter of the piece that has it from the start.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind(u8);

impl Kind {
    /// Number of kinds, one for each letter.
    pub const COUNT: usize = 26;

    #[inline]
    pub(crate) const fn from_letter(letter: u8) -> Self {
        debug_assert!((letter as usize) < Self::COUNT);
        Self(letter)
    }

    /// The kind of a letter, upper or lower case.
    pub(crate) fn of(letter: char) -> Option<Self> {
        letter.is_ascii_alphabetic().then(|| Self(letter.to_ascii_lowercase() as u8 - b'a'))
    }

    /// Its number, below [`Kind::COUNT`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its letter, upper case for the first player.
    #[must_use]
    pub fn letter(self, color: Color) -> char {
        let letter = char::from(b'a' + self.0);
        if color == Color::Black { letter.to_ascii_uppercase() } else { letter }
    }
}

/// A piece without its owner: unpromoted, or promoted from some kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Form(u8);

impl Form {
    /// Number of forms.
    pub const COUNT: usize = 2 * Kind::COUNT;

    /// The unpromoted form.
    #[inline]
    #[must_use]
    pub const fn plain(kind: Kind) -> Self {
        Self(kind.0)
    }

    /// The promoted form of `origin`.
    #[inline]
    #[must_use]
    pub const fn promoted(origin: Kind) -> Self {
        Self(origin.0 + Kind::COUNT as u8)
    }

    /// Whether it has been promoted.
    #[inline]
    #[must_use]
    pub const fn is_promoted(self) -> bool {
        self.0 >= Kind::COUNT as u8
    }

    /// The kind before promotion.
    #[inline]
    #[must_use]
    pub const fn origin(self) -> Kind {
        Kind(if self.is_promoted() { self.0 - Kind::COUNT as u8 } else { self.0 })
    }

    /// Its number, below [`Form::COUNT`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A piece on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece(u8);

impl Piece {
    /// A piece of `color`.
    #[inline]
    #[must_use]
    pub const fn new(color: Color, form: Form) -> Self {
        Self(form.0 << 1 | color as u8)
    }

    #[inline]
    pub(crate) const fn from_index(index: u8) -> Self {
        Self(index)
    }

    #[inline]
    pub(crate) const fn to_index(self) -> u8 {
        self.0
    }

    /// Its owner.
    #[inline]
    #[must_use]
    pub const fn color(self) -> Color {
        if self.0 & 1 == 0 { Color::Black } else { Color::White }
    }

    /// Its form.
    #[inline]
    #[must_use]
    pub const fn form(self) -> Form {
        Form(self.0 >> 1)
    }

    /// As text: `p`, `+P`.
    #[must_use]
    pub fn text(self) -> String {
        let letter = self.form().origin().letter(self.color());
        if self.form().is_promoted() { format!("+{letter}") } else { letter.to_string() }
    }
}
