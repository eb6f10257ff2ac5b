// Each family of games from the first move to the end by its rules: by mouse, by dragging, by touch and by keys.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeMove, makeWay } from './hands.mjs';
import { beginGame, nodeAfter, nodeOf, openPage, PHONE, startBrowser, startServer } from './harness.mjs';

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

/**
 * Short games with everything that is peculiar to them: promotions, drops, freezes (`z` and the kind; no freeze where it is absent but
 * offered: `z-`), the setup of 66shogi, the lines of Binarsi. Each ends with its last move.
 * @type {Record<string, { moves: string, outcome: string }>}
 */
const GAMES = {
  shogi: { moves: '7g7f 3c3d 8h2b+ 4a5b B*4b 5a4a 2b3a', outcome: 'mate' },
  freeze: { moves: '7g7fz- 3c3dzK 8h2b+ 4a5bz- B*4bz- 5a4az- 2b3az-', outcome: 'mate' },
  '66shogi': { moves: 'B*5f L*6a G*3f B*3a N*6f K*4a L*1f N*1a S*2f G*2a K*4f S*5a 6e6d 4b4c 5e5d 3a6d', outcome: 'mate' },
  minishogi: { moves: '2e5b 4a5b 5e4d B*2b 4d5c 5b2e+', outcome: 'mate' },
  binarsi: { moves: 'dn cnH 3s1 bo dnL eo ana bnL enL fo anH fnL 2n 4o 5a', outcome: '' },
};

/** @param {import('playwright-core').Page} page */
const ended = (page) => page.waitForFunction(() => document.querySelector('.play-pane [data-action="new"]') !== null);

for (const how of /** @type {import('./hands.mjs').Manner[]} */ (['mouse', 'drag', 'touch', 'keys'])) {
  const options = how === 'touch' ? PHONE : {};
  for (const [game, { moves, outcome }] of Object.entries(GAMES)) {
    if (how === 'drag' && game !== 'shogi') continue;
    test(`${game} to the end by ${how}`, async () => {
      const { page, done } = await openPage(browser, server.address, options);
      await beginGame(page, server.address, game);
      for (const move of moves.split(' ')) {
        const node = await nodeOf(page);
        if (game === 'binarsi') await makeWay(page, move[0], move.slice(1), how);
        else await makeWritten(page, move, how);
        await nodeAfter(page, node);
      }
      await ended(page);
      const reached = await page.locator('.game').getAttribute('data-outcome');
      if (outcome) assert.equal(reached, outcome);
      else assert.notEqual(reached, '');
      await done();
    });
  }
}

/** A move as USI writes it; where the rules leave a choice, it is made. @param {import('playwright-core').Page} page @param {string} move @param {import('./hands.mjs').Manner} how */
async function makeWritten(page, move, how) {
  const [, from, to, plus, freeze] = /** @type {RegExpExecArray} */ (/^(\w\*|\d+\w)(\d+[a-l])(\+?)(?:z(.+))?$/.exec(move));
  // In these games every move that may promote does so, except for pieces that have promoted already.
  await makeMove(page, { from, to }, { how, promotes: plus === '+' ? true : undefined, freezes: freeze === undefined ? undefined : freeze === '-' ? null : freeze });
}
