// Mates: solve, the composer's report, the proof move by move, why a tried move fails; puzzles.
import { iconButton } from '../controls.js';
import { html, fill } from '../dom.js';
import { moveName, sideSign } from '../board/names.js';
import { icon } from '../icons.js';
import { tellError } from '../dialogs/dialog.js';
import { language, number, pick, t, word } from '../i18n/i18n.js';

/** @typedef {import('../protocol').TsumeMove} TsumeMove */

export class TsumePane {
  /** @param {import('../state/board_state.js').BoardState} state @param {{ onPuzzle: (on: boolean) => void }} events */
  constructor(state, { onPuzzle }) {
    this.state = state;
    this.onPuzzle = onPuzzle;
    this.puzzle = false;
    this.hidden = false;
    /** Shows a position that is not in the record. @type {((scene: import('../protocol').Scene, say: import('../protocol').Words) => void) | null} */
    this.onPreview = null;
    /** The node that was solved. */
    this.root = 0;
    /** @type {string[]} */
    this.path = [];
    this.verdict = html('div', { class: 'verdict', role: 'status' });
    this.why = html('div', { class: 'why', role: 'status', hidden: true });
    this.solution = html('div', { class: 'solution' });
    /** The solution as a strip below the board. */
    this.strip = html('section', { class: 'pane solution-pane', 'aria-label': t('tsume.solution') }, this.why, this.solution);
    this.faults = html('dl', {});
    this.proof = html('div', { class: 'proof' });
    this.tools = html('div', { class: 'inside row' });
    this.element = html('div', { class: 'tsume-pane' }, this.verdict, this.tools, this.faults, this.proof);
    state.on('tsume', () => this.show());
    state.on('report', () => this.showReport());
    this.show();
  }

  /** @param {import('../protocol').NamedMove} move @param {number} ply moves since the problem's first */
  name(move, ply) {
    return moveName(move, (this.first + ply) % 2);
  }

  /** Who moves first in the problem. */
  get first() {
    return this.state.scenes.get(this.root)?.side === 'white' ? 1 : 0;
  }

  get result() {
    return this.state.tsume;
  }

  solve() {
    this.root = this.state.tree.get(this.state.cursor)?.ending ? this.state.tree.root : this.state.cursor;
    this.state.report = null;
    this.path = [];
    this.hidden = this.puzzle;
    this.why.hidden = true;
    this.state.port.ask('tsume.solve', { board: this.state.id, node: this.root }).catch(tellError);
  }

  askReport() {
    this.state.port.ask('tsume.report', { board: this.state.id, node: this.root || this.state.cursor }).catch(tellError);
    fill(this.faults, html('p', { class: 'empty', role: 'status', text: t('tsume.examining') }));
  }

  show() {
    const result = this.result;
    const searching = result?.state === 'searching';
    const mate = result?.state === 'mate';
    if (result) this.root = result.node;
    fill(this.verdict,
      mate && !this.hidden ? html('div', { class: 'length' }, String(result.length ?? result.line.length), html('small', { text: t('tsume.plies') })) : null,
      html('div', { class: 'says' }, html('b', { class: result && !searching && !mate ? 'bad' : '' }, this.hidden && mate ? t('tsume.puzzle.ready') : result ? word(`tsume.${result.state}`) : t('tsume.ask')), result && html('div', { class: 'small', text: result.text || t('tsume.effort', { nodes: number(result.nodes), seconds: number(result.time / 1000, 2) }) })),
      searching
        ? html('button', { type: 'button', text: t('stop'), onclick: () => void this.state.port.ask('tsume.stop', { board: this.state.id }).catch(tellError) })
        : html('button', { type: 'button', class: 'primary', data: { action: 'solve' }, text: t(result ? 'tsume.again' : 'tsume.solve'), onclick: () => this.solve() }));
    fill(this.tools,
      html('button', { type: 'button', 'aria-pressed': String(this.puzzle), data: { action: 'puzzle' }, text: t('tsume.puzzle'), onclick: () => this.setPuzzle(!this.puzzle) }),
      mate && html('button', { type: 'button', data: { action: 'hide' }, text: t(this.hidden ? 'tsume.reveal' : 'tsume.hide'), onclick: () => { this.hidden = !this.hidden; this.show(); } }),
      mate && !this.hidden && html('button', { type: 'button', data: { action: 'report' }, text: t('tsume.report'), onclick: () => this.askReport() }),
      mate && !this.hidden && html('button', { type: 'button', data: { action: 'add-line' }, text: t('tsume.add'), onclick: () => void this.state.addLine(result.line.map((move) => move.move), this.root).catch(tellError) }));
    if (!mate || this.hidden) {
      fill(this.solution, html('p', { class: 'small', text: t(this.hidden && mate ? 'tsume.puzzle.ready' : 'tsume.solution.none') }));
      fill(this.proof);
      if (!this.state.report || this.hidden) fill(this.faults);
      return;
    }
    this.showSolution();
    void this.showTree();
  }

  /** The solution move by move; the one that the board shows is marked. */
  showSolution() {
    const result = this.result;
    if (!result || result.state !== 'mate' || this.hidden) return;
    const moves = result.line.map((move) => move.move);
    const shared = this.path.findIndex((move, index) => move !== moves[index]);
    const at = shared < 0 ? this.path.length : 0;
    const focused = this.solution.contains(document.activeElement) ? document.activeElement?.getAttribute('aria-label') ?? '' : null;
    const step = (/** @type {number} */ to) => void this.walk(moves.slice(0, Math.min(moves.length, Math.max(0, to))));
    fill(this.solution,
      html('header', {}, html('h2', { text: t('tsume.solution') }), html('span', { class: 'small', text: t('tsume.end', { length: result.length ?? moves.length }) }),
        iconButton('previous', t('step.previous'), () => step(at - 1), { disabled: at === 0 }), iconButton('next', t('step.next'), () => step(at + 1), { disabled: at >= moves.length })),
      html('div', { class: 'solution-moves' }, result.line.map((move, index) =>
        html('button', { type: 'button', data: { ply: String(index + 1) }, 'aria-pressed': String(at === index + 1), onclick: () => step(index + 1) }, html('small', { text: String(index + 1) }), ' ', this.name(move, index)))));
    if (focused !== null) /** @type {HTMLElement | null} */ (this.solution.querySelector(focused ? `[aria-label="${focused}"]:not(:disabled)` : '[aria-pressed="true"]'))?.focus();
  }

  /** @param {boolean} on */
  setPuzzle(on) {
    this.puzzle = on;
    this.hidden = on;
    this.why.hidden = true;
    if (on && !this.result) this.solve();
    this.onPuzzle(on);
    this.show();
  }

  showReport() {
    const { report } = this.state;
    if (!report || this.hidden) return;
    const flaws = (/** @type {import('../protocol').Flaw[]} */ list) => list.map((flaw) => t('tsume.flaw', { ply: flaw.ply, move: this.name(flaw, flaw.ply - 1) })).join(language() === 'ja' ? '、' : ', ');
    const row = (/** @type {string} */ name, /** @type {string} */ text, /** @type {boolean} */ bad) => html('div', { class: 'fault-row' }, html('dt', { text: name }), html('dd', { class: bad ? 'bad' : 'good' }, icon(bad ? 'warn' : 'check'), html('span', { text: text || t('hand.none') })));
    const left = report.left_over.map((held) => `${this.state.rules?.palette.pieces.find((face) => face.kind === held.kind)?.name[language()] ?? held.kind} ${held.count}`).join(' ');
    if (report.state !== 'mate') {
      fill(this.faults, html('div', { class: 'fault-row' }, html('dt', { text: t('tsume.report') }), html('dd', { class: 'bad', text: report.text || word(`tsume.${report.state}`) })));
      return;
    }
    fill(this.faults,
      html('div', { class: 'fault-row' }, html('dt', { text: t('tsume.soundness') }), html('dd', { class: report.sound ? 'good' : 'bad' }, icon(report.sound ? 'check' : 'warn'), html('span', { text: pick(report.verdict) || t(report.sound ? 'tsume.sound' : 'tsume.unsound') }))),
      row(t('tsume.cooks'), flaws(report.cooks), report.cooks.length > 0), row(t('tsume.last'), flaws(report.last_move_cooks), report.last_move_cooks.length > 0 && !report.sound),
      row(t('tsume.same'), flaws(report.same_length), report.same_length.length > 0 && !report.sound), row(t('tsume.left'), left, report.left_over.length > 0),
      html('div', { class: 'fault-row' }, html('dt', { text: t('tsume.lengths') }), html('dd', {}, html('span', { text: t('tsume.both', { longest: report.length ?? '?', without: report.length_without_futile ?? report.length ?? '?' }) }))),
      report.details.length > 0 && html('details', { class: 'inside small' }, html('summary', { text: t('tsume.details') }), report.details.map((line) => html('p', { text: pick(line) }))),
      !report.proven && html('p', { class: 'inside small', text: report.text || t('tsume.open') }));
  }

  /** Shows a place of the proof on the board without adding it to the record. @param {string[]} path */
  async walk(path) {
    this.path = path;
    this.showSolution();
    try {
      const { scene } = await this.state.port.ask('preview', { board: this.state.id, node: this.root, moves: path });
      const tree = await this.showTree();
      // Another place was asked for meanwhile.
      if (path !== this.path) return;
      const last = tree?.path.at(-1);
      this.onPreview?.(scene, last ? { ja: sideSign((this.first + path.length - 1) % 2) + last.ja, en: last.en } : { ja: '', en: '' });
    } catch (error) {
      tellError(error);
    }
  }

  async showTree() {
    const path = this.path;
    try {
      const tree = await this.state.port.ask('tsume.tree', { board: this.state.id, node: this.root, moves: path });
      if (path === this.path) this.drawTree(tree);
      return tree;
    } catch (error) {
      fill(this.proof, html('p', { class: 'inside small', text: error instanceof Error ? error.message : '' }));
      return null;
    }
  }

  /** @param {import('../protocol').TsumeMoves} tree */
  drawTree(tree) {
    const crumbs = tree.path.map((move, index) => html('button', { type: 'button', class: 'proof-row', onclick: () => void this.walk(this.path.slice(0, index + 1)), 'aria-current': String(index === tree.path.length - 1) }, `${'└ '.padStart(2 + index, '\u2003')}${this.name(move, index)}`));
    fill(this.proof,
      html('header', { class: 'pane-header' }, html('h3', { text: t(tree.attacker ? 'tsume.attacker' : 'tsume.defender') }), html('span', { class: 'small', text: t('tsume.columns') })),
      html('div', { class: 'inside' }, this.path.length > 0 && html('button', { type: 'button', class: 'proof-row', onclick: () => void this.walk([]) }, icon('first'), t('start')), crumbs,
        tree.moves.map((move) => this.treeRow(move, tree.path.length)),
        tree.moves.length === 0 && html('p', { class: 'empty', text: t('tsume.mated') })));
  }

  /** @param {TsumeMove} move @param {number} depth */
  treeRow(move, depth) {
    return html('button', { type: 'button', class: 'proof-row', data: { move: move.move }, onclick: () => void this.walk([...this.path, move.move]) },
      html('span', { class: move.state === 'mate' ? '' : 'faint' }, `${'\u2003'.repeat(Math.min(depth, 8))}${this.name(move, depth)}`), move.main && html('span', { class: 'tag', text: t('tsume.main') }),
      html('span', { class: 'numbers' }, html('span', { text: move.state === 'mate' ? String(move.left ?? '') : '—' }), html('span', { text: word(`tsume.move.${move.state}`) })));
  }

  /** A person tries a move: says whether it mates, and what refutes it. True if the move was answered here. @param {string} move */
  async judge(move) {
    const node = this.state.cursor;
    const judged = await this.state.port.ask('tsume.judge', { board: this.state.id, node, move });
    const right = judged.verdict === 'right' || judged.verdict === 'longer';
    this.why.hidden = false;
    this.why.classList.toggle('is-right', right);
    fill(this.why, html('b', { text: word(`tsume.verdict.${judged.verdict}`) }), html('p', { text: pick(judged.say) }));
    return { judged, right };
  }
}
