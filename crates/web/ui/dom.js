// Elements made in code: there is no inline markup, and text goes in as text.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, any>} Properties attributes; `on*` are listeners, `class`, `text`, `data` are what they say
 */

/**
 * @param {Element} element
 * @param {Properties} properties
 */
export function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'text') element.textContent = value ?? '';
    else if (name === 'data') Object.assign(/** @type {HTMLElement} */ (element).dataset, value);
    else if (name === 'value' || name === 'checked' || name === 'disabled' || name === 'open' || name === 'selected' || name === 'hidden') {
      /** @type {any} */ (element)[name] = value ?? '';
    } else if (value === true) element.setAttribute(name, '');
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, String(value));
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Properties} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function html(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  set(element, properties);
  append(element, children);
  // A select takes its value only when its options are there.
  if (tag === 'select' && properties.value !== undefined) /** @type {any} */ (element).value = properties.value;
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Properties} [properties]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, properties);
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {(Child | Child[])[]} children
 */
function append(element, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  }
}

/**
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

let lastId = 0;
/** An id that no other element has. @param {string} stem */
export const uniqueId = (stem) => `${stem}-${++lastId}`;
