// The board with everything around it: hands, players, clocks, value bar, the last move in large signs.
import { html, svg, fill } from '../dom.js';
import { pick, t } from '../i18n/i18n.js';
import { moves, onSettings, settings } from '../state/settings.js';
import { percentText, scoreText, timeText, winRate, asNumber } from '../state/values.js';
import { Board } from './board.js';
import { Geometry } from './geometry.js';
import { Hand } from './hand.js';
import { sideName, sideSign } from './names.js';
import { Ways, squaresOf, targetLamps } from './ways.js';

/**
 * @typedef {import('../state/scene.js').Scene} Scene
 * @typedef {{ name: string, clock?: number | null, low?: boolean, note?: string }} PlayerLook
 */

/** @param {Scene} scene @param {boolean} [bare] without coordinates */
export const geometryOf = (scene, bare = settings.coordinates === 'none') => new Geometry(scene.files, scene.ranks, scene.ways ? { square: true, leftToRight: true } : { bare });

/** @returns {import('./drawing.js').Look} */
export const lookOf = (flipped = false) => ({ flipped, coordinates: settings.coordinates, set: settings.pieces, motion: moves() });

export class Table {
  /**
   * @param {object} events
   * @param {(move: { from: string, to: string }, at: DOMRect) => void} events.onMove
   * @param {(move: string) => void} [events.onWay]
   * @param {(way: string) => Promise<import('./ways.js').Operator[]>} [events.expandWay]
   * @param {(from: string, to: string) => void} [events.onArrow]
   * @param {(square: string, button: number) => void} [events.onSquare]
   * @param {(from: string | null) => void} [events.onSelect]
   * @param {(kind: string, side: 0 | 1) => void} [events.onHand]
   */
  constructor(events) {
    this.events = events;
    this.flipped = false;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Board | null} */
    this.board = null;
    /** @type {[PlayerLook, PlayerLook]} */
    this.players = [{ name: '' }, { name: '' }];
    this.place = html('div', { class: 'board-place' });
    this.bar = html('div', { class: 'value-bar', role: 'img' }, html('div', { class: 'black' }), html('span'));
    this.headline = html('div', { class: 'headline' });
    this.element = html('div', { class: 'table no-bar', data: { cell: '' } });
    this.lamps = html('div', { class: 'under lamps' });
    this.active = true;
    /** @type {Ways | null} */
    this.ways = null;
    this.stop = onSettings(() => this.restyle());
  }

  leave() {
    this.stop();
  }

  /** @param {Scene} scene */
  build(scene) {
    const geometry = geometryOf(scene);
    const board = new Board(geometry, lookOf(this.flipped), {
      onMove: (move, at) => this.events.onMove(move, at),
      onSelect: (from) => {
        this.hands.forEach((hand) => hand.choose(from));
        this.events.onSelect?.(from);
      },
      onArrow: this.events.onArrow,
      onSquare: this.events.onSquare,
      onLetter: (letter) => this.letter(letter),
    });
    board.dots = settings.dots;
    this.board = board;
    /** @type {[Hand, Hand]} */
    this.hands = [new Hand(0, board), new Hand(1, board)];
    board.handPiece = (/** @type {string} */ from) => this.hands[this.scene?.side ?? 0].pieceOf(from);
    this.ways = scene.ways ? new Ways(board, this.events.expandWay ?? (async () => []), (move) => this.events.onWay?.(move), () => this.showLamps()) : null;
    if (this.ways) {
      const ways = this.ways;
      // A square lies on two ways: a second tap chooses the other one.
      board.events.onSquare = (square, button) => {
        if (this.events.onSquare) this.events.onSquare(square, button);
        else void ways.choose(ways.way === square[0] ? square[1] : square[0]);
      };
      board.label();
    }
    this.place.replaceChildren(this.ways ? this.ways.element : board.element);
    const ratio = (geometry.width + (this.ways ? 54 : 0)) / (geometry.height + (this.ways ? 54 : 0));
    for (const element of [this.element, this.element.parentElement]) element?.style.setProperty('--ratio', ratio.toFixed(4));
    this.element.style.setProperty('--ratio', ratio.toFixed(4));
    this.players = [{ name: '' }, { name: '' }];
    this.playerElements = [0, 1].map(() => html('div', { class: 'player' }));
    this.element.classList.toggle('no-hands', Boolean(this.ways));
    this.arrange();
  }

  arrange() {
    if (!this.board) return;
    const [bottom, top] = this.flipped ? [1, 0] : [0, 1];
    for (const side of [0, 1]) {
      const where = side === bottom ? 'is-bottom' : 'is-top';
      this.playerElements?.[side].classList.remove('is-top', 'is-bottom');
      this.hands[side].element.classList.remove('is-top', 'is-bottom');
      this.playerElements?.[side].classList.add(where);
      this.hands[side].element.classList.add(where);
    }
    const players = /** @type {HTMLElement[]} */ (this.playerElements);
    this.element.replaceChildren(this.bar, players[top], this.hands[top].element, this.place, this.headline, this.hands[bottom].element, players[bottom]);
    this.bar.classList.toggle('is-flipped', this.flipped);
  }

  /** @param {Scene} scene @param {{ animate?: boolean, active?: boolean }} [options] active: a person may move now */
  show(scene, { animate = true, active = true } = {}) {
    const old = this.scene;
    if (!this.board || !old || old.files !== scene.files || old.ranks !== scene.ranks || Boolean(old.ways) !== Boolean(scene.ways)) this.build(scene);
    const board = /** @type {Board} */ (this.board);
    this.scene = scene;
    this.active = active;
    board.extra = {};
    board.show({ cells: scene.cells, legal: active ? scene.legal : [], last: scene.last, check: scene.check, side: scene.side, placing: scene.setup !== null, lit: scene.setup?.lit }, animate);
    for (const hand of this.hands) hand.show(scene.hands[hand.side], { active: active && hand.side === scene.side });
    this.ways?.show(scene.ways ?? [], scene.side, active);
    if (scene.lastWay) {
      board.extra = { ...board.extra, lit: squaresOf(board.geometry, scene.lastWay).map((square) => board.geometry.indexOf(square)) };
      board.mark();
    }
    this.showPlayers();
    this.showHeadline();
    this.showLamps();
    this.board?.drawing.drawArrows([]);
  }

  /** @param {[PlayerLook, PlayerLook]} players */
  setPlayers(players) {
    this.players = players;
    this.showPlayers();
  }

  showPlayers() {
    const scene = this.scene;
    if (!scene || !this.playerElements) return;
    for (const side of /** @type {(0 | 1)[]} */ ([0, 1])) {
      const { name, clock, low, note } = this.players[side];
      const turn = scene.side === side && !scene.outcome;
      const element = this.playerElements[side];
      element.classList.toggle('is-turn', turn);
      const left = scene.freeze?.left[side];
      const checks = scene.checks?.[side];
      fill(element,
        html('b', { text: `${sideSign(side)} ${turn ? t('side.turn', { side: sideName(side) }) : sideName(side)}` }),
        name && html('div', { class: 'name', title: name, text: name }),
        note && html('div', { class: 'name', text: note }),
        left !== undefined && counters(left, t('freeze.left', { count: left })),
        checks !== undefined && html('div', { class: 'small', text: t('checks.count', { count: checks }) }),
        typeof clock === 'number' && html('div', { class: `clock${low ? ' is-low' : ''}`, role: 'timer', 'aria-live': 'off', text: timeText(Math.max(0, clock)) }));
    }
  }

  showHeadline() {
    const scene = this.scene;
    if (!scene) return;
    fill(this.headline, html('span', { class: 'small', text: scene.ply > 0 ? t('ply', { ply: scene.ply }) : t('start') }), html('strong', {}, breakable(pick(scene.say))), scene.outcome && html('span', { class: 'outcome', text: pick(scene.outcome.text) }));
  }

  showLamps() {
    const targets = this.scene?.targets;
    if (!targets) this.lamps.replaceChildren();
    else this.lamps.replaceChildren(html('section', { class: 'pane' }, html('div', { class: 'inside' }, targetLamps(targets, this.ways?.op?.lights ?? []))));
  }

  /** @param {import('../state/values.js').Valued | null} score @param {boolean} [slot] keeps the bar's place while no value is known, so that the board stays where it is */
  showValue(score, slot = score !== null) {
    const value = score ? asNumber(score) : null;
    this.element.classList.toggle('no-bar', !slot);
    this.bar.classList.toggle('is-empty', value === null);
    if (value === null || !score) {
      this.bar.setAttribute('aria-label', t('graph.unknown'));
      return;
    }
    const rate = winRate(value);
    const narrow = this.ways !== null || matchMedia('(max-width: 759px)').matches;
    /** @type {HTMLElement} */ (this.bar.firstElementChild).style.transform = narrow ? `scaleX(${rate})` : `scaleY(${rate})`;
    /** @type {HTMLElement} */ (this.bar.lastElementChild).textContent = percentText(score);
    this.bar.setAttribute('aria-label', t('bar.label', { percent: percentText(score), value: scoreText(score, t('mate.word')) }));
  }

  /** @param {boolean} flipped */
  flip(flipped = !this.flipped) {
    this.flipped = flipped;
    this.restyle();
  }

  restyle() {
    if (!this.board || !this.scene) return;
    this.board.dots = settings.dots;
    this.board.restyle(lookOf(this.flipped));
    this.arrange();
    this.hands.forEach((hand) => hand.draw());
    this.ways?.draw();
    this.showPlayers();
    this.showHeadline();
  }

  /** A letter typed on the board chooses a piece in hand. @param {string} letter */
  letter(letter) {
    const from = `${letter.toUpperCase()}*`;
    if (!this.board || this.board.targets(from).length === 0) return false;
    this.board.select(this.board.selected === from ? null : from);
    return true;
  }
}

/** A Japanese move may break between square and piece where the column is narrow. @param {string} say */
function breakable(say) {
  const parts = /^([▲△].{2})(.+)$/.exec(say);
  return parts ? [html('span', { text: parts[1] }), html('wbr'), html('span', { text: parts[2] })] : [say];
}

/** Filled and empty circles. @param {number} left @param {string} label */
export function counters(left, label) {
  if (left > 6) return html('div', { class: 'small', text: label });
  return html('div', { class: 'counters', role: 'img', 'aria-label': label }, Array.from({ length: Math.max(3, left) }, (_, i) => svg('svg', { viewBox: '0 0 16 16' }, svg('circle', { class: i < left ? 'full' : '', cx: 8, cy: 8, r: 6.4 }))));
}
