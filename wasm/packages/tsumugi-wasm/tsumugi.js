// The host of tsumugi.wasm: USI lines in and out, for a Worker of a page or for Node.
//
// WebAssembly has no thread that could hear `stop` while another one searches. So the search is suspended every few milliseconds: where
// it calls `pause_point`, its stack is unwound into memory (Binaryen's Asyncify), the event loop runs, and the stack is restored.
/** @typedef {import("./tsumugi.js").Settings} Settings */

/** The module's file. */
const FILE = "tsumugi.wasm";
/** Milliseconds that the search runs before the event loop does. */
const SLICE = 15;
/** Memory for a stack that is unwound. */
const STACK = 4 << 20;

/** Runs a function after what waits in the event loop. @type {(act: () => void) => void} */
const soon = typeof setImmediate === "function" ? setImmediate : throughAChannel();

/** Timers of browsers wait four milliseconds, messages do not. */
function throughAChannel() {
  const { port1, port2 } = new MessageChannel();
  /** @type {(() => void)[]} */
  const waiting = [];
  port1.onmessage = () => waiting.shift()?.();
  return (/** @type {() => void} */ act) => {
    waiting.push(act);
    port2.postMessage(null);
  };
}

/** @param {Settings} settings */
async function instantiate(settings, /** @type {WebAssembly.Imports} */ imports) {
  if (settings.wasmBinary) return (await WebAssembly.instantiate(settings.wasmBinary, imports)).instance;
  const url = new URL(settings.locateFile?.(FILE) ?? FILE, import.meta.url);
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return (await WebAssembly.instantiate(await readFile(url), imports)).instance;
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  // Servers that send another type than application/wasm are served, too.
  const bytes = await response.arrayBuffer();
  return (await WebAssembly.instantiate(bytes, imports)).instance;
}

class Engine {
  #wasm;
  #printErr;
  /** Where Asyncify keeps the stack. */
  #stack = 0;
  /** @type {Set<(line: string) => void>} */
  #listeners = new Set();
  /** Lines that listeners have not heard yet. @type {string[]} */
  #said = [];
  #isDelivering = false;
  /** An unfinished line. */
  #rest = "";
  #decoder = new TextDecoder();
  #isRunning = false;
  #isSuspended = false;
  #isRewinding = false;
  #isScheduled = false;
  #isClosed = false;
  /** When the present slice ends. */
  #end = 0;

  /** @param {Settings} settings */
  static async create(settings) {
    /** @type {Engine | undefined} */
    let engine;
    const imports = {
      host: {
        now: () => performance.timeOrigin + performance.now(),
        pause_point: () => engine?.pausePoint(),
      },
    };
    const instance = await instantiate(settings, imports);
    engine = new Engine(/** @type {any} */ (instance.exports), settings.printErr ?? console.error);
    return engine;
  }

  constructor(/** @type {any} */ wasm, /** @type {(line: string) => void} */ printErr) {
    this.#wasm = wasm;
    this.#printErr = printErr;
    this.#stack = wasm.allocate(STACK);
    new Uint32Array(wasm.memory.buffer, this.#stack, 2).set([this.#stack + 8, this.#stack + STACK]);
    wasm.begin();
    this.#takeOutput();
    this.#said.length = 0;
  }

  postMessage(/** @type {string} */ command) {
    for (const line of String(command).split(/\r?\n/)) {
      if (this.#isClosed) return;
      this.#guarded(() => this.#obey(line));
    }
    this.#deliver();
    this.#schedule();
  }

  addMessageListener(/** @type {(line: string) => void} */ listener) {
    this.#listeners.add(listener);
  }

  removeMessageListener(/** @type {(line: string) => void} */ listener) {
    this.#listeners.delete(listener);
  }

  terminate() {
    this.#isClosed = true;
    this.#said.length = 0;
    this.#listeners.clear();
  }

  /** Called by the search, every millisecond or so. */
  pausePoint() {
    if (this.#isRewinding) {
      this.#isRewinding = false;
      this.#wasm.asyncify_stop_rewind();
    } else if (this.#isRunning && performance.now() >= this.#end) {
      this.#isSuspended = true;
      this.#wasm.asyncify_start_unwind(this.#stack);
    }
  }

  #obey(/** @type {string} */ line) {
    const bytes = new TextEncoder().encode(line);
    const start = this.#wasm.line_buffer(bytes.length);
    new Uint8Array(this.#wasm.memory.buffer, start, bytes.length).set(bytes);
    this.#wasm.line(bytes.length);
    this.#takeOutput();
    if (this.#wasm.is_over()) this.#isClosed = true;
  }

  /** Lets the engine think for a slice. */
  #run() {
    this.#end = performance.now() + SLICE;
    if (this.#isSuspended) {
      this.#isSuspended = false;
      this.#isRewinding = true;
      this.#wasm.asyncify_start_rewind(this.#stack);
    }
    this.#isRunning = true;
    this.#wasm.run();
    this.#isRunning = false;
    if (this.#isSuspended) this.#wasm.asyncify_stop_unwind();
    this.#takeOutput();
  }

  /** Goes on until the search has to pause or there is nothing to do. */
  #work() {
    this.#isScheduled = false;
    if (this.#isClosed) return;
    this.#guarded(() => {
      do this.#run();
      while (!this.#isSuspended && this.#wasm.go_on());
      this.#takeOutput();
      if (!this.#isSuspended && this.#wasm.is_over()) this.#isClosed = true;
    });
    this.#deliver();
    if (this.#isSuspended) this.#schedule();
  }

  #schedule() {
    if (this.#isScheduled || this.#isClosed) return;
    this.#isScheduled = true;
    soon(() => this.#work());
  }

  /** A module that has failed is not entered again. */
  #guarded(/** @type {() => void} */ act) {
    try {
      act();
    } catch (error) {
      this.#takeOutput();
      this.#isClosed = true;
      this.#printErr(`tsumugi.wasm has failed: ${error}`);
      this.#said.push(`info string Error! the engine has failed: ${error}`);
      this.#deliver();
      throw error;
    }
  }

  #takeOutput() {
    const length = this.#wasm.output_length();
    if (length === 0) return;
    const bytes = new Uint8Array(this.#wasm.memory.buffer, this.#wasm.output_start(), length);
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#wasm.clear_output();
    this.#rest = lines.pop() ?? "";
    this.#said.push(...lines);
  }

  /** A listener may send lines, whose answers come after what has been said before. */
  #deliver() {
    if (this.#isDelivering) return;
    this.#isDelivering = true;
    try {
      for (let line = this.#said.shift(); line !== undefined; line = this.#said.shift()) {
        for (const listener of [...this.#listeners]) listener(line);
      }
    } finally {
      this.#isDelivering = false;
    }
  }
}

/** Loads the module and makes an engine. @param {Settings} [settings] */
export default async function createEngine(settings = {}) {
  const engine = await Engine.create(settings);
  return {
    postMessage: (/** @type {string} */ command) => engine.postMessage(command),
    addMessageListener: (/** @type {(line: string) => void} */ listener) => engine.addMessageListener(listener),
    removeMessageListener: (/** @type {(line: string) => void} */ listener) => engine.removeMessageListener(listener),
    terminate: () => engine.terminate(),
  };
}
