// Arrows over the pieces: what an engine would play, with its value, and what a person draws with the right button.
import { svg } from '../dom.js';
import { BOX } from '../pieces/bodies.js';
import { drawPiece } from '../pieces/piece.js';
import { round } from '../pieces/sprite.js';

/**
 * @typedef {{ x: number, y: number }} Point
 * @typedef {{ from: Point, to: Point, rank: number, label?: string, drawn?: boolean, faded?: boolean, dropped?: import('../pieces/piece.js').PieceLook }} ArrowLook a drop shows its piece
 */

const SHAFT = 5;
const CELL = { width: 60, height: 66 };
const HEAD = { length: 19, half: 14 };

/** @param {ArrowLook} look @param {import('../pieces/piece.js').PieceSet} set @param {boolean} flipped */
export function drawArrow({ from, to, rank, label, drawn, faded, dropped }, set, flipped) {
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const length = Math.hypot(to.x - from.x, to.y - from.y) - 14;
  const shaft = rank > 1 ? SHAFT * 0.8 : SHAFT;
  const neck = length - HEAD.length;
  const path = length < 8
    ? 'M-12 0a12 12 0 1 0 24 0a12 12 0 1 0 -24 0z'
    : `M12 ${-shaft}H${round(neck)}V${-HEAD.half}L${round(length)} 0L${round(neck)} ${HEAD.half}V${shaft}H12z`;
  const group = svg('g', { class: `arrow${rank > 1 ? ' second' : ''}${drawn ? ' drawn' : ''}${faded ? ' faded' : ''}` });
  if (dropped) group.append(dropMark(dropped, to, set, flipped));
  else group.append(svg('path', { d: path, transform: `translate(${round(from.x)} ${round(from.y)}) rotate(${round((angle * 180) / Math.PI)})` }));
  if (label) {
    const width = 16 + label.length * 7.4;
    const [x, y] = [to.x, to.y - 24];
    group.append(
      svg('rect', { x: round(x - width / 2), y: round(y - 11), width: round(width), height: 22, rx: 11 }),
      svg('text', { x: round(x), y: round(y + 4.8), 'text-anchor': 'middle', text: label }),
    );
  }
  return group;
}

/** @param {import('../pieces/piece.js').PieceLook} piece @param {Point} at @param {import('../pieces/piece.js').PieceSet} set @param {boolean} flipped */
function dropMark(piece, at, set, flipped) {
  const [width, height] = [CELL.width * 0.94, CELL.height * 0.94];
  const scale = (CELL.height * 0.86) / BOX.height;
  return svg('g', { class: 'drop-mark' },
    svg('rect', { class: 'drop-frame', x: round(at.x - width / 2), y: round(at.y - height / 2), width: round(width), height: round(height), rx: 7 }),
    svg('g', { class: 'drop-piece', transform: `translate(${round(at.x - (BOX.width * scale) / 2)} ${round(at.y - (BOX.height * scale) / 2)}) scale(${round(scale, 4)})` }, drawPiece(piece, { set, flipped })));
}
