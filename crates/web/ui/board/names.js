// What squares and pieces are called, for those who hear the board.
import { language, t } from '../i18n/i18n.js';

/** @param {number} side */
export const sideName = (side) => t(side === 0 ? 'side.black' : 'side.white');

/** The sign of a side, as moves have it. @param {number} side */
export const sideSign = (side) => (side === 0 ? '▲' : '△');

/** A move as lists show it: ▲７六歩, P-76. @param {import('../protocol').NamedMove} move @param {number} side who plays it */
export const moveName = (move, side) => (language() === 'ja' ? sideSign(side) + move.ja : move.en);

/** @param {import('../pieces/piece.js').PieceLook} piece */
export function pieceName(piece) {
  return piece.name ? piece.name[language()] : piece.glyph;
}

/**
 * ７七 先手 歩
 * @param {import('./geometry.js').Geometry} geometry
 * @param {number} index
 * @param {import('../pieces/piece.js').PieceLook | null | undefined} piece
 */
export function squareLabel(geometry, index, piece) {
  const square = language() === 'ja' && !geometry.leftToRight ? geometry.kanjiOf(index) : geometry.nameOf(index);
  if (!piece) return `${square} ${t('square.empty')}`;
  if (piece.glyph === '0' || piece.glyph === '1') return `${square} ${piece.glyph}`;
  const frozen = piece.frozen ? ` ${t('square.frozen')}` : '';
  return `${square} ${sideName(piece.side)} ${pieceName(piece)}${frozen}`;
}
