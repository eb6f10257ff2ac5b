// What is known of a run before its first result: time control, stopping rule, decision, in the reader's words.
import { number, t, word } from '../i18n/i18n.js';

/** Seconds of a number of milliseconds. @param {number} ms */
const seconds = (ms) => number(ms / 1000, ms % 1000 === 0 ? 0 : ms % 100 === 0 ? 1 : 2);

/** A time control as the journal writes it, `{"main":10000,"increment":100}`. @param {string} text */
function timeText(text) {
  /** @type {Record<string, number>} */
  let time;
  try {
    time = JSON.parse(text);
  } catch {
    return text;
  }
  const parts = [];
  if (time.main || time.increment) parts.push(t('runs.time.fischer', { main: seconds(time.main ?? 0), increment: seconds(time.increment ?? 0) }));
  if (time.byoyomi) parts.push(t('runs.time.byoyomi', { seconds: seconds(time.byoyomi) }));
  if (time.movetime) parts.push(t('runs.time.move', { seconds: seconds(time.movetime) }));
  if (time.nodes) parts.push(t('runs.time.nodes', { nodes: number(time.nodes) }));
  if (time.depth) parts.push(t('runs.time.depth', { depth: time.depth }));
  return parts.join(' ') || text;
}

/** @param {[string, string][]} facts @param {(game: string) => string} gameName @returns {string[]} */
export function factTexts(facts, gameName) {
  const times = facts.filter(([name]) => name.startsWith('time ')).map(([name, value]) => [name.slice(5), timeText(value)]);
  const same = times.every(([, time]) => time === times[0][1]);
  const spoken = times.length === 0 ? [] : same ? [times[0][1]] : times.map(([engine, time]) => `${engine}: ${time}`);
  const others = facts.filter(([name]) => !name.startsWith('time ')).map(([name, value]) => {
    if (name === 'game') return gameName(value);
    if (name === 'sprt') return `SPRT [${value.split(' ').map((bound) => bound.replace('-', '−')).join(', ')}]`;
    if (name === 'decision') return word(`runs.decision.${value}`, value);
    if (name === 'finished') return value === 'true' ? t('runs.finished') : '';
    return `${word(`runs.fact.${name}`, name)} ${value}`;
  });
  return [others.shift() ?? '', ...spoken, ...others].filter(Boolean);
}
