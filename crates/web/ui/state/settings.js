// What a person has chosen for this browser. Kept in localStorage; a browser that refuses storage keeps it until the tab closes.

const KEY = 'tsumugi.settings';

/**
 * @typedef {object} Settings
 * @property {'auto' | 'light' | 'dark' | 'contrast'} theme
 * @property {'auto' | 'ja' | 'en'} language
 * @property {'one' | 'two' | 'letters'} pieces
 * @property {'japanese' | 'western' | 'none'} coordinates
 * @property {boolean} motion
 * @property {boolean} arrows engine arrows on the board
 * @property {boolean} swapArrowKeys ↑↓ step, ←→ change the branch
 * @property {boolean} dots where a chosen piece may go
 * @property {'value' | 'percent'} scale of the graph
 * @property {number} lines engine lines
 * @property {number} gameSeconds seconds for each position of a game that is analysed
 * @property {boolean} tree branches as a tree instead of a list
 * @property {string} pane chosen tab of the side panes
 * @property {number} columns share of the page that the board takes, in percent
 * @property {number} rows height of the graph, in pixels
 */

/** @type {Settings} */
const DEFAULTS = {
  theme: 'auto', language: 'auto', pieces: 'one', coordinates: 'japanese', motion: true, arrows: true, swapArrowKeys: false, dots: true,
  scale: 'value', lines: 3, gameSeconds: 1, tree: true, pane: 'comment', columns: 60, rows: 156,
};

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...read() };

/** @type {Set<(changed: Partial<Settings>) => void>} */
const listeners = new Set();

/** @param {Partial<Settings>} change */
export function changeSettings(change) {
  Object.assign(settings, change);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Private windows may refuse: the choice holds until the tab closes.
  }
  for (const listener of listeners) listener(change);
}

/** @param {(changed: Partial<Settings>) => void} listener @returns {() => void} stops listening */
export function onSettings(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const contrast = matchMedia('(prefers-contrast: more)');
const still = matchMedia('(prefers-reduced-motion: reduce)');

function applyTheme() {
  const wished = settings.theme === 'auto' ? (contrast.matches ? 'contrast' : dark.matches ? 'dark' : 'light') : settings.theme;
  document.documentElement.dataset.theme = wished;
  document.documentElement.dataset.motion = moves() ? 'on' : 'off';
}

/** Whether things may move. */
export const moves = () => settings.motion && !still.matches;

/** Follows the system and the settings from now on. */
export function followTheme() {
  applyTheme();
  for (const query of [dark, contrast, still]) query.addEventListener('change', applyTheme);
  onSettings(applyTheme);
}
