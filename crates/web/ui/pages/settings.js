// Settings of this browser.
import { checkbox, segments } from '../controls.js';
import { html } from '../dom.js';
import { t } from '../i18n/i18n.js';
import { pieceImage } from '../pieces/piece.js';
import { changeSettings, settings } from '../state/settings.js';

/** @typedef {import('../state/settings.js').Settings} Settings */

/** @type {import('../pieces/piece.js').PieceLook[]} */
const SAMPLES = [
  { kind: 'K', glyph: '玉', two: '玉将', letter: 'K', side: 0, steps: [[0, -1, 0], [1, -1, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [-1, 1, 0], [-1, 0, 0], [-1, -1, 0]] },
  { kind: 'R', glyph: '龍', two: '龍王', letter: '+R', side: 0, promoted: true, steps: [[0, -1, 1], [1, 0, 1], [0, 1, 1], [-1, 0, 1], [1, -1, 0], [1, 1, 0], [-1, 1, 0], [-1, -1, 0]] },
  { kind: 'N', glyph: '桂', two: '桂馬', letter: 'N', side: 0, steps: [[-1, -2, 0], [1, -2, 0]] },
];

/** @returns {import('../router.js').Page} */
export function settingsPage() {
  const choice = (/** @type {'theme' | 'language' | 'coordinates' | 'scale'} */ name, /** @type {string[]} */ values) =>
    group(t(`settings.${name}`), segments(t(`settings.${name}`), values.map((value) => ({ value, text: t(/** @type {any} */ (`settings.${name}.${value}`)) })), settings[name], (value) => changeSettings(/** @type {any} */ ({ [name]: value }))));
  const sets = /** @type {Settings['pieces'][]} */ (['one', 'two', 'letters']);
  const pieces = html('div', { class: 'set-choice', role: 'group', 'aria-label': t('settings.pieces') },
    sets.map((set) =>
      html('button', { type: 'button', 'aria-pressed': String(settings.pieces === set), data: { set }, onclick: () => {
        changeSettings({ pieces: set });
        for (const button of pieces.children) button.setAttribute('aria-pressed', String(/** @type {HTMLElement} */ (button).dataset.set === set));
      } },
      SAMPLES.map((piece) => pieceImage(piece, { set })),
      html('span', { text: t(`settings.pieces.${set}`) }))));
  const element = html('div', { class: 'page narrow' },
    html('h1', { text: t('nav.settings') }),
    html('section', { class: 'pane' }, html('div', { class: 'inside stack' },
      choice('language', ['auto', 'ja', 'en']),
      choice('theme', ['auto', 'light', 'dark', 'contrast']))),
    html('section', { class: 'pane' }, html('header', {}, html('h2', { text: t('board.label') })), html('div', { class: 'inside stack' },
      group(t('settings.pieces'), pieces),
      choice('coordinates', ['japanese', 'western', 'none']),
      html('div', {},
        checkbox(t('settings.dots'), settings.dots, (dots) => changeSettings({ dots })),
        checkbox(t('settings.arrows'), settings.arrows, (arrows) => changeSettings({ arrows })),
        checkbox(t('settings.motion'), settings.motion, (motion) => changeSettings({ motion }))))),
    html('section', { class: 'pane' }, html('header', {}, html('h2', { text: t('settings.moves') })), html('div', { class: 'inside stack' },
      choice('scale', ['value', 'percent']),
      html('div', {},
        checkbox(t('settings.tree'), settings.tree, (tree) => changeSettings({ tree })),
        checkbox(t('settings.swap'), settings.swapArrowKeys, (swapArrowKeys) => changeSettings({ swapArrowKeys }))))),
    html('p', { class: 'small', text: t('settings.kept') }));
  return { element, title: t('nav.settings') };
}

/** @param {string} label @param {HTMLElement} control */
const group = (label, control) => html('div', { class: 'field' }, html('span', { text: label }), html('div', {}, control));
