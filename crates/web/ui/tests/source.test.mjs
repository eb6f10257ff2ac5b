// What can be said of the pages without a browser.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { en } from '../i18n/en.js';
import { ja } from '../i18n/ja.js';

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(js|css|html|svg)$/.test(name) && !name.startsWith('tests'));
const read = (/** @type {string} */ name) => readFileSync(path.join(ROOT, name), 'utf8');

test('both languages have the same sentences with the same values', () => {
  assert.deepEqual(Object.keys(en).sort(), Object.keys(ja).sort());
  const values = (/** @type {string} */ sentence) => [...new Set(sentence.match(/\{\w+\}/g) ?? [])].sort();
  for (const [key, sentence] of Object.entries(en)) assert.deepEqual(values(/** @type {Record<string, string>} */ (ja)[key]), values(sentence), key);
});

test('every sentence that is asked for is there', () => {
  for (const name of FILES.filter((file) => file.endsWith('.js'))) {
    for (const [, key] of read(name).matchAll(/\bt\('([^']+)'/g)) assert.ok(key in en, `${name}: ${key}`);
  }
});

test('the app is small on its way to the browser', () => {
  const bytes = FILES.reduce((sum, name) => sum + gzipSync(read(name)).length, 0);
  assert.ok(bytes <= 250_000, `${bytes} bytes`);
});

test('no code and no style in markup, no markup made of text', () => {
  const page = read('index.html');
  assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
  for (const name of FILES.filter((file) => file.endsWith('.js'))) assert.doesNotMatch(read(name), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, name);
});

test('nothing is loaded from elsewhere', () => {
  for (const name of FILES) assert.doesNotMatch(read(name).replaceAll('http://www.w3.org/2000/svg', ''), /https?:\/\//, name);
});
