// A board that is only looked at: lists of games, previews of lines.
import { html } from '../dom.js';
import { drawMarks } from './marks.js';
import { BoardDrawing } from './drawing.js';
import { geometryOf, lookOf } from './table.js';

/** @param {import('../state/scene.js').Scene} scene @param {boolean} [flipped] */
export function smallBoard(scene, flipped = false) {
  const geometry = geometryOf(scene, true);
  const drawing = new BoardDrawing(geometry, { ...lookOf(flipped), coordinates: 'none', motion: false });
  drawing.drawPieces(scene.cells);
  const last = scene.last.map((square) => geometry.indexOf(square)).filter((index) => index >= 0);
  drawing.under.replaceChildren(drawMarks(geometry, flipped, { last }, () => false));
  return html('div', { class: 'board cells-small', 'aria-hidden': 'true' }, drawing.element);
}
