// The first page: games to play, boards to go on with, records to open.
import { iconButton } from '../controls.js';
import { smallBoard } from '../board/small_board.js';
import { confirmDialog, openDialog, tellError } from '../dialogs/dialog.js';
import { html, fill } from '../dom.js';
import { language, pick, t } from '../i18n/i18n.js';
import { icon } from '../icons.js';
import { viewScene } from '../state/scene.js';

/** @typedef {import('../app.js').App} App */

/** Boards to go on with that the page begins with. */
const SHOWN = 5;

/** Pictures of start positions, by game. @type {Map<string, Promise<HTMLElement>>} */
const pictures = new Map();

/** @param {App} app @param {string} game */
async function startPicture(app, game) {
  const rules = await app.port.ask('rules', { game });
  const start = rules.game.starts[0];
  const { scene } = await app.port.ask('edit_position', { game, text: start?.position ?? '' });
  if (!scene) throw new Error(game);
  return smallBoard(viewScene(scene, rules));
}

/** @param {App} app @param {string[]} parts */
export async function homePage(app, parts) {
  const list = html('div', {});
  const games = html('div', { class: 'games' }, app.about.games.map((game) => {
    const picture = html('div', { class: 'picture' });
    const known = pictures.get(game.game) ?? startPicture(app, game.game);
    pictures.set(game.game, known);
    known.then((element) => picture.replaceChildren(element.cloneNode(true)), () => pictures.delete(game.game));
    return html('a', { class: 'game-card', href: `/new/${encodeURIComponent(game.game)}`, data: { game: game.game } }, picture, html('b', { text: pick(game.name) }), html('span', { class: 'small', text: t('home.size', { files: game.files, ranks: game.ranks }) }));
  }));
  const element = html('div', { class: 'page' },
    html('div', { class: 'hero' }, html('h1', { text: t(parts.length > 0 ? 'home.missing' : 'home.title') }),
      html('button', { type: 'button', class: 'primary', data: { action: 'analyse' }, onclick: () => void newBoard(app, 'shogi') }, icon('plus'), t('home.analyse')),
      html('button', { type: 'button', data: { action: 'open' }, onclick: () => void openRecord(app) }, icon('folder'), t('home.open')),
      html('a', { class: 'button', href: '/tsume' }, icon('star'), t('nav.tsume'))),
    list,
    html('h2', { text: t('home.games') }), games);
  let all = false;
  const load = async () => {
    const { boards } = await app.port.ask('boards');
    fill(list, boards.length > 0 && html('section', { class: 'pane', 'aria-label': t('home.boards') }, html('header', {}, html('h2', { text: t('home.boards') })), html('div', { class: 'table-scroll' }, boardTable(app, all ? boards : boards.slice(0, SHOWN), load)),
      boards.length > SHOWN && !all && html('footer', { class: 'home-more' }, html('button', { type: 'button', class: 'plain', text: t('home.all', { count: boards.length }), onclick: () => { all = true; void load(); } }))));
  };
  await load();
  const stop = app.port.onEvent((event) => {
    if (event.event === 'lists') void load().catch(() => {});
  });
  return { element, title: '', nav: 'home', leave: stop };
}

/** @param {App} app @param {import('../protocol').BoardEntry[]} boards @param {() => Promise<void>} reload */
function boardTable(app, boards, reload) {
  const when = new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' });
  return html('table', { class: 'board-list' }, html('tbody', {}, boards.map((board) =>
    html('tr', {},
      html('td', {}, html('a', { href: `/b/${board.board}`, text: board.title || app.gameName(board.game) })),
      html('td', { class: 'small rare', text: board.title ? app.gameName(board.game) : '' }),
      html('td', { class: 'number', text: t('home.moves', { moves: board.moves }) }),
      html('td', {}, board.playing && html('span', { class: 'tag good', text: t('home.playing') })),
      html('td', { class: 'number small rare', text: when.format(board.changed) }),
      html('td', { class: 'number' }, iconButton('trash', t('home.remove', { title: board.title || app.gameName(board.game) }), async () => {
        if (!(await confirmDialog(t('home.remove.sure'), t('delete')))) return;
        await app.port.ask('remove_board', { board: board.board }).catch(tellError);
        await reload();
      }))))));
}

/** @param {App} app @param {string} game @param {string} [start] */
export async function newBoard(app, game, start) {
  try {
    const { board } = await app.port.ask('open', { game, start: start ?? null });
    await app.router.go(`/b/${board}`);
  } catch (error) {
    tellError(error);
  }
}

/** Opens a record by paste or from a file. @param {App} app @param {string} [query] */
export async function openRecord(app, query = '') {
  const text = html('textarea', { rows: 10, 'aria-label': t('paste.text'), placeholder: t('paste.hint'), spellcheck: 'false' });
  await openDialog((close) => {
    const file = html('input', { type: 'file', class: 'spoken', 'aria-label': t('paste.file'), onchange: () => {
      const chosen = file.files?.[0];
      close();
      if (chosen) void app.openFile(chosen);
    } });
    return {
      title: t('home.open'),
      content: [text, html('label', { class: 'button' }, t('paste.file'), file)],
      buttons: [html('button', { type: 'button', class: 'primary', data: { action: 'take' }, text: t('paste.open'), onclick: () => {
        close();
        if (text.value.trim()) void app.openText(text.value, query);
      } })],
    };
  });
}

/** The board that changed last, or a new one. @param {App} app */
export async function lastBoard(app) {
  const { boards } = await app.port.ask('boards');
  const known = boards.find((/** @type {import('../protocol').BoardEntry} */ board) => !board.playing);
  const id = known ? known.board : (await app.port.ask('open', { game: 'shogi' })).board;
  history.replaceState(null, '', `/b/${id}`);
  const { boardPage } = await import('./board.js');
  return boardPage(app, [id], new URLSearchParams());
}
