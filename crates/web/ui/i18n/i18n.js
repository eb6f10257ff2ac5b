// Sentences in the reader's language.
import { onSettings, settings } from '../state/settings.js';
import { en } from './en.js';
import { ja } from './ja.js';

/** @typedef {'ja' | 'en'} Language */

const TABLES = { ja, en };

/** @returns {Language} */
export function language() {
  if (settings.language !== 'auto') return settings.language;
  return navigator.language.toLowerCase().startsWith('ja') ? 'ja' : 'en';
}

/**
 * The sentence of a key, with `{name}` replaced.
 * @param {keyof typeof en} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const sentence = TABLES[language()][key] ?? en[key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

/** A sentence whose key is made at run time; the key itself where there is none. @param {string} key @param {string} [otherwise] */
export function word(key, otherwise = key) {
  return key in en ? t(/** @type {keyof typeof en} */ (key)) : otherwise;
}

/** Of a text that the server sends in both languages. @param {{ ja: string, en: string } | null | undefined} text */
export const pick = (text) => (text ? text[language()] : '');

/** @param {number} value @param {number} [digits] */
export function number(value, digits = 0) {
  return value.toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace('-', '−');
}

function apply() {
  document.documentElement.lang = language();
}

/** Follows the settings from now on. */
export function followLanguage() {
  apply();
  onSettings(apply);
}
