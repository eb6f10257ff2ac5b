// The position as a picture that stands by itself: board, pieces and hands, with the styles of the page written into it.
import { html, svg } from '../dom.js';
import { BOX } from '../pieces/bodies.js';
import { drawPiece } from '../pieces/piece.js';
import { round, signs } from '../pieces/sprite.js';

/** Room for a hand beside the board. */
const STAND = 104;
/** Pieces in hand are drawn at this scale. */
const HELD = 0.56;

const INLINED = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'display', 'stop-color'];

/** @param {import('./hand.js').Hand} hand @param {import('./drawing.js').Look} look @param {number} x @param {number} height @param {boolean} atTop */
function stand(hand, look, x, height, atTop) {
  const group = svg('g');
  const held = hand.held.filter((piece) => piece.count > 0);
  const line = Math.min(BOX.height * HELD + 8, (height - 40) / Math.max(1, held.length));
  for (const [index, piece] of held.entries()) {
    const y = atTop ? 24 + index * line : height - 24 - (held.length - index) * line;
    group.append(svg('g', { transform: `translate(${x + 8} ${round(y)}) scale(${HELD})` }, drawPiece({ ...piece, side: hand.side }, look)));
    if (piece.count > 1) group.append(signs(String(piece.count), x + 82, y + (BOX.height * HELD) / 2, 26, 'picture-count'));
  }
  return group;
}

/** The picture with its own styles, as text, and its size. @param {import('./table.js').Table} table */
export function positionPicture(table) {
  const { board, hands, flipped } = table;
  const sprite = document.getElementById('sprite')?.firstElementChild;
  if (!board || !sprite) return null;
  const { width, height } = board.geometry;
  const beside = hands.some((hand) => hand.held.some((piece) => piece.count > 0)) ? STAND : 0;
  const size = { width: width + 2 * beside, height: height + 8 };
  const { wood, under, pieces, over, arrows } = board.drawing;
  const picture = svg('svg', { viewBox: `0 0 ${size.width} ${size.height}`, width: size.width, height: size.height },
    svg('rect', { width: size.width, height: size.height, class: 'picture-paper' }),
    svg('g', { transform: `translate(${beside} 0)` }, ...[wood, under, pieces, over, arrows].map((part) => /** @type {SVGGElement} */ (part.cloneNode(true)))));
  if (beside > 0) {
    const [bottom, top] = flipped ? [1, 0] : [0, 1];
    picture.append(stand(hands[top], board.drawing.look, 0, height, true), stand(hands[bottom], board.drawing.look, width + beside, height, false));
  }
  // Styles are known only in the page.
  const place = html('div', { class: 'board', hidden: true }, picture);
  document.body.append(place);
  const copy = /** @type {SVGSVGElement} */ (picture.cloneNode(true));
  inline(picture, copy);
  place.remove();
  const used = new Set([...copy.querySelectorAll('use')].map((use) => use.getAttribute('href')?.slice(1)));
  const definitions = /** @type {Element} */ (sprite.cloneNode(true));
  inline(sprite, definitions);
  for (const sign of [...definitions.querySelectorAll('[id^="sign-"]')]) if (!used.has(sign.id)) sign.remove();
  copy.prepend(definitions);
  return { text: new XMLSerializer().serializeToString(copy), ...size };
}

/** Writes what the sheet says into a copy, and the two colours that only pictures have. @param {Element} from @param {Element} to */
function inline(from, to) {
  const copies = [...to.querySelectorAll('*')];
  for (const [index, source] of [...from.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(source);
    const copy = copies[index];
    for (const name of INLINED) {
      const value = style.getPropertyValue(name);
      if (value) copy.setAttribute(name, value.replace(/url\("[^"#]*#/g, 'url("#').replaceAll('"', ''));
    }
    if (copy.classList.contains('picture-paper')) copy.setAttribute('fill', '#ffffff');
  }
  for (const count of to.querySelectorAll('.picture-count, .picture-count *')) count.setAttribute('fill', '#2a231c');
}

/** The picture as PNG, at twice its size. @param {{ text: string, width: number, height: number }} picture */
export async function pngOf({ text, width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = html('canvas', { width: width * 2, height: height * 2 });
  canvas.getContext('2d')?.drawImage(image, 0, 0, width * 2, height * 2);
  /** @type {Blob | null} */
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('PNG');
  return blob;
}
