// Who plays whom, from which position, with which clock.
import { selectField } from '../controls.js';
import { smallBoard } from '../board/small_board.js';
import { tellError } from '../dialogs/dialog.js';
import { html, fill } from '../dom.js';
import { pick, t } from '../i18n/i18n.js';
import { viewScene } from '../state/scene.js';
import { newBoard } from './home.js';

const KEY = 'tsumugi.new-game';

/** Clocks, in seconds: main, byoyomi, increment. @type {Record<string, [number, number, number]>} */
const CLOCKS = { none: [0, 0, 0], byoyomi10: [0, 10, 0], byoyomi30: [600, 30, 0], fischer: [300, 0, 5], long: [1800, 60, 0] };

/** @typedef {{ black: string, white: string, level: number, clock: string, main: number, byoyomi: number, increment: number }} Wishes */

/** @returns {Wishes} */
function remembered() {
  const usual = { black: 'human', white: 'tsumugi', level: 5, clock: 'none', main: 10, byoyomi: 30, increment: 0 };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return usual;
  }
}

/** @param {import('../app.js').App} app @param {string[]} parts @param {URLSearchParams} query @returns {Promise<import('../router.js').Page>} */
export async function newGamePage(app, parts, query) {
  const game = app.about.games.find((known) => known.game === parts[0]) ?? app.about.games[0];
  const rules = await app.port.ask('rules', { game: game.game });
  const from = query.get('board');
  const wishes = remembered();
  wishes.level = Math.min(app.about.levels, Math.max(1, wishes.level));
  let start = 0;
  let position = query.get('start') ?? '';
  const picture = html('div', { class: 'board-place' });
  const draw = async () => {
    const asked = position || (rules.game.starts[start]?.position ?? '');
    const answer = await app.port.ask('edit_position', { game: game.game, text: asked });
    if (answer.scene) fill(picture, smallBoard(viewScene(answer.scene, rules), wishes.black !== 'human' && wishes.white === 'human'));
  };
  const engines = app.about.engines.filter((engine) => engine.games.length === 0 || engine.games.includes(game.game));
  const players = [{ value: 'human', text: t('play.human') }, ...engines.map((engine) => ({ value: engine.engine, text: engine.engine === 'tsumugi' ? t('play.tsumugi') : engine.name }))];
  for (const side of /** @type {('black' | 'white')[]} */ (['black', 'white'])) {
    if (!players.some((player) => player.value === wishes[side])) wishes[side] = 'human';
  }
  const levelText = html('output', { 'aria-live': 'polite' });
  const level = html('input', { type: 'range', min: 1, max: app.about.levels, step: 1, value: wishes.level, 'aria-label': t('new.level'), data: { field: 'level' }, oninput: () => { wishes.level = Number(level.value); show(); } });
  const levelRow = html('fieldset', {}, html('legend', { text: t('new.level') }), html('div', { class: 'level-row' }, level, levelText), html('p', { class: 'small', text: t('new.level.hint') }));
  const numberField = (/** @type {'main' | 'byoyomi' | 'increment'} */ name, /** @type {number} */ high) => {
    const input = html('input', { type: 'number', min: 0, max: high, value: wishes[name], onchange: () => { wishes[name] = Math.min(high, Math.max(0, Number(input.value) || 0)); } });
    return html('label', { class: 'field' }, html('span', { text: t(/** @type {any} */ (`new.${name}`)) }), input);
  };
  const custom = html('div', { class: 'two' }, numberField('main', 600), numberField('byoyomi', 3600), numberField('increment', 3600));
  const show = () => {
    levelText.textContent = pick(game.levels[wishes.level - 1] ?? game.levels[0]);
    levelRow.hidden = wishes.black === 'human' && wishes.white === 'human';
    custom.hidden = wishes.clock !== 'custom';
  };
  const player = (/** @type {'black' | 'white'} */ side) => selectField(`${side === 'black' ? '▲' : '△'} ${pick(rules.sides[side === 'black' ? 0 : 1])}`, players, wishes[side], (value) => { wishes[side] = value; show(); void draw(); }, { data: { field: side } });
  const begin = async () => {
    try {
      localStorage.setItem(KEY, JSON.stringify(wishes));
    } catch {
      // Not kept: the next game begins with the usual choices.
    }
    const side = (/** @type {string} */ who) => (who === 'human' ? { kind: 'human', name: '' } : { kind: 'engine', engine: who, level: engines.find((engine) => engine.engine === who)?.levels ? wishes.level : null });
    const [main, byoyomi, increment] = wishes.clock === 'custom' ? [wishes.main * 60, wishes.byoyomi, wishes.increment] : (CLOCKS[wishes.clock] ?? CLOCKS.none);
    try {
      const opened = await app.port.ask('new_game', {
        board: from, node: from ? Number(query.get('node')) : null, game: from ? null : game.game, start: from ? null : position || rules.game.starts[start]?.position || null,
        sides: [side(wishes.black), side(wishes.white)], clock: { main: main * 1000, byoyomi: byoyomi * 1000, increment: increment * 1000 },
      });
      await app.router.go(`/b/${opened.board}`);
    } catch (error) {
      tellError(error);
    }
  };
  const form = html('div', { class: 'stack' },
    html('h1', { text: pick(game.name) }),
    html('div', { class: 'two' }, player('black'), player('white')),
    levelRow,
    from ? html('p', { class: 'small', text: t('new.from') }) : rules.game.starts.length > 1 && selectField(t('new.start'), rules.game.starts.map((/** @type {any} */ entry, /** @type {number} */ index) => ({ value: index, text: pick(entry.name) })), 0, (value) => { start = Number(value); position = ''; void draw(); }, { data: { field: 'start' } }),
    selectField(t('new.clock'), [...Object.keys(CLOCKS), 'custom'].map((value) => ({ value, text: t(/** @type {any} */ (`clock.${value}`)) })), wishes.clock, (value) => { wishes.clock = value; show(); }, { data: { field: 'clock' } }),
    custom,
    html('div', { class: 'row' }, html('button', { type: 'button', class: 'primary wide', data: { action: 'begin' }, text: t('new.begin'), onclick: () => void begin() }), html('button', { type: 'button', data: { action: 'analyse' }, text: t('home.analyse'), onclick: () => void newBoard(app, game.game, position || rules.game.starts[start]?.position) })),
    html('details', {}, html('summary', { text: t('new.other') }), html('div', { class: 'row games-row' }, app.about.games.map((known) => html('a', { class: 'button', href: `/new/${encodeURIComponent(known.game)}`, text: pick(known.name), 'aria-current': known === game ? 'page' : null })))));
  show();
  await draw();
  return { element: html('div', { class: 'page new-game' }, picture, form), title: pick(game.name), nav: 'play', game: game.game, key: (name) => { if (name !== 'Enter') return false; void begin(); return true; } };
}
