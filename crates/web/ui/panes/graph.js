// How the game went: evaluation or win rate, what each move lost, the time it took. A click goes there.
import { html, svg } from '../dom.js';
import { language, t } from '../i18n/i18n.js';
import { round } from '../pieces/sprite.js';
import { changeSettings, settings } from '../state/settings.js';
import { asNumber, gradeOf, lossOf, scoreText, percentText, winRate } from '../state/values.js';

const LEFT = 52;
const RIGHT = 12;

/** @typedef {import('../state/tree.js').TreeNode} TreeNode */

export class GraphPane {
  /** @param {(id: number) => void} goTo @param {() => void} analyse gives every position a value */
  constructor(goTo, analyse) {
    /** @type {TreeNode[]} */
    this.line = [];
    this.current = 0;
    this.made = '';
    /** @type {{ x: (index: number) => number, y: (value: number) => number, top: number, bottom: number } | null} */
    this.measures = null;
    this.now = svg('g');
    this.drawing = svg('svg', { class: 'graph', role: 'img' });
    this.counts = html('span', { class: 'small graph-counts' });
    this.scale = html('button', { type: 'button', class: 'plain small', onclick: () => changeSettings({ scale: settings.scale === 'value' ? 'percent' : 'value' }) });
    this.more = html('div', { class: 'row' });
    this.emptyText = html('span');
    this.analyse = html('button', { type: 'button', text: t('engine.game'), onclick: () => { this.empty.hidden = true; analyse(); } });
    this.empty = html('div', { class: 'graph-empty', hidden: true }, this.emptyText, this.analyse);
    this.element = html('section', { class: 'pane graph-pane', 'aria-label': t('graph.title') }, html('header', {}, html('h2', { text: t('graph.title') }), this.counts, this.scale, this.more), this.drawing, this.empty);
    const go = (/** @type {PointerEvent} */ event) => {
      const node = this.nodeAt(event.clientX);
      if (node) goTo(node.id);
    };
    this.drawing.addEventListener('pointerdown', (event) => {
      if (event.button === 0) go(event);
    });
    this.drawing.addEventListener('pointermove', (event) => {
      if (event.buttons === 1) go(event);
    });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** @param {number} clientX */
  nodeAt(clientX) {
    const box = this.drawing.getBoundingClientRect();
    const share = (clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    return this.line[Math.round(Math.min(1, Math.max(0, share)) * (this.line.length - 1))];
  }

  /** @param {TreeNode[]} line root first @param {number} current index in the line @param {number} version of the tree */
  show(line, current, version) {
    const made = `${version} ${line.length} ${line.at(-1)?.id} ${settings.scale} ${language()}`;
    this.line = line;
    this.current = current;
    if (made !== this.made) {
      this.made = made;
      this.draw();
    } else this.drawNow();
  }

  /** The mark of the present move, over a drawing that stays. */
  drawNow() {
    this.drawing.setAttribute('aria-label', this.summary());
    const scale = this.measures;
    if (!scale || this.line.length < 2) {
      this.now.replaceChildren();
      return;
    }
    const x = scale.x(this.current);
    const value = asNumber(this.line[this.current] ?? {});
    this.now.replaceChildren(svg('line', { class: 'now', x1: x, x2: x, y1: scale.top, y2: scale.bottom }));
    if (value !== null) this.now.append(svg('circle', { class: 'now-dot', cx: x, cy: scale.y(value), r: 5 }));
  }

  draw() {
    const width = this.drawing.clientWidth;
    const height = this.drawing.clientHeight;
    if (width < 50 || height < 40) return;
    const known = this.line.some((node) => asNumber(node) !== null);
    this.empty.hidden = known;
    this.analyse.hidden = this.line.length < 2;
    this.emptyText.textContent = t(this.line.length < 2 ? 'graph.start' : 'graph.none');
    this.scale.textContent = t(settings.scale === 'value' ? 'graph.value' : 'graph.percent');
    const last = Math.max(1, this.line.length - 1);
    const x = (/** @type {number} */ index) => LEFT + ((width - LEFT - RIGHT) * index) / last;
    const timed = this.line.some((node) => node.time);
    const shares = timed ? [0.6, 0.22, 0.18] : [0.74, 0.26, 0];
    const [values, losses, times] = shares.map((share) => Math.round((height - 48) * share));
    const parts = { top: 30, values, losses, times };
    const middle = parts.top + parts.values / 2;
    // Values lie as their win rates do: what decides games is large, what only adds to a won one is small.
    const y = (/** @type {number} */ value) => middle - ((2 * winRate(value) - 1) * (parts.values - 6)) / 2;
    /** @type {SVGElement[]} */
    const out = [];
    for (const value of parts.values > 110 ? [1500, 600, 0, -600, -1500] : [600, 0, -600]) {
      out.push(svg('line', { class: value === 0 ? 'axis' : 'rule', x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }));
      out.push(svg('text', { class: 'label', x: LEFT - 8, y: y(value) + 4, 'text-anchor': 'end', text: settings.scale === 'percent' ? percentText({ value }) : scoreText({ value }, '') }));
    }
    this.drawLine(out, x, y);
    this.drawBars(out, x, parts, width);
    const step = [5, 10, 20, 50, 100, 200, 500, 1000, 2000].find((n) => (last / n) * 34 < width - LEFT) ?? 5000;
    for (let ply = step; ply <= last; ply += step) out.push(svg('text', { class: 'label', x: x(ply), y: height - 5, 'text-anchor': 'middle', text: String(this.line[ply]?.ply ?? ply) }));
    this.measures = { x, y, top: parts.top, bottom: height - 18 };
    this.drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.drawing.replaceChildren(...out, this.now);
    this.drawNow();
  }

  /** @param {SVGElement[]} out @param {(index: number) => number} x @param {(value: number) => number} y */
  drawLine(out, x, y) {
    let path = '';
    let area = '';
    let start = -1;
    let lastX = 0;
    for (const [index, node] of this.line.entries()) {
      const value = asNumber(node);
      if (value === null) continue;
      const [px, py] = [round(x(index), 1), round(y(value), 1)];
      path += `${path ? 'L' : 'M'}${px} ${py}`;
      if (start < 0) {
        start = px;
        area = `M${px} ${round(y(0), 1)}`;
      }
      area += `L${px} ${py}`;
      lastX = px;
    }
    if (start < 0) return;
    out.push(svg('path', { class: 'area', d: `${area}L${lastX} ${round(y(0), 1)}Z` }), svg('path', { class: 'curve', d: path }));
  }

  /** @param {SVGElement[]} out @param {(index: number) => number} x @param {{ top: number, values: number, losses: number, times: number }} parts @param {number} width */
  drawBars(out, x, parts, width) {
    const base = parts.top + parts.values + parts.losses / 2;
    const floor = parts.top + parts.values + parts.losses + parts.times;
    const bar = Math.max(1.5, Math.min(8, (width - LEFT) / this.line.length - 1.5));
    const longest = this.line.reduce((most, node) => Math.max(most, node.time ?? 0), 1);
    const counts = /** @type {Record<string, number>} */ ({ blunder: 0, mistake: 0, dubious: 0 });
    let known = false;
    out.push(svg('line', { class: 'rule', x1: LEFT, x2: width - RIGHT, y1: base, y2: base }), svg('text', { class: 'label', x: LEFT - 8, y: base + 4, 'text-anchor': 'end', text: t('graph.loss') }));
    /** One path for all bars of a kind: long games have many. @type {Record<string, string>} */
    const paths = {};
    const rectangle = (/** @type {string} */ kind, /** @type {number} */ left, /** @type {number} */ top, /** @type {number} */ high) => {
      paths[kind] = `${paths[kind] ?? ''}M${round(left, 1)} ${round(top, 1)}h${round(bar, 1)}v${round(high, 1)}h${-round(bar, 1)}z`;
    };
    for (const [index, node] of this.line.entries()) {
      if (index === 0) continue;
      const side = node.side ?? (node.ply + 1) % 2;
      const loss = lossOf(this.line[index - 1], node, side);
      if (loss !== null) {
        known = true;
        const grade = gradeOf(loss);
        if (grade) counts[grade]++;
        const height = Math.min(parts.losses / 2, Math.sqrt(loss) * parts.losses * 0.7);
        if (height >= 0.6) rectangle(grade ? `loss ${grade}` : 'loss', x(index) - bar / 2, side === 0 ? base - height : base, height);
      }
      if (node.time) {
        const height = Math.max(1, (node.time / longest) * (parts.times - 4));
        rectangle(side === 0 ? 'time black' : 'time white', x(index) - bar / 2, floor - height, height);
      }
    }
    for (const [kind, path] of Object.entries(paths)) out.push(svg('path', { class: kind, d: path }));
    if (this.line.some((node) => node.time)) out.push(svg('text', { class: 'label', x: LEFT - 8, y: floor - 1, 'text-anchor': 'end', text: t('graph.time') }));
    this.counts.textContent = known ? t('graph.counts', counts) : '';
  }

  summary() {
    const value = asNumber(this.line[this.current] ?? {});
    const separator = language() === 'ja' ? '、' : ', ';
    return [t('graph.title'), value === null ? t('graph.unknown') : `${scoreText(this.line[this.current], t('mate.word'))} ${percentText(this.line[this.current])}`, this.counts.textContent].filter(Boolean).join(separator);
  }
}
