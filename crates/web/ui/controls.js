// Small controls that several pages use.
import { html } from './dom.js';
import { icon } from './icons.js';

/**
 * A row of buttons of which one is chosen.
 * @template {string | number} T
 * @param {string} label
 * @param {{ value: T, text: string }[]} options
 * @param {T} chosen
 * @param {(value: T) => void} choose
 */
export function segments(label, options, chosen, choose) {
  const buttons = options.map((option) =>
    html('button', {
      type: 'button', 'aria-pressed': String(option.value === chosen), data: { value: String(option.value) }, text: option.text,
      onclick: () => {
        for (const [index, button] of buttons.entries()) button.setAttribute('aria-pressed', String(options[index] === option));
        choose(option.value);
      },
    }));
  return html('div', { class: 'segments', role: 'group', 'aria-label': label }, buttons);
}

/** A button that is only a picture. @param {string} picture @param {string} label @param {(event: MouseEvent) => void} onclick @param {Record<string, any>} [more] */
export const iconButton = (picture, label, onclick, more = {}) =>
  html('button', { type: 'button', class: 'plain', 'aria-label': label, title: label, onclick, ...more }, icon(picture));

/** A picture with its name beside it where there is room (css). @param {string} picture @param {string} label @param {string} text @param {(event: MouseEvent) => void} onclick @param {Record<string, any>} [more] */
export const toolButton = (picture, label, text, onclick, more = {}) =>
  html('button', { type: 'button', class: 'plain tool', 'aria-label': label, title: label, onclick, ...more }, icon(picture), html('span', { class: 'tool-text', text }));

/** A labelled control. @param {string} label @param {HTMLElement} control */
export const field = (label, control) => html('label', { class: 'field' }, html('span', { text: label }), control);

/**
 * @template {string | number} T
 * @param {string} label
 * @param {{ value: T, text: string }[]} options
 * @param {T} chosen
 * @param {(value: string) => void} choose
 * @param {Record<string, any>} [more]
 */
export const selectField = (label, options, chosen, choose, more = {}) =>
  field(label, html('select', { value: String(chosen), onchange: (/** @type {Event} */ event) => choose(/** @type {HTMLSelectElement} */ (event.target).value), ...more }, options.map((option) => html('option', { value: String(option.value), text: option.text }))));

/** @param {string} label @param {boolean} on @param {(on: boolean) => void} change */
export function checkbox(label, on, change) {
  return html('label', { class: 'choice' }, html('input', { type: 'checkbox', checked: on, onchange: (/** @type {Event} */ event) => change(/** @type {HTMLInputElement} */ (event.target).checked) }), html('span', { text: label }));
}

/** What to type to have what is missing. @param {string} text */
export const command = (text) => html('pre', { class: 'command' }, html('code', { text }));

/** A border that can be dragged or moved by keys. @param {'columns' | 'rows'} way @param {string} label @param {{ value: () => number, low: number, high: number, change: (value: number) => void, share: (moved: number) => number }} range */
export function splitter(way, label, { value, low, high, change, share }) {
  const element = html('div', { class: `splitter ${way}`, role: 'separator', tabindex: 0, 'aria-label': label, 'aria-orientation': way === 'columns' ? 'vertical' : 'horizontal', 'aria-valuemin': low, 'aria-valuemax': high, 'aria-valuenow': Math.round(value()) });
  const set = (/** @type {number} */ wished) => {
    const next = Math.min(high, Math.max(low, wished));
    element.setAttribute('aria-valuenow', String(Math.round(next)));
    change(next);
  };
  element.addEventListener('pointerdown', (event) => {
    const start = way === 'columns' ? event.clientX : event.clientY;
    const from = value();
    element.setPointerCapture(event.pointerId);
    const move = (/** @type {PointerEvent} */ moved) => set(from + share((way === 'columns' ? moved.clientX : moved.clientY) - start));
    element.addEventListener('pointermove', move);
    element.addEventListener('lostpointercapture', () => element.removeEventListener('pointermove', move), { once: true });
    event.preventDefault();
  });
  element.addEventListener('keydown', (event) => {
    const step = way === 'columns' ? { ArrowLeft: -16, ArrowRight: 16 } : { ArrowUp: -16, ArrowDown: 16 };
    const moved = /** @type {Record<string, number | undefined>} */ (step)[event.key];
    if (moved === undefined) return;
    set(value() + share(moved));
    event.preventDefault();
    event.stopPropagation();
  });
  return element;
}
