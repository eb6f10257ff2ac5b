// Every page in both languages, all colours and on the smallest phone: nothing that axe-core finds, nothing wider than the screen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ask, axeSource, openPage, SMALL_PHONE, startBrowser, startServer, visit } from './harness.mjs';

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
/** @type {import('playwright-core').Browser} */
let browser;
/** Boards by game, with some moves. @type {Record<string, string>} */
const boards = {};

before(async () => {
  server = await startServer();
  browser = await startBrowser();
  const { page, done } = await openPage(browser, server.address);
  await visit(page, server.address);
  for (const game of ['shogi', 'freeze', '66shogi', 'binarsi', 'okisakishogi']) boards[game] = (await ask(page, 'open', { game })).board;
  await ask(page, 'paste', { board: boards.shogi, text: 'position startpos moves 7g7f 3c3d 2g2f 8c8d' });
  await done();
});
after(async () => {
  await browser?.close();
  await server?.clean();
});

const PAGES = () => ['/', '/new/shogi', '/tsume', '/settings', '/help', ...Object.values(boards).map((board) => `/b/${board}`), `/b/${boards.shogi}/edit`, `/b/${boards.binarsi}/edit`, `/b/${boards.shogi}?tsume`];

/** @param {import('playwright-core').Page} page */
async function violations(page) {
  await page.evaluate(axeSource());
  return page.evaluate(async () => {
    // @ts-expect-error axe was put there just now
    const { violations: found } = await axe.run(document, { resultTypes: ['violations'] });
    return found.map((rule) => `${rule.id}: ${rule.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
  });
}

for (const [locale, colorScheme, options] of /** @type {[string, 'light' | 'dark', object][]} */ ([['ja-JP', 'light', {}], ['en-GB', 'dark', { viewport: { width: 1024, height: 768 } }], ['ja-JP', 'dark', SMALL_PHONE], ['en-GB', 'light', { ...SMALL_PHONE, contrast: 'more' }]])) {
  const name = `${locale} ${colorScheme} ${/** @type {any} */ (options).viewport?.width ?? 1440}`;
  test(`pages: ${name}`, async () => {
    const { page, done } = await openPage(browser, server.address, { locale, colorScheme, ...options });
    for (const path of PAGES()) {
      await visit(page, new URL(path, server.address).href);
      assert.deepEqual(await violations(page), [], `${path} (${name})`);
      const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= screen, `${path} (${name}): ${wide} px on ${screen}`);
    }
    assert.equal(await page.evaluate(() => document.documentElement.lang), locale.slice(0, 2));
    await done();
  });
}

test('the theme and the language change at a press, and stay', async () => {
  const { page, done } = await openPage(browser, server.address);
  await visit(page, server.address);
  await page.locator('[data-action="theme"]').click();
  await page.waitForSelector(':root[data-theme="dark"]');
  await page.locator('[data-action="language"]').click();
  await page.waitForSelector('nav a:text-is("Analyse")');
  await page.reload();
  await page.waitForSelector(':root[data-theme="dark"] nav a:text-is("Analyse")');
  await done();
});

test('every set of pieces draws every game', async () => {
  const { page, done } = await openPage(browser, server.address);
  for (const set of ['one', 'two', 'letters']) {
    await visit(page, new URL('/settings', server.address).href);
    await page.locator(`[data-set="${set}"]`).click();
    for (const board of Object.values(boards)) {
      await visit(page, new URL(`/b/${board}`, server.address).href);
      await page.locator('.board .piece').first().waitFor();
      // A sign without an outline would fall back to a font of the system.
      assert.equal(await page.locator('.board .piece text').count(), 0, `${set} ${board}`);
    }
  }
  await done();
});
