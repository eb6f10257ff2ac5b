// Several panes of which one is seen.
import { html } from '../dom.js';
import { uniqueId } from '../dom.js';

/**
 * @typedef {{ id: string, text: string, element: HTMLElement, shown?: () => void }} Tab
 */

export class Tabs {
  /** @param {string} label @param {Tab[]} tabs @param {string} chosen @param {(id: string) => void} [remember] */
  constructor(label, tabs, chosen, remember) {
    this.tabs = tabs;
    this.panel = html('div', { class: 'tab-panel', role: 'tabpanel', id: uniqueId('panel') });
    this.buttons = tabs.map((tab) => html('button', { type: 'button', role: 'tab', id: uniqueId('tab'), 'aria-controls': this.panel.id, data: { tab: tab.id }, text: tab.text, onclick: () => this.choose(tab.id) }));
    const bar = html('div', { class: 'tabs', role: 'tablist', 'aria-label': label }, this.buttons);
    bar.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (!step) return;
      const at = this.buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      const next = (at + step + tabs.length) % tabs.length;
      this.choose(tabs[next].id);
      this.buttons[next].focus();
      event.preventDefault();
      event.stopPropagation();
    });
    this.element = html('section', { class: 'pane side-pane', 'aria-label': label }, bar, this.panel);
    this.choose(tabs.some((tab) => tab.id === chosen) ? chosen : tabs[0].id);
    // Only what a person chooses is remembered.
    this.remember = remember;
  }

  /** @param {string} id */
  choose(id) {
    const at = this.tabs.findIndex((tab) => tab.id === id);
    if (at < 0) return;
    this.chosen = id;
    for (const [index, button] of this.buttons.entries()) {
      button.setAttribute('aria-selected', String(index === at));
      button.tabIndex = index === at ? 0 : -1;
    }
    this.panel.setAttribute('aria-labelledby', this.buttons[at].id);
    this.panel.replaceChildren(this.tabs[at].element);
    this.tabs[at].shown?.();
    this.remember?.(id);
  }
}
