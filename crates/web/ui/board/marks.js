// What lies between wood and pieces: the last move, the selection, where a piece may go, what is lit.
import { svg } from '../dom.js';

/**
 * @typedef {object} Marks squares by index
 * @property {number[]} [last] where the last move came from and went to
 * @property {number | null} [check] the king in check
 * @property {number | null} [chosen]
 * @property {number[]} [targets] where the chosen piece may go
 * @property {boolean} [placing] targets are places of a setup
 * @property {number[]} [lit] squares of a region
 * @property {number[]} [way] squares of a way of Binarsi
 * @property {number[]} [changes] stones that the shown operator changes
 * @property {number[]} [shapes] squares that a person has marked
 * @property {number | null} [wrong]
 */

/**
 * @param {import('./geometry.js').Geometry} geometry
 * @param {boolean} flipped
 * @param {Marks} marks
 * @param {(index: number) => boolean} occupied
 */
export function drawMarks(geometry, flipped, marks, occupied) {
  const { width, height } = geometry.cell;
  const group = svg('g', {});
  /** @param {number} index @param {string} name @param {number} [inset] @param {number} [radius] */
  const square = (index, name, inset = 0.8, radius = 0) => {
    const { x, y } = geometry.corner(index, flipped);
    group.append(svg('rect', { class: name, x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, rx: radius }));
  };
  for (const index of marks.lit ?? []) square(index, 'mark-lit');
  for (const [order, index] of (marks.last ?? []).entries()) square(index, order === 0 && (marks.last ?? []).length > 1 ? 'mark-from' : 'mark-last');
  if (marks.way?.length) {
    const corners = marks.way.map((index) => geometry.corner(index, flipped));
    const [x, y] = [Math.min(...corners.map((c) => c.x)), Math.min(...corners.map((c) => c.y))];
    const [right, bottom] = [Math.max(...corners.map((c) => c.x)) + width, Math.max(...corners.map((c) => c.y)) + height];
    group.append(svg('rect', { class: 'mark-way', x, y, width: right - x, height: bottom - y, rx: 3 }));
  }
  if (typeof marks.check === 'number') square(marks.check, 'mark-check', 3, 5);
  if (typeof marks.chosen === 'number') square(marks.chosen, 'mark-chosen', 1.5);
  if (marks.placing) {
    for (const index of marks.targets ?? []) {
      square(index, 'mark-place', 6, 6);
      const { x, y } = geometry.centre(index, flipped);
      group.append(svg('path', { class: 'mark-plus', d: `M${x - 8} ${y}h16M${x} ${y - 8}v16` }));
    }
  } else {
    for (const index of marks.targets ?? []) {
      const { x, y } = geometry.centre(index, flipped);
      if (occupied(index)) square(index, 'mark-take', 4, 8);
      else group.append(svg('circle', { class: 'mark-dot', cx: x, cy: y, r: 8.4 }));
    }
  }
  if (typeof marks.wrong === 'number') square(marks.wrong, 'mark-wrong', 2, 4);
  return group;
}

/** What lies over the pieces. @param {import('./geometry.js').Geometry} geometry @param {boolean} flipped @param {Marks} marks */
export function drawRings(geometry, flipped, marks) {
  const group = svg('g', {});
  for (const index of marks.changes ?? []) {
    const { x, y } = geometry.centre(index, flipped);
    group.append(svg('circle', { class: 'mark-change-halo', cx: x, cy: y, r: 30 }), svg('circle', { class: 'mark-change', cx: x, cy: y, r: 30 }));
  }
  for (const index of marks.shapes ?? []) {
    const { x, y } = geometry.centre(index, flipped);
    group.append(svg('circle', { class: 'mark-shape', cx: x, cy: y, r: 26 }));
  }
  return group;
}
