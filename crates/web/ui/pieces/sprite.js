// One hidden drawing with everything that boards and hands refer to.
import { svg } from '../dom.js';
import { bodies } from './bodies.js';
import { OUTLINES } from './outlines.js';

const EM = 500;
// The middle of a kanji's square lies this far above its baseline.
const MIDDLE = 0.38 * EM;
// Capitals and figures are lower: their middle is half of their height.
const LATIN_MIDDLE = 0.367 * EM;
const SMALL_MIDDLE = 0.29 * EM;

/** @param {string} sign */
function middle(sign) {
  if (/[a-l]/.test(sign)) return SMALL_MIDDLE;
  return sign.charCodeAt(0) < 128 ? LATIN_MIDDLE : MIDDLE;
}

/** Puts the drawing into the page, once. */
export function installSprite() {
  if (document.getElementById('sprite')) return;
  const paths = Object.entries(OUTLINES).map(([sign, [, path]]) => svg('path', { id: `sign-${sign}`, d: path }));
  document.body.prepend(svg('svg', { id: 'sprite', width: 0, height: 0, 'aria-hidden': 'true' }, svg('defs', {}, bodies(), paths)));
}

/** Whether a text can be written with outlines. @param {string} text */
export const hasOutlines = (text) => [...text].every((sign) => sign in OUTLINES);

/** How wide a text is, in units of its size. @param {string} text */
export function widthOf(text) {
  let width = 0;
  for (const sign of text) width += (OUTLINES[sign]?.[0] ?? EM) / EM;
  return width;
}

/**
 * A text in outlines, centred on a point.
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {number} size of the em
 * @param {string} [name] class
 */
export function signs(text, x, y, size, name = 'sign') {
  const scale = size / EM;
  let at = x - (widthOf(text) * size) / 2;
  const group = svg('g', { class: name });
  for (const sign of text) {
    const outline = OUTLINES[sign];
    if (!outline) continue;
    group.append(svg('use', { href: `#sign-${sign}`, transform: `translate(${round(at)} ${round(y + middle(sign) * scale)}) scale(${round(scale, 4)})` }));
    at += outline[0] * scale;
  }
  return group;
}

/** @param {number} value @param {number} [digits] */
export const round = (value, digits = 2) => Number(value.toFixed(digits));
