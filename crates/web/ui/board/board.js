// The board that people play on: mouse, touch and keys over a drawing.
import { html } from '../dom.js';
import { t } from '../i18n/i18n.js';
import { pieceImage } from '../pieces/piece.js';
import { BoardDrawing } from './drawing.js';
import { squareLabel } from './names.js';

/**
 * @typedef {import('../pieces/piece.js').PieceLook} PieceLook
 * @typedef {{ from: string, to: string }} BaseMove `from` is a square or a drop such as `P*`
 * @typedef {object} Shown what the board shows
 * @property {(PieceLook | null)[]} cells
 * @property {BaseMove[]} legal
 * @property {string[]} last squares: from, to
 * @property {string | null} check
 * @property {number} side whose turn it is
 * @property {boolean} [placing] a setup goes on
 * @property {string[]} [lit]
 * @typedef {object} BoardEvents
 * @property {(move: BaseMove, at: DOMRect) => void} [onMove]
 * @property {(from: string | null) => void} [onSelect]
 * @property {(square: string, button: number) => void} [onSquare] a square that is neither source nor target was pressed
 * @property {(from: string, to: string) => void} [onArrow] an arrow (or a circle, from = to) was drawn
 * @property {(letter: string) => boolean} [onLetter] a letter was typed on the board; true if it was used
 */

/** A press that travels less is a tap. */
const DRAG_PIXELS = 6;

export class Board {
  /**
   * @param {import('./geometry.js').Geometry} geometry
   * @param {import('./drawing.js').Look} look
   * @param {BoardEvents} [events]
   */
  constructor(geometry, look, events = {}) {
    this.geometry = geometry;
    this.events = events;
    this.drawing = new BoardDrawing(geometry, look);
    /** @type {string | null} */
    this.selected = null;
    /** @type {Shown} */
    this.shown = { cells: [], legal: [], last: [], check: null, side: 0 };
    /** @type {import('./marks.js').Marks} */
    this.extra = {};
    this.dots = true;
    /** @type {{ from: string, x: number, y: number, ghost: HTMLElement | null, pointer: number, wasSelected: boolean } | null} */
    this.press = null;
    /** @type {{ from: string, pointer: number } | null} */
    this.pen = null;
    this.focused = 0;
    /** What stands behind a drop such as `P*`. @type {((from: string) => PieceLook | null) | null} */
    this.handPiece = null;
    this.grid = html('div', { class: 'cells', role: 'grid', 'aria-label': t('board.label') });
    this.element = html('div', { class: 'board' }, this.drawing.element, this.grid);
    /** @type {HTMLElement[]} */
    this.cells = [];
    this.layOut();
    this.listen();
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  layOut() {
    const { files, ranks, cell, margin, width, height } = this.geometry;
    this.grid.replaceChildren();
    Object.assign(this.grid.style, {
      left: `${(100 * margin.left) / width}%`, top: `${(100 * margin.top) / height}%`,
      width: `${(100 * files * cell.width) / width}%`, height: `${(100 * ranks * cell.height) / height}%`,
      gridTemplateColumns: `repeat(${files}, 1fr)`, gridTemplateRows: `repeat(${ranks}, 1fr)`,
    });
    this.element.style.aspectRatio = `${width} / ${height}`;
    this.cells = [];
    for (let row = 0; row < ranks; row++) {
      const line = html('div', { role: 'row' });
      for (let column = 0; column < files; column++) {
        const element = html('div', { role: 'gridcell', tabindex: -1 });
        this.cells.push(element);
        line.append(element);
      }
      this.grid.append(line);
    }
    this.focused = this.geometry.files * (this.geometry.ranks - 1);
  }

  measure() {
    const cell = (this.element.clientWidth * this.geometry.cell.width) / this.geometry.width;
    this.element.classList.toggle('cells-small', cell < 44);
    /** @type {HTMLElement | null} */ (this.element.closest('[data-cell]'))?.style.setProperty('--cell', `${cell.toFixed(2)}px`);
    this.element.style.setProperty('--cell', `${cell.toFixed(2)}px`);
  }

  /** @param {Shown} shown @param {boolean} [animate] */
  show(shown, animate = true) {
    this.cancelDrag();
    this.shown = shown;
    this.selected = null;
    const [from, to] = shown.last.map((square) => this.geometry.indexOf(square));
    const moved = animate && from >= 0 && to >= 0 && from !== to ? { from, to } : null;
    this.drawing.drawPieces(shown.cells, moved);
    this.label();
    this.mark();
  }

  /** @param {Partial<import('./drawing.js').Look>} change */
  restyle(change) {
    this.drawing.restyle(change);
    this.drawing.drawPieces(this.shown.cells);
    this.label();
    this.mark();
  }

  get flipped() {
    return this.drawing.look.flipped;
  }

  /** Brings labels and the one cell that Tab reaches up to date. */
  label() {
    const can = new Set(this.shown.legal.map((move) => move.from));
    this.grid.setAttribute('aria-label', t('board.label'));
    this.grid.classList.toggle('can-act', this.shown.legal.length > 0 || Boolean(this.events.onSquare));
    for (const [place, element] of this.cells.entries()) {
      const index = this.geometry.place(place, this.flipped);
      const name = this.geometry.nameOf(index);
      element.setAttribute('aria-label', squareLabel(this.geometry, index, this.shown.cells[index]));
      element.dataset.square = name;
      element.tabIndex = place === this.focused ? 0 : -1;
      element.style.touchAction = can.has(name) ? 'none' : '';
      element.setAttribute('aria-selected', String(this.selected === name));
    }
  }

  mark() {
    const indexOf = (/** @type {string} */ square) => this.geometry.indexOf(square);
    const targets = this.selected ? this.targets(this.selected) : [];
    this.drawing.drawMarks({
      last: this.shown.last.map(indexOf).filter((index) => index >= 0),
      check: this.shown.check ? indexOf(this.shown.check) : null,
      chosen: this.selected && !this.selected.includes('*') ? indexOf(this.selected) : null,
      targets: this.dots || this.shown.placing ? targets.map(indexOf) : [],
      placing: this.shown.placing,
      lit: (this.shown.lit ?? []).map(indexOf),
      ...this.extra,
    });
  }

  /** @param {string} from @returns {string[]} */
  targets(from) {
    return this.shown.legal.filter((move) => move.from === from).map((move) => move.to);
  }

  /** @param {string | null} from */
  select(from) {
    if (from !== null && this.targets(from).length === 0) from = null;
    if (this.selected === from) return;
    this.selected = from;
    for (const cell of this.cells) cell.setAttribute('aria-selected', String(cell.dataset.square === from));
    this.mark();
    this.events.onSelect?.(from);
  }

  /** @param {string} to */
  tryMove(to) {
    const from = this.selected;
    if (!from || !this.targets(from).includes(to)) return false;
    const at = this.cells[this.geometry.place(this.geometry.indexOf(to), this.flipped)].getBoundingClientRect();
    this.select(null);
    this.events.onMove?.({ from, to }, at);
    return true;
  }

  /** A square was tapped, or Enter pressed on it. @param {string} square @param {boolean} [wasSelected] */
  activate(square, wasSelected = this.selected === square) {
    if (this.selected && this.selected !== square && this.tryMove(square)) return;
    if (wasSelected) this.select(null);
    else if (this.targets(square).length > 0) this.select(square);
    else {
      this.select(null);
      this.events.onSquare?.(square, 0);
    }
  }

  /** @param {PointerEvent} event */
  squareAt(event) {
    const box = this.drawing.element.getBoundingClientRect();
    const scale = this.geometry.width / box.width;
    const index = this.geometry.at((event.clientX - box.left) * scale, (event.clientY - box.top) * scale, this.flipped);
    return index < 0 ? null : this.geometry.nameOf(index);
  }

  listen() {
    this.grid.addEventListener('pointerdown', (event) => this.pressed(event));
    // The mouse takes no focus, so that arrow keys step through the record after a move.
    this.grid.addEventListener('mousedown', (event) => {
      event.preventDefault();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    this.grid.addEventListener('contextmenu', (event) => event.preventDefault());
    this.grid.addEventListener('keydown', (event) => this.typed(event));
    this.grid.addEventListener('click', (event) => {
      // Screen readers click without pressing.
      if (event.detail === 0 && event.target instanceof HTMLElement && event.target.dataset.square) this.activate(event.target.dataset.square);
    });
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    const square = this.squareAt(event);
    if (!square) return;
    if (event.button === 2) {
      if (this.events.onArrow) this.draw(square, event);
      else this.events.onSquare?.(square, 2);
      return;
    }
    if (event.button !== 0) return;
    this.focus(this.geometry.place(this.geometry.indexOf(square), this.flipped), false);
    if (this.targets(square).length === 0) {
      this.activate(square);
      return;
    }
    if (this.selected && this.targets(this.selected).includes(square)) {
      this.activate(square);
      return;
    }
    this.beginDrag(square, event);
  }

  /** Presses a piece, on the board or in hand. @param {string} from @param {PointerEvent} event */
  beginDrag(from, event) {
    const wasSelected = this.selected === from;
    this.select(from);
    this.press = { from, x: event.clientX, y: event.clientY, ghost: null, pointer: event.pointerId, wasSelected };
    const controller = new AbortController();
    this.endDrag = () => controller.abort();
    const options = { signal: controller.signal };
    addEventListener('pointermove', (moved) => this.dragged(moved), options);
    addEventListener('pointerup', (up) => this.released(up), options);
    addEventListener('pointercancel', () => this.cancelDrag(), options);
  }

  /** @param {PointerEvent} event */
  dragged(event) {
    const press = this.press;
    if (!press || event.pointerId !== press.pointer) return;
    if (!press.ghost) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG_PIXELS) return;
      const piece = this.pieceOf(press.from);
      if (!piece) return;
      press.ghost = html('div', { class: 'dragged' }, pieceImage(piece, this.drawing.look));
      press.ghost.style.width = `${((this.element.clientWidth * this.geometry.cell.width) / this.geometry.width) * 1.06}px`;
      document.body.append(press.ghost);
      this.drawing.fade(this.geometry.indexOf(press.from), true);
    }
    const size = press.ghost.getBoundingClientRect();
    Object.assign(press.ghost.style, { left: `${event.clientX - size.width / 2}px`, top: `${event.clientY - size.height / 2}px` });
  }

  /** @param {PointerEvent} event */
  released(event) {
    const press = this.press;
    if (!press || event.pointerId !== press.pointer) return;
    const dragged = press.ghost !== null;
    this.cancelDrag();
    const square = this.squareAt(event);
    if (dragged) {
      if (!square || !this.tryMove(square)) this.select(null);
    } else if (press.wasSelected) this.select(null);
  }

  cancelDrag() {
    this.endDrag?.();
    if (this.press?.ghost) {
      this.press.ghost.remove();
      this.drawing.fade(this.geometry.indexOf(this.press.from), false);
    }
    this.press = null;
  }

  /** @param {string} from @returns {PieceLook | null} */
  pieceOf(from) {
    return from.includes('*') ? (this.handPiece?.(from) ?? null) : this.shown.cells[this.geometry.indexOf(from)];
  }

  /** @param {string} from @param {PointerEvent} event */
  draw(from, event) {
    const done = (/** @type {PointerEvent} */ up) => {
      if (up.pointerId !== event.pointerId) return;
      removeEventListener('pointerup', done);
      const to = this.squareAt(up);
      if (to) this.events.onArrow?.(from, to);
    };
    addEventListener('pointerup', done);
  }

  /** @param {number} place @param {boolean} [take] the focus, too */
  focus(place, take = true) {
    this.cells[this.focused].tabIndex = -1;
    this.focused = place;
    this.cells[place].tabIndex = 0;
    if (take) this.cells[place].focus();
  }

  /** @param {KeyboardEvent} event */
  typed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { files, ranks } = this.geometry;
    const [column, row] = [this.focused % files, Math.floor(this.focused / files)];
    const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
    const step = event.shiftKey ? undefined : steps[event.key];
    if (step) {
      const [x, y] = [Math.min(files - 1, Math.max(0, column + step[0])), Math.min(ranks - 1, Math.max(0, row + step[1]))];
      this.focus(y * files + x);
    } else if (event.key === 'Enter' || event.key === ' ') this.activate(/** @type {string} */ (this.cells[this.focused].dataset.square));
    else if (event.key === 'Escape' && this.selected) this.select(null);
    else if (event.key.length === 1 && this.events.onLetter?.(event.key)) {
      // used
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The middle of a square in the drawing. @param {string} square */
  centre(square) {
    return this.geometry.centre(this.geometry.indexOf(square), this.flipped);
  }
}
