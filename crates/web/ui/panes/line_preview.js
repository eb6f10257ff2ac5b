// A small board that walks along an engine's line beside the pane.
import { iconButton } from '../controls.js';
import { smallBoard } from '../board/small_board.js';
import { html, fill } from '../dom.js';
import { moveName } from '../board/names.js';
import { t } from '../i18n/i18n.js';
import { viewScene } from '../state/scene.js';

export class LinePreview {
  /** @param {import('../state/board_state.js').BoardState} state @param {() => boolean} flipped */
  constructor(state, flipped) {
    this.state = state;
    this.flipped = flipped;
    this.turn = 0;
    this.pinned = false;
    this.takesFocus = false;
    this.board = html('div', {});
    this.text = html('p', { class: 'small' });
    this.bar = html('div', { class: 'row' }, iconButton('previous', t('step.previous'), () => this.step(-1)), iconButton('next', t('step.next'), () => this.step(1)), this.text, iconButton('close', t('close'), () => this.close()));
    this.element = html('div', { class: 'preview', role: 'group', 'aria-label': t('preview.label'), hidden: true }, this.board, this.bar);
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.close();
      else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') this.step(event.key === 'ArrowLeft' ? -1 : 1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    /** @type {import('../protocol').NamedMove[]} */
    this.moves = [];
    this.at = 0;
    this.node = 0;
    /** Who plays the line's first move. */
    this.side = 0;
  }

  /** @param {import('../protocol').PvLine} line @param {number} upTo @param {boolean} pinned */
  show(line, upTo, pinned) {
    if (this.pinned && !pinned) return;
    this.moves = line.moves;
    this.at = upTo;
    this.node = this.state.cursor;
    this.side = this.state.scene?.side ?? 0;
    this.pinned = pinned;
    this.element.classList.toggle('is-pinned', pinned);
    this.bar.hidden = !pinned;
    void this.draw();
    this.takesFocus = pinned;
  }

  /** @param {number} step */
  step(step) {
    this.at = Math.min(this.moves.length, Math.max(0, this.at + step));
    void this.draw();
  }

  async draw() {
    const turn = ++this.turn;
    const moves = this.moves.slice(0, this.at);
    try {
      const { scene } = await this.state.port.ask('preview', { board: this.state.id, node: this.node, moves: moves.map((move) => move.move) });
      if (turn !== this.turn || !this.state.rules) return;
      fill(this.board, smallBoard(viewScene(scene, this.state.rules), this.flipped()));
      const last = moves.at(-1);
      this.text.textContent = last ? moveName(last, (this.side + moves.length - 1) % 2) : t('start');
      this.element.hidden = false;
      // What is hidden takes no focus.
      if (this.takesFocus) /** @type {HTMLElement} */ (this.bar.querySelector('button')).focus({ preventScroll: true });
      this.takesFocus = false;
    } catch {
      this.close();
    }
  }

  /** @param {boolean} [force] */
  close(force = true) {
    if (this.pinned && !force) return;
    this.turn++;
    this.pinned = false;
    this.element.hidden = true;
  }
}
