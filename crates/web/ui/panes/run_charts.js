// Charts of runs.
import { html, svg } from '../dom.js';
import { number, t, word } from '../i18n/i18n.js';
import { round } from '../pieces/sprite.js';

const SIZE = { height: 300, left: 48, right: 56, top: 14, bottom: 28 };

/** A drawing that is made anew for the room it has, so that its text is never stretched. @param {(width: number) => SVGElement} draw */
function sized(draw) {
  const place = html('div', { class: 'chart-place' });
  new ResizeObserver(() => {
    if (place.clientWidth > SIZE.left + SIZE.right + 40) place.replaceChildren(draw(place.clientWidth));
  }).observe(place);
  return place;
}

/** Round steps that cut a range into about so many parts. @param {number} range @param {number} parts */
function stepOf(range, parts) {
  const raw = range / parts;
  const power = 10 ** Math.floor(Math.log10(raw || 1));
  return ([1, 2, 5, 10].find((n) => n * power >= raw) ?? 10) * power;
}

/** @param {[number, number]} xs @param {[number, number]} ys @param {number} width */
function frame(xs, ys, width) {
  const { height, left, right, top, bottom } = SIZE;
  const x = (/** @type {number} */ value) => round(left + ((value - xs[0]) / (xs[1] - xs[0] || 1)) * (width - left - right), 1);
  const y = (/** @type {number} */ value) => round(height - bottom - ((Math.min(ys[1], Math.max(ys[0], value)) - ys[0]) / (ys[1] - ys[0] || 1)) * (height - top - bottom), 1);
  const chart = svg('svg', { class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img' });
  const step = stepOf(ys[1] - ys[0], 5);
  for (let value = Math.ceil(ys[0] / step) * step; value <= ys[1]; value += step) {
    chart.append(svg('line', { class: Math.abs(value) < step / 100 ? 'axis' : 'rule', x1: left, x2: width - right, y1: y(value), y2: y(value) }), svg('text', { x: left - 8, y: y(value) + 4, 'text-anchor': 'end', text: number(Math.abs(value) < step / 100 ? 0 : value, step < 0.1 ? 3 : step < 1 ? 2 : 0) }));
  }
  const across = stepOf(xs[1] - xs[0], width < 480 ? 3 : 5);
  for (let value = Math.ceil(xs[0] / across) * across; value <= xs[1]; value += across) chart.append(svg('text', { x: x(value), y: height - 8, 'text-anchor': 'middle', text: number(value) }));
  return { chart, x, y };
}

/** Elo with its band, and the likelihood ratio on a scale of its own. @param {import('../protocol').MatchState} match */
export function curveChart(match) {
  if (match.curve.length < 2) return html('p', { class: 'empty', text: t('runs.soon') });
  return sized((width) => drawCurve(match, width));
}

/** @param {import('../protocol').MatchState} match @param {number} width */
function drawCurve(match, width) {
  const points = match.curve;
  const settled = points.slice(Math.floor(points.length / 4));
  const high = Math.max(10, ...settled.map(([, elo, half]) => elo + half));
  const low = Math.min(-10, ...settled.map(([, elo, half]) => elo - half));
  const { chart, x, y } = frame([points[0][0], points[points.length - 1][0]], [low, high], width);
  chart.setAttribute('aria-label', t('runs.curve'));
  const band = [...points.map(([games, elo, half]) => `${x(games)} ${y(elo + half)}`), ...[...points].reverse().map(([games, elo, half]) => `${x(games)} ${y(elo - half)}`)];
  chart.append(svg('path', { class: 'band', d: `M${band.join('L')}Z` }), svg('path', { class: 'curve', d: `M${points.map(([games, elo]) => `${x(games)} ${y(elo)}`).join('L')}` }));
  const last = points[points.length - 1];
  chart.append(svg('text', { x: width - SIZE.right + 6, y: y(last[1]) + 4, text: 'Elo' }));
  const bounds = match.llr_bounds;
  if (bounds) {
    const [top, bottom] = [low + (high - low) * 0.92, low + (high - low) * 0.08];
    const scaled = (/** @type {number} */ llr) => bottom + ((llr - bounds[0]) / (bounds[1] - bounds[0])) * (top - bottom);
    for (const [bound, name] of /** @type {[number, string][]} */ ([[bounds[0], 'low'], [bounds[1], 'high']])) {
      chart.append(svg('line', { class: name, x1: SIZE.left, x2: width - SIZE.right, y1: y(scaled(bound)), y2: y(scaled(bound)) }), svg('text', { x: width - SIZE.right + 6, y: y(scaled(bound)) + 4, text: number(bound, 2) }));
    }
    chart.append(svg('path', { class: 'second', d: `M${points.map(([games, , , llr]) => `${x(games)} ${y(scaled(llr))}`).join('L')}` }), svg('text', { x: width - SIZE.right + 6, y: y(scaled(last[3])) + 4, text: 'LLR' }));
  }
  return chart;
}

/** @param {number[]} pairs by their score: 0, ½, 1, 1½, 2 */
export function pairBars(pairs) {
  const most = Math.max(1, ...pairs);
  return html('div', { class: 'pair-bars' }, ['0', '½', '1', '1½', '2'].flatMap((score, index) => {
    const bar = html('div', { class: 'bar' });
    bar.style.width = `${(100 * pairs[index]) / most}%`;
    return [html('b', { class: 'number', text: score }), bar, html('span', { class: 'number', text: number(pairs[index]) })];
  }));
}

/** @param {import('../protocol').TuneState} tune */
export function parameterTable(tune) {
  return html('table', {},
    html('thead', {}, html('tr', {}, ['name', 'start', 'value', 'range', 'way'].map((name) => html('th', { class: name === 'name' || name === 'way' ? '' : 'number', text: t(/** @type {any} */ (`runs.parameter.${name}`)) })))),
    html('tbody', {}, tune.parameters.map((parameter, index) => html('tr', {},
      html('td', { text: parameter.name }), html('td', { class: 'number', text: number(parameter.start, 2) }), html('td', { class: 'number' }, html('b', { text: number(parameter.value, 2) })),
      html('td', { class: 'number faint', text: `${number(parameter.min)} … ${number(parameter.max)}` }), html('td', {}, spark(tune.curve.map((point) => point.values[index]), parameter.min, parameter.max))))));
}

/** @param {number[]} values @param {number} low @param {number} high */
function spark(values, low, high) {
  const picture = svg('svg', { class: 'spark chart-line', viewBox: '0 0 120 28', 'aria-hidden': 'true' });
  const seen = [...values, (low + high) / 2];
  const [from, to] = [Math.min(...seen), Math.max(...seen)];
  if (values.length > 1) picture.append(svg('path', { class: 'curve', d: `M${values.map((value, index) => `${round((120 * index) / (values.length - 1), 1)} ${round(26 - (24 * (value - from)) / (to - from || 1), 1)}`).join('L')}` }));
  return picture;
}

/** @param {import('../protocol').TrainState} train */
export function trainChart(train) {
  return html('div', { class: 'stack inside' }, train.names.map((raw, index) => {
    const name = word(`runs.train.${raw}`, raw);
    const points = train.curve.map((point) => /** @type {[number, number | null | undefined]} */ ([point.step, point.values[index]])).filter(([, value]) => typeof value === 'number');
    if (points.length < 2) return html('p', { class: 'small', text: `${name}: ${points[0]?.[1] ?? '–'}` });
    const values = points.map(([, value]) => Number(value));
    const draw = (/** @type {number} */ width) => {
      const { chart, x, y } = frame([points[0][0], points[points.length - 1][0]], [Math.min(...values), Math.max(...values)], width);
      chart.setAttribute('aria-label', name);
      chart.append(svg('path', { class: 'curve', d: `M${points.map(([step, value]) => `${x(step)} ${y(Number(value))}`).join('L')}` }));
      return chart;
    };
    return html('div', {}, html('h3', { text: `${name}: ${number(values[values.length - 1], 4)}` }), sized(draw));
  }));
}
