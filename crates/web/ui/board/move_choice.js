// From "this piece to that square" to one move: promotion, then a freeze, where the rules leave a choice.
import { t } from '../i18n/i18n.js';
import { facesOf } from '../state/scene.js';
import { choosePiece } from './chooser.js';
import { freezeChoice } from './freezes.js';
import { moveName } from './names.js';

/**
 * @typedef {import('../protocol').Choice} Choice
 * @typedef {object} Asker what a choice needs of its page
 * @property {(base: string) => Promise<Choice[]>} expand
 * @property {HTMLElement} freezePlace where the row of freezes stands
 */

/** The question that is open, so that another one ends it. @type {(() => void) | null} */
let endOpen = null;

/**
 * @param {import('./table.js').Table} table
 * @param {import('../state/scene.js').Rules} rules
 * @param {{ from: string, to: string }} base
 * @param {Asker} asker
 * @returns {Promise<string | null>}
 */
export async function chooseMove(table, rules, base, { expand, freezePlace }) {
  endOpen?.();
  const scene = table.scene;
  const board = table.board;
  if (!scene || !board) return null;
  const legal = scene.legal.find((move) => move.from === base.from && move.to === base.to);
  if (legal?.play) return legal.play;
  let choices = await expand(base.from + base.to);
  const forms = new Map(choices.map((choice) => [`${choice.becomes ?? ''}${choice.promotes}`, choice]));
  if (forms.size > 1) {
    const faces = facesOf(rules);
    const piece = board.pieceOf(base.from);
    const options = [...forms.entries()].sort(([, a], [, b]) => Number(b.promotes) - Number(a.promotes)).map(([form, choice]) => {
      const face = faces.get(choice.becomes ?? '') ?? piece;
      return { move: form, label: t(choice.promotes ? 'promote.yes' : 'promote.no'), piece: { .../** @type {any} */ (face), side: scene.side } };
    });
    const form = await choosePiece(board, base.to, options);
    if (form === null) return null;
    choices = choices.filter((choice) => `${choice.becomes ?? ''}${choice.promotes}` === form);
  }
  if (choices.length === 1) return choices[0].move;
  return askFreeze(table, rules, base, choices, freezePlace);
}

/**
 * @param {import('./table.js').Table} table
 * @param {import('../state/scene.js').Rules} rules
 * @param {{ from: string, to: string }} base
 * @param {Choice[]} choices
 * @param {HTMLElement} place
 * @returns {Promise<string | null>}
 */
function askFreeze(table, rules, base, choices, place) {
  const scene = /** @type {import('../state/scene.js').Scene} */ (table.scene);
  const board = /** @type {import('./board.js').Board} */ (table.board);
  const bare = choices.find((choice) => !choice.freezes) ?? choices[0];
  const cells = scene.cells.slice();
  const [from, to] = [board.geometry.indexOf(base.from), board.geometry.indexOf(base.to)];
  const moved = board.pieceOf(base.from);
  const face = facesOf(rules).get(bare.becomes ?? '');
  if (from >= 0) cells[from] = null;
  cells[to] = moved ? { ...moved, ...(face ?? {}), side: scene.side, frozen: false } : null;
  const back = document.activeElement;
  return new Promise((resolve) => {
    let settled = false;
    const answer = (/** @type {string | null} */ move) => {
      if (settled) return;
      settled = true;
      endOpen = null;
      question.element.remove();
      if (move === null) {
        table.show(scene, { animate: false, active: table.active });
        if (back instanceof HTMLElement) back.focus();
      }
      resolve(move);
    };
    const question = freezeChoice({
      say: moveName({ move: bare.move, ...bare.name }, scene.side), side: scene.side, left: scene.freeze?.left[scene.side] ?? 0,
      moves: choices.map((choice) => ({ move: choice.move, freezes: choice.freezes ?? null })),
      kinds: [...facesOf(rules).values()], look: board.drawing.look,
      preview: (kind) => {
        const shown = cells.map((piece) => (piece && piece.side !== scene.side ? { ...piece, frozen: piece.key === kind } : piece));
        board.show({ cells: shown, legal: [], last: from >= 0 ? [base.from, base.to] : [base.to], check: null, side: scene.side }, false);
      },
      answer,
    });
    endOpen = () => answer(null);
    place.replaceChildren(question.element);
    question.focus();
  });
}

/** Ends an open question without a move. */
export const endChoice = () => endOpen?.();
