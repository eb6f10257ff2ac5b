// Modal dialogs and short messages.
import { html } from '../dom.js';
import { t, word } from '../i18n/i18n.js';
import { icon } from '../icons.js';

/**
 * @typedef {object} DialogLook
 * @property {string} title
 * @property {(import('../dom.js').Child)[]} content
 * @property {HTMLElement[]} [buttons]
 */

/**
 * Opens a dialog; the promise settles when it is closed.
 * @param {(close: (value?: any) => void) => DialogLook} build
 * @returns {Promise<any>}
 */
export function openDialog(build) {
  return new Promise((resolve) => {
    /** @type {any} */
    let result = null;
    const close = (/** @type {any} */ value = null) => {
      result = value;
      dialog.close();
    };
    const { title, content, buttons } = build(close);
    const heading = html('h2', { id: `dialog-${Date.now()}`, text: title });
    const dialog = html(
      'dialog',
      { 'aria-labelledby': heading.id },
      html('header', {}, heading, html('button', { type: 'button', class: 'plain', 'aria-label': t('close'), onclick: () => close() }, icon('close'))),
      html('div', { class: 'inside' }, ...content),
      buttons && html('footer', {}, ...buttons),
    );
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(result);
    });
    dialog.addEventListener('mousedown', (event) => {
      if (event.target !== dialog) return;
      const box = dialog.getBoundingClientRect();
      if (event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom) close();
    });
    document.body.append(dialog);
    dialog.showModal();
    /** @type {HTMLElement | null} */ (dialog.querySelector('.inside input:not(.spoken), .inside textarea') ?? dialog.querySelector('footer .primary'))?.focus();
  });
}

/** @param {string} question @param {string} action what the button says */
export function confirmDialog(question, action) {
  return openDialog((close) => ({
    title: action,
    content: [html('p', { text: question })],
    buttons: [html('button', { type: 'button', text: t('cancel'), onclick: () => close(false) }), html('button', { type: 'button', class: 'primary', text: action, onclick: () => close(true) })],
  }));
}

/** A short message at the bottom. @param {string} text @param {'plain' | 'bad'} [kind] */
export function tell(text, kind = 'plain') {
  const place = document.getElementById('messages');
  if (!place) return;
  const note = html('div', { class: `message ${kind}` }, html('span', { text }), html('button', { type: 'button', class: 'plain', 'aria-label': t('close'), onclick: () => note.remove() }, icon('close')));
  place.append(note);
  while (place.children.length > 3) place.firstChild?.remove();
  if (kind !== 'bad') setTimeout(() => note.remove(), 6000);
}

/** What went wrong: in the reader's language as far as the server knows it, else the kind before its own sentence. @param {unknown} error */
export function errorText(error) {
  const text = error instanceof Error ? error.message : String(error);
  const kind = error instanceof Error && 'code' in error && !('translated' in error && error.translated) ? word(`refusal.${error.code}`, '') : '';
  return kind ? `${kind} ${text}` : text;
}

/** Shows what went wrong with a question to the server. @param {unknown} error */
export function tellError(error) {
  if (error instanceof Error && 'code' in error && error.code === 'disconnected') return;
  tell(errorText(error), 'bad');
}
