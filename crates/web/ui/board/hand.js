// The pieces that a player holds, on a stand beside the board.
import { html, svg } from '../dom.js';
import { language, t } from '../i18n/i18n.js';
import { icon } from '../icons.js';
import { pieceImage } from '../pieces/piece.js';
import { pieceName, sideName } from './names.js';

/**
 * @typedef {import('../pieces/piece.js').PieceLook & { count: number, locked?: boolean }} Held
 */

export class Hand {
  /** @param {0 | 1} side @param {import('./board.js').Board} board */
  constructor(side, board) {
    this.side = side;
    this.board = board;
    /** @type {Held[]} */
    this.held = [];
    this.element = html('div', { class: 'hand', role: 'group', data: { side: String(side) } });
  }

  /** @param {Held[]} held @param {{ active: boolean }} state active: this side may drop now */
  show(held, { active }) {
    this.held = held;
    this.active = active;
    this.draw();
  }

  draw() {
    const look = this.board.drawing.look;
    const names = this.held.filter((piece) => piece.count > 0).map((piece) => `${pieceName(piece)} ${piece.count}`);
    this.element.setAttribute('aria-label', t('hand.label', { side: sideName(this.side), pieces: names.join(language() === 'ja' ? '、' : ', ') || t('hand.none') }));
    this.element.classList.toggle('is-own', (this.side === 0) !== look.flipped);
    this.element.replaceChildren(...this.held.map((piece) => this.button(piece, look)));
    if (this.held.length === 0) this.element.append(html('p', { text: t('hand.none') }));
  }

  /** @param {Held} piece @param {import('./drawing.js').Look} look */
  button(piece, look) {
    const from = `${piece.kind}*`;
    const can = Boolean(this.active) && !piece.locked && this.board.targets(from).length > 0;
    const button = html(
      'button',
      {
        type: 'button', class: `held${piece.locked ? ' is-locked' : ''}`, disabled: !can, data: { drop: from },
        'aria-pressed': String(this.board.selected === from && can),
        'aria-label': `${pieceName(piece)} ${piece.count}${piece.locked ? ` ${t('hand.locked')}` : ''}`,
      },
      pieceImage({ ...piece, side: this.side }, look),
      piece.count > 1 && html('span', { class: 'count', text: String(piece.count) }),
      piece.locked && svg('svg', { class: 'strike', viewBox: '0 0 100 100' }, svg('line', { x1: 10, y1: 88, x2: 90, y2: 14 })),
      piece.locked && icon('lock', 'lock'),
    );
    if (can) {
      button.style.touchAction = 'none';
      button.addEventListener('pointerdown', (event) => {
        if (event.button === 0) this.board.beginDrag(from, event);
      });
      button.addEventListener('click', (event) => {
        // Pressing has chosen it already; keys and screen readers only click.
        if (event.detail === 0) this.board.select(this.board.selected === from ? null : from);
      });
    }
    return button;
  }

  /** Shows which piece is chosen. @param {string | null} from */
  choose(from) {
    for (const button of this.element.querySelectorAll('button')) button.setAttribute('aria-pressed', String(!button.disabled && button.dataset.drop === from));
  }

  /** @param {string} from */
  pieceOf(from) {
    const held = this.held.find((piece) => `${piece.kind}*` === from);
    return held ? { ...held, side: this.side } : null;
  }
}
