// The record: moves with branches, times, values; steps through it.
import { iconButton } from '../controls.js';
import { html, fill } from '../dom.js';
import { pick, t } from '../i18n/i18n.js';
import { changeSettings, settings } from '../state/settings.js';
import { gradeOf, lossOf, scoreText, timeText } from '../state/values.js';
import { VirtualList } from './virtual_list.js';

/** @typedef {import('../state/tree.js').TreeNode} TreeNode */

export class MovesPane {
  /** @param {import('../state/board_state.js').BoardState} state @param {{ onBranchMenu: (id: number) => void }} events */
  constructor(state, { onBranchMenu }) {
    this.state = state;
    /** @type {{ node: TreeNode, depth: number }[]} */
    this.rows = [];
    /** What the rows were made from. */
    this.made = '';
    this.list = new VirtualList({ label: t('moves.title'), name: 'moves', draw: (index) => this.row(index), choose: (index) => void state.goTo(this.rows[index].node.id) });
    this.count = html('span', { class: 'small' });
    this.branches = html('div', { class: 'branch-row', role: 'group', 'aria-label': t('moves.branches') });
    this.view = iconButton('tree', t('moves.view'), () => changeSettings({ tree: !settings.tree }));
    const step = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ go) => iconButton(name, label, go);
    this.element = html('section', { class: 'pane moves-pane', 'aria-label': t('moves.title') },
      html('header', {}, html('h2', { text: t('moves.title') }), this.count, this.view,
        iconButton('more', t('moves.menu'), () => onBranchMenu(state.cursor))),
      this.list.element, this.branches,
      html('footer', { class: 'steps-bar' },
        step('first', t('step.first'), () => void state.goTo(state.tree.root)), step('previous', t('step.previous'), () => state.step(-1)),
        step('next', t('step.next'), () => state.step(1)), step('last', t('step.last'), () => state.step(1e9))));
  }

  show() {
    const { state } = this;
    const line = state.line();
    const root = state.tree.get(state.tree.root);
    const onLine = new Set(line.map((node) => node.id));
    this.onLine = onLine;
    const made = settings.tree ? `tree ${state.version}` : `line ${state.version} ${line.at(-1)?.id}`;
    if (made !== this.made) {
      this.made = made;
      this.rows = settings.tree ? state.tree.rows() : line.slice(1).map((node) => ({ node, depth: 0 }));
      if (root) this.rows = [{ node: root, depth: 0 }, ...this.rows];
    }
    const played = line.filter((node) => node.parent !== null && !node.ending).length;
    const cursor = state.tree.get(state.cursor);
    this.count.textContent = t('moves.count', { ply: (cursor?.ply ?? 0) - (cursor?.ending ? 1 : 0), all: played });
    this.list.show(this.rows.length, this.rows.findIndex((row) => row.node.id === state.cursor));
    this.showBranches();
  }

  showBranches() {
    const siblings = this.state.tree.siblings(this.state.cursor);
    this.branches.hidden = siblings.length < 2;
    if (siblings.length < 2) return;
    fill(this.branches, html('span', { class: 'small', text: t('moves.branches') }),
      siblings.map((id) => html('button', { type: 'button', 'aria-pressed': String(id === this.state.cursor), text: pick(this.state.tree.get(id)?.say), onclick: () => void this.state.goTo(id) })));
  }

  /** @param {number} index */
  row(index) {
    const { node, depth } = this.rows[index];
    const parent = this.state.tree.get(node.parent);
    const side = node.side ?? 0;
    const grade = parent && !node.ending ? gradeOf(lossOf(parent, node, side)) : null;
    const say = node.parent === null ? t('start') : pick(node.say);
    const forks = !settings.tree && parent && parent.children.length > 1 ? `+${parent.children.length - 1}` : '';
    const element = html('div', { class: `move-row${depth > 0 ? ' is-branch' : ''}${this.onLine?.has(node.id) || depth === 0 ? '' : ' is-side'}`, data: { node: String(node.id) } },
      html('span', { class: 'ply', text: node.parent === null ? '' : String(node.ply) }),
      html('span', { class: 'say', text: say }),
      (node.marks ?? []).filter((mark) => mark !== 'bookmark').map((mark) => html('b', { text: mark })),
      grade && html('span', { class: 'tag', text: t(/** @type {any} */ (`grade.${grade}`)) }),
      node.comment && html('span', { class: 'note', title: t('tab.comment') }),
      (node.marks ?? []).includes('bookmark') && html('b', { class: 'faint', text: '★' }),
      html('span', { class: 'rest' }, forks && html('span', { class: 'faint', text: forks }), node.time !== null && node.time !== undefined && html('span', { text: timeText(node.time) }), html('span', { class: 'score', text: scoreText(node, t('mate.word')) })));
    element.style.marginLeft = depth > 0 ? `${Math.min(depth, 6) * 18 + 8}px` : '0';
    return element;
  }
}
