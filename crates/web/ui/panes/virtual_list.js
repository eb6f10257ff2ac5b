// A long list of which only what can be seen is in the page.
import { html } from '../dom.js';

export class VirtualList {
  /**
   * @param {object} options
   * @param {string} options.label
   * @param {string} [options.name] class
   * @param {(index: number) => HTMLElement} options.draw a row; it gets role and position here
   * @param {(index: number) => void} options.choose
   */
  constructor({ label, name = '', draw, choose }) {
    this.draw = draw;
    this.count = 0;
    this.current = -1;
    this.rowHeight = 32;
    this.drawn = '';
    this.space = html('div', { class: 'list-space', role: 'presentation' });
    this.element = html('div', { class: `scroll virtual-list ${name}`, role: 'listbox', tabindex: 0, 'aria-label': label }, this.space);
    this.element.addEventListener('scroll', () => this.render());
    this.element.addEventListener('click', (event) => {
      const row = event.target instanceof Element ? /** @type {HTMLElement | null} */ (event.target.closest('[data-index]')) : null;
      if (row) choose(Number(row.dataset.index));
    });
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  measure() {
    this.rowHeight = Number.parseFloat(getComputedStyle(this.element).getPropertyValue('--row')) || 32;
    this.render(true);
    if (this.current >= 0) this.reveal(this.current);
  }

  /** @param {number} count @param {number} current the row that is chosen, or -1 */
  show(count, current) {
    const moved = current !== this.current || count !== this.count;
    this.count = count;
    this.current = current;
    this.render(true);
    if (moved && current >= 0) this.reveal(current);
  }

  /** @param {number} index */
  reveal(index) {
    const top = index * this.rowHeight;
    const { scrollTop, clientHeight } = this.element;
    if (clientHeight === 0) return;
    const room = Math.min(this.rowHeight * 2, clientHeight / 3);
    if (top < scrollTop + room) this.element.scrollTop = Math.max(0, top - room);
    else if (top + this.rowHeight > scrollTop + clientHeight - room) this.element.scrollTop = top + this.rowHeight - clientHeight + room;
  }

  render(force = false) {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.rowHeight) - 6);
    const last = Math.min(this.count, Math.ceil((this.element.scrollTop + Math.max(this.element.clientHeight, 320)) / this.rowHeight) + 6);
    const now = `${first}-${last}`;
    if (!force && now === this.drawn) return;
    this.drawn = now;
    this.space.style.height = `${this.count * this.rowHeight}px`;
    const rows = [];
    for (let index = first; index < last; index++) {
      const row = this.draw(index);
      row.dataset.index = String(index);
      row.setAttribute('role', 'option');
      row.setAttribute('aria-selected', String(index === this.current));
      row.setAttribute('aria-setsize', String(this.count));
      row.setAttribute('aria-posinset', String(index + 1));
      row.id = `${this.element.id || 'row'}-${index}`;
      row.style.top = `${index * this.rowHeight}px`;
      rows.push(row);
    }
    this.space.replaceChildren(...rows);
    if (this.current >= first && this.current < last) this.element.setAttribute('aria-activedescendant', `${this.element.id || 'row'}-${this.current}`);
    else this.element.removeAttribute('aria-activedescendant');
  }
}
