// Freeze shogi: which kind a move freezes. A row of kinds, what the choice means, and the button that plays it.
import { html } from '../dom.js';
import { language, t } from '../i18n/i18n.js';
import { pieceImage } from '../pieces/piece.js';
import { pieceName, sideName } from './names.js';

/**
 * @typedef {{ move: string, freezes: string | null }} FreezeMove `freezes`: the kind as the server names it
 */

/**
 * @param {object} question
 * @param {string} question.say the move without its freeze
 * @param {0 | 1} question.side who moves
 * @param {number} question.left freezes left before the move
 * @param {FreezeMove[]} question.moves
 * @param {import('../pieces/piece.js').PieceLook[]} question.kinds all kinds of the game
 * @param {import('./drawing.js').Look} question.look
 * @param {(kind: string | null) => void} question.preview
 * @param {(move: string | null) => void} question.answer
 */
export function freezeChoice({ say, side, left, moves, kinds, look, preview, answer }) {
  const other = side === 0 ? 1 : 0;
  const bare = moves.find((move) => move.freezes === null) ?? moves[0];
  let chosen = bare;
  const nameOf = (/** @type {string} */ kind) => {
    const face = kinds.find((known) => known.key === kind);
    return face ? pieceName(face) : kind;
  };
  const headline = html('p', { class: 'headline' });
  const meaning = html('p', { 'aria-live': 'polite' });
  const play = html('button', { type: 'button', class: 'primary', text: t('freeze.play'), data: { action: 'play-freeze' }, onclick: () => answer(chosen.move) });
  /** @type {Map<FreezeMove, HTMLButtonElement>} */
  const buttons = new Map();
  const show = () => {
    headline.textContent = chosen.freezes ? t('freeze.headline', { move: say, piece: nameOf(chosen.freezes) }) : say;
    meaning.textContent = chosen.freezes
      ? t('freeze.meaning', { side: sideName(other), piece: nameOf(chosen.freezes), from: left, to: left - 1 })
      : t('freeze.none.meaning', { left });
    for (const [move, button] of buttons) button.setAttribute('aria-checked', String(move === chosen));
    preview(chosen.freezes);
  };
  const option = (/** @type {FreezeMove} */ move, /** @type {import('../dom.js').Child} */ content, /** @type {string} */ label) => {
    const button = html('button', { type: 'button', role: 'radio', 'aria-checked': 'false', 'aria-label': label, data: { freeze: move.freezes ?? '' }, onclick: () => { chosen = move; show(); } }, content);
    buttons.set(move, button);
    return button;
  };
  const choices = kinds.map((kind) => {
    const move = moves.find((known) => known.freezes === kind.key);
    const image = pieceImage({ ...kind, side: other, frozen: false }, { ...look, flipped: side === 0 });
    if (move) return option(move, image, pieceName(kind));
    return html('span', { class: 'absent', 'aria-hidden': 'true' }, image);
  });
  const row = html('div', { class: 'freeze-kinds', role: 'radiogroup', 'aria-label': t('freeze.kinds') }, bare.freezes === null && option(bare, t('freeze.none'), t('freeze.none')), choices);
  row.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
    const list = [...buttons.values()];
    const at = list.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const next = list[(at + (event.key === 'ArrowRight' ? 1 : list.length - 1)) % list.length];
    next.focus();
    next.click();
    event.preventDefault();
    event.stopPropagation();
  });
  const element = html('section', { class: 'pane freeze-choice', 'aria-label': t('freeze.kinds'), lang: language() },
    html('div', { class: 'inside' }, html('div', { class: 'row' }, html('h2', { text: t('freeze.kinds') }), html('span', { class: 'small', text: t('freeze.only') })), row),
    html('footer', { class: 'sticky' }, html('div', { class: 'says' }, headline, meaning), play, html('button', { type: 'button', text: t('cancel'), onclick: () => answer(null) })));
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') answer(null);
    else if (event.key === 'Enter' && document.activeElement === buttons.get(chosen)) answer(chosen.move);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  show();
  return { element, focus: () => (buttons.get(bare) ?? play).focus() };
}
