#!/usr/bin/env node
// Builds the packages for npm and ShogiHome, and a page: `make wasm`. They come to dist/wasm.
//
// node wasm/build.mjs [--quick]. `--quick` builds only the rules, for tests, without optimising, to target/wasm/quick. Installs what it needs: the target of rustup, and wasm-opt (Binaryen, from npm) in target/wasm.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const TARGET = "wasm32-unknown-unknown";
const BINARYEN = "binaryen@132.0.0";
/** ShogiHome warns of larger engines. */
const LARGEST = 8 << 20;

const home = dirname(fileURLToPath(import.meta.url));
const root = dirname(home);
const target = resolve(process.env.CARGO_TARGET_DIR ?? join(root, "target"));
const tools = join(target, "wasm");
const isQuick = process.argv.includes("--quick");
const dist = isQuick ? join(tools, "quick") : join(root, "dist", "wasm");
const cargo = process.env.CARGO ?? "cargo";

/** Where something that has to be fetched cannot be, `make test` goes on without it. */
function skip(what) {
  console.log(`skipped: ${what}`);
  process.exit(process.env.REQUIRE ? 1 : 75);
}

function needTarget() {
  const sysroot = execFileSync(cargo, ["rustc", "--help"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    && execFileSync(process.env.RUSTC ?? "rustc", ["--print", "sysroot"], { encoding: "utf8" }).trim();
  if (existsSync(join(sysroot, "lib", "rustlib", TARGET))) return;
  if (spawnSync("rustup", ["target", "add", TARGET], { stdio: "inherit" }).status !== 0) {
    skip(`WebAssembly: rustup target add ${TARGET} fails`);
  }
}

function needBinaryen() {
  const program = join(tools, "node_modules", ".bin", "wasm-opt");
  const installed = join(tools, "node_modules", "binaryen", "package.json");
  const version = existsSync(installed) && JSON.parse(readFileSync(installed, "utf8")).version;
  if (`binaryen@${version}` !== BINARYEN) {
    mkdirSync(tools, { recursive: true });
    const npm = ["install", "--silent", "--no-fund", "--no-audit", "--no-save", "--prefix", tools, BINARYEN];
    if (spawnSync("npm", npm, { stdio: "inherit" }).status !== 0) skip(`WebAssembly: npm cannot fetch ${BINARYEN}`);
  }
  return program;
}

function compile(wasmOpt, crate, ...options) {
  const flags = ["-Ctarget-feature=+simd128", "-Clink-arg=-zstack-size=8388608"];
  const profile = isQuick ? "quick" : "release";
  execFileSync(cargo, ["build", "--profile", profile, "--locked", "--target", TARGET, "-p", crate, ...options], {
    cwd: home,
    stdio: "inherit",
    env: { ...process.env, CARGO_TARGET_DIR: target, CARGO_ENCODED_RUSTFLAGS: flags.join("\x1f") },
  });
  return reduce(wasmOpt, crate, join(target, TARGET, profile, `${crate.replaceAll("-", "_")}.wasm`));
}

/** Proposals that our compiler uses and all browsers have. */
const FEATURES = [
  "--enable-simd",
  "--enable-bulk-memory",
  "--enable-sign-ext",
  "--enable-mutable-globals",
  "--enable-nontrapping-float-to-int",
  "--enable-reference-types",
  "--enable-multivalue",
];

/** Sessions call some of the functions below, but never while a search can be suspended. */
const NEVER_SUSPENDED = ["*7session16Session*", "*7session7console*", "*7session4seat*", "*SteppedConsole*"];

/**
 * The functions that call a search through a trait object, by parts of their names. Asyncify finds direct calls by itself; to have it
 * follow indirect ones would make nearly everything suspendable, as every panic formats a message through one.
 */
const CALL_INDIRECTLY = ["*6Runner3run*", "*7session6worker*", "*ShogiEngine*think*", "*ShogiEngine*solve_mate*",
  "*SearchEngine*think*", "*5level6player*"];

/** What the hosts call. */
const EXPORTS = {
  "tsumugi-rules": ["request_buffer", "request", "answer_start", "answer_length", "perft"],
  "tsumugi-wasm": ["begin", "line_buffer", "line", "run", "go_on", "is_over", "output_start", "output_length", "clear_output", "allocate"],
};

/** Without what only wasm-bindgen would call: a crate that reads archives brings it along, and it imports what no host here has. */
function reduce(wasmOpt, crate, from) {
  const names = ["memory", ...EXPORTS[crate]];
  const roots = names.map((name) => ({ name: `export ${name}`, export: name }));
  const graph = [{ name: "host", root: true, reaches: roots.map(({ name }) => name) }, ...roots];
  const [file, to] = [join(tools, `${crate}.json`), join(tools, `${crate}.wasm`)];
  writeFileSync(file, JSON.stringify(graph));
  const metadce = wasmOpt.replace(/wasm-opt$/, "wasm-metadce");
  execFileSync(metadce, [...FEATURES, from, "--graph-file", file, "-g", "-o", to], { stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(to, withoutSections(readFileSync(to), /^(__wasm_bindgen|producers)/));
  return to;
}

/** A module without the custom sections of such names. */
function withoutSections(module, names) {
  const kept = [module.subarray(0, 8)];
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = module[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < module.length) {
    const start = at;
    const kind = module[at++];
    const length = number();
    const end = at + length;
    const isCustom = kind === 0;
    const nameLength = isCustom ? number() : 0;
    const name = module.subarray(at, at + nameLength).toString();
    if (!isCustom || !names.test(name)) kept.push(module.subarray(start, end));
    at = end;
  }
  return Buffer.concat(kept);
}

function optimise(wasmOpt, from, to, { suspendable }) {
  const asyncify = [
    "--asyncify",
    "--pass-arg=asyncify-imports@host.pause_point",
    "--pass-arg=asyncify-ignore-indirect",
    `--pass-arg=asyncify-addlist@${CALL_INDIRECTLY.join(",")}`,
    "--pass-arg=asyncify-propagate-addlist",
    `--pass-arg=asyncify-removelist@${NEVER_SUSPENDED.join(",")}`,
  ];
  const passes = suspendable ? asyncify : [];
  execFileSync(wasmOpt, [...FEATURES, from, ...passes, "-O3", "--strip-debug", "--strip-producers", "-o", to], {
    stdio: "inherit",
  });
}

/** A package in dist/wasm with the files of its folder. */
function begin(name, files) {
  const folder = join(dist, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of files) copyFileSync(join(home, "packages", name, file), join(folder, file));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE.txt"));
  return folder;
}

/** What an engine answers to `usi`. */
async function introduction(folder) {
  const { default: createEngine } = await import(pathToFileURL(join(folder, "tsumugi.js")).href);
  const engine = await createEngine();
  const lines = [];
  await new Promise((resolve) => {
    engine.addMessageListener((line) => (lines.push(line), line === "usiok" && resolve()));
    engine.postMessage("usi");
  });
  engine.terminate();
  return lines;
}

/** `option name A type spin default 1 min 0 max 9` as ShogiHome writes it. */
function option(line) {
  const words = /^option name (.+?) type (check|spin|combo|button|string|filename)\b(.*)$/.exec(line);
  if (!words) throw new Error(`not an option: ${line}`);
  const [, name, type, rest] = words;
  const told = { name, type };
  const value = /\bdefault (.*?)(?= min | max | var |$)/.exec(rest)?.[1];
  if (value !== undefined && value !== "<empty>") {
    told.default = type === "spin" ? Number(value) : value;
  }
  for (const limit of ["min", "max"]) {
    const found = new RegExp(`\\b${limit} (-?\\d+)`).exec(rest);
    if (type === "spin" && found) told[limit] = Number(found[1]);
  }
  if (type === "combo") told.vars = [...rest.matchAll(/\bvar (.*?)(?= var |$)/g)].map((found) => found[1]);
  return told;
}

/** What ShogiHome reads: see its specs/wasm-engine-abi.md. */
async function manifest(folder) {
  const lines = await introduction(folder);
  const id = (what) => lines.find((line) => line.startsWith(`id ${what} `)).slice(`id ${what} `.length);
  const values = (level) => ({ USI_Hash: 64, Threads: 1, USI_Level: level });
  const preset = (level, label) => ({
    id: `tsumugi-v1-${level}`,
    displayName: `Tsumugi ${label}`,
    values: values(level),
    tags: ["game"],
    mobileGame: { label: `Tsumugi ${label}` },
  });
  return {
    abi: "shogihome-wasm-engine/1",
    module: "tsumugi.js",
    moduleFormat: "esm",
    name: id("name"),
    author: id("author"),
    badge: `${Math.ceil(statSync(join(folder, "tsumugi.wasm")).size / (1 << 20))}MB`,
    licenses: [
      {
        spdx: "GPL-3.0-or-later",
        file: "LICENSE.txt",
        // Who publishes the package says where its source is.
        ...(process.env.SOURCE_URL ? { source: process.env.SOURCE_URL } : {}),
      },
      { subject: "Tsumugi evaluation network", spdx: "GPL-3.0-or-later", file: "NET.txt" },
    ],
    options: lines.filter((line) => line.startsWith("option ")).map(option),
    presets: [
      ...[["10k", "10級"], ["5k", "5級"], ["1k", "1級"], ["1d", "初段"], ["3d", "三段"], ["5d", "五段"]].map((level) => preset(...level)),
      {
        id: "tsumugi-v1",
        displayName: "Tsumugi",
        values: values("full"),
        tags: ["game", "research", "mate"],
        mobileGame: { label: "Tsumugi" },
      },
    ],
  };
}

needTarget();
const wasmOpt = needBinaryen();

const rules = begin("rules", ["package.json", "rules.js", "rules.d.ts", "README.md"]);
const compiled = compile(wasmOpt, "tsumugi-rules");
if (isQuick) {
  copyFileSync(compiled, join(rules, "rules.wasm"));
} else {
  optimise(wasmOpt, compiled, join(rules, "rules.wasm"), { suspendable: false });
  const engine = begin("tsumugi-wasm", ["package.json", "tsumugi.js", "tsumugi.d.ts", "README.md"]);
  copyFileSync(join(root, "nets", "CARD.md"), join(engine, "NET.txt"));
  // ShogiHome plays shogi and takes engines up to a size.
  const shogi = compile(wasmOpt, "tsumugi-wasm", "--no-default-features");
  optimise(wasmOpt, shogi, join(engine, "tsumugi.wasm"), { suspendable: true });
  writeFileSync(join(engine, "engine.json"), `${JSON.stringify(await manifest(engine), null, 2)}\n`);
  // A folder that any server of files can hand out.
  const page = join(dist, "page");
  rmSync(page, { recursive: true, force: true });
  cpSync(join(home, "page"), page, { recursive: true });
  for (const name of ["rules", "tsumugi-wasm"]) cpSync(join(dist, name), join(page, name), { recursive: true });
  rmSync(join(page, "tsumugi-wasm", "engine.json"));
  optimise(wasmOpt, compile(wasmOpt, "tsumugi-wasm"), join(page, "tsumugi-wasm", "tsumugi.wasm"), { suspendable: true });
}

for (const file of ["rules/rules.wasm", "tsumugi-wasm/tsumugi.wasm"].filter((file) => existsSync(join(dist, file)))) {
  const { size } = statSync(join(dist, file));
  console.log(`dist/wasm/${file}: ${size} bytes`);
  if (size > LARGEST) throw new Error(`dist/wasm/${file} has more than ${LARGEST} bytes`);
}
