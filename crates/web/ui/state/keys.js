// Keys that work wherever no field and no dialog has them.

/**
 * @typedef {{ keys: string, text: string }} KeyHelp
 */

/** @param {EventTarget | null} target */
const inField = (target) => target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/**
 * The name of a pressed key: `Ctrl+z`, `Shift+ArrowLeft`, `?`.
 * @param {KeyboardEvent} event
 */
export function keyName(event) {
  const letter = event.key.length === 1;
  const key = letter && (event.ctrlKey || event.metaKey) ? event.key.toLowerCase() : event.key;
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${event.shiftKey && !letter ? 'Shift+' : ''}${key}`;
}

/**
 * @param {(name: string, event: KeyboardEvent) => boolean} use true if the key was used
 */
export function listenToKeys(use) {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey || inField(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    const onControl = event.target instanceof Element && event.target.closest('button, a, summary, [role="separator"]');
    if (onControl && (event.key === ' ' || event.key === 'Enter')) return;
    if (use(keyName(event), event)) event.preventDefault();
  });
}

/** Text pasted anywhere but into a field. @param {(text: string) => void} use */
export function listenToPaste(use) {
  addEventListener('paste', (event) => {
    if (inField(event.target) || document.querySelector('dialog[open]')) return;
    const text = event.clipboardData?.getData('text/plain');
    if (!text) return;
    event.preventDefault();
    use(text);
  });
}
