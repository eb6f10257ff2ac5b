// A board in the browser and the engine as the opponent: no server but one that hands out files.
import { loadRules } from "./rules/rules.js";

const element = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const rules = await loadRules();
const worker = new Worker("worker.js", { type: "module" });
/** Milliseconds for a move of the engine. */
const THINKING = Number(new URLSearchParams(location.search).get("movetime") ?? 1000);

let game = rules.open();
/** What has been chosen of a move: the beginning of its text, such as `7g` or `P*`. */
let chosen = "";
let person = 0;
let isThinking = false;

const send = (/** @type {string[]} */ ...lines) => lines.forEach((line) => worker.postMessage(line));

worker.onmessage = ({ data }) => {
  if (data === "ready") {
    send("usi");
  } else if (data.startsWith("option name USI_Level ")) {
    const levels = [...data.matchAll(/ var (\S+)/g)].map(([, level]) => level);
    element("level").replaceChildren(...levels.map((level) => new Option(level, level)));
    element("level").value = data.match(/ default (\S+)/)[1];
  } else if (data === "usiok") {
    begin();
  } else if (data.startsWith("info ") && data.includes(" pv ")) {
    element("line").textContent = data.slice("info ".length);
  } else if (data.startsWith("bestmove ") && isThinking) {
    isThinking = false;
    const move = data.split(" ")[1];
    if (game.isLegal(move)) game.play(move);
    show(move === "resign" ? "投了 / resigns" : "");
  }
};

function begin() {
  const name = element("game").value || "shogi";
  if (isThinking) send("stop");
  isThinking = false;
  game.close();
  game = rules.open(name);
  person = Number(element("side").value);
  chosen = "";
  send(`setoption name USI_Variant value ${name}`, `setoption name USI_Level value ${element("level").value}`, "isready", "usinewgame");
  turn();
}

function turn() {
  if (game.turn !== person && !game.outcome) {
    isThinking = true;
    send(`position ${game.position}`, `go movetime ${THINKING}`);
  }
  show();
}

/** The name of a square as USI writes it. */
const nameOf = (/** @type {any} */ board, /** @type {number} */ index) => {
  const files = board.files.length;
  return `${files - (index % files)}${String.fromCharCode(97 + Math.floor(index / files))}`;
};

/** A square or a piece in hand was chosen: the move that begins so, if that is all there is to say. */
function choose(/** @type {string} */ word) {
  if (isThinking || game.turn !== person || game.outcome) return;
  const moves = game.legalMoves();
  const begun = moves.filter((move) => move.startsWith(chosen + word));
  if (begun.length === 0) {
    chosen = moves.some((move) => move.startsWith(word)) ? word : "";
    return show();
  }
  if (chosen === "" && !begun.includes(word)) {
    chosen = word;
    return show();
  }
  let move = begun[0];
  const promotes = begun.find((other) => other.endsWith("+"));
  if (promotes && begun.length > 1) move = confirm("成りますか / promote?") ? promotes : begun.find((other) => !other.endsWith("+")) ?? move;
  chosen = "";
  game.play(move);
  turn();
}

function pieceOf(/** @type {any} */ cell, /** @type {boolean} */ isStone) {
  const piece = document.createElement("span");
  piece.textContent = isStone ? "" : cell.text;
  piece.className = [cell.player && "second", cell.promoted && "promoted", isStone && "stone"].filter(Boolean).join(" ");
  return piece;
}

function show(said = "") {
  const board = game.board();
  const moves = game.turn === person && !isThinking ? game.legalMoves() : [];
  const last = game.history.at(-1) ?? "";
  const rows = board.ranks.map((_, rank) => {
    const row = document.createElement("tr");
    for (let file = 0; file < board.files.length; file++) {
      const index = rank * board.files.length + file;
      const name = nameOf(board, index);
      const button = document.createElement("button");
      button.dataset.square = name;
      button.ariaLabel = `${name} ${board.cells[index]?.text ?? ""}`;
      if (board.cells[index]) button.append(pieceOf(board.cells[index], board.stones));
      button.classList.toggle("chosen", chosen === name);
      button.classList.toggle("target", chosen !== "" && moves.some((move) => move.startsWith(chosen + name)));
      button.classList.toggle("last", last.includes(name));
      button.onclick = () => choose(name);
      const cell = document.createElement("td");
      cell.append(button);
      row.append(cell);
    }
    return row;
  });
  element("board").replaceChildren(...rows);
  for (const player of [0, 1]) {
    const letters = /** @type {Record<string, string>} */ ({ 飛: "R", 角: "B", 金: "G", 銀: "S", 桂: "N", 香: "L", 歩: "P", 玉: "K", 王: "K" });
    const buttons = board.hands[player].map(({ text, count }) => {
      const button = document.createElement("button");
      const drop = `${letters[text] ?? text.toUpperCase()}*`;
      button.append(pieceOf({ text: count > 1 ? `${text}${count}` : text, player }, false));
      button.classList.toggle("chosen", player === person && chosen === drop);
      button.onclick = () => player === person && choose(drop);
      return button;
    });
    element(`hand${player}`).replaceChildren(...buttons);
  }
  const { outcome } = game;
  const ended = outcome && (outcome.winner === null ? "引き分け / draw" : `${outcome.winner === person ? "勝ち / you win" : "負け / you lose"}`);
  element("state").textContent =
    said || (ended && `${ended} (${outcome.reason})`) || (isThinking ? "考慮中 / thinking …" : `${game.moveNumber}手目 / your move`);
}

// Binarsi is not played from square to square.
element("game").replaceChildren(...rules.games().filter((name) => name !== "binarsi").map((name) => new Option(name, name)));
element("new").onclick = begin;
element("back").onclick = () => {
  if (isThinking) return;
  do game.undo();
  while (game.turn !== person && game.history.length > 0);
  chosen = "";
  turn();
};
show();
