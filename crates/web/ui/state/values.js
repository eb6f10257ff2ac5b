// Values of positions as people read them.

/** The scale of win rates: 600 hundredths of a pawn are 73 %. */
const SCALE = 600;

/** Win rate of Black from a value for Black. @param {number} value */
export const winRate = (value) => 1 / (1 + Math.exp(-value / SCALE));

/**
 * @typedef {{ value?: number | null, mate?: number | null }} Valued for Black
 */

/** As one number, mates included. @param {Valued} score @returns {number | null} */
export function asNumber({ value, mate }) {
  if (typeof mate === 'number') return mate >= 0 ? 30000 - mate : -30000 - mate;
  return value ?? null;
}

/** +214, −35, 詰 7. @param {Valued} score @param {string} mateWord */
export function scoreText({ value, mate }, mateWord) {
  if (typeof mate === 'number') return `${mate >= 0 ? '+' : '−'}${mateWord}${Math.abs(mate) || ''}`;
  if (value === null || value === undefined) return '';
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0';
}

/** @param {Valued} score */
export function percentText(score) {
  const value = asNumber(score);
  return value === null ? '' : `${Math.round(100 * winRate(value))}%`;
}

/** What a move lost of the win rate of who played it, 0 to 1; null where it is not known. @param {Valued} before @param {Valued} after @param {number} side who moved */
export function lossOf(before, after, side) {
  const [from, to] = [asNumber(before), asNumber(after)];
  if (from === null || to === null) return null;
  const change = winRate(from) - winRate(to);
  return Math.max(0, side === 0 ? change : -change);
}

/** Losses of the win rate from which a move is called so. */
export const GRADES = [
  { grade: 'blunder', from: 0.2 },
  { grade: 'mistake', from: 0.1 },
  { grade: 'dubious', from: 0.05 },
];

/** @param {number | null} loss @returns {string | null} */
export const gradeOf = (loss) => (loss === null ? null : (GRADES.find(({ from }) => loss >= from)?.grade ?? null));

/** 1:02, 1:02:03. @param {number} seconds */
export function timeText(seconds) {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** 184M, 3.1M, 512k. @param {number} count */
export function countText(count) {
  const units = /** @type {[number, string][]} */ ([[1e9, 'G'], [1e6, 'M'], [1e3, 'k']]);
  for (const [unit, letter] of units) {
    if (count >= unit) return `${count / unit >= 100 ? Math.round(count / unit) : (count / unit).toFixed(1)}${letter}`;
  }
  return String(count);
}
