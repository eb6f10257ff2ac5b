//! What a page may ask.

use super::{ClockRules, Player, Side};
use serde::{Deserialize, Serialize};

/// A request: its number, and what to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Ask {
    /// Chosen by the page, from 1; the reply has the same.
    pub id: u32,
    #[serde(flatten)]
    pub verb: Verb,
}

/// What to do. The comment names the type of the answer; `Answers` has them as a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Verb {
    /// → `About`
    About,
    /// → `Boards`
    Boards,
    /// Reads the settings, or sets some → `Settings`
    Settings(SetSettings),
    /// What stays the same in a game → `Rules`
    Rules(OfGame),
    /// A new board → `Opened`
    Open(Open),
    /// Removes a board for good → `Done`
    RemoveBoard(OfBoard),
    /// Events about a board, from now on → `Subscribed`
    Subscribe(Subscribe),
    /// → `Done`
    Unsubscribe(OfBoard),
    /// Looks at a node → `Scene`
    GoTo(AtNode),
    /// Whether this tab hears where other tabs look → `Done`
    Follow(Follow),
    /// Plays a move at a node: goes along if it is there, else adds a branch → `Played`
    Play(Play),
    /// Adds a line of moves → `Played`
    AddLine(Line),
    /// A line without adding it → `Preview`
    Preview(Line),
    /// The moves of a base move → `Expansion`
    Expand(Expand),
    /// → `Done`
    Comment(Comment),
    /// Sets the marks of a node → `Done`
    Mark(Mark),
    /// Moves the line of a node before its sibling → `Done`
    PromoteLine(AtNode),
    /// Removes a node and all that follows; the answer is the parent → `Deleted`
    Delete(AtNode),
    /// → `Undone`
    Undo(OfBoard),
    /// → `Undone`
    Redo(OfBoard),
    /// Replaces the header → `Done`
    Header(SetHeader),
    /// Tries, or sets, a start position → `Edited`
    EditPosition(EditPosition),
    /// Replaces what is on a board by a record or position in any format → `Pasted`
    Paste(Paste),
    /// Text in a format → `Exported`
    Export(Export),
    /// Starts, moves or stops an engine → `Done`
    Analyse(Analyse),
    /// Analyses every position of the line to the last node → `Done`
    AnalyseGame(AnalyseGame),
    /// Begins a game on a new board, or from a node of one → `Opened`
    NewGame(NewGame),
    /// The side that is to move (or the one that is named) gives up → `Done`
    Resign(OfSide),
    /// Breaks the game off (中断) → `Done`
    StopGame(OfBoard),
    /// Declares a win (入玉宣言) → `Done`
    Declare(OfBoard),
    /// Makes the engine move → `Done`
    MoveNow(OfBoard),
    /// What an engine would play → `Hint`
    Hint(HintAt),
    /// Takes back to the last own move → `Done`
    Takeback(OfBoard),
    /// The players change sides → `Done`
    SwitchSides(OfBoard),
    /// → `Books`
    #[serde(rename = "book.list")]
    BookList,
    /// → `BookOpened`
    #[serde(rename = "book.open")]
    BookOpen(OfBook),
    /// → `BookMoves`
    #[serde(rename = "book.show")]
    BookShow(BookAt),
    /// Sets or removes a move → `BookMoves`
    #[serde(rename = "book.edit")]
    BookEdit(BookEdit),
    /// → `BookOpened`
    #[serde(rename = "book.save")]
    BookSave(OfBook),
    /// Min-max over the whole book, in memory → `BookOpened`
    #[serde(rename = "book.minmax")]
    BookMinmax(OfBook),
    /// Lets a book grow from a node; `mining` events tell → `Done`
    #[serde(rename = "book.mine")]
    BookMine(BookMine),
    /// Ends that after the present position → `Done`
    #[serde(rename = "book.mine_stop")]
    BookMineStop(OfBook),
    /// Closes a book; changes that were not saved are lost → `Done`
    #[serde(rename = "book.close")]
    BookClose(OfBook),
    /// → `Libraries`
    #[serde(rename = "library.list")]
    LibraryList,
    /// What was played at a node in the games of a library → `Explored`
    #[serde(rename = "library.explore")]
    LibraryExplore(LibraryAt),
    /// Games that reach a node → `LibraryGames`
    #[serde(rename = "library.games")]
    LibraryGames(GamesOfLibrary),
    /// Opens a game of a library on a new board → `LibraryGameOpened`
    #[serde(rename = "library.open")]
    LibraryOpen(GameOfLibrary),
    /// Searches for a mate; `tsume` events tell → `Done`
    #[serde(rename = "tsume.solve")]
    TsumeSolve(AtNode),
    /// Examines a problem; the event `tsume_report` tells → `Done`
    #[serde(rename = "tsume.report")]
    TsumeReport(AtNode),
    /// The moves at a place of the proof → `TsumeMoves`
    #[serde(rename = "tsume.tree")]
    TsumeTree(Line),
    /// Whether a tried move mates → `TsumeJudged`
    #[serde(rename = "tsume.judge")]
    TsumeJudge(Play),
    /// → `Done`
    #[serde(rename = "tsume.stop")]
    TsumeStop(OfBoard),
    /// → `Runs`
    #[serde(rename = "runs.list")]
    RunsList,
    /// Tells about a run, and again when it grows → `RunState`
    #[serde(rename = "runs.watch")]
    RunsWatch(OfRun),
    /// → `Done`
    #[serde(rename = "runs.unwatch")]
    RunsUnwatch(OfRun),
    /// Games of a match → `RunGames`
    #[serde(rename = "runs.games")]
    RunsGames(GamesOfRun),
    /// Opens a game of a run on a new board → `Opened`
    #[serde(rename = "runs.open")]
    RunsOpen(GameOfRun),
}

macro_rules! arguments {
    ($($(#[$about:meta])* $name:ident { $($(#[$field_about:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
        pub struct $name { $($(#[$field_about])* pub $field: $type,)* }
    )*};
}

arguments! {
    /// Arguments: a board.
    OfBoard { board: String, }
    /// Arguments: a game.
    OfGame { game: String, }
    /// Arguments: a node.
    AtNode { board: String, node: u32, }
    /// Arguments of `settings`.
    SetSettings {
        /// Settings to change; `null` removes one.
        #[cfg_attr(test, ts(type = "Record<string, string | number | boolean | null>", optional))]
        #[serde(default)]
        set: Option<serde_json::Map<String, serde_json::Value>>,
    }
    /// Arguments of `open`.
    Open {
        /// Needed unless `text` says it.
        game: Option<String>,
        /// The start position as text; the game's own where absent.
        start: Option<String>,
        /// A record or position in any format.
        text: Option<String>,
    }
    /// Arguments of `subscribe`.
    Subscribe {
        board: String,
        /// The revision that the page knows already.
        rev: Option<u32>,
    }
    /// Arguments of `follow`.
    Follow { board: String, on: bool, }
    /// Arguments of `play` and `tsume.judge`.
    Play {
        board: String,
        node: u32,
        /// As `Target.play`, `Choice.move`, or as people type it: `7g7f`, `76歩`, `▲７六歩`, `P-7f`.
        #[serde(rename = "move")]
        text: String,
    }
    /// Arguments of `add_line`, `preview`, `tsume.tree`.
    Line { board: String, node: u32, moves: Vec<String>, }
    /// Arguments of `expand`.
    Expand {
        board: String,
        node: u32,
        /// `Origin.from` + `Target.to`.
        base: String,
    }
    /// Arguments of `comment`.
    Comment { board: String, node: u32, text: String, }
    /// Arguments of `mark`.
    Mark { board: String, node: u32, marks: Vec<String>, }
    /// Arguments of `header`.
    SetHeader { board: String, header: Vec<[String; 2]>, }
    /// Arguments of `edit_position`: `text`, or `position`.
    EditPosition {
        /// The board to change; without it the position is only tried.
        board: Option<String>,
        /// Needed without a board.
        game: Option<String>,
        /// SFEN or BOD.
        text: Option<String>,
        position: Option<EditedPosition>,
    }
    /// A position piece by piece.
    EditedPosition {
        /// Row by row from the upper left corner, as in `Scene`.
        cells: Vec<Option<super::Cell>>,
        hands: [Vec<super::Held>; 2],
        side: Side,
        /// Freeze shogi: what is frozen and left.
        freeze: Option<super::FreezeScene>,
        /// Binarsi: locked lines, and targets that are cleared.
        locked: Option<Vec<String>>,
        cleared: Option<Vec<String>>,
    }
    /// Pieces that a position lacks.
    Missing { kind: String, count: i32, }
    /// Arguments of `paste`.
    Paste { board: String, text: String, }
    /// Arguments of `export`.
    Export {
        board: String,
        format: String,
        /// Where a position is meant, and the line where a format has only one.
        node: Option<u32>,
    }
    /// Arguments of `analyse`.
    Analyse {
        board: String,
        on: bool,
        /// Needed where `on`. Asking again with another node moves the engine there.
        node: Option<u32>,
        /// `tsumugi` where absent.
        engine: Option<String>,
        /// Lines (`MultiPV`), 1 to 10.
        lines: Option<u32>,
    }
    /// Arguments of `analyse_game`.
    AnalyseGame {
        board: String,
        on: bool,
        /// The end of the line to analyse; the end of the main line where absent.
        node: Option<u32>,
        engine: Option<String>,
        /// Milliseconds per position, 1,000 where absent.
        time: Option<u64>,
    }
    /// Arguments of `new_game`.
    NewGame {
        /// Plays on from a node of this board.
        board: Option<String>,
        node: Option<u32>,
        /// Needed without a board.
        game: Option<String>,
        start: Option<String>,
        /// Black's player first.
        sides: [Player; 2],
        #[serde(default)]
        clock: ClockRules,
    }
    /// Arguments of `resign`.
    OfSide { board: String, side: Option<Side>, }
    /// Arguments of `hint`.
    HintAt { board: String, node: Option<u32>, engine: Option<String>, }
    /// Arguments: a book.
    OfBook { book: String, }
    /// Arguments of `book.show`.
    BookAt { book: String, board: String, node: u32, }
    /// Arguments of `book.edit`.
    BookEdit {
        book: String,
        board: String,
        node: u32,
        #[serde(rename = "move")]
        text: String,
        /// Takes the move out.
        #[serde(default)]
        remove: bool,
        value: Option<i32>,
        depth: Option<i32>,
        count: Option<u64>,
        comment: Option<String>,
    }
    /// Arguments of `book.mine`.
    BookMine {
        book: String,
        board: String,
        node: u32,
        /// How many positions, 20 where absent.
        positions: Option<u32>,
        /// To which depth, 14 where absent.
        depth: Option<u32>,
        /// How many moves of each, 2 where absent.
        lines: Option<u32>,
        engine: Option<String>,
    }
    /// Arguments of `library.explore`.
    LibraryAt {
        library: String,
        board: String,
        node: u32,
        /// Only games of players whose names contain this.
        player: Option<String>,
    }
    /// Arguments of `library.games`.
    GamesOfLibrary {
        library: String,
        board: String,
        node: u32,
        player: Option<String>,
        /// How many are passed over.
        #[serde(default)]
        skip: u64,
        /// At most 200.
        count: u64,
    }
    /// Arguments of `library.open`.
    GameOfLibrary {
        library: String,
        number: u64,
        /// After how many moves the board shows it first.
        ply: u32,
    }
    /// Arguments: a run.
    OfRun { run: String, }
    /// Arguments of `runs.games`.
    GamesOfRun {
        run: String,
        /// How many of the newest are passed over.
        #[serde(default)]
        skip: u64,
        /// At most 200.
        count: u64,
    }
    /// Arguments of `runs.open`.
    GameOfRun { run: String, number: u64, }
    /// Answer to `delete`: where to look now.
    Deleted { node: u32, }
    /// Answer to `undo` and `redo`: where the change was.
    Undone { node: u32, }
    /// Answer to `runs.games`.
    RunGames { games: Vec<super::RunGame>, }
    /// Answer where there is nothing to say.
    Done {}
}
