// What a person waits for in a browser: TSUMUGI=target/release/tsumugi WEB_TEST_MODULES=target/web-test node crates/web/ui/tests/measure.mjs
import { makeMove } from './hands.mjs';
import { ask, nodeAfter, nodeOf, openPage, startBrowser, startServer, visit } from './harness.mjs';

const MAIN = ['３八飛(28)', '７二飛(82)', '２八飛(38)', '８二飛(72)'];
const BLACK = ['１八香(19)', '７六歩(77)', '２六歩(27)', '５六歩(57)', '６八銀(79)', '４八銀(39)', '７八金(69)', '１六歩(17)', '９六歩(97)', '４六歩(47)'];
const WHITE = ['１二香(11)', '３四歩(33)', '８四歩(83)', '５四歩(53)', '４二銀(31)', '６二銀(71)', '３二金(41)', '１四歩(13)', '９四歩(93)', '６四歩(63)'];

/** A record with some ten thousand nodes, as tools/web_load.py has it. */
function largeRecord(length = 11) {
  const lines = ['手合割：平手', ...Array.from({ length }, (_, at) => `${at + 1} ${MAIN[at % 4]}`)];
  for (let ply = length; ply > 0; ply--) {
    const [mine, theirs] = ply % 2 ? [BLACK, WHITE] : [WHITE, BLACK];
    for (const first of mine) {
      lines.push(`\n変化：${ply}手`, `${ply} ${first}`, `${ply + 1} ${theirs[0]}`);
      for (const second of theirs.slice(1).reverse()) {
        lines.push(`\n変化：${ply + 1}手`, `${ply + 1} ${second}`);
        for (const third of mine.filter((move) => move !== first)) lines.push(`\n変化：${ply + 2}手`, `${ply + 2} ${third}`);
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

/** @param {number[]} times */
function shares(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  return `best ${at(0)}, p50 ${at(0.5)}, p95 ${at(0.95)} ms`;
}

const server = await startServer();
const browser = await startBrowser();
const { page } = await openPage(browser, server.address);
const say = (/** @type {string} */ what, /** @type {string} */ figure) => console.log(`${what.padEnd(44)} ${figure}`);

/** @param {string} address */
async function paint(address) {
  await page.goto(address);
  await page.waitForSelector('main > *');
  return page.evaluate(() => new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries()[0].startTime)).observe({ type: 'paint', buffered: true });
  }));
}

/** @type {number[]} */
const paints = [];
for (let turn = 0; turn < 10; turn++) paints.push(await paint(server.address));
say('first paint of the first page', shares(paints));
const bytes = await page.evaluate(() => performance.getEntriesByType('resource').reduce((sum, entry) => sum + /** @type {PerformanceResourceTiming} */ (entry).encodedBodySize, 0));
say('bytes of the first page (browser’s cache filled)', String(bytes));

const { board } = await ask(page, 'open', { game: 'shogi' });
await visit(page, new URL(`/b/${board}`, server.address).href);
// From the release of the button over the square to the move in the document and the next frame.
await page.evaluate(() => {
  /** @type {any} */ (window).clicks = [];
  let pressed = 0;
  addEventListener('pointerdown', () => { pressed = performance.now(); }, true);
  new MutationObserver(() => requestAnimationFrame(() => {
    if (pressed) /** @type {any} */ (window).clicks.push(performance.now() - pressed);
    pressed = 0;
  })).observe(/** @type {Node} */ (document.querySelector('.game')), { attributes: true, attributeFilter: ['data-node'] });
});
const there = ['2h3h', '8b7b', '3h2h', '7b8b'];
for (let turn = 0; turn < 100; turn++) {
  if (turn % 8 === 0) {
    // Before the game ends by repetition.
    await page.keyboard.press('Home');
    await page.waitForFunction(() => document.querySelector('.game')?.getAttribute('data-ply') === '0');
  }
  const node = await nodeOf(page);
  const move = there[turn % 4];
  await makeMove(page, { from: move.slice(0, 2), to: move.slice(2) }, { how: 'mouse' });
  await nodeAfter(page, node);
}
say('click to drawn', shares(await page.evaluate(() => /** @type {any} */ (window).clicks)));

const record = largeRecord();
// Longer than a message on the socket may be.
const [opened] = await page.evaluate(async (body) => (await fetch('/api/file', { method: 'POST', body })).json(), record);
const times = [];
for (let turn = 0; turn < 5; turn++) {
  await visit(page, server.address);
  const began = performance.now();
  await page.evaluate((path) => history.pushState(null, '', path), `/b/${opened.board}`);
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
  await page.waitForFunction(() => document.querySelectorAll('.move-row').length > 5, undefined, { polling: 5 });
  times.push(performance.now() - began);
}
say('a board of 10,131 nodes, asked to shown', shares(times));
const steps = await page.evaluate(async () => {
  /** @type {number[]} */
  const found = [];
  for (let turn = 0; turn < 100; turn++) {
    const began = performance.now();
    dispatchEvent(new KeyboardEvent('keydown', { key: turn % 20 < 10 ? 'ArrowRight' : 'ArrowLeft', bubbles: true }));
    const node = document.querySelector('.game')?.getAttribute('data-node');
    if (turn >= 20) found.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 60));
    void node;
  }
  return found;
});
say('a step on it, key to document', shares(steps));
await browser.close();
await server.clean();
