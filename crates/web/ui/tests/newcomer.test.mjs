// The way of a new user, without a manual: a game of 66shogi, a move taken back, the record saved, a mate problem pasted, solved, and
// a wrong move tried. SHOTS=DIR keeps a picture of each step.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { makeSomeMove, numbers } from './hands.mjs';
import { openPage, shot as keepShot, startBrowser, startServer, visit } from './harness.mjs';

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

/** 3手詰: ▲２二金打 △同金 ▲同歩成, or ▲同角成 at the end. */
const DIAGRAM = `後手の持駒：飛二 角 金二 銀四 桂四 香三 歩十七
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・ ・ ・ ・v玉v香|一
| ・ ・ ・ ・ ・ ・v金 ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ 歩 ・|三
| ・ ・ ・ ・ ・ 角 ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：金
先手番
`;

test('a new user plays, takes back, saves, pastes a problem, solves it and learns why a move fails', async () => {
  const { page, done } = await openPage(browser, server.address, { acceptDownloads: true });
  let step = 0;
  const shot = (/** @type {string} */ name) => keepShot(page, `${++step}-${name}`);
  await visit(page, server.address);
  await page.locator('.game-card[data-game="66shogi"] .board').waitFor();
  await shot('home');

  await page.locator('.game-card[data-game="66shogi"]').click();
  await page.locator('[data-field="level"]').fill('5');
  await page.locator('.new-game .board').waitFor();
  await shot('new-game');
  await page.locator('[data-action="begin"]').click();
  await page.waitForSelector('.game.is-play');
  const random = numbers(5);
  const turn = () => page.waitForFunction(() => document.querySelector('.cells.can-act') !== null);
  // Six placements and one move: too early for either side to be mated.
  for (let moves = 0; moves < 7; moves++) {
    await turn();
    assert.ok(await makeSomeMove(page, 'mouse', random));
  }
  await turn();
  await shot('66shogi');

  const ply = Number(await page.locator('.game').getAttribute('data-ply'));
  await page.locator('[data-action="takeback"]').click();
  await page.waitForFunction((before) => Number(document.querySelector('.game')?.getAttribute('data-ply')) < before, ply);
  await turn();
  await shot('taken-back');
  assert.ok(await makeSomeMove(page, 'mouse', random));
  await turn();
  await page.locator('[data-action="resign"]').click();
  await page.locator('dialog button.primary').click();
  await page.locator('.play-pane [data-action="new"]').waitFor();
  await shot('resigned');

  await page.locator('[data-action="share"]').click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-save="kif"]').click()]);
  const text = await readFile(await download.path(), 'utf8');
  assert.match(text, /手数-+指手/);
  assert.match(text, /^\s+1 \S+打/m);
  assert.match(text, /投了/);
  await shot('saved');
  await page.keyboard.press('Escape');

  await page.locator('nav a[href="/tsume"]').click();
  await page.locator('[data-field="diagram"]').fill(DIAGRAM);
  await shot('diagram');
  await page.locator('.page [data-action="open"]').click();
  await page.locator('.verdict .length').waitFor();
  assert.match(await page.locator('.verdict .length').innerText(), /^3/);
  await shot('solved');

  await page.locator('[data-action="report"]').click();
  await page.locator('.fault-row dd.bad').first().waitFor();
  await shot('report');

  // The pawn promotes instead: the king takes it.
  await page.locator('[data-square="2c"]').click();
  await page.locator('[data-square="2b"]').click();
  await page.locator('.chooser button').first().click();
  await page.locator('.why:not(.is-right) p').waitFor();
  assert.notEqual(await page.locator('.why p').innerText(), '');
  await shot('why-it-fails');
  await done();
});
