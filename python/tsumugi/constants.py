"""Numbers and names of squares, pieces and results, as cshogi's users know them."""

STARTING_SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"

COLORS = [BLACK, WHITE] = range(2)
GAME_RESULTS = [DRAW, BLACK_WIN, WHITE_WIN] = range(3)

PIECE_TYPES_WITH_NONE = [
    NONE, PAWN, LANCE, KNIGHT, SILVER, BISHOP, ROOK, GOLD, KING,
    PROM_PAWN, PROM_LANCE, PROM_KNIGHT, PROM_SILVER, PROM_BISHOP, PROM_ROOK,
] = range(15)
PIECE_TYPES = list(PIECE_TYPES_WITH_NONE[1:])

# Black's pieces are their kinds, White's are 16 more; 15 and 16 are no pieces.
BPAWN, BLANCE, BKNIGHT, BSILVER, BBISHOP, BROOK, BGOLD, BKING = range(1, 9)
BPROM_PAWN, BPROM_LANCE, BPROM_KNIGHT, BPROM_SILVER, BPROM_BISHOP, BPROM_ROOK = range(9, 15)
WPAWN, WLANCE, WKNIGHT, WSILVER, WBISHOP, WROOK, WGOLD, WKING = range(17, 25)
WPROM_PAWN, WPROM_LANCE, WPROM_KNIGHT, WPROM_SILVER, WPROM_BISHOP, WPROM_ROOK = range(25, 31)
NOTUSE = 16
PIECES = range(31)

HAND_PIECES = [HPAWN, HLANCE, HKNIGHT, HSILVER, HGOLD, HBISHOP, HROOK] = range(7)
MAX_PIECES_IN_HAND = [18, 4, 4, 4, 4, 2, 2]
_HAND_PIECE_TYPES = (PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK)

MOVE_NONE = 0

REPETITION_TYPES = [
    NOT_REPETITION, REPETITION_DRAW, REPETITION_WIN, REPETITION_LOSE, REPETITION_SUPERIOR, REPETITION_INFERIOR,
] = range(6)

SQUARES = range(81)
SQUARE_NAMES = [f"{square // 9 + 1}{'abcdefghi'[square % 9]}" for square in SQUARES]
# A1 is 1a, I9 is 9i.
A1, B1, C1, D1, E1, F1, G1, H1, I1 = range(0, 9)
A2, B2, C2, D2, E2, F2, G2, H2, I2 = range(9, 18)
A3, B3, C3, D3, E3, F3, G3, H3, I3 = range(18, 27)
A4, B4, C4, D4, E4, F4, G4, H4, I4 = range(27, 36)
A5, B5, C5, D5, E5, F5, G5, H5, I5 = range(36, 45)
A6, B6, C6, D6, E6, F6, G6, H6, I6 = range(45, 54)
A7, B7, C7, D7, E7, F7, G7, H7, I7 = range(54, 63)
A8, B8, C8, D8, E8, F8, G8, H8, I8 = range(63, 72)
A9, B9, C9, D9, E9, F9, G9, H9, I9 = range(72, 81)

PIECE_SYMBOLS = ["", "p", "l", "n", "s", "b", "r", "g", "k", "+p", "+l", "+n", "+s", "+b", "+r"]
PIECE_JAPANESE_SYMBOLS = ["", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "杏", "圭", "全", "馬", "龍"]
HAND_PIECE_SYMBOLS = ["p", "l", "n", "s", "g", "b", "r"]
HAND_PIECE_JAPANESE_SYMBOLS = ["歩", "香", "桂", "銀", "金", "角", "飛"]
NUMBER_JAPANESE_NUMBER_SYMBOLS = [None, "１", "２", "３", "４", "５", "６", "７", "８", "９"]
NUMBER_JAPANESE_KANJI_SYMBOLS = [None, *"一二三四五六七八九十", *(f"十{digit}" for digit in "一二三四五六七八")]


def opponent(color: int) -> int:
    """The other side."""
    return BLACK if color == WHITE else WHITE


def piece_to_piece_type(p: int) -> int:
    """The kind of a piece."""
    return p & 15


def hand_piece_to_piece_type(hp: int) -> int:
    """The kind of a piece in hand."""
    return _HAND_PIECE_TYPES[hp]


def make_file(sq: int) -> int:
    """The file of a square, counted from 0."""
    return sq // 9


def make_rank(sq: int) -> int:
    """The rank of a square, counted from 0."""
    return sq % 9
