// The page in headless Chromium: rules, engine and worker as a browser runs them.
import assert from "node:assert/strict";
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { dist } from "./support.mjs";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const { chromium } = createRequire(join(process.env.WASM_TEST_MODULES, "x.js"))("playwright-core");
let server, browser, address;

before(async () => {
  server = createServer((request, response) => {
    const file = join(dist, "page", new URL(request.url, "http://x").pathname.replace(/\/$/, "/index.html"));
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  server?.close();
});

test("a person plays the engine", async () => {
  const page = await browser.newPage({ viewport: { width: 600, height: 800 } });
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(`${address}?movetime=100`);
  assert.equal(await page.evaluate(() => crossOriginIsolated), false, "it needs no isolation");
  await page.waitForFunction(() => document.querySelectorAll("#level option").length > 3);
  await page.waitForFunction(() => document.querySelector("#state").textContent.includes("your move"));
  await page.click("[data-square='7g']");
  assert.equal(await page.locator("button.target").count(), 1);
  await page.click("[data-square='7f']");
  await page.waitForFunction(() => document.querySelector("#state").textContent.startsWith("3"), null, { timeout: 120_000 });
  assert.match(await page.textContent("#line"), /pv /);
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
  await page.selectOption("#game", "minishogi");
  await page.selectOption("#side", "1");
  await page.click("#new");
  await page.waitForFunction(() => document.querySelector("#state").textContent.startsWith("2"), null, { timeout: 120_000 });
  assert.equal(await page.locator("#board button").count(), 25);
  assert.deepEqual(errors, []);
  await page.close();
});

test("the engine hears stop in a worker", async () => {
  const page = await browser.newPage();
  await page.goto(address);
  const said = await page.evaluate(async () => {
    const worker = new Worker("worker.js", { type: "module" });
    const lines = [];
    const line = (beginning) =>
      new Promise((resolve) => worker.addEventListener("message", ({ data }) => data.startsWith(beginning) && resolve(data)));
    worker.addEventListener("message", ({ data }) => lines.push(data));
    const ask = (beginning, ...sent) => {
      const answer = line(beginning);
      sent.forEach((text) => worker.postMessage(text));
      return answer;
    };
    await line("ready");
    await ask("readyok", "setoption name Threads value 1", "isready");
    worker.postMessage("position startpos");
    worker.postMessage("go infinite");
    await line("info depth 5");
    const best = await ask("bestmove", "stop");
    const bench = await ask("Nodes searched", "setoption name USI_Hash value 16", "bench 16 1 8");
    worker.terminate();
    return { best, bench, network: lines.find((text) => text.includes("built-in network")) };
  });
  assert.match(said.best, /^bestmove [1-9]/);
  assert.match(said.network, /simd128/);
  const { data } = await import("./support.mjs");
  const [, nodes] = /^shogi net 8 (\d+)$/m.exec(data("search/bench_signatures.txt").toString());
  assert.equal(said.bench.split(":")[1].trim(), nodes);
  await page.close();
});
