#!/usr/bin/env node
// Our exports, read back by tsshogi: run by hand.
//
//     npm install --prefix /tmp/tsshogi tsshogi@2.2.0
//     cargo build --release -p tsumugi
//     node tools/check_tsshogi.mjs /tmp/tsshogi/node_modules/tsshogi ../shared/public/records target/release/tsumugi
//
// Every file of the corpus is converted to every format; tsshogi must find the start position, moves, branches and
// endings in it that the corpus's own list expects of the original file, less what the format cannot hold.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [modulePath, corpus, program] = process.argv.slice(2);
if (!program) {
  console.error("usage: check_tsshogi.mjs TSSHOGI-MODULE CORPUS TSUMUGI");
  process.exit(2);
}
const tsshogi = createRequire(import.meta.url)(resolve(modulePath));

// Where the list is wrong about the file (docs/records.md, "Decisions"): a KIF file named .csa, and the sign of
// ILLEGAL_ACTION, which tsshogi 2.2.0 reads as the winner's.
const LIST_ERRORS = ["files/08cefd3d1243.csa", "files/342490a28fd8.csa", "generated/6c1e6a489e6f.jkf"];

const readers = {
  kif: { read: tsshogi.importKIF, branches: true, endings: true },
  ki2: { read: tsshogi.importKI2, branches: true, endings: true },
  csa: { read: tsshogi.importCSA, branches: false, endings: true, csaWords: true },
  csa3: { read: tsshogi.importCSA, branches: false, endings: true, csaWords: true },
  jkf: { read: tsshogi.importJKFString, branches: true, endings: true, csaWords: true },
  usi: { read: (text) => tsshogi.Record.newByUSI(text.trim()), branches: false, endings: false },
  usen: { read: (text) => tsshogi.Record.newByUSEN(text.trim()), branches: true, endings: false },
};

// The tree as the corpus lists it: [parent, move or "!ending"], the main line first.
function treeOf(record) {
  const places = new Map([[record.first, -1]]);
  const list = [];
  record.forEach((node) => {
    if (node.ply === 0) return;
    places.set(node, list.length);
    const step = node.move instanceof tsshogi.Move ? node.move.usi : "!" + nameOf(node.move);
    list.push([places.get(node.prev), step]);
  });
  return list;
}

function nameOf(special) {
  return special.type === "any" ? `any:${special.name}` : special.type;
}

function expectedTree(line) {
  if (line.tree) return line.tree;
  const list = line.moves.map((move, i) => [i - 1, move]);
  if (line.end) list.push([list.length - 1, "!" + line.end]);
  return list;
}

// What a format without branches or endings keeps of a tree, as tsshogi 2.2.0 can see it.
function reduced(tree, reader) {
  let list = tree;
  if (reader.csaWords) {
    list = list.map(([parent, step]) => [parent, step === "!foulWin" ? "!foulLose" : step]);
    if (!reader.branches) list = list.filter(([, step]) => !step.startsWith("!any:"));
  }
  if (!reader.branches) list = mainLine(list);
  return reader.endings ? list : withoutEndings(list);
}

function mainLine(tree) {
  const list = [];
  let at = -1;
  for (;;) {
    const next = tree.findIndex(([parent]) => parent === at);
    if (next < 0) return list;
    list.push([list.length - 1, tree[next][1]]);
    at = next;
  }
}

function withoutEndings(tree) {
  const places = new Map([[-1, -1]]);
  const list = [];
  tree.forEach(([parent, step], i) => {
    if (step.startsWith("!")) return;
    places.set(i, list.length);
    list.push([places.get(parent), step]);
  });
  return list;
}

const lines = readFileSync(join(corpus, "expected.jsonl"), "utf8").trim().split("\n").map((l) => JSON.parse(l));
const totals = {};
let differences = 0;
for (const format of Object.keys(readers)) {
  const reader = readers[format];
  const folder = mkdtempSync(join(tmpdir(), "tsshogi-"));
  const extra = ["--encoding", "utf-8", "--eol", "lf", "--keep-illegal", "-q", "--force"];
  let same = 0;
  let asked = 0;
  for (const group of ["files", "generated"]) {
    try {
      execFileSync(program, ["convert", join(corpus, group), "-o", join(folder, group) + "/", "--to", format, ...extra], {
        stdio: "ignore",
      });
    } catch {
      // Files that could not be read show up as missing below.
    }
    // `a.kif` and `a.csa` may share a stem, so names are found by the stem of the original.
    const names = new Map();
    for (const name of readdirSync(join(folder, group))) {
      if (!statSync(join(folder, group, name)).isFile()) continue;
      names.set(name, join(folder, group, name));
    }
    for (const line of lines.filter((l) => l.file.startsWith(group + "/"))) {
      const stem = line.file.slice(group.length + 1).replace(/\.[^.]*$/, "");
      const path = [...names].find(([name]) => name.replace(/\.[^.]*$/, "") === stem)?.[1];
      const siblings = lines.filter(
        (l) => l.file.startsWith(group + "/") && l.file.slice(group.length + 1).replace(/\.[^.]*$/, "") === stem,
      );
      // Several originals of one name: which export is whose cannot be told.
      if (siblings.length > 1 || LIST_ERRORS.includes(line.file)) continue;
      asked++;
      let found;
      try {
        const record = path && reader.read(readFileSync(path, "utf8"));
        if (!record) found = "nothing";
        else if (record instanceof Error) found = String(record);
        else {
          const ours = JSON.stringify([record.initialPosition.sfen, reduced(treeOf(record), reader)]);
          const theirs = JSON.stringify([line.init, reduced(expectedTree(line), reader)]);
          if (ours === theirs) {
            same++;
            continue;
          }
          found = `${ours.slice(0, 200)}\n    instead of ${theirs.slice(0, 200)}`;
        }
      } catch (error) {
        found = String(error);
      }
      differences++;
      if (differences <= 40) console.log(`${line.file} as ${format}: ${found}`);
    }
  }
  totals[format] = `${same} of ${asked}`;
  rmSync(folder, { recursive: true });
}
console.table(totals);
process.exit(differences > 0 ? 1 : 0);
