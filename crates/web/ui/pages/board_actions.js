// What can be done with a whole board: paste, save, share, type a move, branches.
import { positionPicture, pngOf } from '../board/picture.js';
import { confirmDialog, openDialog, tell, tellError } from '../dialogs/dialog.js';
import { html } from '../dom.js';
import { pick, t, word } from '../i18n/i18n.js';

/** @typedef {import('./board.js').BoardPage} BoardPage */

/** Replaces the record by one in any format; undo brings it back. @param {BoardPage} page @param {string} text */
export async function pasteText(page, text) {
  try {
    const { node, notices } = await page.app.port.ask('paste', { board: page.state.id, text });
    await page.state.goTo(node);
    tell([t('paste.done'), ...notices].join(' '));
    return true;
  } catch (error) {
    tellError(error);
    return false;
  }
}

/** @param {BoardPage} page */
export async function pasteDialog(page) {
  const text = html('textarea', { rows: 10, 'aria-label': t('paste.text'), placeholder: t('paste.hint'), spellcheck: 'false' });
  const file = html('input', { type: 'file', class: 'spoken', 'aria-label': t('paste.file'), onchange: async () => {
    const chosen = file.files?.[0];
    if (chosen) text.value = await readFile(chosen);
  } });
  const answer = await openDialog((close) => ({
    title: t('paste'),
    content: [text, html('label', { class: 'button' }, t('paste.file'), file)],
    buttons: [html('button', { type: 'button', text: t('cancel'), onclick: () => close() }), html('button', { type: 'button', class: 'primary', data: { action: 'take' }, text: t('paste.take'), onclick: () => close(text.value) })],
  }));
  if (answer && answer.trim()) await pasteText(page, answer);
}

/** A file as text: UTF-8, or Shift_JIS as old programs write it. @param {File} file */
export async function readFile(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('shift_jis').decode(bytes);
  }
}

/** @param {BoardPage} page @param {string} format */
const exported = (page, format) => page.app.port.ask('export', { board: page.state.id, format, node: page.state.cursor });

/** Saves a file. Browsers follow no `data:` address of more than 2 MB, so it is one of an object. @param {string} name @param {Blob} content */
function download(name, content) {
  const url = URL.createObjectURL(content);
  const link = html('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** @param {BoardPage} page */
export async function copyRecord(page) {
  const game = page.state.rules?.game;
  const format = game?.formats.find((known) => known.format === 'kif') ?? game?.formats[0];
  if (!format) return;
  try {
    const { text } = await exported(page, format.format);
    await navigator.clipboard.writeText(text);
    tell(t('copied', { what: format.format.toUpperCase() }));
  } catch (error) {
    tellError(error);
  }
}

/** Save, copy and link in every format. @param {BoardPage} page */
export async function shareDialog(page) {
  const formats = page.state.rules?.game.formats ?? [];
  const losses = html('p', { class: 'small bad', role: 'status' });
  const save = async (/** @type {import('../protocol').FormatName} */ format, /** @type {'save' | 'copy'} */ how) => {
    try {
      // Pictures look as the page does.
      const picture = format.format === 'svg' ? positionPicture(page.table) : null;
      const answer = picture ? { name: `${page.state.id}-${page.state.scene?.ply ?? 0}.svg`, text: picture.text, losses: [] } : await exported(page, format.format);
      losses.textContent = answer.losses.join(' ');
      if (how === 'save') download(answer.name, new Blob([answer.text], { type: format.format === 'svg' ? 'image/svg+xml' : 'text/plain;charset=utf-8' }));
      else {
        await navigator.clipboard.writeText(answer.text);
        tell(t('copied', { what: format.format.toUpperCase() }));
      }
    } catch (error) {
      tellError(error);
    }
  };
  const row = (/** @type {import('../protocol').FormatName} */ format) =>
    html('tr', {}, html('td', {}, html('b', { text: format.format.toUpperCase() }), ' ', html('span', { class: 'small', text: word(`format.${format.format}`, '') })),
      html('td', { class: 'number' }, html('button', { type: 'button', data: { save: format.format }, text: t('save'), onclick: () => void save(format, 'save') }), ' ', html('button', { type: 'button', data: { copy: format.format }, text: t('copy'), onclick: () => void save(format, 'copy') })));
  await openDialog(() => ({
    title: t('share'),
    content: [
      html('h3', { text: t('share.record') }), html('table', {}, html('tbody', {}, formats.filter((format) => !format.position).map(row))),
      html('h3', { text: t('share.position') }), html('table', {}, html('tbody', {}, formats.filter((format) => format.position).map(row), html('tr', {}, html('td', {}, html('b', { text: 'PNG' }), ' ', html('span', { class: 'small', text: t('format.png') })), html('td', { class: 'number' }, html('button', { type: 'button', data: { save: 'png' }, text: t('save'), onclick: () => void savePicture(page) }))))),
      losses],
  }));
}

/** The position as it looks now, with its hands. @param {BoardPage} page */
async function savePicture(page) {
  const picture = positionPicture(page.table);
  if (!picture) return;
  try {
    download(`${page.state.id}-${page.state.scene?.ply ?? 0}.png`, await pngOf(picture));
  } catch (error) {
    tellError(error);
  }
}

/** `/`: a move as people write it. @param {BoardPage} page */
export async function typeMove(page) {
  const input = html('input', { type: 'text', 'aria-label': t('type.label'), placeholder: '7g7f  76歩  P-7f', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
  const move = await openDialog((close) => ({
    title: t('type.label'),
    content: [html('form', { method: 'dialog', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); close(input.value.trim()); } }, input), html('p', { class: 'small', text: t('type.hint') })],
  }));
  if (!move) return;
  const square = /^\/(\d+[a-l])$/.exec(move);
  const kind = /^\/([a-z])$/i.exec(move);
  if (square || kind) tell(describe(page, square?.[1] ?? null, kind?.[1].toUpperCase() ?? null));
  else await page.play(move);
}

/** `/7g` says what stands there, `/p` where such pieces stand. @param {BoardPage} page @param {string | null} square @param {string | null} kind */
function describe(page, square, kind) {
  const board = page.table.board;
  if (!board) return '';
  if (square) return board.cells[board.geometry.place(board.geometry.indexOf(square), board.flipped)]?.getAttribute('aria-label') ?? t('type.none');
  const found = board.cells.filter((cell) => board.shown.cells[board.geometry.indexOf(cell.dataset.square ?? '')]?.kind === kind).map((cell) => cell.getAttribute('aria-label'));
  return found.join('、') || t('type.none');
}

/** What can be done with a move of the record. @param {BoardPage} page @param {number} id */
export async function branchMenu(page, id) {
  const { state } = page;
  const node = state.tree.get(id);
  if (!node || node.parent === null) return;
  const siblings = state.tree.siblings(id);
  const choice = await openDialog((close) => ({
    title: `${node.ply} ${pick(node.say)}`,
    content: [html('div', { class: 'stack' },
      html('button', { type: 'button', disabled: siblings[0] === id, text: t('branch.promote'), onclick: () => close('promote_line') }),
      html('button', { type: 'button', text: t('branch.game'), onclick: () => close('game') }),
      html('button', { type: 'button', class: 'danger', text: t('branch.delete'), onclick: () => close('delete') }))],
  }));
  try {
    if (choice === 'promote_line') await page.app.port.ask('promote_line', { board: state.id, node: id });
    if (choice === 'game') await page.app.router.go(`/new/${state.rules?.game.game}?board=${state.id}&node=${id}`);
    if (choice === 'delete' && (await confirmDialog(t('branch.delete.sure'), t('delete')))) {
      const answer = await page.app.port.ask('delete', { board: state.id, node: id });
      await state.goTo(answer.node);
    }
  } catch (error) {
    tellError(error);
  }
}

