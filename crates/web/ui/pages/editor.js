// The position editor: palette, hands, side, counters, what is missing from the full set, text.
import { Table } from '../board/table.js';
import { pieceName, sideName, sideSign } from '../board/names.js';
import { iconButton, segments, selectField } from '../controls.js';
import { tell, tellError } from '../dialogs/dialog.js';
import { html, fill } from '../dom.js';
import { language, pick, t } from '../i18n/i18n.js';
import { pieceImage } from '../pieces/piece.js';
import { BoardState } from '../state/board_state.js';
import { facesOf, pieceOf, viewScene } from '../state/scene.js';
import { settings } from '../state/settings.js';

/**
 * @typedef {import('../protocol').Scene} ServerScene
 * @typedef {import('../protocol').Cell} Cell
 * @typedef {{ kind: string, side: 'black' | 'white' }} Brush
 */

/** Why play cannot begin, in the reader's language as far as the server knows it. @param {import('../protocol').Edited} edited */
const problemOf = (edited) => (language() === 'ja' && edited.problem_ja) || (edited.problem ?? '');

class Editor {
  /** @param {import('../app.js').App} app @param {BoardState} state @param {ServerScene} server */
  constructor(app, state, server) {
    this.app = app;
    this.state = state;
    this.nav = 'board';
    this.title = t('nav.editor');
    this.rules = /** @type {import('../state/scene.js').Rules} */ (state.rules);
    this.game = this.rules.game.game;
    /** @type {ServerScene} */
    this.server = structuredClone(server);
    /** @type {Brush | 'empty' | null} */
    this.brush = null;
    /** @type {string | null} */
    this.chosen = null;
    this.turn = 0;
    this.table = new Table({ onMove: (move) => this.movePiece(move), onSquare: (square, button) => this.square(square, button) });
    this.palette = html('div', { class: 'stack palettes' });
    this.chosenTools = html('div', { class: 'row', role: 'group', 'aria-label': t('editor.chosen') });
    this.hands = html('div', { class: 'stack' });
    this.more = html('div', { class: 'stack' });
    this.report = html('div', { role: 'status' });
    this.text = html('textarea', { rows: 3, 'aria-label': t('editor.text'), spellcheck: 'false', data: { field: 'sfen' } });
    this.element = html('div', { class: 'game is-play is-editor' },
      html('h1', { class: 'spoken', text: this.title }),
      html('div', { class: 'left' }, html('div', { class: 'table-place' }, this.table.element), html('section', { class: 'pane palette-pane' }, html('div', { class: 'inside' }, this.palette))),
      html('div', { class: 'right' },
        html('div', { class: 'row editor-actions' },
          html('button', { type: 'button', class: 'primary wide', data: { action: 'apply' }, text: t('editor.apply'), onclick: () => void this.apply('') }),
          this.rules.game.tsume && html('button', { type: 'button', data: { action: 'apply-tsume' }, text: t('editor.tsume'), onclick: () => void this.apply('?tsume') }),
          html('button', { type: 'button', text: t('cancel'), onclick: () => void app.router.go(`/b/${state.id}`) })),
        html('section', { class: 'pane scroll editor-pane' }, html('div', { class: 'inside stack' }, this.report, this.chosenTools, this.startChoice(), this.more, this.hands,
          html('label', { class: 'field' }, html('span', { text: t('editor.text') }), this.text),
          html('div', { class: 'row' }, html('button', { type: 'button', data: { action: 'read' }, text: t('editor.read'), onclick: () => void this.read(this.text.value) }), html('button', { type: 'button', text: t('copy'), onclick: () => void navigator.clipboard.writeText(this.text.value).then(() => tell(t('copied', { what: 'SFEN' }))).catch(tellError) }))))));
    this.changed();
  }

  startChoice() {
    const starts = this.rules.game.starts;
    return html('div', { class: 'row editor-choices' },
      selectField(t('new.start'), [{ value: '', text: t('editor.keep') }, ...starts.map((start, index) => ({ value: String(index), text: pick(start.name) }))], '', (value) => {
        if (value !== '') void this.read(starts[Number(value)].position);
      }),
      html('button', { type: 'button', data: { action: 'clear' }, text: t('editor.clear'), onclick: () => this.clear() }), iconButton('flip', t('flip'), () => this.table.flip()));
  }

  clear() {
    this.server.cells = this.server.cells.map((cell) => (cell && this.royal(cell.kind) && cell.side === 'white' ? cell : null));
    this.server.hands = [[], []];
    this.changed();
  }

  /** @param {string} kind */
  royal(kind) {
    return this.rules.palette.pieces.find((face) => face.kind === kind)?.royal ?? false;
  }

  /** The position changed: draw it and ask the server what it thinks of it. */
  changed() {
    this.draw();
    void this.check();
  }

  draw() {
    const scene = viewScene({ ...this.server, legal: [], last: [], check: [], outcome: null, setup: null, ways: this.server.ways ?? null }, this.rules);
    const names = this.squareNames();
    const movable = this.brush ? [] : this.server.cells.flatMap((cell, index) => (cell ? names.filter((_, other) => other !== index).map((to) => ({ from: names[index], to })) : []));
    scene.legal = movable;
    scene.ways = null;
    scene.targets = null;
    this.table.show(scene, { animate: false, active: true });
    if (this.table.board) this.table.board.dots = false;
    const board = this.table.board;
    if (board) board.events.onSelect = (from) => {
      this.chosen = from;
      this.drawChosen();
    };
    for (const hand of this.table.hands) hand.element.querySelectorAll('button').forEach((button) => { button.disabled = true; });
    this.chosen = null;
    this.drawPalette();
    this.drawChosen();
    this.drawHands();
    this.drawMore();
  }

  squareNames() {
    const { files, ranks } = this.server;
    return ranks.flatMap((rank) => files.map((file) => file + rank));
  }

  /** @param {string} square */
  indexOf(square) {
    return this.squareNames().indexOf(square);
  }

  /** @param {{ from: string, to: string }} move */
  movePiece({ from, to }) {
    const [a, b] = [this.indexOf(from), this.indexOf(to)];
    this.server.cells[b] = this.server.cells[a];
    this.server.cells[a] = null;
    this.changed();
  }

  /** @param {string} square @param {number} button */
  square(square, button) {
    const index = this.indexOf(square);
    const there = this.server.cells[index];
    if (button === 2 && there) this.server.cells[index] = this.turned(there);
    else if (this.brush === 'empty') this.server.cells[index] = null;
    else if (this.brush) {
      const same = there && there.kind === this.brush.kind && there.side === this.brush.side;
      this.server.cells[index] = same ? null : { ...this.brush, promoted: this.rules.palette.pieces.find((face) => face.kind === /** @type {Brush} */ (this.brush).kind)?.promoted ?? false, frozen: false };
    } else return;
    this.changed();
  }

  /** Plain, promoted, the other side's, promoted there. @param {Cell} cell @returns {Cell} */
  turned(cell) {
    const face = this.rules.palette.pieces.find((known) => known.kind === cell.kind);
    if (face?.promotes_to) return { ...cell, kind: face.promotes_to, promoted: true };
    const plain = this.rules.palette.pieces.find((known) => known.promotes_to === cell.kind);
    return { ...cell, kind: plain?.kind ?? cell.kind, promoted: false, side: cell.side === 'black' ? 'white' : 'black' };
  }

  drawPalette() {
    const look = { set: settings.pieces, flipped: this.table.flipped };
    const choose = (/** @type {Brush | 'empty'} */ brush) => {
      this.brush = JSON.stringify(this.brush) === JSON.stringify(brush) ? null : brush;
      this.draw();
    };
    const row = (/** @type {'black' | 'white'} */ side, /** @type {HTMLElement | null} */ last = null) => html('div', { class: 'palette', role: 'group', 'aria-label': sideName(side === 'black' ? 0 : 1) }, this.rules.palette.pieces.map((face) => {
      const piece = pieceOf(this.rules, face.kind, side === 'black' ? 0 : 1);
      const brush = { kind: face.kind, side };
      return html('button', { type: 'button', 'aria-pressed': String(JSON.stringify(this.brush) === JSON.stringify(brush)), 'aria-label': `${sideName(side === 'black' ? 0 : 1)} ${pieceName(piece)}`, data: { brush: `${side} ${face.kind}` }, onclick: () => choose(brush) }, pieceImage(piece, look));
    }), last);
    const focus = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.brush;
    fill(this.palette, html('p', { class: 'small', text: t('editor.hint') }), row('white'), row('black', html('button', { type: 'button', class: 'erase', 'aria-pressed': String(this.brush === 'empty'), data: { brush: 'empty' }, text: t('editor.erase'), onclick: () => choose('empty') })));
    if (focus) /** @type {HTMLElement | null} */ (this.palette.querySelector(`[data-brush="${focus}"]`))?.focus();
  }

  drawChosen() {
    const index = this.chosen ? this.indexOf(this.chosen) : -1;
    const cell = this.server.cells[index];
    this.chosenTools.hidden = !cell;
    if (!cell) return;
    const into = this.rules.palette.pieces.find((face) => face.kind === cell.kind)?.in_hand;
    const act = (/** @type {string} */ text, /** @type {() => void} */ change) => html('button', { type: 'button', text, onclick: () => { change(); this.changed(); } });
    fill(this.chosenTools,
      act(t('editor.turn'), () => { this.server.cells[index] = this.turned(cell); }),
      act(t('editor.remove'), () => { this.server.cells[index] = null; }),
      into && [0, 1].map((side) => act(t('editor.to.hand', { side: sideSign(side) }), () => {
        this.server.cells[index] = null;
        this.setHand(side, into, this.count(side, into) + 1);
      })));
  }

  /** @param {number} side @param {string} kind */
  count(side, kind) {
    return this.server.hands[side].find((held) => held.kind === kind)?.count ?? 0;
  }

  /** @param {number} side @param {string} kind @param {number} count */
  setHand(side, kind, count) {
    const others = this.server.hands[side].filter((held) => held.kind !== kind);
    this.server.hands[side] = count > 0 ? [...others, { kind, count, locked: false, frozen: false }] : others;
  }

  drawHands() {
    const kinds = [...new Set(this.rules.palette.pieces.map((face) => face.in_hand).filter((kind) => typeof kind === 'string'))];
    const faces = facesOf(this.rules);
    fill(this.hands, kinds.length > 0 && [0, 1].map((side) => html('fieldset', {}, html('legend', { text: t('editor.hand', { side: `${sideSign(side)} ${sideName(side)}` }) }), html('div', { class: 'hand-counts' }, kinds.map((kind) => {
      const face = faces.get(/** @type {string} */ (kind));
      const input = html('input', { type: 'number', min: 0, max: 18, value: this.count(side, /** @type {string} */ (kind)), data: { hand: `${side} ${kind}` }, onchange: () => {
        this.setHand(side, /** @type {string} */ (kind), Math.min(99, Math.max(0, Math.round(Number(input.value) || 0))));
        this.changed();
      } });
      return html('label', {}, face && pieceImage({ ...face, side: 0 }, { set: settings.pieces }), html('span', { class: face ? 'spoken' : '', text: face ? pieceName(face) : kind }), input);
    })))));
  }

  drawMore() {
    const { server } = this;
    const side = segments(t('editor.side'), [{ value: 'black', text: `${sideSign(0)} ${sideName(0)}` }, { value: 'white', text: `${sideSign(1)} ${sideName(1)}` }], server.side, (value) => { server.side = /** @type {any} */ (value); this.changed(); });
    const freeze = server.freeze;
    const toggles = (/** @type {string} */ label, /** @type {{ id: string, text: string, on: boolean }[]} */ options, /** @type {(id: string) => void} */ flip) => html('fieldset', {}, html('legend', { text: label }), html('div', { class: 'row' }, options.map((option) => html('button', { type: 'button', 'aria-pressed': String(option.on), text: option.text, onclick: () => { flip(option.id); this.changed(); } }))));
    fill(this.more, html('fieldset', {}, html('legend', { text: t('editor.side') }), side),
      freeze && html('div', { class: 'two' }, [0, 1].map((index) => {
        const input = html('input', { type: 'number', min: 0, max: 99, value: freeze.left[index], onchange: () => { freeze.left[index] = Math.min(99, Math.max(0, Math.round(Number(input.value) || 0))); this.changed(); } });
        return html('label', { class: 'field' }, html('span', { text: t('editor.freezes', { side: sideName(index) }) }), input);
      })),
      freeze && selectField(t('editor.frozen'), [{ value: '', text: t('freeze.none') }, ...this.rules.palette.pieces.map((face) => ({ value: face.kind, text: pick(face.name) }))], freeze.kind ?? '', (value) => { freeze.kind = value || null; this.changed(); }),
      server.ways && toggles(t('editor.locked'), server.ways.map((way) => ({ id: way.way, text: way.way, on: way.locked })), (id) => { for (const way of server.ways ?? []) if (way.way === id) way.locked = !way.locked; }),
      server.targets && toggles(t('binarsi.targets'), server.targets.map((target) => ({ id: target.target, text: pick(target.name), on: target.lit !== null && target.lit !== undefined })), (id) => { for (const target of server.targets ?? []) if (target.target === id) target.lit = target.lit === null || target.lit === undefined ? 0 : null; }));
  }

  position() {
    const { cells, hands, side, freeze, ways, targets } = this.server;
    return {
      cells, hands, side, freeze: freeze ?? null,
      locked: ways ? ways.filter((way) => way.locked).map((way) => way.way) : null,
      cleared: targets ? targets.filter((target) => target.lit !== null && target.lit !== undefined).map((target) => target.target) : null,
    };
  }

  async check() {
    const turn = ++this.turn;
    try {
      const edited = await this.app.port.ask('edit_position', { game: this.game, position: this.position() });
      if (turn === this.turn) this.showCheck(edited);
    } catch (error) {
      if (turn === this.turn) fill(this.report, html('p', { class: 'bad', text: error instanceof Error ? error.message : '' }));
    }
  }

  /** @param {import('../protocol').Edited} edited */
  showCheck(edited) {
    if (edited.text && document.activeElement !== this.text) this.text.value = edited.text;
    const faces = facesOf(this.rules);
    const name = (/** @type {string} */ kind) => { const face = faces.get(kind); return face ? pieceName(face) : kind; };
    const lacking = edited.missing.filter((piece) => piece.count > 0).map((piece) => `${name(piece.kind)} ${piece.count}`);
    const extra = edited.missing.filter((piece) => piece.count < 0).map((piece) => `${name(piece.kind)} ${-piece.count}`);
    this.missing = edited.missing;
    fill(this.report,
      html('p', { class: edited.problem ? 'bad' : 'good', text: problemOf(edited) || t('editor.fine') }),
      lacking.length > 0 && html('p', { class: 'small', text: t('editor.lacking', { pieces: lacking.join(' ') }) }),
      lacking.length > 0 && html('button', { type: 'button', data: { action: 'rest' }, text: t('editor.rest'), onclick: () => this.giveRest() }),
      extra.length > 0 && html('p', { class: 'bad', text: t('editor.extra', { pieces: extra.join(' ') }) }));
  }

  /** What is missing goes to the defender's hand, as in mate problems. */
  giveRest() {
    for (const piece of this.missing ?? []) if (piece.count > 0 && !this.royal(piece.kind)) this.setHand(1, piece.kind, this.count(1, piece.kind) + piece.count);
    this.changed();
  }

  /** @param {string} text */
  async read(text) {
    try {
      const edited = await this.app.port.ask('edit_position', { game: this.game, text });
      if (!edited.scene) {
        tell(problemOf(edited) || t('error.title'), 'bad');
        return;
      }
      this.server = structuredClone(edited.scene);
      this.changed();
    } catch (error) {
      tellError(error);
    }
  }

  /** @param {string} query */
  async apply(query) {
    try {
      const edited = await this.app.port.ask('edit_position', { board: this.state.id, position: this.position() });
      if (edited.problem) tell(problemOf(edited), 'bad');
      else await this.app.router.go(`/b/${this.state.id}${query}`);
    } catch (error) {
      tellError(error);
    }
  }

  /** @param {string} name */
  key(name) {
    if (name === 'f') this.table.flip();
    else if (name === 'Escape') {
      this.brush = null;
      this.draw();
    } else return false;
    return true;
  }

  /** @param {string} text */
  paste(text) {
    void this.read(text);
  }

  leave() {
    this.table.leave();
    this.state.leave();
  }
}

/** @param {import('../app.js').App} app @param {string[]} parts */
export async function editorPage(app, parts) {
  const state = new BoardState(app.port, parts[0]);
  await state.open();
  const server = await app.port.ask('go_to', { board: state.id, node: state.cursor });
  return new Editor(app, state, server);
}
