// Tsume: paste a diagram, set one up, go on with one.
import { html } from '../dom.js';
import { readFile } from './board_actions.js';
import { tellError } from '../dialogs/dialog.js';
import { t } from '../i18n/i18n.js';

/** The problem of the pictures in the manual: a mate in three with a cook on the last move. */
const EXAMPLE = 'sfen 7kl/6g2/7P1/5B3/9/9/9/9/9 b Gr2b3g4s4n3l17p 1';
/** Only the king of the defender. */
const EMPTY = '4k4/9/9/9/9/9/9/9/9 b - 1';

/** @param {import('../app.js').App} app @returns {import('../router.js').Page} */
export function tsumePage(app) {
  const text = html('textarea', { rows: 12, 'aria-label': t('tsume.diagram'), placeholder: t('tsume.diagram.hint'), spellcheck: 'false', data: { field: 'diagram' } });
  const open = (puzzle = false) => {
    if (text.value.trim()) void app.openText(text.value, puzzle ? '?tsume&puzzle' : '?tsume');
  };
  const file = html('input', { type: 'file', class: 'spoken', 'aria-label': t('paste.file'), onchange: async () => {
    const chosen = file.files?.[0];
    if (chosen) text.value = await readFile(chosen);
  } });
  const edit = async () => {
    try {
      const { board } = await app.port.ask('open', { game: 'shogi', start: EMPTY });
      await app.router.go(`/b/${board}/edit?tsume`);
    } catch (error) {
      tellError(error);
    }
  };
  const element = html('div', { class: 'page narrow' },
    html('h1', { text: t('nav.tsume') }),
    html('p', { class: 'lead', text: t('tsume.lead') }),
    html('section', { class: 'pane' }, html('div', { class: 'inside stack' }, text,
      html('div', { class: 'row' },
        html('button', { type: 'button', class: 'primary', data: { action: 'open' }, text: t('tsume.open.solve'), onclick: () => open() }),
        html('button', { type: 'button', data: { action: 'puzzle' }, text: t('tsume.open.puzzle'), onclick: () => open(true) }),
        html('label', { class: 'button' }, t('paste.file'), file),
        html('button', { type: 'button', data: { action: 'edit' }, text: t('tsume.edit'), onclick: () => void edit() }),
        html('button', { type: 'button', data: { action: 'example' }, text: t('tsume.example'), onclick: () => { text.value = EXAMPLE; } })))));
  return { element, title: t('nav.tsume'), nav: 'tsume', paste: (pasted) => { text.value = pasted; text.focus(); } };
}
