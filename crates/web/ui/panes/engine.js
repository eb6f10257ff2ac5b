// What engines think: a block for each engine, a row for each line.
import { iconButton, selectField } from '../controls.js';
import { fill, html } from '../dom.js';
import { icon } from '../icons.js';
import { language, t, word } from '../i18n/i18n.js';
import { changeSettings, settings } from '../state/settings.js';
import { countText, percentText, scoreText } from '../state/values.js';
import { moveName } from '../board/names.js';
import { scoreOf } from '../state/board_state.js';

/**
 * @typedef {import('../protocol').PvLine} PvLine
 * @typedef {object} EngineEvents
 * @property {(line: PvLine | null, upTo: number, at: HTMLElement | null) => void} onHover
 * @property {(line: PvLine, upTo: number) => void} onOpen a move of a line was clicked
 * @property {(line: PvLine) => void} onBranch
 * @property {() => void} onAnalyseGame
 */

export class EnginePane {
  /** @param {import('../state/board_state.js').BoardState} state @param {import('../protocol').About} about @param {EngineEvents} events */
  constructor(state, about, events) {
    this.state = state;
    this.events = events;
    const game = state.rules?.game.game ?? '';
    this.engines = about.engines.filter((engine) => engine.games.length === 0 || engine.games.includes(game));
    this.chosen = this.engines[0]?.engine ?? 'tsumugi';
    this.progress = html('div', { class: 'engine-options small', role: 'status' });
    this.blocks = html('div', { class: 'scroll' });
    /** @type {Map<string, { element: HTMLElement, numbers: HTMLElement, lines: HTMLElement, toggle: HTMLButtonElement, state: HTMLElement }>} */
    this.parts = new Map();
    const options = html('div', { class: 'engine-options row' },
      selectField(t('engine.lines'), [1, 2, 3, 4, 5, 8, 10].map((value) => ({ value, text: String(value) })), settings.lines, (value) => {
        changeSettings({ lines: Number(value) });
        for (const engine of state.engines.keys()) state.analyse(engine, settings.lines);
      }),
      selectField(t('engine.time'), [0.2, 0.5, 1, 3, 10, 30].map((value) => ({ value, text: t('engine.seconds', { seconds: value }) })), settings.gameSeconds, (value) => changeSettings({ gameSeconds: Number(value) }), { data: { field: 'game-seconds' } }),
      html('button', { type: 'button', text: t('engine.game'), data: { action: 'analyse-game' }, onclick: () => events.onAnalyseGame() }));
    this.options = html('details', {}, html('summary', { text: t('engine.options') }), options);
    this.element = html('section', { class: 'pane engine-pane', 'aria-label': t('engine.title') }, this.blocks, this.progress, this.options);
    for (const engine of this.engines) this.parts.set(engine.engine, this.block(engine));
    fill(this.blocks, [...this.parts.values()].map((part) => part.element));
    state.on(['analysis', 'engine', 'scene', 'progress'], () => this.show());
    state.on('progress', () => this.showProgress());
    this.show();
    this.showProgress();
  }

  /** @param {import('../protocol').EngineName} engine */
  block(engine) {
    const numbers = html('span', { class: 'numbers' });
    const lines = html('div', { class: 'engine-lines' });
    const toggle = /** @type {HTMLButtonElement} */ (iconButton('play', t('engine.start', { name: engine.name }), () => this.toggle(engine.engine), { data: { action: 'analyse', engine: engine.engine } }));
    const state = html('p', { class: 'engine-options small bad', role: 'status' });
    const title = this.engines.length > 1 ? engine.name : t('engine.title');
    const element = html('div', { class: 'engine-block pane-part' }, html('header', { class: 'pane-header' }, html('h2', { text: title }), numbers, toggle), state, lines);
    return { element, numbers, lines, toggle, state };
  }

  toggle(engine = this.chosen) {
    if (this.state.progress?.engine === engine) {
      this.stopGame();
      return;
    }
    this.state.analyse(engine, this.state.engines.has(engine) ? 0 : settings.lines);
  }

  show() {
    // Two engines at once: rows of one line, so that all of them can be seen.
    this.element.classList.toggle('is-compact', this.state.engines.size > 1);
    for (const [engine, part] of this.parts) this.showEngine(engine, part);
  }

  /** @param {string} engine @param {{ element: HTMLElement, numbers: HTMLElement, lines: HTMLElement, toggle: HTMLButtonElement, state: HTMLElement }} part */
  showEngine(engine, part) {
    const on = this.state.engines.has(engine) || this.state.progress?.engine === engine;
    const name = this.engines.find((known) => known.engine === engine)?.name ?? engine;
    part.toggle.replaceChildren(icon(on ? 'pause' : 'play'));
    part.toggle.setAttribute('aria-label', t(on ? 'engine.stop' : 'engine.start', { name }));
    part.toggle.setAttribute('aria-pressed', String(on));
    const status = this.state.engineStates.get(engine);
    const trouble = status && (status.state === 'failed' || status.state === 'restarting');
    part.state.textContent = trouble ? `${word(`engine.state.${status.state}`)} ${status.text}` : '';
    part.state.hidden = !trouble;
    const analysis = this.state.analyses.get(engine);
    const here = analysis && analysis.node === this.state.cursor ? analysis : null;
    part.element.dataset.node = String(here?.node ?? '');
    fill(part.numbers, here && [
      html('span', {}, `${t('engine.depth')} `, html('b', { text: `${here.depth ?? ''}${here.seldepth ? `/${here.seldepth}` : ''}` })),
      here.nodes !== null && here.nodes !== undefined && html('span', {}, html('b', { text: countText(here.nodes) }), ` ${t('engine.nodes')}`),
      here.nps !== null && here.nps !== undefined && html('span', { class: 'nps' }, html('b', { text: countText(here.nps) }), '/s')]);
    if (!on && !here) {
      fill(part.lines, this.engines.length === 1 && html('p', { class: 'empty', text: t('engine.off') }));
      return;
    }
    const wanted = Math.max(here?.lines.length ?? 0, this.state.engines.get(engine) ?? 0);
    while (part.lines.children.length > wanted || part.lines.querySelector('.empty')) part.lines.lastElementChild?.remove();
    for (let index = 0; index < wanted; index++) {
      const row = this.line(here?.lines[index] ?? null, index);
      const old = /** @type {HTMLElement | undefined} */ (part.lines.children[index]);
      const look = JSON.stringify([here?.node, here?.lines[index] ?? null, language()]);
      if (old?.dataset.look === look) continue;
      row.dataset.look = look;
      const focused = old?.contains(document.activeElement);
      if (old) old.replaceWith(row);
      else part.lines.append(row);
      if (focused) /** @type {HTMLElement | null} */ (row.querySelector('button'))?.focus();
    }
  }

  /** @param {PvLine | null} line @param {number} index */
  line(line, index) {
    const row = html('div', { class: `engine-line${index === 0 ? ' is-first' : ''}`, data: { rank: String(index + 1) } }, html('span', { class: 'rank', text: String(index + 1) }));
    if (!line) return row;
    const score = scoreOf(line.score);
    const shown = line.moves.slice(0, 14);
    const side = this.state.scene?.side ?? 0;
    const pv = html('div', { class: 'pv' }, shown.map((move, at) =>
      html('button', { type: 'button', tabindex: at === 0 ? 0 : -1, data: { at: String(at) }, text: moveName(move, (side + at) % 2) })));
    pv.addEventListener('click', (event) => {
      const button = event.target instanceof HTMLElement ? event.target.closest('button') : null;
      if (button) this.events.onOpen(line, Number(button.dataset.at) + 1);
    });
    pv.addEventListener('pointerover', (event) => {
      const button = event.target instanceof HTMLElement ? event.target.closest('button') : null;
      if (button && event.pointerType === 'mouse') this.events.onHover(line, Number(button.dataset.at) + 1, button);
    });
    row.addEventListener('pointerenter', () => this.events.onHover(line, 0, null));
    row.addEventListener('pointerleave', () => this.events.onHover(null, 0, null));
    row.append(
      html('div', { class: 'score' }, html('b', { text: `${line.bound === 'lower' ? '≥' : line.bound === 'upper' ? '≤' : ''}${scoreText(score, t('mate.word'))}` }), html('span', { text: percentText(score) })),
      pv, iconButton('plus', t('engine.branch'), () => this.events.onBranch(line)));
    return row;
  }

  showProgress() {
    const { progress } = this.state;
    this.progress.hidden = !progress;
    if (progress) fill(this.progress, t('engine.progress', { done: progress.done, total: progress.total }), ' ', html('button', { type: 'button', class: 'plain', text: t('stop'), data: { action: 'stop-game-analysis' }, onclick: () => this.stopGame() }));
  }

  stopGame() {
    this.state.port.ask('analyse_game', { board: this.state.id, on: false, engine: this.state.progress?.engine }).catch(() => {});
  }
}
