#!/usr/bin/env node
// Times the packages in Node beside the program on one thread: node wasm/bench.mjs [PROGRAM] (target/release/tsumugi).
//
// Counts seconds of the processor, not of the clock, so that other programs disturb little. Prints the table of wasm/BENCHMARKS.md.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { Player, load } from "./tests/support.mjs";

const program = process.argv[2] ?? "target/release/tsumugi";
const BENCH = "bench 64 1 12";
const NODES = 300_000;
const PERFT = 5;
const ROUNDS = 3;

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const nodesOf = (said) => Number(/Nodes searched\s*: (\d+)/.exec(said)[1]);

/** What was counted, for each second of the processor that `work` took. */
async function rate(work) {
  const before = process.cpuUsage();
  const count = await work();
  const { user, system } = process.cpuUsage(before);
  return (count * 1e6) / (user + system);
}

/** The same for the program, less what it takes to start. */
function rateThere(lines, countOf) {
  const seconds = (input) => {
    const run = spawnSync("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$0"', program], { input, encoding: "utf8" });
    const [user, system] = run.stderr.trim().split("\n").at(-1).split(" ").map(Number);
    return { time: user + system, said: run.stdout };
  };
  const start = seconds("Threads 1\nUSI_Hash 64\nisready\nquit\n");
  const done = seconds(`Threads 1\nUSI_Hash 64\nisready\n${lines}\nquit\n`);
  return countOf(done.said) / (done.time - start.time);
}

const player = await Player.start();
player.send("setoption name USI_Hash value 64");
await player.ask("readyok", "isready");

function bench() {
  player.lines.length = 0;
  player.send(BENCH);
  return nodesOf(player.lines.join("\n"));
}

/** Suspended every 15 ms. */
async function search() {
  player.send("usinewgame");
  await player.ask("readyok", "isready");
  await player.ask("bestmove", "position startpos", `go nodes ${NODES}`);
  return NODES;
}

const { loadRules } = await load("rules/rules.js");
const rules = await loadRules();

const isThere = existsSync(program);
const figures = { bench: [], search: [], perft: [], benchThere: [], perftThere: [] };
// The first calls are those in which Node compiles the modules.
bench();
rules.open().perft(4);
for (let round = 0; round < ROUNDS; round++) {
  figures.bench.push(await rate(bench));
  figures.search.push(await rate(search));
  figures.perft.push(await rate(() => rules.open().perft(PERFT)));
  if (!isThere) continue;
  figures.benchThere.push(rateThere(BENCH, nodesOf));
  figures.perftThere.push(rateThere(`go perft ${PERFT}`, (said) => Number(/Nodes searched: (\d+)/.exec(said)[1])));
}
player.end();
const thousands = (numbers) => (numbers.length ? `${Math.round(median(numbers) / 1000)} k/s` : "not measured");
console.log(`node ${process.version}, median of ${ROUNDS}, seconds of the processor\n`);
console.log("| | Node | program, one thread |\n|---|---|---|");
console.log(`| \`${BENCH}\`, nodes | ${thousands(figures.bench)} | ${thousands(figures.benchThere)} |`);
console.log(`| \`go nodes ${NODES}\` from the start, suspended every 15 ms | ${thousands(figures.search)} | |`);
console.log(`| perft ${PERFT} from the start, leaves | ${thousands(figures.perft)} | ${thousands(figures.perftThere)} |`);
