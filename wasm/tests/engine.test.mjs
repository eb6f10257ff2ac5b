// tsumugi-wasm in Node: a USI session by the conventions of ShogiHome.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Player, data, dist, isLong, load, pause } from "./support.mjs";

const { loadRules } = await load("rules/rules.js");
const rules = await loadRules();

test("the manifest says what the engine says", async () => {
  const manifest = JSON.parse(readFileSync(join(dist, "tsumugi-wasm", "engine.json"), "utf8"));
  assert.equal(manifest.abi, "shogihome-wasm-engine/1");
  const player = await Player.start();
  await player.ask("usiok", "usi");
  assert.ok(player.lines.includes(`id name ${manifest.name}`) && player.lines.includes(`id author ${manifest.author}`));
  const told = player.lines.filter((line) => line.startsWith("option "));
  assert.equal(manifest.options.length, told.length);
  for (const { name, type } of manifest.options) {
    assert.ok(told.some((line) => line.startsWith(`option name ${name} type ${type}`)), name);
  }
  for (const { id, values } of manifest.presets) {
    player.send(...Object.entries(values).map(([name, value]) => `setoption name ${name} value ${value}`));
    await player.ask("readyok", "isready");
    const best = await player.ask("bestmove ", "position startpos", "go nodes 200");
    assert.ok(rules.open().isLegal(best.split(" ")[1]), id);
  }
  assert.ok(!player.lines.some((line) => line.includes("Error!")), player.lines.filter((line) => line.includes("Error!")).join("\n"));
  for (const { file } of manifest.licenses) assert.ok(statSync(join(dist, "tsumugi-wasm", file)).size > 0);
  assert.ok(statSync(join(dist, "tsumugi-wasm", "tsumugi.wasm")).size <= 8 << 20);
  assert.ok(manifest.badge.length <= 8);
  player.end();
});

test("a game against itself", async () => {
  const player = await Player.start();
  await player.ask("readyok", "isready");
  player.send("usinewgame");
  const game = rules.open();
  for (let ply = 0; ply < 12; ply++) {
    const answer = await player.ask("bestmove ", `position ${game.position}`, "go btime 0 wtime 0 byoyomi 60");
    game.play(answer.split(" ")[1]);
  }
  assert.equal(game.history.length, 12);
  player.send("gameover win");
  player.end();
});

test("stop is heard, and the search goes on where it was", async () => {
  const player = await Player.start();
  await player.ask("readyok", "isready");
  // Suspended many times, it counts the same nodes as in one piece: `bench` is not suspended.
  const whole = [];
  for (let round = 0; round < 2; round++) {
    player.send("usinewgame");
    await player.ask("readyok", "isready");
    await player.ask("bestmove ", "position startpos", "go depth 11");
    whole.push(player.lines.filter((line) => line.startsWith("info depth 11 ")).at(-1).replace(/ (nps|time) \d+/g, ""));
  }
  assert.equal(whole[0], whole[1]);
  player.send("go infinite");
  await pause(100);
  assert.ok(!player.lines.at(-1).startsWith("bestmove "));
  await player.ask("bestmove ", "stop");
  // Lines of a session while it thinks.
  player.send("go infinite");
  await pause(30);
  player.send("position startpos moves 7g7f", "setoption name MultiPV value 2");
  await pause(30);
  const answers = () => player.lines.filter((line) => line.startsWith("bestmove ")).length;
  const before = answers();
  assert.equal(before, 3, "neither ends the search");
  await player.ask("bestmove ", "go nodes 100");
  await player.ask("readyok", "isready");
  assert.equal(answers(), 5, "the second `go` ends the first");
  player.end();
});

test("pondering", async () => {
  const player = await Player.start();
  await player.ask("readyok", "isready");
  player.send("position startpos moves 7g7f 3c3d", "go ponder btime 1000 wtime 1000 byoyomi 100");
  await pause(60);
  assert.ok(!player.lines.some((line) => line.startsWith("bestmove ")));
  await player.ask("bestmove ", "ponderhit");
  player.end();
});

test("mates", async () => {
  const player = await Player.start();
  await player.ask("readyok", "isready");
  const sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
  assert.equal(await player.ask("checkmate ", `position sfen ${sfen}`, "go mate infinite"), "checkmate G*5b");
  assert.equal(await player.ask("checkmate ", "position startpos", "go mate 1000"), "checkmate nomate");
  // A long one, suspended on its way.
  const problems = data("mate/problems.jsonl").toString().trim().split("\n").map((line) => JSON.parse(line));
  const mates = problems.filter((problem) => problem.rule === "tsume" && problem.result === "mate");
  assert.ok(mates.length > 3);
  for (const { id, sfen, strict_len: plies } of mates.slice(0, isLong ? 100 : 8)) {
    const answer = await player.ask("checkmate ", `position sfen ${sfen}`, "go mate infinite");
    assert.equal(answer.split(" ").length - 1, plies, `${id} ${sfen}: ${answer}`);
  }
  // `stop` ends one.
  player.send("position startpos moves 7g7f", "go mate infinite");
  await player.ask("checkmate ", "stop");
  player.end();
});

test("other games", async () => {
  const player = await Player.start("page/tsumugi-wasm");
  await player.ask("usiok", "usi");
  for (const name of ["freeze", "66shogi", "minishogi", "binarsi", "shogi"]) {
    player.send(`setoption name USI_Variant value ${name}`);
    await player.ask("readyok", "isready");
    const answer = await player.ask("bestmove ", "position startpos", "go nodes 2000");
    assert.ok(rules.open(name).isLegal(answer.split(" ")[1]), `${name}: ${answer}`);
  }
  player.end();
});

test("nothing is said after quit, or after terminate", async () => {
  for (const end of [(player) => player.send("quit"), (player) => player.engine.terminate()]) {
    const player = await Player.start();
    await player.ask("readyok", "isready");
    player.send("position startpos", "go infinite");
    await pause(50);
    end(player);
    const said = player.lines.length;
    player.send("usi", "stop");
    await pause(50);
    assert.equal(player.lines.length, said);
  }
});

test("bench counts the nodes that the program counts", async () => {
  const pinned = data("search/bench_signatures.txt").toString().trim().split("\n").filter((line) => !line.startsWith("#"));
  const player = await Player.start("page/tsumugi-wasm");
  let checked = 0;
  for (const line of pinned) {
    const [game, evaluation, depth, nodes] = line.split(" ");
    // Here shogi is played with the network only, and Binarsi without its solver.
    if ((game === "shogi" && evaluation === "material") || game === "binarsi") continue;
    player.send("setoption name Threads value 1", `setoption name USI_Variant value ${game}`, "setoption name USI_Hash value 16");
    const said = await player.ask("Nodes searched", `bench 16 1 ${depth}`);
    assert.equal(said.split(":")[1].trim(), nodes, line);
    checked += 1;
  }
  assert.ok(checked >= 5);
  player.end();
});

test("simd128 evaluates as plain code does", async () => {
  const player = await Player.start();
  player.send("test kernels");
  const agreed = player.lines.filter((line) => / positions agree$/.test(line));
  assert.ok(agreed.length >= 18 && agreed.some((line) => line.includes("simd128:")), player.lines.join("\n"));
  assert.ok(agreed.some((line) => line.includes("plain:")));
  player.end();
});

test("hostile lines", async () => {
  const player = await Player.start();
  player.send("", "\0", "💥", "position", "position sfen x", "go nonsense", "setoption", "x".repeat(2_000_000), "wait");
  await player.ask("readyok", "isready");
  await player.ask("bestmove ", "stop", "position startpos", "go depth 2");
  player.send("setoption name USI_Hash value 100000");
  await player.ask("readyok", "isready");
  assert.ok(player.lines.some((line) => /Error!.*USI_Hash/.test(line)), "more memory than there is");
  await player.ask("bestmove ", "go depth 2");
  player.end();
});
