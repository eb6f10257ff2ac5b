/** The first player (Black, 先手) is 0, the second one 1. */
export type Player = 0 | 1;

/** How a game has ended. */
export interface Outcome {
  /** `null` for a draw. */
  winner: Player | null;
  reason: string;
}

/** What repetition means to the side to move, in the words of engines. */
export type Repetition = "rep_draw" | "rep_win" | "rep_lose" | "rep_sup" | "rep_inf";

/** A piece on the board. */
export interface Piece {
  /** Its sign: a kanji, or a letter where it has none. */
  text: string;
  player: Player;
  promoted: boolean;
  /** It may not be moved for one move (Freeze shogi). */
  frozen: boolean;
}

/** A board to be drawn, as the first player sees it. */
export interface Board {
  /** Names of the files, from left to right. */
  files: string[];
  /** Names of the ranks, from top to bottom. */
  ranks: string[];
  /** The squares, row after row. */
  cells: (Piece | null)[];
  /** Pieces in hand of each player. */
  hands: [{ text: string; count: number }[], { text: string; count: number }[]];
  /** The pieces are stones instead of signs. */
  stones: boolean;
}

/** Formats of records. Games other than shogi and Freeze shogi have `kif` and `usi`. */
export type RecordFormat = "kif" | "ki2" | "csa" | "csa3" | "jkf" | "usi" | "usen" | "bod";

export interface ReadOptions {
  /** The game, where the record does not name it. */
  game?: string;
  /** The text of a variants.ini with more games. */
  variants?: string;
  /** Keep moves against the rules instead of ending the line before them (shogi only). */
  keepIllegal?: boolean;
}

export interface ConvertOptions extends ReadOptions {
  /** `utf8` (the default), `utf8-bom` or `sjis`. */
  encoding?: string;
}

/** The main line of a game that was read. */
export interface RecordedGame {
  game: string;
  /** Fields and their values, in the order of the record. */
  header: [string, string][];
  /** What follows `position` in USI: start and moves. */
  position: string;
  start: string;
  moves: string[];
  /** The word that ends the game in KIF, such as 投了. */
  ending: string | null;
  /** `"0"` or `"1"` for the player that won, `"draw"`, or `null` where the record does not say. */
  result: "0" | "1" | "draw" | null;
  /** What was wrong with the record. */
  notices: string[];
}

/** A game in its new format. */
export interface ConvertedGame {
  bytes: Uint8Array;
  /** The bytes as text; empty in an encoding that is not UTF-8. */
  text: string;
  /** What was wrong with the record, and what its new format has no room for. */
  notices: string[];
}

/** A game and the position it stands at. Moves are USI texts such as `7g7f`. */
export interface Game {
  readonly name: string;
  /** The position as SFEN. */
  readonly sfen: string;
  /** The side to move. */
  readonly turn: Player;
  /** The number of the next move. */
  readonly moveNumber: number;
  /** A hash of 64 bits of all that decides the future. */
  readonly key: bigint;
  readonly isCheck: boolean;
  /** `null` while the game goes on. */
  readonly outcome: Outcome | null;
  readonly repetition: Repetition | null;
  /** The side to move can win by declaring (入玉宣言). */
  readonly mayDeclare: boolean;
  /** The moves since the position was set. */
  readonly history: readonly string[];
  /** What follows `position` in USI. */
  readonly position: string;
  legalMoves(): string[];
  isLegal(move: string): boolean;
  /** Why a move is illegal; `null` if it is legal. */
  whyIllegal(move: string): string | null;
  /** Plays a move and returns its canonical text; throws if it is illegal. */
  play(move: string): string;
  /** Takes the last move back; `undefined` if there is none. */
  undo(): string | undefined;
  /** Sets `startpos`, an SFEN, or either with `moves …`; throws and changes nothing if it is bad. */
  set(position: string): void;
  /** The board as text for people. */
  picture(options?: { kanji?: boolean }): string;
  board(): Board;
  /** A move as KIF writes it: ▲７六歩(77). */
  notation(move: string): string;
  /** The same for a line of play. */
  notationOfLine(moves: string[]): string[];
  /** A move in the words of records (７六歩, ７六歩(77), 7g7f); throws if it is none. */
  parse(text: string): string;
  /** Counts the leaves of the tree of legal moves. */
  perft(depth: number): number;
  /** A game of its own with the same position and history. */
  copy(): Game;
  /** Frees its memory now instead of when it is collected. */
  close(): void;
}

export interface Rules {
  /** The names of all games: shogi, freeze, binarsi, 66shogi, minishogi … */
  games(): string[];
  /** Opens a game at its start, or at `position`; `variants` is the text of a variants.ini with more games. */
  open(name?: string, options?: { position?: string; variants?: string }): Game;
  /** The format that a record seems to have. */
  detect(record: string | Uint8Array): RecordFormat | null;
  /** The games of a record in any format and encoding. */
  read(record: string | Uint8Array, options?: ReadOptions): RecordedGame[];
  /** The games of a record in another format. */
  convert(record: string | Uint8Array, to: RecordFormat, options?: ConvertOptions): ConvertedGame[];
}

/** Where the module is. */
export interface Settings {
  /** The module itself, or where to fetch it; `rules.wasm` beside this file by default. */
  wasm?: BufferSource | string | URL;
}

/** Loads the module. */
export function loadRules(settings?: Settings): Promise<Rules>;
