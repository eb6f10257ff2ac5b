// The protocol of `tsumugi web`, made from crates/web/src/protocol by `cargo test -p tsumugi-web`.
// Do not edit: TSUMUGI_UPDATE=1 cargo test -p tsumugi-web protocol

/**
 * Answer to `about`.
 */
export type About = { 
/**
 * `Tsumugi 0.2.0`.
 */
version: string, 
/**
 * All games, shogi first.
 */
games: Array<GameName>, 
/**
 * Engines that analyse and play; the first one is ours.
 */
engines: Array<EngineName>, 
/**
 * How many engines may think at the same time.
 */
engines_at_once: number, 
/**
 * The strongest level; levels count from 1.
 */
levels: number, 
/**
 * Whether there is a folder of books.
 */
books: boolean, 
/**
 * Whether there is a folder of runs.
 */
runs: boolean, };

/**
 * Arguments of `analyse`.
 */
export type Analyse = { board: string, on: boolean, 
/**
 * Needed where `on`. Asking again with another node moves the engine there.
 */
node?: number | null, 
/**
 * `tsumugi` where absent.
 */
engine?: string | null, 
/**
 * Lines (`MultiPV`), 1 to 10.
 */
lines?: number | null, };

/**
 * Arguments of `analyse_game`.
 */
export type AnalyseGame = { board: string, on: boolean, 
/**
 * The end of the line to analyse; the end of the main line where absent.
 */
node?: number | null, engine?: string | null, 
/**
 * Milliseconds per position, 1,000 where absent.
 */
time?: number | null, };

/**
 * What an engine thinks of a position now.
 */
export type Analysis = { board: string, node: number, engine: string, 
/**
 * Best first; a line per `multipv`.
 */
lines: Array<PvLine>, depth?: number | null, seldepth?: number | null, nodes?: number | null, nps?: number | null, 
/**
 * Per mille of the table in use.
 */
hashfull?: number | null, 
/**
 * Milliseconds since it began.
 */
time?: number | null, 
/**
 * It has ended by itself (mate found, or the limit of a whole-game analysis).
 */
done: boolean, };

/**
 * A request: its number, and what to do.
 */
export type Ask = { 
/**
 * Chosen by the page, from 1; the reply has the same.
 */
id: number, } & ({ "do": "about" } | { "do": "boards" } | { "do": "settings" } & SetSettings | { "do": "rules" } & OfGame | { "do": "open" } & Open | { "do": "remove_board" } & OfBoard | { "do": "subscribe" } & Subscribe | { "do": "unsubscribe" } & OfBoard | { "do": "go_to" } & AtNode | { "do": "follow" } & Follow | { "do": "play" } & Play | { "do": "add_line" } & Line | { "do": "preview" } & Line | { "do": "expand" } & Expand | { "do": "comment" } & Comment | { "do": "mark" } & Mark | { "do": "promote_line" } & AtNode | { "do": "delete" } & AtNode | { "do": "undo" } & OfBoard | { "do": "redo" } & OfBoard | { "do": "header" } & SetHeader | { "do": "edit_position" } & EditPosition | { "do": "paste" } & Paste | { "do": "export" } & Export | { "do": "analyse" } & Analyse | { "do": "analyse_game" } & AnalyseGame | { "do": "new_game" } & NewGame | { "do": "resign" } & OfSide | { "do": "stop_game" } & OfBoard | { "do": "declare" } & OfBoard | { "do": "move_now" } & OfBoard | { "do": "hint" } & HintAt | { "do": "takeback" } & OfBoard | { "do": "switch_sides" } & OfBoard | { "do": "book.list" } | { "do": "book.open" } & OfBook | { "do": "book.show" } & BookAt | { "do": "book.edit" } & BookEdit | { "do": "book.save" } & OfBook | { "do": "book.minmax" } & OfBook | { "do": "book.mine" } & BookMine | { "do": "book.mine_stop" } & OfBook | { "do": "book.close" } & OfBook | { "do": "library.list" } | { "do": "library.explore" } & LibraryAt | { "do": "library.games" } & GamesOfLibrary | { "do": "library.open" } & GameOfLibrary | { "do": "tsume.solve" } & AtNode | { "do": "tsume.report" } & AtNode | { "do": "tsume.tree" } & Line | { "do": "tsume.judge" } & Play | { "do": "tsume.stop" } & OfBoard | { "do": "runs.list" } | { "do": "runs.watch" } & OfRun | { "do": "runs.unwatch" } & OfRun | { "do": "runs.games" } & GamesOfRun | { "do": "runs.open" } & GameOfRun);

/**
 * Arguments: a node.
 */
export type AtNode = { board: string, node: number, };

/**
 * A board in the list of boards.
 */
export type BoardEntry = { board: string, game: string, 
/**
 * The names of the players or of the tournament; empty if there are none.
 */
title: string, 
/**
 * Moves of the main line.
 */
moves: number, 
/**
 * When it changed last, in milliseconds since 1970.
 */
changed: number, 
/**
 * A game is in progress.
 */
playing: boolean, };

/**
 * Answer to `boards`.
 */
export type Boards = { 
/**
 * The one that changed last comes first.
 */
boards: Array<BoardEntry>, };

/**
 * Arguments of `book.show`.
 */
export type BookAt = { book: string, board: string, node: number, };

/**
 * Arguments of `book.edit`.
 */
export type BookEdit = { book: string, board: string, node: number, move: string, 
/**
 * Takes the move out.
 */
remove: boolean, value?: number | null, depth?: number | null, count?: number | null, comment?: string | null, };

/**
 * A file below the folder of books.
 */
export type BookEntry = { 
/**
 * Relative to the folder, with `/` between names.
 */
path: string, bytes: number, };

/**
 * A move of a book.
 */
export type BookLine = { 
/**
 * The move expected next.
 */
reply?: NamedMove | null, 
/**
 * For the side to move, in centipawns.
 */
value?: number | null, 
/**
 * The value by min-max over the book, after `book.minmax`.
 */
minmax?: number | null, depth?: number | null, count?: number | null, 
/**
 * The move leads to a position that the book has.
 */
known: boolean, 
/**
 * The move leads back to a position of the line.
 */
repetition?: Words | null, comment: string, move: string, ja: string, en: string, };

/**
 * Arguments of `book.mine`.
 */
export type BookMine = { book: string, board: string, node: number, 
/**
 * How many positions, 20 where absent.
 */
positions?: number | null, 
/**
 * To which depth, 14 where absent.
 */
depth?: number | null, 
/**
 * How many moves of each, 2 where absent.
 */
lines?: number | null, engine?: string | null, };

/**
 * Answer to `book.show` and `book.edit`.
 */
export type BookMoves = { node: number, 
/**
 * As the book has them.
 */
moves: Array<BookLine>, 
/**
 * Whether the book has changes that are not saved.
 */
changed: boolean, };

/**
 * Answer to `book.open`, `book.save`, `book.minmax`.
 */
export type BookOpened = { 
/**
 * The path; requests name the book by it.
 */
book: string, 
/**
 * `db`, `ybb`, `apery`, `sbk`.
 */
format: string, positions: number, 
/**
 * Whether it has changes that were not saved.
 */
changed: boolean, 
/**
 * Whether it can be changed and saved.
 */
writable: boolean, 
/**
 * How far it is, if it grows.
 */
mining?: MiningProgress | null, };

/**
 * Answer to `book.list`.
 */
export type Books = { books: Array<BookEntry>, };

/**
 * A piece on the board.
 */
export type Cell = { 
/**
 * Its letter, upper case, without a plus: `P`; `+` in front where it is promoted: `+P`. The key of [`Palette`].
 */
kind: string, side: Side, 
/**
 * Whether its picture is that of a promoted piece.
 */
promoted: boolean, 
/**
 * It may not move now (frozen).
 */
frozen: boolean, };

/**
 * A change of a board.
 */
export type Change = { "change": "put", nodes: Array<TreeNode>, } | { "change": "children", node: number, children: Array<number>, } | { "change": "header", header: Array<[string, string]>, } | { "change": "play", play?: PlayState | null, } | { "change": "all", board: Snapshot, } | { "change": "history", can_undo: boolean, can_redo: boolean, };

export type Changed = { board: string, 
/**
 * The revision after the changes; a page that misses one subscribes again with the last it knows.
 */
rev: number, changes: Array<Change>, };

/**
 * One of several moves that begin the same way.
 */
export type Choice = { 
/**
 * As `play` takes it.
 */
move: string, name: Words, 
/**
 * The kind (key of [`Palette`]) that the piece is afterwards; differs where a promotion is to be chosen.
 */
becomes?: string | null, 
/**
 * The piece promotes, or is dropped promoted.
 */
promotes: boolean, 
/**
 * The kind that the move freezes.
 */
freezes?: string | null, 
/**
 * Binarsi: the operator, `s1`, `nH`, `xo`.
 */
operator?: string | null, 
/**
 * Binarsi: the line afterwards: `1`, `0` or `-` from top to bottom or left to right.
 */
preview?: string | null, 
/**
 * Binarsi: places of the preview that change.
 */
changes?: Array<number> | null, 
/**
 * Binarsi: targets that the move lights.
 */
lights?: Array<string> | null, 
/**
 * Binarsi: lines that the move locks.
 */
locks?: Array<string> | null, };

export type ClockEvent = { board: string, clocks: Clocks, };

/**
 * Time for a game, in milliseconds; no limit where all are 0.
 */
export type ClockRules = { 
/**
 * 持ち時間
 */
main: number, 
/**
 * 秒読み
 */
byoyomi: number, 
/**
 * Fischer: added after each move.
 */
increment: number, };

/**
 * The clocks of a game.
 */
export type Clocks = { 
/**
 * Main time left, in milliseconds, black's first.
 */
main: [number, number], 
/**
 * Byoyomi left of this move; the full period for the side that waits.
 */
byoyomi: [number, number], 
/**
 * Whose clock runs.
 */
running?: Side | null, 
/**
 * Whether there is any limit.
 */
limited: boolean, };

/**
 * Arguments of `comment`.
 */
export type Comment = { board: string, node: number, text: string, };

/**
 * What a player has reached on a server.
 */
export type CsaPlayer = { name: string, wins: number, draws: number, losses: number, };

/**
 * Games on a server.
 */
export type CsaState = { 
/**
 * The name that our client plays under; absent for the games of our own server.
 */
own?: string | null, 
/**
 * Ourselves first, the others by their points.
 */
players: Array<CsaPlayer>, 
/**
 * Games without a result.
 */
cut: number, 
/**
 * The longest way to the server and back, in milliseconds.
 */
longest_lag?: number | null, faults: Array<RunFault>, 
/**
 * The newest games, newest first.
 */
games: Array<RunGame>, };

export type CursorMoved = { board: string, node: number, };

/**
 * Answer to `delete`: where to look now.
 */
export type Deleted = { node: number, };

/**
 * Answer where there is nothing to say.
 */
export type Done = Record<symbol, never>;

/**
 * Arguments of `edit_position`: `text`, or `position`.
 */
export type EditPosition = { 
/**
 * The board to change; without it the position is only tried.
 */
board?: string | null, 
/**
 * Needed without a board.
 */
game?: string | null, 
/**
 * SFEN or BOD.
 */
text?: string | null, position?: EditedPosition | null, };

/**
 * Answer to `edit_position`.
 */
export type Edited = { 
/**
 * The position as text, if it can be written at all.
 */
text?: string | null, 
/**
 * Why play cannot begin from it.
 */
problem?: string | null, 
/**
 * The same in Japanese, where the game knows it.
 */
problem_ja?: string | null, scene?: Scene | null, 
/**
 * Pieces that are missing from the game's full set (or too many, negative), by kind.
 */
missing: Array<Missing>, };

/**
 * A position piece by piece.
 */
export type EditedPosition = { 
/**
 * Row by row from the upper left corner, as in `Scene`.
 */
cells: Array<Cell | null>, hands: [Array<Held>, Array<Held>], side: Side, 
/**
 * Freeze shogi: what is frozen and left.
 */
freeze?: FreezeScene | null, 
/**
 * Binarsi: locked lines, and targets that are cleared.
 */
locked?: Array<string> | null, cleared?: Array<string> | null, };

/**
 * An engine that may be asked.
 */
export type EngineName = { 
/**
 * The name that requests use: `tsumugi` for ours.
 */
engine: string, name: string, 
/**
 * The games that it plays; all if empty.
 */
games: Array<string>, 
/**
 * Whether it can play at levels.
 */
levels: boolean, };

/**
 * What an engine does.
 */
export type EngineState = "starting" | "thinking" | "idle" | "restarting" | "failed";

/**
 * How an engine is.
 */
export type EngineStatus = { board: string, engine: string, state: EngineState, 
/**
 * Why, where there is more to say: a sentence.
 */
text: string, };

/**
 * Something that happened.
 */
export type Event = { "event": "hello" } & Hello | { "event": "changed" } & Changed | { "event": "cursor" } & CursorMoved | { "event": "analysis" } & Analysis | { "event": "engine" } & EngineStatus | { "event": "game_analysis" } & GameAnalysis | { "event": "clock" } & ClockEvent | { "event": "mining" } & MiningProgress | { "event": "tsume" } & TsumeResult | { "event": "tsume_report" } & TsumeReport | { "event": "run" } & RunState | { "event": "lists" } | { "event": "goodbye" };

/**
 * Arguments of `expand`.
 */
export type Expand = { board: string, node: number, 
/**
 * `Origin.from` + `Target.to`.
 */
base: string, };

/**
 * Answer to `expand`: the moves of one base move.
 */
export type Expansion = { base: string, choices: Array<Choice>, };

/**
 * Answer to `library.explore`: what was played in a position, by whatever moves it was reached.
 */
export type Explored = { node: number, 
/**
 * All games that reach the position.
 */
counts: GameCounts, 
/**
 * Games that end here.
 */
ended: number, 
/**
 * The most frequent move first.
 */
moves: Array<ExploredMove>, };

/**
 * A move that was played in a position.
 */
export type ExploredMove = { counts: GameCounts, 
/**
 * Games that reach the position after it, also by another order of moves.
 */
reached: number, move: string, ja: string, en: string, };

/**
 * Arguments of `export`.
 */
export type Export = { board: string, format: string, 
/**
 * Where a position is meant, and the line where a format has only one.
 */
node?: number | null, };

/**
 * Answer to `export`.
 */
export type Exported = { 
/**
 * A name for the file.
 */
name: string, text: string, 
/**
 * What the format could not take over, a sentence each.
 */
losses: Array<string>, };

/**
 * A move that a problem should not have.
 */
export type Flaw = { 
/**
 * The ply of the move, from 1.
 */
ply: number, move: string, ja: string, en: string, };

/**
 * Arguments of `follow`.
 */
export type Follow = { board: string, on: boolean, };

/**
 * A format of records or positions.
 */
export type FormatName = { 
/**
 * `kif`, `ki2`, `csa`, `jkf`, `usi`, `usen`; `sfen`, `bod`, `svg` are positions.
 */
format: string, 
/**
 * Whether it is one position and no game.
 */
position: boolean, 
/**
 * The extension of its files, without the dot.
 */
extension: string, };

/**
 * What is frozen, and how many freezes are left.
 */
export type FreezeScene = { 
/**
 * The kind that the side to move must leave alone.
 */
kind?: string | null, 
/**
 * Freezes left, black's first.
 */
left: [number, number], };

/**
 * How far the analysis of a whole game is; evaluations arrive as changes of nodes.
 */
export type GameAnalysis = { board: string, engine: string, done: number, total: number, 
/**
 * It is over or was stopped.
 */
finished: boolean, };

/**
 * The results of some games.
 */
export type GameCounts = { games: number, 
/**
 * Games that each side won.
 */
black: number, white: number, draws: number, 
/**
 * The average rating of the players to move.
 */
rating?: number | null, };

/**
 * A game that can be played.
 */
export type GameName = { 
/**
 * As `USI_Variant` has it: `shogi`, `freeze`, `binarsi`, `66shogi`, …
 */
game: string, name: Words, files: number, ranks: number, 
/**
 * Start positions by name, the ordinary one first.
 */
starts: Array<StartName>, 
/**
 * Names of the levels, the weakest first: 15級 … 九段 where its players have ranks.
 */
levels: Array<Words>, 
/**
 * The formats that its records are written in.
 */
formats: Array<FormatName>, 
/**
 * Whether mates can be searched and books opened.
 */
tsume: boolean, books: boolean, };

/**
 * Arguments of `library.open`.
 */
export type GameOfLibrary = { library: string, number: number, 
/**
 * After how many moves the board shows it first.
 */
ply: number, };

/**
 * Arguments of `runs.open`.
 */
export type GameOfRun = { run: string, number: number, };

/**
 * Arguments of `library.games`.
 */
export type GamesOfLibrary = { library: string, board: string, node: number, player?: string | null, 
/**
 * How many are passed over.
 */
skip: number, 
/**
 * At most 200.
 */
count: number, };

/**
 * Arguments of `runs.games`.
 */
export type GamesOfRun = { run: string, 
/**
 * How many of the newest are passed over.
 */
skip: number, 
/**
 * At most 200.
 */
count: number, };

/**
 * A choice among kinds.
 */
export type GroupScene = { side: Side, kinds: Array<string>, 
/**
 * How many of them are placed.
 */
limit: number, 
/**
 * Those that were placed so far.
 */
chosen: Array<string>, 
/**
 * Whether the others are locked when the limit is reached.
 */
locks: boolean, };

/**
 * A kind of pieces in hand.
 */
export type Held = { 
/**
 * The key of [`Palette`].
 */
kind: string, count: number, 
/**
 * It may not be dropped any more in this game.
 */
locked: boolean, 
/**
 * It may not be dropped now (frozen).
 */
frozen: boolean, };

export type Hello = { 
/**
 * `Tsumugi 0.2.0`.
 */
version: string, };

/**
 * Answer to `hint`.
 */
export type Hint = { node: number, best: NamedMove, 
/**
 * For black.
 */
score?: Value | null, };

/**
 * Arguments of `hint`.
 */
export type HintAt = { board: string, node?: number | null, engine?: string | null, };

/**
 * Answer to `library.list`.
 */
export type Libraries = { libraries: Array<LibraryEntry>, };

/**
 * Arguments of `library.explore`.
 */
export type LibraryAt = { library: string, board: string, node: number, 
/**
 * Only games of players whose names contain this.
 */
player?: string | null, };

/**
 * A library that the server was started with.
 */
export type LibraryEntry = { 
/**
 * The name of its file; requests name the library by it.
 */
library: string, games: number, };

/**
 * A game of a library that reaches a position.
 */
export type LibraryGame = { 
/**
 * `library.open` takes it.
 */
number: number, 
/**
 * It reaches the position after so many moves.
 */
ply: number, 
/**
 * How many moves it has.
 */
moves: number, black: string, white: string, black_rating?: number | null, white_rating?: number | null, 
/**
 * `2024-05-31`
 */
date?: string | null, event: string, 
/**
 * 戦型, in Japanese.
 */
opening: string, 
/**
 * The winner; absent for draws and unknown results.
 */
winner?: Side | null, draw: boolean, };

/**
 * Answer to `library.open`.
 */
export type LibraryGameOpened = { board: string, 
/**
 * The node after `ply` moves.
 */
node: number, 
/**
 * What could not be taken over, a sentence each.
 */
notices: Array<string>, };

/**
 * Answer to `library.games`.
 */
export type LibraryGames = { 
/**
 * How many games there are in all.
 */
all: number, 
/**
 * The game that was added last comes first.
 */
games: Array<LibraryGame>, };

/**
 * Arguments of `add_line`, `preview`, `tsume.tree`.
 */
export type Line = { board: string, node: number, moves: Array<string>, };

/**
 * Arguments of `mark`.
 */
export type Mark = { board: string, node: number, marks: Array<string>, };

/**
 * A match between two or more engines; figures are those of the first against the others.
 */
export type MatchState = { engines: Array<string>, wins: number, draws: number, losses: number, 
/**
 * Pairs of games by their score: 0, ½, 1, 1½, 2.
 */
pairs: [number, number, number, number, number], 
/**
 * With half the width of its 95 % interval.
 */
elo?: [number, number] | null, 
/**
 * Likelihood of superiority, 0 to 1.
 */
los?: number | null, 
/**
 * Log-likelihood ratio of the sequential test, and its bounds.
 */
llr?: number | null, llr_bounds?: [number, number] | null, 
/**
 * Faults by engine and kind: time, crash, illegal move.
 */
faults: Array<RunFault>, 
/**
 * Points of the curve: games, Elo, half the width, LLR.
 */
curve: Array<[number, number, number, number]>, 
/**
 * The newest games, newest first.
 */
games: Array<RunGame>, };

/**
 * How far a book is that grows by `book.mine`.
 */
export type MiningProgress = { book: string, 
/**
 * `running`, `done`, `stopped`, `failed`.
 */
state: string, 
/**
 * Positions that were thought about.
 */
done: number, total: number, 
/**
 * Why it failed.
 */
text: string, };

/**
 * Pieces that a position lacks.
 */
export type Missing = { kind: string, count: number, };

/**
 * A move in both notations.
 */
export type NamedMove = { move: string, ja: string, en: string, };

/**
 * Arguments of `new_game`.
 */
export type NewGame = { 
/**
 * Plays on from a node of this board.
 */
board?: string | null, node?: number | null, 
/**
 * Needed without a board.
 */
game?: string | null, start?: string | null, 
/**
 * Black's player first.
 */
sides: [Player, Player], clock: ClockRules, };

/**
 * What an engine thought of a position.
 */
export type NodeEval = { 
/**
 * For black.
 */
score: Value, depth?: number | null, 
/**
 * The engine's name; absent where the value was in a record.
 */
engine?: string | null, 
/**
 * The move it would have played.
 */
best?: NamedMove | null, };

/**
 * Arguments: a board.
 */
export type OfBoard = { board: string, };

/**
 * Arguments: a book.
 */
export type OfBook = { book: string, };

/**
 * Arguments: a game.
 */
export type OfGame = { game: string, };

/**
 * Arguments: a run.
 */
export type OfRun = { run: string, };

/**
 * Arguments of `resign`.
 */
export type OfSide = { board: string, side?: Side | null, };

/**
 * Arguments of `open`.
 */
export type Open = { 
/**
 * Needed unless `text` says it.
 */
game?: string | null, 
/**
 * The start position as text; the game's own where absent.
 */
start?: string | null, 
/**
 * A record or position in any format.
 */
text?: string | null, };

/**
 * Answer to `open`, `new_game`, `runs.open`.
 */
export type Opened = { board: string, 
/**
 * What the record had that could not be taken over, a sentence each.
 */
notices: Array<string>, };

/**
 * Where legal moves come from.
 */
export type Origin = { 
/**
 * A square (`7g`), a piece in hand (`P*`), or a line of Binarsi (`4`).
 */
from: string, to: Array<Target>, };

/**
 * Every kind of piece of a game.
 */
export type Palette = { 
/**
 * Plain kinds before promoted ones, in the order of hands.
 */
pieces: Array<PieceFace>, };

/**
 * Arguments of `paste`.
 */
export type Paste = { board: string, text: string, };

/**
 * Answer to `paste`.
 */
export type Pasted = { 
/**
 * The node to show: the end of the main line, or the root of a position.
 */
node: number, notices: Array<string>, };

/**
 * How a kind of piece looks and moves.
 */
export type PieceFace = { 
/**
 * `P`, `+P`: the key that cells and hands use.
 */
kind: string, 
/**
 * Kanji for sets of one kanji: `歩`, `と`, `杏`; absent for pieces without kanji, which are shown by `letter` and `moves`.
 */
glyph?: string | null, 
/**
 * Kanji for sets of two: `歩兵`, `成香`.
 */
glyph2?: string | null, 
/**
 * `P`, `+P`.
 */
letter: string, name: Words, promoted: boolean, 
/**
 * The kind that it promotes to.
 */
promotes_to?: string | null, 
/**
 * The kind that it is in hand after it was captured; absent where captured pieces leave the game.
 */
in_hand?: string | null, 
/**
 * A piece whose loss ends the game.
 */
royal: boolean, 
/**
 * How it moves, from its owner's point of view.
 */
moves: Array<StepFace>, };

/**
 * Arguments of `play` and `tsume.judge`.
 */
export type Play = { board: string, node: number, 
/**
 * As `Target.play`, `Choice.move`, or as people type it: `7g7f`, `76歩`, `▲７六歩`, `P-7f`.
 */
move: string, };

/**
 * A game in progress, or over.
 */
export type PlayState = { 
/**
 * Black's player first.
 */
sides: [Player, Player], 
/**
 * Where the game is; `play` at this node moves in it.
 */
node: number, rules: ClockRules, clocks: Clocks, 
/**
 * An engine is thinking about its move.
 */
thinking: boolean, 
/**
 * The game is over; the record's last node says how.
 */
over: boolean, };

/**
 * Answer to `play`, `add_line`.
 */
export type Played = { 
/**
 * Where the move leads; the last one for a line.
 */
node: number, scene: Scene, };

/**
 * Who plays a side.
 */
export type Player = { "kind": "human", 
/**
 * For the record.
 */
name: string, } | { "kind": "engine", 
/**
 * As in `about`.
 */
engine: string, 
/**
 * 1 to `About.levels`; the strongest where absent.
 */
level?: number | null, };

/**
 * Answer to `preview`.
 */
export type Preview = { 
/**
 * The position after the moves that could be played.
 */
scene: Scene, line: Array<NamedMove>, 
/**
 * Why the rest could not be played.
 */
stopped?: Words | null, };

/**
 * One line of an analysis.
 */
export type PvLine = { 
/**
 * From 1.
 */
rank: number, 
/**
 * For black.
 */
score?: Value | null, 
/**
 * `lower` or `upper` where the value is a bound only, for black.
 */
bound?: string | null, depth?: number | null, moves: Array<NamedMove>, };

/**
 * Why a request was refused.
 */
export type Refusal = { 
/**
 * For programs.
 */
code: RefusalCode, 
/**
 * For people: what went wrong: where: what to do.
 */
text: string, 
/**
 * The same in Japanese, where people meet it.
 */
ja?: string | null, };

/**
 * The kinds of refusals.
 */
export type RefusalCode = "message" | "unknown" | "node" | "illegal" | "position" | "unsupported" | "state" | "too_much" | "file" | "engine";

/**
 * The answer to one request.
 */
export type Reply = { 
/**
 * The number of the request; 0 if it could not be read.
 */
id: number, 
/**
 * The answer; its type is that of the verb in `Answers`.
 */
ok?: unknown, 
/**
 * Why there is none.
 */
error?: Refusal | null, };

/**
 * Answer to `rules`: what stays the same throughout a game.
 */
export type Rules = { game: GameName, 
/**
 * Every kind of piece with its picture.
 */
palette: Palette, 
/**
 * Names of the sides: 先手/後手, 下手/上手.
 */
sides: [Words, Words], };

/**
 * A folder that something runs in.
 */
export type RunEntry = { 
/**
 * Relative to the folder of runs, with `/` between names; requests name the run by it.
 */
run: string, 
/**
 * `match`, `tune`, `train`, `csa`.
 */
kind: string, title: string, 
/**
 * How far it is: games, iterations or steps; and of how many.
 */
done: number, total?: number | null, 
/**
 * Its files changed within the last minute.
 */
live: boolean, 
/**
 * When its files changed last, in milliseconds since 1970.
 */
changed: number, };

export type RunFault = { engine: string, reason: string, count: number, 
/**
 * The number of the last such game.
 */
game: number, };

/**
 * A game of a run.
 */
export type RunGame = { 
/**
 * `runs.open` takes it.
 */
number: number, black: string, white: string, 
/**
 * `black`, `white`, `draw`; `none` for a game that was cut.
 */
result: string, reason: string, moves?: number | null, 
/**
 * Whether its record is there.
 */
record: boolean, };

/**
 * Answer to `runs.games`.
 */
export type RunGames = { games: Array<RunGame>, };

/**
 * What is known of a run; answer to `runs.watch`, and the event `run` when it grows.
 */
export type RunState = { 
/**
 * What was agreed on, by name: time, games, SPRT bounds.
 */
facts: Array<[string, string]>, match?: MatchState | null, csa?: CsaState | null, tune?: TuneState | null, train?: TrainState | null, 
/**
 * Relative to the folder of runs, with `/` between names; requests name the run by it.
 */
run: string, 
/**
 * `match`, `tune`, `train`, `csa`.
 */
kind: string, title: string, 
/**
 * How far it is: games, iterations or steps; and of how many.
 */
done: number, total?: number | null, 
/**
 * Its files changed within the last minute.
 */
live: boolean, 
/**
 * When its files changed last, in milliseconds since 1970.
 */
changed: number, };

/**
 * Answer to `runs.list`.
 */
export type Runs = { runs: Array<RunEntry>, };

/**
 * A position with everything that a page needs to show it and to let people move in it.
 */
export type Scene = { 
/**
 * The node that it belongs to; 0 for a preview.
 */
node: number, 
/**
 * Names of the files from left to right, as squares are named: a square is its file and its rank, `7g`.
 */
files: Array<string>, 
/**
 * Names of the ranks from top to bottom.
 */
ranks: Array<string>, 
/**
 * Squares, row by row from the upper left corner; `null` where nothing stands.
 */
cells: Array<Cell | null>, 
/**
 * Pieces in hand, black's first; each kind in the order in which it is shown.
 */
hands: [Array<Held>, Array<Held>], 
/**
 * The side to move.
 */
side: Side, 
/**
 * Number of the move to come, as the position text counts it.
 */
ply: number, 
/**
 * Squares of royal pieces in check.
 */
check: Array<string>, 
/**
 * Squares that the last move touched; where it went comes first.
 */
last: Array<string>, 
/**
 * Legal moves by where they come from.
 */
legal: Array<Origin>, 
/**
 * The side to move may declare a win (入玉宣言).
 */
declare: boolean, 
/**
 * The last move and what matters now, as a screen reader says it.
 */
say: Words, 
/**
 * The position as text (SFEN).
 */
text: string, 
/**
 * How the game ended, by its rules or by what the node says.
 */
outcome?: SceneOutcome | null, 
/**
 * Freeze shogi.
 */
freeze?: FreezeScene | null, 
/**
 * Games that begin by placing pieces, as long as that goes on, and kinds that are locked afterwards.
 */
setup?: SetupScene | null, 
/**
 * Games in which a number of checks wins: how many are still to be given.
 */
checks?: [number, number] | null, 
/**
 * Binarsi: the thirteen lines.
 */
ways?: Array<WayScene> | null, 
/**
 * Binarsi: the six targets.
 */
targets?: Array<TargetScene> | null, };

/**
 * How the game ended here.
 */
export type SceneOutcome = { 
/**
 * Nobody for a draw or a game that was broken off.
 */
winner?: Side | null, 
/**
 * `resign`, `mate`, `repetition`, `perpetual_check`, `declaration`, `move_limit`, `goal`, `points`, `time`, `illegal`,
 * `interrupt`, `other`.
 */
reason: string, 
/**
 * A sentence about it.
 */
say: Words, };

/**
 * Arguments of `header`.
 */
export type SetHeader = { board: string, header: Array<[string, string]>, };

/**
 * Arguments of `settings`.
 */
export type SetSettings = { 
/**
 * Settings to change; `null` removes one.
 */
set?: Record<string, string | number | boolean | null>, };

/**
 * Answer to `settings`: what the pages keep, by name; shared by all tabs.
 */
export type Settings = { settings: Record<string, string | number | boolean>, };

/**
 * A phase in which pieces are placed.
 */
export type SetupScene = { 
/**
 * Whether each side is still placing.
 */
placing: [boolean, boolean], 
/**
 * Pieces each side has placed, and how many it places in all.
 */
placed: [number, number], total: [number, number], 
/**
 * Kinds of which only so many may be placed: 飛か角を一枚.
 */
groups: Array<GroupScene>, 
/**
 * Kinds that a side may not drop to the end of the game.
 */
locked: [Array<string>, Array<string>], };

/**
 * One of the two players.
 */
export type Side = "black" | "white";

/**
 * A whole board.
 */
export type Snapshot = { board: string, 
/**
 * Counts the changes.
 */
rev: number, rules: Rules, 
/**
 * The start position as text.
 */
start: string, 
/**
 * Names and values of the header, as KIF has them: 先手, 後手, 棋戦, 開始日時, …
 */
header: Array<[string, string]>, 
/**
 * All nodes; a parent comes before its children, siblings in their order, the main line first. The root is node 1.
 */
nodes: Array<TreeNode>, 
/**
 * The game in progress, or how it ended.
 */
play?: PlayState | null, 
/**
 * What `undo` and `redo` would do.
 */
can_undo: boolean, can_redo: boolean, };

/**
 * A start position: 平手 or a handicap.
 */
export type StartName = { name: Words, 
/**
 * The position as text.
 */
position: string, };

/**
 * A direction in which a piece moves.
 */
export type StepFace = { 
/**
 * Squares to the right and forward, as its owner sees it.
 */
right: number, forward: number, 
/**
 * 1 for a step or a leap; 0 for a slide to the edge; else the most steps.
 */
range: number, 
/**
 * Whether it may move, capture, or both this way: `move`, `capture`, `both`.
 */
purpose: string, };

/**
 * Arguments of `subscribe`.
 */
export type Subscribe = { board: string, 
/**
 * The revision that the page knows already.
 */
rev?: number | null, };

/**
 * Answer to `subscribe`: what has changed since the revision that was named, or everything.
 */
export type Subscribed = { rev: number, all?: Snapshot | null, changes?: Array<Change> | null, };

/**
 * Where a piece may go. `from` + `to` is the base move that `expand` takes.
 */
export type Target = { 
/**
 * A square; empty for Binarsi.
 */
to: string, 
/**
 * The only move of this base move, as `play` takes it. Where there is none, `expand` lists the choice.
 */
play?: string | null, };

/**
 * A target of Binarsi.
 */
export type TargetScene = { 
/**
 * `b3`, `w5`, … as the position text writes it.
 */
target: string, name: Words, side: Side, length: number, 
/**
 * `horizontal`, `vertical`, `diagonal`.
 */
shape: string, 
/**
 * The move that cleared it, counted from 1; absent while it is not cleared. 0 where the move is not known.
 */
lit?: number | null, };

export type TrainPoint = { step: number, values: Array<number | null>, };

/**
 * A network that learns.
 */
export type TrainState = { 
/**
 * Names of the figures, such as `train_loss`, `validation_loss`, `accuracy`.
 */
names: Array<string>, 
/**
 * A point per report: the step, and a figure for each name.
 */
curve: Array<TrainPoint>, };

/**
 * A position of the record and the move that led to it.
 */
export type TreeNode = { id: number, 
/**
 * Absent for the root.
 */
parent?: number | null, 
/**
 * Moves from the root.
 */
ply: number, 
/**
 * The move; absent for the root and for an ending.
 */
move?: string | null, 
/**
 * `７六歩`, `同　銀`, without ▲ and △; for an ending its word: `投了`.
 */
ja: string, 
/**
 * `P-76`, `Sx34`; `resigns`.
 */
en: string, 
/**
 * Who moved (or ended the game).
 */
side?: Side | null, 
/**
 * The code of the ending (as `SceneOutcome.reason`), if it is one.
 */
ending?: string | null, comment: string, 
/**
 * Milliseconds that the move took.
 */
time?: number | null, eval?: NodeEval | null, 
/**
 * Signs of `mark`: `!`, `!!`, `?`, `??`, `!?`, `?!`, `bookmark`.
 */
marks: Array<string>, };

/**
 * Answer to `tsume.judge`: whether a tried move is right, and why not.
 */
export type TsumeJudged = { 
/**
 * `right`, `longer` (mates, but later), `wrong`, `no_check` (the move gives no check), `unknown`.
 */
verdict: string, 
/**
 * Plies of the mate that remain after the move.
 */
left?: number | null, 
/**
 * Why it fails: the defence that escapes; or, after a right move, the defence of the main line.
 */
answer?: NamedMove | null, 
/**
 * A sentence about it.
 */
say: Words, };

/**
 * A move of a proof.
 */
export type TsumeMove = { 
/**
 * `mate`: it mates (or, of a defence, is mated); `no_mate`: it does not; `unknown`.
 */
state: string, 
/**
 * Plies of the mate after the move.
 */
left?: number | null, 
/**
 * It is the main line.
 */
main: boolean, nodes?: number | null, move: string, ja: string, en: string, };

/**
 * Answer to `tsume.tree`: the moves at one place of the proof.
 */
export type TsumeMoves = { node: number, 
/**
 * The moves from the node to the place.
 */
path: Array<NamedMove>, 
/**
 * Whether the attacker is to move.
 */
attacker: boolean, moves: Array<TsumeMove>, };

/**
 * The composer's report.
 */
export type TsumeReport = { board: string, node: number, 
/**
 * `mate`, `no_mate`, `unknown`, `failed`.
 */
state: string, 
/**
 * Plies of the longest defence, and of it without futile interpositions.
 */
length?: number | null, length_without_futile?: number | null, solution: Array<NamedMove>, 
/**
 * Other moves of the attacker that make the problem unsound (余詰, 手順前後), with the ply at which they are played.
 */
cooks: Array<Flaw>, 
/**
 * 最終手余詰
 */
last_move_cooks: Array<Flaw>, 
/**
 * 変同, 変長: other defences that last as long or longer.
 */
same_length: Array<Flaw>, 
/**
 * 駒余り: pieces left in hand at the end, by kind.
 */
left_over: Array<Held>, 
/**
 * Sound by the custom of today, which forgives blemishes.
 */
sound: boolean, 
/**
 * The verdict of the custom.
 */
verdict: Words, 
/**
 * The whole report, line by line.
 */
details: Array<Words>, 
/**
 * Everything was proven; else some question stayed open.
 */
proven: boolean, text: string, };

/**
 * How far a search for mate is, or what it found.
 */
export type TsumeResult = { board: string, node: number, 
/**
 * `searching`, `mate`, `no_mate`, `unknown` (limits were reached), `stopped`, `failed`.
 */
state: string, 
/**
 * Plies of the mate.
 */
length?: number | null, 
/**
 * The solution (作意).
 */
line: Array<NamedMove>, nodes: number, 
/**
 * Milliseconds.
 */
time: number, 
/**
 * What went wrong, where the state is `failed`.
 */
text: string, };

export type TunePoint = { iteration: number, values: Array<number>, };

/**
 * Parameters that are tuned.
 */
export type TuneState = { parameters: Array<TunedParameter>, 
/**
 * Iterations with the values of all parameters, thinned out to at most 500.
 */
curve: Array<TunePoint>, };

export type TunedParameter = { name: string, start: number, value: number, min: number, max: number, };

/**
 * Answer to `undo` and `redo`: where the change was.
 */
export type Undone = { node: number, };

/**
 * A value, in centipawns or as a mate.
 */
export type Value = { "cp": number } | { "mate": number };

/**
 * A line of Binarsi.
 */
export type WayScene = { 
/**
 * `1` to `7` for files, `a` to `f` for ranks; the base move that `expand` takes.
 */
way: string, locked: boolean, 
/**
 * Nothing stands on it: a move makes it anew.
 */
empty: boolean, 
/**
 * How many operators are legal.
 */
moves: number, 
/**
 * Stones from top to bottom or left to right: `1`, `0` or `-`.
 */
stones: string, 
/**
 * Other lines that its operators read.
 */
inputs: Array<string>, };

/**
 * Something in both languages of the pages.
 */
export type Words = { ja: string, en: string, };

/** The type of the answer to each verb. */
export interface Answers {
  "about": About;
  "boards": Boards;
  "settings": Settings;
  "rules": Rules;
  "open": Opened;
  "remove_board": Done;
  "subscribe": Subscribed;
  "unsubscribe": Done;
  "go_to": Scene;
  "follow": Done;
  "play": Played;
  "add_line": Played;
  "preview": Preview;
  "expand": Expansion;
  "comment": Done;
  "mark": Done;
  "promote_line": Done;
  "delete": Deleted;
  "undo": Undone;
  "redo": Undone;
  "header": Done;
  "edit_position": Edited;
  "paste": Pasted;
  "export": Exported;
  "analyse": Done;
  "analyse_game": Done;
  "new_game": Opened;
  "resign": Done;
  "stop_game": Done;
  "declare": Done;
  "move_now": Done;
  "hint": Hint;
  "takeback": Done;
  "switch_sides": Done;
  "book.list": Books;
  "book.open": BookOpened;
  "book.show": BookMoves;
  "book.edit": BookMoves;
  "book.save": BookOpened;
  "book.minmax": BookOpened;
  "book.mine": Done;
  "book.mine_stop": Done;
  "book.close": Done;
  "library.list": Libraries;
  "library.explore": Explored;
  "library.games": LibraryGames;
  "library.open": LibraryGameOpened;
  "tsume.solve": Done;
  "tsume.report": Done;
  "tsume.tree": TsumeMoves;
  "tsume.judge": TsumeJudged;
  "tsume.stop": Done;
  "runs.list": Runs;
  "runs.watch": RunState;
  "runs.unwatch": Done;
  "runs.games": RunGames;
  "runs.open": Opened;
}
