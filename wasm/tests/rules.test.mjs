// @tsumugi/rules in Node.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { data, isLong, json, jsonLines, load } from "./support.mjs";

const { loadRules } = await load("rules/rules.js");
const rules = await loadRules();

/** Larger counts are left to the long form. */
const MOST = isLong ? 600_000_000 : 300_000;

/** Checks counts by depth; returns how many. */
function check(game, counts, label) {
  let checked = 0;
  for (const [depth, count] of counts) {
    if (count > MOST) continue;
    assert.equal(game.perft(Number(depth)), count, `${label}, depth ${depth}`);
    checked += 1;
  }
  return checked;
}

const byDepth = (counts) => counts.map((count, index) => [index + 1, count]);

test("perft of shogi", () => {
  let checked = 0;
  for (const [name, { sfen, perft }] of Object.entries(json("perft/shogi.json").positions)) {
    checked += check(rules.open("shogi", { position: sfen }), Object.entries(perft), name);
  }
  assert.ok(checked >= 90, `${checked}`);
});

test("perft of 66shogi and other sets", () => {
  const variants = data("66shogi/sets.ini").toString();
  let checked = 0;
  for (const entry of jsonLines("66shogi/perft.jsonl")) {
    const game = rules.open(entry.variant, { variants });
    if (entry.kind === "setup_table") {
      checked += check(game, byDepth(entry.perft), "setup");
      continue;
    }
    game.set(`sfen ${entry.start}${entry.moves.length ? ` moves ${entry.moves.join(" ")}` : ""}`);
    // What else decides stands behind it.
    assert.ok(game.sfen.startsWith(entry.sfen), game.sfen);
    assert.equal(game.isCheck, entry.in_check);
    assert.deepEqual(game.legalMoves().sort(), [...entry.legal].sort(), entry.sfen);
    checked += check(game, byDepth(entry.perft), entry.sfen);
    game.close();
  }
  assert.ok(checked >= 150, `${checked}`);
});

test("perft of variants.ini games", () => {
  const { sections, entries } = json("fairy/perft.json");
  // Parents come first.
  const inherits = (text) => Number(text.split("\n", 1)[0].includes(":"));
  const variants = Object.values(sections).sort((a, b) => inherits(a) - inherits(b)).join("\n\n");
  let checked = 0;
  for (const entry of entries) {
    const game = rules.open(entry.section, { variants, position: entry.sfen });
    const label = `${entry.section} ${entry.sfen}`;
    const mates = entry.drop_pawn_mates_usi ?? [];
    const legal = entry.legal_usi.filter((move) => !mates.includes(move));
    assert.deepEqual(game.legalMoves().sort(), legal.sort(), label);
    checked += check(game, byDepth(entry.perft_no_drop_pawn_mate ?? entry.perft), label);
    game.close();
  }
  assert.ok(checked >= 500, `${checked}`);
});

test("perft of Freeze shogi", () => {
  let checked = 0;
  for (const entry of jsonLines("freeze/perft_shared.jsonl")) {
    const moves = entry.moves.length ? ` moves ${entry.moves.join(" ")}` : "";
    const game = rules.open("freeze", { position: `sfen ${entry.start}${moves}` });
    assert.equal(game.sfen, entry.sfen);
    checked += check(game, byDepth(entry.perft), entry.sfen);
    game.close();
  }
  assert.ok(checked > 10, `${checked}`);
});

test("perft of Binarsi", () => {
  // crates/binarsi/tests/games.rs
  check(rules.open("binarsi"), byDepth([4, 76, 1974, 59_099, 2_065_063, 82_853_428]), "start");
});

test("legal moves are those of cshogi", () => {
  const entries = jsonLines("movegen/cshogi.jsonl");
  for (const { sfen, moves } of entries) {
    const game = rules.open("shogi", { position: sfen });
    assert.deepEqual(game.legalMoves().sort(), moves.split(" ").filter(Boolean).sort(), sfen);
    game.close();
  }
  assert.ok(entries.length > 10);
});

test("a game", () => {
  const game = rules.open();
  assert.equal(game.name, "shogi");
  assert.deepEqual([game.turn, game.moveNumber, game.isCheck, game.outcome, game.mayDeclare], [0, 1, false, null, false]);
  assert.equal(game.legalMoves().length, 30);
  assert.equal(game.notation("7g7f"), "▲７六歩(77)");
  assert.deepEqual(game.notationOfLine(["7g7f", "3c3d", "8h2b+"]), ["▲７六歩(77)", "△３四歩(33)", "▲２二角成(88)"]);
  for (const text of ["７六歩", "▲７六歩(77)", "7g7f"]) assert.equal(game.parse(text), "7g7f", text);
  assert.throws(() => game.parse("５五王"), Error);
  assert.equal(game.isLegal("7g7e"), false);
  assert.match(game.whyIllegal("7g7e"), /7g7e/);
  assert.throws(() => game.play("7g7e"), /7g7e/);
  assert.equal(game.play("7g7f"), "7g7f");
  const copy = game.copy();
  copy.play("3c3d");
  assert.deepEqual([game.history, copy.history], [["7g7f"], ["7g7f", "3c3d"]]);
  assert.equal(copy.undo(), "3c3d");
  assert.equal(copy.key, game.key);
  assert.equal(game.undo(), "7g7f");
  assert.equal(game.undo(), undefined);
  game.set("startpos moves 7g7f 3c3d");
  assert.equal(game.position, `sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 moves 7g7f 3c3d`);
  const before = game.sfen;
  assert.throws(() => game.set("startpos moves 7g7f 7f7d"), /7f7d/);
  assert.throws(() => game.set("sfen nonsense"), Error);
  assert.equal(game.sfen, before);
  assert.deepEqual(game.history, ["7g7f", "3c3d"]);
  const board = game.board();
  assert.deepEqual([board.files.length, board.ranks.length, board.cells.length], [9, 9, 81]);
  assert.deepEqual(board.cells[0], { text: "香", player: 1, promoted: false, frozen: false });
  assert.match(game.picture(), /香/);
  assert.match(game.picture({ kanji: false }), /L/);
  game.close();
  assert.throws(() => game.legalMoves(), /closed/);
  assert.throws(() => game.perft(1), /closed/);
  assert.throws(() => copy.perft(-1), RangeError);
});

test("how games end", () => {
  const mated = rules.open("shogi", { position: "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2" });
  assert.deepEqual(mated.outcome, { winner: 0, reason: "no legal move" });
  const again = rules.open();
  for (let round = 0; round < 3; round++) for (const move of ["2h3h", "8b7b", "3h2h", "7b8b"]) again.play(move);
  assert.deepEqual(again.outcome, { winner: null, reason: "repetition" });
  const declared = jsonLines("rules/declaration.jsonl");
  for (const { sfen, declares } of declared) {
    const game = rules.open("shogi", { position: sfen });
    assert.equal(game.mayDeclare, declares, sfen);
    game.close();
  }
  assert.ok(declared.some(({ declares }) => declares) && declared.some(({ declares }) => !declares));
});

test("every game opens and can be played", () => {
  const games = rules.games();
  assert.ok(games.length >= 20 && games[0] === "shogi" && games.includes("66shogi"), games.join(" "));
  for (const name of games) {
    const game = rules.open(name);
    for (let ply = 0; ply < 30 && game.outcome === null; ply++) {
      const moves = game.legalMoves();
      const move = moves[(ply * 7919) % moves.length];
      assert.ok(game.notation(move).length > 1, `${name} ${move}`);
      game.play(move);
    }
    const there = rules.open(name, { position: game.position });
    assert.equal(there.sfen, game.sfen, name);
    game.close();
    there.close();
  }
  assert.throws(() => rules.open("chess"), /chess/);
  assert.throws(() => rules.open("x", { variants: "[x:nothing]\nfoo = bar" }), Error);
});

test("records there and back", () => {
  const names = readdirSync(new URL("../../testdata/records", import.meta.url));
  let games = 0;
  for (const name of names.filter((name) => /\.(kif|kifu|ki2|csa|jkf|usi|usen)$/.test(name))) {
    const record = data(`records/${name}`);
    let read;
    try {
      read = rules.read(record);
    } catch {
      continue;
    }
    assert.ok(rules.detect(record), name);
    for (const to of ["kif", "csa", "jkf", "usi", "ki2"]) {
      const written = rules.convert(record, to);
      assert.equal(written.length, read.length, `${name} to ${to}`);
      for (const [index, { text, bytes }] of written.entries()) {
        if (read[index].moves.length > 0) assert.equal(rules.detect(bytes), to, `${name} to ${to}`);
        const [back] = rules.read(text);
        assert.deepEqual(back.moves, read[index].moves, `${name} to ${to} and back`);
        games += 1;
      }
    }
  }
  assert.ok(games >= 30, `${games}`);
});

test("Shift_JIS, names and endings", () => {
  const text = "開始日時：2026/11/19\n先手：紬\n後手：糸\n手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n";
  const [{ bytes }] = rules.convert(text, "kif", { encoding: "sjis" });
  assert.ok(!Buffer.from(bytes).equals(Buffer.from(new TextEncoder().encode(new TextDecoder().decode(bytes)))));
  const [game] = rules.read(bytes);
  assert.deepEqual(game.moves, ["7g7f", "3c3d"]);
  assert.deepEqual([game.game, game.ending, game.result], ["shogi", "投了", "1"]);
  assert.ok(game.header.some(([name, value]) => name === "先手" && value === "紬"), JSON.stringify(game.header));
  assert.throws(() => rules.read("nothing of the kind"), Error);
  assert.throws(() => rules.convert(text, "pgn"), /pgn/);
});

test("records of other games", () => {
  for (const name of ["freeze", "66shogi", "minishogi", "binarsi"]) {
    const game = rules.open(name);
    for (let ply = 0; ply < 20 && game.outcome === null; ply++) {
      const moves = game.legalMoves();
      game.play(moves[(ply * 31) % moves.length]);
    }
    const [{ text }] = rules.convert(`position ${game.position}`, "kif", { game: name });
    const [back] = rules.read(text);
    assert.equal(back.game, name);
    assert.deepEqual(back.moves, game.history, text);
  }
});

test("bad requests change nothing", () => {
  const game = rules.open();
  for (const bad of ["", "7g7f moves", "sfen", "startpos moves x", "\n", "\0", "9".repeat(10_000)]) {
    assert.throws(() => game.set(bad), Error, JSON.stringify(bad).slice(0, 40));
  }
  for (const bad of ["", "\n", "7g7f\n", "💥", "0000", "a".repeat(100_000)]) assert.equal(game.isLegal(bad), false);
  assert.equal(game.legalMoves().length, 30);
});
