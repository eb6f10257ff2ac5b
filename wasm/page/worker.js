// The engine takes all of a thread: here it has one of its own.
import createEngine from "./tsumugi-wasm/tsumugi.js";

const engine = await createEngine();
engine.addMessageListener((line) => postMessage(line));
onmessage = ({ data }) => engine.postMessage(data);
postMessage("ready");
