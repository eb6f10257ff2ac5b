// Moves made as people make them: with the mouse, with a finger, with keys.
import { ask, boardId, nodeAfter, nodeOf } from './harness.mjs';

/** @typedef {'mouse' | 'drag' | 'touch' | 'keys'} Manner */

/** @param {import('playwright-core').Page} page @param {string} place square, or a drop such as `P*` */
const placeOf = (page, place) => page.locator(place.includes('*') ? `.hand button:not(:disabled)[data-drop="${place}"]` : `[role="gridcell"][data-square="${place}"]`).first();

/** Walks over the board with the arrow keys. @param {import('playwright-core').Page} page @param {string} square */
async function walkTo(page, square) {
  await page.locator('[role="gridcell"][tabindex="0"]').focus();
  const steps = await page.evaluate((wished) => {
    const cells = [...document.querySelectorAll('[role="gridcell"]')];
    const columns = getComputedStyle(/** @type {Element} */ (document.querySelector('.cells'))).gridTemplateColumns.split(' ').length;
    const [from, to] = [cells.findIndex((cell) => cell === document.activeElement), cells.findIndex((cell) => cell.getAttribute('data-square') === wished)];
    return { x: (to % columns) - (from % columns), y: Math.floor(to / columns) - Math.floor(from / columns) };
  }, square);
  for (let i = 0; i < Math.abs(steps.x); i++) await page.keyboard.press(steps.x > 0 ? 'ArrowRight' : 'ArrowLeft');
  for (let i = 0; i < Math.abs(steps.y); i++) await page.keyboard.press(steps.y > 0 ? 'ArrowDown' : 'ArrowUp');
}

/** @param {import('playwright-core').Page} page @param {import('playwright-core').Locator} target @param {Manner} how */
async function press(page, target, how) {
  if (how === 'touch') await target.tap();
  else if (how === 'keys') {
    await target.focus();
    await page.keyboard.press('Enter');
  } else await target.click();
}

/**
 * @param {import('playwright-core').Page} page
 * @param {{ from: string, to: string }} base
 * @param {{ how: Manner, promotes?: boolean, freezes?: string | null }} manner
 */
export async function makeMove(page, base, { how, promotes, freezes }) {
  // In a game the board waits for the turn.
  await page.locator('.cells.can-act').waitFor();
  const [from, to] = [placeOf(page, base.from), placeOf(page, base.to)];
  if (how === 'keys') {
    if (base.from.includes('*')) await press(page, from, how);
    else {
      await walkTo(page, base.from);
      await page.keyboard.press('Enter');
    }
    await walkTo(page, base.to);
    await page.keyboard.press('Enter');
  } else if (how === 'drag') await from.dragTo(to);
  else {
    await press(page, from, how);
    await press(page, to, how);
  }
  if (promotes !== undefined) {
    const choices = page.locator('.chooser button');
    await choices.first().waitFor();
    await press(page, choices.nth(promotes ? 0 : 1), how);
  }
  if (freezes !== undefined) {
    const kind = page.locator(`[data-freeze="${freezes ?? ''}"]`);
    if (how === 'keys') {
      // Enter on the chosen kind plays at once; Space only chooses.
      await kind.focus();
      await page.keyboard.press('Space');
    } else await press(page, kind, how);
    await press(page, page.locator('[data-action="play-freeze"]'), how);
  }
}

/** @param {import('playwright-core').Page} page @param {string} way @param {string} operator @param {Manner} how */
export async function makeWay(page, way, operator, how) {
  await press(page, page.locator(`.way[data-way="${way}"]`), how);
  await press(page, page.locator(`.operator[data-op="${operator}"]`), how);
  await press(page, page.locator('[data-action="play-way"]'), how);
}

/** Numbers that look random and are the same every time. @param {number} seed */
export function numbers(seed) {
  let state = seed;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Plays a move that the server says is legal. False where there is none.
 * @param {import('playwright-core').Page} page
 * @param {Manner} how
 * @param {(below: number) => number} random
 */
export async function makeSomeMove(page, how, random) {
  const [board, node] = [boardId(page), await nodeOf(page)];
  const scene = await ask(page, 'go_to', { board, node });
  if (scene.outcome) return false;
  if (scene.ways) {
    const open = scene.ways.filter((way) => way.moves > 0);
    if (open.length === 0) return false;
    const { way } = open[random(open.length)];
    const { choices } = await ask(page, 'expand', { board, node, base: way });
    // A target that can be lit is lit: the game ends sooner.
    const choice = choices.find((known) => known.lights?.length) ?? choices[random(choices.length)];
    await makeWay(page, way, choice.operator, how);
  } else {
    const moves = scene.legal.flatMap((origin) => origin.to.map((target) => ({ from: origin.from, to: target.to, play: target.play })));
    if (moves.length === 0) return false;
    const move = moves[random(moves.length)];
    /** @type {{ how: Manner, promotes?: boolean, freezes?: string | null }} */
    const manner = { how };
    if (!move.play) {
      const { choices } = await ask(page, 'expand', { board, node, base: move.from + move.to });
      const forms = new Set(choices.map((choice) => `${choice.becomes}${choice.promotes}`));
      if (forms.size > 1) manner.promotes = true;
      const wished = choices.filter((choice) => forms.size === 1 || choice.promotes);
      if (wished.length > 1) manner.freezes = wished[random(wished.length)].freezes ?? null;
    }
    await makeMove(page, move, manner);
  }
  await nodeAfter(page, node);
  return true;
}
