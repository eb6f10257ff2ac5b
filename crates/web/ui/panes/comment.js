// The comment and the marks of a move.
import { html, fill } from '../dom.js';
import { t } from '../i18n/i18n.js';
import { tellError } from '../dialogs/dialog.js';

const MARKS = ['!!', '!', '!?', '?!', '?', '??', 'bookmark'];
/** A comment is sent when typing pauses so long, in milliseconds. */
const PAUSE = 500;

export class CommentPane {
  /** @param {import('../state/board_state.js').BoardState} state */
  constructor(state) {
    this.state = state;
    this.node = 0;
    this.text = html('textarea', { class: 'comment-text', 'aria-label': t('tab.comment'), placeholder: t('comment.hint'), oninput: () => this.later(), onblur: () => this.send() });
    this.marks = html('div', { class: 'branch-row', role: 'group', 'aria-label': t('comment.marks') });
    this.element = html('div', { class: 'comment-pane' }, this.text, this.marks);
    state.on(['scene', 'tree'], () => this.show());
    this.show();
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), PAUSE);
  }

  send() {
    clearTimeout(this.timer);
    const node = this.state.tree.get(this.node);
    if (!node || node.comment === this.text.value) return;
    node.comment = this.text.value;
    this.state.port.ask('comment', { board: this.state.id, node: node.id, text: this.text.value }).catch(tellError);
  }

  show() {
    const node = this.state.tree.get(this.state.cursor);
    if (!node) return;
    if (node.id !== this.node) this.send();
    if (node.id !== this.node || document.activeElement !== this.text) this.text.value = node.comment ?? '';
    this.node = node.id;
    const marks = node.marks ?? [];
    fill(this.marks, MARKS.map((mark) =>
      html('button', {
        type: 'button', 'aria-pressed': String(marks.includes(mark)), 'aria-label': mark === 'bookmark' ? t('comment.bookmark') : mark, text: mark === 'bookmark' ? '★' : mark,
        onclick: () => {
          const next = marks.includes(mark) ? marks.filter((known) => known !== mark) : [...marks.filter((known) => known === 'bookmark' || mark === 'bookmark'), mark];
          this.state.port.ask('mark', { board: this.state.id, node: node.id, marks: next }).catch(tellError);
        },
      })));
  }
}
