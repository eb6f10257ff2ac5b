// The empty board: frame, grain, lines, star points, coordinates.
import { svg } from '../dom.js';
import { signs } from '../pieces/sprite.js';
import { RANK_KANJI, RANK_LETTERS } from './geometry.js';

/** @typedef {'japanese' | 'western' | 'none'} Coordinates */

/**
 * @param {import('./geometry.js').Geometry} geometry
 * @param {{ flipped: boolean, coordinates: Coordinates, stars?: boolean }} look
 */
export function drawWood(geometry, { flipped, coordinates, stars = true }) {
  const { files, ranks, cell, margin, width, height } = geometry;
  const [left, top, right, bottom] = [margin.left, margin.top, margin.left + files * cell.width, margin.top + ranks * cell.height];
  let path = '';
  for (let column = 1; column < files; column++) path += `M${left + column * cell.width} ${top}V${bottom}`;
  for (let row = 1; row < ranks; row++) path += `M${left} ${top + row * cell.height}H${right}`;
  const points = [];
  if (stars && files >= 6 && ranks >= 6) {
    const [dx, dy] = [Math.floor(files / 3), Math.floor(ranks / 3)];
    for (const column of new Set([dx, files - dx])) {
      for (const row of new Set([dy, ranks - dy])) points.push(svg('circle', { cx: left + column * cell.width, cy: top + row * cell.height, r: 3.6 }));
    }
  }
  return svg(
    'g',
    {},
    svg('rect', { class: 'board-shadow', x: 3, y: 7, width: width - 2, height: height - 3, rx: 6 }),
    svg('rect', { class: 'board-frame', x: 1, y: 1, width: width - 2, height: height - 2, rx: 5 }),
    grain(width, height),
    svg('g', { class: 'board-lines' }, svg('path', { d: path }), svg('rect', { x: left, y: top, width: right - left, height: bottom - top }), points),
    coordinates === 'none' || geometry.leftToRight ? null : names(geometry, flipped, coordinates),
  );
}

/** @param {number} width @param {number} height */
function grain(width, height) {
  const group = svg('g', { class: 'board-grain' });
  let seed = 7;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let x = 6; x < width - 6; x += 5 + random() * 16) {
    const bend = (random() - 0.5) * 7;
    group.append(svg('path', { d: `M${x.toFixed(1)} 2C${(x + bend).toFixed(1)} ${(height / 3).toFixed(0)} ${(x - bend).toFixed(1)} ${((2 * height) / 3).toFixed(0)} ${(x + bend / 2).toFixed(1)} ${height - 2}` }));
  }
  return group;
}

/** @param {import('./geometry.js').Geometry} geometry @param {boolean} flipped @param {Coordinates} style */
function names(geometry, flipped, style) {
  const { files, ranks, cell, margin } = geometry;
  const group = svg('g', { class: 'coordinate' });
  for (let column = 0; column < files; column++) {
    const shown = flipped ? files - 1 - column : column;
    group.append(signs(String(geometry.leftToRight ? shown + 1 : files - shown), margin.left + (column + 0.5) * cell.width, 15, 18, 'coordinate'));
  }
  for (let row = 0; row < ranks; row++) {
    const shown = flipped ? ranks - 1 - row : row;
    const text = style === 'japanese' ? RANK_KANJI[shown] : RANK_LETTERS[shown];
    group.append(signs(text, margin.left + files * cell.width + 15, margin.top + (row + 0.5) * cell.height, text.length > 1 ? 12 : 17, 'coordinate'));
  }
  return group;
}
