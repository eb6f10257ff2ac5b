// Which page an address shows. Links inside the app change the page without loading it anew.

/**
 * @typedef {object} Page
 * @property {HTMLElement} element
 * @property {string} title
 * @property {string} [nav] the entry of the navigation that is marked
 * @property {string} [game] the game that is played on it
 * @property {() => void} [leave]
 * @property {(key: string, event: KeyboardEvent) => boolean} [key] a key was pressed outside fields and dialogs; true if it was used
 * @property {(text: string) => void} [paste]
 * @typedef {(parts: string[], query: URLSearchParams) => Page | Promise<Page>} Route
 */

export class Router {
  /** @param {Record<string, Route>} routes by the first part of the path @param {(page: Page) => void} show */
  constructor(routes, show) {
    this.routes = routes;
    this.show = show;
    this.turn = 0;
    /** @type {Page | null} */
    this.page = null;
    addEventListener('popstate', () => void this.open());
    document.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || link.target || link.hasAttribute('download')) return;
      const address = new URL(link.href);
      if (address.origin !== location.origin || address.pathname.startsWith('/api/') || address.pathname.startsWith('/a/')) return;
      event.preventDefault();
      this.go(address.pathname + address.search);
    });
  }

  /** @param {string} address @param {{ replace?: boolean }} [options] */
  go(address, { replace = false } = {}) {
    if (replace) history.replaceState(null, '', address);
    else if (address !== location.pathname + location.search) history.pushState(null, '', address);
    return this.open();
  }

  /** Shows the page of the present address. */
  async open() {
    const turn = ++this.turn;
    const parts = location.pathname.split('/').filter(Boolean).map(decodeURIComponent);
    const known = (parts[0] ?? '') in this.routes;
    const page = await this.routes[known ? (parts[0] ?? '') : ''](known ? parts.slice(1) : parts, new URLSearchParams(location.search));
    if (turn !== this.turn) {
      page.leave?.();
      return;
    }
    this.page?.leave?.();
    this.page = page;
    this.show(page);
  }
}
