/** What the module needs to know about where it is. */
export interface Settings {
  /** Where a file of the package is; beside this module by default. */
  locateFile?: (name: string) => string;
  /** The module itself, if it has been fetched already. */
  wasmBinary?: BufferSource;
  /** Takes what the engine says when it fails. */
  printErr?: (line: string) => void;
  [other: string]: unknown;
}

/** A USI engine: the interface that ShogiHome's `shogihome-wasm-engine/1` asks for. */
export interface Engine {
  /** Sends a line. Answers come to the listeners, during this call or later. */
  postMessage(command: string): void;
  /** Calls `listener` with each line that the engine says. */
  addMessageListener(listener: (line: string) => void): void;
  removeMessageListener(listener: (line: string) => void): void;
  /** Ends the engine; it says nothing any more. */
  terminate(): void;
}

/** Loads the module and makes an engine. A page calls this in a Worker: a search takes all of a thread. */
export default function createEngine(settings?: Settings): Promise<Engine>;
