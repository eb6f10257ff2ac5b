// A piece as a drawing: body, sign, and what shows that it is promoted or frozen.
import { svg } from '../dom.js';
import { BOX } from './bodies.js';
import { hasOutlines, round, signs } from './sprite.js';

/**
 * @typedef {[number, number, number]} Step to the right, down, 1 if it slides: as its owner sees it
 * @typedef {object} PieceLook
 * @property {string} kind the letter, which decides the size
 * @property {string} [key] the kind as the server names it: `+P`
 * @property {number} side
 * @property {boolean} [promoted]
 * @property {string} glyph one kanji, or letters
 * @property {string} [two] two kanji
 * @property {string} [letter]
 * @property {{ ja: string, en: string }} [name]
 * @property {Step[]} [steps]
 * @property {boolean} [frozen]
 * @typedef {'one' | 'two' | 'letters'} PieceSet
 */

/** How much of the box a kind fills. @type {Record<string, number>} */
const SIZES = { K: 0.97, R: 0.94, B: 0.94, G: 0.91, S: 0.91, N: 0.88, L: 0.88, P: 0.85 };

/** What is written on a piece in a set, and its steps if they are drawn. @param {PieceLook} piece @param {PieceSet} set */
function inscription(piece, set) {
  if (set === 'letters') return { text: piece.letter ?? piece.glyph, steps: piece.steps ?? [] };
  if (set === 'two' && piece.two) return { text: piece.two, steps: null };
  // A piece without kanji is shown by its letters, with the way it moves.
  const latin = piece.glyph.charCodeAt(0) < 128;
  return { text: piece.glyph, steps: latin ? (piece.steps ?? []) : null };
}

/** Dots for steps, strokes for slides, rings for jumps. @param {Step[]} steps @param {number} y the middle of the piece @param {number} turn 1 or -1 */
function dots(steps, y, turn) {
  const group = svg('g', { class: 'steps' });
  for (const [dx, dy, slides] of steps) {
    const far = Math.max(Math.abs(dx), Math.abs(dy));
    const unit = far > 1 ? 16.5 : dx !== 0 && dy !== 0 ? 21 : 25;
    const [x1, y1] = [50 + turn * dx * unit, y + turn * dy * unit];
    if (slides) group.append(svg('line', { x1: round(x1 - turn * dx * 3), y1: round(y1 - turn * dy * 3), x2: round(x1 + turn * dx * 5), y2: round(y1 + turn * dy * 5) }));
    else group.append(svg('circle', { class: far > 1 ? 'jump' : '', cx: round(x1), cy: round(y1), r: far > 1 ? 3 : 3.4 }));
  }
  return group;
}

/** The mark of the frozen: a sign where it can be read, six rays where it cannot (css chooses). */
function frozenBadge() {
  const rays = svg('g', { class: 'rays' });
  for (const angle of [0, 60, 120]) rays.append(svg('line', { x1: 82, y1: 9, x2: 82, y2: 33, transform: `rotate(${angle} 82 21)` }));
  return svg('g', { class: 'frozen-badge' }, svg('circle', { cx: 82, cy: 21, r: 17 }), signs('凍', 82, 21, 25, 'sign-frozen'), rays);
}

/**
 * A piece whose box has its upper left corner at 0, 0.
 * @param {PieceLook} piece
 * @param {{ set?: PieceSet, flipped?: boolean }} [options] flipped: the board is seen by the other side
 */
export function drawPiece(piece, { set = 'one', flipped = false } = {}) {
  if (piece.glyph === '0' || piece.glyph === '1') return drawStone(piece.glyph);
  const up = (piece.side === 0) !== flipped;
  const way = up ? 'up' : 'down';
  const size = SIZES[piece.kind] ?? 0.9;
  const { text, steps } = inscription(piece, set);
  const middle = up ? 61 : 49;
  const group = svg('g', { class: `piece${piece.promoted ? ' promoted' : ''}${piece.frozen ? ' frozen' : ''}` });
  const inner = svg('g', { transform: `translate(${round(50 - 50 * size)} ${round(up ? 102 - 102 * size : 55 - 55 * size)}) scale(${size})` });
  inner.append(svg('use', { href: `#body-${piece.frozen ? 'ice' : 'wood'}-${way}`, width: BOX.width, height: BOX.height }));
  const written = svg('g', up ? {} : { transform: `rotate(180 50 ${middle})` });
  if (!hasOutlines(text)) written.append(svg('text', { class: 'sign', x: 50, y: middle, 'font-size': 46, 'text-anchor': 'middle', 'dominant-baseline': 'central', text }));
  else if (text.length === 2 && set === 'two') {
    written.append(signs(text[0], 50, middle - 15, 37), signs(text[1], 50, middle + 19, 37));
  } else written.append(signs(text, 50, middle, steps ? (text.length > 1 ? 30 : 40) : 63));
  inner.append(written);
  if (steps) inner.append(dots(steps, middle, up ? 1 : -1));
  if (piece.promoted) inner.append(svg('path', { class: 'diamond', d: up ? 'M50 14 l5.5 6.5 l-5.5 6.5 l-5.5 -6.5 z' : 'M50 83 l5.5 6.5 l-5.5 6.5 l-5.5 -6.5 z' }));
  group.append(inner);
  if (piece.frozen) group.append(frozenBadge());
  return group;
}

/** A stone of Binarsi in the same box. @param {'0' | '1'} value */
function drawStone(value) {
  return svg('g', { class: `piece stone is-${value}` }, svg('use', { href: `#stone-${value}`, x: 8, y: 13, width: 84, height: 84 }), signs(value, 50, 55, 54, 'sign-stone'));
}

/**
 * A piece as a drawing of its own.
 * @param {PieceLook} piece
 * @param {{ set?: PieceSet, flipped?: boolean }} [options]
 */
export function pieceImage(piece, options) {
  return svg('svg', { class: 'piece-image', viewBox: `0 0 ${BOX.width} ${BOX.height}`, 'aria-hidden': 'true' }, drawPiece(piece, options));
}
