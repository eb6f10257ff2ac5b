// The app: header, navigation, pages; one socket for all of them.
import { html, fill } from './dom.js';
import { followLanguage, language, t } from './i18n/i18n.js';
import { brandSign, icon } from './icons.js';
import { keyTable } from './pages/help.js';
import { errorText, openDialog, tell } from './dialogs/dialog.js';
import { installSprite } from './pieces/sprite.js';
import { Port, PortError } from './port.js';
import { Router } from './router.js';
import { listenToKeys, listenToPaste } from './state/keys.js';
import { changeSettings, followTheme, onSettings } from './state/settings.js';

export class App {
  constructor() {
    this.port = new Port();
    /** @type {import('./protocol').About} */
    this.about = { version: '', games: [], engines: [], engines_at_once: 1, levels: 10, books: false, runs: false };
    this.main = html('main', { id: 'main', tabindex: -1 });
    this.title = html('div', { id: 'page-title' });
    this.header = html('header', { id: 'app-header' });
    this.offline = html('div', { id: 'offline', role: 'status', hidden: true });
    document.body.append(html('a', { class: 'skip button', href: '#main' }, t('skip')), this.header, this.offline, this.main, html('div', { id: 'messages', role: 'status', 'aria-live': 'polite' }));
    this.router = new Router(
      {
        '': (parts) => import('./pages/home.js').then((page) => page.homePage(this, parts)),
        b: async (parts, query) => (parts[1] === 'edit' ? (await import('./pages/editor.js')).editorPage(this, parts) : (await import('./pages/board.js')).boardPage(this, parts, query)),
        new: (parts, query) => import('./pages/new_game.js').then((page) => page.newGamePage(this, parts, query)),
        board: () => import('./pages/home.js').then((page) => page.lastBoard(this)),
        tsume: () => import('./pages/tsume.js').then((page) => page.tsumePage(this)),
        runs: (parts) => import('./pages/runs.js').then((page) => page.runsPage(this, parts)),
        settings: () => import('./pages/settings.js').then((page) => page.settingsPage()),
        help: () => import('./pages/help.js').then((page) => page.helpPage()),
      },
      (page) => this.show(page),
    );
    const open = this.router.open.bind(this.router);
    this.router.open = async () => {
      try {
        await open();
      } catch (error) {
        this.showError(error);
      }
    };
    this.drawHeader();
    onSettings((changed) => {
      if ('language' in changed) this.relabel();
      else if ('theme' in changed) this.drawHeader();
    });
    this.port.onState((connected) => {
      this.offline.hidden = connected;
      this.offline.textContent = connected ? '' : t('offline');
    });
    listenToKeys((name, event) => this.key(name, event));
    listenToPaste((text) => {
      if (this.router.page?.paste) this.router.page.paste(text);
      else void this.openText(text);
    });
    this.acceptFiles();
  }

  async start() {
    this.about = await this.port.ask('about');
    this.drawHeader();
    await this.router.open();
  }

  drawHeader() {
    const path = location.pathname;
    const page = this.router?.page;
    const named = ['66shogi', 'freeze', 'binarsi'].filter((game) => this.about.games.some((known) => known.game === game));
    const entries = /** @type {[string, string, boolean][]} */ ([
      ['/board', t('nav.board'), page?.nav === 'board'], ['/new/shogi', t('nav.play'), page?.nav === 'play' && !named.includes(page.game ?? '')],
      ...named.map((game) => [`/new/${game}`, this.gameName(game), page?.nav === 'play' && page.game === game]),
      ['/tsume', t('nav.tsume'), path === '/tsume' || page?.nav === 'tsume'],
      ...(this.about.runs ? [['/runs', t('nav.runs'), path.startsWith('/runs')]] : []),
    ]);
    const nav = html('nav', { id: 'app-nav', 'aria-label': t('nav.label') }, entries.map(([href, text, current]) => html('a', { href, 'aria-current': current ? 'page' : null, text })),
      html('a', { class: 'menu-only', href: '/settings', text: t('nav.settings') }), html('a', { class: 'menu-only', href: '/help', text: t('nav.help') }));
    const dark = document.documentElement.dataset.theme === 'dark';
    const menu = html('button', { type: 'button', id: 'nav-button', class: 'plain', 'aria-label': t('nav.label'), 'aria-expanded': 'false', 'aria-controls': 'app-nav', onclick: () => {
      const opened = nav.classList.toggle('is-open');
      menu.setAttribute('aria-expanded', String(opened));
    } }, icon('menu'));
    fill(this.header,
      html('a', { class: 'brand', href: '/', 'aria-label': `tsumugi ${t('nav.home')}` }, brandSign(), 'tsumugi'), nav, this.title,
      html('div', { class: 'tools' },
        html('button', { type: 'button', class: 'plain', data: { action: 'theme' }, 'aria-label': t(dark ? 'theme.light' : 'theme.dark'), onclick: () => changeSettings({ theme: dark ? 'light' : 'dark' }) }, icon(dark ? 'moon' : 'sun')),
        html('button', { type: 'button', class: 'plain', data: { action: 'language' }, lang: language() === 'ja' ? 'en' : 'ja', onclick: () => changeSettings({ language: language() === 'ja' ? 'en' : 'ja' }), text: language() === 'ja' ? 'English' : '日本語' }),
        html('a', { class: 'button plain-link', href: '/settings', 'aria-label': t('nav.settings') }, icon('gear')),
        html('a', { class: 'button plain-link', href: '/help', 'aria-label': t('nav.help') }, icon('help')), menu));
  }

  /** @param {string} game */
  gameName(game) {
    return this.about.games.find((known) => known.game === game)?.name[language()] ?? game;
  }

  /** @param {import('./router.js').Page} page */
  show(page) {
    this.main.replaceChildren(page.element);
    this.setTitle(page.title);
    this.drawHeader();
    scrollTo(0, 0);
    this.main.dataset.page = location.pathname.split('/')[1] || 'home';
  }

  /** @param {string} title */
  setTitle(title) {
    if (this.title.textContent !== title) this.title.textContent = title;
    document.title = title ? `${title} – tsumugi` : 'tsumugi';
  }

  /** @param {unknown} error */
  showError(error) {
    this.router.page?.leave?.();
    this.router.page = null;
    const text = errorText(error);
    this.show({ element: html('div', { class: 'page trouble' }, brandSign(), html('h1', { text: t('error.title') }), html('p', { class: 'lead', text }), html('p', {}, html('a', { class: 'button primary', href: '/', text: t('nav.home') }))), title: t('error.title') });
  }

  /** After a change of language everything is built anew. */
  relabel() {
    this.drawHeader();
    void this.router.open();
  }

  /** @param {string} name @param {KeyboardEvent} event */
  key(name, event) {
    if (name === '?') {
      void openDialog(() => ({ title: t('nav.help'), content: [keyTable()] }));
      return true;
    }
    return this.router.page?.key?.(name, event) ?? false;
  }

  /** Opens a record or position in any format on a new board. @param {string} text @param {string} [query] */
  async openText(text, query = '') {
    try {
      const { board, notices } = await this.port.ask('open', { text });
      if (notices.length > 0) tell(notices.join(' '));
      await this.router.go(`/b/${board}${query}`);
      return true;
    } catch (error) {
      tell(errorText(error), 'bad');
      return false;
    }
  }

  /** A file dropped anywhere is opened; the server finds out how it is encoded. @param {File} file */
  async openFile(file) {
    try {
      const answer = await fetch('/api/file', { method: 'POST', body: file });
      const reply = await answer.json();
      if (!answer.ok) throw reply.code ? new PortError(reply.code, reply.text, reply.ja) : new Error(t('error.title'));
      /** @type {import('./protocol').Opened[]} */
      const opened = reply;
      const notices = opened.flatMap((board) => board.notices);
      if (opened.length > 1) notices.unshift(t('file.many', { count: opened.length }));
      if (notices.length > 0) tell(notices.join(' '));
      await this.router.go(`/b/${opened[0].board}`);
    } catch (error) {
      tell(errorText(error), 'bad');
    }
  }

  acceptFiles() {
    addEventListener('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      this.main.classList.add('drop-over');
    });
    addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) this.main.classList.remove('drop-over');
    });
    addEventListener('drop', (event) => {
      this.main.classList.remove('drop-over');
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      void this.openFile(file);
    });
  }
}

followTheme();
followLanguage();
installSprite();
const app = new App();
app.start().catch((error) => app.showError(error));
