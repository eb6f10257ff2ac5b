// What stands beside the board: engines and the graph, books, mates, the editor, records and pictures; and the pages of runs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { makeMove } from './hands.mjs';
import { ask, axeSource, boardId, nodeAfter, nodeOf, openPage, PATIENCE, shot, SMALL_PHONE, startBrowser, startServer, visit } from './harness.mjs';

const PROGRAM = process.env.TSUMUGI ?? 'target/debug/tsumugi';
const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';
/** Three games: two reach the position after three moves by another order, with the names of players in one. */
const RECORD = '開始日時：2024/05/31\n棋戦：順位戦\n手合割：平手\n先手：羽生(2500)\n後手：佐藤(2300)\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n   4 投了\n';
const LINES = 'startpos moves 2g2f 3c3d 7g7f 8c8d\nstartpos moves 7g7f 8c8d\n';
const BOOK = `#YANEURAOU-DB2016 1.00\nsfen ${START}\n7g7f 3c3d 50 32 2\n2g2f 8c8d 40 30 1\n`;

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
/** @type {import('playwright-core').Browser} */
let browser;
/** @type {string} */
let folder;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tsumugi-web-panes-'));
  const [books, runs] = [path.join(folder, 'books'), path.join(folder, 'runs')];
  for (const name of [books, path.join(runs, 'floodgate'), path.join(runs, 'net')]) await mkdir(name, { recursive: true });
  await writeFile(path.join(books, 'a.db'), BOOK);
  await writeFile(path.join(folder, 'mine.params'), 'MaterialLevel,int,2,1,4,1,0.5\n');
  const engine = ['--engine', `cmd=${PROGRAM}`, 'nodes=30', 'threads=1', 'hash=1'];
  const run = (/** @type {string[]} */ ...words) => execFileSync(PROGRAM, words, { cwd: folder, stdio: 'ignore' });
  run('match', ...engine, 'name=a', ...engine, 'name=b', '--games', '4', '--concurrency', '1', '--max-moves', '20', '--out', path.join(runs, 'small'));
  run('tune', ...engine, '--params', 'mine.params', '--iterations', '3', '--max-moves', '20', '--concurrency', '1', '--out', path.join(runs, 'levels'));
  await writeFile(path.join(runs, 'floodgate', 'config.json'), JSON.stringify({ host: 'wdoor.example', port: 4081, name: 'our', game: 'floodgate-300-10F' }));
  await writeFile(path.join(runs, 'floodgate', 'games.jsonl'), Array.from({ length: 25 }, (_, number) => serverGame(number)).join(''));
  const history = [1, 2, 3].map((step) => ({ step: step * 100, epoch: step, positions: step, rate: 0.001, loss: 1 / step, exam: { loss: 1.1 / step, accuracy: 0.3 + step / 10 } }));
  await writeFile(path.join(runs, 'net', 'experiment.json'), JSON.stringify({ settings: { batch: 16 }, data: {}, history, finished: null }));
  await mkdir(path.join(folder, 'kifu'));
  await writeFile(path.join(folder, 'kifu', 'a.kif'), RECORD);
  await writeFile(path.join(folder, 'kifu', 'b.usi'), LINES);
  run('games', '--db', 'my.games', 'add', 'kifu');
  server = await startServer({ more: ['--books', books, '--runs', runs, '--library', path.join(folder, 'my.games'), '--engine', `cmd=${PROGRAM} name=second`] });
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  await server?.clean();
  await rm(folder, { recursive: true, force: true });
});

/** A line of `games.jsonl` as `tsumugi csa` writes it. @param {number} game */
const serverGame = (game) => `${JSON.stringify({ game, round: 0, id: `g${game}`, black: game % 2 ? 'them' : 'our', white: game % 2 ? 'our' : 'them', opening: 'startpos', moves: '7g7f 3c3d 2g2f', result: 'black', reason: 'resignation', scores: [null, null, null], nodes: [null, null, null], ms: [1, 2, 3], left_ms: [1, 1], lag_ms: [12.5, null], started: '2026/11/19 00:00:00' })}\n`;

/** @param {import('playwright-core').Page} page @param {string} text */
async function openText(page, text, query = '') {
  await visit(page, server.address);
  const { board } = await ask(page, 'open', { text });
  await visit(page, new URL(`/b/${board}${query}`, server.address).href);
}

/** @param {import('playwright-core').Page} page */
async function noViolations(page) {
  await page.evaluate(axeSource());
  const found = await page.evaluate(async () => {
    // @ts-expect-error axe was put there just now
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map((rule) => `${rule.id}: ${rule.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
  });
  assert.deepEqual(found, []);
}

test('two engines think at once, and a whole game gets its graph', async () => {
  const { page, done } = await openPage(browser, server.address);
  await openText(page, 'position startpos moves 7g7f 3c3d 2g2f');
  const lines = (/** @type {string} */ engine) => page.locator(`.engine-block:has([data-engine="${engine}"]) .engine-line .pv button`).first();
  for (const engine of ['tsumugi', 'second']) await page.locator(`[data-action="analyse"][data-engine="${engine}"]`).click();
  for (const engine of ['tsumugi', 'second']) await lines(engine).waitFor();
  await page.locator('.arrow').first().waitFor();
  await lines('tsumugi').click();
  await page.locator('.preview.is-pinned .board').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.preview').waitFor({ state: 'hidden' });
  await page.locator('[data-action="analyse"][data-engine="second"]').click();
  await page.locator('.engine-pane summary').click();
  await page.locator('[data-field="game-seconds"]').selectOption('0.2');
  await page.locator('[data-action="analyse-game"]').click();
  await page.waitForFunction(() => document.querySelectorAll('.move-row .score:not(:empty)').length >= 4);
  await page.locator('.graph .curve').waitFor();
  const before = await nodeOf(page);
  const box = /** @type {{ x: number, y: number, width: number, height: number }} */ (await page.locator('.graph').boundingBox());
  await page.mouse.click(box.x + box.width - 14, box.y + box.height / 2);
  await nodeAfter(page, before);
  await page.waitForFunction(() => document.querySelector('.game')?.getAttribute('data-ply') === '3');
  await shot(page, 'graph');
  await noViolations(page);
  await done();
});

test('a book is read, changed, settled, mined and saved', async () => {
  const { page, done } = await openPage(browser, server.address);
  await openText(page, START);
  await page.keyboard.press('b');
  await page.locator('.book-table tbody tr').first().waitFor();
  assert.match(await page.locator('.book-table tbody tr').first().innerText(), /７六歩[\s\S]*\+50[\s\S]*32/);
  await page.locator('.book-pane footer button').first().click();
  await page.locator('dialog input').first().fill('56歩');
  await page.locator('dialog input[type="number"]').first().fill('-7');
  await page.locator('dialog footer .primary').click();
  await page.waitForFunction(() => document.querySelectorAll('.book-table tbody tr').length === 3);
  await page.locator('.book-pane footer .primary').click();
  await page.locator('.book-pane footer button:disabled').waitFor();
  const file = path.join(folder, 'books', 'a.db');
  assert.match(await readFile(file, 'utf8'), /5g5f none -7/);
  await page.locator('[data-action="minmax"]').click();
  await page.waitForFunction(() => document.querySelectorAll('.book-table thead th').length === 6);
  await page.locator('[data-action="mine"]').click();
  await page.locator('dialog [data-field="positions"]').fill('2');
  await page.locator('dialog [data-field="depth"]').fill('2');
  await noViolations(page);
  await page.locator('[data-action="mine-begin"]').click();
  await page.locator('.book-pane [role="status"][data-state="done"]').waitFor();
  await shot(page, 'book');
  assert.ok((await readFile(file, 'utf8')).split('sfen ').length >= 4);
  await done();
});

test('games of a library are found by position, filtered by player and opened where they reach it', async () => {
  for (const options of [{}, SMALL_PHONE]) {
    const { page, done } = await openPage(browser, server.address, options);
    await openText(page, START);
    await page.keyboard.press('g');
    const row = (/** @type {string} */ move) => page.locator(`.explorer-table [data-move="${move}"]`);
    await row('7g7f').waitFor();
    assert.match(await row('7g7f').innerText(), /７六歩\s+2[\s\S]*2500/);
    assert.match(await page.locator('.explorer-summary').innerText(), /3 局/);
    await noViolations(page);
    for (const move of ['7g7f', '3c3d']) {
      const node = await nodeOf(page);
      await row(move).locator('button').click();
      await page.waitForFunction((before) => Number(document.querySelector('.games-library')?.getAttribute('data-node')) > before, node);
    }
    // One game goes on like this; another one comes to the same position by another order.
    assert.match(await row('2g2f').innerText(), /1\s+\+1/);
    await row('2g2f').locator('button').click();
    await page.waitForFunction(() => document.querySelectorAll('.explorer-game').length === 2);
    await shot(page, `games-${/** @type {any} */ (options).viewport?.width ?? 1440}`);
    const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= screen, `${wide} px on ${screen}`);
    await page.locator('[data-field="player"]').fill('羽生');
    await page.waitForFunction(() => document.querySelectorAll('.explorer-game').length === 1);
    const before = boardId(page);
    await page.locator('.explorer-game').click();
    await page.waitForFunction((board) => !location.pathname.includes(board), before);
    await page.waitForFunction(() => document.querySelector('.game')?.getAttribute('data-ply') === '3');
    assert.match(await page.locator('.moves-pane').innerText(), /投了/);
    await done();
  }
});

test('a puzzle takes every right answer and shows what refutes a wrong one', async () => {
  const { page, done } = await openPage(browser, server.address);
  await openText(page, 'sfen 7kl/6g2/7P1/5B3/9/9/9/9/9 b Gr2b3g4s4n3l17p 1', '?tsume&puzzle');
  await page.waitForSelector('.game.is-puzzle');
  await page.locator('[data-action="hide"]').waitFor();
  assert.equal(await page.locator('.verdict .length').count(), 0);
  // Promoting at once fails: the position stays.
  const root = await nodeOf(page);
  await makeMove(page, { from: '2c', to: '2b' }, { how: 'mouse', promotes: true });
  await page.locator('.why:not(.is-right) p').waitFor();
  await page.mouse.click(5, 5);
  assert.equal(await nodeOf(page), root);
  await makeMove(page, { from: 'G*', to: '2b' }, { how: 'mouse' });
  await page.locator('.why.is-right p').waitFor();
  // The defender has answered.
  await page.waitForFunction((node) => Number(document.querySelector('.game')?.getAttribute('data-node')) > Number(node) + 1, root);
  const ply = Number(await page.locator('.game').getAttribute('data-ply'));
  assert.equal(ply, 2);
  // Not the only move that mates: the bishop does it, too.
  await makeMove(page, { from: '4d', to: '2b' }, { how: 'mouse', promotes: true });
  await page.waitForFunction(() => document.querySelector('.game')?.getAttribute('data-outcome') === 'mate');
  assert.match(await page.locator('.why.is-right').innerText(), /正解/);
  await shot(page, 'puzzle');
  await page.locator('[data-action="hide"]').click();
  await page.locator('.proof-row').first().waitFor();
  await noViolations(page);
  await done();
});

test('the editor counts pieces, says what is wrong, and gives the rest to the defender', async () => {
  const { page, done } = await openPage(browser, server.address);
  await openText(page, START);
  await page.keyboard.press('e');
  await page.locator('[data-action="clear"]').click();
  await page.locator('.is-editor .pane p.bad, .is-editor .pane p.good').first().waitFor();
  await page.locator('[data-brush="black G"]').click();
  await page.locator('[data-square="5c"]').click();
  await page.locator('[data-action="rest"]').click();
  await page.waitForFunction(() => /** @type {HTMLTextAreaElement} */ (document.querySelector('[data-field="sfen"]')).value.includes('18p'));
  const text = await page.locator('[data-field="sfen"]').inputValue();
  assert.equal(text, '4k4/9/4G4/9/9/9/9/9/9 b 2r2b3g4s4n4l18p 1');
  await shot(page, 'editor');
  await noViolations(page);
  await page.locator('[data-action="apply"]').click();
  await page.waitForSelector('.game:not(.is-editor)');
  const { text: sfen } = await ask(page, 'export', { board: boardId(page), format: 'sfen' });
  assert.equal(sfen, text);
  await done();
});

test('records and pictures are saved in every format, and read again', async () => {
  const { page, done } = await openPage(browser, server.address, { acceptDownloads: true });
  await openText(page, 'position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e');
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('.game')?.getAttribute('data-ply') === '5');
  await page.locator('[data-action="share"]').click();
  const formats = await page.locator('[data-save]').evaluateAll((buttons) => buttons.map((button) => /** @type {HTMLElement} */ (button).dataset.save ?? ''));
  assert.ok(['kif', 'ki2', 'csa', 'jkf', 'usi', 'sfen', 'bod', 'svg', 'png'].every((format) => formats.includes(format)), formats.join());
  /** @type {Record<string, Buffer>} */
  const saved = {};
  for (const format of formats) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-save="${format}"]`).click()]);
    saved[format] = await readFile(await download.path());
    assert.ok(saved[format].length > 8, format);
  }
  assert.equal(saved.png.subarray(1, 4).toString(), 'PNG');
  if (process.env.SHOTS) for (const format of ['png', 'svg']) await writeFile(path.join(process.env.SHOTS, `position.${format}`), saved[format]);
  // White holds a bishop.
  const pieces = saved.svg.toString().match(/class="piece[ "]/g) ?? [];
  assert.equal(pieces.length, 40);
  await noViolations(page);
  await page.keyboard.press('Escape');
  for (const format of ['kif', 'ki2', 'csa', 'jkf', 'usi']) {
    const { board } = await ask(page, 'open', { text: saved[format].toString() });
    const { text } = await ask(page, 'export', { board, format: 'sfen' });
    assert.equal(text.split(' ').slice(0, 3).join(' '), 'lnsgkg1nl/1r5s1/pppppp1pp/6p2/5B3/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b', format);
  }
  await done();
});

test('runs of every kind are shown and followed', async () => {
  const { page, done } = await openPage(browser, server.address);
  const show = async (/** @type {string} */ run) => {
    await visit(page, new URL(`/runs/${run}`, server.address).href);
    await page.waitForFunction(() => Number(/** @type {HTMLElement | null} */ (document.querySelector('.runs > .stack'))?.dataset.done) > 0);
  };
  await show('small');
  assert.equal(await page.locator('.games-pane tbody tr').count(), 4);
  await shot(page, 'runs-match');
  await noViolations(page);
  await show('levels');
  await page.locator('text=MaterialLevel').waitFor();
  await show('net');
  await page.locator('.chart').first().waitFor();
  await noViolations(page);
  await show('floodgate');
  await page.locator('.players b:text-is("our")').waitFor();
  await shot(page, 'runs-csa');
  await page.locator('[data-action="games-next"]').click();
  await page.waitForFunction(() => document.querySelectorAll('.games-pane tbody tr').length === 5);
  await page.locator('[data-action="games-first"]').click();
  await noViolations(page);
  await appendFile(path.join(folder, 'runs', 'floodgate', 'games.jsonl'), serverGame(25));
  await page.waitForFunction(() => /** @type {HTMLElement} */ (document.querySelector('.runs > .stack')).dataset.done === '26', undefined, { timeout: PATIENCE });
  await page.locator('.games-pane tbody button').first().click();
  await page.waitForSelector('.game .board');
  await done();
});
