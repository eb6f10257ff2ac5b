// A board as a drawing that can be brought up to date: pieces that stay where they are keep their elements.
import { svg } from '../dom.js';
import { BOX } from '../pieces/bodies.js';
import { drawPiece } from '../pieces/piece.js';
import { drawArrow } from './arrows.js';
import { drawMarks, drawRings } from './marks.js';
import { drawWood } from './wood.js';

/**
 * @typedef {import('../pieces/piece.js').PieceLook} PieceLook
 * @typedef {{ flipped: boolean, coordinates: import('./wood.js').Coordinates, set: import('../pieces/piece.js').PieceSet, motion: boolean }} Look
 */

const SLIDE = { duration: 140, easing: 'ease-out' };

export class BoardDrawing {
  /** @param {import('./geometry.js').Geometry} geometry @param {Look} look */
  constructor(geometry, look) {
    this.geometry = geometry;
    this.look = look;
    this.wood = svg('g');
    this.under = svg('g');
    this.pieces = svg('g');
    this.over = svg('g');
    this.arrows = svg('g');
    this.element = svg('svg', { viewBox: `0 0 ${geometry.width} ${geometry.height}`, 'aria-hidden': 'true' }, this.wood, this.under, this.pieces, this.over, this.arrows);
    /** @type {Map<number, { look: string, element: SVGGElement }>} */
    this.shown = new Map();
    this.drawWood();
  }

  drawWood() {
    this.wood.replaceChildren(drawWood(this.geometry, { ...this.look, stars: !this.geometry.leftToRight }));
  }

  /** @param {Partial<Look>} change */
  restyle(change) {
    this.look = { ...this.look, ...change };
    this.drawWood();
    this.pieces.replaceChildren();
    this.shown.clear();
  }

  /** @param {(PieceLook | null)[]} cells @param {{ from: number, to: number } | null} [moved] the piece that slides */
  drawPieces(cells, moved = null) {
    const scale = this.geometry.cell.height / BOX.height;
    const inset = (this.geometry.cell.width - BOX.width * scale) / 2;
    for (const [index, piece] of cells.entries()) {
      const look = piece ? JSON.stringify(piece) : '';
      const old = this.shown.get(index);
      if ((old?.look ?? '') === look) continue;
      old?.element.remove();
      this.shown.delete(index);
      if (!piece) continue;
      const { x, y } = this.geometry.corner(index, this.look.flipped);
      const element = svg('g', { transform: `translate(${x + inset} ${y}) scale(${scale})` }, drawPiece(piece, this.look));
      this.pieces.append(element);
      this.shown.set(index, { look, element });
    }
    if (moved) this.slide(moved);
  }

  /** @param {{ from: number, to: number }} moved */
  slide({ from, to }) {
    const shown = this.shown.get(to);
    if (!shown || !this.look.motion) return;
    const [start, end] = [this.geometry.corner(from, this.look.flipped), this.geometry.corner(to, this.look.flipped)];
    const scale = this.geometry.cell.height / BOX.height;
    this.pieces.append(shown.element);
    const inner = /** @type {SVGGElement} */ (shown.element.firstElementChild);
    inner.animate([{ transform: `translate(${(start.x - end.x) / scale}px, ${(start.y - end.y) / scale}px)` }, { transform: 'none' }], SLIDE);
  }

  /** @param {number} index @param {boolean} faint */
  fade(index, faint) {
    this.shown.get(index)?.element.classList.toggle('ghost', faint);
  }

  /** @param {import('./marks.js').Marks} marks */
  drawMarks(marks) {
    this.under.replaceChildren(drawMarks(this.geometry, this.look.flipped, marks, (index) => this.shown.has(index)));
    this.over.replaceChildren(drawRings(this.geometry, this.look.flipped, marks));
  }

  /** @param {import('./arrows.js').ArrowLook[]} arrows */
  drawArrows(arrows) {
    this.arrows.replaceChildren(...[...arrows].reverse().map((arrow) => drawArrow(arrow, this.look.set, this.look.flipped)));
  }
}
