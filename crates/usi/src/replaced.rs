//! Names in the documentation of other engines, and what they are called here.

/// Commands, subcommands of `test` and of `bench` (as typed), and their replacements.
const COMMANDS: [(&str, &str); 13] = [
    ("search", "`go depth N` searches"),
    ("qsearch", "`eval` values the position, `go depth 1` searches it"),
    ("evalstat", "`eval` values the position, `tsumugi net info FILE` describes a network"),
    ("speedtest", "`bench` measures the search"),
    ("export_net", "`test evalsave` saves the evaluation, `tsumugi net export` writes it for other engines"),
    ("mate1", "`go mate` finds mates of any length"),
    ("test genmate", "`tsumugi mate generate` makes problems"),
    ("test matebench", "`tsumugi mate bench FILE` measures the mate engine"),
    ("test matebench2", "`tsumugi mate bench FILE` measures the mate engine"),
    ("test dfpn", "`go mate` finds mates"),
    ("test search", "`go depth N` searches"),
    ("test evalstat", "`eval` values the position, `tsumugi net info FILE` describes a network"),
    ("bench mate", "`tsumugi mate bench FILE` measures the mate engine"),
];

/// Options.
const OPTIONS: [(&str, &str); 8] = [
    ("Contempt", "DrawValueBlack and DrawValueWhite say what a draw is worth"),
    ("SolverType", "PostSearchLevel says what `go mate` proves; one solver serves for all problems"),
    ("MorePreciseMatePv", "PostSearchLevel MinLength proves the shortest mate"),
    ("EvalHash", "evaluations need no table of their own"),
    ("ThreadIdOffset", "NumaPolicy says which threads run where"),
    (
        "BookEvalBlackDiff",
        "BookEvalDiff serves for both sides, unless engine_option_profile.txt says BOOK_OPTIONS_V2",
    ),
    (
        "BookEvalWhiteDiff",
        "BookEvalDiff serves for both sides, unless engine_option_profile.txt says BOOK_OPTIONS_V2",
    ),
    ("Ponder", "USI_Ponder is its name"),
];

/// The replacement of a command.
pub(crate) fn command_hint(words: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(name, _)| *name == words).map(|(_, hint)| *hint)
}

/// The replacement of an option, case-insensitively.
pub(crate) fn option_hint(name: &str) -> Option<&'static str> {
    OPTIONS.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, hint)| *hint)
}
