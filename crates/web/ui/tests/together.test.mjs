// Several tabs, broken connections, dead engines, reloads.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { makeMove } from './hands.mjs';
import { ask, beginGame, boardId, nodeAfter, nodeOf, openPage, startBrowser, startServer, visit } from './harness.mjs';

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
  server = await startServer();
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server?.clean();
});

/** @param {import('playwright-core').Page} page */
const newBoard = async (page) => {
  await visit(page, server.address);
  const { board } = await ask(page, 'open', { game: 'shogi' });
  await visit(page, new URL(`/b/${board}`, server.address).href);
};

test('two tabs play a game', async () => {
  const black = await openPage(browser, server.address);
  await beginGame(black.page, server.address, 'shogi');
  const white = await openPage(browser, server.address, { locale: 'en-GB' });
  await visit(white.page, black.page.url());
  const moves = [['7g', '7f'], ['3c', '3d'], ['2g', '2f'], ['8c', '8d']];
  for (const [index, [from, to]] of moves.entries()) {
    const [mover, other] = index % 2 === 0 ? [black.page, white.page] : [white.page, black.page];
    const node = await nodeOf(other);
    await mover.waitForSelector('.cells.can-act');
    await makeMove(mover, { from, to }, { how: 'mouse' });
    await nodeAfter(other, node);
  }
  assert.equal(await nodeOf(black.page), await nodeOf(white.page));
  await black.done();
  await white.done();
});

test('a comment in one tab is there in the other, and after a reload', async () => {
  const one = await openPage(browser, server.address);
  await newBoard(one.page);
  const two = await openPage(browser, server.address);
  await visit(two.page, one.page.url());
  await one.page.locator('.comment-text').fill('ここが急所');
  await one.page.locator('.comment-text').blur();
  await two.page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('.comment-text'))?.value === 'ここが急所');
  await two.page.reload();
  await two.page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('.comment-text'))?.value === 'ここが急所');
  await one.done();
  await two.done();
});

test('branches: play another move, step, undo, redo', async () => {
  const { page, done } = await openPage(browser, server.address);
  await newBoard(page);
  const root = await nodeOf(page);
  await makeMove(page, { from: '7g', to: '7f' }, { how: 'mouse' });
  await nodeAfter(page, root);
  const first = await nodeOf(page);
  await page.keyboard.press('ArrowLeft');
  await nodeAfter(page, first);
  await makeMove(page, { from: '2g', to: '2f' }, { how: 'mouse' });
  await nodeAfter(page, root);
  const second = await nodeOf(page);
  await page.waitForFunction(() => document.querySelectorAll('.branch-row button').length >= 2);
  await page.locator('.move-row').first().click();
  await nodeAfter(page, second);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => document.querySelectorAll('.move-row').length === 2);
  await page.keyboard.press('Control+y');
  await page.waitForFunction(() => document.querySelectorAll('.move-row').length === 3);
  await page.keyboard.press('/');
  await page.locator('dialog input').fill('26歩');
  await page.keyboard.press('Enter');
  await page.waitForFunction((node) => Number(document.querySelector('.game')?.getAttribute('data-node')) === node, second);
  await done();
});

test('an engine analyses, dies, and analyses again', async () => {
  const { page, done } = await openPage(browser, server.address);
  await newBoard(page);
  await page.keyboard.press(' ');
  await page.locator('.engine-line .pv button').first().waitFor();
  const children = () => execFileSync('pgrep', ['-P', String(server.child.pid)], { encoding: 'utf8' }).trim().split('\n').map(Number);
  const [engine] = children();
  process.kill(engine, 'SIGKILL');
  // Another move asks for another position: its lines come from an engine that lives.
  await makeMove(page, { from: '7g', to: '7f' }, { how: 'mouse' });
  await page.waitForFunction(() => document.querySelector('.game')?.getAttribute('data-ply') === '1');
  const node = String(await nodeOf(page));
  await page.locator(`.engine-block[data-node="${node}"] .engine-line .pv button`).first().waitFor();
  assert.ok(!children().includes(engine));
  await page.keyboard.press(' ');
  await done();
});

test('a page takes up its board again when the server comes back', async () => {
  let own = await startServer();
  const { page, done } = await openPage(browser, own.address, { permits: /WebSocket|ERR_CONNECTION|ERR_EMPTY/ });
  try {
    await visit(page, own.address);
    const { board } = await ask(page, 'open', { game: 'shogi' });
    await visit(page, new URL(`/b/${board}`, own.address).href);
    await makeMove(page, { from: '7g', to: '7f' }, { how: 'mouse' });
    await page.waitForFunction(() => document.querySelector('.game')?.getAttribute('data-ply') === '1');
    await own.stop('SIGTERM');
    await page.locator('#offline:not([hidden])').waitFor();
    own = await startServer({ data: own.folder, port: own.port });
    await page.locator('#offline').waitFor({ state: 'hidden' });
    assert.equal(boardId(page), board);
    await makeMove(page, { from: '3c', to: '3d' }, { how: 'mouse' });
    await page.waitForFunction(() => document.querySelector('.game')?.getAttribute('data-ply') === '2');
    await done();
  } finally {
    await own.clean();
  }
});
