//! The options for playing from books.

use book::{BookMerge, Loading, OptionNames, Plies, SelectionRules};
use usi::options::{CheckId, ComboId, Folders, Options, PlaySettings, SpinId, TextId};

/// A file beside the program, read before `usi`, that selects the second set of options.
const PROFILE: &str = "engine_option_profile.txt";
const PROFILE_BYTES: u64 = 1 << 16;
const SECOND_SET: [&str; 2] = ["BOOK_OPTIONS_V2", "BOOK_OPTIONS=V2"];

/// The value for no book.
pub(super) const NO_BOOK: &str = "no_book";
/// The value for the compiled-in book, if there is one.
pub(super) const EMBEDDED_BOOK: &str = "embedded_book";
const BOOKS: [&str; 10] = [
    NO_BOOK,
    "standard_book.db",
    "yaneura_book1.db",
    "yaneura_book2.db",
    "yaneura_book3.db",
    "yaneura_book4.db",
    "user_book1.db",
    "user_book2.db",
    "user_book3.db",
    "book.bin",
];

/// The declared options.
#[derive(Clone, Copy)]
pub(super) struct BookOptions {
    own_book: CheckId,
    narrow: Option<CheckId>,
    moves: SpinId,
    ignore_rate: SpinId,
    file: ComboId,
    merge: ComboId,
    dir: TextId,
    eval_diff: BySide,
    eval_limit: BySide,
    depth_limit: BySide,
    on_the_fly: CheckId,
    consider_count: Option<CheckId>,
    pv_moves: SpinId,
    ignore_ply: CheckId,
    flipped: CheckId,
    names: OptionNames,
}

/// Black's and White's; the same option twice where there is only one.
type BySide = [SpinId; 2];

/// The books named by the options.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct WantedBook {
    pub(super) folder: String,
    pub(super) file: String,
    /// `BookMerge`.
    pub(super) merge: BookMerge,
    /// Whether `BookFile` has its default value: such a file may be missing.
    pub(super) is_default: bool,
    pub(super) loading: Loading,
}

/// The default of `BookFile`.
fn default_book(names: OptionNames) -> &'static str {
    match names {
        OptionNames::First => "standard_book.db",
        OptionNames::Second => "user_book1.db",
    }
}

/// The set of options selected by a profile.
fn option_set(folders: &Folders) -> OptionNames {
    let text = folders.read_if_present(PROFILE, PROFILE_BYTES).ok().flatten().map(|file| file.text);
    let second = text.is_some_and(|text| text.lines().any(|line| SECOND_SET.contains(&line.trim())));
    if second { OptionNames::Second } else { OptionNames::First }
}

impl BookOptions {
    pub(super) fn declare(options: &mut Options, folders: &Folders) -> Self {
        let names = option_set(folders);
        let second = names == OptionNames::Second;
        let own_book = options.check("USI_OwnBook", true, "play from the book");
        let narrow = (!second).then(|| {
            options.check("NarrowBook", false, "leave out book moves chosen less than one time in ten")
        });
        let moves = options.spin(
            "BookMoves",
            if second { 200 } else { 16 },
            0..=10_000,
            "play from the book up to this move",
        );
        let ignore_rate = options.spin(
            "BookIgnoreRate",
            0,
            0..=100,
            "percentage of positions in which the book is not asked",
        );
        let mut books = BOOKS.to_vec();
        if book::has_embedded_book() {
            books.insert(1, EMBEDDED_BOOK);
        }
        let file = options.combo(
            "BookFile",
            default_book(names),
            &books,
            "the book, in BookDir; .ybb where there is no .db; the default one need not be there; several: a.db;b.ybb",
        );
        options.open_choices(file);
        let help = "what several books say: the first one that has the position, or all of them together";
        let merge = options.combo("BookMerge", BookMerge::WORDS[0], &BookMerge::WORDS, help);
        let dir = options.string("BookDir", "book", "folder of the books");
        let limits = -99_999..=99_999;
        let eval_diff = if second {
            [("BookEvalBlackDiff", "Black"), ("BookEvalWhiteDiff", "White")].map(|(name, side)| {
                options.spin(
                    name,
                    0,
                    0..=99_999,
                    &format!("how much worse than the first a book move of {side} may be"),
                )
            })
        } else {
            [options.spin("BookEvalDiff", 30, 0..=99_999, "how much worse than the first a book move may be");
                2]
        };
        let eval_limit = [
            options.spin("BookEvalBlackLimit", 0, limits.clone(), "worse book moves are not played by Black"),
            options.spin("BookEvalWhiteLimit", -140, limits, "worse book moves are not played by White"),
        ];
        let depth_limit = if second {
            [("BookDepthBlackLimit", 0), ("BookDepthWhiteLimit", 5)].map(|(name, default)| {
                options.spin(name, default, 0..=99_999, "book moves of less depth are not played; 0 for any")
            })
        } else {
            // YaneuraOu's default of 16 would leave out what `book import` and `book minmax` write.
            [options.spin(
                "BookDepthLimit",
                0,
                0..=99_999,
                "book moves of less depth are not played; 0 for any",
            ); 2]
        };
        Self {
            own_book,
            narrow,
            moves,
            ignore_rate,
            file,
            merge,
            dir,
            eval_diff,
            eval_limit,
            depth_limit,
            on_the_fly: options.check("BookOnTheFly", second, "leave the book on disk; it must be sorted"),
            consider_count: (!second).then(|| {
                options.check(
                    "ConsiderBookMoveCount",
                    false,
                    "choose book moves by how often they were chosen",
                )
            }),
            pv_moves: options.spin("BookPvMoves", 8, 1..=246, "length of the lines shown from the book"),
            ignore_ply: options.check("IgnoreBookPly", second, "find positions after any number of moves"),
            flipped: options.check("FlippedBook", true, "find positions turned by 180 degrees, too"),
            names,
        }
    }

    pub(super) fn wanted(self, options: &Options) -> WantedBook {
        WantedBook {
            folder: options.get(self.dir).to_owned(),
            file: options.get(self.file).word.to_owned(),
            merge: BookMerge::of_index(options.get(self.merge).index),
            is_default: options.get(self.file).word == default_book(self.names),
            loading: if options.get(self.on_the_fly) { Loading::OnTheFly } else { Loading::Memory },
        }
    }

    pub(super) fn folder(self, options: &Options) -> &str {
        options.get(self.dir)
    }

    /// Whether positions with different move numbers are the same.
    pub(super) fn plies(self, options: &Options) -> Plies {
        if options.get(self.ignore_ply) { Plies::Ignored } else { Plies::Matter }
    }

    pub(super) fn rules(self, settings: &PlaySettings, options: &Options) -> SelectionRules {
        // The declared ranges guarantee that the numbers fit.
        let number = |id: SpinId| i32::try_from(options.get(id)).unwrap_or(i32::MAX);
        SelectionRules {
            own_book: options.get(self.own_book),
            narrow: self.narrow.is_some_and(|id| options.get(id)),
            moves: number(self.moves).unsigned_abs(),
            ignore_rate: number(self.ignore_rate).unsigned_abs(),
            eval_diff: self.eval_diff.map(number),
            eval_limit: self.eval_limit.map(number),
            depth_limit: self.depth_limit.map(number),
            consider_count: self.consider_count.is_some_and(|id| options.get(id)),
            pv_moves: number(self.pv_moves).unsigned_abs() as usize,
            plies: self.plies(options),
            flipped: options.get(self.flipped),
            promotions: settings.promotions,
            names: self.names,
        }
    }
}
