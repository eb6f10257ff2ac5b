// The thirteen ways of Binarsi as buttons around the board, the operators of the chosen one, and the six targets.
import { html, svg } from '../dom.js';
import { pick, t, word } from '../i18n/i18n.js';
import { icon } from '../icons.js';

/**
 * @typedef {{ op: string, move: string, preview: (string | null)[], lights: string[], locks: string[] }} Operator `preview`: the way after the move, square by square
 * @typedef {{ way: string, locked: boolean, fresh: boolean, moves: number, inputs: string[] }} Way
 * @typedef {{ id: string, name: import('../protocol').Words, side: 0 | 1, length: number, shape: string, lit: boolean, ply: number | null }} Target
 */

/** Squares of a way, in its own order. @param {import('./geometry.js').Geometry} geometry @param {string} way */
export function squaresOf(geometry, way) {
  const rows = 'abcdef';
  if (rows.includes(way)) return Array.from({ length: geometry.files }, (_, i) => `${i + 1}${way}`);
  return [...rows].map((row) => `${way}${row}`);
}

export class Ways {
  /**
   * @param {import('./board.js').Board} board
   * @param {(way: string) => Promise<Operator[]>} expand the operators of a way
   * @param {(move: string) => void} onPlay
   * @param {() => void} onChange
   */
  constructor(board, expand, onPlay, onChange) {
    this.board = board;
    this.expand = expand;
    this.onPlay = onPlay;
    this.onChange = onChange;
    /** @type {Operator[]} */
    this.ops = [];
    /** @type {Way[]} */
    this.ways = [];
    /** @type {string | null} */
    this.way = null;
    /** @type {Operator | null} */
    this.op = null;
    this.side = 0;
    this.buttons = html('div', { class: 'ways', role: 'group', 'aria-label': t('binarsi.ways') });
    this.element = html('div', { class: 'binarsi' }, this.buttons, board.element);
    this.panel = html('section', { class: 'pane operators' });
  }

  /** @param {Way[]} ways @param {number} side @param {boolean} active */
  show(ways, side, active) {
    this.ways = ways;
    this.side = side;
    this.active = active;
    this.way = null;
    this.op = null;
    this.draw();
  }

  /** @param {string | null} way */
  async choose(way) {
    const found = this.ways.find((known) => known.way === way);
    this.way = found && !found.locked && found.moves > 0 && this.active ? way : null;
    this.op = null;
    this.ops = [];
    this.draw();
    if (!this.way) return;
    const ops = await this.expand(this.way);
    if (this.way !== way) return;
    this.ops = ops;
    this.draw();
    this.panel.scrollIntoView({ block: 'nearest' });
  }

  draw() {
    this.drawButtons();
    this.drawPanel();
    const geometry = this.board.geometry;
    const squares = this.way ? squaresOf(geometry, this.way) : [];
    const cells = this.board.shown.cells.slice();
    /** @type {number[]} */
    const changes = [];
    if (this.op) {
      for (const [place, square] of squares.entries()) {
        const index = geometry.indexOf(square);
        const value = this.op.preview[place];
        if ((cells[index]?.glyph ?? null) === value) continue;
        cells[index] = value === null ? null : { kind: value, side: Number(value) === 1 ? 0 : 1, glyph: value };
        changes.push(index);
      }
    }
    this.board.drawing.drawPieces(cells);
    this.board.extra = { way: squares.map((square) => geometry.indexOf(square)), changes };
    this.board.mark();
    this.onChange();
  }

  drawButtons() {
    const { geometry } = this.board;
    this.buttons.replaceChildren(
      ...this.ways.map((way) => {
        const rank = 'abcdef'.indexOf(way.way);
        const place = rank >= 0 ? rank : Number(way.way) - 1;
        const flipped = this.board.flipped;
        const button = html(
          'button',
          {
            type: 'button', class: `way ${rank >= 0 ? 'is-rank' : 'is-file'}${way.locked ? ' is-locked' : ''}`, disabled: way.locked || way.moves === 0 || !this.active,
            'aria-pressed': String(this.way === way.way), data: { way: way.way },
            'aria-label': `${t('binarsi.way', { way: way.way })}${way.locked ? ` ${t('binarsi.locked')}` : way.fresh ? ` ${t('binarsi.fresh')}` : ''}`,
            onclick: () => void this.choose(this.way === way.way ? null : way.way),
          },
          way.way,
          way.locked ? icon('lock') : way.fresh && icon('plus'),
        );
        const { cell, margin, width, height, files, ranks } = geometry;
        if (rank >= 0) button.style.top = `${(100 * (margin.top + ((flipped ? ranks - 1 - place : place) + 0.5) * cell.height)) / height}%`;
        else button.style.left = `${(100 * (margin.left + ((flipped ? files - 1 - place : place) + 0.5) * cell.width)) / width}%`;
        return button;
      }),
    );
  }

  drawPanel() {
    const way = this.ways.find((known) => known.way === this.way);
    if (!way) {
      this.panel.replaceChildren(html('header', {}, html('h2', { text: t('binarsi.operators') })), html('p', { class: 'empty', text: t(this.active ? 'binarsi.choose' : 'binarsi.wait') }));
      return;
    }
    const squares = squaresOf(this.board.geometry, way.way);
    const before = squares.map((square) => this.board.shown.cells[this.board.geometry.indexOf(square)]?.glyph ?? null);
    // Only the stretch of the line that has stones, so that they can be large.
    const seen = [before, ...this.ops.map((op) => op.preview)];
    const used = squares.map((_, place) => place).filter((place) => seen.some((values) => values[place]));
    const stretch = (/** @type {(string | null)[]} */ values) => values.slice(used[0] ?? 0, (used.at(-1) ?? values.length - 1) + 1);
    const valuesOf = (/** @type {string} */ name) => stretch(squaresOf(this.board.geometry, name).map((square) => this.board.shown.cells[this.board.geometry.indexOf(square)]?.glyph ?? null));
    const play = html('button', {
      type: 'button', class: 'primary wide', disabled: !this.op, data: { action: 'play-way' }, text: !this.op ? t('binarsi.choose.operator') : this.op.locks.length > 0 ? t('binarsi.play.locks', { move: this.op.move, locks: this.op.locks.join(' ') }) : t('binarsi.play', { move: this.op.move }),
      onclick: () => this.op && this.onPlay(this.op.move),
    });
    this.panel.replaceChildren(
      html('header', {}, html('h2', { text: t('binarsi.operators.of', { way: way.way }) }), html('span', { class: 'small', text: t(before.length === 6 ? 'binarsi.down' : 'binarsi.across') })),
      html('div', { class: 'inside row' }, play, html('button', { type: 'button', text: t('cancel'), onclick: () => void this.choose(null) })),
      html('div', { class: 'way-inputs' }, way.inputs.concat(way.fresh ? [] : way.way).sort().map((name) =>
        html('div', {}, html('div', { class: 'small', text: t(name === way.way ? 'binarsi.now' : 'binarsi.input', { way: name }) }), bits(valuesOf(name), valuesOf(name))))),
      html('div', { class: 'operator-list' },
        this.ops.map((op) =>
          html('button',
            {
              type: 'button', class: 'operator', 'aria-pressed': String(this.op === op), data: { op: op.op },
              onclick: () => {
                this.op = op;
                this.draw();
                /** @type {HTMLElement | null} */ (this.panel.querySelector('[aria-pressed="true"]'))?.focus();
              },
            },
            html('b', { text: operatorName(op.op) }), bits(stretch(op.preview), stretch(before)))),
      ),
    );
  }
}

/** @param {string} op */
export const operatorName = (op) => word(`op.${op}`, op);

/** A way as a row of small stones; those that change are ringed. @param {(string | null)[]} values @param {(string | null)[]} before */
export function bits(values, before) {
  const size = 22;
  const row = svg('svg', { class: 'bits', viewBox: `0 0 ${values.length * size} ${size}`, role: 'img', 'aria-label': values.map((value) => value ?? '·').join('') });
  for (const [place, value] of values.entries()) {
    const x = place * size + size / 2;
    if (value === null) row.append(svg('circle', { class: 'bit-none', cx: x, cy: size / 2, r: 2 }));
    else row.append(svg('circle', { class: `bit bit-${value}`, cx: x, cy: size / 2, r: 7.5 }), svg('text', { class: `bit-text-${value}`, x, y: size / 2 + 4, 'text-anchor': 'middle', text: value }));
    if (value !== before[place]) row.append(svg('circle', { class: 'bit-ring', cx: x, cy: size / 2, r: 9.8 }));
  }
  return row;
}

/** The six lamps. @param {Target[]} targets @param {string[]} coming those that the shown operator lights */
export function targetLamps(targets, coming) {
  return html('div', { class: 'targets', role: 'group', 'aria-label': t('binarsi.targets') },
    targets.map((target) => {
      const comes = !target.lit && coming.includes(target.id);
      const state = target.lit ? (target.ply ? t('binarsi.lit.at', { ply: target.ply }) : t('binarsi.lit')) : t(comes ? 'binarsi.lights' : 'binarsi.unlit');
      return html('div', { class: `lamp${target.lit ? ' is-lit' : ''}${comes ? ' is-coming' : ''}` }, lampPicture(target), html('div', {}, html('b', { text: pick(target.name) }), html('div', { class: 'small', text: state })));
    }));
}

/** @param {Target} target */
function lampPicture({ side, length, shape }) {
  const direction = shape === 'horizontal' ? [1, 0] : shape === 'vertical' ? [0, 1] : [1, -1];
  const picture = svg('svg', { class: 'lamp-picture', viewBox: '0 0 44 44', 'aria-hidden': 'true' }, svg('rect', { width: 44, height: 44, rx: 4 }));
  for (let i = 0; i < length; i++) {
    const offset = (i - (length - 1) / 2) * (length === 5 ? 8 : 9);
    picture.append(svg('circle', { class: `bit bit-${side === 0 ? 1 : 0}`, cx: 22 + direction[0] * offset, cy: 22 + direction[1] * offset, r: 3.8 }));
  }
  return picture;
}
