// The opening explorer: what was played in this position in the games of a library, and the games that reach it.
import { command, selectField } from '../controls.js';
import { fill, html } from '../dom.js';
import { tell, tellError } from '../dialogs/dialog.js';
import { language, number, t } from '../i18n/i18n.js';

/**
 * @typedef {import('../protocol').GameCounts} GameCounts
 * @typedef {import('../protocol').LibraryGame} LibraryGame
 */

/** Games that are listed at once. */
const GAMES = 20;
/** Moves that are shown at first. */
const MOVES = 10;
/** A name is searched when nothing was typed for so long, in milliseconds. */
const TYPING = 300;

export class GamesPane {
  /** @param {import('../state/board_state.js').BoardState} state @param {(move: string) => void} onPlay @param {(address: string) => void} onGame */
  constructor(state, onPlay, onGame) {
    this.state = state;
    this.onPlay = onPlay;
    this.onGame = onGame;
    this.library = '';
    this.player = '';
    /** @type {LibraryGame[]} */
    this.games = [];
    this.asked = 0;
    this.allMoves = false;
    this.choice = html('div', { class: 'inside explorer-choice' });
    this.summary = html('div', { class: 'explorer-summary', role: 'status' });
    this.table = html('div', { class: 'table-scroll' });
    this.list = html('div', { class: 'explorer-games' });
    this.body = html('div', { class: 'scroll' }, this.summary, this.table, this.list);
    this.element = html('div', { class: 'games-library' }, this.choice, this.body);
    state.on('scene', () => {
      if (this.element.isConnected) void this.load();
    });
  }

  async shown() {
    if (this.library) {
      await this.load();
      return;
    }
    try {
      const { libraries } = await this.state.port.ask('library.list');
      if (libraries.length === 0) {
        fill(this.choice);
        fill(this.body, html('p', { class: 'empty', text: t('library.none') }), command('tsumugi games --db my.games add games/\ntsumugi web --library my.games --open'));
        return;
      }
      let wished = null;
      try { wished = sessionStorage.getItem('tsumugi.library'); } catch { /* not kept */ }
      this.library = (libraries.find((known) => known.library === wished) ?? libraries[0]).library;
      const player = html('input', { type: 'search', value: this.player, maxlength: 60, placeholder: t('library.player'), 'aria-label': t('library.player'), data: { field: 'player' }, oninput: () => this.typed(player.value) });
      fill(this.choice,
        libraries.length > 1 && selectField(t('library.file'), libraries.map((known) => ({ value: known.library, text: `${known.library} (${number(known.games)})` })), this.library, (name) => this.choose(name)),
        player);
      await this.load();
    } catch (error) {
      tellError(error);
    }
  }

  /** @param {string} library */
  choose(library) {
    this.library = library;
    try { sessionStorage.setItem('tsumugi.library', library); } catch { /* not kept */ }
    void this.load();
  }

  /** @param {string} player */
  typed(player) {
    this.player = player.trim();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.load(), TYPING);
  }

  at() {
    return { library: this.library, board: this.state.id, node: this.state.cursor, player: this.player || null };
  }

  async load() {
    if (!this.library) return;
    const turn = ++this.asked;
    try {
      const [explored, reached] = await Promise.all([this.state.port.ask('library.explore', this.at()), this.state.port.ask('library.games', { ...this.at(), skip: 0, count: GAMES })]);
      if (turn !== this.asked) return;
      this.element.dataset.node = String(explored.node);
      this.games = reached.games;
      this.allMoves = false;
      this.draw(explored);
      this.drawGames(reached.all);
    } catch (error) {
      if (turn !== this.asked) return;
      fill(this.summary);
      fill(this.table, html('p', { class: 'empty', text: error instanceof Error ? error.message : '' }));
      fill(this.list);
    }
  }

  /** @param {import('../protocol').Explored} explored */
  draw(explored) {
    const { counts, ended, moves } = explored;
    if (counts.games === 0) {
      fill(this.summary);
      fill(this.table, html('p', { class: 'empty', text: t(this.player ? 'library.nobody' : 'library.empty') }));
      return;
    }
    fill(this.summary, html('b', { text: t('library.count', { count: number(counts.games) }) }), ended > 0 && html('span', { class: 'small', text: t('library.ended', { count: number(ended) }) }), results(counts, 10));
    if (moves.length === 0) fill(this.table);
    else fill(this.table, html('table', { class: 'book-table explorer-table' },
      html('thead', {}, html('tr', {}, html('th', { text: t('book.move') }), html('th', { class: 'number', text: t('library.games') }), html('th', { text: t('library.results') }), html('th', { class: 'number', text: t('library.rating') }))),
      html('tbody', {}, moves.slice(0, this.allMoves ? undefined : MOVES).map((move) => html('tr', { onclick: () => this.onPlay(move.move), data: { move: move.move } },
        html('td', {}, html('button', { type: 'button', class: 'plain', text: move[language()], onclick: (/** @type {Event} */ event) => { event.stopPropagation(); this.onPlay(move.move); } })),
        html('td', { class: 'number' }, number(move.counts.games), move.reached > move.counts.games && html('div', { class: 'small', title: t('library.transposed.hint', { count: number(move.reached) }), text: t('library.transposed', { count: number(move.reached - move.counts.games) }) })),
        html('td', {}, results(move.counts)),
        html('td', { class: 'number faint', text: rating(move.counts.rating) }))))),
    moves.length > MOVES && !this.allMoves && html('button', { type: 'button', class: 'plain more-moves', text: t('library.moves', { count: moves.length - MOVES }), onclick: () => { this.allMoves = true; this.draw(explored); } }));
  }

  /** @param {number} all */
  drawGames(all) {
    if (all === 0) {
      fill(this.list);
      return;
    }
    fill(this.list, html('h3', { text: t('library.reaching', { count: number(all) }) }), this.games.map((game) => this.row(game)),
      this.games.length < all && html('button', { type: 'button', class: 'plain', data: { action: 'more-games' }, text: t('library.more'), onclick: () => void this.more() }));
  }

  /** @param {LibraryGame} game */
  row(game) {
    const side = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {number | null | undefined} */ rated, /** @type {boolean} */ won) =>
      html(won ? 'b' : 'span', { class: 'player-name' }, `${sign}${name || '?'}`, typeof rated === 'number' && !name.includes(rating(rated)) && html('span', { class: 'small', text: ` ${rating(rated)}` }));
    const result = game.winner === 'black' ? '1–0' : game.winner === 'white' ? '0–1' : game.draw ? '½' : '–';
    return html('button', { type: 'button', class: 'explorer-game', data: { game: String(game.number) }, title: t('library.open', { ply: game.ply }), onclick: () => void this.open(game) },
      html('span', { class: 'players' }, side('▲', game.black, game.black_rating, game.winner === 'black'), side('△', game.white, game.white_rating, game.winner === 'white')),
      html('span', { class: 'result', text: result }),
      html('span', { class: 'small', text: [game.date ?? '', game.event, language() === 'ja' ? game.opening : '', t('home.moves', { moves: game.moves })].filter(Boolean).join(' · ') }));
  }

  async more() {
    const turn = this.asked;
    try {
      const { all, games } = await this.state.port.ask('library.games', { ...this.at(), skip: this.games.length, count: GAMES });
      if (turn !== this.asked) return;
      this.games = [...this.games, ...games];
      this.drawGames(all);
    } catch (error) {
      tellError(error);
    }
  }

  /** Opens a game on a board of its own, where it reaches the position. @param {LibraryGame} game */
  async open(game) {
    try {
      const { board, node, notices } = await this.state.port.ask('library.open', { library: this.library, number: game.number, ply: game.ply });
      if (notices.length > 0) tell(notices.join(' '));
      this.onGame(`/b/${board}?node=${node}`);
    } catch (error) {
      tellError(error);
    }
  }

  leave() {
    clearTimeout(this.waiting);
  }
}

/** @param {number | null | undefined} value */
const rating = (value) => (typeof value === 'number' ? String(Math.round(value)) : '');

/** Shares of the results as a bar: Black's wins, draws, White's wins. @param {GameCounts} counts @param {number} [least] percent that a part needs to have room for its number */
function results({ black, draws, white }, least = 34) {
  const known = black + draws + white;
  if (known === 0) return html('span', { class: 'small', text: t('library.unknown') });
  const percent = (/** @type {number} */ part) => Math.round((100 * part) / known);
  const label = t('library.results.label', { black: percent(black), draws: percent(draws), white: percent(white) });
  return html('div', { class: 'wdl', role: 'img', 'aria-label': label, title: label }, [['w', black], ['d', draws], ['l', white]].map(([name, part]) => {
    const share = percent(Number(part));
    const element = html('i', { class: String(name), text: share >= least ? `${share}%` : '' });
    element.style.width = `${(100 * Number(part)) / known}%`;
    return element;
  }));
}
