// The book: what it has for this position, edited and mined from here.
import { command, iconButton, selectField } from '../controls.js';
import { fill, html } from '../dom.js';
import { confirmDialog, openDialog, tell, tellError } from '../dialogs/dialog.js';
import { language, number, pick, t } from '../i18n/i18n.js';

/** @typedef {import('../protocol').BookLine} BookLine */

export class BookPane {
  /** @param {import('../state/board_state.js').BoardState} state @param {boolean} hasBooks @param {(move: string) => void} onPlay */
  constructor(state, hasBooks, onPlay) {
    this.state = state;
    this.hasBooks = hasBooks;
    this.onPlay = onPlay;
    /** @type {import('../protocol').BookOpened | null} */
    this.book = null;
    /** @type {BookLine[]} */
    this.moves = [];
    this.asked = 0;
    this.choice = html('div', { class: 'inside' });
    this.table = html('div', { class: 'scroll table-scroll' });
    this.tools = html('footer', {});
    this.growth = html('div', { class: 'inside row small', role: 'status', hidden: true });
    this.element = html('div', { class: 'book-pane' }, this.choice, this.table, this.growth, this.tools);
    state.on('scene', () => {
      if (this.element.isConnected) void this.load();
    });
    this.stop = state.port.onEvent((event) => {
      if (event.event === 'mining' && event.book === this.book?.book) this.showMining(/** @type {any} */ (event));
    });
  }

  leave() {
    this.stop();
  }

  /** @param {import('../protocol').MiningProgress | null | undefined} mining */
  showMining(mining) {
    const running = mining?.state === 'running';
    this.growth.hidden = !mining;
    if (!mining || !this.book) return;
    this.book.mining = running ? mining : null;
    this.growth.dataset.state = mining.state;
    fill(this.growth, html('span', { class: mining.state === 'failed' ? 'bad' : '', text: mining.state === 'failed' ? mining.text : t(running ? 'book.mining' : 'book.mined', { done: mining.done, total: mining.total }) }),
      running && html('button', { type: 'button', class: 'plain', data: { action: 'mine-stop' }, text: t('stop'), onclick: () => void this.state.port.ask('book.mine_stop', { book: mining.book }).catch(tellError) }));
    // What was found is in the book when it ends.
    if (!running) void this.load();
  }

  async shown() {
    if (this.book) {
      await this.load();
      return;
    }
    try {
      const { books } = this.hasBooks ? await this.state.port.ask('book.list') : { books: [] };
      if (books.length === 0) {
        fill(this.choice, html('p', { class: 'empty', text: t(this.hasBooks ? 'book.none.found' : 'book.none') }), !this.hasBooks && command('tsumugi web --books book --open'));
        return;
      }
      fill(this.choice, selectField(t('book.file'), [{ value: '', text: t('book.choose') }, ...books.map((/** @type {import('../protocol').BookEntry} */ book) => ({ value: book.path, text: book.path }))], '', (path) => void this.open(path)));
      let wished = null;
      try { wished = sessionStorage.getItem('tsumugi.book'); } catch { /* not kept */ }
      const known = books.find((/** @type {import('../protocol').BookEntry} */ book) => book.path === wished) ?? (books.length === 1 ? books[0] : null);
      if (known) {
        /** @type {HTMLSelectElement} */ (this.choice.querySelector('select')).value = known.path;
        await this.open(known.path);
      }
    } catch (error) {
      tellError(error);
    }
  }

  /** @param {string} path */
  async open(path) {
    if (!path) return;
    try {
      fill(this.table, html('p', { class: 'empty', role: 'status', text: t('book.opening') }));
      this.book = await this.state.port.ask('book.open', { book: path });
      try { sessionStorage.setItem('tsumugi.book', path); } catch { /* not kept */ }
      this.showMining(this.book.mining);
      await this.load();
    } catch (error) {
      fill(this.table);
      tellError(error);
    }
  }

  async load() {
    if (!this.book) return;
    const turn = ++this.asked;
    try {
      const answer = await this.state.port.ask('book.show', { book: this.book.book, board: this.state.id, node: this.state.cursor });
      if (turn === this.asked) this.draw(answer);
    } catch (error) {
      if (turn === this.asked) fill(this.table, html('p', { class: 'empty', text: error instanceof Error ? error.message : '' }));
    }
  }

  /** @param {import('../protocol').BookMoves} answer */
  draw(answer) {
    this.moves = answer.moves;
    const counts = answer.moves.some((move) => move.count);
    const settled = answer.moves.some((move) => typeof move.minmax === 'number');
    const signed = (/** @type {number | null | undefined} */ value) => (typeof value === 'number' ? (value > 0 ? `+${value}` : String(value).replace('-', '−')) : '');
    const book = this.book;
    if (!book) return;
    if (answer.moves.length === 0) fill(this.table, html('p', { class: 'empty', text: t('book.empty') }));
    else fill(this.table, html('table', { class: 'book-table' },
      html('thead', {}, html('tr', {}, html('th', { text: t('book.move') }), html('th', { class: 'number', text: t('book.value') }), settled && html('th', { class: 'number', text: t('book.minmax') }), html('th', { class: 'number', text: t('engine.depth') }), counts && html('th', { class: 'number', text: t('book.count') }), book.writable && html('th', {}, html('span', { class: 'spoken', text: t('book.edit') })))),
      html('tbody', {}, answer.moves.map((move) => html('tr', { title: move.comment },
        html('td', {}, html('button', { type: 'button', class: 'plain', text: move[language()], onclick: () => this.onPlay(move.move) }), move.reply && html('span', { class: 'small', text: ` ${move.reply[language()]}` }), move.repetition && html('span', { class: 'tag bad', text: pick(move.repetition) })),
        html('td', { class: 'number', text: signed(move.value) }),
        settled && html('td', { class: 'number' }, html('b', { text: signed(move.minmax) })),
        html('td', { class: 'number faint', text: move.depth === null || move.depth === undefined ? '' : String(move.depth) }),
        counts && html('td', { class: 'number', text: move.count ? number(move.count) : '' }),
        book.writable && html('td', {}, iconButton('edit', t('book.edit.move', { move: move[language()] }), () => void this.edit(move))))))));
    fill(this.tools, book.writable && [
      html('button', { type: 'button', text: t('book.add'), onclick: () => void this.edit(null) }),
      html('button', { type: 'button', data: { action: 'minmax' }, text: t('book.minmax'), onclick: () => void this.run('book.minmax', t('book.minmax.done')) }),
      html('button', { type: 'button', data: { action: 'mine' }, text: t('book.mine'), onclick: () => void this.mine() }),
      html('button', { type: 'button', class: answer.changed ? 'primary' : '', disabled: !answer.changed, text: t('save'), onclick: () => void this.run('book.save', t('book.saved')) })]);
  }

  /** @param {'book.minmax' | 'book.save'} verb @param {string} done */
  async run(verb, done) {
    try {
      const mining = this.book?.mining;
      this.book = { ...(await this.state.port.ask(verb, { book: this.book?.book })), mining };
      tell(done);
      await this.load();
    } catch (error) {
      tellError(error);
    }
  }

  /** Lets the book grow from the position on the board. */
  async mine() {
    const field = (/** @type {string} */ label, /** @type {number} */ value, /** @type {number} */ high, /** @type {string} */ name) => {
      const control = html('input', { type: 'number', min: 1, max: high, value, data: { field: name } });
      return { control, field: html('label', { class: 'field' }, html('span', { text: label }), control) };
    };
    const [positions, depth, lines] = [field(t('book.mine.positions'), 20, 10000, 'positions'), field(t('book.mine.depth'), 14, 60, 'depth'), field(t('engine.lines'), 2, 10, 'lines')];
    const answer = await openDialog((close) => ({
      title: t('book.mine'),
      content: [html('p', { class: 'small', text: t('book.mine.hint') }), html('div', { class: 'two' }, positions.field, depth.field, lines.field)],
      buttons: [html('button', { type: 'button', text: t('cancel'), onclick: () => close() }), html('button', { type: 'button', class: 'primary', data: { action: 'mine-begin' }, text: t('book.mine.begin'), onclick: () => close('begin') })],
    }));
    if (answer !== 'begin' || !this.book) return;
    const whole = (/** @type {HTMLInputElement} */ control) => Math.max(1, Math.round(Number(control.value) || 1));
    try {
      await this.state.port.ask('book.mine', { book: this.book.book, board: this.state.id, node: this.state.cursor, positions: whole(positions.control), depth: whole(depth.control), lines: whole(lines.control) });
    } catch (error) {
      tellError(error);
    }
  }

  /** @param {BookLine | null} line */
  async edit(line) {
    const input = (/** @type {string} */ label, /** @type {unknown} */ value, type = 'number') => {
      const control = html('input', { type, value: value ?? '' });
      return { control, field: html('label', { class: 'field' }, html('span', { text: label }), control) };
    };
    const move = input(t('book.move'), line?.move ?? '', 'text');
    const [value, depth, count] = [input(t('book.value'), line?.value), input(t('engine.depth'), line?.depth), input(t('book.count'), line?.count)];
    const comment = input(t('tab.comment'), line?.comment, 'text');
    if (line) move.control.disabled = true;
    const answer = await openDialog((close) => ({
      title: line ? t('book.edit.move', { move: line[language()] }) : t('book.add'),
      content: [move.field, html('div', { class: 'two' }, value.field, depth.field, count.field), comment.field],
      buttons: [
        ...(line ? [html('button', { type: 'button', class: 'danger', text: t('delete'), onclick: () => close('remove') })] : []),
        html('button', { type: 'button', class: 'primary', text: t('save'), onclick: () => close('set') })],
    }));
    if (!answer || !this.book) return;
    if (answer === 'remove' && !(await confirmDialog(t('book.delete.sure'), t('delete')))) return;
    const whole = (/** @type {HTMLInputElement} */ control) => (control.value.trim() === '' ? null : Math.round(Number(control.value)));
    try {
      this.draw(await this.state.port.ask('book.edit', {
        book: this.book.book, board: this.state.id, node: this.state.cursor, move: move.control.value.trim(), remove: answer === 'remove',
        value: whole(value.control), depth: whole(depth.control), count: whole(count.control), comment: comment.control.value.trim() || null,
      }));
    } catch (error) {
      tellError(error);
    }
  }
}
