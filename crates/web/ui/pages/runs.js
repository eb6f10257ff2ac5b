// Matches, games on servers, tuning and training, watched while they go on.
import { iconButton, segments } from '../controls.js';
import { tellError } from '../dialogs/dialog.js';
import { html, fill } from '../dom.js';
import { number, t, word } from '../i18n/i18n.js';
import { factTexts } from '../panes/run_facts.js';
import { curveChart, pairBars, parameterTable, trainChart } from '../panes/run_charts.js';

/**
 * @typedef {import('../protocol').RunEntry} RunEntry
 * @typedef {import('../protocol').RunState} RunState
 */

/** The list is read again so often, in milliseconds; the run that is shown tells its news by itself. */
const AGAIN = 5000;
/** Games on a page of the list. */
const GAMES = 20;

class RunsPage {
  /** @param {import('../app.js').App} app @param {string} run */
  constructor(app, run) {
    this.app = app;
    this.run = run;
    this.nav = 'runs';
    this.title = run || t('nav.runs');
    this.live = false;
    /** @type {RunEntry[]} */
    this.runs = [];
    this.list = html('div', { class: 'run-list' });
    this.detail = html('div', { class: 'stack' });
    const which = segments(t('runs.which'), [{ value: 'live', text: t('runs.live') }, { value: 'all', text: t('runs.all') }], 'all', (value) => { this.live = value === 'live'; this.drawList(); });
    this.element = html('div', { class: 'runs' }, html('section', { class: 'pane', 'aria-label': t('nav.runs') }, html('header', {}, html('h2', { text: t('nav.runs') }), which), this.list), this.detail);
    this.stop = app.port.onEvent((event) => {
      if (event.event === 'run' && event.run === this.run) this.draw(/** @type {any} */ (event));
    });
    /** Which of the newest games the list begins with. */
    this.skip = 0;
    /** @type {RunState | null} */
    this.state = null;
    this.gamesPane = html('section', { class: 'pane games-pane', hidden: true });
    this.timer = setInterval(() => {
      if (document.visibilityState === 'visible') void this.load().catch(() => {});
    }, AGAIN);
    this.stopState = app.port.onState((connected) => void (connected && this.watch().catch(() => {})));
  }

  async load() {
    const { runs } = await this.app.port.ask('runs.list');
    if (JSON.stringify(runs) === JSON.stringify(this.runs)) return;
    this.runs = runs;
    this.drawList();
  }

  async watch() {
    if (!this.run) {
      fill(this.detail, html('p', { class: 'empty', text: t(this.runs.length > 0 ? 'runs.choose' : 'runs.none') }));
      return;
    }
    this.draw(await this.app.port.ask('runs.watch', { run: this.run }));
  }

  drawList() {
    const shown = this.runs.filter((run) => run.live || !this.live);
    const focused = document.activeElement instanceof HTMLAnchorElement && this.list.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
    fill(this.list, shown.length === 0 && html('p', { class: 'empty', text: t('runs.none') }), shown.map((run) => {
      const bar = html('i');
      bar.style.transform = `scaleX(${run.total ? Math.min(1, run.done / run.total) : 1})`;
      return html('a', { class: 'run-entry', href: `/runs/${run.run.split('/').map(encodeURIComponent).join('/')}`, 'aria-current': run.run === this.run ? 'page' : null },
        html('div', { class: 'line' }, html('b', { text: run.title || run.run }), run.live && html('span', { class: 'small good', text: `● ${t('runs.live')}` })),
        html('div', { class: 'line small' }, html('span', { text: `${word(`runs.kind.${run.kind}`)} ${number(run.done)}${run.total ? ` / ${number(run.total)}` : ''}` })),
        html('div', { class: 'meter' }, bar));
    }));
    if (focused) /** @type {HTMLElement | null} */ (this.list.querySelector(`[href="${CSS.escape(focused)}"]`))?.focus();
  }

  /** @param {RunState} state */
  draw(state) {
    const known = this.runs.find((run) => run.run === state.run);
    if (known) {
      Object.assign(known, { done: state.done, total: state.total, live: state.live });
      this.drawList();
    }
    this.state = state;
    this.detail.dataset.done = String(state.done);
    const games = state.match?.games ?? state.csa?.games;
    this.gamesPane.hidden = !games;
    if (games && this.skip === 0) this.drawGames(games);
    fill(this.detail,
      html('div', {}, html('h1', { text: state.title || state.run }), html('p', { class: 'small', text: factTexts(state.facts, (game) => this.app.gameName(game)).join(' · ') })),
      state.match && this.matchView(state.match), state.csa && this.csaView(state.csa), this.gamesPane, state.tune && this.tuneView(state.tune), state.train && this.trainView(state.train));
  }

  /** @param {import('../protocol').MatchState} match */
  matchView(match) {
    const games = match.wins + match.draws + match.losses;
    const share = (/** @type {number} */ part) => (games > 0 ? (100 * part) / games : 0);
    const wdl = html('div', { class: 'wdl', role: 'img', 'aria-label': t('runs.wdl') }, [['w', match.wins], ['d', match.draws], ['l', match.losses]].map(([name, part]) => {
      const element = html('i', { class: String(name), text: share(Number(part)) > 8 ? share(Number(part)).toFixed(1) : '' });
      element.style.width = `${share(Number(part))}%`;
      return element;
    }));
    const bounds = match.llr_bounds;
    const llr = match.llr ?? null;
    const meter = html('i');
    if (bounds && llr !== null) meter.style.transform = `scaleX(${Math.min(1, Math.max(0, (llr - bounds[0]) / (bounds[1] - bounds[0])))})`;
    return html('div', { class: 'stack' },
      html('div', { class: 'numbers-row' },
        figure('Elo', match.elo ? signed(match.elo[0]) : '–', match.elo ? `± ${number(match.elo[1], 1)}` : '', match.los !== null && match.los !== undefined && html('div', { class: 'small', text: t('runs.los', { percent: number(100 * match.los, 1) }) })),
        llr !== null && figure('LLR', number(llr, 2), bounds ? `/ ${number(llr >= 0 ? bounds[1] : bounds[0], 2)}` : '', html('div', { class: 'meter' }, meter)),
        figure(t('runs.wdl'), `${number(match.wins)} · ${number(match.draws)} · ${number(match.losses)}`, '', wdl, 'is-long'),
        this.faultsView(match.faults)),
      html('div', { class: 'run-charts' },
        html('section', { class: 'pane' }, html('header', {}, html('h2', { text: t('runs.curve') }), html('span', { class: 'small', text: t('runs.band') })), curveChart(match)),
        html('section', { class: 'pane' }, html('header', {}, html('h2', { text: t('runs.pairs') }), html('span', { class: 'small', text: t('runs.pairs.count', { count: number(match.pairs.reduce((a, b) => a + b, 0)) }) })), pairBars(match.pairs))));
  }

  /** @param {import('../protocol').RunFault[]} faults */
  faultsView(faults) {
    const count = faults.reduce((sum, fault) => sum + fault.count, 0);
    return figure(t('runs.faults'), number(count), '', html('div', { class: `small${count > 0 ? ' bad' : ''}` }, faults.length === 0 ? t('runs.faults.none') : faults.map((fault) => html('div', {}, `${fault.engine}: ${word(`reason.${fault.reason}`)} ${fault.count} `, html('button', { type: 'button', class: 'plain', text: t('runs.game', { number: fault.game }), 'aria-label': t('runs.open', { number: fault.game }), onclick: () => void this.openGame(fault.game) })))));
  }

  /** @param {import('../protocol').CsaState} csa */
  csaView(csa) {
    const own = csa.players.find((player) => player.name === csa.own);
    return html('div', { class: 'stack' },
      html('div', { class: 'numbers-row' },
        own && figure(t('runs.wdl'), `${number(own.wins)} · ${number(own.draws)} · ${number(own.losses)}`, '', html('div', { class: 'small', text: own.name }), 'is-long'),
        figure(t('runs.cut'), number(csa.cut), '', html('div', { class: 'small', text: t('runs.cut.hint') })),
        typeof csa.longest_lag === 'number' && figure(t('runs.lag'), number(csa.longest_lag), 'ms', null),
        this.faultsView(csa.faults)),
      html('section', { class: 'pane' }, html('header', {}, html('h2', { text: t('runs.players') })), html('div', { class: 'table-scroll' }, html('table', { class: 'players' },
        html('thead', {}, html('tr', {}, html('th', { text: t('runs.parameter.name') }), html('th', { class: 'number', text: t('runs.games.count') }), html('th', { class: 'number', text: t('runs.wdl') }))),
        html('tbody', {}, csa.players.map((player) => html('tr', {}, html('td', {}, player.name === csa.own ? html('b', { text: player.name }) : player.name), html('td', { class: 'number', text: number(player.wins + player.draws + player.losses) }), html('td', { class: 'number', text: `${number(player.wins)} · ${number(player.draws)} · ${number(player.losses)}` }))))))));
  }

  /** @param {import('../protocol').RunGame[]} games */
  drawGames(games) {
    const all = this.state?.done ?? 0;
    const page = (/** @type {string} */ name, /** @type {string} */ label, /** @type {number} */ skip, /** @type {boolean} */ disabled) => iconButton(name, label, () => void this.turnPage(skip), { disabled, data: { action: `games-${name}` } });
    const last = Math.max(0, Math.floor((all - 1) / GAMES) * GAMES);
    fill(this.gamesPane, html('header', {}, html('h2', { text: t('runs.games') }), html('span', { class: 'small', text: t('runs.games.shown', { from: Math.min(all, this.skip + 1), to: Math.min(all, this.skip + games.length), all: number(all) }) }),
      page('first', t('step.first'), 0, this.skip === 0), page('previous', t('step.previous'), this.skip - GAMES, this.skip === 0), page('next', t('step.next'), this.skip + GAMES, this.skip + GAMES >= all), page('last', t('step.last'), last, this.skip >= last)),
    html('div', { class: 'table-scroll' }, html('table', {},
      html('thead', {}, html('tr', {}, ['number', 'black', 'white', 'result', 'reason', 'moves', 'open'].map((name) => html('th', { class: name === 'moves' ? 'number' : '', text: t(/** @type {any} */ (`runs.column.${name}`)) })))),
      html('tbody', {}, games.map((game) => html('tr', {},
        html('td', { class: 'faint', text: String(game.number) }), html('td', { text: `▲ ${game.black}` }), html('td', { text: `△ ${game.white}` }),
        html('td', {}, html('b', { text: { black: '1–0', white: '0–1', draw: '½' }[game.result] ?? '–' })), html('td', { text: word(`reason.${game.reason}`, game.reason) }),
        html('td', { class: 'number', text: game.moves === null || game.moves === undefined ? '' : t('home.moves', { moves: game.moves }) }),
        html('td', {}, game.record && html('button', { type: 'button', class: 'plain', 'aria-label': t('runs.open', { number: game.number }), text: t('runs.column.open'), onclick: () => void this.openGame(game.number) }))))))));
  }

  /** @param {number} skip */
  async turnPage(skip) {
    try {
      const { games } = await this.app.port.ask('runs.games', { run: this.run, skip: Math.max(0, skip), count: GAMES });
      this.skip = Math.max(0, skip);
      this.drawGames(games);
    } catch (error) {
      tellError(error);
    }
  }

  /** @param {import('../protocol').TuneState} tune */
  tuneView(tune) {
    return html('section', { class: 'pane' }, html('header', {}, html('h2', { text: t('runs.parameters') })), html('div', { class: 'table-scroll' }, parameterTable(tune)));
  }

  /** @param {import('../protocol').TrainState} train */
  trainView(train) {
    return html('section', { class: 'pane' }, html('header', {}, html('h2', { text: t('runs.training') })), trainChart(train));
  }

  /** @param {number} game */
  async openGame(game) {
    try {
      const { board } = await this.app.port.ask('runs.open', { run: this.run, number: game });
      await this.app.router.go(`/b/${board}`);
    } catch (error) {
      tellError(error);
    }
  }

  leave() {
    this.stop();
    this.stopState();
    clearInterval(this.timer);
    if (this.run) this.app.port.ask('runs.unwatch', { run: this.run }).catch(() => {});
  }
}

/** One number in large signs. @param {string} name @param {string} value @param {string} beside @param {any} below @param {string} [long] class */
const figure = (name, value, beside, below, long = '') => html('section', { class: `pane figure ${long}` }, html('h2', { class: 'small', text: name }), html('strong', {}, value, beside && html('small', { text: ` ${beside}` })), below);

/** @param {number} value */
const signed = (value) => `${value > 0 ? '+' : value < 0 ? '−' : ''}${number(Math.abs(value), 1)}`;

/** @param {import('../app.js').App} app @param {string[]} parts */
export async function runsPage(app, parts) {
  const page = new RunsPage(app, parts.join('/'));
  await page.load();
  if (!page.run && page.runs.length > 0) {
    page.run = page.runs[0].run;
    page.drawList();
  }
  await page.watch();
  return page;
}
