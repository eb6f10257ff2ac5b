// A choice among the moves that one base move stands for: promotion beside the square.
import { html } from '../dom.js';
import { t } from '../i18n/i18n.js';
import { pieceImage } from '../pieces/piece.js';

/**
 * @typedef {{ move: string, label: string, piece: import('../pieces/piece.js').PieceLook }} Choice
 */

/**
 * Asks which of several pieces it becomes.
 * @param {import('./board.js').Board} board
 * @param {string} square
 * @param {Choice[]} choices
 * @returns {Promise<string | null>} the move, or null if the person thought better of it
 */
export function choosePiece(board, square, choices) {
  return new Promise((resolve) => {
    const back = document.activeElement;
    const done = (/** @type {string | null} */ move) => {
      box.remove();
      removeEventListener('pointerdown', outside, true);
      if (back instanceof HTMLElement) back.focus();
      resolve(move);
    };
    const outside = (/** @type {PointerEvent} */ event) => {
      if (!box.contains(/** @type {Node} */ (event.target))) done(null);
    };
    const buttons = choices.map((choice) =>
      html('button', { type: 'button', data: { move: choice.move }, onclick: () => done(choice.move) }, pieceImage(choice.piece, board.drawing.look), choice.label),
    );
    const box = html('div', { class: 'chooser', role: 'dialog', 'aria-label': t('promotion.label') }, buttons);
    box.addEventListener('keydown', (event) => {
      const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      if (event.key === 'Escape') done(null);
      else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') buttons[(at + (event.key === 'ArrowRight' ? 1 : buttons.length - 1)) % buttons.length].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    board.element.append(box);
    place(box, board, square);
    buttons[0].focus();
    addEventListener('pointerdown', outside, true);
  });
}

/** @param {HTMLElement} box @param {import('./board.js').Board} board @param {string} square */
function place(box, board, square) {
  const { x, y } = board.centre(square);
  const scale = board.element.clientWidth / board.geometry.width;
  const left = Math.min(Math.max(4, x * scale - box.offsetWidth / 2), board.element.clientWidth - box.offsetWidth - 4);
  const below = y * scale + 0.6 * board.geometry.cell.height * scale;
  const above = y * scale - 0.6 * board.geometry.cell.height * scale - box.offsetHeight;
  box.style.left = `${left}px`;
  box.style.top = `${above >= 0 ? above : below}px`;
}
