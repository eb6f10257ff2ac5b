// A server of its own and a browser for each test file; whatever the page complains about fails the test.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const require = createRequire(path.resolve(process.env.WEB_TEST_MODULES ?? '', 'package.json'));
/** @type {import('playwright-core')} */
const { chromium, devices } = require('playwright-core');
export const axeSource = () => require('axe-core').source;

/** Waits as long as a slow machine needs; states decide, not times. */
export const PATIENCE = 240_000;

/** ASSETS=crates/web/ui tries pages without building the program anew. */
const ASSETS = process.env.ASSETS ? ['--assets', process.env.ASSETS] : [];

/** Starts `tsumugi web`. @param {{ data?: string, port?: number, more?: string[] }} [options] */
export async function startServer({ data, port = 0, more = [] } = {}) {
  const folder = data ?? (await mkdtemp(path.join(tmpdir(), 'tsumugi-web-test-')));
  const child = spawn(process.env.TSUMUGI ?? 'target/debug/tsumugi', ['web', '--port', String(port), '--data', folder, ...ASSETS, ...more], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const address = await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /^listening on (http:\S+)/.exec(line);
      if (found) resolve(found[1]);
    });
    child.on('exit', (code) => reject(new Error(`tsumugi web ended with ${code}`)));
    child.on('error', reject);
  });
  const stop = async (/** @type {NodeJS.Signals} */ signal = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await ended;
    }
  };
  return { address, folder, child, stop, port: Number(new URL(address).port), clean: async () => { await stop(); await rm(folder, { recursive: true, force: true }); } };
}

/** Starts a browser. */
export const startBrowser = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
export const SMALL_PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
void devices;

/**
 * A page that collects what it complains about and whom it asks.
 * @param {import('playwright-core').Browser} browser
 * @param {string} address
 * @param {import('playwright-core').BrowserContextOptions & { permits?: RegExp }} [options] permits: console messages that are expected
 */
export async function openPage(browser, address, { permits, ...options } = {}) {
  const context = await browser.newContext({ locale: 'ja-JP', viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('console', (message) => {
    if (!permits?.test(message.text())) complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.stack}`));
  const host = new URL(address).host;
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:'].includes(url.protocol) && url.host !== host) complaints.push(`request to ${url.host}`);
  });
  const done = async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  };
  return { page, context, complaints, done };
}

/** Goes to an address inside the app and waits for its page. @param {import('playwright-core').Page} page @param {string} address */
export async function visit(page, address) {
  await page.goto(address);
  await page.waitForSelector('main > *');
}

/**
 * Asks the server through a socket of the page's own origin, beside the app.
 * @param {import('playwright-core').Page} page
 * @param {string} verb
 * @param {Record<string, unknown>} [values]
 * @returns {Promise<any>}
 */
export function ask(page, verb, values = {}) {
  return page.evaluate(
    ([wished, given]) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://${location.host}/ws`);
        socket.onopen = () => socket.send(JSON.stringify({ id: 1, do: wished, .../** @type {object} */ (given) }));
        socket.onerror = () => reject(new Error('no socket'));
        socket.onmessage = ({ data }) => {
          const message = JSON.parse(data);
          if (message.id !== 1) return;
          socket.close();
          if (message.error) reject(new Error(message.error.text));
          else resolve(message.ok);
        };
      }),
    /** @type {[string, Record<string, unknown>]} */ ([verb, values]),
  );
}

/** SHOTS=DIR keeps pictures to look at. @param {import('playwright-core').Page} page @param {string} name */
export async function shot(page, name) {
  if (process.env.SHOTS) await page.screenshot({ path: path.join(process.env.SHOTS, `${name}.png`) });
}

/** The board of the page. @param {import('playwright-core').Page} page */
export const boardId = (page) => new URL(page.url()).pathname.split('/')[2];

/** The node that the page shows. @param {import('playwright-core').Page} page */
export const nodeOf = async (page) => Number(await page.locator('.game').getAttribute('data-node'));

/** Waits until the page shows another node. @param {import('playwright-core').Page} page @param {number} before */
export const nodeAfter = (page, before) => page.waitForFunction((node) => Number(document.querySelector('.game')?.getAttribute('data-node')) !== node, before);

/** Begins a game of two people. @param {import('playwright-core').Page} page @param {string} address @param {string} game */
export async function beginGame(page, address, game) {
  await visit(page, new URL(`/new/${game}`, address).href);
  await page.locator('[data-field="black"]').selectOption('human');
  await page.locator('[data-field="white"]').selectOption('human');
  await page.locator('[data-action="begin"]').click();
  await page.waitForSelector('.game.is-play');
}
