//! The pieces that a `variants.ini` can name.

/// The built-in pieces with their moves. The king is royal; the others differ only by their moves, apart from rules
/// about `pawn`, `shogiPawn`, `soldier` and `janggiCannon`.
const BUILT_IN: [(&str, &str); 37] = [
    ("pawn", "fmWfcF"),
    ("knight", "N"),
    ("bishop", "B"),
    ("rook", "R"),
    ("queen", "Q"),
    ("fers", "F"),
    ("alfil", "A"),
    ("fersAlfil", "FA"),
    ("silver", "FfW"),
    ("aiwok", "RNF"),
    ("bers", "RF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("amazon", "QN"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("shogiPawn", "fW"),
    ("lance", "fR"),
    ("shogiKnight", "fN"),
    ("gold", "WfF"),
    ("dragonHorse", "BW"),
    ("clobber", "cW"),
    ("breakthrough", "fmWfF"),
    ("immobile", ""),
    ("cannon", "mRcpR"),
    ("janggiCannon", "pR"),
    ("soldier", "fsW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("janggiElephant", "nZ"),
    ("banner", "RcpRnN"),
    ("wazir", "W"),
    ("commoner", "K"),
    ("centaur", "KN"),
    ("king", "K"),
];

/// Number of `customPiece`s.
const CUSTOM: usize = 25;

/// A piece type by its name in the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PieceId(u8);

impl PieceId {
    /// Number of piece types.
    pub const COUNT: usize = BUILT_IN.len() + CUSTOM;
    /// The chess pawn.
    pub const PAWN: Self = Self::named_at("pawn");
    /// The pawn of shogi.
    pub const SHOGI_PAWN: Self = Self::named_at("shogiPawn");
    /// The soldier, which moves sideways only when it has advanced.
    pub const SOLDIER: Self = Self::named_at("soldier");
    /// The cannon that can neither jump over nor capture another cannon.
    pub const JANGGI_CANNON: Self = Self::named_at("janggiCannon");
    /// The royal piece.
    pub const KING: Self = Self::named_at("king");

    const fn named_at(name: &str) -> Self {
        let mut index = 0;
        loop {
            let (wanted, found) = (name.as_bytes(), BUILT_IN[index].0.as_bytes());
            let mut same = wanted.len() == found.len();
            let mut place = 0;
            while same && place < wanted.len() {
                same = wanted[place] == found[place];
                place += 1;
            }
            if same {
                return Self(index as u8);
            }
            index += 1;
        }
    }

    /// The piece type of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let index = BUILT_IN.iter().position(|(known, _)| *known == name).or_else(|| {
            let number = name.strip_prefix("customPiece")?;
            let number = number.parse::<usize>().ok().filter(|n| n.to_string() == number)?;
            (1..=CUSTOM).contains(&number).then(|| BUILT_IN.len() + number - 1)
        })?;
        Some(Self(index as u8))
    }

    /// All piece types.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> String {
        match BUILT_IN.get(self.index()) {
            Some((name, _)) => (*name).to_owned(),
            None => format!("customPiece{}", self.index() - BUILT_IN.len() + 1),
        }
    }

    /// Its moves in Betza's notation; `None` for custom pieces, which the file must define.
    #[must_use]
    pub fn betza(self) -> Option<&'static str> {
        BUILT_IN.get(self.index()).map(|(_, betza)| *betza)
    }

    /// Its number.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PieceSet(u64);

impl PieceSet {
    /// Whether it is one of them.
    #[must_use]
    pub const fn contains(self, piece: PieceId) -> bool {
        self.0 >> piece.0 & 1 != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds one.
    pub fn insert(&mut self, piece: PieceId) {
        self.0 |= 1 << piece.0;
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = PieceId> {
        PieceId::all().filter(move |piece| self.contains(*piece))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for piece in PieceId::all() {
            assert_eq!(PieceId::named(&piece.name()), Some(piece));
        }
        for name in ["", "King", "customPiece0", "customPiece26", "customPiece01", "customPiece"] {
            assert_eq!(PieceId::named(name), None, "{name}");
        }
        assert_eq!((PieceId::KING.betza(), PieceId::SHOGI_PAWN.betza()), (Some("K"), Some("fW")));
    }

    #[test]
    fn every_built_in_notation_can_be_read() {
        for piece in PieceId::all() {
            assert!(
                piece.betza().is_none_or(|betza| crate::definition::betza::parse(betza).is_ok()),
                "{piece:?}"
            );
        }
    }
}
