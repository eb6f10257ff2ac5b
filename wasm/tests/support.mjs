// What the tests share: the built packages, test data, an engine that is waited for.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Where `make wasm` puts the packages. */
export const dist = process.env.WASM_DIST ?? join(root, "dist", "wasm");
/** The long form: all counts, however deep. */
export const isLong = Boolean(process.env.LONG);

export const data = (name) => readFileSync(join(root, "testdata", name));
export const json = (name) => JSON.parse(data(name).toString());
export const jsonLines = (name) => data(name).toString().trim().split("\n").map((line) => JSON.parse(line));
export const load = (path) => import(pathToFileURL(join(dist, path)).href);

/** An engine whose answers are waited for. */
export class Player {
  lines = [];
  #waiting = [];

  /** The engine for ShogiHome, or the one of the page, which plays all games. */
  static async start(folder = "tsumugi-wasm") {
    const { default: createEngine } = await load(`${folder}/tsumugi.js`);
    const player = new Player();
    player.engine = await createEngine();
    player.engine.addMessageListener((line) => {
      player.lines.push(line);
      player.#waiting = player.#waiting.filter((waiting) => !waiting(line));
    });
    return player;
  }

  send(...lines) {
    for (const line of lines) this.engine.postMessage(line);
  }

  /** The next line that begins so. */
  line(beginning) {
    return new Promise((resolve) => this.#waiting.push((line) => line.startsWith(beginning) && (resolve(line), true)));
  }

  /** Sends lines and waits for an answer that begins so. */
  async ask(beginning, ...lines) {
    const answer = this.line(beginning);
    this.send(...lines);
    return answer;
  }

  end() {
    this.engine.terminate();
  }
}

/** Lets the event loop run. */
export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
