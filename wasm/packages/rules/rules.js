// The host of rules.wasm: one line of JSON to the module, one back, with the bytes of records behind them.

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** In UTF-8, or not. */
const strictDecoder = new TextDecoder("utf-8", { fatal: true });

/** @param {import("./rules.js").Settings} settings */
async function moduleBytes(settings) {
  const { wasm } = settings;
  if (wasm && typeof wasm !== "string" && !(wasm instanceof URL)) return wasm;
  const url = new URL(wasm ?? "rules.wasm", import.meta.url);
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** Speaks with the module. */
class Module {
  #wasm;

  constructor(/** @type {any} */ wasm) {
    this.#wasm = wasm;
  }

  /** @returns {{ ok: any, bytes: Uint8Array }} */
  ask(/** @type {object} */ request, /** @type {Uint8Array} */ data = new Uint8Array()) {
    const line = encoder.encode(`${JSON.stringify(request)}\n`);
    const length = line.length + data.length;
    const start = this.#wasm.request_buffer(length);
    const memory = new Uint8Array(this.#wasm.memory.buffer, start, length);
    memory.set(line);
    memory.set(data, line.length);
    this.#wasm.request(length);
    const answer = new Uint8Array(this.#wasm.memory.buffer, this.#wasm.answer_start(), this.#wasm.answer_length());
    const end = answer.indexOf(10);
    const told = JSON.parse(decoder.decode(end < 0 ? answer : answer.subarray(0, end)));
    if ("error" in told) throw new Error(told.error);
    return { ok: told.ok, bytes: end < 0 ? new Uint8Array() : answer.slice(end + 1) };
  }

  do(/** @type {object} */ request) {
    return this.ask(request).ok;
  }

  perft(/** @type {number} */ id, /** @type {number} */ depth) {
    if (!Number.isInteger(depth) || depth < 0) throw new RangeError(`perft: ${depth} is no depth`);
    return this.#wasm.perft(id, depth);
  }
}

class Game {
  #module;
  #id;
  /** @type {any} */
  #state;
  #start = "";
  /** @type {string[]} */
  #moves = [];

  constructor(/** @type {Module} */ module, /** @type {string} */ name, /** @type {number} */ id) {
    this.#module = module;
    this.name = name;
    this.#id = id;
    collected.register(this, { module, id }, this);
    this.#start = this.sfen;
  }

  #ask(/** @type {object} */ request) {
    return this.#module.do({ ...request, id: this.#id });
  }

  get #now() {
    return (this.#state ??= this.#ask({ do: "state" }));
  }

  get sfen() {
    return this.#now.sfen;
  }
  get turn() {
    return this.#now.turn;
  }
  get moveNumber() {
    return this.#now.moveNumber;
  }
  get key() {
    return BigInt(`0x${this.#now.key}`);
  }
  get isCheck() {
    return this.#now.inCheck;
  }
  get outcome() {
    return this.#now.outcome;
  }
  get repetition() {
    return this.#now.repetition;
  }
  get mayDeclare() {
    return this.#now.mayDeclare;
  }
  get history() {
    return [...this.#moves];
  }
  get position() {
    return `sfen ${this.#start}${this.#moves.length ? ` moves ${this.#moves.join(" ")}` : ""}`;
  }

  legalMoves() {
    return this.#ask({ do: "moves" });
  }

  isLegal(/** @type {string} */ move) {
    return this.whyIllegal(move) === null;
  }

  whyIllegal(/** @type {string} */ move) {
    return this.#ask({ do: "check", move: String(move) }).why ?? null;
  }

  play(/** @type {string} */ move) {
    const played = this.#ask({ do: "play", move: String(move) });
    this.#state = undefined;
    this.#moves.push(played);
    return played;
  }

  undo() {
    if (this.#moves.length === 0 || !this.#ask({ do: "undo" })) return undefined;
    this.#state = undefined;
    return this.#moves.pop();
  }

  set(/** @type {string} */ position) {
    const [first, moves = ""] = String(position).trim().split(/\bmoves\b/);
    const start = first.trim().replace(/^(?:position\s+)?(?:sfen\s+)?/, "");
    const words = start === "startpos" ? start : `sfen ${start}`;
    // Checks all of it before anything changes.
    this.#ask({ do: "set", position: moves.trim() ? `${words} moves ${moves.trim()}` : words });
    this.#state = undefined;
    const played = moves.trim() ? moves.trim().split(/\s+/) : [];
    for (let count = played.length; count > 0; count--) this.#ask({ do: "undo" });
    this.#start = this.#now.sfen;
    this.#moves = played.map((move) => this.#ask({ do: "play", move }));
    this.#state = undefined;
  }

  picture({ kanji = true } = {}) {
    return this.#ask({ do: "picture", kanji });
  }

  board() {
    return this.#ask({ do: "diagram" });
  }

  notation(/** @type {string} */ move) {
    return this.notationOfLine([move])[0];
  }

  notationOfLine(/** @type {string[]} */ moves) {
    return this.#ask({ do: "write", moves });
  }

  parse(/** @type {string} */ text) {
    return this.#ask({ do: "parse", text: String(text) });
  }

  perft(/** @type {number} */ depth) {
    const leaves = this.#module.perft(this.#id, depth);
    if (Number.isNaN(leaves)) throw new Error("this game has been closed");
    return leaves;
  }

  copy() {
    const copy = new Game(this.#module, this.name, this.#ask({ do: "copy" }));
    copy.#start = this.#start;
    copy.#moves = [...this.#moves];
    return copy;
  }

  close() {
    collected.unregister(this);
    this.#state = undefined;
    this.#module.do({ do: "close", id: this.#id });
  }
}

/** Games that are no longer referred to give their memory back. */
const collected = new FinalizationRegistry((/** @type {{ module: Module, id: number }} */ { module, id }) => {
  module.do({ do: "close", id });
});

/** @param {string | Uint8Array} record */
const bytesOf = (record) => (typeof record === "string" ? encoder.encode(record) : record);

class Rules {
  #module;

  constructor(/** @type {Module} */ module) {
    this.#module = module;
  }

  games() {
    return this.#module.do({ do: "games" });
  }

  open(name = "shogi", /** @type {{ position?: string, variants?: string }} */ options = {}) {
    const { position, variants } = options;
    const game = new Game(this.#module, name, this.#module.do({ do: "open", game: String(name), variants }));
    if (position !== undefined) {
      try {
        game.set(position);
      } catch (error) {
        game.close();
        throw error;
      }
    }
    return game;
  }

  detect(/** @type {string | Uint8Array} */ record) {
    return this.#module.ask({ do: "detect" }, bytesOf(record)).ok;
  }

  read(/** @type {string | Uint8Array} */ record, /** @type {import("./rules.js").ReadOptions} */ options = {}) {
    const { game, variants, keepIllegal } = options;
    return this.#module.ask({ do: "read", game, variants, keep_illegal: keepIllegal }, bytesOf(record)).ok;
  }

  convert(
    /** @type {string | Uint8Array} */ record,
    /** @type {string} */ to,
    /** @type {import("./rules.js").ConvertOptions} */ options = {},
  ) {
    const { game, variants, keepIllegal, encoding = "utf8" } = options;
    const request = { do: "convert", to, game, variants, encoding, keep_illegal: keepIllegal };
    const { ok, bytes } = this.#module.ask(request, bytesOf(record));
    let start = 0;
    return ok.map((/** @type {{ length: number, notices: string[] }} */ { length, notices }) => {
      const own = bytes.slice(start, start + length);
      start += length;
      return { bytes: own, text: textOf(own), notices };
    });
  }
}

function textOf(/** @type {Uint8Array} */ bytes) {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return "";
  }
}

/** Loads the module. @param {import("./rules.js").Settings} [settings] */
export async function loadRules(settings = {}) {
  const bytes = await moduleBytes(settings);
  const { instance } = await WebAssembly.instantiate(bytes, {});
  return new Rules(new Module(instance.exports));
}
